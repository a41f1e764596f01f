// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/mapping.hpp>
#include <wf/map/place/mapping_space.hpp>

namespace wf {

namespace detail {

/// Sets the times of views: they start and finish with the last operator whose data they rename.
constexpr void place_views(const workload& w, const prepared_workload& p, mapping& m) {
  for (std::uint32_t i = 0; i < w.operators.size(); ++i) {
    if (!w.operators[i].is_view) continue;
    m.operators[i].how.cycles = 0;
    for (std::uint32_t k = 0; k < p.views[i].count; ++k) {
      const std::uint32_t from = p.operators[p.renamed[p.views[i].first + k]].source;
      m.operators[i].finish = larger(m.operators[i].finish, m.operators[from].finish);
    }
    m.operators[i].start = m.operators[i].finish;
  }
}

/// Memory use of PEs at the starts of operators, the only moments at which it grows.
class memory_marks {
 public:
  constexpr explicit memory_marks(std::size_t elements) : held_(elements) {}

  /// Updates the high-water mark of a PE by an operator that starts no earlier than those added
  /// before; its result occupies the PE until cycle `until`.
  constexpr void add(std::uint32_t element, const placement& p, std::int64_t until,
                     std::int64_t& high_water) {
    table<held>& here = held_[element];
    std::int64_t bytes = p.how.working_bytes + p.result_bytes;
    std::size_t kept = 0;
    for (const held& h : here) {
      if (h.until <= p.start) continue;
      bytes += h.bytes;
      here[kept++] = h;
    }
    here.resize(kept);
    here.push_back({until, p.result_bytes});
    high_water = larger(high_water, bytes);
  }

 private:
  struct held {
    std::int64_t until = 0, bytes = 0;
  };
  table<table<held>> held_;  // live results of each PE
};

}  // namespace detail

/// Converts a complete state into a mapping; bound, status and counters are left to the caller.
/// O(operators · PEs · results in a PE).
template <class Space>
constexpr mapping finish_mapping(const workload& w, const Space& space, const partial_mapping& s) {
  const prepared_workload& p = space.work();
  mapping m;
  m.rows = space.array().rows;
  m.columns = space.array().columns;
  m.makespan = s.makespan;
  m.operators.resize(w.operators.size());
  m.busy.resize(static_cast<std::size_t>(space.array().elements()));
  m.high_water.resize(m.busy.size());
  detail::memory_marks marks(m.busy.size());
  for (std::uint32_t v : s.sequence) {
    const spot& at = s.spots[v];
    const tiling& how = p.tilings[at.how];
    m.operators[p.operators[v].source] = {
        at.where,
        how,
        at.finish - how.cycles,
        at.finish,
        space.held(v, at.where),
        at.over == overwrites_nothing ? overwrites_nothing : p.operators[at.over].source};
    m.sequence.push_back(p.operators[v].source);
    for (std::int32_t y = at.where.row; y < at.where.row + at.where.rows; ++y)
      for (std::int32_t x = at.where.column; x < at.where.column + at.where.columns; ++x) {
        const std::uint32_t e = space.array().index(y, x);
        m.busy[e] += how.cycles;
        marks.add(e, m.operators[p.operators[v].source], space.release(s, v), m.high_water[e]);
      }
  }
  detail::place_views(w, p, m);
  return m;
}

/// A placement decided by the user: an operator on a rectangle, with the tiling of a given rank (0:
/// the fastest). It runs in place if it can do so without waiting, or would not fit otherwise.
struct placement_request {
  std::uint32_t op = 0;           ///< operator index in the workload
  rectangle where;                ///< PEs on which it runs
  std::uint32_t tiling_rank = 0;  ///< rank among its tilings there, by rising cycles

  friend constexpr bool operator==(const placement_request&, const placement_request&) = default;
};

/// Computes the times of given placements: the operators in the order of `requests`, each as early
/// as the rules of a `mapping` allow. Errors: those of `prepare`; `invalid_problem`, naming the
/// operator, if it is a view, unknown, placed twice, missing or before one of its operands;
/// `mapping_infeasible` if the rectangle is not usable or not allowed by the constraints, has no
/// such tiling, or its bytes do not fit. The bound is that of the workload, so the status is
/// `proven` only if the makespan meets it.
template <cost_predictor Predictor = cycle_model>
constexpr result<mapping> arrange(const workload& w, const pe_array& array,
                                  view<placement_request> requests, const Predictor& predictor = {},
                                  const map_constraints& constraints = {}) {
  auto prepared = prepare(w, array, predictor);
  if (!prepared) return prepared.error();
  if (const auto valid = validate(constraints, w, array); !valid) return valid.error();
  const prepared_constraints rules(constraints, *prepared);
  if (!constrain(*prepared, rules, array))
    return make_error(errc::mapping_infeasible, w.name, "the constraints leave no mapping");
  table<std::uint32_t> index(w.operators.size(), UINT32_MAX);
  for (std::uint32_t v = 0; v < prepared->operators.size(); ++v)
    index[prepared->operators[v].source] = v;
  mapping_space<Predictor> space(*prepared, array, predictor, &rules);
  partial_mapping s = space.root();
  for (const placement_request& r : requests) {
    if (r.op >= w.operators.size())
      return make_error(errc::invalid_problem, w.name, text() << "there is no operator " << r.op);
    const text& label = w.operators[r.op].label;
    const std::uint32_t v = index[r.op];
    space.look(s);
    bool ready = false;
    for (std::uint32_t candidate : space.ready()) ready = ready || candidate == v;
    if (!ready)
      return make_error(errc::invalid_problem, label,
                        "it is a view, placed already, or comes before what it waits for");
    const tiling_choice ways = array.usable(r.where) ? space.ways(s, v, r.where) : tiling_choice();
    std::uint32_t how = UINT32_MAX;
    std::int64_t start = unbounded;
    for (const range& t : {ways.apart, ways.in_place}) {
      if (start != unbounded || t.count <= r.tiling_rank) continue;
      how = t.first + r.tiling_rank;
      start = space.earliest(s, v, r.where, how);
    }
    if (how == UINT32_MAX)
      return make_error(errc::mapping_infeasible, label,
                        text() << "it has no such tiling on " << to_text(r.where).view());
    if (start == unbounded)
      return make_error(
          errc::mapping_infeasible, label,
          text() << "its bytes do not fit beside the live results on " << to_text(r.where).view());
    space.put(s, v, r.where, how, start);
  }
  if (s.sequence.size() != s.spots.size())
    return make_error(errc::invalid_problem, w.name, "an operator is not placed");
  mapping m = finish_mapping(w, space, s);
  m.bound = prepared->bound;
  m.status = m.makespan == m.bound ? search_status::proven : search_status::stopped_by_limit;
  return m;
}

}  // namespace wf
