// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/static.hpp>

// ResNet-50 for inference on 8-bit integers, with batch normalisation and rectifiers folded into
// the convolutions, as accelerators run it. Source of the architecture: He, Zhang, Ren, Sun, Deep
// Residual Learning for Image Recognition, CVPR 2016, table 1 (the 50-layer column); the first 1x1
// convolution of a stage's first block has the stride, as in the original.
namespace networks {

using tensor = wf::dynamic_handle<signed char>;

// Declares a filter bank and convolves with it: one operator of the network.
constexpr tensor convolve(wf::scope& s, tensor x, std::int64_t channels, std::int64_t filters,
                          std::int64_t window, std::int64_t stride, wf::text_view name) {
  const auto weights = s.input<signed char>((wf::text() << name << ".weights").view(),
                                            wf::shape::of(filters, channels, window, window));
  return s.let(name, conv2d(x, weights, {.stride = stride, .padding = window / 2}));
}

// A bottleneck block: 1x1, 3x3, 1x1, and the sum with the identity or a projection.
constexpr tensor bottleneck(wf::scope& s, tensor x, std::int64_t channels, std::int64_t width,
                            std::int64_t stride, bool project, wf::text_view name) {
  const auto part = [&](const char* suffix) { return wf::text() << name << suffix; };
  tensor y = convolve(s, x, channels, width, 1, stride, part("_a").view());
  y = convolve(s, y, width, width, 3, 1, part("_b").view());
  y = convolve(s, y, width, 4 * width, 1, 1, part("_c").view());
  if (project) x = convolve(s, x, channels, 4 * width, 1, stride, part("_br").view());
  return s.let(part("_res").view(), y + x);
}

constexpr void resnet50(wf::scope& s) {
  tensor x = s.input<signed char>("image", wf::shape::of(1, 3, 224, 224));
  x = convolve(s, x, 3, 64, 7, 2, "conv1");
  x = s.let("pool1", max_pool2d(x, {.window = 3, .stride = 2, .padding = 1}));
  const int blocks[] = {3, 4, 6, 3};
  std::int64_t channels = 64;
  for (int stage = 0; stage < 4; ++stage) {
    const std::int64_t width = std::int64_t{64} << stage;
    for (int block = 0; block < blocks[stage]; ++block) {
      const wf::text name = wf::text() << "conv_" << stage + 2 << '_' << block;
      const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      x = bottleneck(s, x, channels, width, stride, block == 0, name.view());
      channels = 4 * width;
    }
  }
  tensor features = s.let("pool5", global_average_pool(x));
  const auto weights = s.input<signed char>("fc.weights", wf::shape::of(2048, 1000));
  s.output("logits", s.let("fc", matmul(features, tensor(weights))));
}

}  // namespace networks
