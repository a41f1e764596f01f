// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/time_on_cores.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/static_registry.hpp>

namespace {

// A product takes 100 µs, of which threads divide nine tenths; a sum takes 30 µs of one thread.
constexpr wf::kernel_spec times[] = {
    {.name = "matmul",
     .costs = {{"execution_time", "100000"}, {"parallel_share", "0.9"}},
     .overrides = true},
    {.name = "add", .costs = {{"execution_time", "30000"}}, .overrides = true},
    {.name = "subtract",
     .costs = {{"execution_time", "60000"}, {"parallel_share", "1"}},
     .overrides = true},
};
// Two products side by side, and their sum.
constexpr auto pair = wf::workflow<"pair">([](wf::scope& s) {
  auto a = s.input<"a", double, 4, 4>();
  auto b = s.input<"b", double, 4, 4>();
  s.output<"y">(a * b + b * a);
});
constexpr std::int64_t on(const wf::metric_spec& metric) {
  wf::registry r = wf::builtin_registry();
  if (!r.add(wf::view<wf::kernel_spec>(times))) return -1;
  const auto priced = wf::price(pair.graph(), metric, r);
  return priced ? *priced : -1;
}
static_assert(on(wf::execution_time) == 230'000);
static_assert(on(wf::execution_time_on<1>) == 230'000);
static_assert(on(wf::execution_time_on<2>) == 115'000);  // work: the path is 55 + 30 µs
static_assert(on(wf::execution_time_on<4>) == 62'500);   // path: 32.5 + 30 µs
// A limit and a cost of a captured workflow, of an operator of one's own.
inline constexpr wf::kernel_spec halved{
    .name = "halved",
    .domain = "own",
    .signature = "A[M,N] -> Y[M,N]",
    .costs = {{"execution_time", "90000"}, {"parallel_share", "1"}}};
constexpr auto own = wf::workflow<"own">([](wf::scope& s) {
  auto a = s.input<"a", double, 4, 4>();
  s.output<"y">(wf::call<halved>(a));
});
static_assert(wf::cost(own, wf::with_kernels<halved>)[wf::execution_time_on<2>] == 45'000);
static_assert(wf::limit(wf::execution_time_on<2> <= 7).maximum == 7);
static_assert(wf::execution_time_on_<16>::spec.name == "execution_time_on_16");

wf::registry timed() {
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(wf::view<wf::kernel_spec>(times)));
  return r;
}

}  // namespace

TEST_CASE("short nodes are not divided") {
  // Threads could divide all of a difference, but it takes less than they need to begin.
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto a = s.input<double>("a", wf::shape::of(4, 4));
    s.output("y", a - a);
  });
  const auto time = wf::price_on_cores(g->view(), 8, timed());
  REQUIRE(time);
  CHECK(*time == wf::time_on_cores{60'000, 60'000, 8});
  CHECK(time->least_ns() == 60'000);
}

TEST_CASE("work is the time on one core; the path is divided where kernels say so") {
  std::mt19937 random(3);
  const wf::registry kernels = timed();
  for (int round = 0; round < 200; ++round) {
    wf::graph g("random");
    std::vector<wf::value_id> values;
    const wf::value_type type{wf::dtype::f64, {}, wf::shape::of(4, 4)};
    values.push_back(g.add_input("x", type));
    constexpr const char* ops[] = {"matmul", "add", "subtract"};
    constexpr std::int64_t alone[] = {100'000, 30'000, 60'000};
    const auto cores = static_cast<std::uint32_t>(1 + random() % 5);
    const std::int64_t divided[] = {100'000 - (90'000 * (cores - 1)) / cores, 30'000, 60'000};
    std::vector<std::int64_t> length(1);
    std::int64_t work = 0, longest = 0;
    for (std::size_t n = 1 + random() % 12; n > 0; --n) {
      const std::size_t op = random() % 3, a = random() % values.size(),
                        b = random() % values.size();
      const wf::value_id operands[] = {values[a], values[b]};
      const wf::node_id id = g.add_node({.op = ops[op]}, operands, {&type, 1});
      values.push_back(wf::graph_view::output_of(g[id]));
      work += alone[op];
      length.push_back(std::max(length[a], length[b]) + divided[op]);
      longest = std::max(longest, length.back());
    }
    g.add_output("y", values.back());
    const auto time = wf::price_on_cores(g.view(), cores, kernels);
    REQUIRE(time);
    CHECK(time->work_ns == work);
    CHECK(time->path_ns == longest);
    CHECK(time->work_ns == *wf::price(g.view(), wf::execution_time, kernels));
    CHECK(time->least_ns() >= longest);
    CHECK(time->least_ns() * cores >= work);
    CHECK((time->least_ns() == longest || (time->least_ns() - 1) * cores < work));
  }
}

TEST_CASE("no cores, symbols and wrong shares are refused") {
  const wf::registry kernels = timed();
  CHECK(wf::price_on_cores(pair.graph(), 0, kernels).error().code == wf::errc::invalid_problem);
  const auto any = wf::capture("any", [](wf::scope& s) {
    auto a = s.input<double>("a", wf::shape::of("N"));
    s.output("y", a + a);
  });
  CHECK(wf::price_on_cores(any->view(), 2, kernels).error().code == wf::errc::workflow_not_static);
  wf::kernel_spec wrong{.name = "matmul",
                        .costs = {{"execution_time", "1e6"}, {"parallel_share", "2"}}};
  wrong.overrides = true;
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(wf::view<wf::kernel_spec>(times)));
  REQUIRE(r.add(wrong));
  CHECK(wf::price_on_cores(pair.graph(), 2, r).error().code == wf::errc::invalid_problem);
}
