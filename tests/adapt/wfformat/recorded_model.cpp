// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/recorded_model.hpp>

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "small_file.hpp"

using wf::wfformat::engine_constants;
using wf::wfformat::recorded_model;

TEST_CASE("each constant costs its load where nothing overlaps") {
  const auto model = recorded_model::of(*wf::wfformat::parse(wf_test::small_file));
  REQUIRE(model);
  CHECK(*model->makespan({}) == doctest::Approx(1.5 + 4 + 0.25));
  CHECK(model->load().levels == 3);
  CHECK(model->load().tasks == 4);
  CHECK(model->load().share == 3);
  // a reads its input, c reads q of a on another machine (0 bytes), d reads s of c.
  CHECK(model->load().gigabytes == doctest::Approx(1040e-9));
  CHECK(*model->makespan({.latency = 10}) == doctest::Approx(5.75 + 30));
  CHECK(*model->makespan({.submission = 10}) == doctest::Approx(5.75 + 40));
  CHECK(*model->makespan({.staging = 10}) == doctest::Approx(5.75 + 30));
  CHECK(*model->makespan({.transfer = 1e9}) == doctest::Approx(5.75 + 1040));
}

TEST_CASE("a machine starts one task after the other") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  all.workflow.execution->tasks[2].machines = {wf::wfformat::string("m1")};
  const auto model = recorded_model::of(all);
  CHECK(model->load().share == 4);
  // a at 10, b at 21.5, c at 31.5 until 35.5, d from 45.5 on
  CHECK(*model->makespan({.staging = 10}) == doctest::Approx(45.75));
}

TEST_CASE("tasks without a machine hold a core while they start and copy") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  all.workflow.execution->machines.resize(1);
  all.workflow.execution->machines[0].cpu->core_count = 1;
  for (auto& t : all.workflow.execution->tasks) t.machines = {};
  const auto model = recorded_model::of(all);
  REQUIRE(model);
  CHECK(*model->makespan({.staging = 10}) == doctest::Approx(7.75 + 40));
  const double moved = 1e-9 * (1000 + 200 + 0 + 200 + 300 + 0 + 40 + 340 + 5);
  CHECK(*model->makespan({.transfer = 1e9}) == doctest::Approx(7.75 + 1e9 * moved));
}

TEST_CASE("constants out of range are refused") {
  const auto model = recorded_model::of(*wf::wfformat::parse(wf_test::small_file));
  for (const double wrong : {-1.0, std::nan(""), double(INFINITY)})
    for (std::size_t k = 0; k < engine_constants::count; ++k) {
      engine_constants c;
      c[k] = wrong;
      CHECK(model->makespan(c).error().code == wf::errc::invalid_problem);
    }
  CHECK(model->makespan({.latency = 1e13}).error().code == wf::errc::overflow);
}
