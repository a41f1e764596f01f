// SPDX-License-Identifier: BSL-1.0
#include <wf/core/digest.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

namespace {

constexpr wf::digest128 of(std::uint64_t word) { return wf::hasher128('t').word(word).value(); }
constexpr wf::digest128 of(wf::text_view characters) {
  return wf::hasher128('t').characters(characters).value();
}
constexpr bool is(const wf::digest128& d, const char* digits) {
  return wf::to_text(d).view() == wf::text_view(digits);
}

}  // namespace

// The format of stored digests: these values are the same on every compiler and platform.
static_assert(is({}, "00000000000000000000000000000000"));
static_assert(is({0x0123456789abcdef, 0xfedcba9876543210}, "0123456789abcdeffedcba9876543210"));
static_assert(is(wf::hasher128('g').value(), "ecec987b093af1fe4b61a340d8cdbebe"));
static_assert(is(of(1), "d5edba1695474d4bb9250df2b0138325"));
static_assert(is(of("the quick brown fox"), "8b274aee91b0bfefaaaecb9286159336"));

static_assert(wf::hasher128('a').value() != wf::hasher128('b').value());
static_assert(of(1) < of(2) || of(2) < of(1));

TEST_CASE("a digest counts where texts end and in which order things come") {
  const auto two = [](wf::text_view a, wf::text_view b) {
    return wf::hasher128('t').characters(a).characters(b).value();
  };
  CHECK(two("ab", "c") != two("a", "bc"));
  CHECK(two("", "abc") != two("abc", ""));
  CHECK(two("a", "b") != two("b", "a"));
  CHECK(of(wf::text_view("a\0", 2)) != of("a"));
  const auto folded = wf::hasher128('t').fold(of(1)).value();
  CHECK(folded == wf::hasher128('t').word(of(1).high).word(of(1).low).value());
}

TEST_CASE("digests of near words and texts differ in both halves") {
  std::set<std::uint64_t> halves;
  std::size_t count = 0;
  const auto add = [&](const wf::digest128& d) {
    halves.insert(d.high);
    halves.insert(d.low);
    count += 2;
  };
  for (std::uint64_t i = 0; i < 20000; ++i) {
    add(of(i));
    add(of(i << 44));
    add(of(std::to_string(i)));
    add(wf::hasher128('t').word(i).word(~i).value());
  }
  // 0 << 44 is 0 again; among 20,000 shifted words only that one repeats.
  CHECK(halves.size() == count - 2);
}

TEST_CASE("one changed bit changes about half of the digest") {
  int flipped = 0;
  const wf::digest128 base = of(0x5555);
  for (int bit = 0; bit < 64; ++bit) {
    const wf::digest128 other = of(0x5555 ^ (std::uint64_t{1} << bit));
    flipped += std::popcount(base.high ^ other.high) + std::popcount(base.low ^ other.low);
  }
  const double mean = flipped / 64.0;
  CAPTURE(mean);
  CHECK(mean > 56);
  CHECK(mean < 72);
}
