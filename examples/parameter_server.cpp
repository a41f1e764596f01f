// SPDX-License-Identifier: BSL-1.0
//
// A parameter server: the weights of a network with two layers live on a server, a worker computes
// gradients of batches, and the server descends. The run is drawn: the cut of the workflow, and the
// messages of a run in which some get lost.
#include <wf/report/partition/cut_svg.hpp>
#include <wf/report/partition/sequence_svg.hpp>

#include "machines.hpp"
#include "parameter_server.hpp"

using parameter_server::steps, parameter_server::training;

namespace {

double loss(const wf::named_matrices& in, const Eigen::MatrixXd& W1, const Eigen::MatrixXd& b1,
            const Eigen::MatrixXd& W2) {
  const Eigen::MatrixXd z = (in.at("x") * W1).rowwise() + b1.col(0).transpose();
  return (z.array().tanh().matrix() * W2 - in.at("t")).squaredNorm() / 32;
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  wf::deployment_settings settings;
  settings.per_hop_budget = 60'000'000'000;  // nanoseconds: a minute
  const wf::deployment d = support::value_or_exit(wf::deploy(training, settings));
  // --8<-- [start:traffic]
  for (const wf::partition& p : d.parts().partitions)
    std::cout << p.role << " gets "
              << support::value_or_exit(wf::wire_messages(d.parts(), p.role.view()))
              << " messages with "
              << support::value_or_exit(wf::wire_bytes(d.parts(), p.role.view())) << " bytes\n";
  // --8<-- [end:traffic]

  std::srand(1);
  wf::named_matrices arguments = {{"x", Eigen::MatrixXd::Random(32, 2)},
                                  {"W1", Eigen::MatrixXd::Random(2, 8)},
                                  {"b1", Eigen::MatrixXd::Zero(8, 1)},
                                  {"W2", Eigen::MatrixXd::Random(8, 1)}};
  arguments["t"] = arguments["x"].col(0).cwiseProduct(arguments["x"].col(1));

  // --8<-- [start:run]
  const support::machine_park machines(d, support::bad_network);
  wf::machine_run_options options;
  options.keep_records = true;
  const auto run = machines.run(d, arguments, {}, options);
  support::print(run);
  // --8<-- [end:run]
  const auto outputs = support::value_or_exit(wf::tensor_outputs(d, run));
  const bool same = support::same_bits(outputs, support::run_whole(training, arguments));
  std::cout << "as on one machine, to the bit: " << (same ? "yes" : "no") << '\n';
  support::require(run.failures.empty() && run.run.broken.invariant == 0, "every message arrives");
  support::require(same, "the weights are those of one machine");

  const double before = loss(arguments, arguments["W1"], arguments["b1"], arguments["W2"]);
  const double after =
      loss(arguments, outputs.at("W1_trained"), outputs.at("b1_trained"), outputs.at("W2_trained"));
  std::cout << "mean squared error: " << before << ", after " << steps << " steps " << after
            << '\n';
  support::require(after < before, "the network learns");

  // --8<-- [start:pictures]
  support::write(folder / "parameter_server_cut.svg", wf::cut_svg(d).view());
  wf::sequence_svg_options pictured;
  pictured.wires = wf::wire_labels(d.parts());
  pictured.answers = false;
  support::write(folder / "parameter_server_messages.svg",
                 wf::sequence_svg(run.records, machines.script.peers, pictured).view());
  // --8<-- [end:pictures]
}
