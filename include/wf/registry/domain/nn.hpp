// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/constant_rule.hpp>
#include <wf/registry/domain/nn_adjoints.hpp>
#include <wf/registry/domain/nn_definitions.hpp>
#include <wf/registry/domain/window_adjoints.hpp>
#include <wf/registry/scratch.hpp>
#include <wf/registry/shape_rule.hpp>

namespace wf::kernels {

/// max(x, 0), elementwise.
inline constexpr kernel_spec relu{
    .name = "relu",
    .domain = "nn",
    .signature = "X: ordered [...] -> Y[...]",
    .costs = {{"flops", "Y"}, {"operations", "X"}},
    .in_place = true,
    .constant = &detail::rectified,
    .element = &detail::relu_element,
    .elements = &wf::detail::elements_of<&detail::relu_element>,
    .adjoint = "dX = multiply(step(X), dY)",
    .laws = {.idempotent = true, .never_rounds = true, .elementwise = true, .monotone = true},
    .summary = "the rectified linear unit, max(x, 0)"};

/// The Gaussian error linear unit in its tanh form, 0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³))):
/// nine flops. Source: Hendrycks, Gimpel, Gaussian error linear units, arXiv:1606.08415, section 2.
inline constexpr kernel_spec gelu{
    .name = "gelu",
    .domain = "nn",
    .signature = "X: floating [...] -> Y[...]",
    .costs = {{"flops", "9*Y"}, {"operations", "X"}},
    .in_place = true,
    .element =
        [](const constant_operands& x) {
          return detail::formulas::gaussian_unit<detail::formulas::c_library>(x[0]);
        },
    .adjoint =
        "T = tanh(0.7978845608028654 multiply(X, 1 + 0.044715 square(X))); "
        "S = multiply(X, 1 + 0.134145 square(X)); "
        "dX = multiply(dY, 0.5 (1 + T) + 0.3989422804014327 multiply(S, 1 - square(T)))",
    .laws = {.elementwise = true},
    .summary = "the Gaussian error linear unit, tanh form"};

/// x / (1 + exp(-x)): a logistic function and a product.
inline constexpr kernel_spec silu{
    .name = "silu",
    .domain = "nn",
    .signature = "X: floating [...] -> Y[...]",
    .costs = {{"flops", "5*Y"}, {"operations", "X"}},
    .in_place = true,
    .element =
        [](const constant_operands& x) {
          return detail::formulas::sigmoid_unit<detail::formulas::c_library>(x[0]);
        },
    .adjoint = "S = sigmoid(X); dX = multiply(dY, S + multiply(Y, 1 - S))",
    .laws = {.elementwise = true},
    .summary = "the sigmoid linear unit, x sigmoid(x)"};

/// exp(x - max) / sum over the last dimension. Per element a maximum, a subtraction, an exponential
/// (one flop), a sum and a division.
inline constexpr kernel_spec softmax{
    .name = "softmax",
    .domain = "nn",
    .meaning = meaning::probability,
    .signature = "X: floating [..., N] -> Y[..., N]",
    .costs = {{"flops", "5*Y"}, {"operations", "X"}, {"summands", "Y*N"}},
    .in_place = true,
    .write_adjoint = &detail::softmax_adjoint,
    .definition = detail::softmax_definition,
    .cuts = "*-",
    .summary = "the softmax over the last dimension"};

/// The softmax of attention scores times the attribute `scale`, over keys not in the future of
/// their query: with S queries and T keys, query i sees the first T - S + i + 1 keys. Rows are
/// counted in full, as accelerators compute them: a product, then a softmax.
inline constexpr kernel_spec causal_softmax{
    .name = "causal_softmax",
    .domain = "nn",
    .meaning = meaning::probability,
    .signature = "X: floating [..., S, T] -> Y[..., S, T]",
    .costs = {{"flops", "6*Y"}, {"operations", "X"}, {"summands", "Y*T"}},
    .in_place = true,
    .write_adjoint = &detail::softmax_adjoint,
    .cuts = "*--",
    .summary = "the scaled softmax over keys that are not in the future"};

/// The softmax of scores times the attribute `scale` (default 1) over the elements whose mask is
/// true. The others enter as the attribute `fill`, and as nothing without it: their result is zero.
/// A row without a true element is zero. Rows are counted in full: a product, then a softmax.
inline constexpr kernel_spec masked_softmax{
    .name = "masked_softmax",
    .domain = "nn",
    .meaning = meaning::probability,
    .signature = "X: floating [..., N], mask: bool [..., N] -> Y[..., N]",
    .costs = {{"flops", "6*Y"}, {"operations", "X + mask"}, {"summands", "Y*N"}},
    .in_place = true,
    .write_adjoint = &detail::softmax_adjoint,
    .write_definition = &detail::masked_softmax_definition,
    .cuts = "*-",
    .summary = "the scaled softmax over elements whose mask is true"};

namespace detail {
constexpr result<shape> causal_shape(const rule_input& in) {
  const auto target = stated_shape(in);
  if (target && (*target).rank < 2)
    return wrong_attribute("shape", "a causal mask has at least two dimensions");
  return target;
}
}  // namespace detail

/// True for the keys that each query sees in `causal_softmax`: of S queries and T keys, query i
/// sees the first T - S + i + 1. The shape [..., S, T] is in the extent attributes d0, d1, ...
inline constexpr kernel_spec causal_mask{.name = "causal_mask",
                                         .domain = "nn",
                                         .signature = "-> M: bool [...]",
                                         .costs = {{"flops", "0"}, {"operations", "0"}},
                                         .result_shape = &detail::causal_shape,
                                         .summary = "true for keys that are not in the future"};

/// (x - mean) / √(variance + ε) · gain + bias over the last dimension. Flops of a row of N: N for
/// sum and division, N for centring, N for squares, N for sum and division, 3 for ε, root and
/// reciprocal, 3·N for scaling, gain and shift. Source: Ba, Kiros, Hinton, Layer normalization,
/// arXiv:1607.06450.
inline constexpr kernel_spec layer_norm{
    .name = "layer_norm",
    .domain = "nn",
    .signature = "X: floating [..., N], gain: floating [N], bias: floating [N] -> Y[..., N]",
    .costs = {{"flops", "7*Y + 3*Y/N"}, {"operations", "X"}, {"summands", "Y*N"}},
    .in_place = true,
    .write_adjoint = &detail::layer_norm_adjoint,
    .write_definition = &detail::layer_norm_definition,
    .cuts = "*-",
    .summary = "the normalisation of the last dimension, with gain and bias"};

/// x / √(mean of x² + ε) · gain over the last dimension. Flops of a row of N: N for squares, N for
/// sum and division, 3 for ε, root and reciprocal, 2·N for scaling and gain. Source: Zhang,
/// Sennrich, Root mean square layer normalization, arXiv:1910.07467.
inline constexpr kernel_spec rms_norm{
    .name = "rms_norm",
    .domain = "nn",
    .signature = "X: floating [..., N], gain: floating [N] -> Y[..., N]",
    .costs = {{"flops", "4*Y + 3*Y/N"}, {"operations", "X"}, {"summands", "Y*N"}},
    .in_place = true,
    .write_adjoint = &detail::rms_norm_adjoint,
    .write_definition = &detail::rms_norm_definition,
    .cuts = "*-",
    .summary = "the division of the last dimension by its root mean square, with gain"};

/// Normalisation of channels by stored statistics, as in inference: per channel a = gain /
/// √(variance + ε) and b = bias - mean·a (five flops), per element a·x + b. Source: Ioffe, Szegedy,
/// Batch normalization, arXiv:1502.03167, algorithm 2.
inline constexpr kernel_spec batch_norm{
    .name = "batch_norm",
    .domain = "nn",
    .signature =
        "X: floating [N, C, H, W], mean: floating [C], variance: floating [C], "
        "gain: floating [C], bias: floating [C] -> Y[N, C, H, W]",
    .costs = {{"flops", "2*Y + 5*C"}, {"operations", "X"}},
    .in_place = true,
    .write_adjoint = &detail::batch_norm_adjoint,
    .cuts = "cccc",
    .summary = "the normalisation of channels by stored statistics"};

/// x·W + b: a matrix product and an addition.
inline constexpr kernel_spec linear{
    .name = "linear",
    .domain = "nn",
    .signature = "X: number [..., K], W: number [K, N], b: number [N] -> Y[..., N]",
    .costs = {{"flops", "2*Y*K + Y"},
              {"flops(complex)", "8*Y*K + 2*Y"},
              {"macs", "Y*K"},
              {"operations", "Y*K + Y"},
              detail::linear_scratch},
    .write_adjoint = &detail::linear_adjoint,
    .definition = "Y[...,n] = X[...,k] W[k,n] + copy(b[n])",
    .cuts = "*c",
    .fusion = fusion_role::contraction,
    .summary = "an affine map of the last dimension"};

/// The two-dimensional convolution (cross-correlation) of N images of C channels with F filters,
/// with attributes `stride` and `padding`: one multiply-add per filter element and output element.
inline constexpr kernel_spec conv2d{
    .name = "conv2d",
    .domain = "nn",
    .signature =
        "X: number [N, C, H, W], K: number [F, C, R, S], stride: integer = 1, padding: integer = 0 "
        "-> Y[N, F, "
        "(H + 2*padding - R)//stride + 1, (W + 2*padding - S)//stride + 1]",
    .costs = {{"flops", "2*Y*C*R*S"},
              {"flops(complex)", "8*Y*C*R*S"},
              {"macs", "Y*C*R*S"},
              {"operations", "Y*C*R*S"},
              detail::conv2d_scratch,
              {"scratch(complex)",
               "16*C*R*S*((H + 2*padding - R)//stride + 1)*((W + 2*padding - S)//stride + 1)"}},
    .write_adjoint = &detail::conv2d_adjoint,
    .cuts = "ccww",
    .laws = {.linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "the two-dimensional convolution"};

/// Convolution of each channel with its own filter, with attributes `stride` and `padding`.
inline constexpr kernel_spec depthwise_conv2d{
    .name = "depthwise_conv2d",
    .domain = "nn",
    .signature =
        "X: number [N, C, H, W], K: number [C, R, S], stride: integer = 1, padding: integer = 0 -> "
        "Y[N, C, "
        "(H + 2*padding - R)//stride + 1, (W + 2*padding - S)//stride + 1]",
    .costs = {{"flops", "2*Y*R*S"},
              {"flops(complex)", "8*Y*R*S"},
              {"macs", "Y*R*S"},
              {"operations", "Y*R*S"},
              detail::filter_scratch},
    .write_adjoint = &detail::depthwise_adjoint,
    .cuts = "ccww",
    .laws = {.linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "the convolution of each channel with a filter of its own"};

/// The largest element of each window, with attributes `window`, `stride` and `padding`.
inline constexpr kernel_spec max_pool2d{
    .name = "max_pool2d",
    .domain = "nn",
    .signature =
        "X: ordered [N, C, H, W], window: integer, stride: integer = 1, padding: integer = 0 -> "
        "Y[N, C, (H + 2*padding - window)//stride + 1, "
        "(W + 2*padding - window)//stride + 1]",
    .costs = {{"flops", "Y*window**2"}, {"operations", "Y*window**2"}},
    .write_adjoint = &detail::window_maximum_adjoint,
    .cuts = "ccww",
    .laws = {.monotone = true},
    .summary = "the maximum over square windows"};

/// The mean of each window, zeros of the padding included, with attributes `window`, `stride` and
/// `padding`.
inline constexpr kernel_spec average_pool2d{
    .name = "average_pool2d",
    .domain = "nn",
    .signature =
        "X: number [N, C, H, W], window: integer, stride: integer = 1, padding: integer = 0 -> "
        "Y[N, C, (H + 2*padding - window)//stride + 1, "
        "(W + 2*padding - window)//stride + 1]",
    .costs = {{"flops", "Y*window**2"},
              {"flops(complex)", "Y*(2*window**2 + 4)"},
              {"operations", "Y*window**2"},
              detail::pool_scratch},
    .write_adjoint = &detail::window_mean_adjoint,
    .cuts = "ccww",
    .laws = {.linear = true, .monotone = true},
    .summary = "the mean over square windows"};

/// The mean of each channel over the whole image.
inline constexpr kernel_spec global_average_pool{
    .name = "global_average_pool",
    .domain = "nn",
    .signature = "X: number [N, C, H, W] -> Y: number [N, C]",
    .costs = {{"flops", "X"},
              {"flops(complex)", "2*X + 4*Y"},
              {"operations", "X"},
              detail::pool_scratch,
              {"summands", "X"}},
    .write_adjoint = &detail::channel_mean_adjoint,
    .cuts = "cc",
    .laws = {.linear = true, .monotone = true},
    .summary = "the mean of each channel"};

/// The rows of a table at the given indices; only those are read.
inline constexpr kernel_spec embedding{
    .name = "embedding",
    .domain = "nn",
    .signature = "W: number [V, D], ids: integer [...] -> Y: number [..., D]",
    .costs = {{"flops", "0"},
              {"operations", "Y"},
              {"bytes_read", "Y.bytes + ids.bytes"},
              {"bytes", "2*Y.bytes + ids.bytes"}},
    .write_adjoint = &detail::embedding_adjoint,
    .cuts = "*c",
    .laws = {.linear = true},
    .summary = "the rows of a table that indices name"};

/// The mean over all rows of the cross entropy between logits over V classes and the target
/// classes. A row takes V - 1 comparisons, V subtractions, V exponentials, V - 1 additions, a
/// logarithm and a subtraction; then rows are summed and divided.
inline constexpr kernel_spec cross_entropy{
    .name = "cross_entropy",
    .domain = "nn",
    .signature = "X: floating [..., V], ids: integer [...] -> L: floating []",
    .costs = {{"flops", "4*X + ids"}, {"operations", "X"}},
    .write_adjoint = &detail::cross_entropy_adjoint,
    .summary = "the mean cross entropy of logits with the right classes"};

/// Every kernel of the domain.
inline constexpr const kernel_spec* nn_domain[] = {&relu,
                                                   &gelu,
                                                   &silu,
                                                   &softmax,
                                                   &causal_softmax,
                                                   &masked_softmax,
                                                   &causal_mask,
                                                   &layer_norm,
                                                   &rms_norm,
                                                   &batch_norm,
                                                   &linear,
                                                   &conv2d,
                                                   &depthwise_conv2d,
                                                   &max_pool2d,
                                                   &average_pool2d,
                                                   &global_average_pool,
                                                   &embedding,
                                                   &cross_entropy};

}  // namespace wf::kernels
