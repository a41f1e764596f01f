// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <wf/run/network/blocked.hpp>
#include <wf/run/network/run_program.hpp>
#include <wf/run/transport/loopback.hpp>

#include "closures.hpp"
#include "machine_runs.hpp"
#include "random_tasks.hpp"

// What every transport between processes must do: all of them call the same functions, in one
// order.
namespace on_processes {

using namespace machine_runs;

// What came from each process, and who was lost.
struct collected {
  std::vector<std::vector<wf::table<std::uint8_t>>> from;
  std::vector<std::uint32_t> losses;
  std::size_t count = 0;

  void came(std::uint32_t rank, wf::view<std::uint8_t> bytes) {
    from[rank].emplace_back(bytes);
    ++count;
  }
  void lost(std::uint32_t rank) { losses.push_back(rank); }
};
// Checks that the outputs of this process are those of the simulator on its machines.
template <wf::transport Transport>
void check_outputs(const wf::deployment& d, const report& here, const report& simulated,
                   const Transport& carrier) {
  const auto lines = [&](const report& r) {
    std::vector<std::string> out;
    for (const auto& o : r.outputs)
      if (o.machine % carrier.ranks() == carrier.rank()) out.push_back(line_of(d, o));
    std::sort(out.begin(), out.end());
    return out;
  };
  CHECK(lines(here) == lines(simulated));
  for (const auto& o : here.outputs) CHECK(o.machine % carrier.ranks() == carrier.rank());
}

// Batches of all sizes come once, whole, and in their order.
template <wf::transport Transport>
void check_batches_come(Transport& carrier) {
  REQUIRE(carrier.ranks() > 1);
  const std::size_t sizes[] = {1, 100, 5'000, 70'000, 2'000'000};
  for (int run = 0; run < 3; ++run) {
    carrier.begin();
    collected in;
    in.from.resize(carrier.ranks());
    for (const std::size_t size : sizes)
      for (std::uint32_t r = 0; r < carrier.ranks(); ++r)
        CHECK(carrier.send(r, wf::table<std::uint8_t>(size, static_cast<std::uint8_t>(
                                                                size + carrier.rank() + 16 * r))));
    while (in.count < 5 * carrier.ranks()) {
      carrier.wait(ms);
      REQUIRE(carrier.poll(in));
    }
    CHECK(carrier.finish());
    CHECK(in.losses.empty());
    for (std::uint32_t r = 0; r < carrier.ranks(); ++r) {
      REQUIRE(in.from[r].size() == 5);
      for (std::size_t k = 0; k < 5; ++k)
        CHECK(in.from[r][k] ==
              wf::table<std::uint8_t>(
                  sizes[k], static_cast<std::uint8_t>(sizes[k] + r + 16 * carrier.rank())));
    }
  }
}
// Processes compute what the simulator does, one run after the other.
template <wf::transport Transport>
void check_runs_are_simulated(Transport& carrier) {
  for (std::uint32_t i = 0; i < 16; ++i) {
    CAPTURE(i);
    const auto [d, m, calls] = with_rules(i);
    const auto simulated = m.run(d, calls);
    const auto here = run_here(carrier, d, m, calls);
    REQUIRE(simulated);
    REQUIRE(here);
    CHECK_MESSAGE(here->failure.code == wf::errc::none, to_text(here->failure).view());
    CHECK(here->failures.empty());
    check_outputs(d, *here, *simulated, carrier);
  }
}
// What rules do to messages is the same as in the simulator.
template <wf::transport Transport>
void check_rules_are_simulated(Transport& carrier) {
  for (const std::uint64_t seed : {3U, 9U, 14U}) {
    CAPTURE(seed);
    const auto [d, m, calls] = without_time(seed);
    const auto simulated = m.run(d, calls);
    const auto here = run_here(carrier, d, m, calls);
    REQUIRE(simulated);
    REQUIRE(here);
    CHECK_MESSAGE(here->failure.code == wf::errc::none, to_text(here->failure).view());
    check_outputs(d, *here, *simulated, carrier);
    for (std::uint32_t p = carrier.rank(); p < m.script.peers.size(); p += carrier.ranks()) {
      CAPTURE(p);
      CHECK(counts_of(here->run.counts.peers[p]) == counts_of(simulated->run.counts.peers[p]));
    }
  }
}
// Tasks make the values, and the failure, of one process.
template <wf::transport Transport>
void check_tasks_are_serial(Transport& carrier) {
  std::uint64_t messages = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const random_tasks::problem p = random_tasks::make(seed, carrier.ranks());
    random_tasks::computing compute{&p, 0};
    const auto here = wf::run_tasks<std::uint64_t>(carrier, p.tasks, compute);
    CHECK(random_tasks::fault_of(p, random_tasks::serially(p), carrier.rank(), here) == "");
    messages += here->messages;
  }
  CHECK(messages > 0);
}
// A blocked Cholesky factor has the bits of one process.
template <wf::transport Transport>
void check_factor_is_serial(Transport& carrier) {
  wf::loopback_hub hub(1);
  wf::loopback alone(hub, 0);
  wf::block_grid grid;
  grid.block = 16;
  const Eigen::Index n = 150;
  const auto block = [&](wf::text_view name) {
    const std::string s(name);
    const std::int64_t i = std::stol(s.substr(2)), j = std::stol(s.substr(s.find(',') + 1));
    wf::dynamic_matrix out(grid.size(n, std::uint32_t(i)), grid.size(n, std::uint32_t(j)));
    for (Eigen::Index r = 0; r < out.rows(); ++r)
      for (Eigen::Index c = 0; c < out.cols(); ++c) {
        const auto distance = double((i - j) * grid.block + r - c);
        out(r, c) = distance == 0 ? double(n) : 1 / (1 + distance * distance);
      }
    return wf::result<wf::dynamic_matrix>(std::move(out));
  };
  const auto whole = wf::run_program(alone, *wf::blocked_cholesky(n, grid), block);
  grid.rows = carrier.ranks() / 2, grid.columns = 2;
  const auto here = wf::run_program(carrier, *wf::blocked_cholesky(n, grid), block);
  REQUIRE(whole);
  REQUIRE_MESSAGE(here, to_text(here.error()).view());
  CHECK_MESSAGE(here->failure.code == wf::errc::none, to_text(here->failure).view());
  CHECK(here->outputs.size() > 5);
  for (const auto& [name, m] : here->outputs) CHECK(m == whole->outputs.at(name));
}

// A process has those pairs of the closure of a relation whose keys lead to it.
template <wf::transport Transport>
void check_closures_are_whole(Transport& carrier) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const closures::relation edges = closures::random_relation(seed);
    closures::relation own;
    for (const closures::pair& p : closures::of(edges))
      if (wf::hasher().word(p[1]).value() % carrier.ranks() == carrier.rank()) own.push_back(p);
    const auto found = closures::linear(carrier, edges, {});
    const auto again = closures::doubling(carrier, edges, {});
    REQUIRE_MESSAGE(found, to_text(found.error()).view());
    REQUIRE_MESSAGE(again, to_text(again.error()).view());
    CHECK(found->facts == own);
    CHECK(closures::pairs_of(again->facts) == own);
  }
}

}  // namespace on_processes
