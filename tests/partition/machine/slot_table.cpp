// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/slot_table.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>

#include "../programs.hpp"

namespace {

// z = (x + y) + k, of which `k` is known from the start.
const char* const sums =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[]\n"
    "input \"y\" : f64[]\n"
    "node user.parameter() -> f64[]\n"
    "node elementwise.add(%0, %1) -> f64[]\n"
    "node elementwise.add(%3, %2) -> f64[]\n"
    "output \"z\" = %4\n";

struct table_of {
  wf::graph g = programs::parsed(sums);
  wf::detail::program_flow flow{g.view(), wf::builtin_registry(), false};
  wf::execution_tags tags;
  wf::detail::slot_table<int> slots{flow, tags, 7};
  wf::fifo<wf::detail::runnable> ready;
  std::set<std::pair<std::uint32_t, std::uint32_t>> ran;
  // Runs all that can run; a node's result is 1.
  void run() {
    while (!ready.empty()) {
      const auto t = ready.pop();
      CHECK(t.program == 7);
      CHECK(ran.emplace(t.node, t.tag).second);
      slots.fill(g.view().nodes[t.node].outputs.first, t.tag, 1, ready);
    }
  }
};

}  // namespace

TEST_CASE("an execution waits for a start if a node lacks nothing else") {
  table_of t;
  // k, and what is computed of it, are known without a call.
  wf::table<char> starts(t.flow.size());
  starts[2] = 1;
  const std::uint32_t call = t.tags.extend(0, 1), other = t.tags.extend(0, 2);
  t.slots.fill(0, call, 1, t.ready);
  CHECK_FALSE(t.slots.waits_for_start(call, starts));  // y is of the call
  t.slots.fill(1, call, 1, t.ready);
  CHECK_FALSE(t.slots.waits_for_start(call, starts));  // x + y can run
  t.run();
  CHECK(t.slots.waits_for_start(call, starts));
  CHECK_FALSE(t.slots.waits_for_start(other, starts));
  t.slots.start(t.ready);
  t.run();
  CHECK_FALSE(t.slots.waits_for_start(call, starts));
}
TEST_CASE("a node runs once for each execution in which all that it needs is there") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    table_of t;
    // x comes for calls; y for calls, and for some on several machines.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arrivals;
    std::vector<std::uint32_t> x, y;
    for (std::uint64_t call = 1; call <= 4; ++call) {
      const std::uint32_t tag = t.tags.extend(0, call);
      if (random() % 4 != 0) x.push_back(tag);
      if (random() % 3 == 0)
        y.push_back(tag);
      else
        for (std::uint64_t k = random() % 3; k > 0; --k) y.push_back(t.tags.extend(tag, 100 + k));
    }
    for (const std::uint32_t tag : x) arrivals.emplace_back(0, tag);
    for (const std::uint32_t tag : y) arrivals.emplace_back(1, tag);
    std::shuffle(arrivals.begin(), arrivals.end(), random);
    t.slots.start(t.ready);
    if (random() % 2 == 0) t.run();
    for (const auto& [what, tag] : arrivals) {
      CHECK(t.slots.fill(what, tag, 1, t.ready));
      CHECK_FALSE(t.slots.fill(what, tag, 1, t.ready));
      if (random() % 2 == 0) t.run();
    }
    t.run();
    std::set<std::pair<std::uint32_t, std::uint32_t>> expected{{0, 0}};
    for (const std::uint32_t b : y)
      for (const std::uint32_t a : x)
        if (t.tags.begins_with(b, a)) {
          expected.emplace(1, b);
          expected.emplace(2, b);
        }
    CHECK(t.ran == expected);
    CHECK(t.slots.filled() == x.size() + y.size() + expected.size());
    // A call is forgotten with all that begins with it, and nothing else.
    const std::uint32_t call = t.tags.extend(0, 1 + random() % 4);
    const auto is_of = [&](std::uint32_t tag) { return t.tags.begins_with(tag, call); };
    std::size_t left = t.slots.filled();
    for (const auto& [what, tag] : arrivals) left -= is_of(tag) ? 1 : 0;
    for (const auto& [node, tag] : expected) left -= is_of(tag) ? 1 : 0;
    t.slots.forget(call);
    CHECK(t.slots.filled() == left);
    for (const auto& [what, tag] : arrivals)
      CHECK((t.slots.find(what, tag) == nullptr) == is_of(tag));
    // Its values could come again, as those of a call that never was.
    for (const auto& [what, tag] : arrivals)
      CHECK(t.slots.fill(what, tag, 1, t.ready) == is_of(tag));
    for (const auto& node_and_tag : expected)
      if (is_of(node_and_tag.second)) t.ran.erase(node_and_tag);
    t.run();
    CHECK(t.ran == expected);
  }
}
