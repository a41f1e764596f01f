// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/cycle_cuts.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/packing/simplex.hpp>

#include "../hard_model.hpp"
#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("cycle cuts forbid rings of needs, and hold for every solution") {
  std::mt19937 random(631);
  int found = 0;
  for (int round = 0; round < 1'500; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = hard_model(random);
    // Shares as in a relaxation that mixes all values of a class.
    wf::table<double> share(m.values);
    for (std::uint32_t k = 0; k < m.classes; ++k) {
      const std::uint32_t taken = random_value(m, k, random);
      share[taken] = 1;
    }
    wf::detail::cycle_separator separator(m);
    wf::detail::cut_chooser chooser;
    separator.find(share, chooser);
    for (const auto& cut : chooser.choose(m.values)) {
      ++found;
      CHECK(cut.divisor == 0);
      CHECK(cut.terms.size() == static_cast<std::size_t>(cut.most) + 1);
      CHECK(use(cut, [&](std::uint32_t v) { return share[v]; }) >
            static_cast<double>(cut.most) + 0.01);
      bool valid = true;
      for_each_solution(m, [&](const std::vector<std::uint32_t>& s) {
        const auto taken = [&](std::uint32_t v) { return s[m.owner[v]] == v ? 1.0 : 0.0; };
        valid = valid && use(cut, taken) < static_cast<double>(cut.most) + 0.01;
      });
      CHECK(valid);
    }
  }
  CHECK(found > 20);
}
