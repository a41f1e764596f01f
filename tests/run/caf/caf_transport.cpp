// SPDX-License-Identifier: BSL-1.0
#include <wf/run/caf/caf_transport.hpp>

// tests/processes.py starts this program several times. All processes run all cases, in one order.

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "../transport/on_processes.hpp"

using on_processes::collected, on_processes::ms;

namespace {

static_assert(wf::transport<wf::caf_transport>);

wf::caf_options options() {
  wf::caf_options out = *wf::caf_options::of_environment();
  out.network = "127.0.0.1";
  out.gather_ns = 20'000 * ms;
  return out;
}
// Of all cases: a process has one.
wf::caf_transport& carrier() {
  static wf::caf_transport made(options());
  return made;
}
wf::error fault_of(wf::caf_options o) {
  o.gather_ns = 300 * ms;
  wf::caf_transport bad(o);
  const auto gathered = bad.gather();
  REQUIRE(!gathered);
  CHECK(gathered.error().code == wf::errc::transport_failed);
  collected in;
  CHECK(bad.poll(in).error() == gathered.error());
  CHECK(bad.send(0, wf::table<std::uint8_t>{1}).error() == gathered.error());
  CHECK(bad.finish().error() == gathered.error());
  return gathered.error();
}

}  // namespace

TEST_CASE("before the processes gather, all others are lost") {
  REQUIRE(wf::caf_options::of_environment());
  REQUIRE(carrier().ranks() > 1);
  carrier().begin();
  collected in;
  in.from.resize(carrier().ranks());
  CHECK(*carrier().poll(in));
  CHECK(in.losses.size() == carrier().ranks() - 1);
  CHECK(!*carrier().poll(in));
  const auto gathered = carrier().gather();
  REQUIRE_MESSAGE(gathered, to_text(gathered.error()).view());
  for (std::uint32_t r = 0; r < carrier().ranks(); ++r) CHECK(!carrier().is_lost(r));
}
TEST_CASE("over CAF, batches of all sizes come once, whole, and in their order") {
  on_processes::check_batches_come(carrier());
}
TEST_CASE("over CAF, processes compute what the simulator does, one run after the other") {
  on_processes::check_runs_are_simulated(carrier());
}
TEST_CASE("what rules do to messages is the same in the simulator and over CAF") {
  on_processes::check_rules_are_simulated(carrier());
}
TEST_CASE("over CAF, tasks make the values, and the failure, of one process") {
  on_processes::check_tasks_are_serial(carrier());
}
TEST_CASE("over CAF, a blocked Cholesky factor has the bits of one process") {
  on_processes::check_factor_is_serial(carrier());
}
TEST_CASE("over CAF, closures of relations are whole") {
  on_processes::check_closures_are_whole(carrier());
}
TEST_CASE("processes gather again and again, and the runs between are not mixed") {
  for (std::uint32_t k = 0; k < 20; ++k) {
    REQUIRE(carrier().gather());
    if (k % 3 == 0) REQUIRE(carrier().gather());
    carrier().begin();
    collected in;
    in.from.resize(carrier().ranks());
    for (std::uint32_t r = 0; r < carrier().ranks(); ++r)
      CHECK(carrier().send(r, wf::table<std::uint8_t>{static_cast<std::uint8_t>(k)}));
    while (in.count < carrier().ranks()) {
      carrier().wait(ms);
      REQUIRE(carrier().poll(in));
    }
    if (k % 2 == 0) CHECK(carrier().finish());
    CHECK(in.losses.empty());
    for (const auto& batches : in.from) {
      REQUIRE(batches.size() == 1);
      CHECK(batches[0][0] == k);
    }
  }
}
TEST_CASE("what is wrong with the addresses is said") {
  wf::caf_options bad = options();
  // The carrier listens there.
  CHECK(fault_of(bad).subject == bad.addresses[bad.rank].c_str());
  bad.rank = carrier().ranks();
  CHECK(fault_of(bad).message == "there is none of this process");
  for (const std::string a : {"", "host", "host:", "host:0", ":5000", "host:5000x", "host:70000"}) {
    CAPTURE(a);
    bad.rank = 0;
    bad.addresses[1] = a;
    CHECK(fault_of(bad).message == "it is not an address as \"host:port\"");
  }
}
TEST_CASE("processes that do not come are named") {
  wf::caf_options alone = options();
  // tests/processes.py has seen that this port is free, too.
  const std::string own = alone.addresses[alone.rank];
  const std::size_t colon = own.find(':');
  const std::string next = "127.0.0.1:" + std::to_string(std::stoi(own.substr(colon + 1)) + 1);
  alone.rank = 1;
  alone.addresses = {"127.0.0.1:1", next};
  CHECK(fault_of(alone).message == "there is no connection to process 0 at 127.0.0.1:1");
}
TEST_CASE("the environment has the addresses") {
  const std::string rank = std::getenv("WF_RANK"), peers = std::getenv("WF_PEERS");
  const auto read = [](const char* r, const char* p) {
    setenv("WF_RANK", r, 1);
    setenv("WF_PEERS", p, 1);
    return wf::caf_options::of_environment();
  };
  const auto three = read("2", "a:1,b:2,[::1]:3");
  REQUIRE(three);
  CHECK(three->rank == 2);
  CHECK(three->addresses == std::vector<std::string>{"a:1", "b:2", "[::1]:3"});
  CHECK(read("two", "a:1").error().subject == "WF_RANK");
  CHECK(read("", "a:1").error().subject == "WF_RANK");
  unsetenv("WF_PEERS");
  CHECK(wf::caf_options::of_environment().error().subject == "WF_PEERS");
  unsetenv("WF_RANK");
  CHECK(wf::caf_options::of_environment().error().subject == "WF_RANK");
  CHECK(read(rank.c_str(), peers.c_str()));
}
