// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/recorded_model.hpp>

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "small_file.hpp"

using wf::wfformat::engine_constants;
using wf::wfformat::recorded_model;

TEST_CASE("each constant costs its load") {
  const auto model = recorded_model::of(*wf::wfformat::parse(wf_test::small_file));
  REQUIRE(model);
  CHECK(model->ideal() == doctest::Approx(1.5 + 4 + 0.25));
  CHECK(*model->makespan({}) == model->ideal());
  CHECK(model->load().levels == 3);
  CHECK(model->load().tasks == 4);
  CHECK(model->load().share == 3);
  // a reads its input, c reads q of a on another machine (0 bytes), d reads s of c.
  CHECK(model->load().gigabytes == doctest::Approx(1040e-9));
  CHECK(*model->makespan({.latency = 10}) == doctest::Approx(5.75 + 30));
  CHECK(*model->makespan({.submission = 10}) == doctest::Approx(5.75 + 40));
  CHECK(*model->makespan({.staging = 10}) == doctest::Approx(5.75 + 30));
  CHECK(*model->makespan({.transfer = 1e9}) == doctest::Approx(5.75 + 1040));
  CHECK(*model->makespan({.latency = 1, .submission = 2, .staging = 3, .transfer = 4e9}) ==
        doctest::Approx(5.75 + 3 + 8 + 9 + 4160));
}

TEST_CASE("the staging of the machine with most tasks counts, and no file that it has itself") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  all.workflow.execution->tasks[2].machines = {wf::wfformat::string("m1")};
  const auto model = recorded_model::of(all);
  CHECK(model->load().share == 4);
  CHECK(model->load().gigabytes == doctest::Approx(1000e-9));
  all.workflow.execution->tasks[3].machines = {wf::wfformat::string("m2")};
  CHECK(recorded_model::of(all)->load().share == 3);
}

TEST_CASE("tasks without a machine share all cores and copy all files") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  all.workflow.execution->machines.resize(1);
  all.workflow.execution->machines[0].cpu->core_count = 1;
  for (auto& t : all.workflow.execution->tasks) t.machines = {};
  const auto model = recorded_model::of(all);
  REQUIRE(model);
  CHECK(model->ideal() == doctest::Approx(7.75));
  CHECK(model->load().share == 4);
  CHECK(model->load().gigabytes ==
        doctest::Approx(1e-9 * (1000 + 200 + 0 + 200 + 300 + 0 + 40 + 340 + 5)));
}

TEST_CASE("constants out of range are refused") {
  const auto model = recorded_model::of(*wf::wfformat::parse(wf_test::small_file));
  for (const double wrong : {-1.0, std::nan(""), double(INFINITY)})
    for (std::size_t k = 0; k < engine_constants::count; ++k) {
      engine_constants c;
      c[k] = wrong;
      CHECK(model->makespan(c).error().code == wf::errc::invalid_problem);
    }
}
