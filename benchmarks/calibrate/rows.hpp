// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace calibration {

/// A kernel to measure.
struct row {
  /// The operator.
  std::string op;
  /// Its operands, separated by spaces: extents in brackets, letters among m, n, k, or sums of two;
  /// before them what they are filled with: nothing for numbers, d for a definite matrix, i for a
  /// symmetric one that is not definite, l for a lower triangular one, g for a diagonal one, s for
  /// a permutation, ^ for the transpose of the operand before, p for the indices of a permutation.
  std::string operands;
  /// The terms of its time, which the kernel's formulas may name.
  std::vector<std::string> terms;
  /// True for a step of an elimination: the terms are of one of its `steps`.
  bool is_step = false;
  /// The equation of a contraction or of a rearrangement.
  std::string equation = {};
  /// The dimension that is reduced; -1: all.
  int axis = -1;
  /// Other attributes: their names, and extents as in `operands`.
  std::vector<std::pair<std::string, std::string>> attributes = {};
};

/// True for a kernel that is not measured: views move nothing by themselves, and what they cost
/// others is in the default table.
inline bool is_kept(const std::string& op) { return op == "transpose" || op == "slice"; }

/// The elements that lie beyond the second cache, of `fitting` that fit into it: none up to there,
/// all from twice as many on.
inline std::string beyond_cache(const std::string& elements, int fitting) {
  return "min(" + elements + ", 2*max(0, " + elements + " - " + std::to_string(fitting) + "))";
}

// Of a matrix of which all is read at once, and of one of which a triangle is.
inline std::string far(const std::string& elements) { return beyond_cache(elements, 250000); }
inline std::string far_half(const std::string& elements) { return beyond_cache(elements, 400000); }

/// The kernels that are measured, and how their times depend on extents: arithmetic, traffic, and
/// the call itself.
inline std::vector<row> rows() {
  std::vector<row> out = {
      {"matmul", "[m,k] [k,n]", {"1", "C*K", "A", "B", "C", far("A"), far("B")}},
      {"matmul_add", "[m,k] [k,n] [m,n]", {"1", "D*K", "A", "B", "D", far("A"), far("B")}},
      {"matmul_subtract", "[m,k] [k,n] [m,n]", {"1", "D*K", "A", "B", "D", far("A"), far("B")}},
      {"gemmt", "[m,k] ^[k,m]", {"1", "C*K", "A", "C", "M"}},
      {"syr2k", "[m,k] [k,m]", {"1", "C*K", "A", "B", "C"}},
      {"matmul_half", "d[m,m] [m,n]", {"1", "M*C", "P", far_half("P"), "C", "M"}},
      {"matmul_triangular", "l[m,m] [m,n]", {"1", "M*C", "A", far_half("A"), "C", "M"}},
      {"matmul_diagonal", "g[m,m] [m,n]", {"1", "C", beyond_cache("C", 105000), "M"}},
      {"matmul_permutation", "s[m,m] [m,n]", {"1", "P", beyond_cache("P", 200000), "C", "M"}},
      {"matvec_permutation", "s[m,m] [m]", {"1", "P", beyond_cache("P", 200000), "M"}},
      {"matmul_strassen", "[2m,2k] [2k,2n]", {"1", "M*N*K", "M*K", "K*N", "M*N"}},
      {"matvec", "[m,k] [k]", {"1", "M*K", far("M*K"), "M", "K"}},
      {"matvec_symmetric", "d[m,m] [m]", {"1", "M**2", far_half("M**2"), "M"}},
      {"matmul_symmetric", "d[m,m] [m,1]", {"1", "M*C", far_half("M*C"), "C"}},
      {"dot", "[m] [m]", {"1", "N"}},
      {"outer", "[m] [n]", {"1", "M*N", "M", "N"}},
      {"axpy", "[] [m] [m]", {"1", "N"}},
      {"norm", "[m]", {"1", "N"}},
      {"trace", "[m,m]", {"1", "M"}},
      {"diagonal", "[m,m]", {"1", "M"}},
      {"product_diagonal", "[m,k] [k,m]", {"1", "M*K", "M"}},
      {"identity_like", "[m,m]", {"1", "M**2", far("M**2")}},
      {"solve_diagonal", "g[m,m] [m,n]", {"1", "X", beyond_cache("X", 105000), "M"}},
      {"inverse_diagonal", "g[m,m]", {"1", "M**2", "M"}},
      {"solve_triangular", "l[m,m] [m,n]", {"1", "M*X", "M**2", far_half("M**2"), "X", "M"}},
      {"solve_vector_triangular", "l[m,m] [m]", {"1", "M**2", far_half("M**2"), "M"}},
  };
  for (const char* op : {"inverse", "inverse_cholesky", "cholesky", "lu", "lu_factor"})
    out.push_back({op, "d[m,m]", {"1", "M**3", "M**2", "M"}});
  out.push_back({"inverse_triangular", "l[m,m]", {"1", "M**3", "M**2", "M"}});
  for (const char* op : {"solve", "solve_cholesky"})
    out.push_back({op, "d[m,m] [m,n]", {"1", "M**3", "M*X", "M**2", "X"}});
  for (const char* op : {"solve_right", "solve_right_cholesky"})
    out.push_back({op, "[n,m] d[m,m]", {"1", "M**3", "M*X", "M**2", "X"}});
  for (const char* op : {"solve_vector", "solve_vector_cholesky"})
    out.push_back({op, "d[m,m] [m]", {"1", "M**3", "M**2", "M"}});
  for (const char* op : {"inverse_symmetric", "ldl_factor"})
    out.push_back({op, "i[m,m]", {"1", "M**3", "M**2", "M"}});
  out.push_back({"solve_symmetric", "i[m,m] [m,n]", {"1", "M**3", "M*X", "M**2", "X", "M"}});
  out.push_back({"solve_vector_symmetric", "i[m,m] [m]", {"1", "M**3", "M**2", "M"}});
  for (const char* op : {"solve_lu", "solve_lu_transposed"})
    out.push_back({op, "d[m,m] p[m] [m,n]", {"1", "M*X", "M**2", far("M**2"), "X", "M"}});
  for (const char* op : {"solve_vector_lu", "solve_vector_lu_transposed"})
    out.push_back({op, "d[m,m] p[m] [m]", {"1", "M**2", far("M**2"), "M"}});
  out.push_back(
      {"solve_ldl", "i[m,m] p[m] [m,n]", {"1", "M*X", "M**2", far_half("M**2"), "X", "M"}});
  out.push_back({"solve_vector_ldl", "i[m,m] p[m] [m]", {"1", "M**2", far_half("M**2"), "M"}});
  out.push_back({"qr", "[m+k,k]", {"1", "(3*M - N)*N**2", "M*N", "M"}});
  out.push_back(
      {"least_squares", "[m+k,k] [m+k,n]", {"1", "(3*M - N)*N**2", "M*N", "M*K", "M*N*K"}});
  out.push_back({"least_squares_vector", "[m+k,k] [m+k]", {"1", "(3*M - N)*N**2", "M*N", "M"}});
  // Three matrices of 70,000 elements, or two of 105,000, fill most of a cache of 2 MiB.
  for (const char* op : {"add", "subtract", "multiply", "divide", "maximum", "minimum"})
    out.push_back({op, "[m,n] [m,n]", {"1", "C", beyond_cache("C", 70000)}});
  for (const char* op : {"negate", "reciprocal", "square"})
    out.push_back({op, "d[m,m]", {"1", "C", beyond_cache("C", 105000)}});
  // Contractions of few products are summed one by one.
  out.push_back({"einsum",
                 "[m,k] [n,k]",
                 {"1", "points", "min(points, 2000)", "A", "B", "C"},
                 false,
                 "ab,cb->ca"});
  out.push_back({"rearrange", "[m,n]", {"1", "C"}, false, "ab->ba"});
  out.push_back({"sum", "[m,n]", {"1", "A", "C"}, false, {}, 1});
  out.push_back({"concat", "[m,n] [k,n]", {"1", "C"}, false, {}, 0});
  out.push_back({"concat3", "[m,n] [k,n] [m,n]", {"1", "C"}, false, {}, 0});
  out.push_back({"concat4", "[m,n] [k,n] [m,n] [k,n]", {"1", "C"}, false, {}, 0});
  out.push_back({"pad", "[m,n]", {"1", "C"}, false, {}, 0, {{"after", "k"}}});
  out.push_back({"reshape", "[m,2n]", {"1", "C"}, false, {}, -1, {{"d0", "2m"}, {"d1", "n"}}});
  for (const char* op : {"sqrt", "exp", "log", "tanh"}) out.push_back({op, "d[m,m]", {"1", "C"}});
  return out;
}

}  // namespace calibration
