// SPDX-License-Identifier: BSL-1.0
#pragma once

// Federated averaging: three hospitals fit one model to records that never leave them. A server
// sends the model, each hospital improves it on its own records, and the server averages.
#include <wf/capture/functions/wire.hpp>
#include <wf/run/opaque_function.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/wf.hpp>

namespace federated_averaging {

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
inline constexpr auto code =
    wf::implementations(records<"alice">, records<"bob">, records<"carol">);
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

inline constexpr auto averaging = wf::workflow<"averaging">([](wf::scope& s) {
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

}  // namespace federated_averaging
