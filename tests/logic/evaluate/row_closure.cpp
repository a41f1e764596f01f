// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/row_closure.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../random_moves.hpp"

namespace {

using wf::logic::detail::adjacency;
using wf::logic::detail::row_closure;
using wf_test::weighted_move;

// By row: the columns that a depth-first search reaches, in ascending order.
std::vector<std::vector<std::uint32_t>> searched(const adjacency& starts, const adjacency& moves,
                                                 std::size_t columns) {
  std::vector<std::vector<std::uint32_t>> out(starts.places());
  for (std::size_t r = 0; r < out.size(); ++r) {
    std::vector<bool> seen(columns);
    std::vector<std::uint32_t> stack(starts.of(r).begin(), starts.of(r).end());
    while (!stack.empty()) {
      const std::uint32_t c = stack.back();
      stack.pop_back();
      if (seen[c]) continue;
      seen[c] = true;
      stack.insert(stack.end(), moves.of(c).begin(), moves.of(c).end());
    }
    for (std::uint32_t c = 0; c < columns; ++c)
      if (seen[c]) out[r].push_back(c);
  }
  return out;
}

// Requires the rows of a closure with so many bits to be those of the search; true if they are
// bits.
bool closes(const adjacency& starts, const adjacency& moves, std::size_t columns,
            std::uint64_t most_bits) {
  const auto expected = searched(starts, moves, columns);
  row_closure closure(starts, moves, columns, most_bits);
  REQUIRE(closure.run());
  std::vector<std::vector<std::uint32_t>> found(expected.size());
  if (closure.has_bits()) {
    const wf::logic::detail::bit_rows bits = closure.take_bits();
    REQUIRE(bits.rows() == expected.size());
    for (std::size_t r = 0; r < found.size(); ++r)
      wf::detail::each_bit(bits.row(r), bits.width(), [&](std::size_t bit) {
        found[r].push_back(static_cast<std::uint32_t>(bit));
      });
  } else {
    REQUIRE(closure.lists().places() == expected.size());
    for (std::size_t r = 0; r < found.size(); ++r)
      found[r].assign(closure.lists().of(r).begin(), closure.lists().of(r).end());
  }
  REQUIRE(found == expected);
  return closure.has_bits();
}

// Likewise if that many bits are allowed; not if they are not.
bool closes(const adjacency& starts, const adjacency& moves, std::size_t columns) {
  const std::uint64_t bits = starts.places() * columns;
  if (bits != 0) REQUIRE_FALSE(closes(starts, moves, columns, bits - 1));
  return closes(starts, moves, columns, bits);
}

// Places in a row, of which each moves to the next; the last one to the first of a cycle.
std::vector<weighted_move> chain(std::uint32_t places, bool cycle) {
  std::vector<weighted_move> out;
  for (std::uint32_t p = 0; p + 1 < places; ++p) out.push_back({p, p + 1});
  if (cycle) out.push_back({places - 1, 0});
  return out;
}

}  // namespace

TEST_CASE("random closures are what a search from each row reaches, as lists and as bits") {
  std::mt19937_64 random(2);
  std::size_t lists = 0, bits = 0;
  for (int i = 0; i < 600; ++i) {
    const std::size_t columns = 1 + random() % (i % 4 == 0 ? 150 : 12);
    const std::size_t rows = 1 + random() % (i % 3 == 0 ? 120 : 10);
    const auto starts =
        wf_test::random_moves(random, rows, columns, random() % (i % 2 == 0 ? 2 * rows + 2 : 4));
    const auto moves =
        wf_test::random_moves(random, columns, columns, random() % (2 * columns + 1));
    CAPTURE(i);
    ++(closes(wf_test::adjacency_of(starts, rows), wf_test::adjacency_of(moves, columns), columns)
           ? bits
           : lists);
  }
  CHECK(lists > 100);
  CHECK(bits > 20);
}

TEST_CASE("few reached columns are lists, many are bits") {
  const auto all = [](std::uint32_t places) {
    std::vector<weighted_move> out;
    for (std::uint32_t p = 0; p < places; ++p) out.push_back({p, p});
    return wf_test::adjacency_of(out, places);
  };
  // Each row reaches itself and one other column.
  std::vector<weighted_move> pairs;
  for (std::uint32_t p = 0; p < 200; p += 2) pairs.push_back({p, p + 1});
  CHECK_FALSE(closes(all(200), wf_test::adjacency_of(pairs, 200), 200));
  // All columns meet: the first searches show that joining components takes less time.
  CHECK(closes(all(200), wf_test::adjacency_of(chain(200, true), 200), 200));
  CHECK(closes(all(200), wf_test::adjacency_of(chain(200, false), 200), 200));
}

TEST_CASE("rows become bits once lists take more memory, though no search takes long") {
  // Lists of more than 4 · 8 + 64 columns become bits; 200 moves take less time than components.
  std::vector<weighted_move> starts;
  for (std::uint32_t r = 0; r < 4; ++r)
    for (std::uint32_t k = 0; k < 50; ++k) starts.push_back({r, r + 10 * k});
  CHECK(closes(wf_test::adjacency_of(starts, 4), wf_test::adjacency_of({}, 512), 512));
  starts.resize(90);
  CHECK_FALSE(closes(wf_test::adjacency_of(starts, 4), wf_test::adjacency_of({}, 512), 512));
}

TEST_CASE("a closure without rows, or without starts, is empty") {
  CHECK_FALSE(closes(adjacency(), wf_test::adjacency_of(chain(5, true), 5), 5));
  CHECK_FALSE(closes(wf_test::adjacency_of({}, 3), wf_test::adjacency_of(chain(5, true), 5), 5));
}
