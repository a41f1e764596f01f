// SPDX-License-Identifier: BSL-1.0
//
// Gradients: a small network learns by those that are made while compiling, an operator of the
// user's own states its adjoint, and a deep network keeps to a limit on memory.
#include <cmath>
#include <iostream>
#include <string>

#include <Eigen/Core>

#include <wf/capture/equations/equations.hpp>
#include <wf/registry/registry.hpp>
#include <wf/rewrite/gradient.hpp>
#include <wf/rewrite/static_gradient.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/select/checkpoint/checkpoint.hpp>
#include <wf/static.hpp>

#include "support.hpp"

// --8<-- [start:network]
constexpr auto network = wf::equations<"network", R"(
  input X : f64[16, 2]
  input y : f64[16]
  input W : f64[2, 8]
  input v : f64[8]
  loss = mean(square(tanh(X W) v - y))
  export loss
)">();
constexpr auto training = wf::gradient<"loss", "W", "v">(network);
static_assert(wf::cost(training)[wf::flops] < 3 * wf::cost(network)[wf::flops]);
// --8<-- [end:network]

// --8<-- [start:kernel]
namespace mine {

// log(1 + exp(x)), whose slope is the logistic function.
inline constexpr wf::kernel_spec softplus{.name = "softplus",
                                          .domain = "mine",
                                          .signature = "X: floating [...] -> Y[...]",
                                          .costs = {{"flops", "3*Y"}},
                                          .adjoint = "dX = multiply(dY, sigmoid(X))",
                                          .laws = {.elementwise = true, .monotone = true},
                                          .summary = "a smooth maximum of x and 0"};

inline constexpr auto code = wf::implementations(
    wf::implement_elementwise<softplus>([](auto x) { return std::log1p(std::exp(x)); }));

constexpr wf::registry operators() {
  wf::registry all = wf::builtin_registry();
  (void)all.add(wf::view<wf::kernel_spec>(wf::executable_kernels<code>));
  return all;
}

}  // namespace mine
// --8<-- [end:kernel]

int main() {
  // --8<-- [start:run]
  const auto step = support::value_or_exit(wf::executable_graph::prepare(training.graph()));
  std::srand(1);
  wf::named_matrices at = {{"X", Eigen::MatrixXd::Random(16, 2)},
                           {"W", Eigen::MatrixXd::Random(2, 8)},
                           {"v", Eigen::MatrixXd::Random(8, 1)}};
  at["y"] = (3 * at["X"].col(0).array()).sin() - at["X"].col(1).array();  // what is to be learned
  double first = 0, last = 0;
  for (int round = 0; round < 2000; ++round) {
    const wf::named_matrices made = support::value_or_exit(step(at));
    at["W"] -= 0.3 * made.at("grad_W");
    at["v"] -= 0.3 * made.at("grad_v");
    last = made.at("loss")(0);
    if (round == 0) first = last;
  }
  std::cout << "the loss falls " << (last < first / 20 ? "below" : "not below")
            << " a twentieth of what it was\n";
  // --8<-- [end:run]
  support::require(last < first / 20, "the network learns");

  // --8<-- [start:own]
  const wf::registry operators = mine::operators();
  const wf::graph layer = support::value_or_exit(wf::capture("layer", [](wf::scope& s) {
    auto x = s.input<"x", double, 3>();
    s.output("y", wf::call<mine::softplus>(x));
  }));
  // The output has dimensions: what follows hands in the derivatives by its elements.
  const wf::graph slopes = support::value_or_exit(
      wf::gradient(layer.view(), {.output = "y", .seed = "slope"}, operators));
  wf::execution_options own;
  own.kernels = &operators;
  const auto program = support::value_or_exit(wf::executable_graph::prepare(slopes.view(), own));
  const wf::named_matrices made = support::value_or_exit(
      program({{"x", Eigen::Vector3d(-1, 0, 1)}, {"slope", Eigen::Vector3d(1, 2, 1)}}));
  std::cout << "slope at 0, twice: " << made.at("grad_x")(1) << '\n';
  // --8<-- [end:own]
  support::require(std::abs(made.at("grad_x")(1) - 1) < 1e-12, "the logistic function of 0 is 1/2");

  // --8<-- [start:none]
  const wf::graph pooled = support::value_or_exit(wf::equations("pooled", R"(
    input X : f64[1, 1, 9, 9]
    P = max_pool2d(X, window = 9)
    s = sum(P)
    export s
  )"));
  std::cout << wf::to_text(wf::gradient(pooled.view()).error()) << '\n';
  // --8<-- [end:none]

  // --8<-- [start:memory]
  std::string layers = "input H0 : f64[32, 16]; input W : f64[16, 16]; ";
  for (int i = 1; i <= 24; ++i)
    layers += "H" + std::to_string(i) + " = tanh(H" + std::to_string(i - 1) + " W); ";
  const wf::graph deep = support::value_or_exit(
      wf::equations("deep", layers + "loss = mean(square(H24)); export loss"));
  const wf::graph all = support::value_or_exit(wf::gradient(deep.view(), {.output = "loss"}));
  const auto bytes = support::value_or_exit(wf::price(all.view(), wf::peak_memory));
  const auto flops = support::value_or_exit(wf::price(all.view(), wf::flops));

  const wf::checkpoint_plan less =
      support::value_or_exit(wf::checkpoint(all.view(), {.most_bytes = bytes / 2}));
  std::cout << bytes << " bytes; within " << bytes / 2 << ": " << less.peak_bytes << ", with "
            << less.repeated << " nodes that run again, " << 100 * less.extra / flops
            << " % more flops (at least " << 100 * less.least_extra / flops << " %)\n";
  // --8<-- [end:memory]
  support::require(less.peak_bytes <= bytes / 2, "the limit holds");
}
