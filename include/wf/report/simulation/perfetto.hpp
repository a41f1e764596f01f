// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/simulation/lanes.hpp>
#include <wf/report/trace/events.hpp>
#include <wf/simulate/account/critical_path.hpp>
#include <wf/simulate/account/utilisation.hpp>

namespace wf {

namespace detail {

/// Writes a run as events; the resources of each role are a group of tracks.
class run_events {
 public:
  constexpr run_events(const run_account& a, std::int64_t nanoseconds)
      : a_(a), nanoseconds_(nanoseconds) {}

  constexpr text write() {
    out_.name_process(critical, "critical path");
    out_.name_process(hosts, "hosts");
    out_.name_process(links, "links");
    for (const path_segment& s : critical_path_of(a_).segments) {
      slice({critical, 0}, to_text(s.reason), s.from, s.to);
      out_.argument("task", a_.tasks[s.task].label.view());
    }
    const table<resource_usage> usage = utilisation_of(a_);
    for (const resource_lanes& r : lanes_of(a_)) {
      const run_resource& resource = a_.resources[r.resource];
      const std::int64_t process = resource.role == run_role::host ? hosts : links;
      for (std::int64_t lane = 0; lane < r.lanes; ++lane)
        out_.name_thread({process, next_ + lane}, resource.label.view());
      for (const lane_box& b : r.boxes) add(b, process);
      for (const usage_step& s : usage[r.resource].steps)
        out_.counter(process, resource.label.view(), time(s.time), "in use", s.in_use);
      next_ += r.lanes;
    }
    return out_.finish();
  }

 private:
  static constexpr std::int64_t critical = 0, hosts = 1, links = 2;

  constexpr int128 time(std::int64_t ticks) const { return int128{ticks} * nanoseconds_; }
  constexpr void slice(trace_track track, text_view name, std::int64_t from, std::int64_t to) {
    out_.slice(track, name, time(from), time(to) - time(from));
  }
  constexpr void add(const lane_box& b, std::int64_t process) {
    const run_task& t = a_.tasks[b.task];
    slice({process, next_ + b.lane}, t.label.view(), t.use_begin, t.use_end);
    out_.argument("work", t.work);
    out_.argument("ready", t.ready);
    out_.argument("start", t.start);
    out_.argument("finish", t.finish);
    if (t.cause != run_task::none) out_.argument("waited for", a_.tasks[t.cause].label.view());
  }

  const run_account& a_;
  std::int64_t nanoseconds_;
  std::int64_t next_ = 0;  // track of the next lane
  trace_event_writer out_;
};

}  // namespace detail

/// A simulated run in the Chrome JSON format that ui.perfetto.dev opens: a track with the reasons
/// of the critical path; for each host and link that was used, tracks with its tasks, as many as
/// ran at a time, and a counter of those. A task's arguments are its work, its times in ticks, and
/// the task that it waited for last. A tick is shown as `nanoseconds`, by default a microsecond.
/// O(tasks · (log tasks + lanes) + uses · log uses + resources).
constexpr text to_perfetto(const run_account& a, std::int64_t nanoseconds = 1000) {
  return detail::run_events(a, nanoseconds).write();
}

}  // namespace wf
