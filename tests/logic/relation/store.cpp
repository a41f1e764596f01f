// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/relation/store.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::projection;
using wf::logic::position;
using wf::logic::relation;
using wf::logic::detail::added;
using wf::logic::detail::column_bounds;
using wf::logic::detail::tensor_store;

constexpr bool finds_while_compiling() {
  tensor_store s(1, true);
  const column_bounds bounds[] = {{0, 4}};
  s.bound(bounds, 100);
  std::uint32_t row = 0;
  const position inside[] = {3}, outside[] = {-1};
  s.add(inside, 2, projection::sum, row);
  s.add(outside, 5, projection::sum, row);
  s.add(inside, 1, projection::sum, row);
  return row == 0 && s.value(0) == 3 && s.find(outside) == 1 && s.rows() == 2;
}
static_assert(finds_while_compiling());

using cells = std::map<std::vector<position>, double>;

// The entries of a store; no two of its rows stand at the same positions.
cells entries_of(const tensor_store& s) {
  cells out;
  for (std::uint32_t r = 0; r < s.rows(); ++r) {
    std::vector<position> at;
    for (std::uint32_t c = 0; c < s.rank(); ++c) at.push_back(s.at(r, c));
    out[at] = s.valued() ? s.value(r) : 1;
  }
  REQUIRE(out.size() == s.rows());
  return out;
}

double combined(projection how, double a, double b) {
  return how == projection::minimum   ? std::min(a, b)
         : how == projection::maximum ? std::max(a, b)
                                      : a + b;
}

// Adds random entries, of which one in `outside` leaves the bounds, and compares with a map.
void compare_with_map(std::mt19937_64& random, tensor_store s, projection how,
                      std::uint64_t outside) {
  cells expected = entries_of(s);
  const auto any = [&] {
    const bool out = outside != 0 && random() % outside == 0;
    return static_cast<position>(random() % 5) - 2 + (out ? 1'000'000'000 : 0);
  };
  for (int i = 0; i < 60; ++i) {
    std::vector<position> at(s.rank());
    for (position& p : at) p = any();
    REQUIRE(s.contains(at.data()) == (expected.count(at) == 1));
    const double v = s.valued() ? static_cast<double>(random() % 7) - 3 : 1;
    const std::size_t before = s.rows();
    const auto known = expected.find(at);
    std::uint32_t row = UINT32_MAX;
    const added outcome = s.add(at.data(), v, how, row);
    if (known == expected.end()) {
      REQUIRE(outcome == added::row);
      REQUIRE(row == before);
      REQUIRE(s.rows() == before + 1);
      expected[at] = v;
    } else {
      const double sum = s.valued() ? combined(how, known->second, v) : 1;
      const bool extreme = how == projection::minimum || how == projection::maximum;
      REQUIRE(outcome ==
              (!s.valued() || (extreme && sum == known->second) ? added::nothing : added::value));
      REQUIRE(s.rows() == before);
      known->second = sum;
    }
    REQUIRE(s.contains(at.data()));
    if (s.valued()) {
      REQUIRE(s.find(at.data()) == row);
      REQUIRE(s.value(row) == expected[at]);
    }
  }
  REQUIRE(entries_of(s) == expected);
}

}  // namespace

TEST_CASE("a store finds what was added, whichever way it looks entries up") {
  const std::uint64_t seed = 3;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const projection ways[] = {projection::sum, projection::minimum, projection::maximum};
  for (int round = 0; round < 400; ++round) {
    const auto rank = static_cast<std::uint32_t>(random() % 4);
    tensor_store s(rank, round % 2 == 0);
    const wf::table<column_bounds> bounds(rank, {-2, 5});
    // Of 125 cells at most: a table, or hashes where it would be too large.
    if (round % 3 != 0) s.bound(bounds, random() % 4 == 0 ? 20 : 125);
    CAPTURE(round);
    compare_with_map(random, s, ways[random() % 3], round % 5 < 2 ? 0 : 1 + random() % 20);
  }
}

TEST_CASE("bounds without positions, or of the whole range, only make a store hash") {
  std::mt19937_64 random(4);
  for (const bool valued : {false, true})
    for (const column_bounds b :
         {column_bounds{}, column_bounds{INT32_MIN, std::uint64_t{1} << 32}}) {
      const column_bounds bounds[] = {b, b, b};
      tensor_store s(3, valued);
      s.bound(bounds, std::uint64_t{1} << 40);
      compare_with_map(random, s, projection::sum, 4);
    }
}

TEST_CASE("entries are told apart by their positions, not by their hashes alone") {
  // So many that some have the 32 bits in common by which they are looked up.
  constexpr position rows = 200'000;
  tensor_store s(2, false);
  std::uint32_t row = 0;
  std::size_t known = 0;
  for (position p = 0; p < rows; ++p) {
    const position at[] = {p * 7, 0};
    known += s.add(at, 1, projection::plain, row) != added::row;
  }
  CHECK(known == 0);
  CHECK(s.rows() == rows);
}

TEST_CASE("a store takes the entries of a relation") {
  std::mt19937_64 random(5);
  for (const bool valued : {false, true}) {
    relation r(2, valued);
    for (position p = -2; p < 3; ++p) {
      const position at[] = {p, 2 - p};
      r.append(at, p);
    }
    tensor_store s(r);
    s.index();
    compare_with_map(random, s, projection::minimum, 3);
  }
  relation truth(0, false);
  truth.append(nullptr);
  CHECK(tensor_store(truth).contains(nullptr));
  CHECK_FALSE(tensor_store(relation(0, false)).contains(nullptr));
}

TEST_CASE("entries that are known as bits are listed in order on demand") {
  std::mt19937_64 random(14);
  for (int round = 0; round < 100; ++round) {
    const auto rank = static_cast<std::uint32_t>(1 + random() % 3);
    wf::table<column_bounds> bounds;
    std::size_t rows = 1;
    for (std::uint32_t c = 0; c < rank; ++c) {
      const std::uint64_t size = c + 1 == rank ? 1 + random() % 150 : 1 + random() % 4;
      bounds.push_back({static_cast<position>(random() % 9) - 4, size});
      if (c + 1 < rank) rows *= static_cast<std::size_t>(size);
    }
    const auto width = static_cast<std::size_t>(bounds.back().size);
    wf::logic::detail::bit_rows bits(rows, width);
    cells expected;
    for (std::size_t n = random() % 60; n > 0; --n) {
      std::size_t row = 0, bit = 0;
      std::vector<position> at;
      for (const column_bounds& b : bounds) {
        const auto place = static_cast<std::size_t>(random() % b.size);
        at.push_back(b.low + static_cast<position>(place));
        bit = place;
        if (at.size() < rank) row = row * static_cast<std::size_t>(b.size) + place;
      }
      bits.set(row, bit);
      expected[at] = 1;
    }
    tensor_store s(rank, bounds, bits);
    REQUIRE(s.rows() == expected.size());
    REQUIRE_FALSE(s.listed());
    for (const auto& [at, value] : expected) REQUIRE(s.contains(at.data()));
    if (round % 2 == 0)
      s.list();
    else
      s.sort();
    REQUIRE(s.listed());
    REQUIRE(wf::logic::is_sorted(s.entries()));
    REQUIRE(entries_of(s) == expected);
    compare_with_map(random, s, projection::plain, 2);
  }
}

TEST_CASE("sorted entries are found again once they are indexed") {
  std::mt19937_64 random(15);
  for (int round = 0; round < 60; ++round) {
    tensor_store s(2, round % 2 == 0);
    const column_bounds bounds[] = {{-9, 19}, {-9, 19}};
    if (round % 3 != 0) s.bound(bounds, 1000);
    std::uint32_t row = 0;
    for (std::size_t n = random() % 20; n > 0; --n) {
      const position at[] = {static_cast<position>(random() % 19) - 9,
                             static_cast<position>(random() % 19) - 9};
      s.add(at, static_cast<double>(random() % 5), projection::maximum, row);
    }
    const cells expected = entries_of(s);
    s.sort();
    s.index();
    REQUIRE(wf::logic::is_sorted(s.entries()));
    REQUIRE(entries_of(s) == expected);
    compare_with_map(random, s, projection::maximum, 0);
  }
}

TEST_CASE("a value can be replaced in place") {
  tensor_store s(1, true);
  std::uint32_t row = 0;
  const position at[] = {7};
  s.add(at, 1, projection::sum, row);
  s.set_value(row, 9);
  CHECK(s.entries().values[0] == 9);
  CHECK(s.find(at) == 0);
}

TEST_CASE("a dense store finds, lists and sorts its entries, and takes others beside them") {
  std::mt19937_64 random(22);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const std::uint32_t rank = 1 + static_cast<std::uint32_t>(random() % 3);
    std::vector<column_bounds> bounds;
    wf::table<std::int64_t> extents;
    std::size_t count = 1;
    const bool elsewhere = round % 2 == 0;
    for (std::uint32_t c = 0; c < rank; ++c) {
      const std::uint64_t size = 1 + random() % 4;
      bounds.push_back({elsewhere ? 0 : static_cast<position>(random() % 9) - 4, size});
      extents.push_back(static_cast<std::int64_t>(size));
      count *= static_cast<std::size_t>(size);
    }
    wf::table<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(random() % 100));
    cells wanted;
    relation listed(rank, true);
    std::vector<position> at(rank);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t rest = i;
      for (std::uint32_t c = rank; c-- > 0; rest /= bounds[c].size)
        at[c] = bounds[c].at(rest % bounds[c].size);
      wanted[at] = values[i];
      listed.append(at.data(), values[i]);
    }
    tensor_store s = elsewhere ? tensor_store(&listed, extents)
                               : tensor_store({bounds.data(), bounds.size()}, values);
    REQUIRE(s.rows() == count);
    REQUIRE(s.listed() == elsewhere);
    REQUIRE(wf::table<double>(s.values()) == values);
    for (const auto& [place, value] : wanted) {
      REQUIRE(s.contains(place.data()));
      REQUIRE(s.value(s.find(place.data())) == value);
      std::vector<position> outside = place;
      outside[random() % rank] += 100;
      REQUIRE_FALSE(s.contains(outside.data()));
    }
    tensor_store other = s, given = s;
    s.list();
    REQUIRE(entries_of(s) == wanted);
    s.sort();
    REQUIRE(wf::logic::is_sorted(s.entries()));
    compare_with_map(random, s, projection::sum, 3);
    other.sort();
    compare_with_map(random, other, projection::minimum, 0);
    given.append(std::vector<position>(rank, 77).data(), 5);
    given.index();
    wanted[std::vector<position>(rank, 77)] = 5;
    REQUIRE(entries_of(given) == wanted);
    REQUIRE(given.find(at.data()) == count - 1);
    // What is read in place stays as it is.
    REQUIRE(listed.rows == count);
    REQUIRE(listed.values == values);
    tensor_store left = elsewhere ? tensor_store(&listed, extents)
                                  : tensor_store({bounds.data(), bounds.size()}, values);
    left.set_value(0, -1);
    REQUIRE(left.value(0) == -1);
    REQUIRE(listed.values == values);
    REQUIRE(left.release()[0] == -1);
    REQUIRE(left.rows() == 0);
  }
}

TEST_CASE("entries of a sparse tensor are read where they are until they change") {
  relation r(2, true);
  const position first[] = {5, 1}, second[] = {2, 3}, third[] = {9, 9};
  r.append(first, 1);
  r.append(second, 2);
  tensor_store s(&r);
  CHECK(&s.entries() == &r);
  s.index();
  CHECK(s.find(second) == 1);
  CHECK_FALSE(s.contains(third));
  tensor_store sorted = s, grown = s;
  sorted.sort();
  CHECK(sorted.at(0, 0) == 2);
  std::uint32_t row = 0;
  CHECK(grown.add(third, 4, projection::sum, row) == added::row);
  CHECK(grown.find(third) == 2);
  CHECK(grown.find(first) == 0);
  CHECK(&s.entries() == &r);
  s.own();
  CHECK(&s.entries() != &r);
  CHECK(s.find(first) == 0);
  CHECK(r.rows == 2);
  CHECK(r.columns[0][0] == 5);
}
