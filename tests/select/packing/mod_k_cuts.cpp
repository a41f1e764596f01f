// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/mod_k_cuts.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/packing/simplex.hpp>

#include "../hard_model.hpp"
#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("half of the rows of an odd ring are a cut, modulo 2 alone") {
  const wf::detail::packing_model m = odd_ring(7);
  const wf::table<double> share(m.values, 0.5);
  for (const std::int64_t modulus : {2, 3, 5}) {
    CAPTURE(modulus);
    wf::detail::mod_k_separator separator(m);
    wf::detail::cut_chooser chooser;
    separator.find(share, {}, modulus, 1e-6, chooser);
    const auto found = chooser.choose(m.values);
    CHECK(found.empty() == (modulus != 2));
    if (found.empty()) continue;
    CHECK(found[0].divisor == 2);
    CHECK(found[0].most == 3);
    CHECK(found[0].value.size() == 7);
  }
}

TEST_CASE("mod-k cuts hold for every solution, whatever the shares") {
  std::mt19937 random(641);
  int found = 0;
  for (int round = 0; round < 1'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = hard_model(random);
    const wf::detail::packing_state state(m);
    wf::detail::packing_simplex simplex(m);
    simplex.reset(state);
    if (simplex.solve(state, 1e30, 1000, 10'000) != wf::detail::simplex_status::optimal) continue;
    const wf::table<double> share = simplex.shares();
    wf::detail::mod_k_separator separator(m);
    wf::detail::cut_chooser chooser;
    for (const std::int64_t modulus : {2, 3}) separator.find(share, {}, modulus, 0.11, chooser);
    for (const auto& cut : chooser.choose(m.values)) {
      ++found;
      CHECK((cut.divisor == 2 || cut.divisor == 3));
      CHECK(std::is_sorted(cut.value.begin(), cut.value.end()));
      bool valid = true;
      for_each_solution(m, [&](const std::vector<std::uint32_t>& s) {
        const auto taken = [&](std::uint32_t v) { return s[m.owner[v]] == v ? 1.0 : 0.0; };
        valid = valid && use(cut, taken) < static_cast<double>(cut.most) + 0.01;
      });
      CHECK(valid);
    }
  }
  CHECK(found > 100);
}
