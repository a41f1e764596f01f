// SPDX-License-Identifier: BSL-1.0
#include <wf/report/explain.hpp>

#include <doctest/doctest.h>

#include <wf/core/units.hpp>

#include "golden.hpp"
#include "samples.hpp"

using namespace wf::literals;
using samples::contains, samples::count, samples::kalman;

TEST_CASE("a plan's story: value, proof, choices, reasons, costs") {
  const auto plan = wf::optimise(kalman.graph(), wf::minimise(wf::flops));
  REQUIRE(plan);
  const wf::metric_spec metrics[] = {wf::flops, wf::peak_memory};
  const auto registry = wf::builtin_registry();
  const auto story = wf::explain(*plan, metrics, registry);
  REQUIRE(story);
  for (const char* part : {"flops = 439, proven optimal", "S = add(", "[chain_order]",
                           "not matmul(", "K = solve_right(matmul(P, transpose(H)), S)",
                           "every selection with it costs at least", "total"})
    CHECK(contains(story->view(), part));
  CHECK_FALSE(contains(story->view(), "%"));
  // Every rejected candidate of a used class has its line.
  CHECK(count(story->view(), "      not ") == plan->selected.rejected.size());
}

TEST_CASE("golden: the story of a plan") {
  const wf::metric_spec metrics[] = {wf::flops, wf::bytes, wf::peak_memory};
  const auto registry = wf::builtin_registry();
  const wf::limit limits[] = {wf::peak_memory <= 8_KiB};
  const auto plan = wf::optimise(kalman.graph(), wf::minimise(wf::flops), limits);
  REQUIRE(plan);
  const auto story = wf::explain(*plan, metrics, registry);
  REQUIRE(story);
  golden::check("kalman_plan.txt", story->view());
  // The README quotes how it begins.
  const auto readme = std::filesystem::path(WF_GOLDEN_FOLDER) / "../../../README.md";
  std::ifstream stream(readme);
  REQUIRE(stream);
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t first = page.find("```\n" + std::string(story->view()).substr(0, 20));
  REQUIRE(first != std::string::npos);
  const std::string quoted = page.substr(first + 4, page.find("```", first + 4) - first - 4);
  CHECK(quoted == std::string(story->view()).substr(0, quoted.size()));
}
