// SPDX-License-Identifier: BSL-1.0
#pragma once

// Deployments under fault scripts, and what is wrong with their runs.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <wf/ir/form/parse.hpp>
#include <wf/simulate/fault/random.hpp>

#include <partition/hashed.hpp>
#include <partition/machine_case.hpp>

namespace partition_benchmark {

/// What is wrong with a run, or an empty text: every output has the value of the workflow run
/// whole; in one life of the machines none comes twice in an execution; and without a crash each
/// call has all its outputs, unless a failure of the call is on record.
inline std::string fault_of(const wf::deployment& d, const machine_case::report& r,
                            const hashed::outputs& whole, std::uint64_t calls, bool may_crash) {
  if (r.run.broken.invariant != 0)
    return "invariant " + std::to_string(r.run.broken.invariant) + ": " +
           std::string(r.run.broken.sentence.view());
  if (r.failure.code != wf::errc::none)
    return "the run fails: " + std::string(wf::to_text(r.failure).view());
  std::set<std::tuple<std::string, std::uint32_t, std::vector<std::uint64_t>>> seen;
  for (const auto& o : r.outputs) {
    const std::string name = machine_case::name_of(d, o);
    if (o.value.datum != whole.at(name)) return name + " has another value";
    const std::vector<std::uint64_t> path(o.path.begin(), o.path.end());
    if (!seen.emplace(name, o.machine, path).second && r.restarts == 0)
      return name + " comes twice in an execution";
  }
  if (may_crash) return "";
  for (std::uint64_t k = 1; k <= calls; ++k) {
    const bool has_failed = std::any_of(r.failures.begin(), r.failures.end(),
                                        [&](const auto& f) { return f.call == k || f.call == 0; });
    if (!has_failed && machine_case::outputs_of(d, r, k).size() != whole.size())
      return "call " + std::to_string(k) + " lacks an output, and no failure says why";
  }
  return "";
}

/// A workflow that runs under storms.
struct storm_workflow {
  const char* name;    ///< in reports
  const char* source;  ///< in wf's text form
};
/// Workflows that run under storms: a request and its reply, a parameter that servers have from
/// their start, and gossip of machines with themselves.
inline const std::vector<storm_workflow>& storm_workflows() {
  static const std::vector<storm_workflow> all{
      {"request",
       "wf.graph 1 \"request\"\n"
       "input \"x\" : f64[4]\n"
       "input \"servers\" : peer[S]\n"
       "node elementwise.negate(%0) -> f64[4]\n"
       "node wire.send(%2, %1) effect external -> f64[4], peer[], u64[]\n"
       "node elementwise.negate(%3) -> f64[4]\n"
       "node wire.send(%6, %4) effect external -> f64[4], peer[], u64[]\n"
       "node movement.copy(%7) -> f64[4]\n"
       "output \"y\" = %10\n"},
      {"parameter",
       "wf.graph 1 \"parameter\"\n"
       "input \"x\" : f64[4]\n"
       "input \"z\" : f64[4]\n"
       "input \"servers\" : peer[S]\n"
       "node user.parameter() peer \"servers\" -> f64[4]\n"
       "node wire.send(%0, %2) effect external -> f64[4], peer[], u64[]\n"
       "node wire.send(%1, %2) effect external -> f64[4], peer[], u64[]\n"
       "node elementwise.add(%4, %7) -> f64[4]\n"
       "node elementwise.add(%10, %3) -> f64[4]\n"
       "node wire.send(%11, %5) effect external -> f64[4], peer[], u64[]\n"
       "node movement.copy(%12) -> f64[4]\n"
       "output \"y\" = %15\n"}};
  return all;
}

/// What messages and nodes take, and have.
struct storm_pace {
  std::int64_t per_hop = 100'000'000'000;  ///< time for a message and what it causes, nanoseconds
  std::int64_t per_node = 0;               ///< time that a machine takes for a node, nanoseconds
  std::uint32_t retries = 63;              ///< attempts of a message after the first
};
/// So little time that some messages are too late without any fault.
inline constexpr storm_pace hurried{40'000'000, 1'000'000, 3};

/// The deployment of a workflow, called twelve times, 200 ms apart, under scripts whose first peer
/// is the host, and whose others are servers.
class storm_case {
 public:
  explicit storm_case(const storm_workflow& w, const storm_pace& pace = {})
      : workflow_(*wf::parse_graph(w.source)),
        deployment_(machine_case::deployed(workflow_, pace.per_hop)),
        whole_(hashed::run_whole(workflow_)),
        evaluate_{{}, pace.per_node} {
    for (int k = 0; k < 12; ++k)
      calls_.push_back(machine_case::call_at(deployment_, std::int64_t{200'000'000} * k));
    options_.messages.retries = pace.retries;
    options_.most_events = 1 << 15;  // with sound gates at most a few thousand happen
  }
  /// Runs it under a script.
  template <class Gates = wf::fault::standard_gates>
  wf::result<machine_case::report> run(const wf::fault::script& s) const {
    machine_case::machines_of m(deployment_);
    m.script = s;
    m.roles.clear();
    for (std::uint32_t p = 0; p < s.peers.size(); ++p)
      m.roles.push_back({s.peers[p], wf::text(p == 0 ? "@self" : "servers")});
    return m.run<Gates>(deployment_, calls_, options_, evaluate_);
  }
  /// What is wrong with a run under a script, or an empty text; see `fault_of`.
  std::string check(const wf::fault::script& s, const wf::result<machine_case::report>& r) const {
    if (!r) return std::string(wf::to_text(r.error()).view());
    const bool may_crash = std::any_of(s.events.begin(), s.events.end(), [](const auto& e) {
      return e.what.kind == wf::fault::action_kind::crash;
    });
    return fault_of(deployment_, *r, whole_, calls_.size(), may_crash);
  }

 private:
  struct working : machine_case::hashing {
    std::int64_t per_node = 0;
    std::int64_t duration(const wf::graph_view&, wf::node_id, std::uint32_t) const {
      return per_node;
    }
  };
  wf::graph workflow_;
  wf::deployment deployment_;
  hashed::outputs whole_;
  working evaluate_;
  std::vector<machine_case::call> calls_;
  wf::machine_run_options options_;
};

/// A storm with further faults that its seed draws: late copies, small windows and queues, machines
/// that exclude others for a time, a crash.
inline wf::fault::script varied(wf::fault::script s, std::uint64_t seed) {
  s.seed = seed;
  s.live = {};  // a deployment has no core
  auto draw = [&, n = std::uint64_t{0}](std::int64_t below) mutable {
    return wf::fault::random_draws(seed, 77, {}).between(n++, 0, below - 1);
  };
  const auto peers = static_cast<std::int64_t>(s.peers.size());
  const auto peer = [&] { return static_cast<std::uint32_t>(draw(peers)); };
  if (draw(2) == 0) {
    wf::fault::rule late;
    late.effect = wf::fault::rule_effect::duplicate;
    late.probability = 0.1;
    late.delay_ns = {0, draw(2'000'000'000)};
    s.rules.push_back(late);
  }
  for (const auto k : {wf::fault::knob::dedup_window, wf::fault::knob::ingress_capacity})
    if (draw(3) == 0) s.knobs.push_back({k, 1 + draw(8)});
  for (std::int64_t i = draw(3); i > 0; --i) {
    wf::fault::event policy;
    policy.what.kind = wf::fault::action_kind::policy;
    policy.what.peer = peer();
    policy.what.has_block = true;
    policy.what.block.push_back(peer());
    policy.when.at_ns = draw(2'000'000'000);
    s.events.push_back(policy);
    policy.what.block.clear();
    policy.when.at_ns += draw(500'000'000);
    s.events.push_back(policy);
  }
  if (draw(3) == 0) {
    wf::fault::event crash;
    crash.what.kind = wf::fault::action_kind::crash;
    crash.what.peer = peer();
    crash.what.duration_ns = draw(500'000'000);
    crash.when.at_ns = draw(2'000'000'000);
    s.events.push_back(crash);
  }
  return s;
}

}  // namespace partition_benchmark
