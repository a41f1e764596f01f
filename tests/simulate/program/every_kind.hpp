// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/program/program.hpp>

// A program with every kind of resource, as `wf::source_of` writes it.
// clang-format off
constexpr wf::sim_program generated() {
  using enum wf::sim_resource;
  wf::sim_program p;
  p.platform.slots = {2, 1};
  p.platform.cores = {{0.3333333333333333, 4}};
  p.platform.links = {{10, 3, 0}};
  p.platform.bandwidths = {0.1, 0x1.93e5939a08ceap+99, 0x1.4484bfeebc2ap-100};
  p.platform.routes = {{{0, 2}, 5, 1.0}, {{2, 1}, 0, 0.2857142857142857}};
  p.platform.route_links = {0, 1, 2};
  p.platform.meshes = {{2, 3, 4, 8, 2, 3, 1, 2, 16, 4}};
  p.activities = {{7, 1, slots, -2, {0, 2}}, {100, 0, cores, 0, {2, 1}}, {64, 0, link, 0, {3, 1}},
      {12, 0, route, 3, {4, 1}}, {80, 5, mesh, 0, {0, 0}}};
  p.successors = {1, 2, 3,
      3, 4};
  return p;
}
