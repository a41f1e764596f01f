// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include <wf/partition/toolchain.hpp>
#include <wf/partition/without_messages.hpp>
#include <wf/run/network/machine_kernels.hpp>
#include <wf/simulate/fault/parse_script.hpp>

#include "support.hpp"

// Common functions of the examples whose workflows run on several machines.
namespace support {

using machine_run = wf::machine_report<wf::machine_tensor>;

// --8<-- [start:script]
// A fifth of all messages gets lost, a fifth of the data comes twice, and some wait.
constexpr wf::text_view bad_network = R"json({
  "wf_faults": 1, "name": "a bad network", "seed": 11, "delay_ns": [1000000, 5000000],
  "peers": ["the host"],
  "rules": [{"p": 0.2, "do": {"drop": true}},
            {"match": {"kind": "data"}, "p": 0.2,
             "do": {"duplicate": {"copies": 1, "after_ns": [0, 10000000]}}},
            {"p": 0.2, "do": {"delay": [0, 20000000]}}]
})json";
// --8<-- [end:script]

// --8<-- [start:machines]
// The machines of a deployment: "the host", and for each other class a machine with its name, or
// several, with a number.
struct machine_park {
  wf::fault::script script;
  std::vector<wf::machine_role> roles = {{wf::text("the host"), wf::text("@self")}};

  machine_park(const wf::deployment& d, wf::text_view json, std::uint32_t each = 1)
      : script(value_or_exit(wf::fault::parse_script(json))) {
    for (const wf::text& role : wf::classes_of(d.parts()))
      for (std::uint32_t k = 1; role != "@self" && k <= each; ++k) {
        const wf::text name = each == 1 ? role : wf::text(role) << ' ' << k;
        script.peers.push_back(name);
        roles.push_back({name, role});
      }
  }
  machine_run run(const wf::deployment& d, const wf::named_matrices& arguments,
                  const wf::execution_options& operators = {},
                  const wf::machine_run_options& options = {}) const {
    wf::machine_kernels computing(d, operators);
    return run_by(computing, d, arguments, options);
  }
  // By a callback of one's own.
  template <class Computing>
  machine_run run_by(Computing& computing, const wf::deployment& d,
                     const wf::named_matrices& arguments,
                     const wf::machine_run_options& options = {}) const {
    const wf::machine_call<wf::machine_tensor> calls[] = {
        value_or_exit(wf::tensor_call(d, arguments))};
    return value_or_exit(wf::run_deployment<wf::machine_tensor>(d, wf::builtin_registry(), script,
                                                                {roles.data(), roles.size()}, calls,
                                                                computing, options));
  }
};
// --8<-- [end:machines]

// True if all outputs are there, with the same bits.
inline bool same_bits(const wf::named_matrices& a, const wf::named_matrices& b) {
  bool same = a.size() == b.size();
  for (const auto& [name, x] : a) {
    const auto y = b.find(name);
    same = same && y != b.end() && x.rows() == y->second.rows() && x.cols() == y->second.cols() &&
           std::memcmp(x.data(), y->second.data(),
                       static_cast<std::size_t>(x.size()) * sizeof(double)) == 0;
  }
  return same;
}

// --8<-- [start:whole]
// The same workflow on one machine, without messages.
inline wf::named_matrices run_whole(const wf::graph_view& workflow,
                                    const wf::named_matrices& arguments,
                                    const wf::execution_options& operators = {}) {
  const wf::graph whole = value_or_exit(wf::without_messages(workflow));
  return value_or_exit(
      value_or_exit(wf::executable_graph::prepare(whole.view(), operators))(arguments));
}
// --8<-- [end:whole]

// What a run of messages was like.
inline void print(const machine_run& run) {
  std::uint64_t messages = 0, attempts = 0;
  for (const std::uint64_t n : run.received) messages += n;
  for (const auto& p : run.run.counts.peers) attempts += p.attempts;
  std::cout << messages << " messages in " << attempts << " attempts, " << run.failures.size()
            << " failures, broken invariants: "
            << (run.run.broken.invariant == 0 ? "none" : run.run.broken.sentence.view()) << '\n';
}

}  // namespace support
