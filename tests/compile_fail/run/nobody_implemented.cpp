// SPDX-License-Identifier: BSL-1.0
// EXPECT: square WF704: nobody implemented this operator: wf::run<plan, code> with code =
// wf::implementations
#include <wf/run/eigen.hpp>
#include <wf/static.hpp>

using namespace wf::literals;

inline constexpr wf::kernel_spec square{.name = "own_square",
                                        .domain = "own",
                                        .signature = "X: number [...] -> Y[...]",
                                        .costs = {{"flops", "Y"}},
                                        .laws = {.elementwise = true}};
inline constexpr auto code =
    wf::implementations(wf::implement_elementwise<square>([](auto x) { return x * x; }));

constexpr auto squares = wf::workflow<"squares">([](wf::scope& s) {
  auto x = s.input<"x", double, 4>();
  s.output<"y">(s.let<"square">(wf::call<square>(x)));
});

void f(Eigen::Vector4d& x) {
#ifdef WF_FAIL
  (void)wf::run<squares>("x"_arg = x);
#else
  (void)wf::run<squares, code>("x"_arg = x);
#endif
}
