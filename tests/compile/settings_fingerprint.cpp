// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/settings_fingerprint.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/cache/cached.hpp>
#include <wf/compile/toolchain.hpp>
#include <wf/registry/registry.hpp>

namespace {

constexpr wf::kernel_spec twice{.name = "twice",
                                .domain = "mine",
                                .signature = "X: number [...] -> Y[...]",
                                .costs = {{"flops", "Y"}}};
constexpr wf::kernel_spec thrice{.name = "thrice",
                                 .domain = "mine",
                                 .signature = "X: number [...] -> Y[...]",
                                 .costs = {{"flops", "2*Y"}}};

wf::registry with(std::vector<wf::kernel_spec> kernels) {
  wf::registry r = wf::builtin_registry();
  for (const wf::kernel_spec& k : kernels) REQUIRE(r.add(k));
  return r;
}

wf::digest128 plan_identity(const wf::compile_settings& s) {
  return wf::step_identity(wf::planning_toolchain(s));
}

using planning = decltype(wf::planning_toolchain(wf::compile_settings{}));
using placing = decltype(wf::placing_toolchain(wf::compile_settings{}));
static_assert(wf::has_visible_state<planning> && wf::has_visible_state<placing>);
static_assert(wf::fingerprint_of(wf::flops_::spec) != wf::fingerprint_of(wf::macs_::spec));

}  // namespace

TEST_CASE("a registry counts by what its kernels say, in any order") {
  CHECK(wf::fingerprint_of(with({twice, thrice})) == wf::fingerprint_of(with({thrice, twice})));
  CHECK(wf::fingerprint_of(with({twice})) != wf::fingerprint_of(with({thrice})));
  CHECK(wf::fingerprint_of(with({twice})) != wf::fingerprint_of(with({})));
  wf::kernel_spec dearer = twice;
  dearer.costs[0] = {"flops", "5*Y"};
  CHECK(wf::fingerprint_of(with({twice})) != wf::fingerprint_of(with({dearer})));
  wf::kernel_spec differentiable = twice;
  differentiable.adjoint = "dX = 2 dY";
  CHECK(wf::fingerprint_of(with({twice})) != wf::fingerprint_of(with({differentiable})));
  wf::registry elsewhere = with({twice});
  elsewhere.set_caches({1 << 20});
  CHECK(wf::fingerprint_of(with({twice})) != wf::fingerprint_of(elsewhere));
}

TEST_CASE("each setting tells plans apart") {
  const wf::compile_settings usual;
  CHECK(plan_identity(usual) == plan_identity({}));
  std::vector<wf::compile_settings> others(11, usual);
  others[0].goal = wf::minimise(wf::bytes);
  others[1].limits.push_back(wf::peak_memory <= 1000);
  others[2].limits.push_back(wf::peak_memory <= 1001);
  others[3].kernels = with({twice});
  others[4].lint.warnings_as_errors = true;
  others[5].allowed = wf::algebra::real;
  others[6].optimise.transforms = {};
  others[7].optimise.search.max_nodes = 5;
  others[8].types.unify_symbols = true;
  others[9].optimise.growth.beam.width = 2;
  others[10].optimise.growth.max_steps = 1000;
  std::vector<wf::digest128> seen{plan_identity(usual)};
  for (std::size_t i = 0; i < others.size(); ++i) {
    CAPTURE(i);
    const wf::digest128 one = plan_identity(others[i]);
    for (const wf::digest128& other : seen) CHECK(one != other);
    seen.push_back(one);
  }
}

TEST_CASE("a plan can be kept in memory without a version") {
  const auto store = wf::in_memory<wf::plan>();
  const auto sum = wf::capture("sum", [](wf::scope& s) {
    auto a = s.input<double>("a", wf::shape::of(3));
    s.output("y", a + a);
  });
  const auto steps =
      wf::default_toolchain().wrap<"plan">([&](auto s) { return wf::cached(s, store); });
  CHECK(steps.until<"plan">(wf::workflow_definition{"sum", nullptr}).error().step.view() ==
        "capture");
  CHECK(steps.between<"plan", "plan">(*sum)->value == 3);
  CHECK(steps.between<"plan", "plan">(*sum)->value == 3);
  CHECK(store.counters().hits == 1);
}
