// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/host.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include <partition/machine_case.hpp>

#include "../programs.hpp"

using namespace machine_case;

namespace {

// A network that takes every message, or refuses it.
struct counter {
  wf::fault::reason why = wf::fault::reason::none;
  std::uint64_t sent = 0;

  std::int64_t local(std::uint32_t) const { return 0; }
  std::int64_t slowness(std::uint32_t) const { return 100; }
  void look() {}
  void wake_after(std::uint32_t, std::int64_t, std::uint64_t) {}
  bool begins(std::uint32_t, std::int64_t) const { return true; }
  wf::fault::send_receipt send(std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t,
                               const wf::fault::send_options&) {
    return {++sent, why};
  }
};

// A host whose messages are nothing but numbers.
class numbers : public wf::detail::machine_host<numbers, std::uint64_t, hashing> {
  using base = wf::detail::machine_host<numbers, std::uint64_t, hashing>;
  friend base;

 public:
  numbers(const wf::machine_plan& plan, wf::view<wf::machine_call<std::uint64_t>> calls,
          hashing& evaluate, const wf::machine_options& options)
      : base(plan, calls, evaluate, options) {}
  using base::begin_again;
  using base::note_end;
  int starts = 0, failed = 0;

  void call(counter& net) {
    all_[0].begin(outside_of(net, 0));
    all_[0].woke(outside_of(net, 0), 0);
    all_[0].go_on(outside_of(net, 0));
  }

 private:
  void started() { ++starts; }
  void send(counter& net, std::uint32_t p, const wf::machine_message<std::uint64_t>& m) {
    failed += this->is_sent(net, p, m, 7) ? 0 : 1;
  }
};

struct two_machines {
  wf::deployment d = deployed(programs::parsed(programs::one_hop));
  wf::registry kernels = wf::builtin_registry();
  wf::table<wf::text> roles{wf::text("@self"), wf::text("peers")};
  wf::machine_plan plan{d, kernels, roles};
  std::vector<call> calls{call_at(d, 0)};
  hashing evaluate;
};

}  // namespace

TEST_CASE("what machines send is told with its call, if it is to be kept") {
  two_machines m;
  for (const bool keeps : {false, true}) {
    numbers host(m.plan, {m.calls.data(), m.calls.size()}, m.evaluate, {.keeps_sends = keeps});
    counter net;
    host.call(net);
    CHECK(net.sent == 1);
    CHECK(host.starts >= 2);  // a life, and its list of machines
    CHECK(host.failed == 0);
    CHECK(host.log().sends.size() == (keeps ? 1 : 0));
    if (keeps) CHECK(host.log().sends[0].ticket == 1);
    if (keeps) CHECK(host.log().sends[0].call == 1);
    CHECK(host.log().failures.empty());
    CHECK(host.log().received.size() == m.plan.parts().edges.size());
    CHECK(host.filled() > 0);
  }
}

TEST_CASE("messages that fail, at once or later, are failures of their call") {
  two_machines m;
  numbers host(m.plan, {m.calls.data(), m.calls.size()}, m.evaluate, {});
  counter net{wf::fault::reason::outbound_full};
  host.call(net);
  CHECK(host.failed == 1);
  REQUIRE(host.log().failures.size() == 1);
  CHECK(host.log().failures[0].why == wf::fault::reason::outbound_full);
  CHECK(host.log().failures[0].other == 1);
  CHECK(host.log().failures[0].call == 1);
  struct {
    std::uint32_t program = 3;
    wf::node_id node = wf::node_id::none;
    std::uint64_t call = 9;
  } parcel;
  host.note_end({0, 1, 0, 1, 7, wf::fault::reason::none}, parcel);
  CHECK(host.log().failures.size() == 1);
  host.note_end({0, 1, 0, 1, 7, wf::fault::reason::exhausted}, parcel);
  REQUIRE(host.log().failures.size() == 2);
  CHECK(host.log().failures[1].call == 9);
  CHECK(host.log().failures[1].program == 3);
}

TEST_CASE("a machine that begins again is counted") {
  two_machines m;
  numbers host(m.plan, {m.calls.data(), m.calls.size()}, m.evaluate, {});
  counter net;
  host.call(net);
  host.begin_again(net, 0);
  CHECK(host.log().restarts == 1);
}
