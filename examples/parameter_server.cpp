// SPDX-License-Identifier: BSL-1.0
//
// A parameter server: the weights of a network with two layers live on a server, a worker computes
// gradients of batches, and the server descends. The run is drawn: the cut of the workflow, and the
// messages of a run in which some get lost.
#include <wf/capture/functions/wire.hpp>
#include <wf/report/partition/cut_svg.hpp>
#include <wf/report/partition/sequence_svg.hpp>
#include <wf/wf.hpp>

#include "machines.hpp"

namespace {

// --8<-- [start:workflow]
constexpr int steps = 3;

constexpr auto training = wf::workflow<"training">([](wf::scope& s) {
  auto servers = s.input<"servers", wf::peer, 1>();
  auto workers = s.input<"workers", wf::peer, 1>();
  const auto sent = [&](const auto& x, const auto& to) {
    auto [there, from, request] = s.let_each(wf::send(x, to));
    return s.let(there);
  };
  // The batches go to the worker, the first weights to the server, which learns who the host is.
  auto x = sent(s.input<"x", double, 32, 2>(), workers);
  auto t = sent(s.input<"t", double, 32, 1>(), workers);
  auto [first, host, request] = s.let_each(wf::send(s.input<"W1", double, 2, 8>(), servers));
  auto W1 = s.let(first);
  auto b1 = sent(s.input<"b1", double, 8>(), servers);
  auto W2 = sent(s.input<"W2", double, 8, 1>(), servers);
  for (int step = 0; step < steps; ++step) {
    auto [V1, server, number] = s.let_each(wf::send(W1, workers));
    auto c1 = sent(b1, workers);
    auto V2 = sent(W2, workers);
    // On the worker, where the operands are: forwards, and back.
    auto h = s.let(tanh(x * V1 + c1));
    auto error = s.let((h * V2 - t) * (2.0 / 32));
    auto back = s.let(hadamard(error * trans(V2), 1.0 - hadamard(h, h)));
    auto g1 = sent(trans(x) * back, server);
    auto gb = sent(wf::sum<0>(back), server);
    auto g2 = sent(trans(h) * error, server);
    // On the server, where the gradients arrive.
    W1 = s.at("servers", W1 - 0.1 * g1);
    b1 = s.at("servers", b1 - 0.1 * gb);
    W2 = s.at("servers", W2 - 0.1 * g2);
  }
  s.output<"W1_trained">(sent(W1, host));
  s.output<"b1_trained">(sent(b1, host));
  s.output<"W2_trained">(sent(W2, host));
});
// --8<-- [end:workflow]

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
