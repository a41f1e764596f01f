// SPDX-License-Identifier: BSL-1.0
#include <wf/report/graph/explain.hpp>

#include <doctest/doctest.h>

#include <wf/core/units.hpp>

#include "../golden.hpp"
#include "../samples.hpp"

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
  // Every rejected candidate of a used class has a line.
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
  // The README quotes the beginning.
  const auto readme = std::filesystem::path(WF_GOLDEN_FOLDER) / "../../../README.md";
  std::ifstream stream(readme);
  REQUIRE(stream);
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t first = page.find("```\n" + std::string(story->view()).substr(0, 20));
  REQUIRE(first != std::string::npos);
  const std::string quoted = page.substr(first + 4, page.find("```", first + 4) - first - 4);
  CHECK(quoted == std::string(story->view()).substr(0, quoted.size()));
}

namespace {

// Proposes Cholesky for every inverse, and the sum with itself for every inverse by Cholesky.
wf::result<wf::nothing> by_cholesky(wf::choice_graph& c, wf::node_id id) {
  const wf::value_id a = c.inputs_of(id)[0];
  const auto made = c.add(wf::kernels::inverse_cholesky, {&a, 1});
  if (!made) return made.error();
  c.unite(c.result_of(id), *made);
  return wf::nothing{};
}
wf::result<wf::nothing> by_turning(wf::choice_graph& c, wf::node_id id) {
  const wf::value_id x = c.result_of(id);
  const auto made = c.add(wf::kernels::transpose, {&x, 1});
  if (!made) return made.error();
  c.unite(x, *made);
  return wf::nothing{};
}

}  // namespace

TEST_CASE("a story says by which steps candidates came to be, and what growth left out") {
  const wf::transform steps[] = {{"user", "cholesky", "", &by_cholesky, true, "inverse"},
                                 {"user", "turn", "", &by_turning, true, "inverse_cholesky"}};
  const auto g = wf::capture(
      "inverted", [](wf::scope& s) { s.output<"B">(inv(s.input<"A", double, 4, 4>(wf::spd))); });
  REQUIRE(g);
  const auto told = [&](const wf::growth_limits& limits) {
    wf::optimise_options options;
    options.transforms = steps;
    options.growth = limits;
    const auto registry = wf::builtin_registry();
    const auto plan = wf::optimise(g->view(), wf::minimise(wf::flops), {}, registry, options);
    REQUIRE(plan);
    const auto story = wf::explain(*plan, {}, registry, steps);
    REQUIRE(story);
    return std::string(story->view());
  };
  const std::string all = told({});
  CHECK(contains(all, "B = inverse_cholesky(A)   [cholesky]"));
  CHECK(contains(all, "not transpose(B) [turn from inverse_cholesky(A), by cholesky]"));
  CHECK(contains(all, "proven optimal among its alternatives"));
  CHECK_FALSE(contains(all, "growth:"));
  CHECK_FALSE(contains(all, "beam:"));
  CHECK(contains(told({.max_nodes = 2}), "growth: stopped by the limit on nodes after 1 steps\n"));
  const std::string one = told({.beam = {.width = 1}});
  CHECK(contains(one, "proven optimal among the candidates kept"));
  CHECK(contains(one, "beam: at most 1 candidates a class, 2 dropped\n"));
}
