// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/program/source.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <files.hpp>

#include "every_kind.hpp"

namespace {

// Every kind of resource, and numbers that are no short decimals.
constexpr wf::sim_program made() {
  wf::sim_program p;
  wf::sim_platform& f = p.platform;
  f.slots = {2, 1};
  f.cores = {{1.0 / 3, 4}};
  f.links = {{10, 3, 0}};
  f.bandwidths = {0.1, 1e30, 1e-30};
  f.routes = {{{0, 2}, 5, 1}, {{2, 1}, 0, 2.0 / 7}};
  f.route_links = {0, 1, 2};
  f.meshes = {{.rows = 2, .columns = 3}};
  using enum wf::sim_resource;
  p.activities = {{7, 1, slots, -2, {0, 2}},
                  {100, 0, cores, 0, {2, 1}},
                  {64, 0, link, 0, {3, 1}},
                  {12, 0, route, 3, {4, 1}},
                  {80, 5, mesh, 0, {}}};
  p.successors = {1, 2, 3, 3, 4};
  return p;
}

static_assert(*wf::simulate(made()) == *wf::simulate(generated()));

}  // namespace

TEST_CASE("the source of a program is a function that returns it") {
  const auto source = wf::source_of(made(), "generated");
  REQUIRE(source);
  const std::string path = __FILE__;
  const std::string header =
      wf_benchmark::read_whole(path.substr(0, path.rfind('/')) + "/every_kind.hpp");
  const std::string_view written(source->view().data(), source->size());
  CHECK(header.ends_with("// clang-format off\n" + std::string(written)));
  const auto again = wf::source_of(generated(), "generated");
  REQUIRE(again);
  CHECK(*again == *source);
}

TEST_CASE("a program that is not valid has no source") {
  wf::sim_program p = made();
  p.activities[0].resource = 2;
  CHECK(wf::source_of(p, "p").error().code == wf::errc::simulation_failed);
}
