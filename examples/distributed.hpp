// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <iostream>

#include <wf/run/network/tensor_form.hpp>
#include <wf/run/transport/distributed.hpp>

#include "federated_averaging.hpp"
#include "gossip_average.hpp"
#include "machines.hpp"
#include "parameter_server.hpp"
#include "two_stage_inference.hpp"

// Four workflows on several processes, each of which has some of their machines: on a good network,
// and on one that loses, doubles and delays messages.
namespace distributed {

inline constexpr wf::text_view good_network = R"json({
  "wf_faults": 1, "name": "a good network", "seed": 1, "delay_ns": [0, 0], "peers": ["the host"]
})json";

// --8<-- [start:run]
// Runs a workflow on all processes; the first one has the machine of the host, and its outputs.
template <wf::transport Transport>
void run(Transport& processes, const wf::graph_view& workflow, const wf::named_matrices& arguments,
         wf::deployment_settings settings, wf::text_view network) {
  settings.per_hop_budget = 60'000'000'000;  // nanoseconds: a minute
  wf::execution_options operators;
  operators.kernels = &settings.kernels;
  const wf::deployment d = support::value_or_exit(wf::deploy(workflow, settings));
  const support::machine_park machines(d, network);
  const wf::machine_call<wf::machine_tensor> calls[] = {
      support::value_or_exit(wf::tensor_call(d, arguments))};
  wf::machine_kernels computing(d, operators);
  const auto report = support::value_or_exit(wf::run_distributed<wf::machine_tensor>(
      processes, d, settings.kernels, machines.script,
      {machines.roles.data(), machines.roles.size()}, calls, computing));
  // --8<-- [end:run]
  if (report.failure.code != wf::errc::none) std::cerr << wf::to_text(report.failure) << '\n';
  support::require(report.failure.code == wf::errc::none && report.failures.empty(),
                   "every message arrives");
  const auto outputs = support::value_or_exit(wf::tensor_outputs(d, report));
  if (processes.rank() != 0) {
    support::require(outputs.empty(), "the host has all outputs");
    return;
  }
  const bool as_whole =
      support::same_bits(outputs, support::run_whole(workflow, arguments, operators));
  const auto simulated =
      support::value_or_exit(wf::tensor_outputs(d, machines.run(d, arguments, operators)));
  const bool as_simulated = support::same_bits(outputs, simulated);
  std::cout << workflow.text_of(workflow.name) << ", " << machines.script.name << ": "
            << d.parts().partitions.size() << " machines on " << processes.ranks()
            << " processes; as on one machine, to the bit: " << (as_whole ? "yes" : "no")
            << "; as in the simulator: " << (as_simulated ? "yes" : "no") << '\n';
  support::require(as_whole && as_simulated, "the outputs are those of one machine");
}

// Runs all of them.
template <wf::transport Transport>
void run_all(Transport& processes) {
  wf::deployment_settings settings, hospitals;
  support::value_or_exit(hospitals.kernels.add(
      wf::view<wf::kernel_spec>(wf::executable_kernels<federated_averaging::code>)));
  // All processes draw the same arguments.
  std::srand(1);
  const Eigen::MatrixXd x = Eigen::MatrixXd::Random(32, 2);
  const wf::named_matrices of_averaging = {{"w", Eigen::Vector3d::Zero()}},
                           of_training = {{"x", x},
                                          {"t", x.col(0).cwiseProduct(x.col(1))},
                                          {"W1", Eigen::MatrixXd::Random(2, 8)},
                                          {"b1", Eigen::MatrixXd::Zero(8, 1)},
                                          {"W2", Eigen::MatrixXd::Random(8, 1)}},
                           of_inference = {{"picture", Eigen::MatrixXd::Ones(32, 32)},
                                           {"W", Eigen::MatrixXd::Constant(64, 4, 0.25)}},
                           of_gossip = {{"measured", Eigen::MatrixXd::Random(4, 2)}};
  for (const wf::text_view network : {good_network, support::bad_network}) {
    run(processes, federated_averaging::averaging.graph(), of_averaging, hospitals, network);
    run(processes, parameter_server::training.graph(), of_training, settings, network);
    run(processes, two_stage_inference::inference.graph(), of_inference, settings, network);
    run(processes, gossip_average::gossip.graph(), of_gossip, settings, network);
  }
}

}  // namespace distributed
