// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/progress.hpp>
#include <wf/simulate/platform/engine.hpp>
#include <wf/simulate/process/wait_graph.hpp>

namespace wf {

/// An activity of a program: it starts when all its predecessors are finished.
struct sim_activity {
  std::int64_t work = 0;                    ///< in the unit of its resource
  std::uint32_t resource = 0;               ///< index among those of its kind
  sim_resource kind = sim_resource::slots;  ///< kind of resource
  std::int32_t priority = 0;                ///< larger ones get a free slot first
  range successors;                         ///< of `sim_program::successors`
};

/// A set of activities with an order between them, on a platform. The successors of an activity are
/// a range, so that a program of ten million activities is a few flat arrays.
struct sim_program {
  sim_platform platform;            ///< its resources
  table<sim_activity> activities;   ///< what runs, in the order of their indices
  table<std::uint32_t> successors;  ///< activities that wait for others, by range
};

/// Start and finish of an activity, in ticks.
struct sim_times {
  std::int64_t start = -1;   ///< when its resource began to serve it
  std::int64_t finish = -1;  ///< its end

  friend constexpr bool operator==(const sim_times&, const sim_times&) = default;
};

/// The record of a run of a program.
struct sim_record {
  table<sim_times> times;       ///< of each activity
  std::int64_t makespan = 0;    ///< tick at which the last one finishes
  std::uint64_t processed = 0;  ///< completions that the engine handled
  /// True if the observer stopped the run: all times up to `makespan` are known, later ones are -1.
  bool stopped = false;

  friend constexpr bool operator==(const sim_record&, const sim_record&) = default;
};

/// Checks a program: a valid platform, indices and ranges inside, work not negative. Errors:
/// `simulation_failed`, naming the activity or resource.
constexpr result<nothing> validate(const sim_program& p) {
  const auto fail = [](text_view what, std::size_t index, text_view why) {
    return make_error(errc::simulation_failed, "", text() << what << ' ' << index << ' ' << why);
  };
  if (const auto valid = validate(p.platform); !valid) return valid;
  for (std::size_t i = 0; i < p.activities.size(); ++i) {
    const sim_activity& a = p.activities[i];
    if (a.resource >= p.platform.count(a.kind)) return fail("activity", i, "has no resource");
    if (a.work < 0) return fail("activity", i, "has negative work");
    if (a.successors.first > p.successors.size() ||
        a.successors.count > p.successors.size() - a.successors.first)
      return fail("activity", i, "has successors that are not there");
  }
  for (const std::uint32_t s : p.successors)
    if (s >= p.activities.size())
      return fail("activity", s, "follows another one but is not there");
  return nothing{};
}

namespace sim {

/// The name of an activity in error messages, if the caller has none.
struct activity_number {
  /// "activity 7".
  constexpr text operator()(std::uint32_t activity) const {
    return text() << "activity " << activity;
  }
};

/// Observes nothing, and costs nothing.
struct no_program_observer {
  /// An activity ended.
  constexpr void finished(std::uint32_t, const sim_times&) {}
};

namespace detail {

/// The driver of a program: starts each activity when its predecessors are finished.
template <class Observer, class Name>
class program_run {
 public:
  constexpr program_run(const sim_program& p, Observer& observer, const Name& name)
      : p_(p), observer_(observer), name_(name), engine_(make_engine(p.platform)) {
    for (int k = 0; k < resource_kinds; ++k)
      first_[k] = first_resource(p.platform, static_cast<sim_resource>(k));
    awaited_.resize(p.activities.size());
    for (const std::uint32_t s : p.successors) ++awaited_[s];
    out_.times.resize(p.activities.size());
  }

  constexpr result<sim_record> run() {
    for (std::uint32_t a = 0; a < p_.activities.size(); ++a)
      if (awaited_[a] == 0) add(a);
    const auto progress = [this] {
      return sim_progress{engine_.now(), finished_, p_.activities.size()};
    };
    progress_clock clock;
    while (!out_.stopped && engine_.step(*this)) out_.stopped = !clock.go_on(observer_, progress());
    out_.processed = engine_.processed();
    if (out_.stopped) return static_cast<sim_record&&>(out_);
    for (const std::uint32_t open : awaited_)
      if (open != 0) return deadlock();
    return static_cast<sim_record&&>(out_);
  }

  constexpr void started(std::uint32_t a, std::int64_t begin) { out_.times[a].start = begin; }
  constexpr void finished(std::uint32_t a) {
    ++finished_;
    out_.times[a].finish = out_.makespan = engine_.now();
    observer_.finished(a, out_.times[a]);
    const range next = p_.activities[a].successors;
    for (std::uint32_t k = next.first; k < next.first + next.count; ++k)
      if (--awaited_[p_.successors[k]] == 0) add(p_.successors[k]);
  }

 private:
  constexpr void add(std::uint32_t a) {
    const sim_activity& what = p_.activities[a];
    engine_.add(first_[static_cast<int>(what.kind)] + what.resource, {a, what.priority, what.work},
                *this);
  }
  constexpr error deadlock() const {
    table<wait_edge> waits;
    for (std::uint32_t a = 0; a < p_.activities.size(); ++a) {
      const range next = p_.activities[a].successors;
      for (std::uint32_t k = next.first; awaited_[a] != 0 && k < next.first + next.count; ++k)
        waits.push_back({p_.successors[k], a});
    }
    return deadlock_error(wait_cycle(waits), name_);
  }

  const sim_program& p_;
  Observer& observer_;
  const Name& name_;
  platform_engine engine_;
  std::uint32_t first_[resource_kinds]{};
  table<std::uint32_t> awaited_;
  std::uint64_t finished_ = 0;
  sim_record out_;
};

}  // namespace detail

}  // namespace sim

/// Simulates a program. `observer.finished(activity, times)` is called at the end of each activity,
/// in the order of the ends; if it is a `progress_observer`, it is told the progress and may stop
/// the run. `name(activity)` names an activity in errors. Errors: those of `validate`;
/// `simulation_failed` if activities wait for each other: the message names the cycle.
/// O(completions · log resources) and what the sharing takes. Also in constant evaluation, with the
/// same times.
template <class Observer = sim::no_program_observer, class Name = sim::activity_number>
constexpr result<sim_record> simulate(const sim_program& p, Observer&& observer = {},
                                      const Name& name = {}) {
  if (const auto valid = validate(p); !valid) return valid.error();
  return sim::detail::program_run<std::remove_reference_t<Observer>, Name>(p, observer, name).run();
}

}  // namespace wf
