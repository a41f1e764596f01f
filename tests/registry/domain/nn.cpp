// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/nn.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>

#include "../one_node.hpp"

namespace {

using one_node::priced;
using wf::shape;

}  // namespace

TEST_CASE("a convolution by counting its loops") {
  for (std::int64_t stride = 1; stride < 4; ++stride)
    for (std::int64_t padding = 0; padding < 3; ++padding) {
      const std::int64_t height = 9, width = 7, r = 3, s = 2;
      std::int64_t outputs = 0;  // window positions inside of the padded image
      for (std::int64_t h = 0; h + r <= height + 2 * padding; h += stride)
        for (std::int64_t w = 0; w + s <= width + 2 * padding; w += stride) ++outputs;
      const std::vector<wf::attribute_value> attributes{
          wf::attribute_value::integer("stride", stride),
          wf::attribute_value::integer("padding", padding)};
      CHECK(priced(wf::kernels::conv2d, wf::macs,
                   {shape::of(2, 4, height, width), shape::of(5, 4, r, s)},
                   attributes) == 2 * 5 * outputs * 4 * r * s);
    }
}

TEST_CASE("poolings and activations") {
  const std::vector<wf::attribute_value> pool{wf::attribute_value::integer("window", 3),
                                              wf::attribute_value::integer("stride", 2),
                                              wf::attribute_value::integer("padding", 1)};
  CHECK(priced(wf::kernels::max_pool2d, wf::operations, {shape::of(1, 64, 112, 112)}, pool) ==
        64 * 56 * 56 * 9);
  CHECK(priced(wf::kernels::global_average_pool, wf::operations, {shape::of(1, 8, 7, 7)}) == 392);
  CHECK(priced(wf::kernels::relu, wf::flops, {shape::of(4, 5)}) == 20);
  CHECK(priced(wf::kernels::softmax, wf::flops, {shape::of(4, 5)}) == 100);
}

TEST_CASE("row 3: wrong operands of neural operators") {
  using one_node::f64, one_node::of, one_node::failure, one_node::integer;
  using namespace wf::kernels;
  const auto shape_error = wf::errc::shape_mismatch;
  const auto i64 = [](auto... e) { return of(wf::dtype::i64, e...); };
  CHECK(failure(layer_norm, {f64(4, 5), f64(4), f64(5)}) == shape_error);
  CHECK(failure(rms_norm, {f64(4, 5), f64(4)}) == shape_error);
  CHECK(failure(batch_norm, {f64(1, 3, 4, 4), f64(3), f64(3), f64(3), f64(4)}) == shape_error);
  CHECK(failure(linear, {f64(4, 5), f64(5, 3), f64(5)}) == shape_error);
  CHECK(failure(embedding, {f64(10, 4), f64(3)}) == wf::errc::dtype_mismatch);
  CHECK(failure(cross_entropy, {f64(3, 8), i64(4)}) == shape_error);
  CHECK(failure(causal_softmax, {f64(4)}) == shape_error);
  CHECK(failure(masked_softmax, {f64(2, 4), of(wf::dtype::boolean, 3)}) == shape_error);
  CHECK(failure(masked_softmax, {f64(2, 4), f64(4)}) == wf::errc::dtype_mismatch);
  CHECK(failure(causal_mask, {}, {wf::attribute_value::dimension("d0", 4)}) != wf::errc::none);
  const one_node::attributes plain{integer("stride", 1), integer("padding", 0)};
  CHECK(failure(conv2d, {f64(1, 3, 8, 8), f64(4, 2, 3, 3)}, plain) == shape_error);
  CHECK(failure(depthwise_conv2d, {f64(1, 3, 8, 8), f64(2, 3, 3)}, plain) == shape_error);
  CHECK(failure(average_pool2d, {f64(1, 3, 1, 1)},
                {integer("window", 3), integer("stride", 1), integer("padding", 0)}) ==
        shape_error);
  for (const auto* k : {&gelu, &silu, &softmax})
    CHECK(failure(*k, {i64(4)}) == wf::errc::dtype_mismatch);
}
