// SPDX-License-Identifier: BSL-1.0
//
// A layer in single precision: stored, moved and computed as floats, in the memory that its price
// states.
#include <cmath>
#include <cstdio>

#include <wf/run/single_precision.hpp>
#include <wf/wf.hpp>

// --8<-- [start:workflow]
constexpr auto layer = wf::workflow<"layer">([](wf::scope& s) {
  auto x = s.input<"x", float, 200, 300>();
  auto w = s.input<"W", float, 300, 100>();
  auto b = s.input<"b", float, 100>();
  s.output<"y">(relu(x * w + b));
});
static_assert(wf::cost(layer)[wf::peak_memory] < 1300000);
// --8<-- [end:workflow]

int main() {
  const auto single = wf::executable_graph_f32::prepare(layer.graph());
  const auto twice = wf::executable_graph::prepare(layer.graph());
  if (!single || !twice) return 1;

  // --8<-- [start:run]
  const Eigen::MatrixXf x = Eigen::MatrixXf::Random(200, 300),
                        w = Eigen::MatrixXf::Random(300, 100);
  const Eigen::VectorXf b = Eigen::VectorXf::Random(100);
  Eigen::MatrixXf y(200, 100);
  const wf::input_matrix_f32 inputs[] = {x, w, b};
  const wf::output_matrix_f32 outputs[] = {y};
  if (!single->run(inputs, outputs)) return 1;
  // --8<-- [end:run]

  const Eigen::MatrixXf expected = ((x * w).rowwise() + b.transpose()).cwiseMax(0.0f);
  const float error = (y - expected).cwiseAbs().maxCoeff();
  std::printf("a workspace of floats: %zu bytes, of doubles: %zu\n", single->workspace_bytes(),
              twice->workspace_bytes());
  std::printf("as Eigen computes it: %s\n", error < 1e-4f ? "yes" : "no");
  return error < 1e-4f ? 0 : 1;
}
