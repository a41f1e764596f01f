// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/toolchain/run_clock.hpp>
#include <wf/report/trace/events.hpp>
#include <wf/toolchain/step.hpp>

namespace wf {

/// A tracer that records a run for ui.perfetto.dev: `perfetto_tracer trace; w(x, trace);
/// to_perfetto(trace)`. Every step is a slice nested in the enclosing one, with its path and the
/// names of its stages; a failure is an instant event in the step where it arose, and an argument
/// of every step it passed through.
///
/// It watches the runs of one thread, one after the other; runs in several threads need one tracer
/// each, to be joined by `merge` afterwards.
template <run_clock_type Clock = run_clock>
class perfetto_tracer {
 public:
  constexpr perfetto_tracer() = default;
  /// Records a named thread with a clock.
  constexpr explicit perfetto_tracer(text_view thread, Clock clock = {})
      : clock_(static_cast<Clock&&>(clock)), threads_{text(thread)} {}

  /// Called when a step begins.
  template <class In>
  constexpr void enter(const step_info& step, const In&) {
    slice added;
    added.name = step.name;
    added.in = step.in;
    added.out = step.out;
    added.path = path_of(step);
    open_.push_back({&step, slices_.size()});
    slices_.push_back(static_cast<slice&&>(added));
    failing_ = false;
    slices_.back().begin = slices_.back().end = clock_();
  }
  /// Called when a step ends.
  template <class Out>
  constexpr void leave(const step_info& step, const Out&) {
    const run_time now = clock_();
    if (close(step, now) < slices_.size()) failing_ = false;
  }
  /// Called when a step fails.
  constexpr void fail(const step_info& step, const error& e) {
    const run_time now = clock_();
    const std::size_t ended = close(step, now);
    if (ended == slices_.size()) return;
    slices_[ended].failure = to_text(e);
    slices_[ended].origin = !failing_;  // otherwise the error comes from an inner step
    failing_ = true;
  }

  /// Adds the threads of another tracer, which must have used the same clock.
  constexpr void merge(const perfetto_tracer& other) {
    const std::size_t count = other.slices_.size(), threads = threads_.size();
    for (std::size_t i = 0; i < count; ++i) {
      slices_.push_back(other.slices_[i]);
      slices_.back().thread += threads;
    }
    for (std::size_t i = 0, n = other.threads_.size(); i < n; ++i)
      threads_.push_back(other.threads_[i]);
  }

  /// Writes the recording as a process of a larger trace. Time starts with the first step. An
  /// unfinished step extends to the end of its last inner step. O(steps).
  constexpr void write_to(trace_event_writer& out, std::int64_t process) const {
    out.name_process(process, "toolchain");
    table<std::int64_t> computing(threads_.size());  // each thread's CPU time at its first step
    std::int64_t begin = slices_.empty() ? 0 : slices_[0].begin.wall;
    for (std::size_t i = slices_.size(); i-- > 0;) {
      const slice& s = slices_[i];
      if (s.begin.wall < begin) begin = s.begin.wall;
      computing[s.thread] = s.begin.cpu;
    }
    for (std::size_t i = 0; i < threads_.size(); ++i)
      out.name_thread({process, static_cast<std::int64_t>(i + 1)}, threads_[i].view());
    for (const slice& s : slices_)
      write(out, {process, static_cast<std::int64_t>(s.thread + 1)}, s,
            {begin, computing[s.thread]});
  }

 private:
  struct slice {
    text_view name, in, out;
    text path;
    run_time begin, end;
    std::size_t thread = 0;
    text failure;  // empty without a failure
    bool origin = false;
  };
  struct open_slice {
    const step_info* step = nullptr;
    std::size_t number = 0;
  };

  // Ends a step's slice, and unfinished slices nested in it. Returns its index, or the number of
  // slices if there is none.
  constexpr std::size_t close(const step_info& step, run_time now) {
    std::size_t known = open_.size();
    while (known > 0 && open_[known - 1].step != &step) --known;
    if (known == 0) return slices_.size();
    const std::size_t number = open_[known - 1].number;
    for (; open_.size() >= known; open_.pop_back()) slices_[open_.back().number].end = now;
    for (const open_slice& around : open_) slices_[around.number].end = now;
    return number;
  }

  static constexpr void write(trace_event_writer& out, trace_track track, const slice& s,
                              run_time origin) {
    const run_time begin = s.begin - origin, took = s.end - s.begin;
    out.slice(track, s.name, begin.wall, took.wall, begin.cpu, took.cpu);
    out.argument("path", s.path.view());
    out.argument("in", s.in);
    out.argument("out", s.out);
    if (s.failure.empty()) return;
    out.argument("error", s.failure.view());
    if (!s.origin) return;
    out.instant(track, (text(s.name) << " failed").view(), (s.end - origin).wall);
    out.argument("path", s.path.view());
    out.argument("error", s.failure.view());
  }

  [[no_unique_address]] Clock clock_{};
  table<text> threads_{text("run")};
  table<slice> slices_;
  table<open_slice> open_;
  bool failing_ = false;  // the last event was a failure
};

/// The recording in the Chrome JSON format that ui.perfetto.dev opens. O(steps).
template <class Clock>
constexpr text to_perfetto(const perfetto_tracer<Clock>& t) {
  trace_event_writer out;
  t.write_to(out, 1);
  return out.finish();
}

}  // namespace wf
