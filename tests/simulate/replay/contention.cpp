// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/batch/clean_up.hpp>
#include <wf/map/place/map.hpp>
#include <wf/simulate/replay/contention.hpp>

#include "../../map/networks.hpp"
#include "../../map/random_constraints.hpp"
#include "../../map/random_mapping.hpp"
#include "../../map/small_problems.hpp"

namespace {

/// Two concurrent operators, each with 64 bytes of weights.
constexpr wf::workload side_by_side() {
  wf::workload_operator o;
  o.macs = 4;
  o.weight_bytes = 64;
  return wf_test::alike("sides", o, {"a", "b"});
}

constexpr wf::pe_array pair() {
  wf::pe_array a;
  a.columns = 2;
  a.memory_bytes = 100;
  a.link_bytes_per_cycle = 64;
  a.dram_bytes_per_cycle = 8;
  return a;
}

constexpr wf::contention_report of_the_pair() {
  const wf::placement_request requests[] = {{0, {0, 0, 1, 1}, 0}, {1, {0, 1, 1, 1}, 0}};
  return *wf::measure_contention(side_by_side(), pair(),
                                 *wf::arrange(side_by_side(), pair(), requests));
}
// Striped: 64 bytes at 4 bytes per cycle each. Shared: 64 bytes at 8 per cycle, one after the
// other.
static_assert(of_the_pair().planned == 16 && of_the_pair().exact());
static_assert(of_the_pair().with_dram == 16 && of_the_pair().dram_waiting == 0);

}  // namespace

TEST_CASE("a shared DRAM delays whoever comes last") {
  // b is short with its own stripe, but waits behind the long stream of a.
  wf::workload w = side_by_side();
  w.operators[0].weight_bytes = 96;
  w.operators[1].weight_bytes = 8;
  const wf::placement_request requests[] = {{0, {0, 0, 1, 1}, 0}, {1, {0, 1, 1, 1}, 0}};
  const auto m = wf::arrange(w, pair(), requests);
  REQUIRE(m);
  CHECK(m->operators[1].finish == 4);
  const auto t = wf::simulate(w, pair(), *m, {.dram_contention = true});
  REQUIRE(t);
  CHECK(t->makespan == 24);  // a: 96 bytes at 4 per cycle
  CHECK(t->dram_waiting == 9);
  CHECK(t->events[0].end == 13);  // b: (96 + 8) / 8
  const auto r = wf::measure_contention(w, pair(), *m);
  REQUIRE(r);
  CHECK(wf::to_text(*r) ==
        wf::text("planned 24 cycles\n"
                 "replayed 24 cycles, to the cycle\n"
                 "links contended 24 cycles\n"
                 "DRAM contended 24 cycles\n"
                 "both contended 24 cycles, transfers waited 0, operators waited "
                 "for the DRAM 9\n"));
}

TEST_CASE("every random mapping replays to the cycle, and contention only adds") {
  int count = 0, constrained = 0, by_links = 0, by_dram = 0;
  wf::contention_report sum;
  for (std::uint64_t seed = 1; seed <= 2500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 1, 8, 2, 3);
    wf::map_options options;
    options.limits.max_nodes = 3;
    if (seed % 2 == 0) options.constraints = wf_test::random_constraints(random, w, a, 2);
    std::optional<wf::mapping> m;
    if (seed % 2 == 1) {
      m = wf_test::random_mapping(random, w, a);
    } else if (const auto found = wf::map(w, a, options)) {
      m = *wf::clean_up(w, a, *found, {.constraints = options.constraints});
    }
    if (!m) continue;
    const auto r = wf::measure_contention(w, a, *m, options.constraints);
    REQUIRE(r);
    REQUIRE(r->exact());
    REQUIRE(r->with_links >= r->planned);
    REQUIRE(r->with_dram >= r->planned);
    // Not always above each kind alone: a delayed transfer may leave a link to another one.
    REQUIRE(r->with_both >= r->planned);
    ++count;
    constrained += options.constraints.empty() ? 0 : 1;
    by_links += r->with_links > r->planned ? 1 : 0;
    by_dram += r->with_dram > r->planned ? 1 : 0;
    sum.planned += r->planned;
    sum.replayed += r->replayed;
    sum.with_links += r->with_links;
    sum.with_dram += r->with_dram;
    sum.with_both += r->with_both;
    sum.link_waiting += r->link_waiting;
    sum.dram_waiting += r->dram_waiting;
  }
  MESSAGE(count << " mappings, " << constrained << " with constraints; links lengthen " << by_links
                << ", DRAM " << by_dram << ", all together:\n"
                << wf::to_text(sum));
  CHECK(count > 1500);
  CHECK(constrained > 500);
  CHECK(by_links > 0);
  CHECK(by_dram > 0);
  CHECK(sum.lengthening().numerator == sum.with_both - sum.planned);
}

TEST_CASE("a report of what is no mapping is an error") {
  const wf::mapping none;
  const auto r = wf::measure_contention(side_by_side(), pair(), none);
  REQUIRE_FALSE(r);
  CHECK(r.error().code == wf::errc::simulation_failed);
}

TEST_CASE("contention of a mapped network is measured") {
  const auto w = wf_test::read_network("resnet50", 1);
  if (!w) return;
  wf::map_options options;
  options.limits.max_nodes = 10;
  const auto m = wf::map(*w, wf_test::mesh_8x8(), options);
  REQUIRE(m);
  const auto r = wf::measure_contention(*w, wf_test::mesh_8x8(), *m);
  REQUIRE(r);
  CHECK(r->exact());
  MESSAGE(wf::to_text(*r));
}
