// SPDX-License-Identifier: BSL-1.0
#pragma once

// A parameter server: the weights of a network with two layers live on a server, a worker computes
// gradients of batches, and the server descends.
#include <wf/capture/functions/wire.hpp>
#include <wf/wf.hpp>

namespace parameter_server {

// --8<-- [start:workflow]
inline constexpr int steps = 3;

inline constexpr auto training = wf::workflow<"training">([](wf::scope& s) {
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

}  // namespace parameter_server
