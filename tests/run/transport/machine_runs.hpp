// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <partition/machine_case.hpp>
#include <partition/random_program.hpp>
#include <wf/run/transport/distributed.hpp>

// Deployments on several processes: what runs, and how it is compared with the simulator.
namespace machine_runs {

using namespace machine_case;

constexpr std::int64_t ms = 1'000'000;

// A random program on machines of a script, and calls.
struct problem {
  wf::deployment d;
  machines_of m;
  std::vector<call> calls;
};

// With loss, copies, delays and damage for two of three; deadlines are those of the workflow
// without them.
inline problem with_rules(std::uint32_t i) {
  wf::deployment d = deployed(random_program(i + 1).workflow());
  machines_of m(d, 1 + i % 2);
  m.script.seed = i;
  m.script.delay_ns = {0, 300'000};
  if (i % 3 != 0)
    add_rules(m.script,
              {wf::fault::rule_effect::drop, wf::fault::rule_effect::duplicate,
               wf::fault::rule_effect::delay, wf::fault::rule_effect::corrupt},
              0.1, ms);
  m.script.knobs.push_back({wf::fault::knob::per_hop_budget_ns, 20 * ms});
  std::vector<call> calls{call_at(d, 0), call_at(d, ms), call_at(d, 2 * ms)};
  return {std::move(d), std::move(m), std::move(calls)};
}
// With rules whose effects do not depend on time: no answer is late, and no failure makes a gate
// wait.
inline problem without_time(std::uint64_t seed) {
  wf::deployment d = deployed(random_program(seed).workflow());
  machines_of m(d);
  m.script.seed = seed;
  m.script.delay_ns = {0, 0};
  add_rules(m.script,
            {wf::fault::rule_effect::drop, wf::fault::rule_effect::duplicate,
             wf::fault::rule_effect::corrupt},
            0.06, ms);
  using wf::fault::knob;
  m.script.knobs = {{knob::ttl_ns, 800 * ms},
                    {knob::backoff_base_ns, 0},
                    {knob::backoff_cap_ns, 0},
                    {knob::governor_threshold, 1000}};
  std::vector<call> calls(4, call_at(d, 0));
  return {std::move(d), std::move(m), std::move(calls)};
}
// Counts of a peer that do not depend on time.
inline std::vector<std::uint64_t> counts_of(const wf::fault::tally::counts& c) {
  return {c.fired,
          c.dropped,
          c.retries,
          c.acknowledged,
          c.refused[static_cast<unsigned>(wf::fault::reason::duplicate)],
          c.refused[static_cast<unsigned>(wf::fault::reason::checksum)]};
}
// What an output is on its machine, as a line.
inline std::string line_of(const wf::deployment& d, const wf::machine_output<std::uint64_t>& o) {
  std::string line =
      name_of(d, o) + " " + std::to_string(o.machine) + " call " + std::to_string(o.call) + ":";
  for (const std::uint64_t step : o.path) line += " " + std::to_string(step);
  return line + " = " + std::to_string(o.value.datum);
}
// Computes, and dies before a number of its nodes.
struct mortal_hashing : hashing {
  int left = -1;
  std::function<void()> die = {};

  wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                       wf::table<value>& results, std::uint32_t machine) {
    if (left == 0) die();
    --left;
    return hashing::operator()(g, id, operands, results, machine);
  }
};

// What one process reports.
using part_report = wf::distributed_report<std::uint64_t>;
// Runs the part of one process.
template <wf::transport Transport, class Evaluate = hashing>
wf::result<part_report> run_here(Transport& carrier, const wf::deployment& d, const machines_of& m,
                                 const std::vector<call>& calls,
                                 const wf::distributed_options& options = {},
                                 Evaluate&& evaluate = {}) {
  static const wf::registry kernels = wf::builtin_registry();
  return wf::run_distributed<std::uint64_t>(carrier, d, kernels, m.script,
                                            {m.roles.data(), m.roles.size()},
                                            {calls.data(), calls.size()}, evaluate, options);
}

}  // namespace machine_runs
