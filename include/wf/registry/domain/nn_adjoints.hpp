// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/adjoint_text.hpp>

// Adjoints of operators on rows, classes and windows, which depend on ranks and attributes.
namespace wf::kernels::detail {

/// `value`, a row's number each, in a shape that broadcasts to the rows of X.
constexpr text row_text(text_view value, const rule_input& in) {
  const std::uint32_t rank = in.operands[0].shape.rank;
  return kept_text(value, "X", rank, rank - 1);
}
/// `of(value)` over each row.
constexpr text over_rows(text_view of, text_view value, const rule_input& in) {
  text out;
  out << of << '(' << value << ", axis = " << in.operands[0].shape.rank - 1 << ')';
  return row_text(out.view(), in);
}

/// Each derivative less their mean, weighted by the probabilities.
constexpr text softmax_adjoint(const rule_input& in) {
  text out("P = multiply(dY, Y); dX = ");
  const text own = text() << "(P - multiply(Y, " << over_rows("sum", "P", in).view() << "))";
  const bool scaled = in.find("scale") != nullptr;
  text value;
  if (scaled)
    value << "multiply(" << own.view() << ", scale)";
  else
    value << own.view();
  if (in.find("fill") == nullptr) return out << value.view();
  return out << "where(mask, " << value.view() << ", 0)";
}

/// The common part of normalisations: `Z` is the normalised row, `R` the reciprocal of its norm,
/// `G` the derivative of Z, `H` its part along Z.
constexpr text normalised_text(const rule_input& in, text_view centred) {
  text out;
  out << "U = " << centred << "; R = reciprocal(sqrt(" << over_rows("mean", "square(U)", in).view()
      << " + " << stated_or(in, "epsilon", "0.00001")
      << ")); Z = multiply(U, R); G = multiply(dY, gain); H = multiply(Z, "
      << over_rows("mean", "multiply(G, Z)", in).view() << "); dgain = multiply(dY, Z); ";
  return out;
}
/// The derivative in the row, without its parts along 1 and Z.
constexpr text layer_norm_adjoint(const rule_input& in) {
  const text centred = text() << "X - " << over_rows("mean", "X", in).view();
  return normalised_text(in, centred.view())
         << "dX = multiply(R, G - " << over_rows("mean", "G", in).view() << " - H); dbias = dY";
}
/// The derivative in the row, without its part along Z.
constexpr text rms_norm_adjoint(const rule_input& in) {
  return normalised_text(in, "X") << "dX = multiply(R, G - H)";
}

/// `value`, a channel's number each, in a shape that broadcasts to images.
constexpr text channel_text(text_view value) {
  return text() << "reshape(" << value << ", d0 = C, d1 = 1, d2 = 1)";
}
/// Sums over images and pixels for the channels' numbers.
constexpr text batch_norm_adjoint(const rule_input& in) {
  text out;
  out << "R = reciprocal(sqrt(variance + " << stated_or(in, "epsilon", "0.00001") << ")); U = X - "
      << channel_text("mean").view() << "; dX = multiply(dY, "
      << channel_text("multiply(gain, R)").view()
      << "); dbias[c] = reduce(sum, n, h, w) dY[n,c,h,w]; S[c] = reduce(sum, n, h, w) dX[n,c,h,w]; "
      << "T[c] = dX[n,c,h,w] U[n,c,h,w]; "
      << "V[c] = dY[n,c,h,w] U[n,c,h,w]; dmean = -S; dgain = multiply(V, R); "
      << "dvariance = -0.5 multiply(T, square(R))";
  return out;
}

/// As of a product and a sum; a single row makes a product of vectors.
constexpr text linear_adjoint(const rule_input& in) {
  if (in.operands[0].shape.rank == 1) return text("dX = W dY; dW = outer(X, dY); db = dY");
  return text("dX = dY trans(W); dW = trans(X) dY; db = dY");
}

/// Every row's derivative is added to the row of the table.
constexpr text embedding_adjoint(const rule_input& in) {
  return text() << "dW = scatter_add(" << filled_text("0", "W", in.operands[0]).view()
                << ", ids, dY, axis = 0)";
}

/// The probabilities less 1 for the right class, by row.
constexpr text cross_entropy_adjoint(const rule_input& in) {
  const value_type &x = in.operands[0], &ids = in.operands[1];
  value_type rows = ids;
  rows.type = x.type;
  text out("P = softmax(X); right = equal(");
  out << "reshape(cast(ids, dtype = \"i64\")" << shape_text("ids", ids.shape.rank).view() << ", d"
      << ids.shape.rank << " = 1), positions(X, axis = " << x.shape.rank - 1
      << ")); dX = multiply(where(right, P - 1, P), dL / "
      << count_text("ids", rows, 0, rows.shape.rank).view() << ')';
  return out;
}

/// Every pixel has its share.
constexpr text channel_mean_adjoint(const rule_input& in) {
  return text() << "dX = reshape(dY / " << count_text("X", in.operands[0], 2, 4).view()
                << ", d0 = N, d1 = C, d2 = 1, d3 = 1)";
}

}  // namespace wf::kernels::detail
