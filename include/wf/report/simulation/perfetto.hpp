// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/trace/events.hpp>
#include <wf/simulate/account/critical_path.hpp>
#include <wf/simulate/account/utilisation.hpp>

namespace wf {

namespace detail {

/// Writes the events of a run; the resources of each role are a group of tracks.
class run_events {
 public:
  constexpr run_events(const run_account& a, std::int64_t nanoseconds)
      : a_(a), nanoseconds_(nanoseconds) {}

  constexpr text write() {
    out_.name_process(critical, "critical path");
    out_.name_process(hosts, "hosts");
    out_.name_process(links, "links");
    for (const path_segment& s : critical_path_of(a_).segments) {
      out_.slice({critical, 0}, to_text(s.reason), time(s.from), time(s.to) - time(s.from));
      out_.argument("task", a_.tasks[s.task].label.view());
    }
    const auto usage = utilisation_of(a_);
    for (std::uint32_t r = 0; r < a_.resources.size(); ++r)
      if (usage[r].tasks != 0 && a_.resources[r].role != run_role::delay)
        write_resource(r, usage[r]);
    return out_.finish();
  }

 private:
  static constexpr std::int64_t critical = 0, hosts = 1, links = 2;

  constexpr int128 time(std::int64_t ticks) const { return int128{ticks} * nanoseconds_; }
  constexpr void write_resource(std::uint32_t r, const resource_usage& usage) {
    const run_resource& resource = a_.resources[r];
    const std::int64_t process = resource.role == run_role::host ? hosts : links;
    for (const usage_step& s : usage.steps)
      out_.counter(process, resource.label.view(), time(s.time), "in use", s.in_use);
    table<std::uint32_t> tasks;
    for (std::uint32_t t = 0; t < a_.tasks.size(); ++t)
      for (const std::uint32_t used : a_.resources_of(a_.tasks[t]))
        if (used == r) tasks.push_back(t);
    stable_sort(tasks, [&](std::uint32_t x, std::uint32_t y) {
      return a_.tasks[x].use_begin < a_.tasks[y].use_begin;
    });
  }

  const run_account& a_;
  std::int64_t nanoseconds_;
  trace_event_writer out_;
};

}  // namespace detail

}  // namespace wf
