// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/layer_shard.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "../task_graphs.hpp"
#include "../windowed.hpp"

namespace {

using wf::detail::layer_shard;
using wf::detail::layer_state;
using wf::detail::word;

// Three tasks on two processors. In a state, some tasks have started and the given ones run.
wf_test::windowed three() {
  wf::task_graph g;
  g.processors = 2;
  for (int i = 0; i < 3; ++i) g.add("t", 5);
  return wf_test::windows_of(g);
}
std::vector<word> state(word started, std::int64_t now, std::int64_t priority,
                        const std::vector<word>& runs) {
  std::vector<word> s(layer_state::row + 1);
  s[layer_state::hash] = started * 12345;
  s[layer_state::priority] = static_cast<word>(priority);
  s[layer_state::time] = static_cast<word>(now) << layer_state::task_bits | runs.size();
  s[layer_state::row] = started;
  s.insert(s.end(), runs.begin(), runs.end());
  return s;
}

}  // namespace

TEST_CASE("of the states with the same started tasks those that others dominate are dropped") {
  const auto of = three();
  layer_shard shard(of.p, of.w);
  const wf::detail::layer_window all;
  const auto late = state(0b011, 0, -5, {layer_state::run_of(9, 1)});
  const auto soon = state(0b011, 0, -6, {layer_state::run_of(5, 1)});
  const auto other = state(0b101, 0, -5, {layer_state::run_of(9, 2)});
  shard.add(late.data(), all);
  shard.add(other.data(), all);
  CHECK(shard.live == 2);
  shard.add(soon.data(), all);
  CHECK(shard.live == 2);
  CHECK(shard.dead == 1);
  shard.add(late.data(), all);
  CHECK(shard.live == 2);
  CHECK(shard.duplicates == 2);
  std::size_t seen = 0;
  shard.each([&](const word* s) {
    ++seen;
    CHECK((s[layer_state::row] == 0b101 || layer_state::finish_of(s[layer_state::row + 1]) == 5));
  });
  CHECK(seen == 2);
}

TEST_CASE("a window and a filter leave states out by their keys") {
  const auto of = three();
  layer_shard shard(of.p, of.w);
  const auto best = state(0b001, 0, -9, {}), middle = state(0b010, 0, -5, {}),
             worst = state(0b100, 0, -1, {});
  wf::detail::layer_window window;
  window.high = shard.key_of(worst.data());
  CHECK(window.is_cut());
  for (const auto* s : {&best, &middle, &worst}) shard.add(s->data(), window);
  CHECK(shard.live == 2);
  CHECK(shard.is_in(window, middle.data()));
  CHECK_FALSE(shard.is_in(window, worst.data()));
  window.low = shard.key_of(middle.data());
  shard.filter([&](const word* s) { return shard.is_in(window, s); });
  CHECK(shard.live == 1);
  shard.each([&](const word* s) { CHECK(s[layer_state::row] == 0b010); });
  shard.clear();
  CHECK(shard.live == 0);
}
