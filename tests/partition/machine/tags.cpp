// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/tags.hpp>

#include <map>
#include <random>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("paths are equal if their steps are, and begin with their beginnings") {
  std::mt19937_64 random(7);
  wf::execution_tags tags;
  std::map<std::vector<std::uint64_t>, std::uint32_t> known{{{}, wf::execution_tags::always}};
  for (int k = 0; k < 2000; ++k) {
    std::vector<std::uint64_t> path;
    std::uint32_t tag = wf::execution_tags::always;
    for (auto n = random() % 5; n > 0; --n) {
      path.push_back(random() % 3 == 0 ? std::uint64_t{1} << 63 | random() % 3 : random() % 4);
      tag = tags.extend(tag, path.back());
    }
    const auto [at, is_new] = known.emplace(path, tag);
    REQUIRE(at->second == tag);
    REQUIRE(tags.length(tag) == path.size());
    if (!path.empty()) {
      REQUIRE(tags.last_step(tag) == path.back());
      REQUIRE(tags.extend(tags.before(tag), path.back()) == tag);
    }
    const wf::table<std::uint64_t> steps = tags.steps(tag);
    REQUIRE(std::vector<std::uint64_t>(steps.begin(), steps.end()) == path);
  }
  for (const auto& [a, tag_a] : known)
    for (const auto& [b, tag_b] : known) {
      const bool begins = b.size() <= a.size() &&
                          std::vector<std::uint64_t>(
                              a.begin(), a.begin() + static_cast<std::ptrdiff_t>(b.size())) == b;
      REQUIRE(tags.begins_with(tag_a, tag_b) == begins);
    }
  CHECK(known.size() > 300);
}
