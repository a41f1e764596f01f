// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/shrink.hpp>

#include <doctest/doctest.h>

#include <string>

#include <wf/simulate/fault/storm.hpp>
#include <wf/simulate/fault/write_script.hpp>

#include <simulation/broken_gates.hpp>

#include "scripts.hpp"

using namespace wf::fault;

namespace {

// The first seed of a storm that fails with these gates, shrunk.
template <class Gates>
script shrunk(const char* name, std::uint32_t& invariant) {
  script s = wf_test::fault_script(name);
  for (int i = 0; i < 200; ++i, ++s.seed) {
    invariant = run_storm<Gates>(s).broken.invariant;
    if (invariant != 0) break;
  }
  REQUIRE(invariant != 0);
  const auto fails = [&](const script& candidate) {
    return run_storm<Gates>(candidate).broken.invariant == invariant;
  };
  const shrunk_script small = shrink(s, fails, 1500);
  CHECK(fails(small.smallest));
  CHECK(run_storm(small.smallest).broken.invariant == 0);  // the true gates have no such fault
  const auto read = parse_script(to_json(small.smallest).view());
  REQUIRE(read);
  CHECK(*read == small.smallest);
  MESSAGE(name << ": invariant " << invariant << ", " << small.runs << " runs\n"
               << std::string(to_json(small.smallest).view()));
  return small.smallest;
}

}  // namespace

TEST_CASE("delta debugging leaves the rule and the event that matter") {
  script s;
  s.seed = 4;
  for (const char* p : {"A", "B", "C", "D"}) s.peers.push_back(wf::text(p));
  for (int i = 0; i < 10; ++i) {
    rule r;
    r.probability = 0.5;
    r.edge = {false, {0, 1, 2}};
    s.rules.push_back(r);
    event e;
    e.when.at_ns = 1'234'567'891 + i;
    e.what.kind = i == 6 ? action_kind::crash : action_kind::heal;
    e.what.peer = 1;
    s.events.push_back(e);
  }
  s.knobs.push_back({knob::ttl_ns, 5});
  s.knobs.push_back({knob::dedup_window, 3});
  s.rules[7].effect = rule_effect::corrupt;
  // Fails if some corruption concerns (0 → 1, number 37), there is a crash, and the window is 3.
  const auto fails = [](const script& c) {
    bool corrupts = false, crashes = false, window = false;
    for (const rule& r : c.rules)
      corrupts = corrupts || (r.effect == rule_effect::corrupt && r.probability > 0 &&
                              r.source.has(0) && r.destination.has(1) && r.sequence.has(37));
    for (const event& e : c.events) crashes = crashes || e.what.kind == action_kind::crash;
    for (const knob_value& k : c.knobs) window = window || k.name == knob::dedup_window;
    return corrupts && crashes && window;
  };
  REQUIRE(fails(s));
  const shrunk_script small = shrink(s, fails);
  CHECK(fails(small.smallest));
  REQUIRE(small.smallest.rules.size() == 1);
  CHECK(small.smallest.rules[0].sequence == interval{37, 37});
  CHECK(small.smallest.rules[0].source == selector{false, {0}});
  CHECK(small.smallest.rules[0].probability == 1);
  REQUIRE(small.smallest.events.size() == 1);
  CHECK(small.smallest.events[0].when.at_ns == 0);
  CHECK(small.smallest.knobs.size() == 1);
  CHECK(small.smallest.peers.size() == 2);
  CHECK(small.runs < 1000);
}

TEST_CASE("a window of numbers that is a queue is found, and the script that shows it is small") {
  if (wf_test::fault_folder().empty()) return;
  std::uint32_t invariant = 0;
  const script small = shrunk<broken_gates::forgetful_dedup>("storm_loss30", invariant);
  CHECK((invariant == 2 || invariant == 5));
  CHECK(small.rules.size() + small.events.size() <= 2);
}

TEST_CASE("a time to live as long as the budget is found") {
  if (wf_test::fault_folder().empty()) return;
  std::uint32_t invariant = 0;
  const script small = shrunk<broken_gates::whole_budget>("storm_loss30", invariant);
  CHECK(invariant == 4);
  CHECK(small.rules.size() + small.events.size() == 0);  // the rule is broken without any fault
}

TEST_CASE("a key without the incarnation is found, and needs one restart") {
  if (wf_test::fault_folder().empty()) return;
  std::uint32_t invariant = 0;
  const script small = shrunk<broken_gates::nameless_dedup>("restart_same_name", invariant);
  CHECK(invariant == 5);
  CHECK(small.rules.size() == 0);
  REQUIRE(small.events.size() == 1);
  CHECK(small.events[0].what.kind == action_kind::crash);
}
