// SPDX-License-Identifier: BSL-1.0
#include <wf/calibrate/measure.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/operators/operators.hpp>

namespace {

using wf::calibration::measuring_options, wf::calibration::one_kernel;

constexpr auto always = [] { return true; };

measuring_options small() {
  measuring_options out;
  out.shapes = 12;
  out.largest_extent = 30;
  out.largest_flops = 1'000'000;
  out.caches.second = 4096;  // small operands must exceed it
  return out;
}
const wf::kernel_spec& kernel(wf::text_view name) {
  static const wf::registry timed = wf::timed_registry();
  return *timed.find(name);
}
// The predicted time of a workflow in a registry with times, in nanoseconds, as an exact fraction.
double time_of(const wf::graph& g, const wf::registry& timed) {
  const auto exact = wf::total_cost<wf::rational>(
      g.view(), {"execution_time", "ns", wf::combination::sum, wf::missing_cost::unknown}, timed);
  CAPTURE(wf::to_text(exact.error()).view());
  REQUIRE(exact);
  return wf::to_double(*exact);
}
// A simulated machine: its times come from a registry, although every kernel is really executed.
struct machine {
  wf::registry timed;
  wf::result<double> operator()(const one_kernel& one) const {
    const auto program = wf::executable_graph::prepare(one.workflow.view());
    if (!program) return program.error();
    std::vector<wf::input_matrix> inputs(one.inputs.begin(), one.inputs.end());
    std::vector<Eigen::MatrixXd> results;
    for (const wf::output& o : one.workflow.view().outputs) {
      const wf::shape& s = one.workflow.view()[o.source].type.shape;
      results.emplace_back(wf::calibration::detail::rows_of(s),
                           wf::calibration::detail::columns_of(s));
    }
    std::vector<wf::output_matrix> outputs(results.begin(), results.end());
    const auto done =
        program->run({inputs.data(), inputs.size()}, {outputs.data(), outputs.size()});
    if (!done) return done.error();
    return time_of(one.workflow, timed);
  }
};

}  // namespace

TEST_CASE("every kernel with a time is measured, and a machine's own times are found again") {
  const measuring_options options = small();
  wf::registry timed = wf::timed_registry();
  timed.set_caches(options.caches);
  const machine as_stated{timed};
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    const std::string op(k.name);
    CAPTURE(op);
    const auto found = wf::calibration::measure(kernel(k.name), options, as_stated, always);
    CAPTURE(wf::to_text(found.error()).view());
    REQUIRE(found);
    CHECK(found->op == op);
    CHECK(found->worst_error < 0.01);
    wf::kernel_spec again{.name = k.name, .costs = {{"execution_time", found->formula.c_str()}}};
    again.overrides = true;
    wf::registry measured = timed;
    REQUIRE(measured.add(again));
    std::mt19937_64 random(3);
    for (int round = 0; round < 10; ++round) {
      const bool optional = *wf::calibration::has_optional_dimension(kernel(k.name));
      const auto e = wf::calibration::detail::some_extents(30, optional, random);
      const auto one = wf::calibration::make_one(kernel(k.name), e, nullptr);
      REQUIRE(one);
      const double stated = time_of(one->workflow, timed);
      CHECK(std::abs(time_of(one->workflow, measured) - stated) <= 0.02 * stated);
    }
  }
}

// What runs a body takes the time of the body.
TEST_CASE("what the executor computes has a time, but views that lie where their operand lies") {
  for (const wf::kernel_spec* k : wf::timed_registry().kernels()) {
    const std::string op(k->name);
    CAPTURE(op);
    const bool timed = !wf::calibration::detail::time_of(*k).empty();
    const bool computed = wf::compute::find_operator<double>(k->name) != nullptr;
    CHECK((computed || !timed));
    CHECK((timed || !computed || !k->repeats.empty() ||
           (k->is_view && k->reading == &wf::read_flat)));
  }
}

TEST_CASE("measuring stops when it is told to, and names what cannot be measured") {
  const measuring_options options = small();
  int asked = 0;
  const auto stopped = wf::calibration::measure(
      kernel("add"), options, machine{wf::timed_registry()}, [&] { return ++asked <= 5; });
  CHECK(stopped.error().code == wf::errc::search_limit);
  CHECK(asked == 6);
  const auto untimed = wf::calibration::measure(*wf::builtin_registry().find("add"), options,
                                                machine{wf::timed_registry()}, always);
  CHECK(untimed.error().code == wf::errc::unknown_cost);
  CHECK(untimed.error().subject.view() == "add");
  wf::kernel_spec wrong = kernel("add");
  wrong.costs[0] = {"execution_time", "C"};
  const auto no_sum =
      wf::calibration::measure(wrong, options, machine{wf::timed_registry()}, always);
  CHECK(no_sum.error().code == wf::errc::formula_syntax);
  measuring_options none = options;
  none.largest_elements = 0;
  none.shapes = 1;
  const auto too_large =
      wf::calibration::measure(kernel("add"), none, machine{wf::timed_registry()}, always);
  CHECK(too_large.error().code == wf::errc::overflow);
}

TEST_CASE("a run takes some time, and what cannot run is an error") {
  std::mt19937_64 random(1);
  const auto one = wf::calibration::make_one(kernel("matmul"), {40, 30, 20}, &random);
  REQUIRE(one);
  const auto taken = wf::calibration::run_nanoseconds(*one);
  REQUIRE(taken);
  CHECK(*taken > 0);
  const auto with_others = wf::calibration::run_nanoseconds(*one, 3, 8);
  REQUIRE(with_others);
  CHECK(*with_others > 0);
  one_kernel without = *one;
  without.inputs.pop_back();
  CHECK_FALSE(wf::calibration::run_nanoseconds(without));
  CHECK_FALSE(wf::calibration::run_nanoseconds(without, 2));
}
