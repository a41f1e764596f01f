// SPDX-License-Identifier: BSL-1.0
#include <linalg/near_best.hpp>
#include <linalg/scatter.hpp>

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>

TEST_CASE("near plans are distinct, the fastest one first, and none is much slower") {
  const auto captured = wf::equations(
      "chain",
      "input A : f64[60,50]; input B : f64[50,40]; input C : f64[40,30]; input D : f64[30,20];"
      "Y = A*B*C*D; export Y");
  REQUIRE(captured);
  auto plans =
      linalg_benchmark::near_plans(captured->view(), wf::builtin_transforms()).find(20, 2, [] {
        return true;
      });
  REQUIRE(plans);
  // The plans among five orders with at most twice the least predicted time, and the plan of least
  // flops.
  CHECK(plans->size() >= 2);
  CHECK(plans->size() <= 5);
  CHECK((*plans)[0].by_time);
  const auto by_flops = [](const auto& p) { return p.by_flops; };
  REQUIRE(std::any_of(plans->begin(), plans->end(), by_flops));
  double least = 1e300;
  for (const auto& p : *plans) least = std::min(least, p.flops);
  for (std::size_t i = 0; i < plans->size(); ++i) {
    const auto& p = (*plans)[i];
    CHECK(p.predicted >= (*plans)[0].predicted);
    CHECK((p.by_flops || p.predicted <= 2 * (*plans)[0].predicted));
    if (p.by_flops) CHECK(p.flops == least);
    for (std::size_t k = 0; k < i; ++k) CHECK(p.candidates != (*plans)[k].candidates);
  }
}

TEST_CASE("a picture of times has a dot for each plan") {
  CHECK(linalg_benchmark::scatter_picture({}).empty());
  const std::string made =
      linalg_benchmark::scatter_picture({{1e-3, 2e-3, true, "a<b"}, {1e-5, 3e-5, false, "c"}});
  CHECK(made.starts_with("<svg"));
  std::size_t dots = 0;
  for (std::size_t at = made.find("<circle"); at != std::string::npos;
       at = made.find("<circle", at + 1))
    ++dots;
  CHECK(dots == 2);
  CHECK(made.find("a&lt;b") != std::string::npos);
}
