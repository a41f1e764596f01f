// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/static.hpp>

// GPT-2 small, the forward pass over one sequence. Source of the architecture: Radford, Wu, Child,
// Luan, Amodei, Sutskever, Language models are unsupervised multitask learners, 2019, section 2.3
// and table 2 (the 117M row, which has 124,439,808 parameters): layer normalisation before each
// sub-block and after the last, GELU, the token embedding reused for the logits.
namespace networks {

inline constexpr int gpt2_layers = 12, gpt2_width = 768, gpt2_heads = 12, gpt2_vocabulary = 50257,
                     gpt2_context = 1024;

// A parameter with a shape known while compiling; its name is a value, because loops compute it.
// Layer -1: the parameter belongs to no layer.
template <wf::extent... Extents>
constexpr auto parameter(wf::scope& s, int layer, const char* part, const char* suffix) {
  using shape = wf::dims<Extents.code...>;
  wf::text name;
  if (layer >= 0) name << 'h' << layer << '.';
  name << part << suffix;
  return wf::handle<wf::dtype::f32, shape>(&s, s.input<float>(name.view(), shape::value).id());
}

// An affine map of the last dimension, as a product and a sum.
template <int In, int Out, class X>
constexpr auto affine(wf::scope& s, const X& x, int layer, const char* part) {
  const auto w = parameter<In, Out>(s, layer, part, ".w");
  const auto b = parameter<Out>(s, layer, part, ".b");
  return s.let(matmul(x, w) + b);
}

template <class X>
constexpr auto normalised(wf::scope& s, const X& x, int layer, const char* part) {
  const auto gain = parameter<gpt2_width>(s, layer, part, ".g");
  const auto bias = parameter<gpt2_width>(s, layer, part, ".b");
  return s.let(layer_norm(x, gain, bias));
}

// [T, 768] -> [12, T, 64]
template <wf::extent T, class X>
constexpr auto heads(wf::scope& s, const X& x) {
  return s.let(wf::permute<1, 0, 2>(wf::reshape<T, gpt2_heads, gpt2_width / gpt2_heads>(x)));
}

// A transformer block on T tokens: attention and a two-layer network, each added to its operand.
template <wf::extent T, class X>
constexpr X gpt2_block(wf::scope& s, const X& x, int layer) {
  const auto h = normalised(s, x, layer, "ln_1");
  const auto projected = affine<gpt2_width, 3 * gpt2_width>(s, h, layer, "attn.c_attn");
  const auto [q, k, v] = s.let_each(wf::split<3, 1>(projected));
  const auto scores = s.let(matmul(heads<T>(s, q), trans(heads<T>(s, k))));
  const auto weights = s.let(wf::causal_softmax(scores, 0.125));  // 1 / √64
  const auto mixed = s.let(wf::permute<1, 0, 2>(matmul(weights, heads<T>(s, v))));
  const auto joined = s.let(wf::reshape<T, gpt2_width>(mixed));
  const auto attended = s.let(x + affine<gpt2_width, gpt2_width>(s, joined, layer, "attn.c_proj"));
  const auto wide = affine<gpt2_width, 4 * gpt2_width>(s, normalised(s, attended, layer, "ln_2"),
                                                       layer, "mlp.c_fc");
  const auto active = s.let(wf::gelu(wide));
  return s.let(attended + affine<4 * gpt2_width, gpt2_width>(s, active, layer, "mlp.c_proj"));
}

// The logits [T, 50257] of the next token after each of T tokens.
template <wf::extent T>
constexpr void gpt2(wf::scope& s) {
  const auto tokens = s.input<"tokens", std::int32_t, T>();
  const auto wte = s.input<"wte", float, gpt2_vocabulary, gpt2_width>();
  const auto wpe = s.input<"wpe", float, gpt2_context, gpt2_width>();
  const auto places = wf::call<wf::kernels::slice, wf::with("length", T)>(wpe);
  auto x = s.let(wf::embedding(wte, tokens) + places);
  for (int layer = 0; layer < gpt2_layers; ++layer) x = gpt2_block<T>(s, x, layer);
  s.output<"logits">(matmul(normalised(s, x, -1, "ln_f"), trans(wte)));
}

}  // namespace networks
