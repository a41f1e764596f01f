// SPDX-License-Identifier: BSL-1.0
#include <wf/report/simulation/utilisation_svg.hpp>

#include <doctest/doctest.h>

#include "../samples.hpp"
#include "accounts.hpp"

using samples::contains, samples::count;

TEST_CASE("every host and link that was used has a panel") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const wf::run_account a = accounts::random_account(seed);
    const auto usage = wf::utilisation_of(a);
    std::size_t panels = 0;
    for (std::size_t r = 0; r < usage.size(); ++r)
      panels += usage[r].tasks != 0 && a.resources[r].role != wf::run_role::delay ? 1 : 0;
    const wf::text svg = wf::run_utilisation_svg(a);
    REQUIRE(count(svg.view(), "class=\"use\"") == panels);
    REQUIRE(accounts::well_formed(svg.view()));
    REQUIRE(svg == wf::run_utilisation_svg(a));
  }
}

TEST_CASE("a panel has the steps of its resource, up to its capacity") {
  wf::sim_program_builder b;
  b.platform.slots = {2};
  b.add(wf::sim_resource::slots, 0, 50);
  b.add(wf::sim_resource::slots, 0, 100);
  const wf::sim_program p = b.take();
  wf::run_account a = wf::account_of(p, *wf::simulate(p));
  a.resources[0].label = "<host>";
  const wf::text svg = wf::run_utilisation_svg(a);
  CHECK(contains(svg.view(), "d=\"M0 30H0V6H500V18H1000V30Z\"><title>&lt;host&gt;</title>"));
  CHECK(contains(svg.view(), ">75 %</text>"));
  CHECK(contains(wf::run_utilisation_svg(a, 200).view(), "d=\"M0 30H0V6H250V18H500V30Z\""));
  CHECK(contains(wf::run_utilisation_svg(a, 200).view(), ">75 %</text>"));
}

TEST_CASE("a run of any size has a bounded picture") {
  const wf::text svg = wf::run_utilisation_svg(accounts::large_account(100'000, 300));
  CHECK(count(svg.view(), "class=\"use\"") == 120);
  CHECK(svg.size() < 1'000'000);
  CHECK(accounts::well_formed(svg.view()));
}
