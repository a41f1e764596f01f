// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/forms.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/text.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace {

using wf::logic::term_kind;
using wf::logic::detail::atom_form;
using wf::logic::detail::form_reader;
using wf::logic::detail::name_table;
using wf::logic::detail::term_form;

constexpr bool reads_while_compiling() {
  const wf::text_view source = "Y[i,3] = R(j+1)";
  const auto tree = wf::parse_equations(source);
  const wf::registry operators;
  name_table names(*tree, operators);
  form_reader forms(*tree, source, names);
  atom_form head, body;
  bool initial = true;
  return forms.head(tree->statements[0], head, initial) && !initial && head.terms.size() == 2 &&
         head.terms[1].kind == term_kind::constant && head.terms[1].shift == 3 &&
         forms.relation(tree->nodes[tree->statements[0].root], body) && body.terms.size() == 1 &&
         body.terms[0].shift == 1 && names.tensors()[body.tensor].boolean;
}
static_assert(reads_while_compiling());

// Reads the left sides of a program and their right sides, which are names or calls, in turn; lists
// their terms, or the first error.
class read_forms {
 public:
  explicit read_forms(wf::text_view source)
      : tree_(*wf::parse_equations(source)),
        names_(tree_, operators_),
        forms_(tree_, source, names_) {
    for (const wf::index_term& t : tree_.indices)
      if (t.streams || t.kind == wf::index_kind::initial) ok_ = ok_ && forms_.set_steps(t);
    for (const wf::equation_statement& s : tree_.statements) {
      atom_form head, body;
      bool initial = false;
      const wf::equation_node& right = tree_.nodes[s.root];
      ok_ = ok_ && forms_.head(s, head, initial) &&
            (right.kind == wf::equation_kind::call ? forms_.relation(right, body)
                                                   : forms_.reference(right, body));
      if (!ok_) break;
      text += (initial ? "initial " : "") + shown(head) + " <- " + shown(body) + "\n";
    }
    if (!ok_) text = std::string(wf::to_text(forms_.failure()));
  }

  std::string text;

 private:
  std::string shown(const atom_form& a) const {
    const auto& t = names_.tensors()[a.tensor];
    std::string out = std::string(t.name) + (t.boolean ? "(" : "[");
    for (const term_form& f : a.terms) {
      if (&f != a.terms.begin()) out += ",";
      if (f.kind != term_kind::variable) out += f.kind == term_kind::symbol ? "symbol " : "at ";
      if (f.scale != 1) out += std::to_string(f.scale) + "*";
      if (f.kind != term_kind::constant) out += std::string(f.name.data(), f.name.size());
      if (f.kind == term_kind::constant || f.shift != 0) out += ":" + std::to_string(f.shift);
      if (f.slice) out += "#" + std::to_string(f.count);
    }
    out += t.boolean ? ")" : "]";
    return t.stepped ? out + "@" + std::to_string(a.step) : out;
  }

  wf::equation_program tree_;
  wf::registry operators_ = wf::builtin_registry();
  name_table names_;
  form_reader forms_;
  bool ok_ = true;
};
std::string forms(wf::text_view source) { return read_forms(source).text; }

}  // namespace

TEST_CASE("entries of index lists become variables, positions and symbols") {
  CHECK(forms("Y[i+1,j-2,p'] = A[3,-4,'a b']") == "Y[i:1,j:-2,p'] <- A[at :3,at :-4,symbol a b]\n");
  CHECK(forms("R(i+1,_) = S(3, -4, 'a', j - 1 + 3)") ==
        "R(i:1,_) <- S(at :3,at :-4,symbol a,j:2)\n");
  CHECK(forms("y = x") == "y[] <- x[]\n");
  CHECK(forms("H() = G()") == "H() <- G()\n");
}

TEST_CASE("a slice is its first position, its stride and the number of its positions") {
  CHECK(forms("Y[1:8:3] = A[1:8:3]") == "Y[3*1:8:3:1#3] <- A[3*1:8:3:1#3]\n");
  for (int first = 0; first < 4; ++first)
    for (int last = 0; last < 6; ++last)
      for (int step = 1; step < 4; ++step) {
        int count = 0;
        for (int p = first; p < last; p += step) ++count;
        const std::string slice =
            std::to_string(first) + ":" + std::to_string(last) + ":" + std::to_string(step);
        const std::string text = forms("y = A[" + slice + "]");
        CAPTURE(text);
        CHECK(text.ends_with("#" + std::to_string(count) + "]\n"));
      }
  CHECK(forms("y = A[2:]") == "y[] <- A[2::2#-1]\n");
  CHECK(forms("y = A[:]") == "y[] <- A[:#-1]\n");
  CHECK(forms("y = A[:2]") == "y[] <- A[:2#2]\n");
}

TEST_CASE("entries along the axis of steps tell the step instead of a position") {
  CHECK(forms("h[i,*t+1] = h[i,t]") == "h[i]@1 <- h[i]@0\n");
  CHECK(forms("h[i,t=0] = B[i]\nh[i,*t] = g[t-2]") == "initial h[i]@0 <- B[i]\nh[i]@0 <- g[]@-2\n");
  CHECK(forms("R(*t,i) = S(i, t-1)") == "R(i)@0 <- S(i)@-1\n");
  CHECK(forms("h[*t] = g[*s]") ==
        "WF113: a program steps along one axis: t, so it cannot step along s (line 1, column 11)");
}

TEST_CASE("rank and kind of a tensor are those of its first index list") {
  CHECK(forms("Y[i] = A[i]\nZ[i] = A[i,j]") == "WF113: A has 1 index, not 2 (line 2, column 8)");
  CHECK(forms("Y[i] = A[]\nZ[i] = A[i]") == "WF113: A has 0 indices, not 1 (line 2, column 8)");
  CHECK(forms("Y[i] = A(i)\nZ[i] = A[i]") ==
        "WF113: A is Boolean: its indices stand in ( ) (line 2, column 8)");
  CHECK(forms("Y[i] = A[i]\nZ[i] = A(i)") ==
        "WF113: A has values: its indices stand in [ ] (line 2, column 8)");
}

TEST_CASE("the first error of a reader is kept") {
  const wf::equation_program empty;
  const wf::registry operators;
  name_table names(empty, operators);
  form_reader reader(empty, "ab\ncd", names);
  CHECK(reader.failure().code == wf::errc::none);
  CHECK_FALSE(reader.fail(4, "first"));
  CHECK_FALSE(reader.fail(0, "second"));
  CHECK(reader.failure().code == wf::errc::bad_equation);
  CHECK(reader.failure().message.view() == "first");
  CHECK(reader.failure().where == wf::text_position{2, 2, 4});
}
