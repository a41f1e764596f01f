// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/simulate/process.hpp>

namespace {

constexpr bool a_task_waits_runs_and_sends() {
  wf::task_process p(2, 1, 10, 64);
  if (p.state() != wf::process_state::waiting || p.expected(wf::usage::data) != 2) return false;
  if (p.update({7, wf::usage::data, 8}, 3) || p.update({8, wf::usage::order, 0}, 4)) return false;
  if (!p.update({9, wf::usage::data, 16}, 5) || p.state() != wf::process_state::ready) return false;
  if (p.start(9) != 19 || p.state() != wf::process_state::running) return false;
  std::int64_t sent = 0;
  p.generate_output(19, [&](std::int64_t bytes) { sent = bytes; });
  return sent == 64 && p.state() == wf::process_state::done &&
         p.account() == wf::resource_account{4, 10, 24, 64};
}
static_assert(a_task_waits_runs_and_sends());

/// A user-defined process: it runs one cycle per received byte.
class echo {
 public:
  std::uint32_t expected(wf::usage use) const { return use == wf::usage::data ? 1 : 0; }
  wf::process_state state() const { return state_; }
  bool update(const wf::message& m, std::int64_t) {
    account_.bytes_in += m.bytes;
    state_ = wf::process_state::ready;
    return true;
  }
  std::int64_t start(std::int64_t now) { return now + account_.bytes_in; }
  template <class Emit>
  void generate_output(std::int64_t, Emit&& emit) {
    emit(account_.bytes_in);
  }
  const wf::resource_account& account() const { return account_; }

 private:
  wf::process_state state_ = wf::process_state::waiting;
  wf::resource_account account_;
};
static_assert(wf::simulation_process<echo>);
static_assert(!wf::simulation_process<int>);

}  // namespace

TEST_CASE("a task that needs nothing is ready at once") {
  CHECK(wf::task_process(0, 0, 1, 0).state() == wf::process_state::ready);
  CHECK(wf::task_process(0, 1, 1, 0).state() == wf::process_state::waiting);
}

TEST_CASE("states have names") {
  CHECK(name_of(wf::process_state::waiting) == "waiting");
  CHECK(name_of(wf::process_state::ready) == "ready");
  CHECK(name_of(wf::process_state::running) == "running");
  CHECK(name_of(wf::process_state::done) == "done");
}

TEST_CASE("messages of the wrong usage do not count for the other") {
  wf::task_process p(1, 1, 1, 0);
  CHECK_FALSE(p.update({0, wf::usage::order, 0}, 0));
  CHECK_FALSE(p.update({0, wf::usage::order, 0}, 0));
  CHECK(p.received(wf::usage::order) == 2);
  CHECK(p.update({0, wf::usage::data, 0}, 0));
}
