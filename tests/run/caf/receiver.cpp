// SPDX-License-Identifier: BSL-1.0
#include <wf/run/caf/receiver.hpp>

// Receivers of several processes in one, without a network.

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace {

namespace own = wf::detail;

struct configuration : caf::actor_system_config {
  configuration() { add_message_type<std::vector<std::uint64_t>>("wf_lives"); }
};

// What a process shares with its receiver.
struct process {
  process(caf::actor_system& system, std::uint32_t rank, std::uint32_t ranks)
      : shared(std::make_shared<own::caf_shared>(rank)) {
    CHECK(shared->read(std::vector<std::string>(ranks, "nowhere:1")));
    receiver = system.spawn(own::caf_receiver, shared);
  }
  ~process() {
    caf::anon_send_exit(receiver, caf::exit_reason::kill);
    caf::scoped_actor(receiver->home_system())->wait_for(receiver);
    shared->peers.clear();
  }
  // Says to another one who it is, as if a call had come through.
  void call(const process& to, std::uint64_t life) {
    {
      const std::lock_guard lock(shared->guard);
      shared->peers[to.shared->rank].called = to.receiver;
    }
    say_hello(to, shared->rank, shared->members.ranks(), life);
  }
  void say_hello(const process& to, std::uint32_t rank, std::uint32_t ranks, std::uint64_t life) {
    caf::send_as(receiver, to.receiver, own::caf_hello::value, rank, ranks, life);
  }
  void gather() {
    const std::lock_guard lock(shared->guard);
    shared->members.gather(own::caf_sender{*shared, receiver});
  }
  template <class Condition>
  bool comes(Condition&& condition) {
    std::unique_lock lock(shared->guard);
    return shared->changed.wait_for(lock, std::chrono::seconds(10),
                                    [&] { return condition(*shared); });
  }
  bool is_connected(std::uint32_t to) {
    return comes([&](const own::caf_shared& s) { return s.members.life(to) != 0; });
  }
  std::string failure() {
    comes([](const own::caf_shared& s) { return s.failed(); });
    return std::string(shared->failure.subject.view()) + ": " +
           std::string(shared->failure.message.view());
  }

  std::shared_ptr<own::caf_shared> shared;
  caf::actor receiver;
};

}  // namespace

TEST_CASE("receivers connect, gather, and take batches from those that they know") {
  configuration config;
  caf::actor_system system(config);
  process zero(system, 0, 2), one(system, 1, 2), stranger(system, 1, 2);
  one.call(zero, one.shared->members.life(1));
  REQUIRE(one.is_connected(0));
  REQUIRE(zero.is_connected(1));
  zero.gather();
  one.gather();
  for (process* p : {&zero, &one})
    REQUIRE(p->comes([](const own::caf_shared& s) { return s.members.run() == 1; }));
  CHECK(zero.shared->members.member(1) == one.shared->members.life(1));

  // Of the next run, of a stranger, and in the name of another one.
  const auto send = [&](const process& from, std::uint32_t rank, std::uint64_t run, char x) {
    caf::send_as(from.receiver, zero.receiver, own::caf_batch::value, rank, run,
                 std::vector<char>{x});
  };
  send(stranger, 1, 1, 'a');
  send(one, 7, 1, 'b');
  send(one, 0, 1, 'c');
  caf::anon_send(zero.receiver, own::caf_call::value, UINT32_MAX);
  caf::anon_send(zero.receiver, std::string("none of ours"));
  send(one, 1, 3, 'd');
  send(one, 1, 1, 'e');
  REQUIRE(zero.comes([](const own::caf_shared& s) { return s.letters.size() == 2; }));
  {
    const std::lock_guard lock(zero.shared->guard);
    zero.shared->letters.push_back({1, 77, 1, {'f'}});  // of a former life
    CHECK(zero.shared->has_letters());
    const auto now = zero.shared->take_letters();
    REQUIRE(now.size() == 1);
    CHECK(now[0].bytes == std::vector<char>{'e'});
    CHECK(!zero.shared->has_letters());
    zero.shared->members.begin();
    CHECK(zero.shared->take_letters().empty());
    zero.shared->members.begin();
    CHECK(zero.shared->take_letters().size() == 1);
  }

  // It has finished, and leaves.
  caf::send_as(one.receiver, zero.receiver, own::caf_finished::value, std::uint32_t{1},
               std::uint64_t{3});
  REQUIRE(one.comes([](const own::caf_shared& s) { return s.peers[0].seen == 3; }));
  caf::anon_send_exit(one.receiver, caf::exit_reason::kill);
  REQUIRE(zero.comes([](const own::caf_shared& s) { return s.members.life(1) == 0; }));
  CHECK(!zero.shared->members.is_lost(1));
  zero.shared->members.begin();
  CHECK(zero.shared->members.is_lost(1));
}
TEST_CASE("a receiver refuses who does not fit") {
  configuration config;
  caf::actor_system system(config);
  process zero(system, 0, 2), third(system, 2, 3), twin(system, 0, 2);
  third.call(zero, 5);
  CHECK(third.failure() == "process 2: it is one of 3 processes, and process 0 one of 2");
  {
    const std::lock_guard lock(twin.shared->guard);
    twin.shared->peers[1].called = zero.receiver;
  }
  twin.say_hello(zero, 0, 2, 5);
  CHECK(twin.failure() == "process 0: it has the number of process 0");
  CHECK(!zero.shared->failed());
  CHECK(zero.shared->members.life(1) == 0);
}
TEST_CASE("a process takes the place of another one, which is told so") {
  configuration config;
  caf::actor_system system(config);
  process zero(system, 0, 2), one(system, 1, 2), next(system, 1, 2);
  one.call(zero, 5);
  REQUIRE(one.is_connected(0));
  next.call(zero, 6);
  CHECK(one.failure() == "process 1: another process has come in its place");
  CHECK(next.is_connected(0));
  CHECK(zero.shared->members.life(1) == 6);
}
TEST_CASE("a call that reaches another process is an error of the addresses") {
  configuration config;
  caf::actor_system system(config);
  process one(system, 1, 4), two(system, 2, 4);
  {
    const std::lock_guard lock(two.shared->guard);
    two.shared->peers[0].called = one.receiver;
  }
  two.say_hello(one, 2, 4, 5);
  CHECK(two.failure() == "process 0: at nowhere:1 is process 1");
}
TEST_CASE("a life is a number of its own") {
  CHECK(own::caf_new_life() != 0);
  CHECK(own::caf_new_life() != own::caf_new_life());
}
