// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/relation/groups.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::logic::position;
using wf::logic::detail::row_groups;
using wf::logic::detail::tensor_store;

constexpr bool chains_while_compiling() {
  tensor_store s(2, false);
  std::uint32_t row = 0;
  for (position p = 0; p < 6; ++p) {
    const position at[] = {p, p % 2};
    s.add(at, 1, wf::projection::plain, row);
  }
  const std::uint32_t second[] = {1};
  const row_groups groups(s, second);
  const position one[] = {1}, two[] = {2};
  std::uint32_t digits = 0;
  const auto note = [&](std::uint32_t r) { return digits = 10 * digits + r, true; };
  return groups.each(one, 5, note) && digits == 31 && groups.each(two, 9, note) && digits == 31 &&
         !groups.each(one, 9, [](std::uint32_t) { return false; });
}
static_assert(chains_while_compiling());

// The rows of a key, in the order of the chain.
std::vector<std::uint32_t> chain(const row_groups& g, const std::vector<position>& key,
                                 std::uint32_t before = UINT32_MAX) {
  std::vector<std::uint32_t> out;
  g.each(key.data(), before, [&](std::uint32_t r) { return out.push_back(r), true; });
  return out;
}

}  // namespace

TEST_CASE("groups list the rows of each key, the youngest first, while the store grows") {
  const std::uint64_t seed = 6;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const std::vector<std::vector<std::uint32_t>> keys = {{0}, {2}, {1, 0}, {0, 1, 2}};
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    const std::vector<std::uint32_t>& key = keys[random() % keys.size()];
    // Few positions, then rows out of the bounds, then a range without a table.
    const position spread = round % 3 == 2 ? 1'000'000 : 1;
    const std::uint64_t outside = round % 3 == 1 ? 15 : 0;
    tensor_store s(3, round % 2 == 0);
    row_groups groups(s, wf::view<std::uint32_t>(key));
    REQUIRE(std::equal(key.begin(), key.end(), groups.key().begin(), groups.key().end()));
    std::multimap<std::vector<position>, std::uint32_t> expected;
    for (int batch = 0; batch < 6; ++batch) {
      for (std::size_t n = random() % 12; n > 0; --n) {
        position at[3];
        for (position& p : at) {
          p = (static_cast<position>(random() % 6) - 3) * spread;
          if (outside != 0 && random() % outside == 0) p += 5000;
        }
        std::uint32_t row = 0;
        if (s.add(at, 1, wf::projection::sum, row) != wf::logic::detail::added::row) continue;
        std::vector<position> of;
        for (std::uint32_t c : key) of.push_back(at[c]);
        expected.emplace(of, row);
      }
      groups.extend(s);
      if (batch >= round % 4) groups.count(s);
      if (random() % 2 == 0) groups.pack(0);
      std::size_t longest = 0;
      for (auto each = expected.begin(); each != expected.end();) {
        const auto [first, last] = expected.equal_range(each->first);
        std::vector<std::uint32_t> rows;
        for (auto e = first; e != last; ++e) rows.insert(rows.begin(), e->second);
        REQUIRE(chain(groups, each->first) == rows);
        if (batch >= round % 4) REQUIRE(groups.count_of(each->first.data()) == rows.size());
        longest = std::max(longest, rows.size());
        const std::uint32_t limit = rows[rows.size() / 2];
        REQUIRE(chain(groups, each->first, limit) ==
                std::vector<std::uint32_t>(
                    rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2) + 1, rows.end()));
        each = last;
      }
      REQUIRE(groups.longest() == (batch >= round % 4 ? longest : 0));
      std::vector<position> absent(key.size(), 4 * spread);
      REQUIRE(chain(groups, absent).empty());
      REQUIRE(groups.count_of(absent.data()) == 0);
      absent[0] = INT32_MIN;
      REQUIRE(chain(groups, absent).empty());
    }
  }
}
