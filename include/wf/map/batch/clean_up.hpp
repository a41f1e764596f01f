// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch/editor.hpp>

namespace wf {

namespace detail {

/// For each operator of an edited mapping, the latest finish cycle that preserves the makespan: a
/// necessary condition, since transfers and memory are ignored. O(operators² + edges).
template <class Editor>
constexpr table<std::int64_t> latest_finishes(Editor& e) {
  const table<decision>& plan = e.plan();
  table<std::int64_t> latest(plan.size(), e.state().makespan);
  std::int64_t next_start = INT64_MAX;  // starts do not decrease along the plan
  for (std::size_t k = plan.size(); k-- > 0;) {
    const decision& d = plan[k];
    const auto before = [&](std::uint32_t later) {
      latest[d.op] = lesser(latest[d.op], latest[later] - e.cycles(later));
    };
    e.space().go_on(plan.size() - k);
    for (std::uint32_t reader : e.space().work().readers_of(d.op)) before(reader);
    for (std::uint32_t waiting : e.space().after(d.op)) before(waiting);
    for (std::size_t i = k + 1; i < plan.size(); ++i)
      if (overlap(plan[i].where, d.where)) before(plan[i].op);
    if (next_start != INT64_MAX) latest[d.op] = lesser(latest[d.op], next_start + e.cycles(d.op));
    next_start = latest[d.op] - e.cycles(d.op);
  }
  return latest;
}

/// True if no operator finishes later in `s` than in the edited mapping.
template <class Editor>
constexpr bool none_later(const Editor& e, const partial_mapping& s) {
  for (std::size_t v = 0; v < s.spots.size(); ++v)
    if (s.spots[v].finish > e.state().spots[v].finish) return false;
  return true;
}

/// True if `inner` is contained in `outer`.
constexpr bool lies_in(const rectangle& inner, const rectangle& outer) {
  return inner.row >= outer.row && inner.column >= outer.column &&
         inner.row + inner.rows <= outer.row + outer.rows &&
         inner.column + inner.columns <= outer.column + outer.columns;
}

/// Calls `accept(start)` for the cycles before `end`, ascending, at which an operator could start
/// by its operands and PEs alone: the arrival of its operands, and the finishes of other operators.
/// Returns true as soon as one is accepted.
template <class Editor, class Accept>
constexpr bool first_gap(const Editor& e, const decision& d, std::int64_t end, Accept&& accept) {
  const std::int64_t ready = e.ready_at(d.op, d.where);
  table<std::int64_t> moments;
  if (ready < end) moments.push_back(ready);
  for (const decision& other : e.plan()) {
    const std::int64_t finish = e.state().spots[other.op].finish;
    if (other.op != d.op && finish > ready && finish < end) moments.push_back(finish);
  }
  stable_sort(moments, [](std::int64_t a, std::int64_t b) { return a < b; });
  const std::int64_t cycles = e.space().work().tilings[d.how].cycles;
  for (std::size_t k = 0; k < moments.size() && e.space().go_on(e.plan().size()); ++k)
    if ((k == 0 || moments[k] != moments[k - 1]) && e.is_free(d.op, d.where, moments[k], cycles) &&
        accept(moments[k]))
      return true;
  return false;
}

/// Applies a decision at the first gap before `end` with which its operator finishes sooner and no
/// operator later.
template <class Editor>
constexpr bool finish_sooner(Editor& e, const decision& d, std::int64_t end) {
  const std::int64_t finish = e.state().spots[d.op].finish;
  const auto better = [&](const partial_mapping& s) {
    return s.spots[d.op].finish < finish && none_later(e, s);
  };
  return first_gap(e, d, end, [&](std::int64_t start) {
    return e.try_plan(e.changed(d, start), better, e.state().makespan);
  });
}

/// Moves one operator to a larger rectangle, which contains its own, with a tiling on which it
/// finishes sooner; the fastest candidates first, then the smallest.
template <class Editor>
constexpr bool spread(Editor& e, const decision& d) {
  const prepared_workload& w = e.space().work();
  const std::int64_t finish = e.state().spots[d.op].finish;
  table<decision> wider;
  for (const rectangle& r : w.rectangles) {
    if (!lies_in(d.where, r)) continue;
    const range t = e.space().tilings(d.op, r);
    for (std::uint32_t k = t.first; k < t.first + t.count; ++k)
      if (w.tilings[k].cycles < e.cycles(d.op)) wider.push_back({d.op, r, k});
  }
  stable_sort(wider, [&](const decision& a, const decision& b) {
    const std::int64_t x = w.tilings[a.how].cycles, y = w.tilings[b.how].cycles;
    return x != y ? x < y : a.where.area() < b.where.area();
  });
  for (const decision& c : wider)
    if (finish_sooner(e, c, finish - w.tilings[c.how].cycles)) return true;
  return false;
}

/// Restricts one operator to the fewest of its PEs on which it takes no more PE cycles and the
/// makespan is preserved.
template <class Editor>
constexpr bool compress(Editor& e, const decision& d, std::int64_t latest) {
  const prepared_workload& w = e.space().work();
  table<decision> smaller;
  const std::int64_t area = e.cycles(d.op) * d.where.area();
  for (const rectangle& r : w.rectangles) {
    if (r.area() >= d.where.area() || !lies_in(r, d.where)) continue;
    const range t = e.space().tilings(d.op, r);
    for (std::uint32_t k = t.first; k < t.first + t.count; ++k)
      if (e.start(d.op) + w.tilings[k].cycles <= latest && w.tilings[k].cycles * r.area() <= area)
        smaller.push_back({d.op, r, k});
  }
  stable_sort(smaller, [&](const decision& a, const decision& b) {
    return a.where.area() != b.where.area() ? a.where.area() < b.where.area()
                                            : w.tilings[a.how].cycles < w.tilings[b.how].cycles;
  });
  for (const decision& c : smaller) {
    table<decision> plan = e.plan();
    for (decision& other : plan)
      if (other.op == c.op) other = c;
    if (e.try_plan(plan, [](const partial_mapping&) { return true; }, e.state().makespan))
      return true;
    if (e.space().stopped()) return false;
  }
  return false;
}

/// The bounding box of all PEs in use.
template <class Editor>
constexpr rectangle box_of(const Editor& e) {
  rectangle box = e.plan()[0].where;
  for (const decision& d : e.plan()) {
    const rectangle& r = d.where;
    const std::int32_t row = r.row < box.row ? r.row : box.row;
    const std::int32_t column = r.column < box.column ? r.column : box.column;
    const auto down = larger(r.row + r.rows, box.row + box.rows);
    const auto right = larger(r.column + r.columns, box.column + box.columns);
    box = {row, column, static_cast<std::int32_t>(down) - row,
           static_cast<std::int32_t>(right) - column};
  }
  return box;
}

/// Moves all operators into a smaller box: operators inside it stay in place, the others go where
/// they finish first, if that is not after `latest` (see `latest_finishes`) and the makespan is
/// preserved.
template <class Editor>
constexpr bool move_into(Editor& e, const rectangle& box, view<std::int64_t> latest) {
  auto& space = e.space();
  const prepared_workload& w = space.work();
  partial_mapping s = space.root();
  table<decision> plan;
  for (const decision& d : e.plan()) {
    space.look(s);
    decision best = d;
    if (!lies_in(d.where, box)) {
      std::int64_t soonest = unbounded;
      for (const rectangle& r : w.rectangles) {
        if (!lies_in(r, box)) continue;
        const tiling_choice ways = space.ways(s, d.op, r);
        for (const range& t : {ways.in_place, ways.apart})
          for (std::uint32_t k = t.first; k < t.first + t.count; ++k) {
            if (!space.go_on(2)) return false;
            const std::int64_t start = space.earliest(s, d.op, r, k);
            if (start == unbounded || start + w.tilings[k].cycles >= soonest) continue;
            soonest = start + w.tilings[k].cycles;
            best = {d.op, r, k};
          }
      }
      if (soonest > latest[d.op]) return false;
    }
    best.how = space.settled(s, best.op, best.where, best.how);
    const std::int64_t start = space.earliest(s, best.op, best.where, best.how);
    if (start == unbounded) return false;
    space.put(s, best.op, best.where, best.how, start);
    if (s.makespan > e.state().makespan) return false;
    plan.push_back(best);
  }
  return e.try_plan(plan, [](const partial_mapping&) { return true; }, e.state().makespan);
}

}  // namespace detail

/// The PE utilisation clean-up: idle PEs help critical operators. Every operator without slack gets
/// the rectangle around its own, and the tiling, with which it finishes first while no operator
/// finishes later. A change for `edit`.
struct use_idle_elements {
  /// Repeats over all operators until none changes or the edit has to end.
  template <class Editor>
  constexpr void operator()(Editor& e, const edit_options& options) const {
    for (bool again = true; again;) {
      again = false;
      table<std::int64_t> latest = detail::latest_finishes(e);
      const table<decision> plan = e.plan();
      for (const decision& d : plan) {
        if (e.over(options)) return;
        if (latest[d.op] > e.state().spots[d.op].finish || !detail::spread(e, d)) continue;
        latest = detail::latest_finishes(e);
        again = true;
      }
    }
  }
};

/// The allocation clean-up: every operator gets the fewest of its PEs on which it takes no more PE
/// cycles and the makespan is preserved. A change for `edit`.
struct compress_allocation {
  /// One pass over all operators, in reverse order of their starts.
  template <class Editor>
  constexpr void operator()(Editor& e, const edit_options& options) const {
    table<std::int64_t> latest = detail::latest_finishes(e);
    const table<decision> plan = e.plan();
    for (std::size_t k = plan.size(); k-- > 0;) {
      if (e.over(options)) return;
      if (detail::compress(e, plan[k], latest[plan[k].op])) latest = detail::latest_finishes(e);
    }
  }
};

/// The timeline clean-up: every operator starts as early as the model allows with its PEs and
/// tiling. Afterwards no single operator can start earlier while the others keep their times. A
/// change for `edit`.
struct tighten_timeline {
  /// Repeats over all operators until nothing changes.
  template <class Editor>
  constexpr void operator()(Editor& e, const edit_options& options) const {
    for (bool again = true; again;) {
      again = false;
      const table<decision> plan = e.plan();
      for (const decision& d : plan) {
        if (e.over(options)) return;
        again = detail::finish_sooner(e, d, e.start(d.op)) || again;
      }
    }
  }
};

/// The idle PE clean-up: rows and columns at the border of the used PEs are vacated as long as the
/// makespan is preserved, so that they can be switched off or given to another job. A change for
/// `edit`.
struct shrink_idle_elements {
  /// Tries the last row and column, then the first ones, until none of the four can be vacated.
  template <class Editor>
  constexpr void operator()(Editor& e, const edit_options& options) const {
    for (bool again = true; again;) {
      again = false;
      const table<std::int64_t> latest = detail::latest_finishes(e);
      for (int side = 0; side < 4 && !again; ++side) {
        if (e.over(options)) return;
        rectangle box = detail::box_of(e);
        (side % 2 == 0 ? box.rows : box.columns) -= 1;
        if (side == 2) ++box.row;
        if (side == 3) ++box.column;
        again = !box.empty() && detail::move_into(e, box, latest);
      }
    }
  }
};

/// The chain of the four clean-ups, in the order of their declarations. A change for `edit`.
struct clean_up_chain {
  /// Applies them in sequence; each may use an equal share of the remaining steps.
  template <class Editor>
  constexpr void operator()(Editor& e, const edit_options& options) const {
    share(e, options, 4, use_idle_elements{});
    share(e, options, 3, compress_allocation{});
    share(e, options, 2, tighten_timeline{});
    share(e, options, 1, shrink_idle_elements{});
  }

 private:
  template <class Editor, class Change>
  static constexpr void share(Editor& e, const edit_options& options, std::uint64_t left,
                              Change&& change) {
    edit_options part = options;
    const std::uint64_t done = e.space().steps();
    if (done < options.max_steps) part.max_steps = done + (options.max_steps - done) / left;
    change(e, part);
  }
};

/// Cleans a mapping up after the search: utilisation, allocation, timeline, idle PEs. No clean-up
/// lengthens it or breaks a rule or constraint; bound and proof stay valid. Errors: those of
/// `edit`. A single one is applied by `edit(w, array, m, tighten_timeline{})`. The callback may
/// stop it: see `edit`.
template <class Callback = keep_going, cost_predictor Predictor = cycle_model>
constexpr result<mapping> clean_up(const workload& w, const pe_array& array, const mapping& m,
                                   const edit_options& options = {}, Callback&& callback = {},
                                   const Predictor& predictor = {}) {
  return edit(w, array, m, clean_up_chain{}, options, callback, predictor);
}

/// The bounding box of all PEs that a mapping uses. O(operators).
constexpr rectangle used_rectangle(const mapping& m) {
  rectangle box{m.rows, m.columns, 0, 0};
  std::int32_t down = 0, right = 0;
  for (std::uint32_t op : m.sequence) {
    const rectangle& r = m.operators[op].where;
    if (r.row < box.row) box.row = r.row;
    if (r.column < box.column) box.column = r.column;
    if (r.row + r.rows > down) down = r.row + r.rows;
    if (r.column + r.columns > right) right = r.column + r.columns;
  }
  box.rows = down - box.row;
  box.columns = right - box.column;
  return box;
}

}  // namespace wf
