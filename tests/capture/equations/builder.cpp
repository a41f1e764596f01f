// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/builder.hpp>

#include <string>

#include <doctest/doctest.h>

#include "prefix_form.hpp"

namespace {

// Reads an index list in brackets, or the end of the head of a reduction.
class list_builder : public wf::detail::equation_builder {
 public:
  explicit list_builder(wf::text_view source) : equation_builder(source) {}

  std::string list() {
    wf::range r;
    return labels(']', r) ? wf_test::index_form(out_, r) : message();
  }
  std::string reduced() {
    wf::range r;
    return reduced_indices(r) ? wf_test::index_form(out_, r) : message();
  }
  std::string message() const { return wf_test::characters(failure().message.view()); }
  std::string unshifted() {
    wf::range r;
    if (!labels(']', r)) return message();
    name_axes(r);
    return wf_test::index_form(out_, r);
  }
  // Adds a tree and takes it back.
  bool undoes() {
    const std::uint32_t kept = add_number(1, 0);
    const tree_mark before = mark();
    wf::range r;
    const bool read = labels(']', r);
    const std::uint32_t sum = add(wf::equation_kind::sum, 3, kept, kept);
    const bool added = read && child(out_.nodes[sum], 1).number == 1 && out_.indices.size() == 2;
    undo(before);
    return added && out_.nodes.size() == 1 && out_.children.empty() && out_.indices.empty();
  }
};

}  // namespace

TEST_CASE("an index list of all dialects has names, positions, slices and steps") {
  CHECK(list_builder("[i, j+1, *t-2, q., 3, 0:2, t=0]").list() == "ij+1*t-2q.30:2*t");
  CHECK(list_builder("[ 0:2 , : , 1::3 , ::]").list() == "0:2:1::3::");
  CHECK(list_builder("[]").list() == "");
  CHECK(list_builder("[i,\n j]").list() == "ij");
  CHECK(list_builder("[i j]").list() == "',' or ']' is missing after an index");
  CHECK(list_builder("[0:2:0]").list() == "the step of a slice is positive");
}

TEST_CASE("a slice is named by its text without the space around it") {
  CHECK(list_builder("[0:2 ,i]").list() == list_builder("[0:2,i]").list());
  CHECK(list_builder("[0:2: ,i]").list() == "0:2:i");
}

TEST_CASE("a reduction lists one index at least") {
  CHECK(list_builder(", k, l)").reduced() == "kl");
  CHECK(list_builder(")").reduced() == "reduce needs an index: reduce(sum, k) A[i,k]");
  CHECK(list_builder(", 3)").reduced() == "an index is a name");
}

TEST_CASE("a shift is dropped from an axis that is not stepped through") {
  CHECK(list_builder("[i+1, *t+1, 3, 0:2]").unshifted() == "i*t+130:2");
}

TEST_CASE("what was appended to a tree can be taken back") {
  CHECK(list_builder("[i,j]").undoes());
}
