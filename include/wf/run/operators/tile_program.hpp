// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <Eigen/Core>

#include <wf/ir/type/shape.hpp>
#include <wf/run/values/scalar.hpp>

// Programs of elementwise operators: what a tile kernel is, and what an instruction holds.
namespace wf::compute {

/// Type of a node's numeric attributes in an operator: the element type, or double for integers and
/// booleans.
template <class Real>
using parameter_of = std::conditional_t<is_field_scalar<Real>, Real, double>;

/// Computes `count` elements: to[i] = f(from[0][i·step[0]], from[1][i·step[1]], ...). `to` may
/// alias any of `from` whose step is 1. `parameters` are the numeric attributes of the node, in the
/// order of their declaration. False if an integer result does not exist or does not fit.
template <class Real>
using tile_kernel = bool (*)(Real* to, const Real* const* from, const Eigen::Index* step,
                             Eigen::Index count, const parameter_of<Real>* parameters);

/// Maximum number of operands of an elementwise operator.
inline constexpr std::size_t max_tile_operands = 3;
/// Maximum number of attributes of an elementwise operator.
inline constexpr std::size_t max_tile_parameters = 4;
/// Maximum number of tensors that a fused program reads.
inline constexpr std::size_t max_tile_inputs = 8;
/// Tile size in elements, of intermediate results of a fused program.
inline constexpr Eigen::Index tile_length = 512;
/// Tile size in elements for a result of this shape: `tile_length` or all its elements.
constexpr Eigen::Index tile_length_of(const shape& s) {
  const std::int64_t elements = s.elements();
  return elements >= 0 && elements < tile_length ? static_cast<Eigen::Index>(elements)
                                                 : tile_length;
}

/// Role of an elementwise operator in a linear combination, for fused sums.
enum class tile_role : std::uint8_t {
  other,     ///< none that fusion knows
  sum,       ///< x + y
  gap,       ///< x - y
  product,   ///< x·y
  opposite,  ///< 0 - x
};

/// An instruction of a fused program: one elementwise operator.
template <class Real>
struct tile_instruction {
  /// Kernel that computes a tile.
  tile_kernel<Real> kernel = nullptr;
  /// Number of operands.
  std::uint32_t operands = 0;
  /// Sources of the operands: below `max_tile_inputs` an input tensor, above it the slot of an
  /// earlier result.
  std::uint8_t from[max_tile_operands] = {};
  /// Slot of the result; the last instruction writes the result of the program instead.
  std::uint8_t to = 0;
  /// Role in a linear combination.
  tile_role role = tile_role::other;
  /// Numeric attributes of the node.
  parameter_of<Real> parameters[max_tile_parameters] = {};
};

/// Returned by a program that computed all its elements; otherwise it returns the index of the
/// instruction that failed.
inline constexpr std::size_t all_computed = static_cast<std::size_t>(-1);

}  // namespace wf::compute
