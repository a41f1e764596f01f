// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/propagation.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

namespace {

// The solutions of a model, by enumeration.
std::vector<std::vector<std::uint32_t>> solutions(const wf::detail::packing_model& m) {
  std::vector<std::vector<std::uint32_t>> out;
  for_each_solution(m, [&](const std::vector<std::uint32_t>& s) { out.push_back(s); });
  return out;
}

bool is_left(const wf::detail::packing_state& s, const std::vector<std::uint32_t>& chosen) {
  for (const std::uint32_t v : chosen)
    if (!s.alive[v]) return false;
  return true;
}

}  // namespace

TEST_CASE("propagation loses no solution of its side, and what is undone is as it was") {
  std::mt19937 random(591);
  int dropped = 0, refuted = 0;
  for (int round = 0; round < 3'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 5'000) continue;
    const auto all = solutions(m);
    wf::detail::packing_propagator p(m, 1);
    if (!p.begin()) {
      CHECK(all.empty());
      ++refuted;
      continue;
    }
    for (const auto& s : all) CHECK(is_left(p.state(), s));
    for (int side = 0; side < 6; ++side) {
      const wf::detail::packing_state before = p.state();
      const std::uint32_t mark = p.mark(), v = below(random, m.values);
      const bool takes = random() % 2 == 0;
      if (!before.alive[v]) continue;
      const bool open = p.split(v, takes);
      dropped += static_cast<int>(p.mark() - mark);
      refuted += !open;
      for (const auto& s : all)
        if ((s[m.owner[v]] == v) == takes && is_left(before, s))
          CHECK((open && is_left(p.state(), s)));
      if (open && random() % 2 == 0) continue;  // continue deeper
      p.undo(mark);
      CHECK(p.mark() == mark);
      CHECK(p.state().alive == before.alive);
      CHECK(p.state().class_count == before.class_count);
      CHECK(p.state().part_count == before.part_count);
    }
  }
  CHECK(dropped > 3'000);
  CHECK(refuted > 300);
}
