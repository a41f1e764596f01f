// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include <wf/partition/machine/run.hpp>
#include <wf/partition/toolchain.hpp>

#include <partition/hashed.hpp>

/// Deployments on machines of a script, computing by hashes.
namespace machine_case {

using value = wf::machine_value<std::uint64_t>;
using report = wf::machine_report<std::uint64_t>;
using call = wf::machine_call<std::uint64_t>;

/// Computes a node as `hashed::run_whole` does.
struct hashing {
  /// Computes the results of a node.
  wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                       wf::table<value>& results, std::uint32_t) const {
    std::uint64_t h = wf::hash_text(g.op_name(g[id]));
    for (const value* v : operands) h = hashed::mixed(h, v->datum);
    for (value& r : results) r.datum = h;
    return {};
  }
};

/// The deployment of a workflow, which must have one. Messages have as much time as they need.
inline wf::deployment deployed(const wf::graph& g, std::int64_t per_hop = 100'000'000'000,
                               const wf::cut_options& cutting = {}) {
  return *wf::deploy(g.view(), {.per_hop_budget = per_hop, .cutting = cutting});
}

/// Adds a rule for each effect to a script: of all messages, with a probability, and a random delay
/// of up to so many nanoseconds where the effect has one.
inline void add_rules(wf::fault::script& s, std::initializer_list<wf::fault::rule_effect> effects,
                      double probability, std::int64_t most_delay_ns) {
  for (const wf::fault::rule_effect effect : effects) {
    wf::fault::rule r;
    r.effect = effect;
    r.probability = probability;
    r.delay_ns = {0, most_delay_ns};
    s.rules.push_back(r);
  }
}

/// Machines of a script: for each class of a deployment as many as asked for, named
/// "servers0", "servers1", ...; those of the host are "host0", ....
struct machines_of {
  wf::fault::script script;             ///< without rules; all delays are 1 ms
  std::vector<wf::machine_role> roles;  ///< the classes

  /// With a number of machines for each class.
  explicit machines_of(const wf::deployment& d, std::uint32_t each = 1) {
    script.name = wf::text("machines");
    script.delay_ns = {1'000'000, 1'000'000};
    for (const wf::text& role : wf::classes_of(d.parts()))
      for (std::uint32_t k = 0; k < (role == "@self" ? 1 : each); ++k) {
        const wf::text name = (role == "@self" ? wf::text("host") : wf::text(role)) << k;
        script.peers.push_back(name);
        roles.push_back({name, role});
      }
  }
  /// Runs a deployment on them.
  template <class Gates = wf::fault::standard_gates, class Evaluate = hashing>
  wf::result<report> run(const wf::deployment& d, const std::vector<call>& calls,
                         const wf::machine_run_options& options = {},
                         Evaluate evaluate = {}) const {
    return wf::run_deployment<std::uint64_t, Gates>(
        d, wf::builtin_registry(), script, {roles.data(), roles.size()},
        {calls.data(), calls.size()}, evaluate, options);
  }
};

/// A call that gives each input the hash of its name.
inline call call_at(const wf::deployment& d, std::int64_t at) {
  call out{0, at, {}};
  for (const wf::partition& part : d.parts().partitions) {
    const wf::graph_view g = part.workflow.view();
    if (!(part.role == "@self")) continue;
    for (const wf::value& v : g.values)
      if (v.producer == wf::node_id::none)
        out.arguments.push_back({wf::text(g.text_of(v.name)), hashed::input(g.text_of(v.name))});
  }
  return out;
}
/// The name of an output.
inline std::string name_of(const wf::deployment& d, const wf::machine_output<std::uint64_t>& o) {
  const wf::graph_view g = d.parts().partitions[o.program].workflow.view();
  return std::string(g.text_of(g.outputs[o.output].name));
}
/// How often each output came in a call, all with their values: "y=12 y=12 z=5", sorted.
inline std::map<std::string, std::vector<std::uint64_t>> outputs_of(const wf::deployment& d,
                                                                    const report& r,
                                                                    std::uint64_t call) {
  std::map<std::string, std::vector<std::uint64_t>> out;
  for (const auto& o : r.outputs)
    if (o.call == call || o.call == 0) out[name_of(d, o)].push_back(o.value.datum);
  return out;
}

}  // namespace machine_case
