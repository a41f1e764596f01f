// SPDX-License-Identifier: BSL-1.0
// EXPECT: "w"
// EXPECT: WF301: an operator has no built-in kernel; pass a registry
#include <wf/wf.hpp>

inline constexpr wf::kernel_spec mystery{
    .name = "mystery", .domain = "user", .signature = "X[...] -> Y[...]"};
struct mystery_ {
  static constexpr bool fixed = true;
  static constexpr wf::captured_kernel kernel(wf::view<wf::value_type>) {
    return {&mystery, wf::hash_text("mystery")};
  }
  static constexpr std::size_t attributes(wf::attribute_value*) { return 0; }
};
constexpr auto w = wf::workflow<"w">(
    [](wf::scope& s) { s.output<"Y">(wf::apply(mystery_{}, s.input<"A", double, 3>())); });
constexpr auto known =
    wf::workflow<"known">([](wf::scope& s) { s.output<"Y">(relu(s.input<"A", double, 3>())); });
#ifdef WF_FAIL
constexpr auto plan = wf::optimise<w>(wf::minimise(wf::flops));  // HERE
#else
constexpr auto plan = wf::optimise<known>(wf::minimise(wf::flops));
#endif
static_assert(plan.proven_optimal);
