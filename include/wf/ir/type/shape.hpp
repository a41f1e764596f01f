// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/text/symbol.hpp>
#include <wf/core/text/text.hpp>

namespace wf {

/// Maximum rank of a value.
inline constexpr std::size_t max_rank = 8;

/// The extent of one dimension in one integer: a fixed size, a symbol such as `M`, a derived extent
/// (an index into the graph's table of polynomials such as `M*N`), or unknown. One integer keeps
/// template arguments short in mangled names and comparisons cheap.
struct extent {
  /// Non-negative: the fixed size in elements. Negative: see the constructors.
  std::int64_t code = -1;

  constexpr extent() = default;
  /// A fixed size in elements, which must not be negative. Implicit, so that sizes can be written
  /// as numbers.
  constexpr extent(int size) : code(size) {}
  /// A fixed size in elements, which must not be negative; -1 gives an unknown extent.
  constexpr extent(std::int64_t size) : code(size) {}
  /// A fixed size in elements, below 2^63.
  constexpr extent(std::size_t size) : code(static_cast<std::int64_t>(size)) {}
  /// A symbolic size: `s.input<"A", double, "M", "M">()`. An invalid name gives an unknown extent.
  constexpr extent(const char* name) : extent(make_symbol(name)) {}
  /// A symbolic size; the empty symbol gives an unknown extent.
  constexpr extent(symbol s)
      : code(s ? static_cast<std::int64_t>(s.packed | (std::uint64_t{1} << 63)) : -1) {}
  /// Entry `index` of a graph's derived extents.
  static constexpr extent derived(std::uint32_t index) {
    extent e;
    e.code = static_cast<std::int64_t>(index | (std::uint64_t{1} << 63) | (std::uint64_t{1} << 60));
    return e;
  }

  /// True for a fixed size.
  constexpr bool is_fixed() const { return code >= 0; }
  /// True if the extent is unknown.
  constexpr bool is_unknown() const { return code == -1; }
  /// True for a single symbol.
  constexpr bool is_symbol() const { return code < 0 && tag() == 0; }
  /// True for an entry of a graph's derived extents.
  constexpr bool is_derived() const { return code < 0 && tag() == 1; }
  /// The fixed size; only if `is_fixed()`.
  constexpr std::int64_t size() const { return code; }
  /// The symbol; only if `is_symbol()`.
  constexpr symbol name() const { return {payload()}; }
  /// The index of a derived extent; only if `is_derived()`.
  constexpr std::uint32_t index() const { return static_cast<std::uint32_t>(payload()); }

  friend constexpr bool operator==(extent, extent) = default;

 private:
  constexpr std::uint64_t tag() const { return (static_cast<std::uint64_t>(code) >> 60) & 7; }
  constexpr std::uint64_t payload() const {
    return static_cast<std::uint64_t>(code) & ((std::uint64_t{1} << 60) - 1);
  }
};

/// An extent for messages: "6", "M", "#2" for derived extent 2, "?" for an unknown one.
constexpr text to_text(extent e) {
  if (e.is_fixed()) return text() << e.size();
  if (e.is_symbol()) return to_text(e.name());
  if (e.is_derived()) return text() << '#' << e.index();
  return text("?");
}

/// The extents of a value, outermost first. Rank 0 is a scalar.
struct shape {
  /// Number of dimensions; `unknown_rank` if it is not known.
  std::uint32_t rank = 0;
  /// The extents, of which the first `rank` count.
  extent extents[max_rank] = {0, 0, 0, 0, 0, 0, 0, 0};

  /// The rank of an unknown shape.
  static constexpr std::uint32_t unknown_rank = 0xffffffff;

  /// A shape of the given extents, at most `max_rank`.
  template <class... Extents>
  static constexpr shape of(Extents... list) {
    static_assert(sizeof...(Extents) <= max_rank, "WF101: at most 8 dimensions");
    shape s;
    ((s.extents[s.rank++] = extent(list)), ...);
    return s;
  }
  /// The shape of unknown rank.
  static constexpr shape unknown() {
    shape s;
    s.rank = unknown_rank;
    return s;
  }
  /// True if the rank is known.
  constexpr bool has_rank() const { return rank != unknown_rank; }
  /// The extent of a dimension, which must be less than the rank.
  constexpr extent operator[](std::size_t dimension) const { return extents[dimension]; }
  /// Appends a dimension; false if the rank is `max_rank` or unknown.
  constexpr bool push_back(extent e) {
    if (rank >= max_rank) return false;
    extents[rank++] = e;
    return true;
  }
  /// True if every extent is a fixed size.
  constexpr bool is_static() const {
    if (rank > max_rank) return false;
    for (std::uint32_t i = 0; i < rank; ++i)
      if (!extents[i].is_fixed()) return false;
    return true;
  }
  /// Number of elements of a static shape; -1 if it is not static or does not fit 63 bits.
  constexpr std::int64_t elements() const {
    if (!is_static()) return -1;
    std::int64_t product = 1;
    for (std::uint32_t i = 0; i < rank; ++i)
      if (!checked_multiply(product, extents[i].size(), product)) return -1;
    return product;
  }

  friend constexpr bool operator==(const shape& a, const shape& b) {
    if (a.rank != b.rank) return false;
    if (a.rank > max_rank) return true;
    for (std::uint32_t i = 0; i < a.rank; ++i)
      if (a.extents[i].code != b.extents[i].code) return false;
    return true;
  }
};

/// A shape for messages: "6x6", "Mx3", "scalar", "?" for an unknown shape.
constexpr text to_text(const shape& s) {
  if (!s.has_rank()) return text("?");
  if (s.rank == 0) return text("scalar");
  text out;
  for (std::uint32_t i = 0; i < s.rank; ++i) {
    if (i != 0) out << 'x';
    out << to_text(s[i]).view();
  }
  return out;
}

}  // namespace wf
