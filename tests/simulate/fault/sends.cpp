// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/sends.hpp>

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace wf::fault;

TEST_CASE("a stream agrees with a map of its outstanding numbers") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    send_stream stream;
    std::map<std::uint64_t, std::uint32_t> naive;
    std::uint64_t next = 1;
    const std::uint64_t window = 1 + random() % 100;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      const std::uint64_t first = naive.empty() ? next : naive.begin()->first;
      REQUIRE(stream.first() == first);
      REQUIRE(stream.next() == next);
      const bool room = next - first < window;
      REQUIRE(stream.has_room(static_cast<std::int64_t>(window)) == room);
      if (room && random() % 2 == 0) {
        REQUIRE(stream.admit(i) == next);
        naive[next++] = i;
      } else if (!naive.empty()) {
        const auto at =
            std::next(naive.begin(), static_cast<std::ptrdiff_t>(random() % naive.size()));
        stream.end(at->first);
        naive.erase(at);
      }
      const std::uint64_t asked = next > 120 ? next - random() % 120 : random() % (next + 2);
      REQUIRE(stream.find(asked) == (naive.count(asked) != 0 ? naive[asked] : send_stream::none));
    }
  }
}

TEST_CASE("sends are kept by stream, and forgotten with their peer") {
  send_table sends(3);
  const std::uint32_t a = sends.open(0, 1, 7), b = sends.open(2, 1, 7);
  CHECK(sends.open(0, 1, 7) == a);
  CHECK(sends.find(1, 0, 7) == wf::hash_index::none);
  CHECK(sends.from(0).size() == 1);
  pending_send x;
  x.state = send_state::queued;
  x.stream = a;
  const std::uint32_t i = sends.keep(x);
  x.stream = b;
  const std::uint32_t k = sends.keep(x);
  sends.stream(a).admit(i);
  CHECK_FALSE(sends.is_quiet(0, 1));
  CHECK(sends.is_quiet(2, 1));
  CHECK(sends.unfinished(0) == 1);
  const std::uint32_t generation = sends[i].generation;
  sends.forget(0);
  CHECK(sends.unfinished(0) == 0);
  CHECK(sends.unfinished(2) == 1);
  CHECK(sends.is_quiet(0, 1));
  CHECK(sends.keep(x) == i);  // its place is used again, its timers are not
  CHECK(sends[i].generation != generation);
  CHECK(sends[k].state == send_state::queued);
}
