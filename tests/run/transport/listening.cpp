// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/listening.hpp>

#include <doctest/doctest.h>

#include <thread>

namespace {

// A transport that does what it is told.
struct told {
  wf::result<bool> next = false;
  int polls = 0, waits = 0;

  wf::result<bool> poll(int&) {
    ++polls;
    return next;
  }
  void wait(std::int64_t) { ++waits; }
};
constexpr std::int64_t second = 1'000'000'000;

}  // namespace

TEST_CASE("the first fault counts, and nothing is looked at afterwards") {
  told carrier;
  int inbox = 0;
  wf::detail::listening here(second);
  CHECK_FALSE(here.look(carrier, inbox));
  carrier.next = true;
  CHECK(here.look(carrier, inbox));
  CHECK_FALSE(here.is_broken());
  carrier.next = wf::make_error(wf::errc::transport_failed, "first", "no");
  CHECK_FALSE(here.look(carrier, inbox));
  CHECK(here.is_broken());
  here.keep(wf::result<int>(wf::make_error(wf::errc::infeasible, "second", "no")));
  here.fail(wf::make_error(wf::errc::infeasible, "third", "no"));
  CHECK(here.fault().subject.view() == "first");
  CHECK_FALSE(here.look(carrier, inbox));
  CHECK(carrier.polls == 3);
}

TEST_CASE("silence is counted from what came last, and a look is due by its own time") {
  told carrier;
  int inbox = 0;
  wf::detail::listening patient(second), hasty(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  CHECK(patient.is_due(1'000'000));
  CHECK_FALSE(patient.look(carrier, inbox));
  CHECK_FALSE(patient.is_due(second));
  patient.rest(carrier, "it");
  CHECK(carrier.waits == 1);
  CHECK_FALSE(patient.is_broken());
  hasty.rest(carrier, "it");
  CHECK(carrier.waits == 1);
  CHECK(wf::to_text(hasty.fault()) == "WF710 in 'it': nothing has come for too long");
}
