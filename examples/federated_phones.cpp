// SPDX-License-Identifier: BSL-1.0
//
// Federated averaging over many machines of one class: twelve phones improve a model on records
// that never leave them; the host sends the model to all of them, collects what they make of it,
// and averages. The network loses a fifth of all messages.
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/wf.hpp>

#include "machines.hpp"

namespace {

constexpr int rounds = 4;

// --8<-- [start:workflow]
constexpr auto averaging = wf::workflow<"averaging">([](wf::scope& s) {
  auto w = s.input<"w", double, 3>();
  auto phones = s.input<"phones", wf::peer, 12>();
  auto model = s.let(w);
  for (int round = 0; round < rounds; ++round) {
    auto [given, host, request] = s.let_each(wf::send(model, phones));
    const auto arrived = s.let(given);
    const auto better = s.at("phones", [&] {
      auto [X, y] =
          s.let_each(wf::opaque<"records", "-> X: f64 [24, 3], y: f64 [24]", wf::effect::pure>());
      return arrived - 0.05 * (trans(X) * (X * arrived - y));
    });
    auto [answer, phone, reply] = s.let_each(wf::send(better, host));
    model = s.let(wf::mean<0>(wf::collect(answer, phones)));
  }
  s.output<"model">(model);
});
// --8<-- [end:workflow]

// The records of a phone: 24 days with 3 measurements and an outcome.
std::pair<Eigen::MatrixXd, Eigen::VectorXd> records_of(std::uint32_t phone) {
  std::srand(phone);
  const Eigen::MatrixXd X = Eigen::MatrixXd::Random(24, 3);
  return {X, X * Eigen::Vector3d(2, -1, 0.5) + 0.01 * Eigen::VectorXd::Random(24)};
}

// --8<-- [start:computing]
// Each phone has records of its own; everything else the executor computes.
struct with_records {
  wf::machine_kernels& computing;

  wf::error operator()(const wf::graph_view& g, wf::node_id id,
                       wf::view<const wf::machine_kernels::value*> operands,
                       wf::table<wf::machine_kernels::value>& results, std::uint32_t machine) {
    if (g.op_name(g[id]) != "::opaque::records")
      return computing(g, id, operands, results, machine);
    const auto [X, y] = records_of(machine);
    for (std::uint32_t k = 0; k < 2; ++k)
      results[k].datum = {g[wf::graph_view::output_of(g[id], k)].type,
                          std::make_shared<wf::dynamic_matrix>(k == 0 ? X : Eigen::MatrixXd(y)),
                          nullptr};
    return {};
  }
};
// --8<-- [end:computing]

}  // namespace

int main() {
  const wf::deployment d =
      support::value_or_exit(wf::deploy(averaging, {.per_hop_budget = 60'000'000'000}));
  const wf::named_matrices arguments = {{"w", Eigen::Vector3d::Zero()}};

  // --8<-- [start:run]
  const support::machine_park machines(d, support::bad_network, 12);
  wf::machine_kernels computing(d);
  with_records own{computing};
  const auto run = machines.run_by(own, d, arguments);
  support::print(run);
  // --8<-- [end:run]
  const auto outputs = support::value_or_exit(wf::tensor_outputs(d, run));
  const Eigen::VectorXd model = outputs.at("model");
  std::cout << "the model: " << model.transpose() << '\n';

  // The same by hand.
  Eigen::VectorXd expected = Eigen::Vector3d::Zero();
  for (int round = 0; round < rounds; ++round) {
    Eigen::VectorXd sum = Eigen::Vector3d::Zero();
    for (std::uint32_t phone = 1; phone <= 12; ++phone) {
      const auto [X, y] = records_of(phone);
      sum += expected - 0.05 * (X.transpose() * (X * expected - y));
    }
    expected = sum / 12;
  }
  support::require(run.failures.empty() && run.run.broken.invariant == 0, "every message arrives");
  support::require((model - expected).norm() < 1e-12, "the model is that of a loop by hand");
}
