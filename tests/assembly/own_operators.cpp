// SPDX-License-Identifier: BSL-1.0
//
// Pairs of functions that must compile to the same instructions: wf_<name> runs a user-defined
// operator in a workflow, hand_<name> calls its function. compare.py compares them.

#include <Eigen/Core>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/run/eigen.hpp>

using namespace wf::literals;

constexpr wf::kernel_spec blend{
    .name = "blend",
    .domain = "own",
    .signature = "P: floating [...], X: floating [...], Y: floating [...] -> Z[...]",
    .costs = {{"flops", "3*Z"}},
    .laws = {.elementwise = true}};
constexpr wf::kernel_spec damp{.name = "damp",
                               .domain = "own",
                               .signature = "X: floating [M, N], s: floating [] -> Y[M, N]",
                               .costs = {{"flops", "2*Y"}}};
constexpr wf::kernel_spec total{.name = "total",
                                .domain = "own",
                                .signature = "X: floating [M, N] -> y: floating []",
                                .costs = {{"flops", "X"}}};

constexpr auto blend_function = [](auto p, auto x, auto y) { return p * x + (1 - p) * y; };
constexpr auto damp_function = [](auto& y, const auto& x, auto s) { y = s * x - x; };
constexpr auto total_function = [](auto& y, const auto& x) { y = x.sum(); };
constexpr auto code =
    wf::implementations(wf::implement_elementwise<blend>(blend_function),
                        wf::implement<damp>(damp_function), wf::implement<total>(total_function));

using number = Eigen::Matrix<double, 1, 1>;
using small = Eigen::Matrix<double, 4, 4>;

constexpr auto blended = wf::workflow<"blended">([](wf::scope& s) {
  s.output<"z">(
      wf::call<blend>(s.input<"p", double>(), s.input<"x", double>(), s.input<"y", double>()));
});
extern "C" void wf_blended(number& z, const number& p, const number& x, const number& y) {
  (void)wf::run<blended, code>("p"_arg = p, "x"_arg = x, "y"_arg = y, "z"_arg = z);
}
extern "C" void hand_blended(number& z, const number& p, const number& x, const number& y) {
  z[0] = blend_function(p[0], x[0], y[0]);
}

constexpr auto damped = wf::workflow<"damped">([](wf::scope& s) {
  s.output<"Y">(wf::call<damp>(s.input<"X", double, 4, 4>(), s.input<"s", double>()));
});
extern "C" void wf_damped(small& y, const small& x, const number& s) {
  (void)wf::run<damped, code>("X"_arg = x, "s"_arg = s, "Y"_arg = y);
}
extern "C" void hand_damped(small& y, const small& x, const number& s) {
  damp_function(y, x, s[0]);
}

constexpr auto summed = wf::workflow<"summed">(
    [](wf::scope& s) { s.output<"y">(wf::call<total>(s.input<"X", double, 4, 4>())); });
extern "C" void wf_summed(number& y, const small& x) {
  (void)wf::run<summed, code>("X"_arg = x, "y"_arg = y);
}
extern "C" void hand_summed(number& y, const small& x) { total_function(y[0], x); }
