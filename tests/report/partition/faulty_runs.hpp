// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

#include <partition/machine_case.hpp>

#include "../../partition/programs.hpp"

/// Runs with records, under faults.
namespace faulty_runs {

inline constexpr std::int64_t ms = 1'000'000;

inline wf::fault::rule rule(wf::fault::rule_effect effect, double probability) {
  wf::fault::rule r;
  r.effect = effect;
  r.probability = probability;
  r.delay_ns = {0, 2 * ms};
  return r;
}
inline wf::fault::event crash(std::uint32_t machine, std::int64_t at, std::int64_t duration) {
  wf::fault::event e;
  e.when.at_ns = at;
  e.what.kind = wf::fault::action_kind::crash;
  e.what.peer = machine;
  e.what.duration_ns = duration;
  return e;
}
/// Runs a deployment and keeps the records.
inline machine_case::report run(const machine_case::machines_of& m, const wf::deployment& d,
                                const std::vector<machine_case::call>& calls) {
  wf::machine_run_options o;
  o.keep_records = true;
  return *m.run(d, calls, o);
}
/// Requests to two servers with replies to two clients, with loss, copies and a crash of a server.
struct requests {
  wf::deployment d =
      machine_case::deployed(programs::parsed(programs::request_and_reply), 1000 * ms);
  machine_case::machines_of m{d, 2};

  explicit requests(std::uint64_t seed, bool crashes = true) {
    m.script.seed = seed;
    m.script.rules.push_back(rule(wf::fault::rule_effect::drop, 0.2));
    m.script.rules.push_back(rule(wf::fault::rule_effect::duplicate, 0.3));
    m.script.rules.push_back(rule(wf::fault::rule_effect::corrupt, 0.05));
    if (crashes) m.script.events.push_back(crash(1, 41 * ms + ms / 2, 60 * ms));
  }
  machine_case::report report() const {
    return run(m, d, {machine_case::call_at(d, 0), machine_case::call_at(d, 40 * ms)});
  }
};

}  // namespace faulty_runs
