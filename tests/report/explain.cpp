// SPDX-License-Identifier: BSL-1.0
#include <wf/report/explain.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});

bool contains(wf::text_view text, const char* part) {
  return std::string(text).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a plan's story: value, proof, choices, reasons, costs") {
  const auto plan = wf::optimise(kalman.graph(), wf::minimise(wf::flops));
  REQUIRE(plan);
  const wf::metric_spec metrics[] = {wf::flops, wf::peak_memory};
  const auto registry = wf::builtin_registry();
  const auto story = wf::explain(*plan, metrics, registry);
  REQUIRE(story);
  for (const char* part : {"flops = 439, proven optimal", "S = add(", "[chain_order]",
                           "not matmul(", "every selection with it costs at least", "total"})
    CHECK(contains(story->view(), part));
  // Every rejected candidate of a used class has its line.
  std::size_t lines = 0;
  const std::string all(story->view());
  for (std::size_t at = all.find("      not "); at != std::string::npos;
       at = all.find("      not ", at + 1))
    ++lines;
  CHECK(lines == plan->selected.rejected.size());
}

TEST_CASE("the cost table adds up") {
  const wf::metric_spec metrics[] = {wf::flops};
  const auto registry = wf::builtin_registry();
  const auto table = wf::cost_table(kalman.graph(), metrics, registry);
  REQUIRE(table);
  CHECK(contains(table->view(), "inverse(S)"));
  CHECK(contains(table->view(), "705"));
}
