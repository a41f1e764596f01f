// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/adjoint_text.hpp>

// Definitions of operators on rows that depend on attributes. `copy` is the value at every
// position, where a sum over entries meets only those that are present.
namespace wf::kernels::detail {

/// The exponentials of each row, less its maximum so that none overflows, over their sum.
inline constexpr text_view softmax_definition =
    "D[...,n] = copy(X[...,n]); M[...] max= D[...,n]; E[...,n] = exp(D[...,n] - M[...]); "
    "S[...] += E[...,n]; Y[...,n] = E[...,n] / S[...]";

/// Likewise over the elements whose mask is true; the others enter as `fill`, if there is one.
constexpr text masked_softmax_definition(const rule_input& in) {
  const text_view scale = stated_or(in, "scale", "1");
  text out("K[...,n] = copy(mask[...,n]); A[...] max= K[...,n]; ");
  out << "D[...,n] = " << scale << " copy(X[...,n]) [K[...,n] != 0]";
  if (in.find("fill") != nullptr) out << " + fill [K[...,n] == 0]";
  return out << "; M[...] max= D[...,n]; E[...,n] = exp(D[...,n] - M[...]) ["
             << (in.find("fill") != nullptr ? "A[...]" : "K[...,n]")
             << " != 0]; S[...] += E[...,n]; Y[...,n] = E[...,n] / S[...]";
}

/// The row less its mean, over the root of its mean square, with gain and bias.
constexpr text layer_norm_definition(const rule_input& in) {
  return text() << "D[...,n] = copy(X[...,n]); m[...] avg= D[...,n]; U[...,n] = D[...,n] - m[...]; "
                   "V[...] avg= square(U[...,n]); "
                   "Z[...,n] = U[...,n] / sqrt(V[...] + "
                << stated_or(in, "epsilon", "0.00001")
                << "); Y[...,n] = Z[...,n] gain[n] + copy(bias[n])";
}
/// The row over the root of its mean square, with gain.
constexpr text rms_norm_definition(const rule_input& in) {
  return text() << "D[...,n] = copy(X[...,n]); V[...] avg= square(D[...,n]); "
                   "Y[...,n] = D[...,n] gain[n] / sqrt(V[...] + "
                << stated_or(in, "epsilon", "0.00001") << ')';
}

}  // namespace wf::kernels::detail
