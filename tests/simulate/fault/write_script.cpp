// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/write_script.hpp>

#include <doctest/doctest.h>

#include <random>

#include "scripts.hpp"

using namespace wf::fault;

namespace {

// A script with every kind of rule and action, at random.
class random_script {
 public:
  explicit random_script(std::uint64_t seed) : random_(seed) {}

  script make() {
    script s;
    s.seed = random_();
    s.name = wf::text("a \"name\"");
    for (const char* p : {"A", "B", "*", "long name"}) s.peers.push_back(wf::text(p));
    s.delay_ns = some_interval();
    for (std::uint32_t k = 0; k < knob_count; ++k)
      if (coin()) s.knobs.push_back({static_cast<knob>(k), k == 9 || k == 10 ? below(2) : 5});
    for (std::int64_t i = below(5); i > 0; --i) s.rules.push_back(some_rule());
    for (std::int64_t i = below(8); i > 0; --i) s.events.push_back({some_trigger(), some_action()});
    if (coin()) s.live = {{0, 2}, 7};
    if (coin()) s.expect = wf::text("{\"fired\":{\"A\":1}}");
    return s;
  }

 private:
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n));
  }
  bool coin() { return below(2) == 0; }
  std::uint32_t peer() { return static_cast<std::uint32_t>(below(4)); }
  interval some_interval() {
    const std::int64_t lowest = below(100);
    return {lowest, lowest + below(100)};
  }
  selector some_peers() {
    if (coin()) return {};
    return {false, {peer(), peer()}};
  }
  rule some_rule() {
    rule r;
    r.kind = static_cast<std::int32_t>(below(5)) - 1;
    r.source = some_peers();
    r.destination = some_peers();
    if (coin()) r.edge = {false, wf::table<std::uint32_t>(static_cast<std::size_t>(below(3)))};
    if (coin()) r.sequence = some_interval();
    if (coin()) r.attempt = some_interval();
    if (coin()) r.probability = static_cast<double>(below(1000)) / 1000.0;
    if (coin()) r.between_ns = some_interval();
    r.effect = static_cast<rule_effect>(below(4));
    if (r.effect == rule_effect::duplicate || r.effect == rule_effect::corrupt)
      r.count = 1 + peer();
    if (r.effect == rule_effect::delay || (r.effect == rule_effect::duplicate && coin()))
      r.delay_ns = some_interval();
    return r;
  }
  trigger some_trigger() {
    if (coin()) return {below(1000), counter::sent, 0, 1, -1};
    return {-1, static_cast<counter>(below(5)), peer(), static_cast<std::uint64_t>(1 + below(9)),
            below(4) - 1};
  }
  action some_action() {
    action a;
    a.kind = static_cast<action_kind>(below(10));
    switch (a.kind) {
      case action_kind::partition:
        a.hold = coin();
        [[fallthrough]];
      case action_kind::heal:
        a.from = some_peers();
        a.to = some_peers();
        break;
      case action_kind::crash:
        a.duration_ns = below(9) - 1;
        break;
      case action_kind::pause:
        a.duration_ns = 1 + below(9);
        break;
      case action_kind::slow:
        a.percent = 100 + below(100);
        break;
      case action_kind::clock:
        a.offset_ns = below(100) - 50;
        a.rate_ppm = below(100) - 50;
        break;
      case action_kind::policy:
        a.has_block = coin();
        if (a.has_block) a.block = {peer()};
        a.change = static_cast<allow_change>(below(3));
        if (a.change == allow_change::list) a.allow = {peer(), peer()};
        break;
      case action_kind::set_knob:
        a.setting = {static_cast<knob>(below(12)), 1};
        break;
      case action_kind::send:
        a.destination = peer();
        a.edge = peer();
        a.payload = wf::text("\xc3\xa4\n");
        break;
      case action_kind::stop_faults:
        return a;
    }
    if (a.kind != action_kind::partition && a.kind != action_kind::heal) a.peer = peer();
    return a;
  }

  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("every script of the folder survives being written") {
  for (const std::string& source : wf_test::fault_scripts()) {
    const auto read = parse_script(wf::text_view(source.data(), source.size()));
    REQUIRE(read);
    const wf::text written = to_json(*read);
    const auto again = parse_script(written.view());
    REQUIRE_MESSAGE(again, to_text(again.error()).view());
    CHECK(*again == *read);
    CHECK(to_json(*again) == written);
  }
}

TEST_CASE("random scripts survive being written") {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const script s = random_script(seed).make();
    const wf::text written = to_json(s);
    CAPTURE(seed);
    CAPTURE(std::string(written.view()));
    const auto again = parse_script(written.view());
    REQUIRE_MESSAGE(again, to_text(again.error()).view());
    CHECK(*again == s);
  }
}
