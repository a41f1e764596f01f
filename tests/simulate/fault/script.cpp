// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/script.hpp>

#include <doctest/doctest.h>

using namespace wf::fault;

static_assert(knob_set{}[knob::backoff_base_ns] == 10'000'000);
static_assert(interval{2, 3}.has(2) && interval{2, 3}.has(3) && !interval{2, 3}.has(4));

TEST_CASE("a selector has all, or its members") {
  selector s;
  CHECK(s.has(7));
  s.any = false;
  CHECK_FALSE(s.has(7));
  s.members.push_back(7);
  CHECK(s.has(7));
  CHECK_FALSE(s.has(8));
}

TEST_CASE("knobs, counters and kinds have the words of the scripts") {
  CHECK(name_of(knob::dedup_window) == "dedup_window");
  CHECK(name_of(knob::retry_limit) == "retry_limit");
  CHECK(name_of(counter::timeouts) == "timeouts");
  CHECK(name_of(message_kind::probe) == "probe");
}

TEST_CASE("a peer is found by its name") {
  script s;
  s.peers = {wf::text("A"), wf::text("B")};
  CHECK(find_peer(s, "A") == 0);
  CHECK(find_peer(s, "B") == 1);
  CHECK(find_peer(s, "C") == 2);
}
