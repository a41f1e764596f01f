// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/hash_index.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

// A hash with at most `parts` values, so that keys collide.
constexpr std::uint64_t poor_hash(std::uint64_t key, std::uint64_t parts) { return key % parts; }

// Squares are found by their number, other keys are not, and renumbered entries are found again.
constexpr bool keeps_squares(std::uint64_t parts) {
  wf::hash_index index;
  if (index.find(1, [](std::uint32_t) { return true; }) != wf::hash_index::none) return false;
  for (std::uint32_t i = 0; i < 40; ++i) index.insert(poor_hash(i * i, parts), i);
  for (std::uint32_t key = 0; key < 1600; ++key) {
    std::uint32_t root = 0;
    while (root * root < key) ++root;
    const std::uint32_t expected = root * root == key ? root : wf::hash_index::none;
    const auto found =
        index.find(poor_hash(key, parts), [&](std::uint32_t n) { return n * n == key; });
    if (found != expected) return false;
  }
  index.renumber(poor_hash(9, parts), 3, 77);
  return index.size() == 40 &&
         index.find(poor_hash(9, parts), [](std::uint32_t n) { return n == 77; }) == 77 &&
         index.find(poor_hash(9, parts), [](std::uint32_t n) { return n == 3; }) ==
             wf::hash_index::none;
}
static_assert(keeps_squares(UINT64_MAX) && keeps_squares(16));

// The reference: a linear list of all states.
struct row {
  struct entry {
    std::uint64_t key;
    std::uint32_t number;
  };
  std::vector<entry> entries;

  std::uint32_t find(std::uint64_t key) const {
    for (const entry& e : entries)
      if (e.key == key) return e.number;
    return wf::hash_index::none;
  }
};

}  // namespace

TEST_CASE("the index finds every state it holds, whatever the hashes") {
  std::mt19937 random(92);
  for (const std::uint64_t spread : {1U, 7U, 1000U, 1U << 30}) {
    wf::hash_index index;
    std::vector<std::uint64_t> keys;
    for (std::uint32_t i = 0; i < 2000; ++i) {
      keys.push_back(random());
      index.insert(keys.back() % spread, i);
    }
    CHECK(index.size() == 2000);
    for (std::uint32_t i = 0; i < 2000; i += 7) {
      const auto found = index.find(keys[i] % spread, [&](std::uint32_t n) { return n == i; });
      CHECK(found == i);
      const auto none = index.find(keys[i] % spread, [](std::uint32_t) { return false; });
      CHECK(none == wf::hash_index::none);
    }
  }
}

TEST_CASE("any sequence of operations gives what a row of states gives") {
  std::mt19937_64 random(341);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const std::uint64_t parts[] = {1, 3, 64, 1'000'003, UINT64_MAX};
    const std::uint64_t part = parts[round % 5];
    const int shift = round % 3 * 29;  // some hashes differ in high bits only
    const auto hash = [&](std::uint64_t key) { return poor_hash(key, part) << shift; };
    wf::hash_index index;
    row expected;
    std::vector<std::uint64_t> key_of;  // by number; numbers are not reused
    for (int step = 0; step < 600; ++step) {
      const std::uint64_t key = random() % 400;
      const auto same = [&](std::uint32_t n) { return key_of[n] == key; };
      const std::uint32_t known = index.find(hash(key), same);
      REQUIRE(known == expected.find(key));
      const auto fresh = static_cast<std::uint32_t>(key_of.size());
      if (known == wf::hash_index::none) {
        if (random() % 3 == 0) continue;
        index.insert(hash(key), fresh);
        expected.entries.push_back({key, fresh});
      } else {
        if (random() % 2 == 0) continue;
        index.renumber(hash(key), known, fresh);
        for (row::entry& e : expected.entries)
          if (e.key == key) e.number = fresh;
      }
      key_of.push_back(key);
      REQUIRE(index.size() == expected.entries.size());
    }
    for (std::uint64_t key = 0; key < 400; ++key)
      CHECK(index.find(hash(key), [&](std::uint32_t n) { return key_of[n] == key; }) ==
            expected.find(key));
  }
}

TEST_CASE("with good hashes a look-up asks about few states") {
  std::mt19937_64 random(342);
  wf::hash_index index;
  std::vector<std::uint64_t> keys;
  std::size_t asked = 0;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    keys.push_back(random());
    index.insert(keys.back(), i);
  }
  for (const std::uint64_t key : keys) {
    const auto found = index.find(key, [&](std::uint32_t n) { return ++asked, keys[n] == key; });
    CHECK(keys[found] == key);
  }
  CHECK(asked == keys.size());  // the stored parts of hashes are compared first
}

TEST_CASE("of entries of one hash the first inserted is met first, however often the index grew") {
  std::mt19937 random(343);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    wf::hash_index index;
    std::vector<std::uint64_t> hash_of;
    const std::uint64_t hashes = 1 + random() % 40;
    const std::size_t count = random() % 300;
    if (round % 3 == 0) index.reserve(random() % 200);
    for (std::uint32_t i = 0; i < count; ++i) {
      hash_of.push_back(random() % hashes << round % 64);
      index.insert(hash_of.back(), i);
    }
    for (std::uint64_t h = 0; h < hashes; ++h) {
      const std::uint64_t hash = h << round % 64;
      std::vector<std::uint32_t> met, expected;
      index.find(hash, [&](std::uint32_t i) {
        if (hash_of[i] == hash) met.push_back(i);
        return false;
      });
      for (std::uint32_t i = 0; i < count; ++i)
        if (hash_of[i] == hash) expected.push_back(i);
      CHECK(met == expected);
    }
    index.clear();
    CHECK(index.size() == 0);
    CHECK(index.find(0, [](std::uint32_t) { return true; }) == wf::hash_index::none);
  }
}
