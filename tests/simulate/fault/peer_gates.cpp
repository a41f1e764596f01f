// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/peer_gates.hpp>

#include <doctest/doctest.h>

#include <vector>

#include <wf/simulate/fault/checker.hpp>
#include <wf/simulate/fault/peer_network.hpp>

using namespace wf::fault;

namespace {

// A sends to B at some times, without retries; the reasons of the ends.
struct sender {
  std::vector<std::int64_t> times;
  std::vector<reason> ends;

  template <class Net>
  void start(Net& net) {
    for (std::size_t i = 0; i < times.size(); ++i) net.wake_after(0, times[i], i);
  }
  template <class Net>
  void woke(Net& net, std::uint32_t p, std::uint64_t i) {
    net.send(p, 1, 0, i);
  }
  template <class Net>
  void ended(Net&, const send_end& e) {
    ends.push_back(e.why);
  }
};
std::vector<reason> ends_of(const script& s, std::vector<std::int64_t> times) {
  sender program;
  program.times = std::move(times);
  checker check(2);
  peer_network net(s, program, check);
  CHECK(net.run());
  check.finish();
  CHECK_MESSAGE(check.holds(), check.found().sentence.view());
  return program.ends;
}
constexpr std::int64_t ms = 1'000'000;
script lossy(std::int64_t threshold) {
  script s;
  s.peers.resize(2);
  s.rules.push_back({});
  s.knobs = {{knob::ttl_ns, 100 * ms}, {knob::governor_threshold, threshold}};
  return s;
}

}  // namespace

TEST_CASE("health is asked before backoff, and backoff passes at equality") {
  const std::vector<std::int64_t> times{0, 105 * ms, 110 * ms};
  CHECK(ends_of(lossy(5), times) ==
        std::vector<reason>{reason::exhausted, reason::cooldown, reason::exhausted});
  CHECK(ends_of(lossy(1), times) ==
        std::vector<reason>{reason::exhausted, reason::down, reason::down});
  script s = lossy(1);
  s.knobs.push_back({knob::deny_down, 0});
  CHECK(ends_of(s, times) ==
        std::vector<reason>{reason::exhausted, reason::cooldown, reason::exhausted});
}

TEST_CASE("a policy comes before all, and costs no failure") {
  script s = lossy(1);
  event e;
  e.what.kind = action_kind::policy;
  e.what.has_block = true;
  e.what.block = {1};
  s.events.push_back(e);
  CHECK(ends_of(s, {1, 2}) == std::vector<reason>{reason::blocklisted, reason::blocklisted});
}
