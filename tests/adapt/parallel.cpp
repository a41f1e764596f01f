// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/parallel.hpp>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/form/text.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_kernels.hpp>

#include "../run/random_workflow.hpp"
#include "../sanitized.hpp"

namespace {

bool same_bits(const wf::named_matrices& a, const wf::named_matrices& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, x] : a) {
    const auto& y = b.at(name);
    if (x.rows() != y.rows() || x.cols() != y.cols()) return false;
    const auto bytes = static_cast<std::size_t>(x.size()) * sizeof(double);
    if (bytes != 0 && std::memcmp(x.data(), y.data(), bytes) != 0) return false;
  }
  return true;
}

wf::executable_graph prepared(const wf::graph_view& g, wf::core_pool cores,
                              std::size_t most_bytes = SIZE_MAX) {
  wf::execution_options options;
  options.cores = cores;
  options.least_shared_ns = 0;
  options.most_bytes = most_bytes;
  const auto made = wf::executable_graph::prepare(g, options);
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
  return *made;
}

// Counts the calls of each step of a graph, and sees whether a step began before one that it waits
// for had ended.
struct counted_walk {
  explicit counted_walk(const wf::step_graph& g) : graph(g), waits(g.size()), done(g.size()) {}

  void run(wf::core_pool cores) {
    for (auto& d : done) d = 0;
    cores.walk(cores.pool, {&graph, waits.data(), &call, this});
  }
  static void call(void* self, std::uint32_t step) {
    auto& me = *static_cast<counted_walk*>(self);
    for (std::uint32_t before = 0; before < step; ++before)
      for (const std::uint32_t after : me.graph.after(before))
        if (after == step && me.done[before].load() != 1) me.early = true;
    ++me.done[step];
  }
  bool is_whole() const {
    for (const auto& d : done)
      if (d.load() != 1) return false;
    return !early;
  }

  const wf::step_graph& graph;
  std::vector<std::atomic<std::uint32_t>> waits;
  std::vector<std::atomic<int>> done;
  std::atomic<bool> early = false;
};

}  // namespace

TEST_CASE("a walk runs each step once, after those that it waits for") {
  std::mt19937_64 random(99);
  for (const int threads : {1, 2, 5}) {
    wf::parallel cores(threads);
    CHECK(cores.size() == static_cast<std::size_t>(threads));
    for (int round = 0; round < 60; ++round) {
      const auto n = static_cast<std::uint32_t>(random() % 300);
      std::vector<std::int64_t> times;
      wf::table<wf::step_dependence> dependences;
      for (std::uint32_t i = 0; i < n; ++i) {
        times.push_back(round % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 9000));
        for (std::uint64_t k = random() % 4; k > 0 && i > 0; --k)
          dependences.push_back({static_cast<std::uint32_t>(random() % i), i});
      }
      const wf::step_graph g(times, dependences);
      counted_walk w(g);
      for (int again = 0; again < 3; ++again) {
        w.run(cores);
        CHECK(w.is_whole());
      }
    }
  }
}

TEST_CASE("parts of a step are shared, also by a thread outside the pool") {
  wf::parallel cores(3);
  std::vector<std::atomic<int>> called(100);
  cores.cores().as_team().each_part(100, [&](std::size_t i) { ++called[i]; });
  for (const auto& c : called) CHECK(c.load() == 1);
}

TEST_CASE("random workflows give the same bits on one thread and on many") {
  const std::uint64_t seed = 20261128;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  wf::parallel one(1), two(2), three(3), eight(8);
  std::size_t larger = 0, shared = 0;
  constexpr int rounds = wf_test::sanitized ? 60 : 200;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    wf_test::random_workflow_options options;
    options.most_nodes = 2 + static_cast<std::size_t>(round % 60);
    options.most_extent = round % 5 == 0 ? 40 : round % 5 == 1 ? 12 : 4;
    options.single_precision = round % 3 == 0;
    options.effects = round % 4 == 0;
    const wf_test::random_workflow w = wf_test::make_random_workflow(random, options);
    const wf::graph_view g = w.graph.view();
    INFO(std::string(wf::to_text(g).view()));
    const wf::executable_graph alone = prepared(g, one);
    const auto expected = alone(w.arguments);
    REQUIRE(expected);
    for (wf::parallel* cores : {&two, &three, &eight}) {
      const wf::executable_graph e = prepared(g, *cores);
      shared += e.threads() > 1 ? 1 : 0;
      const auto found = e(w.arguments);
      REQUIRE(found);
      CHECK(same_bits(*expected, *found));
    }
    // Within the storage of one thread steps wait for storage.
    const wf::executable_graph serial = prepared(g, {});
    const wf::executable_graph tight = prepared(g, three, serial.workspace_bytes());
    CHECK(tight.workspace_bytes() <= serial.workspace_bytes());
    larger += alone.workspace_bytes() > serial.workspace_bytes() ? 1 : 0;
    const auto wanted = serial(w.arguments), found = tight(w.arguments);
    REQUIRE(wanted);
    REQUIRE(found);
    if (tight.workspace_bytes() == serial.workspace_bytes()) CHECK(same_bits(*wanted, *found));
  }
  CHECK(larger > rounds / 10);
  CHECK(shared > 2 * rounds);
}
