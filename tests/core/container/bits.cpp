// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/bits.hpp>

#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("rows of bits behave like sets") {
  std::mt19937 random(103);
  const std::uint32_t size = 200, words = wf::detail::words_for(size);
  for (int round = 0; round < 200; ++round) {
    std::vector<wf::detail::word> a(words), b(words);
    std::set<std::uint32_t> x, y;
    for (int i = 0; i < 20; ++i) {
      const auto n = static_cast<std::uint32_t>(random() % size);
      if (random() % 4 == 0) {
        wf::detail::clear_bit(a.data(), n);
        x.erase(n);
      } else if (random() % 2 == 0) {
        wf::detail::set_bit(a.data(), n);
        x.insert(n);
      } else {
        wf::detail::set_bit(b.data(), n);
        y.insert(n);
      }
    }
    bool common = false;
    for (std::uint32_t n : x) common = common || y.count(n) != 0;
    CHECK(wf::detail::overlaps(a.data(), b.data(), words) == common);
    wf::detail::unite(a.data(), b.data(), words);
    x.insert(y.begin(), y.end());
    std::vector<std::uint32_t> seen;
    wf::detail::each_bit(a.data(), words, [&](std::uint32_t n) { seen.push_back(n); });
    CHECK(seen == std::vector<std::uint32_t>(x.begin(), x.end()));
    for (std::uint32_t n = 0; n < size; ++n)
      CHECK(wf::detail::has_bit(a.data(), n) == (x.count(n) != 0));
  }
}
