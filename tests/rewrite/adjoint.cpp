// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/adjoint.hpp>

#include <doctest/doctest.h>

namespace {

// An operator on a matrix and a vector that broadcasts, with an adjoint of this text.
struct captured_adjoint {
  wf::detail::graph_capture to{"g"};
  wf::error failed;
  wf::table<wf::value_id> derivatives;

  explicit captured_adjoint(wf::text_view adjoint, bool has_derivative = true) {
    const wf::kernel_spec k{.name = "f",
                            .domain = "mine",
                            .signature = "A: floating [..., N], B: floating [N] -> C[..., N]",
                            .adjoint = adjoint};
    const auto parsed = wf::parse_signature(k.signature);
    const wf::value_type matrix{wf::dtype::f64, {}, wf::shape::of(3, 4)};
    const wf::value_type vector{wf::dtype::f64, {}, wf::shape::of(4)};
    const wf::value_id operands[] = {to.add_input("A", matrix), to.add_input("B", vector)};
    const wf::value_id result = to.add_input("C", matrix);
    const wf::value_id derivative =
        has_derivative ? to.add_input("seed", matrix) : wf::value_id::none;
    const wf::registry kernels = wf::builtin_registry();
    const wf::attribute_value attributes[] = {wf::attribute_value::floating("by", 2.5)};
    const char wanted[] = {1, 1};
    failed = wf::detail::adjoint_capture(
                 to, kernels,
                 {k, *parsed, operands, {&result, 1}, {&derivative, 1}, attributes, "node", {}})
                 .run({wanted, 2}, derivatives);
  }
  wf::shape shape_of(std::size_t operand) const { return to.type_of(derivatives[operand]).shape; }
  std::size_t nodes() const { return to.captured().nodes.size(); }
};

}  // namespace

TEST_CASE("derivatives take the shapes of their operands") {
  const captured_adjoint summed("dA = dC; dB = dC");
  REQUIRE(summed.failed.code == wf::errc::none);
  CHECK(summed.shape_of(0) == wf::shape::of(3, 4));
  CHECK(summed.shape_of(1) == wf::shape::of(4));
  CHECK(summed.nodes() == 1);  // a sum
  const captured_adjoint repeated("dA = B; dB = sum(dC)");
  REQUIRE(repeated.failed.code == wf::errc::none);
  CHECK(repeated.shape_of(0) == wf::shape::of(3, 4));
  CHECK(repeated.shape_of(1) == wf::shape::of(4));
}

TEST_CASE("zero derivatives, and results without derivatives") {
  const captured_adjoint zero("dA = 0; dB = multiply(B, by)");
  REQUIRE(zero.failed.code == wf::errc::none);
  CHECK(zero.derivatives[0] == wf::value_id::none);
  CHECK(zero.shape_of(1) == wf::shape::of(4));
  CHECK(zero.nodes() == 3);  // two numbers and a product
  const captured_adjoint unread("dA = A; dB = B", false);
  CHECK(unread.nodes() == 0);
  const captured_adjoint read("dA = dC; dB = dC", false);
  REQUIRE(read.failed.code == wf::errc::none);
  CHECK(read.nodes() == 3);  // zeros, of which one is summed
}

TEST_CASE("faults of an adjoint are told at the node") {
  const captured_adjoint none("");
  CHECK(none.failed.code == wf::errc::no_adjoint);
  CHECK(none.failed.subject.view() == "node");
  const captured_adjoint syntax("dA = (dC");
  CHECK(syntax.failed.code == wf::errc::equation_syntax);
  CHECK(syntax.failed.where.column == 9);
  const captured_adjoint missing("dA = dC");
  CHECK(missing.failed.code == wf::errc::no_adjoint);
  const captured_adjoint unknown("dA = dC; dB = dD");
  CHECK(unknown.failed.code == wf::errc::bad_equation);
  CHECK(unknown.failed.subject.view() == "node");
  const captured_adjoint wide("dA = dC; dB = pad(dC, axis = 1, before = 1)");
  CHECK(wide.failed.code == wf::errc::shape_mismatch);
}
