// SPDX-License-Identifier: BSL-1.0
//
// Pairs of functions that must compile to the same instructions: wf_<name> runs a toolchain,
// hand_<name> makes the equivalent calls. compare.py compares them: acceptance group 6.

#include <wf/toolchain/adapter.hpp>
#include <wf/toolchain/toolchain.hpp>

struct measure {
  double value;
};

constexpr auto add = wf::step<"add">([](const int& x) { return x + 3; });
constexpr auto scale = wf::step<"scale">([](int x) { return static_cast<long>(x) * 5; });
constexpr auto shift = wf::step<"shift">([](const long& x) { return x - 7; });
constexpr auto three = wf::chain(add, scale, shift);

extern "C" long wf_three_steps(int x) { return three(x); }
extern "C" long hand_three_steps(int x) { return static_cast<long>(x + 3) * 5 - 7; }

extern "C" long wf_empty_tracer(int x) { return three(x, wf::no_tracer{}); }
extern "C" long hand_empty_tracer(int x) { return three(x); }

constexpr auto nested = wf::chain(add, wf::chain<"rest">(scale, shift));
extern "C" long wf_nested(int x) { return nested(x); }
extern "C" long hand_nested(int x) { return static_cast<long>(x + 3) * 5 - 7; }

extern "C" long wf_late_entry(long x) { return nested.from<"rest/shift">(x); }
extern "C" long hand_late_entry(long x) { return x - 7; }

extern "C" int wf_early_exit(int x) { return nested.until<"add">(x); }
extern "C" int hand_early_exit(int x) { return x + 3; }

extern "C" long wf_replaced(int x) {
  return three.replace<"scale">([](int y) { return static_cast<long>(y) * 9; })(x);
}
extern "C" long hand_replaced(int x) { return static_cast<long>(x + 3) * 9 - 7; }

// A toolchain on a constant is folded completely.
extern "C" long wf_constant() { return three(10); }
extern "C" long hand_constant() { return 58; }

// Steps with members: the toolchain has no further state.
struct affine {
  double slope, offset;
  constexpr measure operator()(const measure& m) const { return {m.value * slope + offset}; }
};
extern "C" double wf_members(double slope, double offset, double x) {
  const auto w = wf::chain(wf::step<"first">(affine{slope, offset}),
                           wf::step<"second">(affine{offset, slope}));
  return w(measure{x}).value;
}
extern "C" double hand_members(double slope, double offset, double x) {
  const double y = x * slope + offset;
  return y * offset + slope;
}

// Adapters pass the arguments by steps that do not take them.
using carried = wf::concrete<int, long>;
constexpr auto adapted = wf::chain(wf::on_data<long>(add), wf::drop_args<long>(scale));
extern "C" long wf_adapted(int x, long y) { return adapted(carried{x, y}); }
extern "C" long hand_adapted(int x, long) { return static_cast<long>(x + 3) * 5; }

// Functions that the compiler cannot inline, but that do not throw.
extern "C" int opaque_a(int) noexcept;
extern "C" long opaque_b(int) noexcept;
constexpr auto opaque = wf::chain(wf::step<"a">([](int x) noexcept { return opaque_a(x); }),
                                  wf::step<"b">([](int x) noexcept { return opaque_b(x); }));
extern "C" long wf_opaque(int x) { return opaque(x); }
extern "C" long hand_opaque(int x) { return opaque_b(opaque_a(x)); }
