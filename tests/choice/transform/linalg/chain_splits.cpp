// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/linalg/chain_splits.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using wf::transforms::detail::chain_split;
using wf::transforms::detail::chain_splits;

namespace {

constexpr chain_splits plain(const wf::table<double>& extents) {
  chain_splits out(extents);
  for (std::uint32_t i = 0; i + 1 < extents.size(); ++i) out.add_factor(i, i + 1);
  out.solve();
  return out;
}

// Cormen et al., 15.2: 30x35, 35x15, 15x5, 5x10, 10x20, 20x25 need 15,125.
static_assert(plain({30, 35, 15, 5, 10, 20, 25}).least(0, 6) == 15125);

// An order of a plain chain: its work and its splits.
struct order {
  double work = 0;
  std::vector<chain_split> splits;
};
std::vector<order> all_orders(const std::vector<double>& extents, std::uint32_t from,
                              std::uint32_t to) {
  if (to - from == 1) return {order{}};
  std::vector<order> out;
  for (std::uint32_t k = from + 1; k < to; ++k)
    for (const order& left : all_orders(extents, from, k))
      for (const order& right : all_orders(extents, k, to)) {
        order o{left.work + right.work + extents[from] * extents[k] * extents[to], left.splits};
        o.splits.insert(o.splits.end(), right.splits.begin(), right.splits.end());
        o.splits.push_back({from, k, to});
        out.push_back(o);
      }
  return out;
}

bool has(const wf::table<chain_split>& all, const chain_split& wanted) {
  return std::find(all.begin(), all.end(), wanted) != all.end();
}

}  // namespace

TEST_CASE("the splits of a chain are those of its cheapest orders") {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const auto factors = static_cast<std::uint32_t>(2 + random() % 7);
    std::vector<double> extents;
    wf::table<double> same;
    for (std::uint32_t i = 0; i <= factors; ++i) {
      extents.push_back(static_cast<double>(1 + random() % 9));
      same.push_back(extents.back());
    }
    CAPTURE(round);
    const chain_splits chain = plain(same);
    std::vector<order> orders = all_orders(extents, 0, factors);
    std::sort(orders.begin(), orders.end(),
              [](const order& a, const order& b) { return a.work < b.work; });
    CHECK(chain.least(0, factors) == orders[0].work);
    // Splits by the work of the cheapest order that contains them.
    std::map<double, std::set<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>>>
        by_work;
    std::set<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>> seen;
    for (const order& o : orders)
      for (const chain_split& s : o.splits)
        if (seen.insert({s.from, {s.middle, s.to}}).second)
          by_work[o.work].insert({s.from, {s.middle, s.to}});
    for (const std::size_t most : {std::size_t{1}, std::size_t{5}, std::size_t{10}}) {
      const auto chosen = chain.cheapest(most);
      CHECK(chosen.size() >= std::min(most, seen.size()));
      CHECK(chosen.size() <= most + factors);
      // Cheaper splits come before dearer ones, except for those that compute their runs.
      std::size_t cheaper = 0;
      for (const auto& [work, splits] : by_work) {
        if (cheaper + splits.size() > most) break;
        cheaper += splits.size();
        for (const auto& s : splits) CHECK(has(chosen, {s.first, s.second.first, s.second.second}));
      }
      // All runs can be computed: for each required run there is a split with both sides.
      for (const chain_split& s : chosen)
        for (const auto& [from, to] : {std::pair(s.from, s.middle), std::pair(s.middle, s.to)}) {
          const bool made = to - from == 1 ||
                            std::any_of(chosen.begin(), chosen.end(), [&](const chain_split& t) {
                              return t.from == from && t.to == to;
                            });
          CHECK(made);
        }
    }
    CHECK(chain.cheapest(1000).size() == seen.size());
    CHECK(seen.size() == (factors * factors * factors - factors) / 6);
  }
}

TEST_CASE("runs without factors cannot be multiplied, and a chain may go several ways") {
  chain_splits chain({2, 3, 4, 5});
  chain.add_factor(0, 2);
  chain.add_factor(2, 3);
  chain.solve();
  CHECK(chain.is_impossible(0, 1));
  CHECK(chain.is_impossible(1, 3));
  CHECK(chain.least(0, 3) == 2 * 4 * 5);
  CHECK(chain.cheapest(9).size() == 1);
  chain.add_factor(0, 1);
  chain.add_factor(1, 3);
  chain.solve();
  CHECK(chain.least(0, 3) == 2 * 3 * 5);
  CHECK(chain.cheapest(9).size() == 2);
  CHECK(chain.cheapest(9)[0] == chain_split{0, 1, 3});
}
