// SPDX-License-Identifier: BSL-1.0
#include <wf/search/deletion_filter.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

// A set conflicts if it contains one of the forbidden sets, given as bits.
struct forbidden {
  std::vector<unsigned> sets;
  bool conflicts(unsigned bits) const {
    for (const unsigned s : sets)
      if ((bits & s) == s) return true;
    return false;
  }
};

unsigned bits_of(const wf::table<char>& in) {
  unsigned out = 0;
  for (std::size_t i = 0; i < in.size(); ++i) out |= in[i] != 0 ? 1U << i : 0U;
  return out;
}

constexpr bool finds_a_pair_while_compiling() {
  wf::table<char> in(5, char{1});
  const bool certain = wf::deletion_filter(in, [&](std::size_t) {
    return in[1] != 0 && in[3] != 0 ? wf::conflict_answer::conflict : wf::conflict_answer::none;
  });
  return certain && in == wf::table<char>{0, 1, 0, 1, 0};
}

}  // namespace

TEST_CASE("what is left conflicts, and without any one element it does not") {
  static_assert(finds_a_pair_while_compiling());
  std::mt19937 random(7);
  for (int round = 0; round < 2'000; ++round) {
    forbidden f;
    for (unsigned n = 1 + random() % 4; n > 0; --n)
      f.sets.push_back(static_cast<unsigned>(random() % 1024) | (1U << (random() % 10)));
    wf::table<char> in(10, char{1});
    const auto test = [&](std::size_t removed) {
      CHECK(in[removed] == 0);
      return f.conflicts(bits_of(in)) ? wf::conflict_answer::conflict : wf::conflict_answer::none;
    };
    if (round % 2 == 0) CHECK(wf::deletion_filter(in, test, 2 + random() % 5));
    CHECK(f.conflicts(bits_of(in)));
    CHECK(wf::deletion_filter(in, test));
    const unsigned left = bits_of(in);
    CHECK(f.conflicts(left));
    for (unsigned i = 0; i < 10; ++i)
      if ((left >> i) & 1U) CHECK(!f.conflicts(left & ~(1U << i)));
  }
}

TEST_CASE("without an answer an element stays, and the set may be reducible") {
  wf::table<char> in(4, char{1});
  in[2] = 0;
  int asked = 0;
  CHECK(!wf::deletion_filter(in, [&](std::size_t i) {
    ++asked;
    return i == 0 ? wf::conflict_answer::unknown : wf::conflict_answer::conflict;
  }));
  CHECK(asked == 3);  // requirements outside of the set are not tested
  CHECK(in == wf::table<char>{1, 0, 0, 0});
}

TEST_CASE("the last run may be shorter; nothing is asked of an empty set") {
  wf::table<char> in(5, char{1});
  std::vector<std::size_t> first;
  wf::deletion_filter(
      in,
      [&](std::size_t i) {
        first.push_back(i);
        return wf::conflict_answer::none;
      },
      3);
  CHECK(first == std::vector<std::size_t>{0, 3});
  wf::table<char> empty;
  CHECK(wf::deletion_filter(empty, [](std::size_t) { return wf::conflict_answer::unknown; }));
}
