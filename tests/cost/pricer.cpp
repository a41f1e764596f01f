// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/pricer.hpp>

#include <doctest/doctest.h>

#include <wf/cost/price.hpp>
#include <wf/registry/registry.hpp>

namespace {

const wf::value_type matrix{wf::dtype::f64, {}, wf::shape::of(4, 4)};

wf::node_id add(wf::graph& g, const char* op, wf::value_id x) {
  const wf::value_id both[] = {x, x};
  const bool product = wf::text_view(op) == "matmul";
  return g.add_node({.op = op}, {both, product ? 2U : 1U}, {&matrix, 1});
}

}  // namespace

TEST_CASE("a declared cost overrides the kernel's, and may be unknown") {
  const auto registry = wf::builtin_registry();
  wf::graph g("g");
  const wf::value_id x = g.add_input("x", matrix);
  add(g, "matmul", x);
  g.add_cost("flops", "3*M + 1");
  wf::pricer<wf::rational> prices(g.view(), wf::flops, registry);
  CHECK(*prices.price(wf::node_id{0}) == wf::rational(13));
  add(g, "matmul", x);
  g.add_cost("flops", "unknown");
  const auto total = wf::total_cost<wf::rational>(g.view(), wf::flops, registry);
  REQUIRE_FALSE(total);
  CHECK(total.error().code == wf::errc::unknown_cost);
  CHECK(wf::total_cost<wf::rational>(g.view(), wf::macs, registry));
}

TEST_CASE("a price for a class of elements goes before that of all") {
  wf::registry kernels;
  constexpr wf::kernel_spec own{
      .name = "own",
      .domain = "test",
      .signature = "A: number [N], b: integer [] -> C[N]",
      .costs = {{"flops", "N"}, {"flops(complex)", "10*N"}, {"energy(f32)", "2*N"}}};
  REQUIRE(kernels.add(own));
  const auto priced = [&](wf::dtype type, const wf::metric_spec& metric) {
    wf::graph g("g");
    const wf::value_type vector{type, {}, wf::shape::of(7)};
    const wf::value_id in[] = {g.add_input("x", vector),
                               g.add_input("n", {wf::dtype::i32, {}, wf::shape()})};
    g.add_node({.op = "own"}, {in, 2}, {&vector, 1});
    return wf::total_cost<wf::rational>(g.view(), metric, kernels);
  };
  constexpr wf::metric_spec energy{"energy", "J", wf::combination::sum, wf::missing_cost::unknown};
  CHECK(*priced(wf::dtype::f64, wf::flops) == wf::rational(7));
  CHECK(*priced(wf::dtype::i64, wf::flops) == wf::rational(7));
  CHECK(*priced(wf::dtype::c64, wf::flops) == wf::rational(70));
  CHECK(*priced(wf::dtype::c128, wf::flops) == wf::rational(70));
  CHECK(*priced(wf::dtype::f32, energy) == wf::rational(14));
  CHECK_FALSE(priced(wf::dtype::f64, energy));
}

TEST_CASE("an operator without kernel is named") {
  const auto registry = wf::builtin_registry();
  wf::graph g("g");
  add(g, "mystery", g.add_input("x", matrix));
  const auto total = wf::total_cost<wf::rational>(g.view(), wf::flops, registry);
  REQUIRE_FALSE(total);
  CHECK(total.error().code == wf::errc::unknown_operator);
  CHECK(total.error().subject == wf::text("mystery"));
}

TEST_CASE("fallbacks: bytes of operands and results, nothing for views") {
  const auto registry = wf::builtin_registry();
  wf::graph g("g");
  const wf::value_id x = g.add_input("x", matrix);
  add(g, "matmul", x);
  add(g, "transpose", x);
  const auto total = [&](const wf::metric_spec& m) {
    return *wf::total_cost<wf::rational>(g.view(), m, registry);
  };
  CHECK(total(wf::bytes_read) == wf::rational(256));
  CHECK(total(wf::bytes_written) == wf::rational(128));
  CHECK(total(wf::bytes) == wf::rational(384));
  CHECK(total(wf::gates) == wf::rational(0));
}

TEST_CASE("a kernel that says nothing of flops is unknown, not free") {
  wf::registry r;
  REQUIRE(
      r.add(wf::kernel_spec{.name = "opaque", .domain = "user", .signature = "A[...] -> C[...]"}));
  wf::graph g("g");
  add(g, "opaque", g.add_input("x", matrix));
  CHECK(wf::total_cost<wf::rational>(g.view(), wf::flops, r).error().code ==
        wf::errc::unknown_cost);
}

TEST_CASE("estimates are rounded up to whole units, node by node") {
  wf::registry r;
  REQUIRE(r.add(wf::kernel_spec{.name = "guess",
                                .domain = "user",
                                .signature = "A[...] -> C[...]",
                                .costs = {{"execution_time", "0.3*A"}, {"macs", "0.3*A"}}}));
  wf::graph g("g");
  const wf::value_id x = g.add_input("x", matrix);
  for (int k = 0; k < 2; ++k) add(g, "guess", x);
  const auto elements = matrix.shape.elements();
  const std::int64_t each = (3 * elements + 9) / 10;
  CHECK(*wf::total_cost<wf::rational>(g.view(), wf::execution_time, r) == wf::rational(2 * each));
  CHECK(*wf::total_cost<wf::rational>(g.view(), wf::macs, r) ==
        *wf::make_rational(6 * elements, 10));
}

TEST_CASE(
    "a kernel without a time is an error that names it, never a guess, but where it is asked") {
  wf::registry r;
  REQUIRE(
      r.add(wf::kernel_spec{.name = "blur", .domain = "user", .signature = "A[...] -> C[...]"}));
  wf::graph g("g");
  add(g, "blur", g.add_input("x", matrix));
  const auto unknown = wf::total_cost<wf::rational>(g.view(), wf::execution_time, r);
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == wf::errc::unknown_cost);
  CHECK(unknown.error().message.view() ==
        "its cost in execution_time is not known: state it among the costs of kernel 'blur', or "
        "take a registry with measured times");
  wf::metric_spec by_bytes = wf::execution_time;
  by_bytes.otherwise = wf::missing_cost::all_bytes;
  CHECK(*wf::total_cost<wf::rational>(g.view(), by_bytes, r) == wf::rational(2 * 16 * 8));
}

TEST_CASE("costs follow the caches of the registry, which nothing else may name") {
  wf::registry r;
  REQUIRE(r.add(wf::kernel_spec{.name = "blur",
                                .domain = "user",
                                .signature = "A[...] -> C[...]",
                                .costs = {{"flops", "max(0, A.bytes - second_cache/16)"}}}));
  wf::graph g("g");
  add(g, "blur", g.add_input("x", matrix));
  for (const std::int64_t bytes : {16, 160, 1600, 16000}) {
    r.set_caches({bytes});
    CHECK(r.caches().second == bytes);
    const wf::registry copy = r;
    CHECK(*wf::total_cost<wf::rational>(g.view(), wf::flops, copy) ==
          wf::rational(bytes < 2048 ? 128 - bytes / 16 : 0));
  }
  CHECK(wf::check_kernel({.name = "blur", .domain = "user", .signature = "A[N] -> C[second_cache]"})
            .error()
            .code == wf::errc::unknown_symbol);
  CHECK(wf::find_guard_fault("mine", "second_cache > 7", *r.find("blur")).failure.code ==
        wf::errc::unknown_symbol);
}
