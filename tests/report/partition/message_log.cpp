// SPDX-License-Identifier: BSL-1.0
#include <wf/report/partition/message_log.hpp>

#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

#include "faulty_runs.hpp"

using wf::fault::happening, wf::fault::message_kind, wf::fault::reason;

namespace {

std::size_t count(const wf::table<wf::fault::record>& records, happening what) {
  std::size_t n = 0;
  for (const wf::fault::record& r : records) n += r.what == what;
  return n;
}

}  // namespace

TEST_CASE("every record of a message is in its flight, and flights end as the records say") {
  std::size_t copies = 0, lost = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const auto r = faulty_runs::requests(seed).report();
    const wf::message_log log = wf::messages_of(r.records);
    REQUIRE(log.flights.size() == count(r.records, happening::sent));
    std::size_t arrived = 0, drops = 0, taken = 0, down = 0, arrivals = 0;
    for (const wf::message_flight& f : log.flights) {
      REQUIRE(f.arrivals.size() + f.drops == std::size_t{1} + f.copies);
      drops += f.drops;
      copies += f.copies;
      for (const wf::message_arrival& a : f.arrivals) {
        REQUIRE(a.is_done);
        REQUIRE(a.time >= f.sent);
        REQUIRE(a.is_taken == (a.why == reason::none));
        taken += a.is_taken && f.kind == message_kind::data;
        down += a.why == reason::crash;
        refused += a.why == reason::duplicate;
        ++arrivals;
      }
    }
    for (const wf::machine_moment& m : log.moments)
      arrived += m.what == wf::machine_moment::kind::arrived;
    REQUIRE(arrivals == arrived);
    REQUIRE(drops == count(r.records, happening::dropped));
    REQUIRE(taken == count(r.records, happening::fired));
    REQUIRE(down == count(r.records, happening::lost));
    lost += down;
    for (std::size_t i = 1; i < log.moments.size(); ++i)
      REQUIRE(log.moments[i].time >= log.moments[i - 1].time);
  }
  CHECK(copies > 200);
  CHECK(lost > 100);
  CHECK(refused > 200);
}

TEST_CASE("the records of the calls are all records of messages, each in one call") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const auto r = faulty_runs::requests(seed, false).report();
    REQUIRE(r.sends.size() == count(r.records, happening::offered));
    std::size_t found[2][2]{};  // of data and of answers, in the calls and in all
    for (std::uint64_t call = 1; call <= 2; ++call)
      for (const wf::fault::record& x : wf::records_of_call(r.records, r.sends, call))
        if (x.what == happening::sent && x.kind != message_kind::probe)
          ++found[x.kind == message_kind::ack][0];
    std::size_t probes = 0;
    for (const wf::fault::record& x : r.records)
      if (x.what == happening::sent && x.kind != message_kind::probe)
        ++found[x.kind == message_kind::ack][1];
      else if (x.what == happening::sent)
        ++probes;
    CHECK(found[0][0] == found[0][1]);
    // Answers to probes belong to no call.
    CHECK(found[1][0] <= found[1][1]);
    if (probes == 0) CHECK(found[1][0] == found[1][1]);
    CHECK(wf::records_of_call(r.records, r.sends, 3).empty());
  }
}

TEST_CASE("a crash is among the records of the call that it meets") {
  const auto r = faulty_runs::requests(5).report();
  const auto second = wf::records_of_call(r.records, r.sends, 2);
  CHECK(count(second, happening::crashed) == 1);
  CHECK(count(second, happening::restarted) == 1);
}

TEST_CASE("nothing is made of nothing, nor of records about messages that were not sent") {
  CHECK(wf::messages_of({}).moments.empty());
  CHECK(wf::records_of_call({}, {}, 1).empty());
  wf::fault::record r;
  for (const happening what : {happening::arrived, happening::fired, happening::dropped,
                               happening::copied, happening::lost, happening::refused}) {
    r.what = what;
    CHECK(wf::messages_of({&r, 1}).moments.empty());
  }
}
