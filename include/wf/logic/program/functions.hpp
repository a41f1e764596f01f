// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <iterator>

#include <wf/registry/adjoint_text.hpp>
#include <wf/registry/domain/builtin.hpp>

// Functions that programs of rules have beside the built-in operators, as operators that are known
// by their elements or equations.
namespace wf::logic {

namespace functions {

namespace detail {

inline double sigmoid_element(const constant_operands& x) {
  if (x.node.find("T") == nullptr) return kernels::detail::formulas::step(x[0]);
  return kernels::detail::sigmoid_element(x);
}

inline double sigmoid_slope_element(const constant_operands& x) {
  const double t = x.node.real("T", 0);
  if (!(t > 1e-9)) return 0;
  const double y = kernels::detail::sigmoid_element(x);
  return y * (1 - y) / t;
}

constexpr text sigmoid_adjoint(const rule_input& in) {
  return text() << "dX = multiply(dY, sig_slope(X"
                << (in.find("T") != nullptr ? ", T = T))" : "))");
}

/// The scores Q K^T times `scale`, by default 1 over the root of their number of summands, as
/// probabilities of the keys. `guard` says which keys count.
constexpr text attention_text(const rule_input& in, text_view guard) {
  text out("A[...,q,k] = Q[...,q,d] K[...,k,d]; ");
  if (in.find("scale") != nullptr)
    out << "L[...,q,k] = scale copy(A[...,q,k])";
  else
    out << "N[...,q] += power(copy(Q[...,q,d]), 0); "
           "L[...,q,k] = copy(A[...,q,k]) / sqrt(N[...,q])";
  text counts(guard);
  if (in.integer("causal", 0) != 0) counts << " [k <= q]";
  return out << counts.view() << "; M[...,q] max= L[...,q,k]; E[...,q,k] = exp(L[...,q,k] - "
             << "M[...,q])" << counts.view()
             << "; S[...,q] += E[...,q,k]; O[...,q,h] = E[...,q,k] V[...,k,h] / S[...,q]";
}
constexpr text attention_definition(const rule_input& in) { return attention_text(in, ""); }
constexpr text masked_attention_definition(const rule_input& in) {
  return text() << "W[...,q,k] = copy(mask[...,q,k]); "
                << attention_text(in, " [W[...,q,k] != 0]").view();
}

}  // namespace detail

/// The logistic function 1 / (1 + exp(-x/T)) of a temperature T, 0 unless it is stated or
/// scheduled: then 1 where x is positive, else 0.
inline constexpr kernel_spec sig{
    .name = "sig",
    .domain = "logic",
    .signature = "X: floating [...], T: number = 0 -> Y[...]",
    .costs = {{"flops", "4*Y"}, {"operations", "X"}},
    .element = &detail::sigmoid_element,
    .write_adjoint = &detail::sigmoid_adjoint,
    .laws = {.elementwise = true},
    .summary = "the logistic function of a temperature, by default a threshold"};

/// The derivative of sig.
inline constexpr kernel_spec sig_slope{
    .name = "sig_slope",
    .domain = "logic",
    .signature = "X: floating [...], T: number = 0 -> Y[...]",
    .costs = {{"flops", "7*Y"}, {"operations", "X"}},
    .element = &detail::sigmoid_slope_element,
    .laws = {.elementwise = true},
    .summary = "the derivative of sig, 0 where it is a threshold"};

/// (x - mean) / √(variance + eps) along an axis.
inline constexpr kernel_spec lnorm{
    .name = "lnorm",
    .domain = "logic",
    .signature = "X: floating [..., N], eps: number = 0.00001 -> Y[..., N]",
    .costs = {{"flops", "5*Y"}, {"operations", "X"}},
    .definition =
        "D[...,n] = copy(X[...,n]); m[...] avg= D[...,n]; U[...,n] = D[...,n] - m[...]; "
        "V[...] avg= square(U[...,n]); Y[...,n] = U[...,n] / sqrt(V[...] + eps)",
    .summary = "the normalisation of an axis"};

/// The derivative of gelu in its tanh form.
inline constexpr kernel_spec gelu_grad{
    .name = "gelu_grad",
    .domain = "logic",
    .signature = "X: floating [...] -> Y[...]",
    .costs = {{"flops", "15*Y"}, {"operations", "X"}},
    .definition =
        "T[...] = tanh(0.7978845608028654 copy(X[...]) (1 + 0.044715 square(X[...]))); "
        "S[...] = copy(X[...]) (1 + 0.134145 square(X[...])); "
        "R[...] = 1 - square(T[...]); "
        "Y[...] = 0.5 (1 + copy(T[...])) + 0.3989422804014327 S[...] R[...]",
    .summary = "the derivative of gelu"};

/// The derivative of what is made of a softmax Y, from that in Y.
inline constexpr kernel_spec softmax_grad{
    .name = "softmax_grad",
    .domain = "logic",
    .signature = "Y: floating [..., N], G: floating [..., N] -> X[..., N]",
    .costs = {{"flops", "4*X"}, {"operations", "X"}},
    .definition =
        "P[...] += Y[...,n] G[...,n]; Q[...,n] = copy(G[...,n]) - P[...]; "
        "X[...,n] = copy(Y[...,n]) Q[...,n]",
    .summary = "the derivative of softmax"};

/// The attention of queries, keys and values: softmax(scale Q K^T) V. `scale` is 1/√D unless it is
/// stated; `causal` = 1 leaves out the keys behind their query.
inline constexpr kernel_spec attention{
    .name = "attention",
    .domain = "logic",
    .signature =
        "Q: floating [..., S, D], K: floating [..., T, D], V: floating [..., T, H] -> "
        "O[..., S, H]",
    .costs = {{"flops", "2*S*T*(D + H) + 6*S*T"}, {"operations", "S*T*(D + H)"}},
    .write_definition = &detail::attention_definition,
    .summary = "the attention of queries, keys and values"};

/// Likewise over the keys for which the mask of a query is true.
inline constexpr kernel_spec masked_attention{
    .name = "masked_attention",
    .domain = "logic",
    .signature =
        "Q: floating [..., S, D], K: floating [..., T, D], V: floating [..., T, H], "
        "mask: any [..., S, T] -> O[..., S, H]",
    .costs = {{"flops", "2*S*T*(D + H) + 6*S*T"}, {"operations", "S*T*(D + H)"}},
    .write_definition = &detail::masked_attention_definition,
    .summary = "the attention to keys that a mask lets count"};

/// A square matrix of `size` rows that is 1 on and below its diagonal, else 0.
inline constexpr kernel_spec lower_ones{
    .name = "lower_ones",
    .domain = "logic",
    .signature = "size: integer -> M: f64 [size, size]",
    .costs = {{"flops", "0"}, {"operations", "M"}},
    .definition = "axis i = size; axis j = size; M[i,j] = 1 [j <= i]",
    .summary = "ones on and below a diagonal"};

/// Every function.
inline constexpr const kernel_spec* all[] = {
    &sig,       &sig_slope,        &lnorm,     &gelu_grad, &softmax_grad,
    &attention, &masked_attention, &lower_ones};

}  // namespace functions

namespace detail {
inline constexpr auto domains_of_rules = [] {
  std::array<kernel_list, std::size(builtin_domains) + 1> all = {};
  for (std::size_t i = 0; i < std::size(builtin_domains); ++i) all[i] = builtin_domains[i];
  all.back() = functions::all;
  return all;
}();
inline constexpr kernel_catalogue<512> catalogue_of_rules({domains_of_rules.data(),
                                                           domains_of_rules.size()});
}  // namespace detail

/// The operators of programs of rules: the built-in ones and the functions of `functions`. O(1).
constexpr registry rule_registry() { return registry(detail::catalogue_of_rules); }

}  // namespace wf::logic
