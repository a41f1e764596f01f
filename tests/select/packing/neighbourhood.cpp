// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/neighbourhood.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("neighbourhoods hold the choice that they are around, and only what is alive") {
  std::mt19937 random(591);
  int whole = 0, part = 0;
  for (int round = 0; round < 1'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    const wf::table<std::uint32_t> chosen = random_choice(m, random);
    wf::detail::packing_choice base(m);
    base.load(chosen);
    wf::table<std::uint8_t> alive(m.values);
    for (std::uint8_t& a : alive) a = random() % 4 != 0;
    wf::table<std::int64_t> above(m.values);
    for (std::int64_t& a : above) a = below(random, 5'000);
    wf::detail::packing_neighbourhoods first(m), second(m);
    for (int i = 0; i < 12; ++i) {
      const wf::table<std::uint8_t>& next = first.next(base, alive, above, 6'000);
      CHECK(next == second.next(base, alive, above, 6'000));
      std::uint32_t open = 0, left = 0;
      for (std::uint32_t v = 0; v < m.values; ++v) {
        open += next[v] != 0;
        left += alive[v] != 0;
        CHECK((!next[v] || alive[v]));
        if (alive[v] && base.taken(m.owner[v]) == v) CHECK(next[v]);
      }
      (open == left ? whole : part) += 1;
      first.learn(i % 3 == 0);
      second.learn(i % 3 == 0);
    }
  }
  CHECK(whole > 100);
  CHECK(part > 100);
}
