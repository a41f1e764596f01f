// SPDX-License-Identifier: BSL-1.0
#include <wf/run/parallel/hazards.hpp>

#include <random>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace {

using pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

// Pairs of steps that access an element in common, one of them writing, with every pair that
// follows from others.
pairs conflicts(const std::vector<wf::storage_access>& accesses) {
  pairs out;
  for (const wf::storage_access& a : accesses)
    for (const wf::storage_access& b : accesses)
      if (a.step < b.step && a.space == b.space && (a.is_written || b.is_written) &&
          a.begin < a.end && b.begin < b.end && a.begin < b.end && b.begin < a.end)
        out.insert({a.step, b.step});
  return out;
}
pairs closure(pairs known, std::uint32_t steps) {
  for (std::uint32_t k = 0; k < steps; ++k)
    for (std::uint32_t i = 0; i < k; ++i)
      for (std::uint32_t j = k + 1; j < steps; ++j)
        if (known.contains({i, k}) && known.contains({k, j})) known.insert({i, j});
  return known;
}
pairs found(const std::vector<wf::storage_access>& accesses) {
  pairs out;
  for (const wf::step_dependence& d :
       wf::hazards_of(wf::view<wf::storage_access>(accesses.data(), accesses.size())))
    out.insert({d.before, d.after});
  return out;
}

}  // namespace

TEST_CASE("a step waits for writers of what it reads and for all users of what it writes") {
  const std::vector<wf::storage_access> accesses = {
      {0, 0, 0, 8, true}, {1, 0, 0, 4, false}, {2, 0, 4, 8, false}, {3, 0, 4, 6, true}};
  CHECK(found(accesses) == pairs{{0, 1}, {0, 2}, {0, 3}, {2, 3}});
}

TEST_CASE("reads of one element do not wait for each other, nor do spaces") {
  CHECK(found({{0, 0, 0, 4, false}, {1, 0, 0, 4, false}}).empty());
  CHECK(found({{0, 0, 0, 4, true}, {1, 1, 0, 4, true}}).empty());
  CHECK(found({{0, 0, 4, 4, true}, {1, 0, 0, 8, true}}).empty());
}

TEST_CASE("hazards of random accesses order exactly the steps in conflict") {
  std::mt19937_64 random(20261128);
  std::size_t ordered = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto below = [&](std::uint64_t n) { return random() % n; };
    const auto steps = static_cast<std::uint32_t>(2 + below(9));
    std::vector<wf::storage_access> accesses;
    for (std::uint32_t step = 0; step < steps; ++step)
      for (const bool writes : {false, true})
        for (std::uint64_t k = below(3); k > 0; --k) {
          const std::uint64_t begin = below(12);
          accesses.push_back(
              {step, static_cast<std::uint32_t>(below(2)), begin, begin + below(6), writes});
        }
    const pairs wanted = conflicts(accesses), made = found(accesses);
    // Nothing waits without a conflict, and every conflict is ordered.
    for (const auto& each : made) CHECK(wanted.contains(each));
    CHECK(closure(made, steps) == closure(wanted, steps));
    ordered += wanted.size();
  }
  CHECK(ordered > 9000);
}
