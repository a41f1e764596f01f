// SPDX-License-Identifier: BSL-1.0
#pragma once

// Inference in two stages: a camera's machine at the edge prepares the picture, and a model in the
// cloud classifies it.
#include <wf/capture/functions/wire.hpp>
#include <wf/wf.hpp>

namespace two_stage_inference {

// --8<-- [start:workflow]
inline constexpr auto inference = wf::workflow<"inference">([](wf::scope& s) {
  auto picture = s.input<"picture", float, 32, 32>();
  auto W = s.input<"W", float, 64, 4>();
  auto edge = s.input<"edge", wf::peer, 1>();
  auto cloud = s.input<"cloud", wf::peer, 1>();
  auto [weights, owner, w] = s.let_each(wf::send(W, cloud));
  auto model = s.let(weights);
  // At the edge: the mean of each 4x4 block, and then the logarithm.
  auto [taken, host, request] = s.let_each(wf::send(picture, edge));
  auto columns = s.let(wf::mean<3>(wf::reshape<8, 4, 8, 4>(taken)));
  auto small = s.let(log(wf::mean<1>(columns) + 1.0f));
  // In the cloud: a layer and the probabilities of four classes.
  auto [features, camera, q] = s.let_each(wf::send(wf::reshape<1, 64>(small), cloud));
  auto chances = s.let(wf::softmax(features * model));
  // The answer goes to the host, which the cloud knows by what it has sent.
  auto [answer, from, a] = s.let_each(wf::send(chances, owner));
  s.output<"chances">(answer);
});
// --8<-- [end:workflow]

}  // namespace two_stage_inference
