// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/text/text.hpp>

namespace wf {

/// A set of declared or inferred properties of a matrix value. A set is always closed under
/// implication: `spd` contains `symmetric`, `diagonal` contains both triangles.
struct properties {
  /// One bit per property, in the order of the names below.
  std::uint32_t bits = 0;

  /// True if all of `wanted` hold.
  constexpr bool has(properties wanted) const { return (bits & wanted.bits) == wanted.bits; }
  /// True if no property is known.
  constexpr bool empty() const { return bits == 0; }
  friend constexpr bool operator==(properties, properties) = default;
  /// The closure of the union.
  friend constexpr properties operator|(properties a, properties b);
  /// The properties common to both sets.
  friend constexpr properties operator&(properties a, properties b) { return {a.bits & b.bits}; }
};

namespace detail {
inline constexpr std::uint32_t symmetric_bit = 1, lower_bit = 2, upper_bit = 4, diagonal_bit = 8,
                               spd_bit = 16, orthogonal_bit = 32, nonsingular_bit = 64,
                               psd_bit = 128, full_rank_bit = 256, permutation_bit = 512,
                               identity_bit = 1024, positive_bit = 2048,
                               all_property_bits = 2 * positive_bit - 1;

// The closure of a set. Each rule is applied once: earlier lines establish its premises.
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

/// The closure of the union of two sets.
constexpr properties operator|(properties a, properties b) {
  return detail::close_properties(a.bits | b.bits);
}

/// Drops the properties that need ordered elements: definiteness and positivity. For complex
/// elements they do not hold: `Xᵀ·X` may be singular though X has full rank.
constexpr properties without_order(properties p) {
  return {p.bits & ~(detail::spd_bit | detail::psd_bit | detail::positive_bit)};
}

/// A set of properties as a type, so that a handle's type can carry it; converts to `properties`.
template <std::uint32_t Bits>
struct property_set {
  /// The set as an ordinary value.
  static constexpr properties value{Bits};
  /// Converts to `value` and drops the type.
  constexpr operator properties() const { return value; }
  /// The closure of the union, as a type.
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
/// Symmetric positive semidefinite; real elements only.
inline constexpr property_set<detail::close_properties(detail::psd_bit).bits> psd{};
/// Symmetric positive definite; real elements only.
inline constexpr property_set<detail::close_properties(detail::spd_bit).bits> spd{};
/// A square matrix whose transpose is its inverse.
inline constexpr property_set<detail::close_properties(detail::orthogonal_bit).bits> orthogonal{};
/// A square matrix with an inverse.
inline constexpr property_set<detail::close_properties(detail::nonsingular_bit).bits> nonsingular{};
/// The rank is the smaller of the numbers of rows and columns; a square matrix is then invertible.
inline constexpr property_set<detail::full_rank_bit> full_rank{};
/// One 1 in each row and column, zeros elsewhere.
inline constexpr property_set<detail::close_properties(detail::permutation_bit).bits> permutation{};
/// The identity matrix; an input declared so is treated as the identity.
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

/// The properties with a name ("spd"), or the empty set if there is none.
constexpr properties properties_named(text_view name) {
  for (const auto& row : detail::property_rows)
    if (row.name == name) return row.set;
  return {};
}

/// The shortest list of names that implies the set, separated by spaces: "spd", "lower
/// nonsingular".
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
