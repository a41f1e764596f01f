// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/text/text.hpp>

namespace wf {

/// A set of declared or inferred properties of a matrix value. A set is always closed under what
/// the properties imply: `spd` contains `symmetric`, `diagonal` contains both triangles.
struct properties {
  /// One bit a property, in the order of the names below.
  std::uint32_t bits = 0;

  /// True if all of `wanted` hold.
  constexpr bool has(properties wanted) const { return (bits & wanted.bits) == wanted.bits; }
  /// True if nothing is known.
  constexpr bool empty() const { return bits == 0; }
  friend constexpr bool operator==(properties, properties) = default;
  /// Both sets hold.
  friend constexpr properties operator|(properties a, properties b);
  /// What holds in both sets.
  friend constexpr properties operator&(properties a, properties b) { return {a.bits & b.bits}; }
};

namespace detail {
inline constexpr std::uint32_t symmetric_bit = 1, lower_bit = 2, upper_bit = 4, diagonal_bit = 8,
                               spd_bit = 16, orthogonal_bit = 32, nonsingular_bit = 64,
                               psd_bit = 128, full_rank_bit = 256, permutation_bit = 512,
                               identity_bit = 1024, positive_bit = 2048,
                               all_property_bits = 2 * positive_bit - 1;

// What follows from a set, each line once: what it needs is settled by the lines before.
constexpr properties close_properties(std::uint32_t b) {
  const auto any = [&](std::uint32_t of) { return (b & of) != 0; };
  const auto all = [&](std::uint32_t of) { return (b & of) == of; };
  if (any(identity_bit)) b |= permutation_bit | spd_bit | diagonal_bit;
  if (any(permutation_bit)) b |= orthogonal_bit;
  if (any(spd_bit | orthogonal_bit)) b |= nonsingular_bit;
  if (any(nonsingular_bit)) b |= full_rank_bit;
  if (any(spd_bit)) b |= psd_bit;
  if (all(psd_bit | nonsingular_bit)) b |= spd_bit;
  if (any(psd_bit)) b |= symmetric_bit;
  if (all(lower_bit | upper_bit)) b |= diagonal_bit;
  if (any(symmetric_bit | orthogonal_bit) && any(lower_bit | upper_bit)) b |= diagonal_bit;
  if (any(diagonal_bit)) b |= symmetric_bit | lower_bit | upper_bit;
  if (all(spd_bit | orthogonal_bit) || all(permutation_bit | diagonal_bit))
    b |= identity_bit | permutation_bit | spd_bit | psd_bit | diagonal_bit | symmetric_bit |
         lower_bit | upper_bit;
  return {b};
}
}  // namespace detail

/// Both sets hold.
constexpr properties operator|(properties a, properties b) {
  return detail::close_properties(a.bits | b.bits);
}

/// A set without those that are of ordered elements only: definiteness and the sign of a scalar. Of
/// complex elements they say nothing: `Xᵀ·X` may have no inverse though X has full rank.
constexpr properties without_order(properties p) {
  return {p.bits & ~(detail::spd_bit | detail::psd_bit | detail::positive_bit)};
}

/// A set of properties as a type, so that a handle's type can carry it; converts to `properties`.
template <std::uint32_t Bits>
struct property_set {
  /// The set as a value.
  static constexpr properties value{Bits};
  /// Converts to `value`, which drops the type.
  constexpr operator properties() const { return value; }
  /// Both sets hold.
  template <std::uint32_t More>
  constexpr property_set<detail::close_properties(Bits | More).bits> operator|(
      property_set<More>) const {
    return {};
  }
};

/// A equals its transpose.
inline constexpr property_set<detail::symmetric_bit> symmetric{};
/// Zero above the diagonal.
inline constexpr property_set<detail::lower_bit> lower_triangular{};
/// Zero below the diagonal.
inline constexpr property_set<detail::upper_bit> upper_triangular{};
/// Zero off the diagonal.
inline constexpr property_set<detail::close_properties(detail::diagonal_bit).bits> diagonal{};
/// Symmetric positive semidefinite. Of real elements.
inline constexpr property_set<detail::close_properties(detail::psd_bit).bits> psd{};
/// Symmetric positive definite. Of real elements.
inline constexpr property_set<detail::close_properties(detail::spd_bit).bits> spd{};
/// The transpose is the inverse.
inline constexpr property_set<detail::close_properties(detail::orthogonal_bit).bits> orthogonal{};
/// Has an inverse.
inline constexpr property_set<detail::close_properties(detail::nonsingular_bit).bits> nonsingular{};
/// Its rank is its number of rows or of columns; square: it has an inverse.
inline constexpr property_set<detail::full_rank_bit> full_rank{};
/// A one in each row and column, else zeros.
inline constexpr property_set<detail::close_properties(detail::permutation_bit).bits> permutation{};
/// The identity matrix: also what an input declared so is taken for.
inline constexpr property_set<detail::close_properties(detail::identity_bit).bits> identity{};
/// A scalar above zero.
inline constexpr property_set<detail::positive_bit> positive{};

namespace detail {
struct property_row {
  text_view name;
  properties set;
};
inline constexpr property_row property_rows[] = {{"symmetric", symmetric},
                                                 {"lower", lower_triangular},
                                                 {"upper", upper_triangular},
                                                 {"diagonal", diagonal},
                                                 {"spd", spd},
                                                 {"orthogonal", orthogonal},
                                                 {"nonsingular", nonsingular},
                                                 {"psd", psd},
                                                 {"full_rank", full_rank},
                                                 {"permutation", permutation},
                                                 {"identity", identity},
                                                 {"positive", positive}};
}  // namespace detail

/// The properties of a name ("spd"), or the empty set if there is none such.
constexpr properties properties_named(text_view name) {
  for (const auto& row : detail::property_rows)
    if (row.name == name) return row.set;
  return {};
}

/// The set as the fewest names that imply it, separated by spaces: "spd", "lower nonsingular".
constexpr text to_text(properties p) {
  text out;
  for (const auto& row : detail::property_rows) {
    if (!p.has(row.set)) continue;
    bool implied = false;
    for (const auto& other : detail::property_rows)
      if (other.set != row.set && p.has(other.set) && other.set.has(row.set)) implied = true;
    if (implied) continue;
    if (!out.empty()) out << ' ';
    out << row.name;
  }
  return out;
}

}  // namespace wf
