// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/enumerate.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

namespace {

wf::detail::packing_model random_knapsack(std::mt19937& random) {
  wf::detail::packing_model m;
  const int classes = 1 + static_cast<int>(random() % 5);
  for (int k = 0; k < classes; ++k) {
    m.add_class();
    for (int v = 1 + static_cast<int>(random() % 4); v > 0; --v)
      m.add_value(static_cast<int>(random() % 20), wf::detail::packing_model::none);
  }
  for (int l = 1 + static_cast<int>(random() % 3); l > 0; --l) {
    m.capacity.push_back(static_cast<int>(random() % 40));
    for (std::uint32_t v = 0; v < m.values; ++v)
      m.weight.push_back(static_cast<int>(random() % 15));
  }
  finish_flat(m);
  return m;
}

// All remaining selections, by definition.
std::vector<std::vector<std::uint32_t>> all_within(const wf::detail::packing_model& m,
                                                   const wf::detail::packing_state& s,
                                                   const wf::detail::packing_prices& p,
                                                   std::int64_t room) {
  std::vector<std::vector<std::uint32_t>> out;
  std::int64_t least = 0;
  for (std::uint32_t k = 0; k < m.classes; ++k) {
    std::int64_t own = wf::unbounded;
    for (const std::uint32_t v : s.left(k)) own = std::min(own, p.reduced(v));
    least += own;
  }
  for_each_solution(m, [&](const std::vector<std::uint32_t>& chosen) {
    std::int64_t cost = -least;
    bool is_left = true;
    for (const std::uint32_t v : chosen) {
      cost += p.reduced(v);
      is_left = is_left && s.alive[v];
    }
    if (is_left && cost < room) out.push_back(chosen);
  });
  return out;
}

}  // namespace

TEST_CASE("the enumerator hands out every selection with room, once") {
  std::mt19937 random(551);
  std::size_t total = 0, given_up = 0;
  for (int round = 0; round < 5'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_knapsack(random);
    REQUIRE(wf::detail::packing_enumerator::suits(m));
    wf::detail::packing_state s(m);
    for (std::uint32_t k = 0; k < m.classes; ++k)
      if (s.class_count[k] > 1 && random() % 3 == 0)
        s.leave(s.left(k)[random() % s.class_count[k]], k);
    wf::detail::packing_ascent ascent(m);
    wf::detail::packing_prices p = ascent.pricer().free_prices();
    ascent.pricer().set(p, s, [&](wf::detail::packing_duals& duals) {
      for (std::int64_t& price : duals.limit)
        price = static_cast<std::int64_t>(random() % (1 << 24));
    });
    const std::int64_t room =
        1 + static_cast<std::int64_t>(random() % 20) * ascent.pricer().scale();
    auto expected = all_within(m, s, p, room);
    std::vector<std::vector<std::uint32_t>> found;
    wf::detail::packing_enumerator enumerator(m);
    const auto keep = [&](const wf::table<std::uint32_t>& chosen) {
      found.emplace_back(chosen.begin(), chosen.end());
      return room;
    };
    REQUIRE(enumerator.run(s, p, room, 1'000'000, keep));
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    CHECK(found == expected);
    total += found.size();
    given_up += !enumerator.run(s, p, room, 3, keep);
  }
  CHECK(total > 4'000);
  CHECK(given_up > 1'000);
}

TEST_CASE("rows and cycles are not the enumerator's affair") {
  std::mt19937 random(552);
  wf::detail::packing_model m = random_knapsack(random);
  m.block[0] = 0;
  CHECK(!wf::detail::packing_enumerator::suits(m));
  m.block[0] = wf::detail::packing_model::none;
  CHECK(wf::detail::packing_enumerator::suits(m));
  m.capacity[0] = std::int64_t{1} << 60;
  CHECK(!wf::detail::packing_enumerator::suits(m));
}
