// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/literals.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/legacy.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace {

// The extents and entries of the list on the right of a legacy equation, or the message.
std::string literal(const std::string& list, std::size_t rank) {
  const std::string source = "Y[i] = const(" + list + ")";
  const auto tree = wf::parse_legacy_equations(source);
  REQUIRE_MESSAGE(tree, std::string(wf::to_text(tree.error())));
  const wf::registry operators = wf::builtin_registry();
  wf::logic::detail::name_table names(*tree, operators);
  wf::logic::detail::form_reader forms(*tree, source, names);
  wf::logic::tensor_literal made;
  wf::logic::detail::literal_reader reader(*tree, forms);
  if (!reader.read(tree->nodes[tree->statements[0].root], rank, made))
    return std::string(forms.failure().message);
  std::string out;
  for (const std::int64_t e : made.extents) out += std::to_string(e) + "x";
  for (const double v : made.values) out += " " + std::to_string(static_cast<int>(v));
  return out;
}

}  // namespace

TEST_CASE("a list of equal lists of numbers is a tensor in row-major order") {
  CHECK(literal("[1, -2, 3]", 1) == "3x 1 -2 3");
  CHECK(literal("[[1, 2], [3, 4], [5, -6]]", 2) == "3x2x 1 2 3 4 5 -6");
  CHECK(literal("[[[7]]]", 3) == "1x1x1x 7");
}

TEST_CASE("a list of other things, or of lists that differ, is refused") {
  const char* const message = "a list consists of numbers, or of equal lists";
  for (const char* list :
       {"[[1, 2], [3]]", "[1, [2]]", "[[1], 2]", "[[1], [[2]]]", "[\"a\"]", "[A]"})
    CHECK(literal(list, 2) == message);
}

TEST_CASE("a list has as many dimensions as the left side has indices") {
  CHECK(literal("[[1, 2]]", 1) == "a list of 2 dimensions stands for 1 indices");
  CHECK(literal("[1, 2]", 0) == "a list of 1 dimensions stands for 0 indices");
}
