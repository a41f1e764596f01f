// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/index_uses.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/text.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace {

using wf::logic::detail::form_reader;
using wf::logic::detail::index_uses;
using wf::logic::detail::name_table;

enum class which { all, used, free };

// The indices in the right side of the first statement of a program, in order: those of references
// and relations, with them those of the left side that stand as numbers, or those that are free.
wf::text listed_indices(wf::text_view source, which wanted) {
  const auto tree = wf::parse_equations(source);
  if (!tree) return wf::text("syntax");
  const wf::registry operators = wf::builtin_registry();
  name_table names(*tree, operators);
  form_reader forms(*tree, source, names);
  for (const wf::index_term& t : tree->indices)
    if (t.streams || t.kind == wf::index_kind::initial) (void)forms.set_steps(t);
  for (const wf::equation_statement& s : tree->statements)
    if (s.kind == wf::equation_statement_kind::definition)
      names.tensors()[names.add(s.name)].defined = true;
  const wf::equation_statement& s = tree->statements[0];
  wf::table<wf::text_view> left, found;
  for (std::uint32_t i = 0; i < s.indices.count; ++i)
    left.push_back(tree->indices[s.indices.first + i].name);
  const index_uses uses(*tree, names, forms);
  if (wanted == which::used)
    uses.collect_used(s.root, left, found);
  else if (wanted == which::free)
    uses.collect_free(s.root, found);
  else
    uses.collect(s.root, found);
  wf::text out;
  for (const wf::text_view name : found) out << (out.size() == 0 ? "" : " ") << name;
  return out;
}

std::string all_of(wf::text_view source) { return std::string(listed_indices(source, which::all)); }
std::string used_of(wf::text_view source) {
  return std::string(listed_indices(source, which::used));
}
std::string free_in(wf::text_view source) {
  return std::string(listed_indices(source, which::free));
}

}  // namespace

TEST_CASE("indices of references and relations are listed in order, with repetition") {
  CHECK(all_of("Y[i] = A[i,j] B[j,k]") == "i j j k");
  CHECK(all_of("Y(x) = R(x,y) !S(y)") == "x y y");
  CHECK(all_of("Y[i] = A[i+1] - (B[j-1] + 2)") == "i j");
  CHECK(all_of("Y(x) = R(x+1,y-2)") == "x y");
  CHECK(all_of("Y[i] = exp(A[i]) maximum(B[i,j], C[k])") == "i i j k");
  CHECK(all_of("Y(x) = R(x) [A[x] < B[y]]") == "x x y");
  CHECK(all_of("Y[i] += A[2:] B[j]") == "2: j");
}

TEST_CASE("constants, symbols, names alone and the axis of steps are no indices") {
  CHECK(all_of("Y(x) = R(3,x) S('Ulm',x)") == "x x");
  CHECK(all_of("Y[i] = A[0] i + c") == "");
  CHECK(all_of("P(x,*t+1) = P(y,t) E(y,x)") == "y y x");
  CHECK(all_of("P[x,*t+1] = P[x,t] + A[x,t-1]") == "x x");
}

TEST_CASE(
    "a name with arguments is a relation if the program defines it, else perhaps a function") {
  CHECK(all_of("Y[i] = exp(i)") == "");
  CHECK(all_of("Y[i] = exp(i)\nexp(x) = R(x)") == "i");
  CHECK(all_of("Y[i] = other(i)") == "i");
}

TEST_CASE("an index of the left side that stands as a number is used") {
  CHECK(used_of("Y[i] = i + j") == "i");
  CHECK(used_of("Y[i] = 2 i A[j]") == "i j");
  CHECK(used_of("Y[i,j] = exp(i - j) B[k]") == "i j k");
  CHECK(used_of("Y(x,y) = R(x,y) [x < y]") == "x y x y");
  CHECK(used_of("Y[i] = A[i]") == "i");
  CHECK(used_of("Y[i] = i[j]") == "j");  // the tensor i
  CHECK(used_of("Y[i] = A i") == "i");
  CHECK(used_of("Y(x) = R(x)") == "x");
}

TEST_CASE("products sum over the indices that stand in them twice, and over no others") {
  CHECK(free_in("Y = A[i,j] B[j,k]") == "i k");
  CHECK(free_in("Y = A[i,j] B[j] / C[k]") == "i k");
  CHECK(free_in("Y = A[i,j] - B[j]") == "i j j");
  CHECK(free_in("Y = A[i,j] B[j] + C[j]") == "i j");
  CHECK(free_in("Y = reduce(max, j) A[i,j]") == "i");
  CHECK(free_in("Y = exp(A[i,j] B[j]) - 1") == "i");
  CHECK(free_in("Y = -A[i]") == "i");
  CHECK(free_in("Y = R(x,y) A[y]") == "x");
  CHECK(free_in("Y = 2 c") == "");
}
