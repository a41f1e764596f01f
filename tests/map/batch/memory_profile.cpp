// SPDX-License-Identifier: BSL-1.0
#include <algorithm>

#include <doctest/doctest.h>

#include <wf/map/batch/memory_profile.hpp>

#include "../random_mapping.hpp"

namespace {

/// a on PE 0 (8 bytes of result), then its reader b on PE 1.
constexpr wf::table<wf::memory_profile> of_a_pair() {
  wf::workload w;
  wf::workload_operator o;
  o.macs = 16;
  o.output_bytes = 8;
  o.first_axis = 4;
  w.add(o);
  w.add(o);
  w.connect(0, 1, 8);
  wf::pe_array a;
  a.columns = 2;
  a.memory_bytes = 100;
  a.link_bytes_per_cycle = 8;
  const wf::placement_request requests[] = {{0, {0, 0, 1, 1}, 0}, {1, {0, 1, 1, 1}, 0}};
  return wf::memory_profiles(*wf::arrange(w, a, requests), w);
}
// Until b has finished, PE 0 holds the result, and PE 1 a copy of it and the result of b.
static_assert(of_a_pair()[0] == wf::memory_profile{{0, 8}, {33, 0}});
static_assert(of_a_pair()[1] == wf::memory_profile{{17, 16}, {33, 0}});

}  // namespace

TEST_CASE("profiles rise to the high-water marks of random mappings, and end empty") {
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 1, 9, 2, 3);
    const auto m = wf_test::random_mapping(random, w, a);
    if (!m) continue;
    ++count;
    const auto profiles = wf::memory_profiles(*m, w);
    REQUIRE(profiles.size() == 6);
    for (std::size_t e = 0; e < 6; ++e) {
      std::int64_t most = 0;
      for (std::size_t i = 0; i < profiles[e].size(); ++i) {
        most = std::max(most, profiles[e][i].bytes);
        if (i == 0) continue;
        REQUIRE(profiles[e][i].time > profiles[e][i - 1].time);
        REQUIRE(profiles[e][i].bytes != profiles[e][i - 1].bytes);
      }
      REQUIRE(most == m->high_water[e]);
      if (!profiles[e].empty()) REQUIRE(profiles[e].back().bytes == 0);
    }
  }
  CHECK(count > 1000);
}
