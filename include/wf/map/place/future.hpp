// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/hash.hpp>
#include <wf/core/integer.hpp>
#include <wf/map/array/cost_model.hpp>
#include <wf/map/place/partial_mapping.hpp>
#include <wf/search/control.hpp>

namespace wf {

namespace detail {

/// The facts about an operator on which completions depend.
struct future_facts {
  // 0: nothing; 1: not placed; 2: has readers left; 3: only occupies memory; 4: only its group
  // continues
  std::uint32_t state = 0;
  rectangle where;  ///< PEs of its result, if they matter
  std::int64_t when = 0;
  std::int64_t finish = 0;  ///< if another operator waits for it, or for its last placed reader
  friend constexpr bool operator==(const future_facts&, const future_facts&) = default;
};

/// The finish of a placed operator if an unplaced one must not start before it; else 0.
template <class Space>
constexpr std::int64_t awaited_finish(const Space& space, const partial_mapping& s,
                                      std::uint32_t v) {
  if (s.spots[v].finish <= s.now) return 0;
  for (std::uint32_t later : space.after(v))
    if (!s.has(later)) return s.spots[v].finish;
  return 0;
}

/// The last finish of the placed readers of an operator if an unplaced one may overwrite its
/// result and has to wait for them; else 0.
template <class Space>
constexpr std::int64_t awaited_readers(const Space& space, const partial_mapping& s,
                                       std::uint32_t v) {
  if (space.work().overwritable.empty()) return 0;
  std::int64_t last = s.now;
  bool waits = false;
  for (std::uint32_t r : space.work().readers_of(v)) {
    if (s.has(r)) {
      last = detail::larger(last, s.spots[r].finish);
      continue;
    }
    for (std::uint32_t u : space.work().overwritable_by(r)) waits = waits || u == v;
  }
  return waits && last > s.now ? last : 0;
}

/// The facts about one operator in a state. O(readers).
template <class Space>
constexpr future_facts facts_of(const Space& space, const partial_mapping& s, std::uint32_t v) {
  if (!s.has(v)) return {1, {}, 0, 0};
  const std::int64_t until = space.release(s, v), awaited = awaited_finish(space, s, v);
  if (until == unbounded)
    return {2, s.spots[v].where, s.spots[v].finish, awaited_readers(space, s, v)};
  if (space.work().memory_matters && until > s.now && space.held(v, s.spots[v].where) > 0)
    return {3, s.spots[v].where, until, awaited};
  if (space.is_open(s, v)) return {4, s.spots[v].where, 0, awaited};
  return {0, {}, 0, awaited};
}

}  // namespace detail

/// True if two states have the same completions: the same remaining operators, the same PEs free
/// at the same cycles, and all results that are still to be read, or still occupy memory, at the
/// same places. Cycles before `now` are irrelevant, since nothing can start there.
template <class Space>
constexpr bool have_same_future(const Space& space, const partial_mapping& a,
                                const partial_mapping& b) {
  if (a.now != b.now || a.sequence.size() != b.sequence.size()) return false;
  for (std::size_t e = 0; e < a.free.size(); ++e)
    if (detail::larger(a.free[e], a.now) != detail::larger(b.free[e], b.now)) return false;
  for (std::uint32_t v = 0; v < a.spots.size(); ++v)
    if (!(detail::facts_of(space, a, v) == detail::facts_of(space, b, v))) return false;
  return true;
}
/// A hash consistent with `have_same_future`. O(operators + readers + PEs).
template <class Space>
constexpr std::uint64_t future_hash(const Space& space, const partial_mapping& s) {
  hasher h;
  h.word(static_cast<std::uint64_t>(s.now));
  for (std::int64_t f : s.free) h.word(static_cast<std::uint64_t>(detail::larger(f, s.now)));
  for (std::uint32_t v = 0; v < s.spots.size(); ++v) {
    const detail::future_facts f = detail::facts_of(space, s, v);
    if (f.state == 0 && f.finish == 0) continue;
    h.word(std::uint64_t{v} << 8 | f.state).word(static_cast<std::uint64_t>(f.when));
    if (f.finish != 0) h.word(static_cast<std::uint64_t>(f.finish));
    h.word(static_cast<std::uint64_t>(f.where.row) << 48 ^
           static_cast<std::uint64_t>(f.where.column) << 32 ^
           static_cast<std::uint64_t>(f.where.rows) << 16 ^
           static_cast<std::uint64_t>(f.where.columns));
  }
  return h.value();
}

}  // namespace wf
