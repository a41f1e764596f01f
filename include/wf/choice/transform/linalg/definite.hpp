// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/expression_builder.hpp>
#include <wf/choice/transform/linalg/chain_order.hpp>
#include <wf/choice/transform/linalg/structure.hpp>

// Transforms for definite matrices: Cholesky factors as values, and inverses of sums from inverses
// of smaller or cheaper matrices.
namespace wf::transforms {

namespace detail {

constexpr result<nothing> definite_solve(choice_graph& c, node_id id) {
  struct variant {
    const kernel_spec* general;
    const kernel_spec* definite;
    std::size_t matrix;  // index of the operand that is the matrix
  };
  constexpr variant variants[] = {{&kernels::solve, &kernels::solve_cholesky, 0},
                                  {&kernels::solve_right, &kernels::solve_right_cholesky, 1},
                                  {&kernels::inverse, &kernels::inverse_cholesky, 0}};
  const kernel_spec* better = nullptr;
  for (const variant& v : variants)
    if (c.applies(id, *v.general) && c.known_of(c.inputs_of(id)[v.matrix]).has(spd))
      better = v.definite;
  if (better == nullptr) return nothing{};
  const table<value_id> operands(c.inputs_of(id));
  const auto made = c.add(*better, operands);
  if (!made) return made.error();
  c.unite(c.result_of(id), *made);
  return nothing{};
}

// A⁻¹·B = L⁻ᵀ·(L⁻¹·B) with A = L·Lᵀ: other expressions may share the factor and L⁻¹·B.
constexpr result<nothing> factor_solve(choice_graph& c, node_id id) {
  const kernel_spec& k = kernels::solve_triangular;
  const value_id matrix = c.inputs_of(id)[0], right = c.inputs_of(id)[1];
  if (!admits_size(c, matrix)) return nothing{};
  const auto factor = c.add(kernels::cholesky, {&matrix, 1});
  if (!factor) return factor.error();
  const value_id first[] = {*factor, right};
  const auto half = c.add(k, {first, 2});
  if (!half) return half.error();
  const auto turned = transposed(c, *factor);
  if (!turned) return turned.error();
  const auto whole = offer(c, c.result_of(id), k, *turned, *half);
  if (!whole) return whole.error();
  return nothing{};
}

// A definite matrix with an available inverse: the inverse of `inverse`; `scale` times `unit`, an
// identity; or `diagonal`.
struct easy_term {
  value_id inverse = value_id::none;
  value_id diagonal = value_id::none;
  value_id scale = value_id::none;
  value_id unit = value_id::none;
};

constexpr bool find_easy(const choice_graph& c, value_id id, easy_term& out) {
  if (!c.known_of(id).has(spd)) return false;
  if (c.known_of(id).has(identity)) return out.unit = id, true;
  for (node_id n : c.candidates_of(id)) {
    if (c.applies(n, kernels::inverse)) return out.inverse = c.inputs_of(n)[0], true;
    if (!c.applies(n, kernels::multiply)) continue;
    for (std::size_t k = 0; k < 2; ++k) {
      const value_id scale = c.inputs_of(n)[k], unit = c.inputs_of(n)[1 - k];
      if (c.type_of(scale).shape.rank == 0 && c.known_of(unit).has(identity))
        return out.scale = scale, out.unit = unit, true;
    }
  }
  if (c.known_of(id).has(diagonal)) return out.diagonal = id, true;
  return false;
}

// A product U·C·Uᵀ that is positive semidefinite by its form; U·Uᵀ without C.
struct congruence {
  table<factor> left;  // the factors of U
  value_id middle = value_id::none;
  value_id middle_inverse = value_id::none;  // if C is an inverse, the inverted matrix

  // True if U has at least `times` as many rows as columns.
  constexpr bool is_tall(const choice_graph& c, std::int64_t times) const {
    const auto extent_of = [&](const factor& f, bool rows) {
      return c.type_of(f.value).shape[f.flipped == rows ? 1 : 0];
    };
    const extent outer = extent_of(left[0], true), inner = extent_of(left.back(), false);
    return outer.is_fixed() && inner.is_fixed() && times * inner.size() <= outer.size();
  }
  constexpr value_id left_product(expression_builder& b) const {
    value_id u = value_id::none;
    for (const factor& f : left) {
      const value_id next = f.flipped ? b.add(kernels::transpose, f.value) : f.value;
      u = u == value_id::none ? next : b.add(kernels::matmul, u, next);
    }
    return u;
  }
};

constexpr bool find_congruence(choice_graph& c, value_id id, congruence& out) {
  bool any = false;
  for (node_id n : c.candidates_of(id)) any = any || c.applies(n, kernels::matmul);
  if (!any) return false;
  const table<factor> factors = chain_lattice(c, id).factors();
  if (factors.size() < 2 || !palindrome(c, factors).has(psd)) return false;
  const std::size_t half = factors.size() / 2;
  for (std::size_t i = 0; i < half; ++i) out.left.push_back(factors[i]);
  if (factors.size() % 2 == 0) return true;
  out.middle = factors[half].value;
  if (!c.known_of(out.middle).has(spd)) return false;
  for (node_id n : c.candidates_of(out.middle))
    if (c.applies(n, kernels::inverse)) out.middle_inverse = c.inputs_of(n)[0];
  return true;
}

// For definite A and, if present, C (Woodbury, Inverting modified matrices, 1950):
//   (A + U·C·Uᵀ)⁻¹     = A⁻¹ - A⁻¹·U·M⁻¹·Uᵀ·A⁻¹,  M = C⁻¹ + Uᵀ·A⁻¹·U,
//   (A + U·C·Uᵀ)⁻¹·U·C = A⁻¹·U·M⁻¹,
// and for A = s·I
//   (A + U·C·Uᵀ)⁻¹     = (I - U·M⁻¹·Uᵀ)/s,        M = s·C⁻¹ + Uᵀ·U,
//   (A + U·C·Uᵀ)⁻¹·U·C = U·M⁻¹.
// All inverted matrices are definite.
constexpr result<nothing> invert_sum(choice_graph& c, value_id made, const easy_term& a,
                                     const congruence& k) {
  expression_builder b(c);
  const value_id u = k.left_product(b);
  const value_id ut = b.add(kernels::transpose, u);
  const bool scaled = a.unit != value_id::none;
  const value_id a_inverse =
      a.diagonal != value_id::none ? b.add(kernels::inverse, a.diagonal) : a.inverse;
  const value_id au = scaled ? u : b.add(kernels::matmul, a_inverse, u);
  const value_id inner = b.add(kernels::matmul, ut, au);
  value_id c_inverse = k.middle_inverse;
  if (k.middle == value_id::none)
    c_inverse = b.add(kernels::identity_like, inner);
  else if (c_inverse == value_id::none)
    c_inverse = b.add(kernels::inverse, k.middle);
  if (a.scale != value_id::none) c_inverse = b.add(kernels::multiply, a.scale, c_inverse);
  const value_id m_inverse = b.add(kernels::inverse, b.add(kernels::add, c_inverse, inner));
  const value_id pushed = b.add(kernels::matmul, au, m_inverse);
  // The inverse itself.
  const value_id turned = scaled ? ut : b.add(kernels::transpose, au);
  const value_id change = b.add(kernels::matmul, pushed, turned);
  value_id whole = b.add(kernels::subtract, scaled ? a.unit : a_inverse, change);
  if (a.scale != value_id::none)
    whole = b.add(kernels::multiply, b.add(kernels::reciprocal, a.scale), whole);
  b.unite(made, whole);
  // Its product with U·C; for a thick U this saves nothing over the inverse.
  if (!k.is_tall(c, 2)) return b.done();
  const value_id uc = k.middle == value_id::none ? u : b.add(kernels::matmul, u, k.middle);
  b.unite(b.add(kernels::matmul, made, uc), pushed);
  return b.done();
}

// Xᵀ·S⁻¹·X = Yᵀ·Y with Y = L⁻¹·X and S = L·Lᵀ.
constexpr result<nothing> half_solve(choice_graph& c, node_id id) {
  const value_id root = c.result_of(id);
  if (!is_worth_a_look(c, root) || !c.known_of(root).has(psd) || is_inner(c, root))
    return nothing{};
  for (node_id first : c.candidates_of(root)) {  // one visit per class suffices
    if (!c.applies(first, kernels::matmul)) continue;
    if (first != id) return nothing{};
    break;
  }
  congruence k;
  if (!find_congruence(c, root, k) || k.middle_inverse == value_id::none || !admits_size(c, root))
    return nothing{};
  expression_builder b(c);
  const value_id u = k.left_product(b);
  const value_id y = b.add(kernels::solve_triangular, b.add(kernels::cholesky, k.middle_inverse),
                           b.add(kernels::transpose, u));
  b.unite(root, b.add(kernels::matmul, b.add(kernels::transpose, y), y));
  return b.done();
}

constexpr result<nothing> woodbury(choice_graph& c, node_id id) {
  const value_id matrix = c.inputs_of(id)[0];
  if (!is_worth_a_look(c, matrix)) return nothing{};
  for (node_id sum : c.candidates_of(matrix)) {
    if (!c.applies(sum, kernels::add)) continue;
    const value_id terms[] = {c.inputs_of(sum)[0], c.inputs_of(sum)[1]};
    if (c.type_of(terms[0]).shape.rank != 2 || c.type_of(terms[1]).shape.rank != 2) continue;
    for (value_id term : terms) c.watch(term);
    for (std::size_t k = 0; k < 2; ++k) {
      easy_term easy;
      congruence product;
      if (!find_easy(c, terms[k], easy) || !find_congruence(c, terms[1 - k], product)) continue;
      // Pays for a low rank, or up to full rank if both inverses are available.
      const bool at_hand =
          easy.inverse != value_id::none && product.middle_inverse != value_id::none;
      if (!product.is_tall(c, at_hand ? 1 : 2) || !admits_size(c, matrix)) continue;
      if (auto r = invert_sum(c, c.result_of(id), easy, product); !r) return r;
    }
  }
  return nothing{};
}

}  // namespace detail

/// Cholesky instead of LU for a matrix declared or inferred to be positive definite.
inline constexpr transform definite_solve{"linalg", "definite_solve",
                                          "Cholesky instead of LU for a definite matrix",
                                          &detail::definite_solve};
/// Two substitutions with a Cholesky factor, which may be shared. Not for small matrices, where it
/// does not pay.
inline constexpr transform factor_solve{
    "linalg", "factor_solve",  "two substitutions with a Cholesky factor", &detail::factor_solve,
    true,     "solve_cholesky"};
/// Xᵀ·S⁻¹·X for a definite S by one substitution: (L⁻¹·X)ᵀ·(L⁻¹·X).
inline constexpr transform half_solve{
    "linalg", "half_solve", "a congruence with an inverse by one substitution", &detail::half_solve,
    true,     "matmul"};
/// The inverse of a sum of a definite matrix and a congruence from another inverse: that of a
/// smaller matrix, or of one without inverses in it (Woodbury).
inline constexpr transform woodbury{
    "linalg",          "woodbury", "the inverse of a sum by another inverse",
    &detail::woodbury, true,       "inverse"};

}  // namespace wf::transforms
