// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

namespace wf::kernels {

/// max(x, 0).
inline constexpr kernel_spec relu{.name = "relu",
                                  .domain = "nn",
                                  .signature = "X[...] -> Y[...]",
                                  .costs = {{"flops", "Y"}, {"operations", "X"}},
                                  .in_place = true,
                                  .summary = "the rectified linear unit, max(x, 0)"};

/// exp(x - max) / sum over the last dimension: a maximum, a subtraction, an exponential (one flop),
/// a sum and a division an element.
inline constexpr kernel_spec softmax{.name = "softmax",
                                     .domain = "nn",
                                     .signature = "X: floating [..., N] -> Y[..., N]",
                                     .costs = {{"flops", "5*Y"}, {"operations", "X"}},
                                     .in_place = true,
                                     .summary = "the softmax over the last dimension"};

/// The two-dimensional convolution (cross-correlation) of N images of C channels with F filters,
/// with attributes `stride` and `padding`: one multiply-add a filter element and output element.
inline constexpr kernel_spec conv2d{
    .name = "conv2d",
    .domain = "nn",
    .signature =
        "X[N, C, H, W], K[F, C, R, S] -> Y[N, F, (H + 2*padding - R)//stride + 1, "
        "(W + 2*padding - S)//stride + 1]",
    .costs = {{"flops", "2*Y*C*R*S"}, {"macs", "Y*C*R*S"}, {"operations", "Y*C*R*S"}},
    .summary = "the two-dimensional convolution"};

/// The largest element of each window, with attributes `window`, `stride` and `padding`.
inline constexpr kernel_spec max_pool2d{
    .name = "max_pool2d",
    .domain = "nn",
    .signature =
        "X[N, C, H, W] -> Y[N, C, (H + 2*padding - window)//stride + 1, "
        "(W + 2*padding - window)//stride + 1]",
    .costs = {{"flops", "Y*window**2"}, {"operations", "Y*window**2"}},
    .summary = "the maximum over square windows"};

/// The mean of each channel over the whole image.
inline constexpr kernel_spec global_average_pool{
    .name = "global_average_pool",
    .domain = "nn",
    .signature = "X: number [N, C, H, W] -> Y: number [N, C]",
    .costs = {{"flops", "X"}, {"operations", "X"}},
    .summary = "the mean of each channel"};

/// Every kernel of the domain.
inline constexpr kernel_spec nn_domain[] = {relu, softmax, conv2d, max_pool2d, global_average_pool};

}  // namespace wf::kernels
