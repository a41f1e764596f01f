// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/view.hpp>
#include <wf/run/kernels.hpp>

namespace wf {

namespace detail {

// The operators on matrices that the executors know, in the order of `opcode_names`.
enum class opcode : std::uint8_t {
  add, subtract, multiply, divide, negate, relu, matmul, matvec, matmul_strassen, inverse,
  inverse_cholesky, solve, solve_vector, solve_cholesky, solve_vector_cholesky, solve_right,
  solve_right_cholesky, identity_permutation, find_pivot, swap_rows, row_deconstruct,
  permute_columns, softmax, reshape, sum, max, mean, constant, transpose, unknown
};

inline constexpr text_view opcode_names[] = {
    "add", "subtract", "multiply", "divide", "negate", "relu", "matmul", "matvec",
    "matmul_strassen", "inverse", "inverse_cholesky", "solve", "solve_vector", "solve_cholesky",
    "solve_vector_cholesky", "solve_right", "solve_right_cholesky", "identity_permutation",
    "find_pivot", "swap_rows", "row_deconstruct", "permute_columns", "softmax", "reshape", "sum",
    "max", "mean", "constant", "transpose"};

constexpr opcode opcode_of(text_view name) {
  for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(opcode::unknown); ++i)
    if (opcode_names[i] == name) return static_cast<opcode>(i);
  return opcode::unknown;
}

// What an operation needs to know of its node besides operands.
struct node_facts {
  std::int64_t step = 0;
  std::int64_t axis = -1;
  double value = 0;
  unsigned rank_a = 2;
  unsigned rank_b = 2;
};

constexpr node_facts facts_of(const graph_view& g, const node& n) {
  node_facts f;
  f.step = g.integer_attribute(n, "step", 0);
  f.axis = g.integer_attribute(n, "axis", -1);
  if (const attribute* a = g.find_attribute(n, "value")) f.value = a->real;
  if (n.inputs.count > 0) f.rank_a = g[g.inputs_of(n)[0]].type.shape.rank;
  if (n.inputs.count > 1) f.rank_b = g[g.inputs_of(n)[1]].type.shape.rank;
  return f;
}

// A loop body that was not unrolled has no single step to execute.
constexpr bool is_rolled_loop(const graph_view& g, const node& n) {
  return g.find_attribute(n, "steps") != nullptr && g.find_attribute(n, "step") == nullptr;
}

template <opcode Op, class Dst>
bool execute(Dst&& out, const node_facts& f) {
  using scalar = typename std::remove_cvref_t<Dst>::Scalar;
  static_assert(Op == opcode::constant);
  out.setConstant(static_cast<scalar>(f.value));
  return true;
}

template <opcode Op, class Dst, class A>
bool execute(Dst&& out, const node_facts& f, const A& a) {
  using scalar = typename A::Scalar;
  using enum opcode;
  const auto step = static_cast<Eigen::Index>(f.step);
  if constexpr (Op == negate) return out = -a, true;
  if constexpr (Op == relu) return out = a.cwiseMax(scalar(0)), true;
  if constexpr (Op == inverse) return compute::inverse(out, a);
  if constexpr (Op == inverse_cholesky) return compute::inverse_cholesky(out, a);
  if constexpr (Op == softmax) return compute::softmax(out, a, f.rank_a == 1);
  if constexpr (Op == reshape) return compute::reshape(out, a);
  if constexpr (Op == transpose) return out = a.transpose(), true;
  if constexpr (Op == row_deconstruct) return compute::row_deconstruct(out, a, step);
  if constexpr (Op == identity_permutation) {
    using index_type = typename std::remove_cvref_t<Dst>::Scalar;
    for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = static_cast<index_type>(i);
    return true;
  }
  const bool vector = f.rank_a == 1;
  if constexpr (Op == sum)
    return compute::reduce(out, a, f.axis, vector, [](const auto& x) { return x.sum(); });
  if constexpr (Op == max)
    return compute::reduce(out, a, f.axis, vector, [](const auto& x) { return x.maxCoeff(); });
  if constexpr (Op == mean)
    return compute::reduce(out, a, f.axis, vector, [](const auto& x) { return x.mean(); });
  return false;
}

template <opcode Op, class Dst, class A, class B>
bool execute(Dst&& out, const node_facts& f, const A& a, const B& b) {
  using scalar = typename A::Scalar;
  using enum opcode;
  const auto step = static_cast<Eigen::Index>(f.step);
  if constexpr (Op == add)
    return compute::elementwise(out, a, b, f.rank_a, f.rank_b,
                                [](scalar x, scalar y) { return x + y; });
  if constexpr (Op == subtract)
    return compute::elementwise(out, a, b, f.rank_a, f.rank_b,
                                [](scalar x, scalar y) { return x - y; });
  if constexpr (Op == multiply)
    return compute::elementwise(out, a, b, f.rank_a, f.rank_b,
                                [](scalar x, scalar y) { return x * y; });
  if constexpr (Op == divide)
    return compute::elementwise(out, a, b, f.rank_a, f.rank_b,
                                [](scalar x, scalar y) { return x / y; });
  if constexpr (Op == matmul || Op == matvec) return compute::product(out, a, b);
  if constexpr (Op == matmul_strassen) return compute::strassen(out, a, b);
  if constexpr (Op == solve || Op == solve_vector) return compute::solve(out, a, b);
  if constexpr (Op == solve_cholesky || Op == solve_vector_cholesky)
    return compute::solve_cholesky(out, a, b);
  if constexpr (Op == solve_right) return compute::solve_right(out, a, b);
  if constexpr (Op == solve_right_cholesky) return compute::solve_right_cholesky(out, a, b);
  if constexpr (Op == find_pivot) return compute::find_pivot(out, a, b, step);
  if constexpr (Op == swap_rows) return compute::swap_rows(out, a, b, step);
  if constexpr (Op == permute_columns) return compute::permute_columns(out, a, b);
  return false;
}

constexpr bool is_unary(opcode op) {
  using enum opcode;
  return op == negate || op == relu || op == inverse || op == inverse_cholesky || op == softmax ||
         op == reshape || op == transpose || op == row_deconstruct || op == identity_permutation ||
         op == sum || op == max || op == mean;
}

}  // namespace detail

}  // namespace wf
