// SPDX-License-Identifier: BSL-1.0
//
// Federated averaging: three hospitals fit one model to records that never leave them. A server
// sends the model, each hospital improves it on its own records, and the server averages. One
// workflow becomes a program for each, which run on machines of a bad network.
#include <wf/capture/functions/wire.hpp>
#include <wf/run/opaque_function.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/wf.hpp>

#include "machines.hpp"

namespace {

// --8<-- [start:records]
// Records of a hospital: 24 patients with 3 measurements and an outcome. They are where the
// function runs; here they are drawn.
template <wf::fixed_string Hospital>
constexpr auto records =
    wf::opaque_function<Hospital, "-> X: f64 [24, 3], y: f64 [24]",
                        wf::with("seed", Hospital.view()[0]), wf::effect::pure>(
        [](auto& X, auto& y, const wf::node_context& c) {
          auto state = static_cast<std::uint64_t>(c.integer("seed"));
          const auto draw = [&] {
            state = state * 6364136223846793005u + 1442695040888963407u;
            return static_cast<double>(state >> 40) / (1 << 23) - 1;
          };
          for (Eigen::Index i = 0; i < 24; ++i) {
            for (Eigen::Index j = 0; j < 3; ++j) X(i, j) = draw();
            y(i) = 2 * X(i, 0) - X(i, 1) + 0.5 * X(i, 2) + 0.01 * draw();
          }
        });
constexpr auto code = wf::implementations(records<"alice">, records<"bob">, records<"carol">);
// --8<-- [end:records]

// --8<-- [start:workflow]
// A hospital gets the model, takes a few steps along the gradient of its own records, and answers
// whoever sent it.
template <wf::fixed_string Hospital>
constexpr auto ask(wf::scope& s, auto model, auto hospital) {
  auto [given, sender, request] = s.let_each(wf::send(model, hospital));
  const auto arrived = s.let(given);
  const auto better = s.at(Hospital.view(), [&] {
    auto [X, y] = s.let_each(records<Hospital>());
    auto w = arrived;
    for (int step = 0; step < 5; ++step) w = s.let(w - 0.05 * (trans(X) * (X * w - y)));
    return w;
  });
  auto [reply, from, number] = s.let_each(wf::send(better, sender));
  return s.let(reply);
}

constexpr auto averaging = wf::workflow<"averaging">([](wf::scope& s) {
  auto w = s.input<"w", double, 3>();
  auto server = s.input<"server", wf::peer, 1>();
  auto alice = s.input<"alice", wf::peer, 1>();
  auto bob = s.input<"bob", wf::peer, 1>();
  auto carol = s.input<"carol", wf::peer, 1>();
  auto [first, host, request] = s.let_each(wf::send(w, server));
  auto model = s.let(first);
  for (int round = 0; round < 4; ++round) {
    auto a = ask<"alice">(s, model, alice);
    auto b = ask<"bob">(s, model, bob);
    auto c = ask<"carol">(s, model, carol);
    model = s.let((a + b + c) * (1.0 / 3));
  }
  auto [result, from, number] = s.let_each(wf::send(model, host));
  s.output<"model">(result);
});
// --8<-- [end:workflow]

}  // namespace

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
