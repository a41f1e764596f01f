// SPDX-License-Identifier: BSL-1.0
#include <wf/map/array/in_place.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/map/array/from_graph.hpp>
#include <wf/map/batch/clean_up.hpp>
#include <wf/map/batch/memory_profile.hpp>
#include <wf/map/place/conflict.hpp>
#include <wf/map/place/map.hpp>
#include <wf/simulate/replay/mapping.hpp>

#include "../../storage/random_storage.hpp"
#include "../part_of_problem.hpp"
#include "../random_mapping.hpp"

namespace {

constexpr std::int64_t kibi = 1024;

// 4096 elements of 4 bytes: 16 KiB per tensor.
constexpr auto chain = wf::workflow<"chain">([](wf::scope& s) {
  auto x = s.input<"x", float, 64, 64>();
  s.output<"out">(relu(exp(tanh(x))));
});

wf::pe_array one(std::int64_t memory) {
  wf::pe_array a;
  a.memory_bytes = memory;
  return a;
}

/// The peak bytes of the single PE if the operators run in the order of their indices.
std::int64_t charge(const wf::workload& w) {
  wf::table<wf::placement_request> requests;
  for (std::uint32_t i = 0; i < w.operators.size(); ++i)
    if (!w.operators[i].is_view) requests.push_back({i, {0, 0, 1, 1}, 0});
  const auto m = wf::arrange(w, one(INT64_MAX / 4), requests);
  REQUIRE(m);
  REQUIRE(wf_test::check(w, one(INT64_MAX / 4), *m) == "");
  return m->high_water[0];
}

/// The peak bytes of one PE by definition: operators run in the order of their indices, each with
/// its working set and its result beside all results still to be read; an operator takes over,
/// without a copy, the first result that it may overwrite and no other operator still reads.
std::int64_t replayed(const wf::workload& w) {
  const wf_test::plain_problem p(w, one(INT64_MAX / 4));
  std::vector<int> left(p.ops.size());
  const auto of = [&](int from) -> int& { return left[static_cast<std::size_t>(from)]; };
  for (const auto& o : p.ops)
    for (const auto& in : o.inputs)
      if (in.from >= 0) ++of(in.from);
  std::int64_t live = 0, most = 0;
  for (std::size_t i = 0; i < p.ops.size(); ++i) {
    const auto& o = p.ops[i];
    std::int64_t needed = p.working(o, 1, 1) + o.output;
    for (auto [from, times] : o.overwritable)
      if (of(from) == times) {
        needed -= times * o.output + o.output;
        break;
      }
    most = std::max(most, live + needed);
    live += left[i] != 0 ? o.output : 0;
    for (const auto& in : o.inputs)
      if (in.from >= 0 && --of(in.from) == 0)
        live -= p.ops[static_cast<std::size_t>(in.from)].output;
  }
  return most;
}

wf::workload without_facts(wf::workload w) {
  for (wf::workload_edge& e : w.edges) e.may_overwrite = false;
  return w;
}

constexpr bool a_chain_fits_two_tensors_while_compiling() {
  wf::pe_array a;
  a.memory_bytes = 32 * kibi;
  const auto w = wf::workload_of(chain.graph());
  const auto m = wf::map(*w, a);
  return m && m->proven() && m->high_water[0] == 32 * kibi;
}
static_assert(a_chain_fits_two_tensors_while_compiling());

}  // namespace

TEST_CASE("a chain in place is charged what the storage rule says") {
  const auto w = wf::workload_of(chain.graph());
  REQUIRE(w);
  // The input remains; the first result has a buffer of its own, which the two others reuse.
  const auto peak = wf::peak_cost(chain.graph(), wf::peak_memory, wf::builtin_registry());
  REQUIRE(peak);
  REQUIRE(*wf::to_int64(*peak) == 32 * kibi);
  CHECK(charge(*w) == 32 * kibi);
  CHECK(charge(without_facts(*w)) == 48 * kibi);
  const auto fits = wf::map(*w, one(32 * kibi));
  REQUIRE(fits);
  CHECK(fits->operators[0].overwrites == wf::overwrites_nothing);
  CHECK(fits->operators[1].overwrites == 0);
  CHECK(fits->operators[2].overwrites == 1);
  CHECK(wf::map(*w, one(1 << 30))->high_water[0] == 32 * kibi);
  const auto misfit = wf::map(*w, one(32 * kibi - 1));
  REQUIRE_FALSE(misfit);
  CHECK(misfit.error().code == wf::errc::mapping_infeasible);
  CHECK(wf::find_conflict(*w, one(20'000))->needed_bytes == 32 * kibi);
}

TEST_CASE("what comes from an operator needs one buffer for the rest of the chain") {
  auto w = *wf::workload_of(chain.graph());
  w.operators[0].input_bytes = 0;  // a generator
  CHECK(charge(w) == 16 * kibi);
  const auto m = wf::map(w, one(16 * kibi));
  REQUIRE(m);
  CHECK(wf_test::check(w, one(16 * kibi), *m) == "");
  CHECK(wf::simulate(w, one(16 * kibi), *m)->makespan == m->makespan);
  const auto misfit = wf::map(w, one(16 * kibi - 1));
  REQUIRE_FALSE(misfit);
  CHECK(wf::find_conflict(w, one(16 * kibi - 1))->needed_bytes == 16 * kibi);
}

TEST_CASE("a workload says what the storage rule lets operators overwrite") {
  const auto facts = [](auto body) {
    const auto g = wf::capture("facts", body);
    REQUIRE(g);
    const auto w = wf::workload_of(*g);
    REQUIRE(w);
    return *w;
  };
  // The sum of a value with itself; an operand read in another order; an operand needed whole.
  const auto twice = facts([](wf::scope& s) {
    auto y = exp(s.input<"x", double, 8, 8>());
    s.output<"out">(relu(y + y));
  });
  REQUIRE(twice.edges.size() == 3);
  for (const wf::workload_edge& e : twice.edges) CHECK(e.may_overwrite);
  CHECK(charge(twice) == 2 * 512);
  const auto turned =
      facts([](wf::scope& s) { s.output<"out">(relu(trans(exp(s.input<"x", double, 8, 8>())))); });
  REQUIRE(turned.edges.size() == 2);
  CHECK_FALSE(turned.edges[1].may_overwrite);
  CHECK(charge(turned) == 3 * 512);
  const auto product = facts([](wf::scope& s) {
    auto y = exp(s.input<"x", double, 8, 8>());
    s.output<"out">(y * y);
  });
  for (const wf::workload_edge& e : product.edges) CHECK_FALSE(e.may_overwrite);
  // A view of its whole operand in the same order does not prevent overwriting.
  const auto flat = facts([](wf::scope& s) {
    s.output<"out">(relu(reshape<2, 2, 16>(reshape<64>(exp(s.input<"x", double, 2, 2, 16>())))));
  });
  CHECK(flat.edges.back().may_overwrite);
  CHECK(charge(flat) == 2 * 512);
}

TEST_CASE("a result that is handed out or read again is not overwritten") {
  const auto g = wf::capture("kept", [](wf::scope& s) {
    auto y = exp(s.input<"x", double, 8, 8>());
    s.output<"y">(y);
    s.output<"out">(relu(y));
  });
  REQUIRE(g);
  CHECK(charge(*wf::workload_of(*g)) == 3 * 512);
  wf::workload w = *wf::workload_of(*g);
  w.operators[0].is_output = false;
  CHECK(charge(w) == 2 * 512);
  // The last of two readers overwrites the result: apart, each needs at least three buffers.
  wf::workload two = w;
  two.add(w.operators[1]);
  two.edges.push_back({0, 2, 512, wf::operand_split::by_both, true});
  two.operators[0].input_bytes = 0;
  const wf::placement_request order[] = {
      {0, {0, 0, 1, 1}, 0}, {1, {0, 0, 1, 1}, 0}, {2, {0, 0, 1, 1}, 0}};
  const auto m = wf::arrange(two, one(4096), order);
  REQUIRE(m);
  CHECK(m->operators[1].overwrites == wf::overwrites_nothing);
  CHECK(m->operators[2].overwrites == 0);
  CHECK(m->high_water[0] == 3 * 512);
}

TEST_CASE("the charge on one PE is that of a replay by the definition") {
  int saved = 0;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w =
        wf_test::random_workload(random, static_cast<int>(wf_test::pick(random, 2, 9)));
    wf_test::let_overwrite(random, w);
    const std::int64_t most = replayed(w), apart = replayed(without_facts(w));
    REQUIRE(charge(w) == most);
    REQUIRE(charge(without_facts(w)) == apart);
    REQUIRE(most <= apart);
    saved += most < apart ? 1 : 0;
  }
  CHECK(saved > 1000);
}

TEST_CASE("random graphs are charged what their kernels allow, and no more than without it") {
  int saved = 0, mapped = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::graph g = storage_tests::graph_maker(random, 3 + seed % 12, seed % 3 == 0).take();
    const auto w = wf::workload_of(g.view(), storage_tests::kernels());
    const bool runs = w && std::any_of(w->operators.begin(), w->operators.end(),
                                       [](const auto& o) { return !o.is_view; });
    if (!runs) continue;
    ++mapped;
    for (const wf::workload_edge& e : w->edges) {
      if (!e.may_overwrite) continue;
      const wf::kernel_spec& k = *storage_tests::kernels().find(w->operators[e.to].kernel.view());
      const bool allows =
          k.in_place || k.laws.elementwise ||
          std::string(k.signature.data(), k.signature.size()).find("through ") != std::string::npos;
      REQUIRE(allows);
      REQUIRE(e.bytes <= w->operators[e.to].output_bytes);
    }
    const std::int64_t most = replayed(*w), apart = replayed(without_facts(*w));
    REQUIRE(charge(*w) == most);
    REQUIRE(charge(without_facts(*w)) == apart);
    REQUIRE(most <= apart);
    saved += most < apart ? 1 : 0;
  }
  MESSAGE(saved << " of " << mapped << " graphs need fewer bytes");
  CHECK(mapped > 2000);
  CHECK(saved > 200);
}

TEST_CASE("optima of operators in place agree with brute force") {
  int in_place = 0, tight = 0, infeasible = 0;
  const auto compare = [&](std::uint64_t seed, int cases, std::int32_t rows, std::int32_t columns,
                           int most) {
    for (int i = 0; i < cases; ++i) {
      CAPTURE(seed + static_cast<std::uint64_t>(i));
      auto [random, w, a] = wf_test::make_random_problem(seed + static_cast<std::uint64_t>(i), 2,
                                                         most, rows, columns);
      wf_test::let_overwrite(random, w);
      a.memory_bytes = wf_test::pick(random, 8, 60);
      const auto m = wf::map(w, a);
      wf_test::brute_force all(w, a);
      if (!m) {
        ++infeasible;
        REQUIRE(m.error().code == wf::errc::mapping_infeasible);
        REQUIRE_FALSE(all.beats(1'000'000));
        REQUIRE_FALSE(wf::map(without_facts(w), a));
        continue;
      }
      REQUIRE(m->proven());
      REQUIRE(wf_test::check(w, a, *m) == "");
      REQUIRE_FALSE(all.beats(m->makespan));
      REQUIRE(all.beats(m->makespan + 1));
      for (const wf::placement& at : m->operators)
        in_place += at.overwrites != wf::overwrites_nothing;
      const auto apart = wf::map(without_facts(w), a);
      if (apart) REQUIRE(m->makespan <= apart->makespan);
      tight += apart.has_value() ? 0 : 1;
    }
  };
  compare(1000, 1200, 1, 2, 4);
  compare(10'000, 200, 1, 2, 5);
  compare(20'000, 400, 2, 2, 3);
  compare(40'000, 200, 1, 3, 3);
  MESSAGE(in_place << " operators in place, " << tight << " problems that fit only so, "
                   << infeasible << " infeasible");
  CHECK(in_place > 300);
  CHECK(tight > 20);
  CHECK(infeasible > 20);
}

TEST_CASE("what fits in place agrees with brute force, part by part") {
  int count[5] = {};
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 5, 1, 2);
    wf_test::let_overwrite(random, w);
    a.memory_bytes = wf_test::pick(random, 0, 40);
    wf::pe_array roomy = a;
    roomy.memory_bytes = INT64_MAX / 2;
    const auto prepared = wf::prepare(w, roomy, wf::cycle_model{});
    REQUIRE(prepared);
    const auto [kept, ops] = wf_test::random_part(random, *prepared);
    wf::feasibility_test test(*prepared, roomy);
    const wf::feasibility f = test(kept, wf::prepared_constraints(), a.memory_bytes);
    ++count[static_cast<int>(f)];
    REQUIRE((f == wf::feasibility::feasible) == wf_test::part_fits(w, a, ops, {}, a.memory_bytes));
    // The bytes of a conflict are the least with which its operators can be mapped.
    const auto c = wf::find_conflict(w, a);
    REQUIRE(c);
    if (c->kind != wf::feasibility::out_of_memory) continue;
    const std::set<std::uint32_t> named(c->operators.begin(), c->operators.end());
    REQUIRE_FALSE(wf_test::part_fits(w, a, named, {}, c->needed_bytes - 1));
    REQUIRE(wf_test::part_fits(w, a, named, {}, c->needed_bytes));
  }
  CHECK(count[0] > 100);
  CHECK(count[3] > 100);
  CHECK(count[4] == 0);
}

TEST_CASE("mappings in place are replayed to the cycle, profiled and edited") {
  int in_place = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 9, 1, 2);
    wf_test::let_overwrite(random, w);
    const auto m = wf_test::random_mapping(random, w, a);
    if (!m) continue;
    REQUIRE(wf_test::check(w, a, *m) == "");
    for (const wf::placement& at : m->operators)
      in_place += at.overwrites != wf::overwrites_nothing;
    const auto t = wf::simulate(w, a, *m);
    INFO(std::string(t ? "" : t.error().message.view().data()));
    REQUIRE(t);
    REQUIRE(t->makespan == m->makespan);
    const auto profiles = wf::memory_profiles(*m, w);
    for (std::size_t e = 0; e < profiles.size(); ++e) {
      std::int64_t most = 0;
      for (const wf::memory_step& s : profiles[e]) most = std::max(most, s.bytes);
      REQUIRE(most == m->high_water[e]);
    }
    const auto cleaned = wf::clean_up(w, a, *m);
    REQUIRE(cleaned);
    REQUIRE(cleaned->makespan <= m->makespan);
    REQUIRE(wf_test::check(w, a, *cleaned) == "");
  }
  CHECK(in_place > 200);
}

TEST_CASE("a mapping that overwrites what it must not is refused") {
  wf::workload w = *wf::workload_of(chain.graph());
  auto m = *wf::map(w, one(32 * kibi));
  m.operators[1].overwrites = 2;
  const auto t = wf::simulate(w, one(32 * kibi), m);
  REQUIRE_FALSE(t);
  CHECK(t.error().code == wf::errc::simulation_failed);
  CHECK_FALSE(wf::edit(w, one(32 * kibi), m, wf::tighten_timeline{}));
}
