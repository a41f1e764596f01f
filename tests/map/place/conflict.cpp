// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/place/conflict.hpp>
#include <wf/map/place/map.hpp>

#include "../networks.hpp"
#include "../part_of_problem.hpp"
#include "../random_constraints.hpp"
#include "../small_problems.hpp"

namespace {

/// a is read by b, c and d; d reads all three.
constexpr wf::workload diamond() {
  wf::workload_operator o;
  o.macs = 64;
  o.weight_bytes = o.output_bytes = 8;
  o.first_axis = o.second_axis = 4;
  wf::workload w = wf_test::alike("diamond", o, {"a", "b", "c", "d"});
  for (std::uint32_t from : {0u, 1u, 2u}) w.connect(from, 3, 8, wf::operand_split::by_both);
  for (std::uint32_t to : {1u, 2u}) w.connect(0, to, 8);
  return w;
}

constexpr wf::pe_array two(std::int64_t memory) { return wf_test::row_of(2, memory); }

constexpr bool explained_while_compiling() {
  const auto c = *wf::find_conflict(diamond(), two(8));
  return c.kind == wf::feasibility::out_of_memory && c.operators.size() == 1 &&
         c.operators[0] == 1 && c.needed_bytes == 16 && c.elements == 2 && c.irreducible;
}
static_assert(explained_while_compiling());

/// Verifies the claims of a conflict by enumeration.
void verify(const wf::workload& w, const wf::pe_array& a, const wf::map_constraints& wishes,
            const wf::mapping_conflict& c) {
  REQUIRE(c.irreducible);
  std::set<std::uint32_t> ops(c.operators.begin(), c.operators.end());
  wf::map_constraints rules;
  for (std::uint32_t k : c.constraints) rules.add(wishes.rules[k]);
  REQUIRE_FALSE(wf_test::part_fits(w, a, ops, rules, a.memory_bytes));
  for (std::uint32_t op : c.operators) {
    std::set<std::uint32_t> fewer = ops;
    fewer.erase(op);
    REQUIRE((fewer.empty() || wf_test::part_fits(w, a, fewer, rules, a.memory_bytes)));
  }
  for (std::size_t left_out = 0; left_out < rules.rules.size(); ++left_out) {
    wf::map_constraints fewer;
    for (std::size_t k = 0; k < rules.rules.size(); ++k)
      if (k != left_out) fewer.add(rules.rules[k]);
    REQUIRE(wf_test::part_fits(w, a, ops, fewer, a.memory_bytes));
  }
  if (c.kind == wf::feasibility::out_of_memory) {
    REQUIRE(c.needed_bytes > a.memory_bytes);
    REQUIRE_FALSE(wf_test::part_fits(w, a, ops, rules, c.needed_bytes - 1));
    REQUIRE(wf_test::part_fits(w, a, ops, rules, c.needed_bytes));
    REQUIRE(c.elements > 0);
    REQUIRE(c.where.area() >= c.elements);
  } else {
    REQUIRE(c.needed_bytes == 0);
    REQUIRE_FALSE(wf_test::part_fits(w, a, ops, rules, 1'000'000));
  }
}

void explain_random(std::uint64_t seed, int cases, std::int32_t rows, std::int32_t columns,
                    int most) {
  int count[5] = {}, several = 0, with_rules = 0;
  for (int i = 0; i < cases; ++i) {
    CAPTURE(seed + static_cast<std::uint64_t>(i));
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(i));
    const wf::workload w =
        wf_test::random_workload(random, static_cast<int>(wf_test::pick(random, 1, most)));
    wf::pe_array a = wf_test::random_array(random, rows, columns);
    a.memory_bytes = wf_test::pick(random, 10, 45);
    wf::map_options options;
    if (random() % 2 == 0) options.constraints = wf_test::random_constraints(random, w, a, 3);
    const auto c = wf::find_conflict(w, a, options.constraints);
    REQUIRE(c);
    ++count[static_cast<int>(c->kind)];
    const auto m = wf::map(w, a, options);
    REQUIRE(m.has_value() == (c->kind == wf::feasibility::feasible));
    if (m) continue;
    REQUIRE(m.error().code == wf::errc::mapping_infeasible);
    verify(w, a, options.constraints, *c);
    several += c->operators.size() > 1 ? 1 : 0;
    with_rules += c->constraints.empty() ? 0 : 1;
  }
  MESSAGE(cases << " cases on " << rows << "x" << columns << ": " << count[0] << " feasible, "
                << count[1] << " without a place, " << count[2] << " circles, " << count[3]
                << " out of memory; " << several << " conflicts of several operators, "
                << with_rules << " with constraints");
  CHECK(count[4] == 0);
  CHECK(several > 0);
  CHECK(with_rules > 0);
}

}  // namespace

TEST_CASE("conflicts are smallest sets, by brute force") {
  explain_random(1000, 1200, 1, 2, 5);
  explain_random(20000, 400, 2, 2, 4);
  explain_random(40000, 300, 1, 3, 4);
}

TEST_CASE("a conflict is told in a sentence, and by the mapper") {
  const wf::workload w = diamond();
  const auto told = [&](std::int64_t memory, const wf::map_constraints& wishes) {
    const auto c = wf::find_conflict(w, two(memory), wishes);
    REQUIRE(c);
    wf::map_options options;
    options.constraints = wishes;
    const auto m = wf::map(w, two(memory), options);
    const wf::text sentence = wf::to_text(*c, w, wishes);
    if (c->found()) {
      verify(w, two(memory), wishes, *c);
      REQUIRE_FALSE(m);
      CHECK(m.error().code == wf::errc::mapping_infeasible);
      // For a single operator that fits no PE, the mapper reports the closest attempt.
      if (c->operators.size() > 1 || !wishes.empty()) CHECK(m.error().message == sentence);
    } else {
      CHECK(m);
    }
    return sentence;
  };
  CHECK(told(100, {}) == wf::text("there is a mapping"));
  CHECK(told(8, {}) ==
        wf::text("b needs at least 16 bytes in a PE on the 2 PEs of 1x2@(0,0), a PE has 8"));
  CHECK(told(31, {}) == wf::text("a, b, c and d together need at least 32 bytes in a PE on the 2 "
                                 "PEs of 1x2@(0,0), a PE has 31"));
  const wf::rectangle left{0, 0, 1, 1}, right{0, 1, 1, 1};
  CHECK(told(100, wf::map_constraints().pin(2, left).forbid(1, left).pin(2, right)) ==
        wf::text("c has no PEs left; asked for: c exactly on 1x1@(0,0), c exactly on 1x1@(0,1)"));
  CHECK(told(100, wf::map_constraints().forbid(wf::every_operator, {0, 0, 1, 2})) ==
        wf::text("a has no PEs left; asked for: every operator not on 1x2@(0,0)"));
  CHECK(told(100, wf::map_constraints().order(2, 1).order(3, 2)) ==
        wf::text("c and d wait for each other in a circle; asked for: d before c"));
  CHECK(told(50, wf::map_constraints().order(1, 2).keep_inside(wf::every_operator, left)) ==
        wf::text("b, c and d together need at least 56 bytes in a PE on the 1 PE of 1x1@(0,0), a "
                 "PE has 50; asked for: every operator inside 1x1@(0,0)"));
  wf::mapping_conflict vague = *wf::find_conflict(w, two(8));
  vague.irreducible = false;
  CHECK(wf::to_text(vague, w) ==
        wf::text("b needs at least 16 bytes in a PE on the 2 PEs of 1x2@(0,0), a PE has 8 (perhaps "
                 "not all of them are needed for the conflict)"));
  CHECK(wf::to_text(wf::mapping_conflict(), w) ==
        wf::text("no conflict was found within the limit of steps"));
}

TEST_CASE("wrong input stays an error of its own") {
  CHECK(wf::find_conflict({}, two(8)).error().code == wf::errc::invalid_problem);
  CHECK(wf::find_conflict(diamond(), two(-1)).error().code == wf::errc::invalid_problem);
  CHECK(wf::find_conflict(diamond(), two(8), wf::map_constraints().order(1, 1)).error().code ==
        wf::errc::invalid_problem);
}

TEST_CASE("a network that does not fit is explained at once") {
  const auto w = wf_test::read_network("resnet50", 64);
  if (!w) return;
  wf::pe_array a = wf_test::mesh_8x8();
  const auto m = wf::map(*w, a);
  REQUIRE_FALSE(m);
  MESSAGE(m.error().message);
  CHECK(m.error().code == wf::errc::mapping_infeasible);
  const auto c = wf::find_conflict(*w, a);
  REQUIRE(c);
  CHECK(c->kind == wf::feasibility::out_of_memory);
  CHECK(c->operators.size() < 10);
  MESSAGE(wf::to_text(*c, *w));
  a.memory_bytes = c->needed_bytes;
  const auto next = wf::find_conflict(*w, a);
  REQUIRE(next);
  CHECK(next->operators != c->operators);
}
