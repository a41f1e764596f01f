// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/tiling_cache.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../random_workload.hpp"

namespace {

using wf_test::pick;

TEST_CASE("tilings from the cache are those of the predictor, and equal questions cost nothing") {
  std::mt19937_64 random(11);
  const wf::cycle_model model;
  wf::pe_array a;
  a.rows = a.columns = 4;
  a.memory_bytes = 1000;
  wf::detail::tiling_cache<wf::cycle_model> cache(a, model);
  std::uint64_t asked = 0;
  for (int i = 0; i < 3000; ++i) {
    wf::operator_load load;
    load.macs = 8 * pick(random, 0, 4);
    load.weight_bytes = 8 * pick(random, 0, 2);
    load.output_bytes = 8;
    load.first_axis = pick(random, 1, 3);
    load.second_axis = pick(random, 1, 2);
    load.made_bytes[pick(random, 0, 2)] = 8;
    const auto rows = static_cast<std::int32_t>(pick(random, 1, 4));
    const auto columns = static_cast<std::int32_t>(pick(random, 1, 4));
    wf::table<wf::tiling> direct;
    model.tilings(load, a, rows, columns, [&](const wf::tiling& t) { direct.push_back(t); });
    const wf::view<wf::tiling> cached = cache(load, rows, columns);
    REQUIRE(cached.size() == direct.size());
    for (std::size_t k = 0; k < direct.size(); ++k) REQUIRE(cached[k] == direct[k]);
    const std::uint64_t size = cache.size();
    const wf::range run = cache.find(load, rows, columns);
    REQUIRE(cache.size() == size);
    REQUIRE(cache.at(run).size() == direct.size());
    ++asked;
  }
  MESSAGE(cache.size() << " of " << asked << " questions were new");
  CHECK(cache.size() > 500);
  CHECK(cache.size() < asked);
}

}  // namespace
