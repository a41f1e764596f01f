// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

namespace wf {

/// Condition under which a property inference holds.
enum class inference_condition : std::uint8_t {
  always,  ///< unconditional
  tall,    ///< no matrix operand has more columns than rows
  wide,    ///< no matrix operand has more rows than columns
};

/// An inference from properties of the operands to properties of the result.
struct property_inference {
  /// Required properties of the first operand.
  properties first;
  /// Required properties of the second operand, if there are two.
  properties second;
  /// Properties of the result that follow.
  properties result;
  /// Further condition, on the operands' shapes.
  inference_condition condition = inference_condition::always;
};

/// All inferences for one use of an operator: on matrices of one shape, on a scalar and a matrix,
/// or on scalars.
struct property_rules {
  /// Property bits (not closed) that the result has if all operands have them.
  std::uint32_t kept = 0;
  /// Further inferences.
  view<property_inference> more = {};
  /// Properties that every result has.
  properties always = {};
};

namespace detail {

inline constexpr std::uint32_t shape_bits = symmetric_bit | lower_bit | upper_bit;

inline constexpr property_inference flips[] = {{lower_triangular, {}, upper_triangular},
                                               {upper_triangular, {}, lower_triangular}};
inline constexpr property_inference sums[] = {{spd, psd, spd}, {psd, spd, spd}};
inline constexpr property_inference scalings[] = {{{}, symmetric, symmetric},
                                                  {{}, lower_triangular, lower_triangular},
                                                  {{}, upper_triangular, upper_triangular},
                                                  {positive, psd, psd},
                                                  {positive, nonsingular, nonsingular},
                                                  {positive, full_rank, full_rank}};
inline constexpr property_inference masks[] = {{lower_triangular, {}, lower_triangular},
                                               {{}, lower_triangular, lower_triangular},
                                               {upper_triangular, {}, upper_triangular},
                                               {{}, upper_triangular, upper_triangular},
                                               {spd, spd, spd}};
inline constexpr property_inference ranks[] = {
    {nonsingular, full_rank, full_rank},
    {full_rank, nonsingular, full_rank},
    {full_rank, full_rank, full_rank, inference_condition::tall},
    {full_rank, full_rank, full_rank, inference_condition::wide}};

}  // namespace detail

/// Transposition: lower and upper triangular swap.
inline constexpr property_rules transpose_rules{
    detail::symmetric_bit | detail::psd_bit | detail::orthogonal_bit | detail::full_rank_bit |
        detail::nonsingular_bit | detail::permutation_bit | detail::identity_bit,
    detail::flips};
/// The inverse of a matrix that has one.
inline constexpr property_rules inverse_rules{detail::shape_bits | detail::psd_bit |
                                                  detail::orthogonal_bit | detail::permutation_bit |
                                                  detail::identity_bit,
                                              {},
                                              nonsingular};
/// The product of two matrices.
inline constexpr property_rules product_rules{detail::lower_bit | detail::upper_bit |
                                                  detail::orthogonal_bit | detail::nonsingular_bit |
                                                  detail::permutation_bit | detail::identity_bit,
                                              detail::ranks};
/// The sum of two matrices.
inline constexpr property_rules sum_rules{detail::shape_bits | detail::psd_bit, detail::sums};
/// The difference of two matrices.
inline constexpr property_rules difference_rules{detail::shape_bits};
/// The negative of a matrix.
inline constexpr property_rules negation_rules{detail::shape_bits | detail::orthogonal_bit |
                                               detail::nonsingular_bit | detail::full_rank_bit};
/// A scalar (first operand) times a matrix.
inline constexpr property_rules scaling_rules{0, detail::scalings};
/// The elementwise product of two matrices of one shape; it keeps definiteness by Schur's theorem
/// (Horn and Johnson, Topics in Matrix Analysis, 1991, theorem 5.2.1).
inline constexpr property_rules hadamard_rules{detail::shape_bits | detail::psd_bit, detail::masks};
/// The sum, product and quotient of two scalars, and the square, root and reciprocal of one.
inline constexpr property_rules scalar_rules{detail::positive_bit};

/// True if a matrix certainly has no more columns than rows; `transposed`: no more rows than
/// columns.
constexpr bool is_tall(const value_type& t, bool transposed = false) {
  const shape& s = t.shape;
  if (!s.has_rank() || s.rank < 2) return false;
  const extent rows = s[s.rank - (transposed ? 1u : 2u)];
  const extent columns = s[s.rank - (transposed ? 2u : 1u)];
  if (rows.is_fixed() && columns.is_fixed()) return rows.size() >= columns.size();
  return rows == columns && !rows.is_unknown();
}

/// The known properties of a value; a square matrix of full rank is also nonsingular.
constexpr properties known_of(const value_type& t) {
  const bool invertible = t.known.has(full_rank) && is_tall(t) && is_tall(t, true);
  return invertible ? t.known | nonsingular : t.known;
}

namespace detail {

constexpr bool holds(inference_condition c, view<value_type> operands) {
  if (c == inference_condition::always) return true;
  for (const value_type& t : operands)
    if (!is_tall(t, c == inference_condition::wide)) return false;
  return true;
}

}  // namespace detail

/// Infers properties of an operator's result from those of one or two operands. O(rules).
constexpr properties infer_properties(const property_rules& rules, view<value_type> operands) {
  const properties first = known_of(operands[0]);
  const bool two = operands.size() > 1;
  const properties second = two ? known_of(operands[1]) : first;
  std::uint32_t bits = rules.always.bits | (first.bits & second.bits & rules.kept);
  for (const property_inference& rule : rules.more)
    if (first.has(rule.first) && (!two || second.has(rule.second)) &&
        detail::holds(rule.condition, operands))
      bits |= rule.result.bits;
  return detail::close_properties(bits);
}

namespace detail {

/// A `property_rule` for an operator with one set of rules.
template <const property_rules& Rules>
constexpr properties infer_by(const rule_input& in) {
  return infer_properties(Rules, in.operands);
}

constexpr bool is_scalar(const value_type& t) { return t.shape.has_rank() && t.shape.rank == 0; }

/// A `property_rule` for scalar functions; on other shapes it infers nothing.
constexpr properties infer_scalar(const rule_input& in) {
  for (const value_type& t : in.operands)
    if (!is_scalar(t)) return {};
  return infer_properties(scalar_rules, in.operands);
}

/// A `property_rule` for elementwise operators on two matrices of one shape; broadcasting preserves
/// no property.
template <const property_rules& Rules>
constexpr properties infer_elementwise(const rule_input& in) {
  const shape &a = in.operands[0].shape, &b = in.operands[1].shape;
  if (a.has_rank() && a.rank >= 2 && a == b) return infer_properties(Rules, in.operands);
  return {};
}
constexpr properties infer_sum(const rule_input& in) {
  return infer_elementwise<sum_rules>(in) | infer_scalar(in);
}

/// A `property_rule` for a product or quotient with a scalar, or an elementwise product.
constexpr properties infer_scaled(const rule_input& in) {
  const bool first = is_scalar(in.operands[0]), second = is_scalar(in.operands[1]);
  if (first && second) return infer_scalar(in);
  if (!first && !second) return infer_elementwise<hadamard_rules>(in);
  const value_type both[] = {in.operands[first ? 0 : 1], in.operands[first ? 1 : 0]};
  return infer_properties(scaling_rules, both);
}
constexpr properties infer_quotient(const rule_input& in) {
  if (is_scalar(in.operands[0])) return infer_scalar(in);
  return is_scalar(in.operands[1]) ? infer_scaled(in) : properties();
}

}  // namespace detail
}  // namespace wf
