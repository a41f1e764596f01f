// SPDX-License-Identifier: BSL-1.0
//
// A user-defined operator: clip(x, lo, hi) = min(max(x, lo), hi), defined outside the library,
// captured, priced and executed while compiling and at run time.
#include <iostream>

#include <Eigen/Core>

#include <wf/registry/registry.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/static.hpp>

#include "support.hpp"

using namespace wf::literals;

// --8<-- [start:kernel]
namespace mine {

// The complete description of the operator. It makes two comparisons per element.
inline constexpr wf::kernel_spec clip{
    .name = "clip",
    .domain = "mine",
    .signature = "X: ordered [...], lo: real, hi: real -> Y[...]",
    .costs = {{"flops", "2*Y"}, {"operations", "X"}},
    .in_place = true,
    .laws = {.idempotent = true, .elementwise = true, .monotone = true},
    .summary = "the value, but at least lo and at most hi"};

// The implementation: an output element from an input element and the attributes in the signature.
inline constexpr auto code =
    wf::implementations(wf::implement_elementwise<clip>([](auto x, double lo, double hi) {
      return x < lo ? lo : hi < x ? hi : x;
    }));

// The built-in operators, and the new one with its implementation.
constexpr wf::registry operators() {
  wf::registry all = wf::builtin_registry();
  // Fails if the name exists already, unless the kernel states `overrides`.
  (void)all.add(wf::view<wf::kernel_spec>(wf::executable_kernels<code>));
  return all;
}

}  // namespace mine
// --8<-- [end:kernel]

// --8<-- [start:use]
constexpr auto network = wf::workflow<"network">([](wf::scope& s) {
  auto x = s.input<"x", float, 32, 64>();
  auto w = s.input<"w", float, 64, 10>();
  s.output<"y">(wf::call<mine::clip, wf::with("lo", 0.0), wf::with("hi", 6.0)>(matmul(x, w)));
});
static_assert(*wf::price(network.graph(), wf::flops, mine::operators()) ==
              2 * 32 * 64 * 10 + 2 * 32 * 10);
// --8<-- [end:use]

// --8<-- [start:function]
namespace mine {

// A function for the operator, so that programs use it like those of the library.
template <wf::operand X>
constexpr auto clip_to(const X& x, double lo, double hi) {
  return wf::call<clip>(wf::attributes("lo", lo, "hi", hi), x);
}

}  // namespace mine
// --8<-- [end:function]

int main() {
  const wf::registry operators = mine::operators();
  const wf::graph by_value = support::value_or_exit(wf::capture("loop", [](wf::scope& s) {
    wf::dynamic_handle<float> x = s.input<float>("x", wf::shape::of(32, 64));
    for (int i = 1; i <= 3; ++i) x = mine::clip_to(x + 1, -i, i);
    s.output("y", x);
  }));
  std::cout << "network: " << *wf::price(network.graph(), wf::flops, operators) << " flop\n"
            << "loop: " << support::value_or_exit(wf::price(by_value.view(), wf::flops, operators))
            << " flop\n";
  // --8<-- [start:run]
  // Executed by a plan at run time, which finds the implementation in the registry, and in fixed
  // size.
  wf::execution_options own;
  own.kernels = &operators;
  const auto program = support::value_or_exit(wf::executable_graph::prepare(network.graph(), own));
  const Eigen::Matrix<float, 32, 64> x = Eigen::Matrix<float, 32, 64>::Random();
  const Eigen::Matrix<float, 64, 10> w = Eigen::Matrix<float, 64, 10>::Random();
  const auto at_run_time =
      support::value_or_exit(program({{"x", x.cast<double>()}, {"w", w.cast<double>()}}));
  const auto fixed = wf::run<network, mine::code>("x"_arg = x, "w"_arg = w);
  // --8<-- [end:run]
  support::require(bool(fixed), "the static executor runs it");
  support::require((fixed["y"_arg].cast<double>() - at_run_time.at("y")).norm() < 1e-4,
                   "both executors agree");
  support::require(fixed["y"_arg].minCoeff() >= 0 && fixed["y"_arg].maxCoeff() <= 6,
                   "what is clipped lies between the bounds");

  // Without the registry the operator is unknown: that is an error, never a price of zero.
  const auto unknown = wf::price(by_value.view(), wf::flops);
  support::require(!unknown && unknown.error().code == wf::errc::unknown_operator,
                   "an unregistered operator has no price");
  std::cout << wf::to_text(unknown.error()) << '\n';
}
