// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/history.hpp>

#include <doctest/doctest.h>

using namespace wf::fault;

TEST_CASE("every field of a record enters the trace hash") {
  const auto hash = [](const record& r) {
    trace_hash h;
    h(r);
    return h.value();
  };
  const record r;
  for (int k = 0; k < 15; ++k) {
    CAPTURE(k);
    record other = r;
    if (k == 0) other.time = 1;
    if (k == 1) other.local = 1;
    if (k == 2) other.what = happening::sent;
    if (k == 3) other.kind = message_kind::ack;
    if (k == 4) other.why = reason::rule;
    if (k == 5) other.peer = 1;
    if (k == 6) other.other = 1;
    if (k == 7) other.edge = 1;
    if (k == 8) other.incarnation = 1;
    if (k == 9) other.attempt = 1;
    if (k == 10) other.sequence = 1;
    if (k == 11) other.request = 1;
    if (k == 12) other.value = 1;
    if (k == 13) other.extra = 1;
    if (k == 14) other.bound = 1;
    CHECK(hash(other) != hash(r));
  }
}

TEST_CASE("a tally counts by peer and reason, payloads apart from answers") {
  tally t(2);
  record r;
  r.peer = 1;
  r.what = happening::gate_refused;
  r.why = reason::duplicate;
  t(r);
  r.kind = message_kind::ack;
  t(r);
  CHECK(t.peers[1].refused[static_cast<unsigned>(reason::duplicate)] == 1);
  CHECK(t.peers[0].refused[static_cast<unsigned>(reason::duplicate)] == 0);
  r = {};
  r.what = happening::failed;
  r.why = reason::deadline;
  r.time = 5;
  t(r);
  CHECK(t.peers[0].failed[static_cast<unsigned>(reason::deadline)] == 1);
  CHECK(t.peers[0].last_end == 5);
}

TEST_CASE("observers are called in their order") {
  tally a(1), b(1);
  trace_hash h;
  observe_all all(a, h, b);
  record r;
  r.what = happening::fired;
  all(r);
  CHECK(a.peers[0].fired == 1);
  CHECK(b.peers[0].fired == 1);
  CHECK(h.records() == 1);
}

TEST_CASE("a recorder keeps what it sees, unless it is not to") {
  wf::fault::recorder all, nothing;
  nothing.keeps = false;
  wf::fault::observe_all both(all, nothing);
  wf::fault::record r;
  for (r.time = 0; r.time < 3; ++r.time) both(r);
  REQUIRE(all.records.size() == 3);
  CHECK(all.records[2].time == 2);
  CHECK(nothing.records.empty());
}
