// SPDX-License-Identifier: BSL-1.0
//
// Rules over a semiring of one's own: how likely the best way through a network is to hold.
#include <iostream>
#include <string_view>

#include <wf/logic.hpp>

#include "support.hpp"

// --8<-- [start:operators]
// Of two ways the likelier one counts; a way holds if all of its links do.
inline constexpr wf::kernel_spec likelier{
    .name = "likelier",
    .domain = "chances",
    .signature = "A: floating [...], B: floating [...] -> C[...]",
    .costs = {{"flops", "C"}},
    .constant = [](const wf::constant_operands& x,
                   double& out) { return out = x[0] < x[1] ? x[1] : x[0], true; },
    .element = [](const wf::constant_operands& x) { return x[0] < x[1] ? x[1] : x[0]; },
    .laws = {.commutative = true,
             .associative = true,
             .idempotent = true,
             .selective = true,
             .elementwise = true,
             .neutral = 0},
    .summary = "the larger of two probabilities"};
inline constexpr wf::kernel_spec both{
    .name = "both",
    .domain = "chances",
    .signature = "A: floating [...], B: floating [...] -> C[...]",
    .costs = {{"flops", "C"}},
    .constant = [](const wf::constant_operands& x, double& out) { return out = x[0] * x[1], true; },
    .element = [](const wf::constant_operands& x) { return x[0] * x[1]; },
    .laws = {.commutative = true,
             .associative = true,
             .elementwise = true,
             .neutral = 1,
             .distributes_over = "likelier"},
    .summary = "the probability of two independent events"};
// --8<-- [end:operators]

// --8<-- [start:laws]
using chances = wf::logic::semiring<likelier, both>;
constexpr double probabilities[] = {0, 0.25, 0.5, 1};
static_assert(wf::logic::broken_law<chances>(probabilities).empty());
// Numbers below 0 are no probabilities: the laws do not hold for them.
constexpr double others[] = {-1, 1, 5};
static_assert(wf::logic::broken_law<chances>(others) ==
              "a + 0 = a does not hold for -1.0, -1.0, -1.0");
// --8<-- [end:laws]

// --8<-- [start:rules]
constexpr std::string_view rules = R"(
  Way[x,z] likelier= Link[x,z]
  Way[x,z] likelier= both(Way[x,y], Link[y,z])
)";
// --8<-- [end:rules]

int main() {
  // --8<-- [start:run]
  wf::registry operators = wf::logic::rule_registry();
  support::require(operators.add(likelier) && operators.add(both), "the operators are known");
  const auto program = wf::logic::read_program({rules.data(), rules.size()}, {}, operators);
  support::require(program.has_value(), "the rules are read");
  const auto strata = wf::logic::stratify(*program);
  support::require(strata.has_value(), "they have an order");

  wf::logic::database facts;
  wf::logic::relation links(2, true);
  const auto link = [&](wf::logic::position from, wf::logic::position to, double chance) {
    const wf::logic::position ends[] = {from, to};
    links.append(ends, chance);
  };
  link(0, 1, 0.9);
  link(1, 2, 0.8);
  link(0, 2, 0.6);
  link(2, 3, 0.5);
  link(3, 0, 1);
  facts.add("Link", links);

  wf::logic::evaluation_options options;
  options.semirings = {wf::logic::rows_over<chances>};
  auto found = wf::logic::evaluate(*strata, facts, options, operators);
  support::require(found.has_value(), "the best ways are found");
  const wf::logic::relation& ways = found->find("Way")->entries();
  for (std::size_t row = 0; row < ways.rows; ++row)
    if (ways.columns[0][row] == 0)
      std::cout << "from 0 to " << ways.columns[1][row] << ": " << ways.values[row] << '\n';
  // --8<-- [end:run]
  support::require(found->strata[0].by_rows(), "they are found row by row");
  support::require(ways.rows == 16, "every node reaches every one");
}
