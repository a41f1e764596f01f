// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/accrual.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace wf::fault;

namespace {

record at(std::int64_t local, happening what, std::uint32_t peer, std::uint32_t other) {
  record r;
  r.time = r.local = local;
  r.what = what;
  r.peer = peer;
  r.other = other;
  r.kind = what == happening::consumed ? message_kind::ack : message_kind::data;
  return r;
}

constexpr bool judges_while_compiling() {
  accrual_window w;
  w.beat(0);
  if (w.judges()) return false;
  w.beat(1'000'000);
  w.beat(2'000'000);
  // The mean interval is 1 ms, so that φ is 1 after ln 10 ms.
  return w.thousandths(2'000'000 + 2'302'586) == 1000 &&
         w.exceeds_from(8) == 2'000'000 + 18'420'681;
}
static_assert(judges_while_compiling());

}  // namespace

TEST_CASE("φ is the wait by the mean interval and ln 10, over the last intervals") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const auto history = static_cast<std::uint32_t>(1 + random() % 20);
    accrual_window w(history);
    std::vector<std::int64_t> beats{static_cast<std::int64_t>(random() % 1'000'000)};
    w.beat(beats[0]);
    CHECK_FALSE(w.judges());
    for (auto n = 1 + random() % 60; n > 0; --n) {
      beats.push_back(beats.back() + 1 + static_cast<std::int64_t>(random() % 10'000'000));
      w.beat(beats.back());
      const std::size_t used = std::min<std::size_t>(history, beats.size() - 1);
      const double mean = static_cast<double>(beats.back() - beats[beats.size() - 1 - used]) /
                          static_cast<double>(used);
      REQUIRE(w.judges());
      const std::int64_t later = beats.back() + static_cast<std::int64_t>(random() % 1'000'000'000);
      const double phi = static_cast<double>(later - beats.back()) / (mean * std::log(10.0));
      REQUIRE(std::abs(static_cast<double>(w.thousandths(later)) - 1000 * phi) <=
              1 + 1e-6 * 1000 * phi);
      for (const std::int64_t bound : {1, 8, 16}) {
        const std::int64_t from = w.exceeds_from(bound);
        REQUIRE(w.thousandths(from - 1) <= 1000 * bound);
        REQUIRE(std::abs(static_cast<double>(from - beats.back()) -
                         static_cast<double>(bound) * mean * std::log(10.0)) <=
                2 + 1e-6 * mean * 40);
      }
    }
  }
}

TEST_CASE("a peer is suspected, then down, then live again: each once, at its time") {
  accrual_detector d(2);
  for (std::int64_t t = 0; t <= 10; ++t) d(at(t * 1'000'000, happening::consumed, 0, 1));
  CHECK(d.judgements().empty());
  // What others see, and other records of its own, change nothing but what time tells.
  d(at(20'000'000, happening::sent, 0, 1));
  d(at(90'000'000, happening::sent, 1, 0));
  CHECK(d.judgements().empty());
  CHECK(d.level(0, 1) == peer_level::live);
  d(at(30'000'000, happening::timed_out, 0, 1));
  CHECK(d.level(0, 1) == peer_level::suspect);
  d(at(31'000'000, happening::timed_out, 0, 1));
  d(at(60'000'000, happening::timed_out, 0, 1));
  d(at(61'000'000, happening::consumed, 0, 1));
  d(at(61'500'000, happening::consumed, 0, 1));
  const peer_judgement expected[] = {{0, 1, peer_level::suspect, 28'420'681},
                                     {0, 1, peer_level::down, 46'841'362},
                                     {0, 1, peer_level::live, 61'000'000}};
  REQUIRE(d.judgements().size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(d.judgements()[i] == expected[i]);
  CHECK(d.level(1, 0) == peer_level::live);
}

TEST_CASE("without an interval nothing is said, and a crash erases what was seen") {
  accrual_detector d(2);
  d(at(0, happening::consumed, 0, 1));
  d(at(1'000'000'000'000, happening::sent, 0, 1));
  CHECK(d.judgements().empty());
  d(at(1'000'000'000'001, happening::consumed, 0, 1));
  d(at(1'000'000'000'002, happening::crashed, 0, 0));
  d(at(900'000'000'000'000, happening::sent, 0, 1));
  CHECK(d.judgements().empty());
  accrual_detector off(2, false);
  for (std::int64_t t = 0; t < 3; ++t) off(at(t, happening::consumed, 0, 1));
  off(at(1'000'000, happening::sent, 0, 1));
  CHECK(off.judgements().empty());
  CHECK(off.level(0, 1) == peer_level::live);
}

TEST_CASE("levels have words") {
  CHECK(name_of(peer_level::live) == wf::text_view("live"));
  CHECK(name_of(peer_level::down) == wf::text_view("down"));
}
