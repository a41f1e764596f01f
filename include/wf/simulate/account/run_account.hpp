// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/text/text.hpp>
#include <wf/simulate/platform/engine.hpp>

namespace wf {

/// The role of a resource in a simulated run.
enum class run_role : std::uint8_t {
  host,   ///< it computes
  link,   ///< it moves data
  delay,  ///< it lets time pass: nothing waits for it
};

/// A resource in the account of a run.
struct run_resource {
  text label;                      ///< for pictures
  run_role role = run_role::host;  ///< what it does
  /// The number of tasks at a time that use it fully: slots or cores of a host, 1 for a link; 0: no
  /// limit.
  std::int64_t capacity = 1;
  /// Bytes per tick that a link can move; 0: no limit, or no link.
  double rate = 0;

  friend constexpr bool operator==(const run_resource&, const run_resource&) = default;
};

/// A task of a simulated run: an activity of a program, or a run of a process, a message or a timer
/// of a network. Times are in ticks.
struct run_task {
  /// The value of `cause` for a task that nothing came before.
  static constexpr std::uint32_t none = UINT32_MAX;

  text label;                      ///< for pictures
  run_role role = run_role::host;  ///< whether it computes, moves data, or lets time pass
  range resources;                 ///< of `run_account::uses`: the resources that it uses together
  std::int64_t work = 0;           ///< in the unit of its resource: ticks, work or bytes
  std::int64_t ready = 0;          ///< when it was asked for
  std::int64_t start = 0;          ///< when its resource began to serve it
  std::int64_t finish = 0;         ///< its end
  /// The part of its time in which it uses its resources; the latency of a link is outside.
  std::int64_t use_begin = 0, use_end = 0;
  /// Index of the task at whose end it was asked for, which is the last one that it waited for; so
  /// that task's `finish` is the `ready` of this one. `none`: it was asked for at tick 0.
  std::uint32_t cause = none;

  friend constexpr bool operator==(const run_task&, const run_task&) = default;
};

/// The account of a simulated run: what ran when, on what, and what it waited for. Utilisation, the
/// critical path and all pictures are computed from it.
struct run_account {
  text name;                      ///< title of the run
  table<run_resource> resources;  ///< hosts with slots, shared hosts, links, of routes, meshes
  table<std::uint32_t> uses;      ///< indices of `resources`, by range
  table<run_task> tasks;      ///< of a program in the order of its activities, else of their ends
  std::int64_t makespan = 0;  ///< end of the last task that computes or moves data
  text unit = "ticks";        ///< of the times

  /// The resources that a task uses.
  constexpr view<std::uint32_t> resources_of(const run_task& t) const {
    return {uses.data() + t.resources.first, t.resources.count};
  }
  friend constexpr bool operator==(const run_account&, const run_account&) = default;
};

namespace sim {

/// Translates resources of a platform to those of an account, and tasks on them.
class account_platform {
 public:
  /// Fills the resources of an account, labelled "host 0", "link 0", "mesh 0", and in cores, links
  /// and links of routes each counted on.
  constexpr account_platform(const sim_platform& f, run_account& out) : f_(f) {
    std::uint32_t hosts = 0, links = 0;
    for (const std::int64_t s : f.slots)
      if (s == slots::unlimited)
        out.resources.push_back({text("delays"), run_role::delay, 0, 0});
      else
        out.resources.push_back({text("host ") << hosts++, run_role::host, s, 0});
    for (const processor_sharing::host& h : f.cores)
      out.resources.push_back({text("host ") << hosts++, run_role::host, h.cores, 0});
    for (const fifo_link& l : f.links)
      out.resources.push_back(
          {text("link ") << links++, run_role::link, 1, static_cast<double>(l.bandwidth)});
    for (const double bandwidth : f.bandwidths)
      out.resources.push_back({text("link ") << links++, run_role::link, 1, bandwidth});
    for (std::size_t i = 0; i < f.meshes.size(); ++i)
      out.resources.push_back({text("mesh ") << i, run_role::link, 1, 0});
    for (std::uint32_t r = 0; r < out.resources.size(); ++r) out.uses.push_back(r);
    const auto first =
        static_cast<std::uint32_t>(out.resources.size() - f.meshes.size() - f.bandwidths.size());
    first_mesh_ = first + static_cast<std::uint32_t>(f.bandwidths.size());
    first_route_link_ = static_cast<std::uint32_t>(out.uses.size());
    for (const std::uint32_t l : f.route_links) out.uses.push_back(first + l);
  }

  /// The resources that a task on a resource uses, as a range of `uses`.
  constexpr range uses_of(sim_resource kind, std::uint32_t index) const {
    if (kind == sim_resource::route)
      return {first_route_link_ + f_.routes[index].links.first, f_.routes[index].links.count};
    if (kind == sim_resource::mesh) {
      std::uint32_t m = 0;
      while (index >= f_.mesh_pair(m + 1, 0, 0)) ++m;
      return {first_mesh_ + m, 1};
    }
    return {first_resource(f_, kind) + index, 1};
  }
  /// Sets role, resources and time of use of a task whose start and finish are set.
  constexpr void place(run_task& t, sim_resource kind, std::uint32_t index) const {
    t.resources = uses_of(kind, index);
    t.use_begin = t.start;
    t.use_end = t.finish;
    t.role = run_role::link;
    if (kind == sim_resource::link) {
      t.use_end = t.finish - f_.links[index].latency;
    } else if (kind == sim_resource::route) {
      t.use_begin = t.start + f_.routes[index].latency;
      if (t.use_begin > t.finish) t.use_begin = t.finish;
    } else if (kind != sim_resource::mesh) {
      const bool waits = kind == sim_resource::slots && f_.slots[index] == slots::unlimited;
      t.role = waits ? run_role::delay : run_role::host;
    }
  }

 private:
  const sim_platform& f_;
  std::uint32_t first_route_link_ = 0, first_mesh_ = 0;
};

}  // namespace sim
}  // namespace wf
