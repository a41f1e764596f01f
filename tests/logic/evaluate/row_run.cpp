// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/row_run.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "../random_moves.hpp"

namespace {

using wf::logic::detail::bit_rows;
using wf::logic::detail::boolean_row_run;
using wf::logic::detail::boolean_rows;
using wf::logic::detail::row_moves;
using boolean_entry = std::tuple<std::uint32_t, std::size_t, std::size_t>;  // tensor, row, column

// Applies all links to all entries until nothing is new.
std::set<boolean_entry> all_moved(std::set<boolean_entry> known,
                                  const std::vector<row_moves>& links) {
  std::vector<boolean_entry> fresh(known.begin(), known.end());
  const auto add = [&](const boolean_entry& e) {
    if (known.insert(e).second) fresh.push_back(e);
  };
  while (!fresh.empty()) {
    const auto [tensor, row, column] = fresh.back();
    fresh.pop_back();
    for (const row_moves& l : links) {
      if (l.from != tensor) continue;
      if (l.identity) add({l.to, row, column});
      for (const std::uint32_t to : l.pairs.of(l.moves_rows ? row : column))
        add({l.to, l.moves_rows ? to : row, l.moves_rows ? column : to});
    }
  }
  return known;
}

// Runs links over entries; what is set at the end.
std::set<boolean_entry> moved(const std::set<boolean_entry>& start, std::size_t tensors,
                              std::size_t rows, std::size_t columns,
                              const std::vector<row_moves>& links) {
  wf::table<boolean_rows> run(tensors);
  for (boolean_rows& t : run) t.entries = bit_rows(rows, columns);
  for (const auto& [tensor, row, column] : start) run[tensor].entries.set(row, column);
  boolean_row_run(run, {links.data(), links.size()}).run();
  std::set<boolean_entry> out;
  for (std::uint32_t t = 0; t < tensors; ++t)
    for (std::size_t r = 0; r < rows; ++r)
      wf::detail::each_bit(run[t].entries.row(r), run[t].entries.width(),
                           [&](std::size_t bit) { out.insert({t, r, bit}); });
  return out;
}

row_moves link_of(std::uint32_t from, std::uint32_t to, int kind, wf::logic::detail::adjacency a) {
  row_moves out;
  out.from = from;
  out.to = to;
  out.moves_rows = kind == 1;
  out.identity = kind == 2;
  if (kind != 2) out.pairs = static_cast<wf::logic::detail::adjacency&&>(a);
  return out;
}

}  // namespace

TEST_CASE("moves of all kinds between random row tensors end in their least fixpoint") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 460; ++i) {
    const bool large = i >= 400;  // with so many bits that they move within rows together
    const std::size_t tensors = 1 + random() % 3;
    const std::size_t rows = 1 + random() % (large ? 90 : 6);
    const std::size_t columns = 1 + random() % (large || i % 10 == 0 ? 140 : 6);
    std::vector<row_moves> links;
    for (std::size_t l = 1 + random() % 4; l > 0; --l) {
      const int kind = static_cast<int>(random() % 3);
      const std::size_t places = kind == 1 ? rows : columns;
      const std::size_t count = random() % (large ? 2 * places : 9);
      links.push_back(link_of(
          static_cast<std::uint32_t>(random() % tensors),
          static_cast<std::uint32_t>(random() % tensors), kind,
          wf_test::adjacency_of(wf_test::random_moves(random, places, places, count), places)));
    }
    std::set<boolean_entry> start;
    for (std::size_t n = random() % (large ? 2000 : 5); n > 0; --n)
      start.insert(
          {static_cast<std::uint32_t>(random() % tensors), random() % rows, random() % columns});
    CAPTURE(i);
    REQUIRE(moved(start, tensors, rows, columns, links) == all_moved(start, links));
  }
}

TEST_CASE("a queue that grows beyond its bound forgets what it has seen, and nothing else") {
  // A bit goes down from row 1,000 to row 2,999; in another tensor it goes up to row 0.
  const std::size_t rows = 3000;
  wf::logic::detail::adjacency forth, back;
  for (std::uint32_t r = 0; r <= rows; ++r) {
    forth.starts.push_back(r + 1 < rows ? r : static_cast<std::uint32_t>(rows - 1));
    back.starts.push_back(r == 0 ? 0 : r - 1);
    if (r + 1 < rows) forth.targets.push_back(r + 1);
    if (r != 0 && r < rows) back.targets.push_back(r - 1);
  }
  const std::vector<row_moves> links = {link_of(0, 0, 1, forth), link_of(0, 1, 2, {}),
                                        link_of(1, 1, 1, back)};
  const auto found = moved({{0, 1000, 3}}, 2, rows, 4, links);
  CHECK(found.size() == 2000 + rows);
}
