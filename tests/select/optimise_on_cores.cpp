// SPDX-License-Identifier: BSL-1.0
#include <wf/select/optimise_on_cores.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/choice/builtin.hpp>
#include <wf/registry/times/host_times.hpp>

namespace {

wf::graph formula(const std::string& text) {
  auto g = wf::equations("formula", {text.data(), text.size()});
  REQUIRE_MESSAGE(g, std::string(wf::to_text(g.error()).view()));
  return *g;
}

wf::plan_on_cores planned(const wf::graph_view& g, std::uint32_t cores) {
  auto made = wf::optimise_on_cores(g, cores, {}, wf::timed_registry());
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
  return *made;
}

// A product of four matrices.
const char* const chain = R"(
  input A : f64[60, 600]
  input B : f64[600, 60]
  input C : f64[60, 600]
  input D : f64[600, 60]
  Y = A*B*C*D
  export Y
)";
const char* const ridge = R"(
  input A : f64[300, 200] {full_rank}
  input L : f64[200, 200] {spd}
  input B : f64[300, 50]
  X = inv(trans(A)*A + L)*trans(A)*B
  export X
)";
const char* const solved = R"(
  input A : f64[400, 400] {full_rank}
  input B : f64[400, 100]
  input C : f64[100, 400]
  X = inv(A)*B*C + A
  export X
)";

}  // namespace

TEST_CASE("on one core it is the plan of least work") {
  const wf::graph g = formula(chain);
  const wf::plan_on_cores one = planned(g.view(), 1);
  const auto least =
      wf::optimise(g.view(), wf::minimise(wf::execution_time), {}, wf::timed_registry());
  REQUIRE(least);
  CHECK(one.made.proven_optimal);
  CHECK(one.made.value == least->value);
  CHECK(one.time.work_ns == least->value);
}

TEST_CASE("more cores never take longer, and the value is that of the chosen workflow") {
  for (const char* text : {chain, ridge, solved}) {
    CAPTURE(text);
    const wf::graph read = formula(text);
    std::int64_t before = INT64_MAX;
    for (const std::uint32_t cores : {1u, 2u, 4u}) {
      const wf::plan_on_cores p = planned(read.view(), cores);
      CHECK(p.made.proven_optimal);
      CHECK(p.made.value == p.time.least_ns());
      CHECK(p.made.value <= p.least_work.least_ns());
      CHECK(p.least_work.work_ns <= p.time.work_ns);
      CHECK(p.made.value <= before);
      before = p.made.value;
      const auto priced = wf::price_on_cores(p.made.chosen.view(), cores, wf::timed_registry());
      REQUIRE(priced);
      CHECK(*priced == p.time);
    }
  }
}

TEST_CASE("limits hold, and the explanation says what was traded") {
  const wf::graph g = formula(chain);
  const auto free = planned(g.view(), 2);
  const wf::limit limits[] = {wf::execution_time <= free.least_work.work_ns};
  const auto bound = wf::optimise_on_cores(g.view(), 2, limits, wf::timed_registry());
  REQUIRE(bound);
  CHECK(bound->time.work_ns == free.least_work.work_ns);
  const std::string text(wf::explain_cores(free).view());
  CHECK(text.find("on 2 cores: work ") == 0);
  CHECK((text.find("traded: ") != std::string::npos) ==
        (free.least_work.work_ns < free.time.work_ns));
  const wf::limit none[] = {wf::execution_time <= 1};
  CHECK(wf::optimise_on_cores(g.view(), 2, none, wf::timed_registry()).error().code ==
        wf::errc::infeasible);
  CHECK(wf::optimise_on_cores(g.view(), 0, {}, wf::timed_registry()).error().code ==
        wf::errc::invalid_problem);
}

TEST_CASE("with control edges the work is minimised, and the bound is that of the work") {
  wf::graph g = formula(
      "input A : f64[200, 200]; input B : f64[200, 200]; X = A*B; Y = B*A; export X; export Y");
  REQUIRE(g.view().nodes.size() == 2);
  g.add_edge(wf::edge_kind::control, static_cast<wf::node_id>(0), static_cast<wf::node_id>(1));
  const wf::plan_on_cores p = planned(g.view(), 2);
  CHECK(p.made.bound == (p.time.work_ns + 1) / 2);
  CHECK(p.made.value == p.time.least_ns());
}
