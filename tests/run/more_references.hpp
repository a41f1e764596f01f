// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include "../registry/reference.hpp"

// Reference implementations, as plain loops by definition, of the operators without testable laws:
// solutions, factorisations, eliminations, control.
namespace reference {

inline tensor transposed(const tensor& t) { return operators().at("transpose")({t}, {})[0]; }
inline tensor product_of(const tensor& a, const tensor& b) { return matmul({a, b}, {})[0]; }

// X with A·X = B.
inline tensors solution(const tensor& a, tensor b) {
  const bool is_vector = b.shape.size() == 1;
  if (is_vector) b.shape.push_back(1);
  tensor x = product_of(inverse({a}, {})[0], b);
  if (is_vector) x.shape.pop_back();
  return {x};
}

struct matrix {
  tensor& t;
  number& operator()(int i, int j) const { return t(u(i * t.last() + j)); }
};

inline tensors cholesky(const tensors& x, const integers&) {
  tensor a = x[0], l(a.shape);
  const matrix A{a}, L{l};
  for (int i = 0; i < a.last(); ++i)
    for (int j = 0; j <= i; ++j) {
      number s = A(i, j);
      for (int k = 0; k < j; ++k) s = s - L(i, k) * L(j, k);
      L(i, j) = i == j ? root(s) : s / L(j, j);
    }
  return {l};
}
inline tensors lu(const tensors& x, const integers&) {
  tensor a = x[0], p({a.last()});
  const matrix A{a};
  const int n = a.last();
  for (int i = 0; i < n; ++i) p(u(i)) = i;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A(i, k).v) > std::abs(A(pivot, k).v)) pivot = i;
    std::swap(p(u(k)), p(u(pivot)));
    for (int j = 0; j < n; ++j) std::swap(A(k, j), A(pivot, j));
    for (int i = k + 1; i < n; ++i) {
      A(i, k) = A(i, k) / A(k, k);
      for (int j = k + 1; j < n; ++j) A(i, j) = A(i, j) - A(i, k) * A(k, j);
    }
  }
  return {a, p};
}
// The matrix with these factors and this permutation.
inline tensor from_lu(const tensor& factors, const tensor& rows) {
  tensor f = factors, l(f.shape), r(f.shape), a(f.shape);
  const int n = f.last();
  for (int i = 0; i < n; ++i) {
    matrix{l}(i, i) = 1;
    for (int j = 0; j < n; ++j) matrix{j < i ? l : r}(i, j) = matrix{f}(i, j);
  }
  tensor permuted = product_of(l, r);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      matrix{a}(static_cast<int>(rows(u(i)).real()), j) = matrix{permuted}(i, j);
  return a;
}
// P·A·Pᵀ = L·D·Lᵀ with Bunch-Kaufman pivots, in one matrix, and the permutation P.
inline tensors ldl(const tensors& x, const integers&) {
  tensor a = x[0], f(a.shape), p({a.last()});
  const matrix A{a}, F{f};
  const int n = a.last();
  const auto size = [&](int i, int j) { return std::abs(A(i, j).v); };
  const double alpha = (1 + std::sqrt(17.0)) / 8;
  for (int i = 0; i < n; ++i) p(u(i)) = i;
  for (int k = 0, many = 1; k < n; k += many) {
    int r = k, pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (r == k || size(i, k) > size(r, k)) r = i;
    many = 1;
    if (r != k && size(k, k) < alpha * size(r, k)) {
      double beside = 0;
      for (int i = k; i < n; ++i) beside = i == r ? beside : std::max(beside, size(i, r));
      if (size(k, k) * beside < alpha * size(r, k) * size(r, k)) {
        pivot = r;
        many = size(r, r) >= alpha * beside ? 1 : 2;
      }
    }
    const int at = k + many - 1;
    if (pivot == k) pivot = at;
    std::swap(p(u(at)), p(u(pivot)));
    for (int j = 0; j < n; ++j) std::swap(A(at, j), A(pivot, j));
    for (int j = 0; j < n; ++j) std::swap(A(j, at), A(j, pivot));
    for (int j = 0; j < k; ++j) std::swap(F(at, j), F(pivot, j));
    const number d = A(k, k), b = many == 2 ? A(k, k + 1) : number(0),
                 e = many == 2 ? A(at, at) : number(1);
    const number determinant = d * e - b * b;
    F(k, k) = d;
    if (many == 2) F(k, k + 1) = b, F(at, at) = e;
    for (int i = at + 1; i < n; ++i) {
      const number first = A(i, k), second = many == 2 ? A(i, at) : number(0);
      F(i, k) = (first * e - second * b) / determinant;
      if (many == 2) F(i, at) = (second * d - first * b) / determinant;
    }
    for (int i = at + 1; i < n; ++i)
      for (int j = at + 1; j < n; ++j)
        for (int c = k; c <= at; ++c) A(i, j) = A(i, j) - F(i, c) * A(c, j);
  }
  return {f, p};
}
// The matrix with these factors and this permutation.
inline tensor from_ldl(const tensor& factors, const tensor& rows) {
  tensor f = factors, l(f.shape), d(f.shape), a(f.shape);
  const int n = f.last();
  for (int i = 0; i < n; ++i) {
    matrix{l}(i, i) = 1;
    for (int j = 0; j < i; ++j) matrix{l}(i, j) = matrix{f}(i, j);
    matrix{d}(i, i) = matrix{f}(i, i);
  }
  for (int i = 0; i + 1 < n; ++i)
    if (matrix{f}(i, i + 1).v != number(0).v) {  // a 2x2 block
      matrix{d}(i, i + 1) = matrix{d}(i + 1, i) = matrix{f}(i, i + 1);
      ++i;
    }
  tensor permuted = product_of(product_of(l, d), transposed(l));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      matrix{a}(static_cast<int>(rows(u(i)).real()), static_cast<int>(rows(u(j)).real())) =
          matrix{permuted}(i, j);
  return a;
}
// By Gram-Schmidt: the diagonal of R is positive.
inline tensors qr(const tensors& x, const integers&) {
  tensor q = x[0];
  const int m = q.last(2), n = q.last();
  tensor r({n, n});
  const matrix Q{q}, R{r};
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i < m; ++i) R(j, k) = R(j, k) + Q(i, j) * Q(i, k);
      for (int i = 0; i < m; ++i) Q(i, k) = Q(i, k) - R(j, k) * Q(i, j);
    }
    number square = 0;
    for (int i = 0; i < m; ++i) square = square + Q(i, k) * Q(i, k);
    R(k, k) = root(square);
    for (int i = 0; i < m; ++i) Q(i, k) = Q(i, k) / R(k, k);
  }
  return {q, r};
}
// By the normal equations.
inline tensors least_squares(const tensors& x, const integers&) {
  tensor b = x[1];
  const bool is_vector = b.shape.size() == 1;
  if (is_vector) b.shape.push_back(1);
  const tensor turned = transposed(x[0]);
  tensor y = solution(product_of(turned, x[0]), product_of(turned, b))[0];
  if (is_vector) y.shape.pop_back();
  return {y};
}
// A step of in-place elimination: the matrix accumulates the columns of the inverse.
inline tensors counted(int n) {
  tensor out({n});
  for (int i = 0; i < n; ++i) out(u(i)) = i;
  return {out};
}

// The operators by their names.
inline const std::map<std::string, operator_function>& more_operators() {
  const operator_function first = [](const tensors& x, const integers&) { return tensors{x[0]}; };
  const operator_function solved = [](const tensors& x, const integers&) {
    return solution(x[0], x[1]);
  };
  const operator_function solved_by_factors = [](const tensors& x, const integers&) {
    return solution(from_lu(x[0], x[1]), x[2]);
  };
  const operator_function solved_by_factors_transposed = [](const tensors& x, const integers&) {
    return solution(transposed(from_lu(x[0], x[1])), x[2]);
  };
  const operator_function solved_by_symmetric_factors = [](const tensors& x, const integers&) {
    return solution(from_ldl(x[0], x[1]), x[2]);
  };
  const operator_function solved_right = [](const tensors& x, const integers&) {
    return tensors{product_of(x[0], inverse({x[1]}, {})[0])};
  };
  const operator_function inverted = [](const tensors& x, const integers&) {
    return inverse({x[0]}, {});
  };
  const operator_function multiplied = [](const tensors& x, const integers&) {
    return matmul({x[0], x[1]}, {});
  };
  const auto after_product = [](const char* op) -> operator_function {
    return [op](const tensors& x, const integers&) {
      return operators().at(op)({x[2], product_of(x[0], x[1])}, {});
    };
  };
  static const std::map<std::string, operator_function> all{
      {"matmul_add", after_product("add")},
      {"matmul_subtract", after_product("subtract")},
      {"gemmt", multiplied},
      {"matvec_symmetric", operators().at("matvec")},
      {"syr2k",
       [](const tensors& x, const integers&) {
         const tensor once = product_of(x[0], x[1]);
         return operators().at("add")({once, operators().at("transpose")({once}, {})[0]}, {});
       }},
      {"matmul_half",
       [](const tensors& x, const integers&) {
         tensor half(x[0].shape), whole = x[0];
         for (int i = 0; i < half.last(); ++i)
           for (int j = 0; j <= i; ++j)
             matrix{half}(i, j) = matrix{whole}(i, j) / number(i == j ? 2 : 1);
         return matmul({half, x[1]}, {});
       }},
      {"matmul_symmetric", multiplied},
      {"matmul_triangular", multiplied},
      {"matmul_diagonal", multiplied},
      {"matmul_permutation", multiplied},
      {"matvec_permutation", operators().at("matvec")},
      {"inverse_triangular", inverted},
      {"inverse_diagonal", inverted},
      {"solve_diagonal", solved},
      {"solve", solved},
      {"solve_cholesky", solved},
      {"solve_symmetric", solved},
      {"solve_triangular", solved},
      {"solve_right", solved_right},
      {"solve_right_cholesky", solved_right},
      {"cholesky", cholesky},
      {"lu", lu},
      {"lu_factor", lu},
      {"solve_lu", solved_by_factors},
      {"solve_lu_transposed", solved_by_factors_transposed},
      {"ldl_factor", ldl},
      {"solve_ldl", solved_by_symmetric_factors},
      {"qr", qr},
      {"least_squares", least_squares},
      {"identity_like",
       [](const tensors& x, const integers&) {
         tensor out(x[0].shape);
         for (int i = 0; i < out.last(); ++i) matrix{out}(i, i) = 1;
         return tensors{out};
       }},
      {"einsum",  // "ij,jk->ki"
       [](const tensors& x, const integers&) {
         return tensors{transposed(product_of(x[0], x[1]))};
       }},
      {"rearrange",  // "ijk->jki"
       [](const tensors& x, const integers&) {
         return operators().at("permute")(x, {{"p0", 1}, {"p1", 2}, {"p2", 0}});
       }},
      {"constant",
       [](const tensors&, const integers& with) {
         tensor out;
         out(0) = with.at("value");
         return tensors{out};
       }},
      {"causal_mask",
       [](const tensors&, const integers& with) {
         const int queries = with.at("d0"), keys = with.at("d1");
         tensor out({queries, keys});
         for (int q = 0; q < queries; ++q)
           for (int k = 0; k < keys; ++k) matrix{out}(q, k) = keys - k >= queries - q ? 1 : 0;
         return tensors{out};
       }},
      {"cast", first},
      {"after", first},
      {"barrier", first},
      {"check", first},
      {"positions", [](const tensors& x, const integers& with) {
         return counted(x[0].shape[u(with.at("axis"))]);
       }}};
  return all;
}

}  // namespace reference
