// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/static_cost.hpp>

#include <type_traits>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  s.output<"Y">(s.input<"A", double, 3, 4>() * s.input<"B", double, 4, 5>());
});
static_assert(wf::cost(product)[wf::flops] == 120);
static_assert(std::is_same_v<decltype(wf::cost(product)[wf::flops]), std::int64_t>);
static_assert(wf::within<decltype(product), wf::flops, 120>());

constexpr auto symbolic = wf::workflow<"symbolic">([](wf::scope& s) {
  s.output<"Y">(s.input<"A", double, "M", "K">() * s.input<"B", double, "K", 5>());
});
static_assert(to_text(wf::cost(symbolic)[wf::flops]) == wf::text("10*M*K") ||
              to_text(wf::cost(symbolic)[wf::flops]) == wf::text("10*K*M"));

constexpr auto register_of_five = wf::workflow<"quantum">([](wf::scope& s) {
  auto q = s.input<"q", wf::qubit, 5>();
  s.output<"bits">(measure(quantum_fourier(hadamard_gate(q))));
});
static_assert(wf::cost(register_of_five)[wf::qubits] == 5);
static_assert(wf::cost(register_of_five)[wf::gates] == 5 + (5 + 10 + 2) + 5);

}  // namespace

TEST_CASE("constant and run-time costs are the same function's") {
  CHECK(wf::cost(product)[wf::bytes] == *wf::price(product.graph(), wf::bytes));
}
