// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/implementation_times.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/cost/time_on_cores.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>

namespace {

// Only whether there is an implementation matters for prices.
struct alignas(64) code {};
constexpr wf::kernel_implementations in_doubles(const void* row) {
  return wf::kernel_implementations().with(
      *static_cast<const wf::compute::operator_implementation<double>*>(row));
}

wf::registry with(const char* own, const char* library, const char* share = "0",
                  const char* library_share = "0") {
  static constexpr code row;
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add({.name = "matmul",
                 .costs = {{"execution_time", own},
                           {"parallel_share", share},
                           {"library_time", library},
                           {"library_share", library_share}},
                 .overrides = true,
                 .library = in_doubles(&row)}));
  return r;
}
wf::graph product_of(wf::dtype d, wf::view<wf::cost_formula> declared = {}) {
  wf::graph g("product");
  const wf::value_type type{d, {}, wf::shape::of(8, 8)};
  const wf::value_id in[] = {g.add_input("a", type), g.add_input("b", type)};
  const wf::node_id n =
      g.add_node({.op = "matmul", .domain = "linalg", .costs = declared}, {in, 2}, {&type, 1});
  g.add_output("c", wf::graph_view::output_of(g[n]));
  return g;
}
wf::implementation_times times(const wf::graph& g, std::uint32_t cores, const wf::registry& r) {
  wf::implementation_pricer prices(g.view(), cores, r);
  const auto priced = prices.price(wf::node_id{0});
  REQUIRE(priced);
  return *priced;
}

}  // namespace

TEST_CASE("the cheaper implementation counts, in both directions, by the shape of the node") {
  const wf::graph g = product_of(wf::dtype::f64);
  struct choice {
    const char *own, *library;
    bool by_library;
    std::int64_t price;
  };
  for (const choice& c : {choice{"1000", "999", true, 999}, choice{"1000", "1000", false, 1000},
                          choice{"999", "1000", false, 999}, choice{"M*N*K", "500 + M", true, 508},
                          choice{"M*N", "500 + M", false, 64}}) {
    const wf::registry r = with(c.own, c.library);
    const auto both = times(g, 1, r);
    CHECK(both.has_library);
    CHECK(both.is_by_library() == c.by_library);
    CHECK(both.chosen().alone == c.price);
    const auto priced = wf::price(g.view(), wf::execution_time, r);
    REQUIRE(priced);
    CHECK(*priced == c.price);
  }
}

TEST_CASE("on several cores implementations are compared by what they take on all of them") {
  const wf::graph g = product_of(wf::dtype::f64);
  const wf::registry r = with("1000000", "800000", "1", "0");
  CHECK(times(g, 1, r).is_by_library());
  const auto on_two = times(g, 2, r);
  CHECK_FALSE(on_two.is_by_library());
  CHECK(on_two.chosen() == wf::implementation_time{1'000'000, 500'000});
  CHECK(on_two.library == wf::implementation_time{800'000, 800'000});
  const auto priced = wf::price_on_cores(g.view(), 2, r);
  REQUIRE(priced);
  CHECK(priced->path_ns == 500'000);
  CHECK(priced->work_ns == 1'000'000);
  // The library's share counts, too.
  const auto shared = times(g, 2, with("1000000", "800000", "1", "0.9"));
  CHECK(shared.is_by_library());
  CHECK(shared.library.divided == 440'000);
  // As much on all cores: less on one.
  CHECK(times(g, 2, with("1000000", "500000", "1", "0")).is_by_library());
}

TEST_CASE("without a library, or without its time, there is no choice") {
  const wf::graph g = product_of(wf::dtype::f64);
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add({.name = "matmul",
                 .costs = {{"execution_time", "1000"}, {"library_time", "1"}},
                 .overrides = true}));
  CHECK_FALSE(times(g, 1, r).has_library);
  CHECK(*wf::price(g.view(), wf::execution_time, r) == 1000);
  static constexpr code row;
  wf::registry unknown = wf::builtin_registry();
  REQUIRE(unknown.add({.name = "matmul",
                       .costs = {{"execution_time", "1000"}},
                       .overrides = true,
                       .library = in_doubles(&row)}));
  CHECK_FALSE(times(g, 1, unknown).has_library);
  CHECK(*wf::price(g.view(), wf::execution_time, unknown) == 1000);
  // A time for the library alone: what the executor takes is still unknown.
  wf::registry half = wf::builtin_registry();
  REQUIRE(half.add({.name = "matmul",
                    .costs = {{"library_time", "1"}},
                    .overrides = true,
                    .library = in_doubles(&row)}));
  wf::implementation_pricer prices(g.view(), 1, half);
  CHECK(prices.price(wf::node_id{0}).error().code == wf::errc::unknown_cost);
}

TEST_CASE("a library implements some element types, and a declared time is the node's own") {
  const wf::registry r = with("1000", "10");
  CHECK(times(product_of(wf::dtype::f64), 1, r).is_by_library());
  const wf::graph whole = product_of(wf::dtype::i64);
  CHECK_FALSE(times(whole, 1, r).has_library);
  CHECK(*wf::price(whole.view(), wf::execution_time, r) == 1000);
  const wf::cost_formula declared[] = {{"execution_time", "700"}};
  const wf::graph g = product_of(wf::dtype::f64, {declared, 1});
  CHECK_FALSE(times(g, 1, r).has_library);
  CHECK(times(g, 1, r).chosen().alone == 700);
  CHECK(*wf::price(g.view(), wf::execution_time, r) == 700);
}

TEST_CASE("a share outside of 0 to 1") {
  const wf::graph g = product_of(wf::dtype::f64);
  const wf::registry r = with("1000000", "1000000", "0", "2");
  wf::implementation_pricer prices(g.view(), 2, r);
  CHECK(prices.price(wf::node_id{0}).error().code == wf::errc::invalid_problem);
}
