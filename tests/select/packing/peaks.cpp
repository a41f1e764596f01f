// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/peaks.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

namespace {

// The least contribution of the peaks to a solution's cost, over all solutions and over those with
// each value; -1 if there are none.
struct least_peaks {
  std::int64_t all = -1;
  std::vector<std::int64_t> with;
};

least_peaks enumerate_peaks(const wf::detail::packing_model& m) {
  least_peaks out;
  out.with.assign(m.values, -1);
  const auto lower = [](std::int64_t& to, std::int64_t value) {
    if (to < 0 || value < to) to = value;
  };
  for_each_solution(m, [&](const std::vector<std::uint32_t>& chosen) {
    const std::int64_t cost = peaks_cost(m, chosen);
    lower(out.all, cost);
    for (const std::uint32_t v : chosen) lower(out.with[v], cost);
  });
  return out;
}

}  // namespace

TEST_CASE("peaks are bounded from below, with and without each value, and drop nothing possible") {
  std::mt19937 random(571);
  int compared = 0, dropped = 0, refuted = 0;
  while (compared < 1'500) {
    const wf::detail::packing_model m = random_model(random, true);
    if (choices(m) > 3'000) continue;
    ++compared;
    const least_peaks least = enumerate_peaks(m);
    const wf::detail::packing_state state(m);
    wf::detail::packing_peaks peaks(m);
    const std::int64_t scale = 8;
    std::vector<bool> gone(m.values, false);
    const bool possible = peaks.filter(state, scale, [&](std::uint32_t v) {
      gone[v] = true;
      return true;
    });
    refuted += !possible;
    REQUIRE((possible || least.all < 0));
    if (!possible || least.all < 0) continue;
    CHECK(peaks.extra() <= scale * least.all);
    for (std::uint32_t v = 0; v < m.values; ++v) {
      dropped += gone[v];
      if (least.with[v] < 0) continue;
      // A class that is not needed may have any value in a solution of the model.
      if (m.off[m.owner[v]] != wf::detail::packing_model::none) continue;
      CHECK(!gone[v]);
      CHECK(peaks.extra() + peaks.marginal(v) <= scale * least.with[v]);
    }
  }
  CHECK(dropped > 50);
  CHECK(refuted > 20);
}
