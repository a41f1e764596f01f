// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/strategy.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/map/batch/map.hpp>

#include <mapping/check_batch.hpp>

#include "../random_workload.hpp"

namespace {

using wf_test::pick;

static_assert(wf::batch_strategy<wf::all_batch_strategies>);

/// Two stages of two operators and one on a 2 x 4 array, then a segment of one operator.
wf::segment_outline two_stages() {
  wf::segment_outline g;
  g.sub_batch = 2;
  g.stages.resize(2);
  g.stages[0].where = {0, 0, 2, 1};
  g.stages[0].operators = {0, 1};
  g.stages[1].where = {0, 1, 2, 3};
  g.stages[1].operators = {2};
  return g;
}
wf::segment_outline last() {
  wf::segment_outline g;
  g.stages.resize(1);
  g.stages[0].where = {0, 0, 2, 4};
  g.stages[0].operators = {3};
  return g;
}

/// The proposals of a strategy, each as the list of its operators.
template <class Strategy>
std::vector<wf::table<wf::segment_outline>> proposals(const Strategy& s,
                                                      const wf::segment_outline& g,
                                                      const wf::segment_outline* next) {
  const wf::table<std::int64_t> sub_batches{1, 2, 4};
  const wf::batch_space space{sub_batches, {0, 0, 2, 4}};
  std::vector<wf::table<wf::segment_outline>> out;
  s.apply(space, g, next, [&](const wf::table<wf::segment_outline>& p) { out.push_back(p); });
  return out;
}

TEST_CASE("every proposal has the operators of one segment or of two, each once") {
  const wf::segment_outline next = last();
  int of_one = 0, of_two = 0;
  for (const auto& p : proposals(wf::all_batch_strategies{}, two_stages(), &next)) {
    std::vector<std::uint32_t> all;
    for (const auto& g : p)
      for (const auto& s : g.stages) {
        CHECK_FALSE(s.where.empty());
        all.insert(all.end(), s.operators.begin(), s.operators.end());
      }
    std::sort(all.begin(), all.end());
    const bool one = all == std::vector<std::uint32_t>{0, 1, 2};
    const bool two = all == std::vector<std::uint32_t>{0, 1, 2, 3};
    CHECK((one || two));
    of_one += one;
    of_two += two;
  }
  CHECK(of_one > 10);
  CHECK(of_two >= 5);
}

TEST_CASE("each strategy proposes its own changes") {
  const wf::segment_outline g = two_stages(), next = last();
  CHECK(proposals(wf::batch_gemm_tune{}, g, nullptr).size() == 2);  // 1 or 4 samples per round
  // The first stage can be cut at one place, along one line (between its rows).
  const auto cuts = proposals(wf::batch_spatial_cut{}, g, nullptr);
  REQUIRE(cuts.size() == 1);
  REQUIRE(cuts[0][0].stages.size() == 3);
  CHECK(cuts[0][0].stages[0].where == wf::rectangle{0, 0, 1, 1});
  CHECK(cuts[0][0].stages[2].where == wf::rectangle{1, 0, 1, 1});
  // The line moves right (to the left no column would remain); an operator moves to the second
  // stage, as its first or its last.
  const auto edges = proposals(wf::batch_edge_tune{}, g, nullptr);
  REQUIRE(edges.size() == 3);
  CHECK(edges[0][0].stages[0].where == wf::rectangle{0, 0, 2, 2});
  CHECK(edges[0][0].stages[1].where == wf::rectangle{0, 2, 2, 2});
  CHECK(edges[1][0].stages[1].operators == wf::table<std::uint32_t>{1, 2});
  CHECK(edges[2][0].stages[1].operators == wf::table<std::uint32_t>{2, 0});
  // Cuts after the first or the second operator, one part optionally with another sub-batch; and
  // with the next segment: merged, or with the border moved.
  CHECK(proposals(wf::batch_temporal_cut{}, g, nullptr).size() == 2 * 5);
  CHECK(proposals(wf::batch_temporal_cut{}, g, &next).size() == 2 * 5 + 3 + 2);
}

/// Makes invalid proposals: missing and repeated operators, cycles, places outside of the array.
struct nonsense {
  template <class Emit>
  constexpr void apply(const wf::batch_space&, const wf::segment_outline& g,
                       const wf::segment_outline*, Emit&& emit) const {
    wf::table<wf::segment_outline> out;
    emit(out);
    out.push_back(g);
    out[0].stages[0].operators.push_back(0);
    emit(out);
    out[0] = g;
    out[0].stages[0].operators.clear();
    emit(out);
    out[0] = g;
    out[0].stages[0].where.row += 7;
    emit(out);
    out[0] = g;
    out[0].sub_batch = 5;
    emit(out);
    out[0] = g;
    out[0].sub_batch = 0;
    emit(out);
    out[0] = g;
    wf::table<std::uint32_t>& operators = out[0].stages[0].operators;
    for (std::size_t k = 0; 2 * k + 1 < operators.size(); ++k)
      std::swap(operators[k], operators[operators.size() - 1 - k]);
    emit(out);
  }
};

/// A strategy without proposals.
struct idle {
  template <class Emit>
  constexpr void apply(const wf::batch_space&, const wf::segment_outline&,
                       const wf::segment_outline*, Emit&&) const {}
};

TEST_CASE("strategies never make a mapping worse or wrong, not even a user's nonsense") {
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 7, 2, 3);
    w.batch = 12;
    a.dead.clear();
    a.memory_bytes = pick(random, 300, 2000);
    wf::batch_options options;
    options.stages_keep_results = pick(random, 0, 1) == 0;
    if (options.stages_keep_results && pick(random, 0, 1) == 0)
      options.groups = wf::fusible_chains(w);
    const auto plain = wf::map(w, a, options, wf::keep_going{}, wf::cycle_model{}, idle{});
    if (!plain) continue;
    const auto m = wf::map(w, a, options);
    REQUIRE(m);
    REQUIRE(mapping_benchmark::fault_of(w, a, *m) == "");
    REQUIRE(m->makespan <= plain->makespan);
    better += m->makespan < plain->makespan;
    const auto odd = wf::map(w, a, options, wf::keep_going{}, wf::cycle_model{},
                             wf::batch_strategy_set<nonsense, wf::batch_gemm_tune>{});
    REQUIRE(odd);
    REQUIRE(mapping_benchmark::fault_of(w, a, *odd) == "");
    REQUIRE(odd->makespan <= plain->makespan);
  }
  MESSAGE(better << " mappings improved");
  CHECK(better > 8);
}

}  // namespace
