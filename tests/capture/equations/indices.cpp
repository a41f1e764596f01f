// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/indices.hpp>
#include <wf/capture/equations/text.hpp>

#include <string>

#include <doctest/doctest.h>

namespace {

using namespace wf::detail;

label_list labels(std::initializer_list<wf::text_view> list) { return label_list(list); }
std::string joined(const label_list& list) {
  std::string out;
  for (wf::text_view l : list) out += (out.empty() ? "" : " ") + std::string(l.data(), l.size());
  return out;
}
wf::equation_program parsed(wf::text_view source) {
  auto program = wf::parse_equations(source);
  REQUIRE(program);
  return *static_cast<wf::result<wf::equation_program>&&>(program);
}
// The error message and column of a definition; empty if it is valid.
std::string problem(wf::text_view source) {
  const wf::equation_program p = parsed(source);
  const wf::equation_statement& s = p.statements[0];
  const label_list head = wf::detail::names_of_indices(p, s.indices);
  const index_problem found = check_indices(p, s, head);
  if (found.message.empty()) return {};
  return std::to_string(found.offset) + ": " +
         std::string(found.message.view().data(), found.message.view().size());
}

}  // namespace

TEST_CASE("labels are found, counted and added by name") {
  label_list list = labels({"i", "jj", "i"});
  CHECK(label_position(list, "i") == 0);
  CHECK(label_position(list, "jj") == 1);
  CHECK(label_position(list, "j") == 3);
  CHECK(has_label(list, "jj"));
  CHECK_FALSE(has_label(list, "j"));
  CHECK(count_label(list, "i") == 2);
  CHECK(count_label(list, "k") == 0);
  add_missing(list, labels({"k", "i", "k", "l"}));
  CHECK(joined(list) == "i jj i k l");
}

TEST_CASE("the indices of an expression are those of its names, with repetition") {
  const wf::equation_program p =
      parsed("Y[i] = relu(A[i,j]) B[j,i] - reduce(max, k, l) C[i,k,l] / 2");
  label_list all, reduced;
  collect_indices(p, p.statements[0].root, all, &reduced);
  CHECK(joined(all) == "i j j i i k l");
  CHECK(joined(reduced) == "k l");
  label_list without;
  collect_indices(p, p.statements[0].root, without);
  CHECK(joined(without) == joined(all));
  label_list own;
  for (const wf::equation_node& n : p.nodes)
    if (n.kind == wf::equation_kind::reference) own.append(indices_of(p, n));
  CHECK(joined(own) == joined(all));
}

TEST_CASE("an index is on the left, in its term twice, or reduced") {
  for (const char* source :
       {"Y[i,k] = A[i,j] B[j,k]", "Y[] = A[i,i]", "Y[i] = reduce(sum, j) A[i,j]", "Y[i,j] = 2",
        "Y[i] = A[i] + B[i,j] C[j]", "Y[i] = -(A[i,j] x[j]) - b[i]", "Y = A B"}) {
    CAPTURE(source);
    CHECK(problem(source) == "");
  }
  CHECK(problem("Y[i,m] = A[i,k] A[i,k]") == "0: index m of Y is not on the right side");
  CHECK(problem("Y[i] = A[i,k]") ==
        "7: index k stands only here: sum over it with reduce(sum, k), or put it on the left");
  // Occurrences in different terms do not count as two.
  CHECK(problem("Y[i] = A[i,k] + x[k]") ==
        "7: index k stands only here: sum over it with reduce(sum, k), or put it on the left");
}

TEST_CASE("the indices of an expression over which no product in it sums") {
  const auto free = [](wf::text_view right) {
    const wf::text source = wf::text("Y = ") << right;
    const auto p = wf::parse_equations(source.view());
    REQUIRE(p);
    wf::detail::label_list list;
    wf::detail::collect_free(*p, p->statements[0].root, wf::detail::reference_uses{*p}, list);
    std::string out;
    for (wf::text_view l : list) out += std::string(l);
    return out;
  };
  CHECK(free("A[i,j]") == "ij");
  CHECK(free("A[i,j] b[j]") == "i");
  CHECK(free("A[i,j] / b[j]") == "i");
  CHECK(free("A[i,j] + b[j]") == "ijj");
  CHECK(free("exp(A[i,j] b[j]) + c[k]") == "ik");
  CHECK(free("reduce(max, j) (A[i,j] + b[j])") == "i");
  CHECK(free("2 + s") == "");
}
