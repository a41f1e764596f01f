// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/place/mapping_space.hpp>

namespace wf {

namespace detail {

/// Emits the tilings of an operator on a rectangle, if that is usable: all of them, or the fastest
/// only if memory never constrains a mapping.
template <class Space, class Emit>
constexpr void emit_tilings(Space& space, const partial_mapping& s, std::uint32_t op,
                            const rectangle& r, Emit&& emit) {
  if (!space.array().usable(r)) return;
  const tiling_choice choice = space.ways(s, op, r);
  for (const range& t : {choice.in_place, choice.apart}) {
    const std::uint32_t count = space.work().memory_matters || t.count == 0 ? t.count : 1;
    for (std::uint32_t k = 0; k < count; ++k) emit(op, r, t.first + k);
  }
}

}  // namespace detail

/// A strategy proposes expansions of a partial mapping: `apply(space, state, emit)` calls
/// `emit(operator, rectangle, tiling)` for ready operators of the state that the space looks at.
/// Every proposal is checked and timed by the space, so a strategy cannot produce a wrong mapping;
/// it can only omit mappings. `all_rectangles` states that no rectangle with its fastest tiling is
/// omitted, `all_tilings` that no other tiling is; for operators that may overwrite an operand,
/// both in place and apart (`mapping_space::ways`).
template <class S, class Space>
concept mapping_strategy = requires(const S& s, Space& space, const partial_mapping& state) {
  s.apply(space, state, [](std::uint32_t, const rectangle&, std::uint32_t) {});
};

/// The temporal cut: operators run in sequence on the same region. A ready operator takes the whole
/// array, the rectangle of a result that is still to be read, or one that a constraint suggests.
struct temporal_cut {
  static constexpr bool all_rectangles = false;  ///< proposes a few rectangles only
  static constexpr bool all_tilings = false;     ///< every tiling, but on those rectangles only

  /// Proposes ready operators · (1 + live + suggested rectangles) rectangles with every tiling.
  template <class Space, class Emit>
  constexpr void apply(Space& space, const partial_mapping& s, Emit&& emit) const {
    for (std::uint32_t op : space.ready()) {
      detail::emit_tilings(space, s, op, space.array().whole(), emit);
      space.live_rectangles(
          [&](const rectangle& r) { detail::emit_tilings(space, s, op, r, emit); });
      for (const rectangle& r : space.suggestions()) detail::emit_tilings(space, s, op, r, emit);
    }
  }
};

/// The spatial cut: a line through all rows or all columns splits the array in two, and independent
/// operators share it. Proposed if more than one operator is ready or something is still running.
/// Both parts are split again at the middle of their longer side.
struct spatial_cut {
  static constexpr bool all_rectangles = false;  ///< proposes parts of a halved array only
  static constexpr bool all_tilings = false;     ///< every tiling, but on those parts only

  /// Proposes at most ready operators · 6 · (rows + columns) rectangles, with every tiling.
  template <class Space, class Emit>
  constexpr void apply(Space& space, const partial_mapping& s, Emit&& emit) const {
    if (space.ready().size() < 2 && !space.busy()) return;
    const std::int32_t rows = space.array().rows, columns = space.array().columns;
    const auto part = [&](const rectangle& r) {
      for (std::uint32_t op : space.ready()) detail::emit_tilings(space, s, op, r, emit);
    };
    for (std::int32_t y = 1; y < rows; ++y) {
      halves({0, 0, y, columns}, part);
      halves({y, 0, rows - y, columns}, part);
    }
    for (std::int32_t x = 1; x < columns; ++x) {
      halves({0, 0, rows, x}, part);
      halves({0, x, rows, columns - x}, part);
    }
  }

 private:
  template <class Part>
  static constexpr void halves(const rectangle& r, Part&& part) {
    part(r);
    const std::int32_t y = r.rows / 2, x = r.columns / 2;
    if (r.columns >= r.rows && x > 0) {
      part({r.row, r.column, r.rows, x});
      part({r.row, r.column + x, r.rows, r.columns - x});
    } else if (y > 0) {
      part({r.row, r.column, y, r.columns});
      part({r.row + y, r.column, r.rows - y, r.columns});
    }
  }
};

/// The edge tune: every rectangle of the array (each edge at every position), with the fastest
/// tiling.
struct edge_tune {
  static constexpr bool all_rectangles = true;  ///< every rectangle, with its fastest tiling
  static constexpr bool all_tilings = false;    ///< proposes the fastest tiling only

  /// Proposes ready operators · rectangles, each at most in place and apart.
  template <class Space, class Emit>
  constexpr void apply(Space& space, const partial_mapping& s, Emit&& emit) const {
    for (const rectangle& r : space.work().rectangles)
      for (std::uint32_t op : space.ready()) {
        const tiling_choice choice = space.ways(s, op, r);
        for (const range& t : {choice.in_place, choice.apart})
          if (t.count != 0) emit(op, r, t.first);
      }
  }
};

/// The gemm tune: every rectangle with its slower tilings, which need less memory.
struct gemm_tune {
  static constexpr bool all_rectangles = false;  ///< omits the fastest tiling of each
  static constexpr bool all_tilings = true;      ///< every tiling but the fastest

  /// Proposes ready operators · rectangles · (tilings - 1); nothing if memory never constrains a
  /// mapping.
  template <class Space, class Emit>
  constexpr void apply(Space& space, const partial_mapping& s, Emit&& emit) const {
    if (!space.work().memory_matters) return;
    for (const rectangle& r : space.work().rectangles)
      for (std::uint32_t op : space.ready()) {
        const tiling_choice choice = space.ways(s, op, r);
        for (const range& t : {choice.in_place, choice.apart})
          for (std::uint32_t k = 1; k < t.count; ++k) emit(op, r, t.first + k);
      }
  }
};

/// The union of strategies: their proposals in sequence. Users add their own:
/// `strategy_set<temporal_cut, spatial_cut, mine>`.
template <class... Strategies>
struct strategy_set : Strategies... {
  /// True if one of them proposes every rectangle with its fastest tiling.
  static constexpr bool all_rectangles = (Strategies::all_rectangles || ...);
  /// True if one of them proposes every other tiling.
  static constexpr bool all_tilings = (Strategies::all_tilings || ...);

  /// Applies each strategy in the order of the arguments.
  template <class Space, class Emit>
  constexpr void apply(Space& space, const partial_mapping& s, Emit&& emit) const {
    (static_cast<const Strategies&>(*this).apply(space, s, emit), ...);
  }
};

/// The two cuts: few proposals, for large arrays; incomplete.
struct cut_strategies : strategy_set<temporal_cut, spatial_cut> {};
/// Cuts and tunes: every placement is proposed, so a search that ends by itself has proven the
/// optimum.
struct all_strategies : strategy_set<temporal_cut, spatial_cut, edge_tune, gemm_tune> {};

}  // namespace wf
