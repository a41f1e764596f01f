// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/type/element_text.hpp>
#include <wf/registry/constant_rule.hpp>
#include <wf/registry/property_rules.hpp>
#include <wf/registry/shape_rule.hpp>

namespace wf::kernels {

// One flop is one arithmetic operation, comparison or elementary function of one element.
// `operations` counts operand elements, as papers on accelerators do.

/// a + b, broadcasting.
inline constexpr kernel_spec add{
    .name = "add",
    .domain = "elementwise",
    .meaning = meaning::addition,
    .signature = "A: number [...], B: number [...] -> C[...]",
    .costs = {{"flops", "C"}, {"flops(complex)", "2*C"}, {"operations", "A + B"}},
    .result_properties = &wf::detail::infer_sum,
    .in_place = true,
    .constant = &detail::added,
    .element = [](const constant_operands& x) { return detail::formulas::plus(x[0], x[1]); },
    .adjoint = "dA = dC; dB = dC",
    .laws = {.commutative = true,
             .associative = true,
             .elementwise = true,
             .monotone = true,
             .neutral = 0,
             .distributes_over = "maximum minimum"},
    .summary = "the sum of two values, broadcasting"};

/// a - b, broadcasting.
inline constexpr kernel_spec subtract{
    .name = "subtract",
    .domain = "elementwise",
    .meaning = meaning::subtraction,
    .signature = "A: number [...], B: number [...] -> C[...]",
    .costs = {{"flops", "C"}, {"flops(complex)", "2*C"}, {"operations", "A + B"}},
    .result_properties = &wf::detail::infer_elementwise<difference_rules>,
    .in_place = true,
    .constant = &detail::subtracted,
    .element = [](const constant_operands& x) { return detail::formulas::minus(x[0], x[1]); },
    .adjoint = "dA = dC; dB = -dC",
    .laws = {.elementwise = true},
    .summary = "the difference of two values, broadcasting"};

/// The elementwise (Hadamard) product, broadcasting; also the product with a scalar.
inline constexpr kernel_spec multiply{
    .name = "multiply",
    .domain = "elementwise",
    .meaning = meaning::multiplication,
    .signature = "A: number [...], B: number [...] -> C[...]",
    .costs = {{"flops", "C"}, {"flops(complex)", "6*C"}, {"operations", "A + B"}},
    .result_properties = &wf::detail::infer_scaled,
    .in_place = true,
    .constant = &detail::multiplied,
    .element = [](const constant_operands& x) { return detail::formulas::times(x[0], x[1]); },
    .adjoint = "dA = multiply(dC, B); dB = multiply(dC, A)",
    .laws = {.commutative = true,
             .associative = true,
             .linear = true,
             .elementwise = true,
             .neutral = 1,
             .distributes_over = "add subtract"},
    .summary = "the elementwise product, broadcasting"};

/// The elementwise quotient, broadcasting.
inline constexpr kernel_spec divide{
    .name = "divide",
    .domain = "elementwise",
    .meaning = meaning::division,
    .signature = "A: number [...], B: number [...] -> C[...]",
    .costs = {{"flops", "C"}, {"flops(complex)", "6*C"}, {"operations", "A + B"}},
    .result_properties = &wf::detail::infer_quotient,
    .in_place = true,
    .constant = &detail::divided,
    .element = &detail::quotient_element,
    .adjoint = "dA = dC / B; dB = -multiply(dA, C)",
    .laws = {.elementwise = true},
    .summary = "the elementwise quotient, broadcasting"};

/// a to the power b, elementwise, broadcasting: one flop.
inline constexpr kernel_spec power{
    .name = "power",
    .domain = "elementwise",
    .meaning = meaning::power,
    .signature = "A: floating [...], B: floating [...] -> C[...]",
    .costs = {{"flops", "C"}, {"operations", "A + B"}},
    .in_place = true,
    .element =
        [](const constant_operands& x) { return detail::formulas::c_library::power(x[0], x[1]); },
    .adjoint =
        "dA = multiply(dC, multiply(B, power(A, B - 1))); "
        "dB = multiply(dC, multiply(C, log(where(less(0, A), A, 1))))",
    .laws = {.elementwise = true},
    .summary = "a to the power of b, broadcasting"};

/// The larger of a and b, broadcasting: a comparison.
inline constexpr kernel_spec maximum{.name = "maximum",
                                     .domain = "elementwise",
                                     .signature = "A: ordered [...], B: ordered [...] -> C[...]",
                                     .costs = {{"flops", "C"}, {"operations", "A + B"}},
                                     .in_place = true,
                                     .constant = &detail::larger,
                                     .element = &detail::maximum_element,
                                     .elements = &wf::detail::elements_of<&detail::maximum_element>,
                                     .adjoint =
                                         "P = less(A, B); "
                                         "dA = where(P, 0, dC); dB = where(P, dC, 0)",
                                     .laws = {.commutative = true,
                                              .associative = true,
                                              .idempotent = true,
                                              .selective = true,
                                              .never_rounds = true,
                                              .elementwise = true,
                                              .monotone = true,
                                              .neutral = -std::numeric_limits<double>::infinity(),
                                              .distributes_over = "minimum maximum"},
                                     .summary = "the larger of two values, broadcasting"};

/// The smaller of a and b, broadcasting: a comparison.
inline constexpr kernel_spec minimum{.name = "minimum",
                                     .domain = "elementwise",
                                     .signature = "A: ordered [...], B: ordered [...] -> C[...]",
                                     .costs = {{"flops", "C"}, {"operations", "A + B"}},
                                     .in_place = true,
                                     .constant = &detail::smaller,
                                     .element = &detail::minimum_element,
                                     .elements = &wf::detail::elements_of<&detail::minimum_element>,
                                     .adjoint =
                                         "P = less(B, A); "
                                         "dA = where(P, 0, dC); dB = where(P, dC, 0)",
                                     .laws = {.commutative = true,
                                              .associative = true,
                                              .idempotent = true,
                                              .selective = true,
                                              .never_rounds = true,
                                              .elementwise = true,
                                              .monotone = true,
                                              .neutral = std::numeric_limits<double>::infinity(),
                                              .distributes_over = "maximum minimum"},
                                     .summary = "the smaller of two values, broadcasting"};

/// The negative of each element: 0 - a.
inline constexpr kernel_spec negate{
    .name = "negate",
    .domain = "elementwise",
    .meaning = meaning::negation,
    .signature = "A: number [...] -> C[...]",
    .costs = {{"flops", "C"}, {"flops(complex)", "2*C"}, {"operations", "A"}},
    .result_properties = &wf::detail::infer_by<negation_rules>,
    .in_place = true,
    .constant = &detail::negated,
    .element = [](const constant_operands& x) { return detail::formulas::opposite(x[0]); },
    .adjoint = "dA = -dC",
    .laws = {.involution = true,
             .linear = true,
             .never_rounds = true,
             .elementwise = true,
             .inverse = "negate"},
    .summary = "the negated value"};

/// |a|; the (real) magnitude of complex numbers.
inline constexpr kernel_spec abs{
    .name = "abs",
    .domain = "elementwise",
    .meaning = meaning::magnitude,
    .signature = "A: number [...] -> C[...]",
    .costs = {{"flops", "C"}, {"flops(complex)", "4*C"}, {"operations", "A"}},
    .result_dtype = &detail::magnitude_dtype,
    .in_place = true,
    .constant = &detail::magnitude_of,
    .element = &detail::abs_element,
    .elements = &wf::detail::elements_of<&detail::abs_element>,
    .adjoint = "dA = multiply(dC, step(A) - step(-A))",
    .laws = {.idempotent = true, .never_rounds = true, .elementwise = true},
    .summary = "the absolute value"};

/// The complex conjugate: a change of sign.
inline constexpr kernel_spec conjugate{
    .name = "conjugate",
    .domain = "elementwise",
    .signature = "A: complex [...] -> C[...]",
    .costs = {{"flops", "C"}, {"operations", "A"}},
    .in_place = true,
    .laws = {.involution = true, .never_rounds = true, .elementwise = true, .inverse = "conjugate"},
    .summary = "the complex conjugate"};

/// 1 / a, elementwise.
inline constexpr kernel_spec reciprocal{
    .name = "reciprocal",
    .domain = "elementwise",
    .signature = "A: field [...] -> C[...]",
    .costs = {{"flops", "C"}, {"flops(complex)", "6*C"}, {"operations", "A"}},
    .result_properties = &wf::detail::infer_scalar,
    .in_place = true,
    .constant = &detail::inverted,
    .element = [](const constant_operands& x) { return detail::formulas::inverse(x[0]); },
    .adjoint = "dA = -multiply(dC, square(C))",
    .laws = {.involution = true, .elementwise = true, .inverse = "reciprocal"},
    .summary = "one over the value"};

/// a·a, elementwise.
inline constexpr kernel_spec square{
    .name = "square",
    .domain = "elementwise",
    .meaning = meaning::square,
    .signature = "A: number [...] -> C[...]",
    .costs = {{"flops", "C"}, {"flops(complex)", "6*C"}, {"operations", "A"}},
    .result_properties = &wf::detail::infer_scalar,
    .in_place = true,
    .constant = &detail::squared,
    .element = &detail::square_element,
    .elements = &wf::detail::elements_of<&detail::square_element>,
    .adjoint = "dA = multiply(dC, 2 A)",
    .laws = {.elementwise = true},
    .summary = "the square"};

/// The square root, elementwise.
inline constexpr kernel_spec sqrt{
    .name = "sqrt",
    .domain = "elementwise",
    .meaning = meaning::square_root,
    .signature = "A: floating [...] -> C[...]",
    .costs = {{"flops", "C"}, {"operations", "A"}},
    .result_properties = &wf::detail::infer_scalar,
    .in_place = true,
    .constant = &detail::rooted,
    .element = &detail::sqrt_element,
    .elements = &wf::detail::elements_of<&detail::sqrt_element>,
    .adjoint = "dA = dC / (2 C)",
    .laws = {.elementwise = true, .monotone = true, .inverse = "square"},
    .summary = "the square root"};

/// e to the power a, elementwise.
inline constexpr kernel_spec exp{.name = "exp",
                                 .domain = "elementwise",
                                 .meaning = meaning::exponential,
                                 .signature = "A: floating [...] -> C[...]",
                                 .costs = {{"flops", "C"}, {"operations", "A"}},
                                 .in_place = true,
                                 .element = &detail::exp_element,
                                 .elements = &wf::detail::elements_of<&detail::exp_element>,
                                 .adjoint = "dA = multiply(dC, C)",
                                 .laws = {.elementwise = true, .monotone = true, .inverse = "log"},
                                 .summary = "the exponential function"};

/// The natural logarithm, elementwise.
inline constexpr kernel_spec log{.name = "log",
                                 .domain = "elementwise",
                                 .meaning = meaning::logarithm,
                                 .signature = "A: floating [...] -> C[...]",
                                 .costs = {{"flops", "C"}, {"operations", "A"}},
                                 .in_place = true,
                                 .element = &detail::log_element,
                                 .elements = &wf::detail::elements_of<&detail::log_element>,
                                 .adjoint = "dA = dC / A",
                                 .laws = {.elementwise = true, .monotone = true, .inverse = "exp"},
                                 .summary = "the natural logarithm"};

/// The sine, elementwise; radians.
inline constexpr kernel_spec sin{
    .name = "sin",
    .domain = "elementwise",
    .signature = "A: floating [...] -> C[...]",
    .costs = {{"flops", "C"}, {"operations", "A"}},
    .in_place = true,
    .element = [](const constant_operands& x) { return detail::formulas::c_library::sin(x[0]); },
    .adjoint = "dA = multiply(dC, cos(A))",
    .laws = {.elementwise = true},
    .summary = "the sine"};

/// The cosine, elementwise; radians.
inline constexpr kernel_spec cos{
    .name = "cos",
    .domain = "elementwise",
    .signature = "A: floating [...] -> C[...]",
    .costs = {{"flops", "C"}, {"operations", "A"}},
    .in_place = true,
    .element = [](const constant_operands& x) { return detail::formulas::c_library::cos(x[0]); },
    .adjoint = "dA = -multiply(dC, sin(A))",
    .laws = {.elementwise = true},
    .summary = "the cosine"};

/// The hyperbolic tangent, elementwise.
inline constexpr kernel_spec tanh{.name = "tanh",
                                  .domain = "elementwise",
                                  .signature = "A: floating [...] -> C[...]",
                                  .costs = {{"flops", "C"}, {"operations", "A"}},
                                  .in_place = true,
                                  .element = &detail::tanh_element,
                                  .elements = &wf::detail::elements_of<&detail::tanh_element>,
                                  .adjoint = "dA = multiply(dC, 1 - square(C))",
                                  .laws = {.elementwise = true, .monotone = true},
                                  .summary = "the hyperbolic tangent"};

namespace detail {
// A hard threshold has derivative zero wherever it has one.
constexpr text sigmoid_adjoint(const rule_input& in) {
  if (in.find("T") == nullptr) return text("dA = multiply(dC, multiply(C, 1 - C))");
  if (in.real("T", 1) <= 1e-9) return text("dA = 0");
  return text("dA = multiply(dC, multiply(C, 1 - C) / T)");
}
}  // namespace detail

/// The logistic function 1 / (1 + exp(-a/T)) of the temperature T, a real attribute (default 1): a
/// product with -1/T, an exponential, an addition, a division. With T <= 1e-9 it is `step`, a hard
/// threshold; a negative T, which would turn it round, is refused.
inline constexpr kernel_spec sigmoid{.name = "sigmoid",
                                     .domain = "elementwise",
                                     .meaning = meaning::probability,
                                     .signature = "A: floating [...] -> C[...]",
                                     .costs = {{"flops", "4*C"}, {"operations", "A"}},
                                     .in_place = true,
                                     .element = &detail::sigmoid_element,
                                     .write_adjoint = &detail::sigmoid_adjoint,
                                     .laws = {.elementwise = true, .monotone = true},
                                     .summary = "the logistic function 1/(1 + exp(-x/T))"};

/// 1 where a > 0, else 0: a comparison. The result has the operand's type.
inline constexpr kernel_spec step{
    .name = "step",
    .domain = "elementwise",
    .signature = "A: ordered [...] -> C[...]",
    .costs = {{"flops", "C"}, {"operations", "A"}},
    .in_place = true,
    .constant = &detail::stepped,
    .element = [](const constant_operands& x) { return detail::formulas::step(x[0]); },
    .adjoint = "dA = 0",
    .laws = {.idempotent = true, .never_rounds = true, .elementwise = true, .monotone = true},
    .summary = "one where the value is positive, else zero"};

/// True where a = b, broadcasting: a comparison.
inline constexpr kernel_spec equal{
    .name = "equal",
    .domain = "elementwise",
    .signature = "A: number [...], B: number [...] -> C: bool [...]",
    .costs = {{"flops", "C"}, {"flops(complex)", "2*C"}, {"operations", "A + B"}},
    .constant = &detail::equals,
    .element = [](const constant_operands& x) { return detail::formulas::equal(x[0], x[1]); },
    .laws = {.commutative = true, .elementwise = true},
    .summary = "true where two values are equal, broadcasting"};

/// True where a < b, broadcasting: a comparison.
inline constexpr kernel_spec less{
    .name = "less",
    .domain = "elementwise",
    .signature = "A: ordered [...], B: ordered [...] -> C: bool [...]",
    .costs = {{"flops", "C"}, {"operations", "A + B"}},
    .constant = &detail::is_less,
    .element = [](const constant_operands& x) { return detail::formulas::less(x[0], x[1]); },
    .laws = {.elementwise = true},
    .summary = "true where the first value is smaller, broadcasting"};

/// Elementwise a and b, broadcasting; no floating-point operation.
inline constexpr kernel_spec logical_and{
    .name = "logical_and",
    .domain = "elementwise",
    .meaning = meaning::conjunction,
    .signature = "A: bool [...], B: bool [...] -> C: bool [...]",
    .costs = {{"flops", "0"}, {"operations", "A + B"}},
    .in_place = true,
    .constant = &detail::multiplied,
    .element = [](const constant_operands& x) { return detail::formulas::both(x[0], x[1]); },
    .laws = {.commutative = true,
             .associative = true,
             .idempotent = true,
             .selective = true,
             .elementwise = true,
             .monotone = true,
             .neutral = 1,
             .distributes_over = "logical_or logical_and"},
    .summary = "true where both values are, broadcasting"};

/// Elementwise a or b, broadcasting; no floating-point operation.
inline constexpr kernel_spec logical_or{
    .name = "logical_or",
    .domain = "elementwise",
    .meaning = meaning::disjunction,
    .signature = "A: bool [...], B: bool [...] -> C: bool [...]",
    .costs = {{"flops", "0"}, {"operations", "A + B"}},
    .in_place = true,
    .constant = &detail::either,
    .element = [](const constant_operands& x) { return detail::formulas::either(x[0], x[1]); },
    .laws = {.commutative = true,
             .associative = true,
             .idempotent = true,
             .selective = true,
             .elementwise = true,
             .monotone = true,
             .neutral = 0,
             .distributes_over = "logical_and logical_or"},
    .summary = "true where one value or both are, broadcasting"};

/// Elementwise not a; no floating-point operation.
inline constexpr kernel_spec logical_not{
    .name = "logical_not",
    .domain = "elementwise",
    .meaning = meaning::complement,
    .signature = "A: bool [...] -> C: bool [...]",
    .costs = {{"flops", "0"}, {"operations", "A"}},
    .in_place = true,
    .constant = &detail::denied,
    .element = [](const constant_operands& x) { return detail::formulas::complement(x[0]); },
    .laws = {.involution = true, .elementwise = true, .inverse = "logical_not"},
    .summary = "true where the value is not"};

/// A scalar constant, held in the attribute `value`.
inline constexpr kernel_spec constant{.name = "constant",
                                      .domain = "elementwise",
                                      .meaning = meaning::constant,
                                      .signature = "-> C[]",
                                      .costs = {{"flops", "0"}},
                                      .constant = &detail::held,
                                      .summary = "a scalar constant"};

namespace detail {
// The shape in d0, d1, ...; the text attribute `elements` must hold every element.
constexpr result<shape> literal_shape(const rule_input& in) {
  const auto target = stated_shape(in);
  const auto type = stated_dtype(in);
  const attribute_value* elements = in.find("elements");
  if (!target || !type) return target;
  if (elements == nullptr || !(*target).is_static() ||
      !holds_elements(elements->characters, *type, (*target).elements()))
    return wrong_attribute("elements", "it must hold the digits of every element");
  return target;
}
}  // namespace detail

/// A tensor of constants: shape in the extent attributes d0, d1, ...; element type in `dtype`
/// (default f32); elements in row-major order as digits in the text attribute `elements` (see
/// <wf/ir/type/element_text.hpp>).
inline constexpr kernel_spec literal{.name = "literal",
                                     .domain = "elementwise",
                                     .signature = "-> C[...]",
                                     .costs = {{"flops", "0"}, {"operations", "0"}},
                                     .result_shape = &detail::literal_shape,
                                     .result_dtype = &detail::stated_dtype,
                                     .summary = "a tensor of constants"};

/// Every kernel of the domain.
inline constexpr const kernel_spec* elementwise_domain[] = {
    &add,    &subtract,    &multiply,   &divide,      &power,    &maximum, &minimum,
    &negate, &abs,         &conjugate,  &reciprocal,  &square,   &sqrt,    &exp,
    &log,    &sin,         &cos,        &tanh,        &sigmoid,  &step,    &equal,
    &less,   &logical_and, &logical_or, &logical_not, &constant, &literal};

}  // namespace wf::kernels
