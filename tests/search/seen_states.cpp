// SPDX-License-Identifier: BSL-1.0
#include <wf/search/seen_states.hpp>

#include <map>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr std::int64_t remembered() {
  wf::seen_states seen(4096);
  const wf::table<std::uint32_t> a = {1, 2, 3}, b = {1, 2, 4};
  seen.insert(7, a, 10);
  seen.insert(7, b, 20);  // the same hash
  *seen.find(7, a) += 1;
  return *seen.find(7, a) * 100 + *seen.find(7, b) + (seen.find(8, a) == nullptr ? 0 : 1);
}
static_assert(remembered() == 1120);

using words = std::vector<std::uint32_t>;

wf::view<std::uint32_t> seen_as(const words& w) { return {w.data(), w.size()}; }

}  // namespace

TEST_CASE("descriptions are found with their values, whatever their hashes") {
  wf::seen_states seen(1 << 22);
  std::map<words, std::int64_t> expected;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    words w(random() % 6);
    for (std::uint32_t& word : w) word = random() % 8;
    const std::uint64_t hash = w.empty() ? 0 : w[0] * 0x9e3779b97f4a7c15ull;  // with many
                                                                              // collisions
    std::int64_t* const found = seen.find(hash, seen_as(w));
    const auto known = expected.find(w);
    REQUIRE((found != nullptr) == (known != expected.end()));
    if (found != nullptr) {
      CHECK(*found == known->second);
      *found = known->second = i;
    } else {
      seen.insert(hash, seen_as(w), i);
      expected[w] = i;
    }
  }
  CHECK(seen.size() == expected.size());
  seen.clear();
  CHECK(seen.size() == 0);
  CHECK(seen.bytes() == 0);
}

TEST_CASE("memory is bounded: the older half is forgotten") {
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{100'000}}) {
    wf::seen_states seen(bytes);
    words w(9);
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      w[4] = i;
      seen.insert(i * 0x9e3779b97f4a7c15ull, seen_as(w), i);
      REQUIRE(seen.bytes() <= bytes);
    }
    std::size_t kept = 0;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      w[4] = i;
      if (std::int64_t* value = seen.find(i * 0x9e3779b97f4a7c15ull, seen_as(w))) {
        CHECK(*value == i);
        ++kept;
      }
    }
    CHECK(kept == seen.size());
    if (bytes == 100'000) {
      CHECK(kept > 250);
      CHECK(seen.find(19'999 * 0x9e3779b97f4a7c15ull, seen_as(w)) != nullptr);
    }
  }
}

TEST_CASE("a description larger than a chunk is kept as well") {
  wf::seen_states seen(1 << 24);
  words w(100'000, 5);
  seen.insert(3, seen_as(w), 1);
  w.back() = 6;
  CHECK(seen.find(3, seen_as(w)) == nullptr);
  seen.insert(3, seen_as(w), 2);
  CHECK(*seen.find(3, seen_as(w)) == 2);
}
