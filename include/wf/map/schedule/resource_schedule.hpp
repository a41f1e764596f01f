// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <wf/core/container/sort.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/map/schedule/energetic.hpp>
#include <wf/map/schedule/layered_search.hpp>
#include <wf/map/schedule/list_schedule.hpp>
#include <wf/map/schedule/list_starts.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>
#include <wf/map/schedule/project.hpp>
#include <wf/map/schedule/task_graph.hpp>
#include <wf/map/schedule/time_windows.hpp>
#include <wf/search/control.hpp>
#include <wf/search/executor.hpp>
#include <wf/search/run_control.hpp>

namespace wf {

/// The kind of proof of a lower bound on the makespan.
enum class bound_reason : std::uint8_t {
  window,    ///< the head, duration and tail of a task
  interval,  ///< with an earlier end, an interval needs more of a resource than its capacity
  search,    ///< a search excluded every shorter schedule
};

/// The enumerator's name, such as "interval"; "unknown" for any other value.
constexpr const char* to_text(bound_reason reason) {
  switch (reason) {
    case bound_reason::window:
      return "window";
    case bound_reason::interval:
      return "interval";
    case bound_reason::search:
      return "search";
  }
  return "unknown";
}

/// The certificate of a lower bound on the makespan. If the reason is a window or an interval, it
/// can be checked without a search, from the head of every task (no schedule starts it earlier) and
/// its tail (at least this time passes after its finish). A tail is 0, or the duration and tail of
/// a successor, or for some resource and some time x before the end x + ⌈E / capacity⌉, where E is
/// the energy that the descendants, with tails q, must spend before x: Σ demand · min(duration,
/// max(0, q + duration - x)). A head is a tail in the reverse direction.
struct makespan_certificate {
  std::int64_t bound = 0;                      ///< the certified lower bound
  bound_reason reason = bound_reason::window;  ///< selects the members below that prove it
  table<std::int64_t> heads;                   ///< earliest start of each task
  table<std::int64_t> tails;                   ///< least time after the finish of each task
  std::uint32_t task = 0;      ///< `window`: the task with head + duration + tail = bound
  std::uint32_t resource = 0;  ///< `interval`: the resource; one past the last: processors
  std::int64_t begin = 0;  ///< `interval`: its first time, for schedules that end before `bound`
  std::int64_t end = 0;    ///< `interval`: its end, exclusive

  friend constexpr bool operator==(const makespan_certificate&,
                                   const makespan_certificate&) = default;
};

/// A schedule and the certificate of its bound.
struct resource_schedule {
  task_schedule schedule;            ///< best schedule found
  makespan_certificate certificate;  ///< proof of `schedule.bound`

  friend constexpr bool operator==(const resource_schedule&, const resource_schedule&) = default;
};

namespace detail {

/// True if a valid graph has identical processors and no effective delays, as `schedule_resources`
/// requires.
constexpr bool is_project(const task_graph& g) {
  if (!g.durations_on.empty()) return false;
  if (g.processors > 1)
    for (const task_edge& e : g.edges)
      if (e.delay != 0) return false;
  return true;
}

/// Assigns processors to the tasks of a schedule in which they suffice at any time: always the one
/// that has been free longest. O(tasks · (log tasks + processors)).
constexpr void assign_processors(const task_graph& g, task_schedule& s) {
  table<std::uint32_t> order;
  for (std::uint32_t t = 0; t < s.tasks.size(); ++t) order.push_back(t);
  stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const task_placement &x = s.tasks[a], &y = s.tasks[b];
    return x.start != y.start ? x.start < y.start : x.finish < y.finish;
  });
  table<std::int64_t> busy(g.processors);
  for (const std::uint32_t t : order) {
    std::uint32_t best = 0;
    for (std::uint32_t p = 1; p < g.processors; ++p)
      if (busy[p] < busy[best]) best = p;
    s.tasks[t].processor = best;
    busy[best] = s.tasks[t].finish;
  }
}

/// One run of the scheduler: list schedules, bounds, then passes of growing width from both ends.
template <class Callback, class Executor>
class resource_scheduler {
 public:
  constexpr resource_scheduler(const task_graph& g, const schedule_options& options,
                               Callback& callback, Executor& executor)
      : g_(g),
        options_(options),
        control_(options.limits.resolved()),
        callback_(callback),
        executor_(executor) {}

  constexpr resource_schedule run() {
    const auto count = static_cast<std::uint32_t>(g_.tasks.size());
    const bool has_rows = count <= layered_search::most_tasks &&
                          std::uint64_t{4} * words_for(count) * 8 * count <= options_.memory / 4;
    forward_ = prepare(g_);
    const project p = project_of(forward_, g_.processors != 0, has_rows);
    const project reversed = project_of(prepare(g_, true), g_.processors != 0, has_rows);
    w_ = windows_of(p, reversed);
    prove_windows(p);
    start_with_lists(p, reversed);
    if (go_on() && bound() < value_) {
      const energetic_bound raised = raise_bound(p, w_, bound(), value_, intervals_for(p));
      if (raised.bound > bound()) prove_interval(p, raised);
      if (has_rows && go_on() && bound() < value_) search(p, reversed);
    }
    return answer(p);
  }

 private:
  constexpr std::int64_t bound() const { return out_.certificate.bound; }

  /// The limit on the intervals per resource for the energetic bound.
  static constexpr std::size_t intervals_for(const project& p) {
    bool compiling = std::is_constant_evaluated();  // not constexpr: that would always be true
    const std::size_t resources = p.resources == 0 ? 1 : p.resources;
    return 1 + (compiling ? 2'000 : 40'000'000) / (resources * (std::size_t{p.size} + 1));
  }

  constexpr void prove_windows(const project& p) {
    makespan_certificate& c = out_.certificate;
    c.bound = w_.bound(p);
    c.heads.resize(p.size);
    c.tails.resize(p.size);
    for (std::uint32_t t = 0; t < p.size; ++t) {
      const std::uint32_t original = forward_.original[t];
      c.heads[original] = w_.heads[t];
      c.tails[original] = w_.tails[t];
      if (w_.heads[t] + p.durations[t] + w_.tails[t] == c.bound) c.task = original;
    }
  }
  constexpr void prove_interval(const project& p, const energetic_bound& raised) {
    makespan_certificate& c = out_.certificate;
    c.bound = raised.bound;
    c.reason = bound_reason::interval;
    c.task = 0;
    c.resource = p.number[raised.interval.resource];
    c.begin = raised.interval.begin;
    c.end = raised.interval.end;
  }
  constexpr void prove_by_search(std::int64_t bound) {
    makespan_certificate& c = out_.certificate;
    c.bound = bound;
    c.reason = bound_reason::search;
    c.task = c.resource = 0;
    c.begin = c.end = 0;
  }

  constexpr void take(const project& p, const table<std::int64_t>& starts) {
    const std::int64_t makespan = makespan_of(p, starts);
    if (makespan >= value_) return;
    value_ = makespan;
    ++counters_.incumbents;
    starts_ = starts;
    control_.announce();
  }

  constexpr void take_listed(const project& p, const result<task_schedule>& listed) {
    if (!listed) return;
    table<std::int64_t> starts(p.size);
    for (std::uint32_t t = 0; t < p.size; ++t)
      starts[t] = listed->tasks[forward_.original[t]].start;
    take(p, starts);
  }

  constexpr void start_with_lists(const project& p, const project& reversed) {
    if (p.size > layered_search::most_tasks) {
      take_listed(p, hlfet(g_));
      if (!go_on() || value_ <= bound()) return;
      take_listed(p, heft(g_));
      go_on();
      return;
    }
    table<std::int64_t> levels;
    for (std::uint32_t t = 0; t < p.size; ++t) levels.push_back(w_.tails[t] + p.durations[t]);
    take(p, list_starts(p, levels));
    if (!go_on() || value_ <= bound()) return;
    for (std::uint32_t t = 0; t < p.size; ++t)
      levels[t] = w_.heads[p.size - 1 - t] + reversed.durations[t];
    take(p, turned(reversed, list_starts(reversed, levels)));
    if (!go_on() || value_ <= bound()) return;
    take(p, justified(p, reversed, starts_));
  }

  /// Passes of growing width in both directions of time until one needs no cut; if the memory
  /// cannot hold such a pass, one direction is exhausted in parts.
  constexpr void search(const project& p, const project& reversed) {
    const time_windows back = turned(w_);
    layered_search ahead(p, w_), behind(reversed, back);
    std::uint64_t ends = p.size;
    while (ends > 1 && 8 * layered_search::fixed_bytes(p, ends) > options_.memory) ends /= 2;
    std::uint64_t most = options_.memory / layered_search::bytes_per_state(p);
    if (most == 0) most = 1;
    std::uint64_t width = 1;
    bool more = advance(ahead, behind, p, reversed, width, ends);
    while (more && width < most) {
      more = lift(ahead, behind, p, reversed, width, ends);
      if (!more) break;
      width = 4 * width < most ? 4 * width : most;
      more = advance(ahead, behind, p, reversed, width, ends);
    }
    layered_search& shorter = ahead.met() <= behind.met() ? ahead : behind;
    const project& own = &shorter == &ahead ? p : reversed;
    while (more) {
      const layer_end end =
          shorter.exhaust(value_ - 1, width, ends, executor_, asking(ahead, behind, shorter));
      more = conclude(end, shorter, own, p, reversed) && end == layer_end::found;
    }
    counters_.add(ahead.counters());
    counters_.add(behind.counters());
  }

  /// The `go_on` callable for a pass of `s`, one of two searches.
  constexpr auto asking(const layered_search& a, const layered_search& b, const layered_search& s) {
    const layered_search& other = &s == &a ? b : a;
    return [this, &other](std::uint64_t nodes, std::uint64_t steps, std::uint64_t open) {
      return go_on(nodes + other.counters().nodes, steps + other.steps(), open);
    };
  }

  /// Passes of one width in both directions; false if the search is over.
  constexpr bool advance(layered_search& ahead, layered_search& behind, const project& p,
                         const project& reversed, std::uint64_t width, std::uint64_t ends) {
    for (layered_search* const s : {&ahead, &behind}) {
      layer_end end = layer_end::found;
      while (end == layer_end::found) {
        end = s->pass(value_ - 1, width, ends, executor_, asking(ahead, behind, *s));
        if (!conclude(end, *s, s == &ahead ? p : reversed, p, reversed)) return false;
      }
    }
    return true;
  }

  /// Raises the bound by passes of one width as long as they refute deadlines, in steps that
  /// double; false if the search is over.
  constexpr bool lift(layered_search& ahead, layered_search& behind, const project& p,
                      const project& reversed, std::uint64_t width, std::uint64_t ends) {
    layered_search& s = ahead.met() <= behind.met() ? ahead : behind;
    for (std::int64_t step = 1; bound() < value_ - 1;) {
      const std::int64_t left = value_ - 1 - bound();
      if (step > left) step = left;
      const std::int64_t deadline = bound() + step - 1;
      const layer_end end = s.pass(deadline, width, ends, executor_, asking(ahead, behind, s));
      if (end == layer_end::stopped) return false;
      if (end == layer_end::found) {
        if (!conclude(end, s, &s == &ahead ? p : reversed, p, reversed)) return false;
      } else if (end == layer_end::refuted) {
        prove_by_search(deadline + 1);
        step *= 2;
        if (!go_on()) return false;
        continue;
      }
      if (step == 1) return true;
      step = 1;
    }
    return true;
  }

  /// Processes the result of a pass; false if the search is over.
  constexpr bool conclude(layer_end end, const layered_search& s, const project& own,
                          const project& p, const project& reversed) {
    if (end == layer_end::refuted) prove_by_search(value_);
    if (end == layer_end::found) {
      table<std::int64_t> starts = starts_of_order(own, s.order());
      if (&own == &reversed) starts = turned(reversed, starts);
      take(p, justified(p, reversed, starts));
    }
    return end != layer_end::stopped && value_ > bound() && go_on();
  }

  /// Calls the callback if it is due; false if the search has to stop. Without arguments: no work
  /// since the last call.
  constexpr bool go_on() { return go_on(nodes_, 0, 0); }
  constexpr bool go_on(std::uint64_t nodes, std::uint64_t steps, std::uint64_t open) {
    nodes_ = nodes;
    return control_.go_on(nodes, steps, 0, callback_,
                          [&] { return search_progress{value_, bound(), nodes, open}; });
  }

  constexpr resource_schedule answer(const project& p) {
    task_schedule& s = out_.schedule;
    s.makespan = value_;
    s.bound = bound();
    s.status = s.bound == s.makespan ? search_status::proven : control_.reason();
    s.counters = counters_;
    s.tasks.resize(p.size);
    for (std::uint32_t t = 0; t < p.size; ++t) {
      const std::uint32_t original = forward_.original[t];
      s.tasks[original] = {original, starts_[t], starts_[t] + p.durations[t]};
    }
    if (g_.processors != 0) assign_processors(g_, s);
    return std::move(out_);
  }

  const task_graph& g_;
  const schedule_options& options_;
  run_control control_;
  Callback& callback_;
  Executor& executor_;
  prepared_tasks forward_;
  time_windows w_;
  std::int64_t value_ = unbounded;
  table<std::int64_t> starts_;  // of the best schedule
  resource_schedule out_;
  search_counters counters_;
  std::uint64_t nodes_ = 0;
};

}  // namespace detail

/// Searches for the shortest schedule of a task graph without delays, on identical processors, with
/// renewable resources, or both (P | prec | Cmax and PS | prec | Cmax), and certifies its bound.
/// Anytime, and deterministic (also in the number of threads of the executor); at run time and in
/// constant evaluation. Errors: those of `validate`; `invalid_problem` if the graph has delays
/// between processors or times for each processor.
///
/// List schedules and their justification come first, then bounds: paths, energies, the intervals
/// of Fernandez and Bussell; then passes of `layered_search` of growing width, forward and backward
/// in time. A graph of more than 4095 tasks gets the better of the HLFET and HEFT schedules and the
/// same bounds, and is not searched. If `memory` cannot hold the states of a layer, the search ends
/// without a proof.
template <class Callback = keep_going, class Executor = in_turn>
  requires progress_callback<std::remove_reference_t<Callback>>
constexpr result<resource_schedule> schedule_resources(const task_graph& g,
                                                       const schedule_options& options = {},
                                                       Callback&& callback = {},
                                                       Executor&& executor = {}) {
  const auto valid = validate(g);
  if (!valid) return valid.error();
  if (!detail::is_project(g))
    return make_error(errc::invalid_problem, g.name,
                      "the graph has delays, or times for each processor");
  return detail::resource_scheduler<std::remove_reference_t<Callback>,
                                    std::remove_reference_t<Executor>>(g, options, callback,
                                                                       executor)
      .run();
}

}  // namespace wf
