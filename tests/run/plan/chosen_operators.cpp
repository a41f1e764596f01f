// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/chosen_operators.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/run/values/named_matrices.hpp>

namespace {

// A library that counts its calls, and marks its products by their signs.
int products_in_library = 0, factors_in_library = 0;
constexpr auto library_code = wf::implementations(
    wf::implement<wf::kernels::matmul>([](auto& c, const auto& a, const auto& b) {
      ++products_in_library;
      c.noalias() = -(a * b);
    }),
    wf::implement<wf::kernels::cholesky>([](auto& l, const auto& a) {
      ++factors_in_library;
      const auto factors = a.llt();
      l = factors.matrixL();
      return factors.info() == Eigen::Success;
    }));

wf::registry with_library(const char* own, const char* library) {
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(wf::view<wf::kernel_spec>(wf::library_kernels<library_code>)));
  for (const char* const name : {"matmul", "cholesky"})
    REQUIRE(r.add({.name = name,
                   .costs = {{"execution_time", own}, {"library_time", library}},
                   .overrides = true}));
  return r;
}

// Two products of different sizes.
constexpr auto two = wf::workflow<"two">([](wf::scope& s) {
  auto a = s.input<"a", double, 4, 4>();
  auto b = s.input<"b", double, 30, 30>();
  s.output<"c">(a * a);
  s.output<"d">(b * b);
});
constexpr auto factor = wf::workflow<"factor">([](wf::scope& s) {
  auto a = s.input<"a", double, 3, 3>(wf::spd);
  s.output<"l">(wf::call<wf::kernels::cholesky>(a));
});
// A product of operands of one type.
wf::graph product_of(const wf::value_type& type) {
  wf::graph g("product");
  const wf::value_id a = g.add_input("a", type);
  const wf::value_id in[] = {a, a};
  const wf::node_id n = g.add_node({.op = "matmul", .domain = "linalg"}, {in, 2}, {&type, 1});
  g.add_output("c", wf::graph_view::output_of(g[n]));
  return g;
}

}  // namespace

TEST_CASE("each node is computed by the implementation of less time at its shape") {
  const wf::graph_view g = two.graph();
  const wf::named_matrices in{{"a", Eigen::MatrixXd::Random(4, 4)},
                              {"b", Eigen::MatrixXd::Random(30, 30)}};
  const Eigen::MatrixXd c = in.at("a") * in.at("a"), d = in.at("b") * in.at("b");
  struct choice {
    const char *own, *library;
    int small, large;  // signs of the products
  };
  for (const choice& k :
       {choice{"M*M*M", "1000", 1, -1}, choice{"1000", "M*M*M", -1, 1},
        choice{"1000", "999", -1, -1}, choice{"999", "1000", 1, 1}, choice{"1000", "1000", 1, 1}}) {
    CAPTURE(k.own);
    CAPTURE(k.library);
    const wf::registry r = with_library(k.own, k.library);
    wf::execution_options options;
    options.kernels = &r;
    const auto program = wf::executable_graph::prepare(g, options);
    REQUIRE(program);
    products_in_library = 0;
    for (int run = 1; run <= 2; ++run) {
      const auto out = (*program)(in);
      REQUIRE(out);
      CHECK((out->at("c") - k.small * c).norm() < 1e-12);
      CHECK((out->at("d") - k.large * d).norm() < 1e-12);
      CHECK(products_in_library == run * ((k.small < 0 ? 1 : 0) + (k.large < 0 ? 1 : 0)));
    }
  }
}

TEST_CASE("a registry decides: without the library's code its times change nothing") {
  const wf::graph_view g = two.graph();
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add({.name = "matmul",
                 .costs = {{"execution_time", "1000"}, {"library_time", "1"}},
                 .overrides = true}));
  const wf::detail::chosen_operators<double> chosen(g, r);
  for (const wf::node& n : g.nodes)
    CHECK(chosen.of(n) == wf::compute::find_operator<double>("matmul"));
  // The library has no implementation in single precision, nor does one without times count.
  const wf::registry all = with_library("1000", "1");
  CHECK(wf::detail::chosen_operators<float>(g, all).of(g.nodes[0]) ==
        wf::compute::find_operator<float>("matmul"));
  wf::registry untimed = wf::builtin_registry();
  REQUIRE(untimed.add(wf::view<wf::kernel_spec>(wf::library_kernels<library_code>)));
  CHECK(wf::detail::chosen_operators<double>(g, untimed).of(g.nodes[0]) ==
        wf::compute::find_operator<double>("matmul"));
  CHECK(wf::detail::chosen_operators<double>(g, all).of(g.nodes[0]) ==
        all.find("matmul")->library.of<double>());
}

TEST_CASE("what the library refuses, and what it has no element type for, wf computes") {
  const wf::registry r = with_library("1000", "1");
  for (const wf::value_type& type : {wf::value_type{wf::dtype::f64, {}, wf::shape::of(2, 4, 4)},
                                     wf::value_type{wf::dtype::i64, {}, wf::shape::of(4, 4)}}) {
    const wf::graph g = product_of(type);
    CHECK(wf::detail::chosen_operators<double>(g.view(), r).of(g.view().nodes[0]) ==
          wf::compute::find_operator<double>("matmul"));
  }
}

TEST_CASE("a failure of the library is that of its node") {
  const wf::registry r = with_library("1000", "1");
  wf::execution_options options;
  options.kernels = &r;
  const auto program = wf::executable_graph::prepare(factor.graph(), options);
  REQUIRE(program);
  factors_in_library = 0;
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(3, 3);
  CHECK((*program)({{"a", a}}));
  a(0, 0) = -1;
  const auto failed = (*program)({{"a", a}});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == wf::errc::numerical_failure);
  CHECK(factors_in_library == 2);
}
