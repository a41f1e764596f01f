// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch/mapping.hpp>
#include <wf/simulate/engine/engine.hpp>
#include <wf/simulate/sharing/slots.hpp>

namespace wf {

/// The kind of an event in the trace of a batch.
enum class batch_event_kind : std::uint8_t {
  load,     ///< the DRAM loaded weights or operands
  execute,  ///< an operator processed a sub-batch
  store,    ///< a result was written to the DRAM
};

/// One activity with a duration while a batch flows through an array. Times are in cycles.
struct batch_event {
  batch_event_kind kind = batch_event_kind::execute;  ///< load, execution or store
  std::uint32_t segment = 0;                          ///< index into `batch_mapping::segments`
  std::uint32_t op = 0;                               ///< index into `batch_mapping::operators`
  std::int64_t round = 0;                             ///< round of the segment, from 0 on
  std::int64_t begin = 0;                             ///< first cycle
  std::int64_t end = 0;                               ///< end cycle, exclusive

  friend constexpr bool operator==(const batch_event&, const batch_event&) = default;
};

/// The record of a replay of a batch mapping, events sorted by end time. Times are in cycles.
struct batch_trace {
  table<batch_event> events;    ///< loads, executions and stores
  std::int64_t makespan = 0;    ///< cycle at which the last result is in DRAM
  std::int64_t dram_busy = 0;   ///< cycles in which the DRAM transfers data
  std::int64_t waiting = 0;     ///< total cycles that operators wait for the DRAM
  std::uint64_t processed = 0;  ///< number of simulation events processed

  friend constexpr bool operator==(const batch_trace&, const batch_trace&) = default;
};

namespace detail {

/// A replay of a batch mapping: the DRAM is a server with a fixed list of jobs, each stage a worker
/// with a fixed list of runs, and a barrier ends each beat. Whoever is unblocked proceeds when an
/// event ends; the durations of single runs are the only times read from the mapping.
class batch_replay {
 public:
  constexpr batch_replay(const pe_array& array, const batch_mapping& m) : array_(array), m_(m) {}

  constexpr result<batch_trace> run() {
    if (!is_whole())
      return make_error(errc::simulation_failed, "",
                        "the mapping has a segment without rounds, or stages that are not there");
    for (std::uint32_t g = 0; g < m_.segments.size(); ++g) {
      begin(g);
      while (engine_.step(*this)) {
      }
    }
    out_.makespan = engine_.now();
    out_.processed = engine_.processed();
    return static_cast<batch_trace&&>(out_);
  }

  // Called by the engine at the end of an activity: a job of the DRAM, the link traffic of a beat,
  // or the run of a stage.
  constexpr void started(std::uint32_t, std::int64_t) {}
  constexpr void finished(std::uint32_t activity) {
    if (activity == end_of_job)
      finish_job();
    else if (activity == end_of_traffic)
      links_run_ = false;
    else
      finish_run(activity - first_stage);
    go_on();
  }

 private:
  static constexpr std::uint32_t end_of_job = 0, end_of_traffic = 1, first_stage = 2;

  struct job {
    batch_event_kind kind = batch_event_kind::load;
    std::uint32_t op = 0;
    std::int64_t beat = 0;
    std::int64_t round = 0;
    std::int64_t cycles = 0;
  };
  /// The execution state of a stage.
  struct worker {
    std::uint32_t next = 0;  // index of the next run in the beat
    bool running = false;
    std::int64_t since = 0;  // time at which it became free
    std::int64_t begun = 0;
  };
  /// The progress of an operator: numbers of rounds loaded, stored and completed.
  struct progress {
    std::int64_t loaded = 0;
    std::int64_t stored = 0;
    std::int64_t ended = 0;
  };

  /// True if all indices and counts are in range. Then the replay cannot deadlock: jobs wait for
  /// earlier beats and runs only, runs for earlier jobs only.
  constexpr bool is_whole() const {
    const auto inside = [](const range& r, std::size_t size) {
      return r.first <= size && r.count <= size - r.first;
    };
    for (const pipeline_segment& g : m_.segments)
      if (g.rounds < 1 || !inside(g.stages, m_.stages.size())) return false;
    for (const pipeline_stage& s : m_.stages)
      if (s.where.empty() || !inside(s.operators, m_.operators.size())) return false;
    return true;
  }
  constexpr const pipeline_stage& stage(std::uint32_t s) const {
    return m_.stages[m_.segments[segment_].stages.first + s];
  }
  constexpr std::uint32_t stages() const { return m_.segments[segment_].stages.count; }
  constexpr std::int64_t round_of(std::uint32_t s, std::int64_t beat) const {
    const std::int64_t round = beat - stage(s).depth;
    return round >= 0 && round < m_.segments[segment_].rounds ? round : -1;
  }

  constexpr void begin(std::uint32_t g) {
    segment_ = g;
    const pipeline_segment& s = m_.segments[g];
    std::uint32_t deepest = 0;
    for (std::uint32_t k = 0; k < stages(); ++k)
      deepest = deepest < stage(k).depth ? stage(k).depth : deepest;
    beats_ = s.rounds + deepest;
    beat_ = -1;
    jobs_.clear();
    next_job_ = 0;
    dram_runs_ = false;
    progress_.clear();
    progress_.resize(m_.operators.size());
    workers_.clear();
    workers_.resize(stages());
    list_jobs(batch_event_kind::load, 0);
    for (std::int64_t t = 0; t < beats_; ++t) {
      if (t + 1 < beats_) list_jobs(batch_event_kind::load, t + 1);
      list_jobs(batch_event_kind::store, t);
    }
    links_run_ = false;
    go_on();
  }
  constexpr void list_jobs(batch_event_kind kind, std::int64_t beat) {
    for (std::uint32_t s = 0; s < stages(); ++s) {
      const std::int64_t round = round_of(s, beat);
      if (round < 0) continue;
      const range run = stage(s).operators;
      for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
        const stage_operator& o = m_.operators[i];
        const auto add = [&](std::int64_t bytes) {
          if (bytes == 0) return;
          const int128 ports =
              static_cast<int128>(array_.link_bytes_per_cycle) * stage(s).where.area();
          const int128 rate =
              ports < array_.dram_bytes_per_cycle ? ports : array_.dram_bytes_per_cycle;
          jobs_.push_back({kind, i, beat, round, ceil_ratio(bytes, rate)});
        };
        if (kind == batch_event_kind::store) {
          add(o.stored_bytes);
        } else {
          if (round == 0) add(o.weight_bytes);
          add(o.fetched_bytes);
        }
      }
    }
  }

  constexpr void call(std::uint32_t activity, std::int64_t cycles) {
    engine_.add(0, {activity, 0, cycles}, *this);
  }
  constexpr void finish_job() {
    const std::int64_t now = engine_.now();
    const job& j = jobs_[next_job_++];
    dram_runs_ = false;
    progress& p = progress_[j.op];
    // The loads of a round are complete with the last of its jobs.
    const bool more = j.kind == batch_event_kind::load && next_job_ < jobs_.size() &&
                      jobs_[next_job_].kind == batch_event_kind::load &&
                      jobs_[next_job_].op == j.op && jobs_[next_job_].round == j.round;
    if (j.kind == batch_event_kind::store)
      p.stored = j.round + 1;
    else if (!more)
      p.loaded = j.round + 1;
    out_.dram_busy += j.cycles;
    out_.events.push_back({j.kind, segment_, j.op, j.round, now - j.cycles, now});
  }
  constexpr void finish_run(std::uint32_t s) {
    const std::int64_t now = engine_.now();
    worker& w = workers_[s];
    const std::uint32_t op = stage(s).operators.first + w.next++;
    const std::int64_t round = progress_[op].ended++;
    out_.events.push_back({batch_event_kind::execute, segment_, op, round, w.begun, now});
    w.running = false;
    w.since = now;
  }

  constexpr void go_on() {
    if (beat_is_over()) {
      ++beat_;
      if (beat_ < beats_) {
        for (worker& w : workers_) {
          w.next = 0;
          w.since = engine_.now();
        }
        if (m_.segments[segment_].link_cycles > 0) {
          links_run_ = true;
          call(end_of_traffic, m_.segments[segment_].link_cycles);
        }
      }
    }
    for (std::uint32_t s = 0; beat_ < beats_ && s < stages(); ++s) start_run(s);
    start_job();
  }
  constexpr bool beat_is_over() const {
    if (beat_ >= beats_ || links_run_) return false;
    for (std::uint32_t s = 0; beat_ >= 0 && s < stages(); ++s)
      if (round_of(s, beat_) >= 0 && workers_[s].next < stage(s).operators.count) return false;
    return true;
  }
  constexpr void start_run(std::uint32_t s) {
    worker& w = workers_[s];
    const std::int64_t round = round_of(s, beat_);
    if (round < 0 || w.running || w.next >= stage(s).operators.count) return;
    const std::uint32_t i = stage(s).operators.first + w.next;
    const stage_operator& o = m_.operators[i];
    const bool loads = o.fetched_bytes > 0 || (round == 0 && o.weight_bytes > 0);
    if (loads && progress_[i].loaded <= round) return;
    if (o.stored_bytes > 0 && progress_[i].stored < round - 1) return;
    w.running = true;
    w.begun = engine_.now();
    out_.waiting += w.begun - w.since;
    call(first_stage + s, round == 0 ? o.first_cycles : o.cycles);
  }
  constexpr void start_job() {
    if (dram_runs_ || next_job_ == jobs_.size()) return;
    const job& j = jobs_[next_job_];
    const bool may =
        j.kind == batch_event_kind::load ? beat_ >= j.beat - 1 : progress_[j.op].ended > j.round;
    if (!may) return;
    dram_runs_ = true;
    call(end_of_job, j.cycles);
  }

  const pe_array& array_;
  const batch_mapping& m_;
  batch_trace out_;
  sim::engine<sim::slots> engine_{sim::slots(table<std::int64_t>(1, sim::slots::unlimited))};
  std::uint32_t segment_ = 0;
  std::int64_t beat_ = -1;
  std::int64_t beats_ = 0;
  table<job> jobs_;
  std::size_t next_job_ = 0;
  bool dram_runs_ = false;
  bool links_run_ = false;
  table<progress> progress_;
  table<worker> workers_;
};

}  // namespace detail

/// Replays a batch mapping as discrete events: the DRAM, the stages and the beats, by the rules of
/// docs/explanation/mapping.md. The makespan equals that of the mapping to the cycle. Errors: those
/// of `validate`; `simulation_failed` if the mapping's tables are inconsistent. O(runs · stages +
/// events · log events). Also in constant evaluation for small mappings.
constexpr result<batch_trace> simulate(const pe_array& array, const batch_mapping& m) {
  if (const auto valid = validate(array); !valid) return valid.error();
  return detail::batch_replay(array, m).run();
}

}  // namespace wf
