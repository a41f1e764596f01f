// SPDX-License-Identifier: BSL-1.0
#include <wf/report/graph/explain_library.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>

namespace {

constexpr auto solving = wf::workflow<"solving">([](wf::scope& s) {
  auto a = s.input<"a", double, 40, 40>(wf::spd);
  auto b = s.input<"b", double, 40, 6>();
  auto l = s.let<"l">(wf::call<wf::kernels::cholesky>(a));
  auto x = s.let<"x">(wf::call<wf::kernels::solve_triangular>(l, b));
  s.output<"y">(x + x);
});

// Only whether there is an implementation matters here.
struct alignas(64) code {};

wf::registry with_library() {
  static constexpr code row;
  const auto library = wf::kernel_implementations().with(
      *static_cast<const wf::compute::operator_implementation<double>*>(
          static_cast<const void*>(&row)));
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(
      {.name = "cholesky",
       .costs = {{"execution_time", "200200"}, {"parallel_share", "1"}, {"library_time", "105000"}},
       .overrides = true,
       .library = library}));
  REQUIRE(r.add({.name = "solve_triangular",
                 .costs = {{"execution_time", "900"}, {"library_time", "1200"}},
                 .overrides = true,
                 .library = library}));
  return r;
}
std::string told(std::uint32_t cores, const wf::registry& r) {
  const auto out = wf::explain_library(solving.graph(), cores, r);
  REQUIRE(out);
  return std::string(out->view());
}

}  // namespace

TEST_CASE("it says which nodes go to the library, and what both cost, on these cores") {
  const wf::registry r = with_library();
  CHECK(told(1, r) ==
        "library: 1 of 2 nodes that it implements\n"
        "  l = cholesky(a): 105,000 ns by the library, 200,200 ns by wf\n"
        "  x = solve_triangular(l, b): 900 ns by wf, 1,200 ns by the library\n");
  CHECK(told(2, r) ==
        "library: 0 of 2 nodes that it implements\n"
        "  l = cholesky(a): 100,100 ns by wf, 105,000 ns by the library\n"
        "  x = solve_triangular(l, b): 900 ns by wf, 1,200 ns by the library\n");
}

TEST_CASE("there is nothing to say without a library, or where one of both times is unknown") {
  CHECK(told(1, wf::builtin_registry()).empty());
  wf::registry r = wf::builtin_registry();
  wf::kernel_spec k{.name = "cholesky", .overrides = true};
  k.library = with_library().find("cholesky")->library;
  REQUIRE(r.add(k));
  CHECK(told(1, r).empty());
  k.costs[0] = {"library_time", "1"};
  REQUIRE(r.add(k));
  CHECK(told(1, r).empty());
  k.costs[0] = {"execution_time", "1"};  // the other time is there already
  REQUIRE(r.add(k));
  CHECK(told(1, r) ==
        "library: 0 of 1 nodes that it implements\n"
        "  l = cholesky(a): 1 ns by wf, 1 ns by the library\n");
}
