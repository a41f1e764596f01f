// SPDX-License-Identifier: BSL-1.0
//
// Gossip: four stations in a ring measure something, and each averages with its two neighbours,
// again and again, until all know the mean; nobody sees all measurements.
#include "gossip_average.hpp"
#include "machines.hpp"

using gossip_average::gossip;

int main() {
  wf::deployment_settings settings;
  settings.per_hop_budget = 60'000'000'000;  // nanoseconds: a minute
  const wf::deployment d = support::value_or_exit(wf::deploy(gossip, settings));
  std::cout << d.parts().partitions.size() << " programs, " << d.parts().edges.size() << " wires\n";

  const Eigen::MatrixXd measured =
      (Eigen::MatrixXd(4, 2) << 19.5, 40, 21, 44, 23.5, 47, 20, 41).finished();
  const wf::named_matrices arguments = {{"measured", measured}};
  const auto run = support::machine_park(d, support::bad_network).run(d, arguments);
  support::print(run);
  const auto outputs = support::value_or_exit(wf::tensor_outputs(d, run));
  const bool same = support::same_bits(outputs, support::run_whole(gossip.graph(), arguments));
  std::cout << "as on one machine, to the bit: " << (same ? "yes" : "no") << '\n';
  for (const auto& [name, x] : outputs) std::cout << name << ": " << x << '\n';
  support::require(run.failures.empty() && run.run.broken.invariant == 0, "every message arrives");
  support::require(same && outputs.size() == 4, "all stations compute what one machine does");
  for (const auto& [name, x] : outputs)
    support::require((x - measured.colwise().mean()).norm() < 0.01, "every station has the mean");
}
