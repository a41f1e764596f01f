// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/body_adjoint.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/call_node.hpp>
#include <wf/capture/equations/equations.hpp>
#include <wf/capture/fixpoint.hpp>
#include <wf/cost/cost.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/registry/registry.hpp>
#include <wf/rewrite/gradient.hpp>
#include <wf/rewrite/static_gradient.hpp>
#include <wf/run/dynamic.hpp>

#include "../run/uniform_arguments.hpp"

namespace {

// Bodies that converge, over reads of sizes 3 x 3 and 3; the last inputs are carried.
struct body_case {
  const char* text;
  std::size_t carried;
};
constexpr body_case cases[] = {
    {"input A : f64[3,3]; input b : f64[3]; input x_ : f64[3]; x = b - 0.2 * (A x_); export x", 1},
    {"input A : f64[3,3]; input b : f64[3]; input x_ : f64[3];"
     "x = tanh(0.4 * (A x_) + b); export x",
     1},
    {"input A : f64[3,3]; input X_ : f64[3,3]; X = 0.3 * tanh(A X_) + A; export X", 1},
    {"input b : f64[3]; input x_ : f64[3]; x = 0.5 * (x_ + (b + 2) / x_); export x", 1},
    {"input A : f64[3,3]; input b : f64[3]; input y_ : f64[3]; input z_ : f64[3];"
     "y = 0.3 * sin(z_) + b; z = 0.3 * cos(A y_); export y; export z",
     2},
    // A result that does not depend on what is carried, and one that nothing reads.
    {"input b : f64[3]; input x_ : f64[3]; x = square(b); export x", 1},
    {"input A : f64[3,3]; input b : f64[3]; input c_ : i64[]; input x_ : f64[3];"
     "c = c_; x = 0.2 * (A x_) + b; export c; export x",
     2},
};

wf::graph looped(const body_case& c, double tolerance = 1e-14) {
  const auto body = wf::equations("body", c.text);
  REQUIRE(body);
  wf::detail::graph_capture to("looped");
  std::vector<wf::value_id> operands;
  for (const wf::value& v : body->view().values)
    if (v.producer == wf::node_id::none)
      operands.push_back(to.add_input(body->view().text_of(v.name), v.type));
  const auto made = wf::detail::add_fixpoint(to, "loop", body->view(), {500, tolerance},
                                             {operands.data(), operands.size()}, {});
  for (std::size_t k = 0; k < c.carried; ++k)
    to.add_output(body->view().text_of(body->view().outputs[k].name), made[k]);
  to.add_output("converged", made[c.carried + 1]);
  auto g = to.finish();
  REQUIRE(g);
  return *g;
}

}  // namespace

TEST_CASE("derivatives of fixpoints against central differences") {
  std::mt19937_64 random(20261130);
  MESSAGE("seed 20261130");
  for (const body_case& c : cases)
    for (int trial = 0; trial < 3; ++trial) {
      CAPTURE(c.text);
      const wf::graph g = looped(c);
      const std::string of(g.view().text_of(g.view().outputs[c.carried - 1].name));
      const auto gradient = wf::gradient(g.view(), {of, {}, "seed"});
      REQUIRE_MESSAGE(gradient, std::string(wf::to_text(gradient.error()).view()));
      auto at = wf_test::uniform_arguments(g.view(), random, 0.2, 1);
      const auto value = wf::run_dynamic(g.view(), at);
      REQUIRE(value);
      REQUIRE(value->at("converged")(0, 0) == 1);
      const wf::dynamic_matrix weights =
          wf::dynamic_matrix::Random(value->at(of).rows(), value->at(of).cols());
      auto seeded = at;
      seeded["seed"] = weights;
      const auto made = wf::run_dynamic(gradient->view(), seeded);
      REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
      for (auto& [name, m] : at) {
        if (made->find("grad_" + name) == made->end()) continue;
        const wf::dynamic_matrix& derivative = made->at("grad_" + name);
        REQUIRE(derivative.size() == m.size());
        for (Eigen::Index i = 0; i < m.size(); ++i) {
          const double h = 1e-5, old = m.data()[i];
          const auto sum_at = [&](double x) {
            m.data()[i] = x;
            return wf::run_dynamic(g.view(), at)->at(of).cwiseProduct(weights).sum();
          };
          const double difference = (sum_at(old + h) - sum_at(old - h)) / (2 * h);
          m.data()[i] = old;
          CHECK(std::abs(derivative.data()[i] - difference) <=
                1e-7 * std::max(1.0, std::abs(difference)));
        }
      }
    }
}

TEST_CASE("the adjoint of a fixpoint is one of the derivatives, and costs as much") {
  const wf::graph g = looped(cases[0]);
  const auto gradient = wf::gradient(g.view(), {"x", {}, "seed"});
  REQUIRE(gradient);
  int loops = 0;
  for (const wf::node& n : gradient->view().nodes)
    loops += gradient->view().op_name(n) == "fixpoint" ? 1 : 0;
  CHECK(loops == 2);
  CHECK(*wf::price(gradient->view(), wf::flops) < 3 * *wf::price(g.view(), wf::flops));
}

namespace {

constexpr auto body = wf::equations<"body", R"(
  input A : f64[4,4]
  input b : f64[4]
  input x_ : f64[4]
  x = 0.1 * (A x_) + b
  export x
)">();
constexpr auto solve = wf::workflow<"solve">([](wf::scope& s) {
  auto A = s.input<"A", double, 4, 4>();
  auto b = s.input<"b", double, 4>();
  auto [x, runs, converged] = wf::fixpoint<"loop">(body, {100, 1e-12}, A, b, b);
  s.output<"loss">(dot(x, x));
});

}  // namespace

TEST_CASE("while compiling, too, and errors name the node") {
  constexpr auto slope = wf::gradient<"loss">(solve);
  static_assert(wf::cost(slope)[wf::flops] < 3 * wf::cost(solve)[wf::flops]);
  const auto failure = [](const char* text, wf::dtype type) {
    const auto made = wf::equations("body", text);
    REQUIRE(made);
    wf::detail::graph_capture to("g");
    const wf::value_id operands[] = {to.add_input("a", {wf::dtype::f64, {}, wf::shape::of(3)}),
                                     to.add_input("x", {type, {}, wf::shape::of(3)})};
    const auto results = wf::detail::add_fixpoint(to, "loop", made->view(), {3}, operands, {});
    to.add_output("y", results[0]);
    const auto g = to.finish();
    REQUIRE(g);
    const auto refused = wf::gradient(g->view(), {"y", {}, "seed"});
    REQUIRE_FALSE(refused);
    return wf::error(refused.error());
  };
  const wf::error unknown = failure(
      "opaque f = \"mine.f\", \"a[n], x[n] -> y[n]\", pure;"
      "input a : f64[n]; input x : f64[n]; y = f(a, x); export y",
      wf::dtype::f64);
  CHECK(unknown.code == wf::errc::unknown_operator);
  CHECK(unknown.subject.view() == "loop");
  CHECK(std::string(unknown.message.view()).starts_with("in its body, "));
  CHECK(failure("input a : f64[n]; input x : c128[n];"
                "y = cast(a, dtype = \"c128\") + 0.5 * x; export y",
                wf::dtype::c128)
            .code == wf::errc::dtype_mismatch);
}
