// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/names.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/text.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace {

using wf::logic::none;
using wf::logic::detail::name_table;

// The only call of a program, and what a table of names says of it.
struct first_call {
  explicit first_call(wf::text_view source)
      : tree(*wf::parse_equations(source)), names(tree, operators) {
    for (const wf::equation_node& n : tree.nodes)
      if (node == nullptr && n.kind == wf::equation_kind::call) node = &n;
    REQUIRE(node != nullptr);
  }
  bool is_operator() const { return names.function(*node) != nullptr; }
  bool takes_indices() const { return names.takes_indices(*node); }
  std::string refusal() const { return std::string(names.refusal(*node)); }

  wf::equation_program tree;
  wf::registry operators = wf::builtin_registry();
  name_table names;
  const wf::equation_node* node = nullptr;
};

constexpr bool numbers_names_while_compiling() {
  const wf::equation_program empty;
  const wf::registry operators = wf::builtin_registry();
  name_table names(empty, operators);
  return names.add("A") == 0 && names.add("B") == 1 && names.add("A") == 0 &&
         names.find("B") == 1 && names.find("C") == none && names.tensors().size() == 2;
}
static_assert(numbers_names_while_compiling());

}  // namespace

TEST_CASE("names are numbered in the order in which they are first met") {
  const wf::equation_program empty;
  const wf::registry operators = wf::builtin_registry();
  name_table names(empty, operators);
  std::mt19937_64 random(12);
  std::map<std::string, std::uint32_t> expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "n" + std::to_string(random() % 300);
    const auto known = expected.find(name);
    REQUIRE(names.find(wf::text_view(name)) == (known == expected.end() ? none : known->second));
    if (random() % 2 == 0) continue;
    const auto [at, is_new] = expected.emplace(name, static_cast<std::uint32_t>(expected.size()));
    REQUIRE(names.add(wf::text_view(name)) == at->second);
    REQUIRE(names.tensors().size() == expected.size());
    REQUIRE(names.tensors()[at->second].name.view() == wf::text_view(name));
  }
}

TEST_CASE("a call is an operator if its number of arguments fits and no tensor has its name") {
  CHECK(first_call("y = relu(x)").is_operator());
  CHECK(first_call("y = maximum(x, z)").is_operator());
  CHECK_FALSE(first_call("y = relu(x, z)").is_operator());
  CHECK_FALSE(first_call("y = parent(x)").is_operator());
  first_call met("y = relu(x)");
  const std::uint32_t number = met.names.add("relu");
  CHECK(met.is_operator());  // only met: by the call itself
  met.names.tensors()[number].defined = true;
  CHECK_FALSE(met.is_operator());
  first_call declared("y = relu(x)");
  declared.names.declare("relu");
  CHECK_FALSE(declared.is_operator());
  CHECK(declared.names.find("relu") != none);
}

TEST_CASE("names, numbers, symbols and shifted names can be indices") {
  for (const char* arguments :
       {"i", "3", "-3", "'a'", "i + 1", "i - 2", "_", "i, 0, j+1", "-1 + 2"})
    CHECK_MESSAGE(first_call("y = R(" + std::string(arguments) + ")").takes_indices(), arguments);
  for (const char* arguments :
       {"i + j", "2 * i", "1 + i * 2", "A[i]", "s[]", "-i", "i, A[j]", "i / 2"})
    CHECK_FALSE_MESSAGE(first_call("y = R(" + std::string(arguments) + ")").takes_indices(),
                        arguments);
}

TEST_CASE("a call of no operator is told from one with another number of operands") {
  const auto refusal = [](const std::string& source) { return first_call(source).refusal(); };
  CHECK(refusal("y = softmax(A, B)") == "softmax has 1 operand, not 2");
  CHECK(refusal("y = add(A)") == "add has 2 operands, not 1");
  CHECK(refusal("y = sofmax(A)") == "unknown operator 'sofmax': did you mean 'softmax'?");
}

TEST_CASE("the operator of a sign is the addition of its semirings") {
  wf::logic::tensor_info t;
  CHECK(wf::logic::detail::addition_name(t).empty());
  t.projection = wf::projection::minimum;
  CHECK(wf::logic::detail::addition_name(t) == "minimum");
  t.projection = wf::projection::combined;
  t.combining = wf::text("gcd");
  CHECK(wf::logic::detail::addition_name(t) == "gcd");
}
