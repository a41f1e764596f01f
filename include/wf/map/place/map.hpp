// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/compiled.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/map/place/arrange.hpp>
#include <wf/map/place/conflict.hpp>
#include <wf/map/place/construct.hpp>
#include <wf/map/place/future.hpp>
#include <wf/map/place/strategy.hpp>
#include <wf/search/astar.hpp>
#include <wf/search/run_control.hpp>

namespace wf {

/// Options of the search for a mapping.
struct map_options {
  /// Limits of the whole search. Zeros stand for the defaults of `search_limits`, except
  /// `max_open`: zero allows as many states as fit into about 256 MiB.
  search_limits limits;
  /// On arrays with more than `small_rectangles` usable rectangles, the cut strategies alone expand
  /// at most this many states before all strategies do.
  std::uint64_t cut_nodes = 400;
  /// Number of usable rectangles up to which the stage of `cut_nodes` is skipped.
  std::size_t small_rectangles = 40;
  /// Weight, beam and tolerance of the last stage; its `cutoff` is set by the mapper.
  astar_options order;
  /// The user constraints on the mapping.
  map_constraints constraints = {};
  /// Groups of operators that run one after another on the same PEs, in the order of the workload,
  /// with no other operator in between there. A group begins when all operators have begun whose
  /// results any member reads. Empty: every operator by itself.
  operator_groups groups = {};
  /// A known mapping of the same operators as a warm start, perhaps onto another array or from a
  /// stopped search. If its decisions are feasible here, the result is no longer than they take
  /// here. Empty: none.
  mapping known = {};
};

/// The mapping problem as a `path_problem`: states are partial mappings, a step places one more
/// operator. g is the makespan of the placed operators, g + h is `mapping_space::lower_bound`, so h
/// is admissible for the reasons given there.
template <class Predictor, class Strategies>
class mapping_problem {
 public:
  /// A search state.
  using state = partial_mapping;

  /// Keeps references to both arguments.
  constexpr mapping_problem(mapping_space<Predictor>& space, const Strategies& strategies)
      : space_(space), strategies_(strategies) {}

  /// The initial state: no operator is placed.
  constexpr partial_mapping root() const { return space_.root(); }
  /// Makespan of the placed operators, in cycles.
  constexpr std::int64_t g(const partial_mapping& s) const { return s.makespan; }
  /// Lower bound on the further growth of the makespan, in cycles.
  constexpr std::int64_t h(const partial_mapping& s) const { return s.bound - s.makespan; }
  /// True if all operators are placed.
  constexpr bool goal(const partial_mapping& s) const {
    return s.sequence.size() == s.spots.size();
  }
  /// Calls `emit(child)` for each feasible proposal of the strategies, one per orbit of mirror
  /// images.
  template <class Emit>
  constexpr void expand(const partial_mapping& s, Emit&& emit) {
    space_.look(s);
    strategies_.apply(space_, s, [&](std::uint32_t op, const rectangle& r, std::uint32_t how) {
      if (!space_.go_on(4) || !space_.is_canonical(r)) return;
      const std::int64_t start = space_.earliest(s, op, r, how);
      if (start == unbounded) return;
      emit(space_.place(s, op, r, how, start));
      space_.go_on(4 * s.spots.size());  // copied and hashed
    });
  }
  /// True if the caller stopped the search: then successors may have been left out.
  constexpr bool interrupted() const { return space_.stopped(); }
  /// See `future_hash`.
  constexpr std::uint64_t hash(const partial_mapping& s) const { return future_hash(space_, s); }
  /// See `have_same_future`.
  constexpr bool same(const partial_mapping& a, const partial_mapping& b) const {
    return have_same_future(space_, a, b);
  }
  /// See `mapping_space::steps`.
  constexpr std::uint64_t steps() const { return space_.steps(); }

 private:
  mapping_space<Predictor>& space_;
  const Strategies& strategies_;
};

namespace detail {

/// Adapts the callback to watches: repeats the last reported progress whenever a watch asks.
class progress_teller {
 public:
  constexpr explicit progress_teller(const any_progress_callback& callback) : callback_(callback) {}
  /// Reports new progress.
  constexpr bool operator()(const search_progress& p) {
    last_ = p;
    return callback_(last_);
  }
  /// Repeats the last report.
  constexpr bool operator()() { return callback_(last_); }

 private:
  const any_progress_callback& callback_;
  search_progress last_;
};

/// One run of the mapper: list schedules, the cut strategies, then all strategies. `callback`
/// receives the progress; `watch` is asked as well. The executor runs the list schedules.
template <class Predictor, class Strategies, class Executor = const in_turn>
class mapper {
 public:
  constexpr mapper(const workload& w, const prepared_workload& prepared,
                   const prepared_constraints& rules, const prepared_groups& groups,
                   const pe_array& array, const Predictor& predictor, const Strategies& strategies,
                   const map_options& options, progress_teller& callback, search_watch& watch,
                   Executor& executor)
      : w_(w),
        prepared_(prepared),
        rules_(rules),
        groups_(groups),
        space_(prepared, array, predictor, &rules, &watch, &groups),
        strategies_(strategies),
        options_(options),
        callback_(callback),
        watch_(watch),
        executor_(executor),
        bound_(prepared.bound),
        control_(limits_for(options.limits, prepared, array)) {}

  constexpr result<mapping> run() {
    start_from_known();
    list_schedules();
    if (value_ == unbounded && !done() && explain())
      return to_error(conflict_, w_, options_.constraints);
    if (!done() && prepared_.rectangles.size() > options_.small_rectangles) {
      search_limits limits = control_.limits();
      limits.max_nodes =
          limits.max_nodes < options_.cut_nodes ? limits.max_nodes : options_.cut_nodes;
      search(cut_strategies{}, limits, {}, false);
    }
    if (!done() && control_.is_within(counters_.nodes, 0))
      search(strategies_, control_.limits().left_after(counters_.nodes, 0), options_.order,
             Strategies::all_rectangles && Strategies::all_tilings);
    return answer();
  }

 private:
  /// The limits with the defaults of the mapper in place of zeros, then those of every search.
  static constexpr search_limits limits_for(search_limits limits, const prepared_workload& prepared,
                                            const pe_array& array) {
    const std::size_t bytes = prepared.operators.size() * (sizeof(spot) + 4) +
                              static_cast<std::size_t>(array.elements()) * 8 + 300;
    if (limits.max_open == 0 && !std::is_constant_evaluated())
      limits.max_open = (std::uint64_t{1} << 28) / bytes + 1;
    if (limits.progress_interval == 0) limits.progress_interval = 1;
    return limits.resolved();
  }

  constexpr bool done() {
    if (watch_.stopped()) control_.stop(search_status::stopped_by_caller);
    return control_.stopped() || value_ <= bound_;
  }

  constexpr void take(const partial_mapping& s) {
    if (s.makespan >= value_) return;
    value_ = s.makespan;
    best_ = s;
    ++counters_.incumbents;
  }

  constexpr bool tell(std::uint64_t nodes, std::uint64_t open) {
    return control_.report(callback_, {value_, bound_, nodes, open});
  }

  /// Replays the decisions of the known mapping in the order of its starts, each as early as
  /// possible here: on the same PEs, with the same cut or else the fastest one.
  constexpr void start_from_known() {
    const mapping& known = options_.known;
    if (known.operators.size() != w_.operators.size()) return;
    table<std::uint32_t> index(known.operators.size(), UINT32_MAX), order;
    for (std::uint32_t v = 0; v < prepared_.operators.size(); ++v)
      index[prepared_.operators[v].source] = v;
    for (std::uint32_t op : known.sequence)
      if (op < index.size() && index[op] != UINT32_MAX) order.push_back(op);
    stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return known.operators[a].start < known.operators[b].start;
    });
    partial_mapping s = space_.root();
    space_.look(s);
    for (std::uint32_t op : order) {
      const placement& at = known.operators[op];
      bool ready = false;
      for (std::uint32_t v : space_.ready()) ready = ready || v == index[op];
      if (!ready || !space_.array().usable(at.where)) return;
      const tiling_choice ways = space_.ways(s, index[op], at.where);
      const bool apart = ways.apart.count != 0 &&
                         (at.overwrites == overwrites_nothing || ways.in_place.count == 0);
      const range t = apart ? ways.apart : ways.in_place;
      std::uint32_t how = t.first;
      for (std::uint32_t k = t.first; k < t.first + t.count; ++k)
        if (prepared_.tilings[k].first_parts == at.how.first_parts &&
            prepared_.tilings[k].second_parts == at.how.second_parts)
          how = k;
      const std::int64_t start =
          t.count == 0 ? unbounded : space_.earliest(s, index[op], at.where, how);
      if (start == unbounded || !space_.go_on(2)) return;
      space_.put(s, index[op], at.where, how, start);
      space_.follow(s);
    }
    if (s.sequence.size() == s.spots.size()) take(s);
  }

  /// First all operators in sequence on the whole array, then list schedules over halved rectangles
  /// with growing slack.
  constexpr void list_schedules() {
    if (done() || (value_ != unbounded && !tell(0, 0))) return;
    const partial_mapping root = space_.root();
    partial_mapping found;
    table<rectangle> halves = halved_rectangles(space_.array());
    halves.append(space_.suggestions());
    const rectangle whole = space_.array().whole();
    if (space_.array().usable(whole) &&
        construct(space_, root, view<rectangle>(&whole, 1), 0, found)) {
      take(found);
      if (done() || !tell(0, 0)) return;
    }
    if (std::is_constant_evaluated() && value_ != unbounded) return;
    if constexpr (!std::is_same_v<std::remove_const_t<Executor>, in_turn>)
      return list_schedules_at_once(root, halves);
    for (const std::int64_t slack : slacks) {
      if (construct(space_, root, halves, slack, found)) take(found);
      if (done() || !tell(0, 0)) return;
    }
  }
  /// The same schedules, computed concurrently and taken in the same order.
  constexpr void list_schedules_at_once(const partial_mapping& root,
                                        const table<rectangle>& halves) {
    struct schedule {
      partial_mapping found;
      bool is_whole = false;
      std::uint64_t steps = 0;
      shortage met;
    };
    table<schedule> all(sizeof(slacks) / sizeof(slacks[0]));
    executor_(all.size(), [&](std::size_t k) {
      mapping_space<Predictor> own(prepared_, space_.array(), space_.predictor(), &rules_, nullptr,
                                   &groups_);
      all[k].is_whole = construct(own, root, halves, slacks[k], all[k].found);
      all[k].steps = own.steps();
      all[k].met = own.least_shortage();
    });
    for (const schedule& one : all) {
      space_.add(one.steps, one.met);
      if (one.is_whole) take(one.found);
      if (done() || !tell(0, 0)) return;
    }
  }

  /// One A* search for mappings shorter than the incumbent. `complete`: the strategies omit
  /// nothing.
  template <class Set>
  constexpr void search(const Set& set, const search_limits& limits, astar_options order,
                        bool complete) {
    order.cutoff = value_;
    mapping_problem<Predictor, Set> problem(space_, set);
    const auto tell = [&](const search_progress& p) {
      const std::int64_t value = lesser(p.incumbent, value_);
      const std::int64_t bound = complete ? larger(p.bound, bound_) : bound_;
      return value <= bound ||
             callback_(search_progress{value, bound, counters_.nodes + p.nodes, p.open});
    };
    const progress_callback_to<decltype(tell)> asked(tell);
    const any_progress_callback& callback = asked;  // one search for every caller
    const auto outcome = astar(problem, limits, callback, order);
    if (outcome.found) take(outcome.best);
    const search_counters& c = outcome.counters;
    counters_.nodes += c.nodes;
    counters_.generated += c.generated;
    counters_.pruned += c.pruned;
    counters_.duplicates += c.duplicates;
    counters_.most_open = counters_.most_open < c.most_open ? c.most_open : counters_.most_open;
    if (complete) {
      bound_ = larger(bound_, lesser(outcome.bound, value_));
      exhausted_ = outcome.status == search_status::infeasible;
    }
    ended_ = outcome.status;
    if (ended_ == search_status::stopped_by_caller || watch_.stopped())
      control_.stop(search_status::stopped_by_caller);
  }

  constexpr result<mapping> answer() {
    if (value_ == unbounded) return nothing_found();
    mapping m = finish_mapping(w_, space_, best_);
    m.bound = lesser(bound_, value_);
    m.counters = counters_;
    m.status = m.bound == value_    ? search_status::proven
               : control_.stopped() ? control_.reason()
               : ended_ == search_status::infeasible || ended_ == search_status::proven
                   ? search_status::within_tolerance
                   : ended_;
    return m;
  }

  /// True if infeasibility is proven; `conflict_` then holds the reason.
  constexpr bool explain() {
    auto found = find_conflict(w_, space_.array(), options_.constraints, 500'000,
                               space_.predictor(), &watch_);
    if (found) conflict_ = static_cast<mapping_conflict&&>(*found);
    return conflict_.found();
  }
  constexpr error nothing_found() const {
    if (!exhausted_)
      return make_error(errc::search_limit, w_.name.view(),
                        "the search stopped before it had any mapping");
    const shortage& s = space_.least_shortage();
    if (s.op == UINT32_MAX)
      return make_error(errc::mapping_infeasible, w_.name.view(),
                        text() << "no order and no places of its " << prepared_.operators.size()
                               << (options_.groups.empty() ? " operators fit the "
                                                           : " operators in groups fit the ")
                               << prepared_.elements << " PEs of " << space_.array().memory_bytes
                               << " bytes");
    return make_error(
        errc::mapping_infeasible, w_.operators[prepared_.operators[s.op].source].label.view(),
        text() << "no mapping fits the memory: at best it needs " << s.needed
               << " bytes in each of " << s.where.area() << " PEs (" << to_text(s.where).view()
               << "), where " << (s.left < 0 ? std::int64_t{0} : s.left)
               << " are left beside results that are still to be read");
  }

  static constexpr std::int64_t slacks[] = {0, 1, 2, 4, 8, 16};

  const workload& w_;
  const prepared_workload& prepared_;
  const prepared_constraints& rules_;
  const prepared_groups& groups_;
  mapping_space<Predictor> space_;
  const Strategies& strategies_;
  map_options options_;
  progress_teller& callback_;
  search_watch& watch_;
  Executor& executor_;
  std::int64_t bound_;
  std::int64_t value_ = unbounded;
  partial_mapping best_;
  mapping_conflict conflict_;
  search_counters counters_;
  run_control control_;
  search_status ended_ = search_status::stopped_by_limit;  // the end of the last search
  bool exhausted_ = false;
};

template <class Predictor, class Strategies, class Executor>
constexpr result<mapping> map_with(const workload& w, const pe_array& array,
                                   const map_options& options,
                                   const any_progress_callback& callback,
                                   const Predictor& predictor, const Strategies& strategies,
                                   Executor& executor) {
  progress_teller tell(callback);
  const callable_to<progress_teller, bool> ask(tell);
  search_watch watch(ask);
  auto prepared = prepare(w, array, predictor, executor, &watch);
  if (!prepared) return prepared.error();
  if (const auto valid = validate(options.constraints, w, array); !valid) return valid.error();
  const prepared_constraints rules(options.constraints, *prepared);
  if (!constrain(*prepared, rules, array, &watch)) {
    const auto why = find_conflict(w, array, options.constraints, 500'000, predictor, &watch);
    if (why && !why->found())
      return make_error(errc::search_limit, w.name, "stopped before it had any mapping");
    return why ? to_error(*why, w, options.constraints) : why.error();
  }
  const auto order = order_of(options.groups, *prepared, w);
  if (!order) return order.error();
  const prepared_groups groups(*order, *prepared);
  return mapper<Predictor, Strategies, Executor>(w, *prepared, rules, groups, array, predictor,
                                                 strategies, options, tell, watch, executor)
      .run();
}
#ifdef WF_COMPILED
extern template struct compiled<&map_with<cycle_model, all_strategies, const in_turn>>;
#endif

}  // namespace detail

/// Maps a workload onto an array: places operators on rectangles and in time, with the smallest
/// makespan that the search proves or its limits allow.
///
/// Anytime: a list schedule is the first incumbent, found at once. The callback receives incumbent,
/// bound and gap and may stop the search. It is asked at every state and after every
/// `search_watch::interval` elementary steps, from the preparation on (there without an incumbent),
/// so a stop takes effect soon. The bound is valid for every mapping of the model however the
/// search ended. With `all_strategies` a search that ends by itself has proven the optimum; with
/// fewer, the missing part of the proof shows in the gap, and the status is `within_tolerance`.
///
/// Deterministic with any executor, unless the callback stops it. An executor with threads builds
/// the tables of distinct operators and the list schedules concurrently, calls the predictor from
/// its threads, and leaves the callback to the calling thread, which asks it between these tasks.
///
/// Errors: those of `prepare`; `mapping_infeasible` if nothing fits, naming an irreducible set of
/// operators, PEs, bytes and constraints that conflict (`find_conflict` gives it as a value; a
/// workload that is infeasible only because of its groups has none); `invalid_problem` for groups
/// that wait for each other; `search_limit` if the search was stopped before it had any mapping.
/// Works in constant evaluation for a handful of operators on a few PEs. Sources: list scheduling:
/// Graham 1969; A* over partial schedules: Shahul and Sinnen 2010.
template <class Callback = keep_going, cost_predictor Predictor = cycle_model,
          class Strategies = all_strategies, task_executor Executor = const in_turn>
constexpr result<mapping> map(const workload& w, const pe_array& array,
                              const map_options& options = {}, Callback&& callback = {},
                              const Predictor& predictor = {}, const Strategies& strategies = {},
                              Executor&& executor = in_turn{}) {
  const progress_callback_to<std::remove_reference_t<Callback>> asked(callback);
  return detail::call_compiled<
      &detail::map_with<Predictor, Strategies, std::remove_reference_t<Executor>>>(
      w, array, options, asked, predictor, strategies, executor);
}

}  // namespace wf
