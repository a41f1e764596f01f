// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/wire.hpp>

#include <doctest/doctest.h>

#include <random>

#include <wf/simulate/fault/parse_script.hpp>

using namespace wf::fault;

namespace {

script with_rules(const char* rules) {
  const auto read = parse_script(
      wf::text("{\"wf_faults\": 1, \"seed\": 9, \"peers\": [\"A\", \"B\", \"C\"], \"delay_ns\": "
               "[10, 20], \"rules\": [")
      << rules << "]}");
  REQUIRE(read);
  return *read;
}
envelope message(std::uint64_t sequence, std::uint32_t attempt = 0) {
  envelope m;
  m.destination = 1;
  m.sequence = sequence;
  m.attempt = attempt;
  return m;
}
wire_decision decide(const script& s, const envelope& m, std::int64_t now = 0) {
  const wire w(s);
  wire_decision out;
  w.decide(m, now, out);
  return out;
}

}  // namespace

TEST_CASE("the base delay is rule 2^32 - 1, draw 1") {
  const script s = with_rules("");
  for (std::uint64_t n = 1; n < 500; ++n) {
    const double u = prf(s.seed, base_delay_rule, message(n).identity(), 1);
    CHECK(decide(s, message(n)).delay_ns == 10 + static_cast<std::int64_t>(u * 11));
  }
}

TEST_CASE("all rules that match apply in their order, and a drop ends") {
  const script s = with_rules(
      "{\"match\": {\"seq\": [1, 4]}, \"do\": {\"delay\": [100, 100]}},"
      "{\"match\": {\"seq\": [2, 2]}, \"do\": {\"duplicate\": {\"copies\": 2, \"after_ns\": [5, "
      "5]}}},"
      "{\"match\": {\"seq\": [2, 3]}, \"do\": {\"delay\": [1000, 1000]}},"
      "{\"match\": {\"seq\": [4, 4]}, \"do\": {\"drop\": true}},"
      "{\"match\": {\"seq\": [5, 5]}, \"do\": {\"corrupt\": {\"bits\": 1}}}");
  const auto base = [&](std::uint64_t n) { return decide(with_rules(""), message(n)).delay_ns; };
  CHECK(decide(s, message(1)).delay_ns == base(1) + 100);
  const wire_decision two = decide(s, message(2));
  CHECK(two.delay_ns == base(2) + 1100);
  REQUIRE(two.copies.size() == 2);
  CHECK(two.copies[0] == base(2) + 1105);
  CHECK(decide(s, message(3)).delay_ns == base(3) + 1100);
  CHECK(decide(s, message(4)).dropped);
  CHECK_FALSE(decide(s, message(5)).whole);
  CHECK(decide(s, message(6)).whole);
}

TEST_CASE("a rule meets the share of messages that its probability says") {
  const script s = with_rules("{\"p\": 0.3, \"do\": {\"drop\": true}}");
  int dropped = 0;
  for (std::uint64_t n = 1; n <= 20'000; ++n) dropped += decide(s, message(n)).dropped;
  CHECK(dropped > 5'800);
  CHECK(dropped < 6'200);
}

TEST_CASE("rules match kind, ends, edge, number, attempt and time") {
  const script s = with_rules(
      "{\"match\": {\"kind\": \"data\", \"src\": \"A\", \"dst\": [\"B\", \"C\"], \"edge\": 2, "
      "\"seq\": [3, 4], \"attempt\": [1, 1]}, \"between_ns\": [50, 60], \"do\": {\"drop\": true}}");
  envelope m = message(3, 1);
  m.edge = 2;
  CHECK(decide(s, m, 50).dropped);
  CHECK(decide(s, m, 60).dropped);
  CHECK_FALSE(decide(s, m, 49).dropped);
  CHECK_FALSE(decide(s, m, 61).dropped);
  for (int k = 0; k < 6; ++k) {
    CAPTURE(k);
    envelope other = m;
    if (k == 0) other.kind = message_kind::ack;
    if (k == 1) other.source = 1;
    if (k == 2) other.destination = 0;
    if (k == 3) other.edge = 1;
    if (k == 4) other.sequence = 5;
    if (k == 5) other.attempt = 2;
    CHECK_FALSE(decide(s, other, 55).dropped);
  }
}

TEST_CASE("partitions have a direction, and a peer reaches itself") {
  const script s = with_rules("");
  wire w(s);
  const selector a{false, {0}}, b{false, {1}};
  w.cut(a, {}, false);
  CHECK(w.state(0, 0) == wire::link::open);
  CHECK(w.state(0, 1) == wire::link::drop);
  CHECK(w.state(0, 2) == wire::link::drop);
  CHECK(w.state(1, 0) == wire::link::open);
  w.cut({}, b, true);
  CHECK(w.state(0, 1) == wire::link::hold);
  CHECK(w.state(2, 1) == wire::link::hold);
  w.heal(a, b);
  CHECK(w.state(0, 1) == wire::link::open);
  CHECK(w.state(0, 2) == wire::link::drop);
  CHECK(w.state(2, 1) == wire::link::hold);
  w.heal({}, {});
  CHECK(w.state(2, 1) == wire::link::open);
}

TEST_CASE("faults among a core cease for its messages alone") {
  const script s = with_rules("{\"do\": {\"drop\": true}}");
  wire w(s);
  w.cut({}, {}, false);
  w.cease_among({0, 1});
  wire_decision out;
  w.decide(message(1), 0, out);
  CHECK_FALSE(out.dropped);
  CHECK(w.state(0, 1) == wire::link::open);
  envelope outside = message(1);
  outside.destination = 2;
  w.decide(outside, 0, out);
  CHECK(out.dropped);
  CHECK(w.state(0, 2) == wire::link::drop);
  w.cease();
  w.decide(outside, 0, out);
  CHECK_FALSE(out.dropped);
}
