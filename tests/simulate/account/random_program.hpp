// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/program/builder.hpp>

#include <cstdint>
#include <random>

namespace wf_test {

/// A program on hosts with slots, shared hosts, links and routes; each activity waits for earlier
/// ones.
inline wf::sim_program random_program(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  wf::sim_program_builder b;
  b.platform.slots = {1, 2, wf::sim::slots::unlimited};
  b.platform.cores = {{1, 2}, {2, 1}};
  b.platform.links = {{3, 2, 0}, {0, 5, 0}};
  b.platform.bandwidths = {2, 5, 3};
  b.platform.routes = {{{0, 2}, 4, 1}, {{2, 2}, 0, 1}};
  b.platform.route_links = {0, 1, 1, 2};
  const std::uint32_t sizes[] = {3, 2, 2, 2};
  const std::uint32_t count = 1 + below(60);
  for (std::uint32_t a = 0; a < count; ++a) {
    const std::uint32_t kind = below(4);
    b.add(static_cast<wf::sim_resource>(kind), below(sizes[kind]), below(30));
    for (std::uint32_t k = below(3); a > 0 && k > 0; --k) b.connect(below(a), a);
  }
  return b.take();
}

}  // namespace wf_test
