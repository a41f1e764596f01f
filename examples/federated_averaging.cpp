// SPDX-License-Identifier: BSL-1.0
//
// Federated averaging: three hospitals fit one model to records that never leave them. A server
// sends the model, each hospital improves it on its own records, and the server averages. One
// workflow becomes a program for each, which run on machines of a bad network.
#include "federated_averaging.hpp"
#include "machines.hpp"

using federated_averaging::averaging, federated_averaging::code;

int main() {
  // --8<-- [start:operators]
  wf::deployment_settings settings;
  support::value_or_exit(
      settings.kernels.add(wf::view<wf::kernel_spec>(wf::executable_kernels<code>)));
  wf::execution_options operators;
  operators.kernels = &settings.kernels;
  // --8<-- [end:operators]

  // --8<-- [start:deploy]
  settings.per_hop_budget = 60'000'000'000;  // nanoseconds: a minute
  const wf::deployment d = support::value_or_exit(wf::deploy(averaging, settings));
  for (const wf::partition& p : d.parts().partitions)
    std::cout << p.role << ": " << p.workflow.view().nodes.size() << " nodes\n";
  // --8<-- [end:deploy]

  // --8<-- [start:run]
  const wf::named_matrices arguments = {{"w", Eigen::Vector3d::Zero()}};
  const auto run = support::machine_park(d, support::bad_network).run(d, arguments, operators);
  support::print(run);
  const auto outputs = support::value_or_exit(wf::tensor_outputs(d, run));
  const auto whole = support::run_whole(averaging.graph(), arguments, operators);
  const bool same = support::same_bits(outputs, whole);
  std::cout << "as on one machine, to the bit: " << (same ? "yes" : "no") << '\n';
  // --8<-- [end:run]
  support::require(run.failures.empty() && run.run.broken.invariant == 0, "every message arrives");
  support::require(same, "the model is that of one machine");
  const Eigen::VectorXd model = outputs.at("model");
  std::cout << "the model: " << model.transpose() << '\n';
  support::require((model - Eigen::Vector3d(2, -1, 0.5)).norm() < 0.05, "the model is found");
}
