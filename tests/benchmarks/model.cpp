// SPDX-License-Identifier: BSL-1.0
#include <selection/model.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <selection/check.hpp>
#include <selection/depth.hpp>
#include <selection/heuristic.hpp>
#include <selection/model_json.hpp>
#include <selection/read_extraction.hpp>

#include "../select/enumerate.hpp"
#include "samples.hpp"

namespace {

using selection_benchmark::strong_model;

constexpr std::int64_t nothing = INT64_MAX;

class dice {
 public:
  explicit dice(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) {
    return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(engine_);
  }

 private:
  std::mt19937 engine_;
};

// A few classes that may form cycles, with pairs, and perhaps a limit.
wf::selection_problem random_problem(dice& d) {
  wf::selection_problem p;
  p.objective = wf::minimise_metric(p.add_metric("cost"));
  const std::uint32_t use = p.add_metric("use");
  const std::uint32_t classes = 3 + d.below(3);
  for (std::uint32_t k = 0; k < classes; ++k) p.add_class();
  for (std::uint32_t k = 0; k < classes; ++k)
    for (std::uint32_t i = 1 + d.below(3); i != 0; --i) {
      std::vector<std::uint32_t> children;
      for (std::uint32_t c = d.below(3); c != 0; --c) children.push_back(d.below(classes));
      const std::int64_t row[] = {d.below(9), d.below(5)};
      p.add_candidate(k, children, row);
    }
  const auto count = static_cast<std::uint32_t>(p.candidates.size());
  for (std::uint32_t i = d.below(8); i != 0; --i) {
    const std::uint32_t a = d.below(count), b = d.below(count);
    if (p.candidates[a].owner == p.candidates[b].owner) continue;
    const std::int64_t row[] = {d.below(4), 0};
    if (d.below(2) == 0)
      p.exclude_pair(a, b);
    else
      p.add_pair(a, b, row);
  }
  p.add_root(0);
  if (d.below(2) == 0) p.add_root(1);
  if (d.below(2) == 0) p.add_limit(use, 3 + d.below(5));
  return p;
}

// Calls f with every choice of one candidate or none for each class.
template <class F>
void for_each_choice(enumerated::class_options candidates, F f) {
  for (auto& of_class : candidates) of_class.push_back(wf::no_candidate);
  enumerated::for_each_choice(candidates, f);
}

// The least total of the selections that `holds` prices and accepts.
template <class F>
std::int64_t least_total(const wf::selection_problem& p, F holds) {
  std::int64_t least = nothing;
  for_each_choice(enumerated::options_of(p), [&](const std::vector<std::uint32_t>& choice) {
    wf::selection s{wf::table<std::uint32_t>(wf::view<std::uint32_t>(choice)), {}};
    if (holds(s)) least = std::min(least, s.totals[0]);
  });
  return least;
}

bool is_selection(const wf::selection_problem& p, const wf::selection& s) {
  return selection_benchmark::selection_checker(p, s).check().empty();
}

// The optimum by definition.
std::int64_t least_total(const wf::selection_problem& p) {
  return least_total(p, [&](wf::selection& s) {
    selection_benchmark::price(p, s);
    return is_selection(p, s);
  });
}

// The optimum by definition under a limit on the depth; `free` is the problem without that limit.
std::int64_t least_total(const wf::selection_problem& p, const wf::selection_problem& free) {
  return least_total(p, [&](wf::selection& s) {
    selection_benchmark::price(free, s);
    if (!is_selection(free, s)) return false;
    selection_benchmark::price(p, s);
    s.totals.back() = selection_benchmark::selection_depth{}(p, s, 0);
    return is_selection(p, s);
  });
}

// True if the arcs in use admit an order of the classes within the allowed heights.
bool has_order(const strong_model& m, const std::set<std::uint32_t>& chosen) {
  std::vector<std::int64_t> order(m.reduced.classes, 0);
  for (std::size_t k = 0; k < m.heights.size(); ++k) order[k] = m.heights[k].first;
  bool changed = true;
  for (std::uint32_t round = 0; changed && round <= m.reduced.classes; ++round) {
    changed = false;
    for (const strong_model::arc& arc : m.arcs)
      for (const std::uint32_t n : arc.candidates)
        if (chosen.count(n) && order[arc.from] <= order[arc.to]) {
          order[arc.from] = order[arc.to] + 1;
          changed = true;
        }
  }
  for (std::size_t k = 0; k < m.heights.size(); ++k)
    if (order[k] > m.heights[k].second) return false;
  return !changed;
}

std::size_t count_in(const std::set<std::uint32_t>& chosen, const strong_model::numbers& some) {
  return static_cast<std::size_t>(
      std::count_if(some.begin(), some.end(), [&](auto n) { return chosen.count(n) != 0; }));
}

bool keeps_rows(const strong_model& m, const std::set<std::uint32_t>& chosen,
                const std::vector<std::uint32_t>& choice) {
  for (const std::uint32_t k : m.needed)
    if (choice[k] == wf::no_candidate) return false;
  for (const strong_model::implication& one : m.implications)
    if (count_in(chosen, one.any) > count_in(chosen, one.needs)) return false;
  for (const strong_model::numbers& clique : m.cliques)
    if (count_in(chosen, clique) > 1) return false;
  const std::size_t sums = m.stage.maximum.size() - (m.depth != 0);  // the depth comes last
  for (std::size_t metric = 0; metric < sums; ++metric) {
    std::int64_t total = 0;
    for (const std::uint32_t n : chosen) total += m.reduced.column(metric)[n];
    if (total > m.stage.maximum[metric]) return false;
  }
  return has_order(m, chosen);
}

// The optimum of the model from its rows alone.
std::int64_t least_of_rows(const strong_model& m) {
  if (!m.reduced.feasible) return nothing;
  enumerated::class_options of_class(m.reduced.classes);
  for (std::uint32_t n = 0; n < m.reduced.candidates; ++n)
    of_class[m.reduced.owner[n]].push_back(n);
  std::int64_t least = nothing;
  for_each_choice(of_class, [&](const std::vector<std::uint32_t>& choice) {
    std::set<std::uint32_t> chosen(choice.begin(), choice.end());
    chosen.erase(wf::no_candidate);
    if (!keeps_rows(m, chosen, choice)) return;
    std::int64_t total = 0;
    for (const std::uint32_t n : chosen) total += m.reduced.column(m.stage.maximum.size())[n];
    for (const strong_model::priced_pair& pair : m.pairs)
      if (chosen.count(pair.first) && chosen.count(pair.second)) total += pair.cost;
    least = std::min(least, total);
  });
  return least;
}

}  // namespace

TEST_CASE("the rows of the strong model have the optimum of the problem") {
  dice d(20261121);
  int feasible = 0, loops = 0, cliques = 0, pairs = 0;
  for (int run = 0; run < 400; ++run) {
    CAPTURE(run);
    const wf::selection_problem p = random_problem(d);
    REQUIRE(wf::validate(p).code == wf::errc::none);
    const strong_model m = selection_benchmark::model_builder(p).build();
    const std::int64_t least = least_total(p);
    CHECK(least_of_rows(m) == least);
    feasible += least != nothing;
    loops += !m.arcs.empty();
    cliques += !m.cliques.empty();
    pairs += !m.pairs.empty();
  }
  CHECK(feasible > 100);
  CHECK(loops > 5);
  CHECK(cliques > 20);
  CHECK(pairs > 20);
}

TEST_CASE("heights in the strong model limit the depth") {
  dice d(20261122);
  int feasible = 0, dearer = 0;
  for (int run = 0; run < 800; ++run) {
    CAPTURE(run);
    selection_benchmark::instance free;
    free.problem = random_problem(d);
    const std::int64_t nodes = 2 + d.below(4), depth = 1 + d.below(4);
    const selection_benchmark::instance i = selection_benchmark::with_limits(free, nodes, depth);
    REQUIRE(wf::validate(i.problem).code == wf::errc::none);
    const std::int64_t least = least_total(i.problem, free.problem);
    CHECK(least_of_rows(selection_benchmark::model_builder(i.problem).build()) == least);
    feasible += least != nothing;
    dearer += least != nothing && least > least_total(free.problem);
  }
  CHECK(feasible > 100);
  CHECK(dearer > 5);
}

TEST_CASE("cliques cover a conflict graph and nothing else") {
  dice d(7);
  for (int run = 0; run < 50; ++run) {
    wf::table<std::uint32_t> class_of;
    for (std::uint32_t k = 0; k < 8; ++k)
      for (auto members = 1 + d.below(3); members > 0; --members) class_of.push_back(k);
    const auto count = static_cast<std::uint32_t>(class_of.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b)
        if (class_of[a] != class_of[b] && d.below(3) != 0) edges.insert({a, b});
    auto open = edges;
    const auto cliques =
        selection_benchmark::cover_by_cliques(class_of, {edges.begin(), edges.end()});
    CHECK(cliques.size() < edges.size());
    for (const auto& clique : cliques)
      for (std::size_t i = 0; i < clique.size(); ++i)
        for (std::size_t j = i + 1; j < clique.size(); ++j) {
          const std::pair edge{clique[i], clique[j]};
          CHECK((edges.count(edge) == 1 || class_of[edge.first] == class_of[edge.second]));
          open.erase(edge);
        }
    CHECK(open.empty());
  }
}

TEST_CASE("a model is written as JSON") {
  const auto i = *selection_benchmark::read_extraction(wf_test::numbered_extraction);
  CHECK(selection_benchmark::model_as_json(i, {true, 4, true}) ==
        R"({"name":"","scale":1,"offset":0,"maximised":0,"feasible":1,"known":4,"classes":2,)"
        R"("roots":[1],"needed":[0,1],"owner":[0,1],"cost":[3,1],"children":[[],[0]],)"
        R"("implications":[],"blocks":[],"arcs":[],"limits":[],"excluded":[],"pairs":[],)"
        R"("cliques":[]})");
}
