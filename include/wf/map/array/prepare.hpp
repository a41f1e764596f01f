// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/map/array/in_place.hpp>
#include <wf/search/executor.hpp>
#include <wf/search/watch.hpp>

namespace wf {

namespace detail {

/// The transitive closure of the data dependencies, as a bit matrix of operators · operators bits.
class reachability {
 public:
  constexpr explicit reachability(const prepared_workload& w)
      : n_(w.operators.size()), words_((n_ + 63) / 64), bits_(n_ * words_) {
    for (std::size_t v = n_; v-- > 0;)
      for (std::uint32_t r : w.readers_of(static_cast<std::uint32_t>(v))) {
        bits_[v * words_ + r / 64] |= std::uint64_t{1} << (r % 64);
        for (std::size_t k = r / 64; k < words_; ++k)
          bits_[v * words_ + k] |= bits_[r * words_ + k];
      }
  }
  /// True if `later` depends, directly or not, on `earlier`. O(1).
  constexpr bool operator()(std::size_t earlier, std::size_t later) const {
    return (bits_[earlier * words_ + later / 64] >> (later % 64) & 1) != 0;
  }
  /// Calls `each(later)` for every dependent of an operator, ascending. O(operators / 64 + calls).
  template <class Each>
  constexpr void after(std::size_t earlier, Each&& each) const {
    for (std::size_t k = earlier / 64; k < words_; ++k)
      for (std::uint64_t rest = bits_[earlier * words_ + k]; rest != 0; rest &= rest - 1)
        each(k * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
  }

 private:
  std::size_t n_;
  std::size_t words_;
  table<std::uint64_t> bits_;
};

/// Computes the tails of operators in reverse topological order.
class tail_bounds_of_mapping {
 public:
  constexpr tail_bounds_of_mapping(prepared_workload& w, search_watch* watch)
      : w_(w), watch_(watch) {}

  constexpr void run() {
    if (w_.operators.size() > most_related) return by_chains();
    const reachability after(w_);
    const std::size_t n = w_.operators.size();
    table<std::uint32_t> before(n);
    const std::size_t each = most_tests / (n + 1);
    for (std::size_t v = n; v-- > 0;) {
      prepared_operator& p = w_.operators[v];
      std::int64_t all = 0;
      later_.clear();
      after.after(v, [&](std::size_t u) {
        all += w_.operators[u].least_area;
        ++before[u];
        later_.push_back(static_cast<std::uint32_t>(u));
      });
      p.divides = later_.size() == n - 1 - v;  // of later operators; earlier ones are tested below
      p.tail = p.fastest + larger(larger(ceil_div(all, w_.elements), behind_readers(v)),
                                  behind_joins(after, each));
      if (!go_on(watch_, n / 16 + 2 * later_.size())) return;
    }
    for (std::size_t v = 0; v < n; ++v)
      w_.operators[v].divides = w_.operators[v].divides && before[v] == v;
  }

 private:
  // Largest number of operators for which the reachability matrix is built; there it takes 8 MiB.
  static constexpr std::size_t most_related = 8'192;
  // Limit on the pairs tested for operators in between: all pairs, up to some 340 operators.
  static constexpr std::size_t most_tests = 20'000'000;

  constexpr void by_chains() {
    for (std::size_t v = w_.operators.size(); v-- > 0;) {
      prepared_operator& p = w_.operators[v];
      p.divides = false;
      p.tail = p.fastest + behind_readers(v);
      if (!go_on(watch_, 2 + p.readers.count)) return;
    }
  }
  constexpr std::int64_t behind_readers(std::size_t v) const {
    std::int64_t rest = 0;
    for (std::uint32_t r : w_.readers_of(static_cast<std::uint32_t>(v)))
      rest = larger(rest, w_.operators[r].tail);
    return rest;
  }
  // Lower bound from the nearest operators in `later_`: the work that must run before each of them
  // starts.
  constexpr std::int64_t behind_joins(const reachability& after, std::size_t tests) {
    std::int64_t rest = 0;
    std::size_t done = 0;
    for (std::size_t i = 0; i < later_.size() && done + i <= tests; ++i) {
      const std::uint32_t x = later_[i];
      // Only an operator that joins several paths can have more work before it than its longest
      // chain.
      if (w_.operators[x].operands.count < 2) continue;
      std::int64_t between = 0;
      for (std::size_t k = 0; k < i; ++k)
        if (after(later_[k], x)) between += w_.operators[later_[k]].least_area;
      rest = larger(rest, ceil_div(between, w_.elements) + w_.operators[x].tail);
      done += i;
      if (!go_on(watch_, i)) break;
    }
    return rest;
  }

  prepared_workload& w_;
  search_watch* watch_;
  table<std::uint32_t> later_;  // dependents of the current operator
};

/// Fills `tail` and `divides` of every operator. After v has run, (1) a chain of readers follows,
/// and (2) for every later w, all operators between v and w run before the tail of w begins, on at
/// most `elements` PEs. Both are lower bounds by induction from the last operator. In workloads of
/// some 340 operators or more, (2) considers the nearest w after v only, so the time is
/// O(operators^2) instead of O(operators^3); beyond 8,192 operators, (1) alone is used.
constexpr void bound_tails(prepared_workload& w, search_watch* watch = nullptr) {
  tail_bounds_of_mapping(w, watch).run();
}

/// The error for an operator that fits no rectangle; `times`: the number of its operands that it
/// may overwrite at once. Errors: `overflow` if only its cycles exceed `limit`, else
/// `mapping_infeasible` with the least bytes needed.
template <cost_predictor Predictor>
constexpr error explain_misfit(text_view label, const operator_load& load, std::uint32_t times,
                               const pe_array& array, const Predictor& predictor,
                               view<rectangle> rectangles, std::int64_t limit) {
  std::int64_t least = INT64_MAX;
  rectangle best;
  bool too_long = false;
  for (const rectangle& r : rectangles) {
    const std::int64_t held = predictor.result_bytes(load, array, r.rows, r.columns);
    predictor.tilings(load, array, r.rows, r.columns, [&](const tiling& t) {
      std::int64_t bytes = saturating_add(held, t.working_bytes);
      if (times != 0)
        bytes -= copies_saved(predictor, load, array, r.rows, r.columns, t, times, held);
      if (bytes <= array.memory_bytes && t.cycles > limit) too_long = true;
      if (bytes >= least) return;
      least = bytes;
      best = r;
    });
  }
  if (too_long)
    return make_error(errc::overflow, label, "its cycles do not fit the sums of a mapping");
  if (least == INT64_MAX)
    return make_error(errc::mapping_infeasible, label, "the predictor runs it on no rectangle");
  return make_error(errc::mapping_infeasible, label,
                    text() << "needs at least " << least << " bytes in each of " << best.area()
                           << " PEs (" << to_text(best).view() << "), a PE has "
                           << array.memory_bytes);
}

/// Lists the usable rectangles by shape and position, and counts the PEs that are not dead.
constexpr void list_rectangles(const pe_array& array, prepared_workload& out) {
  out.elements = array.elements();
  for (std::size_t i = 0; i < array.dead.size(); ++i) {
    bool again = false;
    for (std::size_t k = 0; k < i; ++k) again = again || array.dead[k] == array.dead[i];
    if (!again) --out.elements;
  }
  for (std::int32_t r = 1; r <= array.rows; ++r)
    for (std::int32_t c = 1; c <= array.columns; ++c)
      for (std::int32_t y = 0; y + r <= array.rows; ++y)
        for (std::int32_t x = 0; x + c <= array.columns; ++x)
          if (array.usable({y, x, r, c})) out.rectangles.push_back({y, x, r, c});
}

/// Appends the tilings and result sizes of a shape class for every shape; an unusable shape gets no
/// tilings. `limit` is the largest number of cycles of a tiling.
template <cost_predictor Predictor, class Tables>
constexpr void tabulate(const operator_load& load, const pe_array& array,
                        const Predictor& predictor, std::int64_t limit, const table<char>& usable,
                        Tables& out, search_watch* watch = nullptr) {
  for (std::int32_t r = 1; r <= array.rows; ++r)
    for (std::int32_t c = 1; c <= array.columns; ++c) {
      if (!go_on(watch, 16 * static_cast<std::uint64_t>(r) * static_cast<std::uint64_t>(c))) return;
      const auto first = static_cast<std::uint32_t>(out.tilings.size());
      const std::int64_t held = predictor.result_bytes(load, array, r, c);
      out.results.push_back(held);
      if (usable[array.index(r - 1, c - 1)] != 0)
        predictor.tilings(load, array, r, c, [&](const tiling& t) {
          if (t.cycles >= 1 && t.cycles <= limit && t.working_bytes <= array.memory_bytes - held)
            insert_by_cycles(out.tilings, first, t);
        });
      out.runs.push_back({first, static_cast<std::uint32_t>(out.tilings.size()) - first});
    }
}

/// The tables of one shape class, built independently of the others.
struct shape_tables {
  table<range> runs;
  table<std::int64_t> results;
  table<tiling> tilings;
};

/// Groups operators of equal loads into shape classes, numbered in the order of their first
/// operator.
constexpr void find_kinds(const table<operator_load>& loads, prepared_workload& out) {
  hash_index index;
  for (std::size_t v = 0; v < loads.size(); ++v) {
    hasher h;
    const operator_load& l = loads[v];
    for (std::int64_t x : {l.macs, l.elementwise, l.weight_bytes, l.output_bytes, l.scratch_bytes,
                           l.first_axis, l.second_axis, l.stored_bytes})
      h.word(static_cast<std::uint64_t>(x));
    std::uint32_t kind = index.find(h.value(), [&](std::uint32_t k) { return out.kinds[k] == l; });
    if (kind == hash_index::none) {
      kind = static_cast<std::uint32_t>(out.kinds.size());
      out.kinds.push_back(l);
      index.insert(h.value(), kind);
    }
    out.operators[v].kind = kind;
  }
}

/// Finds the shape classes and builds their tables, one task per class. Classes are numbered and
/// their tables joined in operator order, so the result does not depend on the executor. With
/// threads, the watch is asked only between batches of tasks.
template <cost_predictor Predictor, class Executor>
constexpr void tabulate_all(const table<operator_load>& loads, const pe_array& array,
                            const Predictor& predictor, std::int64_t limit, Executor& executor,
                            prepared_workload& out, search_watch* watch) {
  find_kinds(loads, out);
  const table<char> usable = usable_shapes(array, out.rectangles);
  if constexpr (std::is_same_v<std::remove_const_t<Executor>, in_turn>) {
    for (const operator_load& load : out.kinds)
      tabulate(load, array, predictor, limit, usable, out, watch);
  } else {
    constexpr std::size_t at_once = 64;
    table<shape_tables> parts(out.kinds.size());
    for (std::size_t first = 0; first < parts.size(); first += at_once) {
      if (!go_on(watch, search_watch::interval)) return;
      const std::size_t rest = parts.size() - first;
      executor(rest < at_once ? rest : at_once, [&](std::size_t k) {
        tabulate(out.kinds[first + k], array, predictor, limit, usable, parts[first + k]);
      });
    }
    for (const shape_tables& part : parts) {
      const auto first = static_cast<std::uint32_t>(out.tilings.size());
      for (const range& r : part.runs) out.runs.push_back({r.first + first, r.count});
      out.results.append(part.results);
      out.tilings.append(part.tilings);
    }
  }
}

/// The largest memory need of an operator over all its tilings, in bytes per PE.
struct largest_needs {
  std::int64_t working = 0;
  std::int64_t result = 0;
};

/// Fills `fastest` and `least_area` of an operator; both stay INT64_MAX if it fits no rectangle.
constexpr largest_needs bound_operator(const pe_array& array, const prepared_workload& w,
                                       prepared_operator& p) {
  largest_needs most;
  p.fastest = p.least_area = INT64_MAX;
  for (std::int32_t r = 1; r <= array.rows; ++r)
    for (std::int32_t c = 1; c <= array.columns; ++c) {
      const std::size_t at = w.shape(p.kind, r, c, array);
      const auto consider = [&](const range& run) {
        for (std::uint32_t k = run.first; k < run.first + run.count; ++k) {
          const tiling& t = w.tilings[k];
          p.fastest = lesser(p.fastest, t.cycles);
          p.least_area = lesser(p.least_area, t.cycles * r * c);
          most.working = larger(most.working, t.working_bytes);
          most.result = larger(most.result, w.results[at]);
        }
      };
      consider(w.runs[at]);
      if (p.in_place != UINT32_MAX) consider(w.runs_in_place[w.shape(p.in_place, r, c, array)]);
    }
  return most;
}

}  // namespace detail

/// Prepares a workload for an array: contracts views, applies the batch, tabulates tilings and
/// computes static bounds. Errors: those of `validate` for both; `mapping_infeasible` if an
/// operator's bytes fit no rectangle even in empty PEs, naming the operator, the PEs and the bytes,
/// or if all PEs are dead; `invalid_problem` if all operators are views; `overflow` if its cycles
/// are too many for sums in 63 bits; `search_limit` if `watch` stops it. Time: O(distinct operators
/// · shapes · PEs) predictor calls and O(operators^2) for the bounds. The executor builds the
/// tables of distinct operators, concurrently if it has threads: then the predictor is called from
/// them. The result is the same with any executor.
template <cost_predictor Predictor, task_executor Executor = const in_turn>
constexpr result<prepared_workload> prepare(const workload& w, const pe_array& array,
                                            const Predictor& predictor,
                                            Executor&& executor = in_turn{},
                                            search_watch* watch = nullptr) {
  if (const auto valid = validate(array); !valid) return valid.error();
  if (const auto valid = validate(w); !valid) return valid.error();
  prepared_workload out;
  const table<operator_load> loads = detail::contraction(w, out).run();
  if (out.operators.empty())
    return make_error(errc::invalid_problem, w.name, "a workload needs an operator that computes");
  detail::list_rectangles(array, out);
  if (out.rectangles.empty())
    return make_error(errc::mapping_infeasible, w.name, "every PE of the array is dead");
  const std::int64_t limit =
      (std::int64_t{1} << 62) / static_cast<std::int64_t>(loads.size() + 1) / array.elements();
  const auto stopped = [&] {
    return make_error(errc::search_limit, w.name, "stopped before it had any mapping");
  };
  detail::tabulate_all(loads, array, predictor, limit, executor, out, watch);
  if (watch == nullptr || !watch->stopped())
    detail::tabulate_all_in_place(array, predictor, limit, out, watch);
  if (watch != nullptr && watch->stopped()) return stopped();
  std::int64_t results = 0, working = 0, area = 0;
  for (std::size_t v = 0; v < loads.size(); ++v) {
    prepared_operator& p = out.operators[v];
    const detail::largest_needs most = detail::bound_operator(array, out, p);
    if (!detail::go_on(watch, 4 * static_cast<std::uint64_t>(array.elements()))) return stopped();
    if (p.fastest == INT64_MAX)
      return detail::explain_misfit(w.operators[p.source].label.view(), loads[v],
                                    p.in_place == UINT32_MAX ? 0 : out.in_place[p.in_place].times,
                                    array, predictor, out.rectangles, limit);
    working = detail::larger(working, most.working);
    results = saturating_add(results, most.result);
    area += p.least_area;
  }
  out.memory_matters = saturating_add(results, working) > array.memory_bytes;
  detail::bound_tails(out, watch);
  if (watch != nullptr && watch->stopped()) return stopped();
  out.bound = detail::ceil_div(area, out.elements);
  for (const prepared_operator& p : out.operators) out.bound = detail::larger(out.bound, p.tail);
  return out;
}

}  // namespace wf
