// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/type/dtype.hpp>

namespace wf {

/// An element of the lattice of dtypes: a named set of dtypes. Bottom is the empty set; above it
/// lie the single dtypes, then `integer`, `floating` and `complex`, then `ordered` (integers and
/// floating) and `field` (floating and complex), then `number`; top is `any`. `bool`, `qubit`,
/// `peer` and `trigger` lie directly below `any`.
struct dtype_set {
  /// Bit `d` is set if dtype number `d` is in the set.
  std::uint32_t bits = 0;

  /// True if the dtype is in the set; false for `unknown`.
  constexpr bool contains(dtype d) const {
    return d != dtype::unknown && ((bits >> static_cast<int>(d)) & 1) != 0;
  }
  /// True for the bottom of the lattice.
  constexpr bool empty() const { return bits == 0; }
  friend constexpr bool operator==(dtype_set, dtype_set) = default;
};

namespace detail {

struct named_dtype_set {
  text_view name;
  dtype_set set;
};

constexpr dtype_set dtypes_where(bool (*holds)(dtype)) {
  dtype_set out;
  for (std::size_t i = 1; i < dtype_count; ++i)
    if (holds(static_cast<dtype>(i))) out.bits |= std::uint32_t{1} << i;
  return out;
}

// The classes, smaller ones first: the first that contains a set is the smallest.
inline constexpr named_dtype_set dtype_classes[] = {
    {"integer", dtypes_where(&is_integer)},
    {"complex", dtypes_where(&is_complex)},
    {"floating", dtypes_where(&is_floating)},
    {"ordered", dtypes_where([](dtype d) { return is_integer(d) || is_floating(d); })},
    {"field", dtypes_where(&is_field)},
    {"number", dtypes_where(&is_number)},
    {"any", dtypes_where([](dtype) { return true; })}};

}  // namespace detail

/// The set of a dtype alone; the empty set for `unknown`.
constexpr dtype_set only(dtype d) {
  if (d == dtype::unknown) return {};
  return {std::uint32_t{1} << static_cast<int>(d)};
}

/// The set that a bound of a signature names: a dtype or a class of dtypes. Empty for any other
/// name.
constexpr dtype_set dtypes_named(text_view bound) {
  for (const auto& c : detail::dtype_classes)
    if (c.name == bound) return c.set;
  return only(dtype_named(bound));
}

/// The name of an element of the lattice; "none" for the empty set, empty text for a set that is no
/// element.
constexpr text_view name_of(dtype_set s) {
  if (s.empty()) return "none";
  for (std::size_t i = 1; i < dtype_count; ++i)
    if (s == only(static_cast<dtype>(i))) return name_of(static_cast<dtype>(i));
  for (const auto& c : detail::dtype_classes)
    if (c.set == s) return c.name;
  return {};
}

/// The order of the lattice: true if every dtype of `a` is in `b`.
constexpr bool is_within(dtype_set a, dtype_set b) { return (a.bits & ~b.bits) == 0; }

/// The greatest lower bound: the intersection. It is an element of the lattice, since named sets
/// that share a dtype are nested, except `ordered` and `field`, which share `floating`.
constexpr dtype_set meet(dtype_set a, dtype_set b) { return {a.bits & b.bits}; }

/// The least upper bound: the smallest element that contains both.
constexpr dtype_set join(dtype_set a, dtype_set b) {
  const dtype_set both{a.bits | b.bits};
  if (both == a || both == b) return both;
  for (const auto& c : detail::dtype_classes)
    if (is_within(both, c.set)) return c.set;
  return both;  // never: `any` holds everything
}

}  // namespace wf
