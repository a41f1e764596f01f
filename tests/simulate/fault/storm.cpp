// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/storm.hpp>

#include <doctest/doctest.h>

#include <string>

#include <wf/simulate/fault/write_script.hpp>

#include "../../sanitized.hpp"
#include "scripts.hpp"

using namespace wf::fault;

namespace {

const char* const storms[] = {"kill_three_of_four", "one_way_partition", "restart_same_name",
                              "storm_loss30",       "swizzle_clog",      "tiny_knobs"};
constexpr std::uint64_t seeds = wf_test::sanitized ? 5 : 60;

void require_sound(const script& s, const run_report& run) {
  CAPTURE(std::string(s.name.view()));
  CAPTURE(s.seed);
  CAPTURE(run.broken.invariant);
  CAPTURE(run.broken.at.time);
  CAPTURE(run.broken.at.peer);
  CAPTURE(run.broken.at.other);
  CAPTURE(run.broken.at.local);
  CAPTURE(run.broken.at.value);
  CAPTURE(run.broken.at.extra);
  REQUIRE_MESSAGE(run.broken.invariant == 0, run.broken.sentence.view());
}

}  // namespace

TEST_CASE("the storms keep the invariants, and lose nothing") {
  if (wf_test::fault_folder().empty()) return;
  for (const char* name : storms) {
    script s = wf_test::fault_script(name);
    const std::uint64_t first = s.seed;
    for (s.seed = first; s.seed < first + seeds; ++s.seed) require_sound(s, run_storm(s));
  }
}

TEST_CASE("the result of a storm is that of a run without faults") {
  if (wf_test::fault_folder().empty()) return;
  for (const char* name : storms) {
    if (std::string(name) == "kill_three_of_four") continue;  // three of its peers never end
    const script s = wf_test::fault_script(name);
    script calm = s;
    calm.rules.clear();
    calm.knobs.clear();
    action nothing_to_heal;  // at the same times, so that it lasts as long as the storm
    nothing_to_heal.kind = action_kind::heal;
    for (event& e : calm.events)
      if (e.when.at_ns >= 0) e.what = nothing_to_heal;
    if (s.events.size() == 1) calm.events.clear();
    CHECK(run_storm(calm).result == run_storm(s).result);
    CHECK(run_storm(calm).counts.peers[0].retries == 0);
  }
}

TEST_CASE("a storm replays to the bit, and another seed is another run") {
  if (wf_test::fault_folder().empty()) return;
  for (const char* name : storms) {
    script s = wf_test::fault_script(name);
    const run_report a = run_storm(s), b = run_storm(s);
    CHECK(a.trace == b.trace);
    CHECK(a.records == b.records);
    ++s.seed;
    CHECK(run_storm(s).trace != a.trace);
  }
}

TEST_CASE("jumps of clocks change nothing") {
  if (wf_test::fault_folder().empty()) return;
  script s = wf_test::fault_script("storm_loss30");
  event jump;
  jump.when.at_ns = 20'000'000;
  jump.what.kind = action_kind::clock;
  s.events.push_back(jump);
  const run_report still = run_storm(s);
  s.events[0].what.offset_ns = 262'000'000'000;
  CHECK(run_storm(s).trace == still.trace);
}

TEST_CASE("random storms of every kind of fault keep the invariants of safety") {
  std::uint64_t faults = 0;
  for (std::uint64_t seed = 1; seed <= (wf_test::sanitized ? 20 : 300); ++seed) {
    script s;
    s.seed = seed;
    s.name = wf::text("random");
    auto draw = [&, n = std::uint64_t{0}](std::int64_t below) mutable {
      return random_draws(seed, 77, {}).between(n++, 0, below - 1);
    };
    const auto peer = [&] { return static_cast<std::uint32_t>(draw(3)); };
    for (const char* name : {"A", "B", "C"}) s.peers.push_back(wf::text(name));
    s.delay_ns = {100'000, 100'000 + draw(5'000'000)};
    for (std::uint32_t k : {0u, 6u, 7u, 8u, 3u})
      if (draw(3) == 0) s.knobs.push_back({static_cast<knob>(k), 1 + draw(4)});
    for (std::uint32_t k : {9u, 10u})
      if (draw(3) == 0) s.knobs.push_back({static_cast<knob>(k), draw(2)});
    for (std::int64_t i = draw(4); i > 0; --i) {
      rule r;
      r.effect = static_cast<rule_effect>(draw(4));
      r.probability = 0.3;
      r.count = 1 + peer();
      r.delay_ns = {0, draw(40'000'000)};
      s.rules.push_back(r);
    }
    for (std::int64_t i = draw(8); i > 0; --i) {
      event e;
      e.when.at_ns = draw(3'000'000'000);
      if (draw(3) == 0)
        e.when = {-1, static_cast<counter>(draw(5)), peer(),
                  1 + static_cast<std::uint64_t>(draw(20)), -1};
      action& a = e.what;
      a.kind = static_cast<action_kind>(draw(10));
      a.peer = peer();
      a.destination = peer();
      a.hold = draw(2) == 0;
      if (a.kind == action_kind::partition) a.from = {false, {peer()}}, a.to = {false, {peer()}};
      a.duration_ns = 1 + draw(900'000'000);
      a.percent = 100 + draw(10'000);
      a.rate_ppm = draw(400'000) - 200'000;
      a.has_block = draw(2) == 0;
      a.block = {peer()};
      a.setting = {static_cast<knob>(draw(2) == 0 ? 0 : 6 + draw(2)), 1 + draw(100)};
      faults += a.kind != action_kind::heal;
      s.events.push_back(e);
    }
    storm_options o;
    o.budget_ns = 3'000'000'000;
    o.retries = static_cast<std::uint32_t>(draw(16));
    CAPTURE(std::string(to_json(s).view()));
    require_sound(s, run_storm(s, o));
  }
  CHECK(faults > 0);
}
