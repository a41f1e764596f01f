// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/growth/control.hpp>

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <regex>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/choice/builtin.hpp>
#include <wf/choice/growth/growth.hpp>
#include <wf/select/optimise.hpp>

#include "../../sanitized.hpp"
#include "../expressions.hpp"
#include "../random_equation.hpp"
#include "../random_formula.hpp"

static_assert(wf::growth_outcome{}.status == wf::growth_status::saturated);
static_assert(wf::growth_outcome{.steps = 1} != wf::growth_outcome{});

// A callback that decides whether growth continues.
constexpr auto says = [](const wf::growth_progress& now) { return now.steps < 3; };
constexpr auto is_silent = [](const wf::growth_progress&) {};
static_assert(wf::growth_callback<decltype(says)> && wf::growth_callback<wf::keep_growing>);
static_assert(!wf::growth_callback<decltype(is_silent)> && !wf::growth_callback<int>);
static_assert(wf::keep_growing{}({.steps = 1, .nodes = 2, .waiting = 3}));

TEST_CASE("without a word, all candidates are kept, and the objective of the plan compares them") {
  constexpr wf::growth_limits limits;
  static_assert(limits.beam.width == 0 && limits.beam.metric.name.empty());
  static_assert(limits.max_steps == 0 && limits.progress_interval == 0);
  CHECK(limits.max_nodes == 20000);
}

TEST_CASE("every status has a name of its own") {
  std::set<std::string> names;
  for (const auto status :
       {wf::growth_status::saturated, wf::growth_status::stopped_by_nodes,
        wf::growth_status::stopped_by_steps, wf::growth_status::stopped_by_caller})
    names.insert(wf::to_text(status));
  CHECK(names.size() == 4);
  CHECK(names.count("unknown") == 0);
}

namespace {

static_assert(sizeof(wf::proposal_limits) ==
              sizeof(std::uint32_t) * std::size(wf::proposal_limit_rows));

wf::result<wf::graph> sample(std::mt19937_64& random, int round) {
  if (round == 0) {  // a term moves through sums of products
    const std::string source = std::string(wf_test::formula_inputs) +
                               "Y = A*B + S*G + T*A + B*G + A + G + S + B; export Y";
    return wf::equations("sum", {source.data(), source.size()});
  }
  if (random() % 3 == 0)
    return expressions::chain(expressions::random_sizes(random, 3 + random() % 9, 40));
  if (random() % 2 == 0) {
    std::mt19937 of(static_cast<std::uint32_t>(random()));
    const random_equation e(of, 2 + random() % 5, "abcdef", "f64");
    const std::string source = e.text();
    return wf::equations("product", {source.data(), source.size()});
  }
  const std::string source = wf_test::random_formula(random).text();
  return wf::equations("formula", {source.data(), source.size()});
}

}  // namespace

TEST_CASE("a limit that left nothing out changes nothing, and none makes a plan cheaper") {
  std::mt19937_64 random(37);
  std::uint32_t cuts = 0;
  std::size_t planned = 0;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const auto g = sample(random, round);
    if (!g) continue;
    const auto usual = wf::optimise(g->view(), wf::minimise(wf::flops));
    REQUIRE(usual);
    if (!usual->proven_optimal) continue;
    for (std::uint32_t i = 0; i < std::size(wf::proposal_limit_rows); ++i) {
      const wf::proposal_limit_row& row = wf::proposal_limit_rows[i];
      CAPTURE(std::string(row.name));
      wf::optimise_options how;
      const std::uint32_t before = how.growth.proposals.*row.limit;
      const auto change = static_cast<std::uint32_t>(random() % (before + 1));
      const bool is_lower_limit = row.limit == &wf::proposal_limits::large_matrix;
      how.growth.proposals.*row.limit = is_lower_limit ? before + change : change;
      CAPTURE(how.growth.proposals.*row.limit);
      const auto plan =
          wf::optimise(g->view(), wf::minimise(wf::flops), {}, wf::builtin_registry(), how);
      REQUIRE(plan);
      ++planned;
      const wf::growth_outcome& grown = plan->from.choices.growth();
      CHECK(grown.proposals == how.growth.proposals);
      CHECK(plan->value >= usual->value);
      cuts |= grown.cuts;
      if ((grown.cuts >> i & 1U) != 0) continue;
      CHECK(plan->value == usual->value);
      CHECK(plan->from.choices.size() == usual->from.choices.size());
      CHECK(grown.cuts == usual->from.choices.growth().cuts);
    }
  }
  CHECK(planned > 300);
  // The limit on splits matters only where a chain has too many orders, and has no cut bit.
  constexpr std::uint32_t all = (1U << std::size(wf::proposal_limit_rows)) - 1;
  CHECK((cuts | 2U) == all);
}

namespace {

// A random formula over matrices of `rows` rows and of `fewer`, instead of 20 and 16.
std::string formula_of_sizes(std::mt19937_64& random, int rows, int fewer) {
  std::string text = wf_test::random_formula(random).text();
  text = std::regex_replace(text, std::regex("\\b16\\b"), "fewer");
  text = std::regex_replace(text, std::regex("\\b20\\b"), std::to_string(rows));
  return std::regex_replace(text, std::regex("\\bfewer\\b"), std::to_string(fewer));
}

// The number of properties known of the classes of a choice graph.
std::size_t known_properties(const wf::choice_graph& c) {
  std::size_t known = 0;
  for (std::uint32_t i = 0; i < c.view().values.size(); ++i)
    known += std::bitset<64>(c.known_of(static_cast<wf::value_id>(i)).bits).count();
  return known;
}

struct comparison {
  bool is_complete = false;  // whether the growth without the limit was
  bool differs = false;
  bool is_noted = false;
};

// Grows a workflow with and without the limit on the size of matrices, and checks that the limit is
// noted if the results differ.
comparison compare_sizes(const wf::graph& g, wf::view<wf::transform> transforms) {
  constexpr auto limit = &wf::proposal_limits::large_matrix;
  constexpr wf::growth_limits without{.max_nodes = 1500, .proposals = {.large_matrix = 0}};
  const auto all = wf::grow(g.view(), transforms, wf::builtin_registry(), without);
  REQUIRE(all);
  if (all->growth().status != wf::growth_status::saturated) return {};
  const auto some = wf::grow(g.view(), transforms);
  REQUIRE(some);
  REQUIRE(some->growth().status == wf::growth_status::saturated);
  CHECK_FALSE(all->has_cut(limit));
  const bool differs =
      all->size() != some->size() || known_properties(*all) != known_properties(*some);
  CHECK(some->has_cut(limit) >= differs);
  return {true, differs, some->has_cut(limit)};
}

}  // namespace

TEST_CASE("the size of a large matrix is noted where and only where it leaves something out") {
  constexpr std::array<int, 2> sizes[] = {{6, 3}, {15, 7}, {20, 6}, {20, 16}, {40, 20}};
  const auto builtin = wf::builtin_transforms();
  std::size_t compared = 0, left_out = 0, noted = 0;
  std::set<std::string> limited;
  for (unsigned seed = 0; seed < (wf_test::sanitized ? 12 : 90); ++seed)
    for (const auto& [rows, fewer] : sizes) {
      std::mt19937_64 random(seed);
      const std::string source = formula_of_sizes(random, rows, fewer);
      CAPTURE(source);
      const auto g = wf::equations("formula", {source.data(), source.size()});
      if (!g) continue;  // a part of a matrix that has fewer rows here
      const comparison whole = compare_sizes(*g, builtin);
      compared += whole.is_complete ? 1 : 0;
      left_out += whole.differs ? 1 : 0;
      noted += whole.is_noted ? 1 : 0;
      if (rows != 6) continue;
      // Each transform without others that note the limit or find the same candidates.
      for (const wf::transform& t : builtin) {
        CAPTURE(std::string(t.name));
        const wf::transform two[] = {wf::transforms::chain_order, t};
        const comparison alone = compare_sizes(*g, {two, 2});
        CHECK(alone.is_noted == alone.differs);
        if (alone.differs) limited.insert(std::string(t.name));
      }
    }
  CHECK(left_out > (wf_test::sanitized ? 15 : 100));
  CHECK(compared - left_out > (wf_test::sanitized ? 5 : 50));
  CHECK(noted - left_out < 5);
  if (wf_test::sanitized) return;
  // No formula has several solutions with one symmetric matrix: `ldl_solve` has a test of its own.
  CHECK(limited.size() == 24);
}

TEST_CASE("several solutions with one small symmetric matrix note the size of a large matrix") {
  const std::string source =
      "input Q : f64[6,6] {symmetric, nonsingular}; input v : f64[6]; input w : f64[6];"
      "input A : f64[6,6]; x = inv(Q)*v; y = inv(Q)*A*inv(Q)*w; export x, y";
  const auto g = wf::equations("formula", {source.data(), source.size()});
  REQUIRE(g);
  const wf::transform two[] = {wf::transforms::chain_order, wf::transforms::ldl_solve};
  const comparison alone = compare_sizes(*g, {two, 2});
  CHECK(alone.differs);
  CHECK(alone.is_noted);
}

TEST_CASE("a row times a small symmetric matrix notes the size of a large matrix") {
  const std::string source =
      "input Q : f64[6,6] {symmetric}; input r : f64[1,6]; y = r*Q; export y";
  const auto g = wf::equations("formula", {source.data(), source.size()});
  REQUIRE(g);
  const comparison alone = compare_sizes(*g, {&wf::transforms::symmetric_times_column, 1});
  CHECK(alone.differs);
  CHECK(alone.is_noted);
}
