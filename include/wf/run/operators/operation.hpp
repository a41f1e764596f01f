// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <limits>
#include <type_traits>

#include <wf/ir/graph/view.hpp>
#include <wf/registry/domain/literal.hpp>
#include <wf/run/kernels/fixed_size/broadcast.hpp>
#include <wf/run/kernels/fixed_size/factors.hpp>
#include <wf/run/kernels/fixed_size/inverse.hpp>
#include <wf/run/kernels/fixed_size/ldl.hpp>
#include <wf/run/kernels/fixed_size/least_squares.hpp>
#include <wf/run/kernels/fixed_size/movement.hpp>
#include <wf/run/kernels/fixed_size/product.hpp>
#include <wf/run/kernels/fixed_size/reduction.hpp>
#include <wf/run/kernels/fixed_size/solve.hpp>
#include <wf/run/kernels/fixed_size/strassen.hpp>
#include <wf/run/kernels/opposite.hpp>
#include <wf/run/kernels/small_product.hpp>
#include <wf/run/kernels/structured.hpp>

namespace wf {

namespace detail {

// Operators on matrices that the executors implement, in the order of `opcode_names`.
enum class opcode : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  negate,
  relu,
  matmul,
  matmul_add,
  matmul_subtract,
  matvec,
  matvec_symmetric,
  matmul_strassen,
  gemmt,
  syr2k,
  matmul_half,
  matmul_symmetric,
  matmul_triangular,
  matmul_diagonal,
  matmul_permutation,
  matvec_permutation,
  inverse,
  inverse_cholesky,
  inverse_symmetric,
  inverse_triangular,
  inverse_diagonal,
  cholesky,
  solve_triangular,
  solve_diagonal,
  solve,
  solve_cholesky,
  solve_symmetric,
  solve_right,
  solve_right_cholesky,
  least_squares,
  lu_factor,
  solve_lu,
  solve_lu_transposed,
  ldl_factor,
  solve_ldl,
  diagonal,
  product_diagonal,
  slice,
  concat,
  pad,
  rearrange,
  softmax,
  reshape,
  sum,
  max,
  mean,
  constant,
  literal,
  transpose,
  unknown
};

inline constexpr text_view opcode_names[] = {"add",
                                             "subtract",
                                             "multiply",
                                             "divide",
                                             "negate",
                                             "relu",
                                             "matmul",
                                             "matmul_add",
                                             "matmul_subtract",
                                             "matvec",
                                             "matvec_symmetric",
                                             "matmul_strassen",
                                             "gemmt",
                                             "syr2k",
                                             "matmul_half",
                                             "matmul_symmetric",
                                             "matmul_triangular",
                                             "matmul_diagonal",
                                             "matmul_permutation",
                                             "matvec_permutation",
                                             "inverse",
                                             "inverse_cholesky",
                                             "inverse_symmetric",
                                             "inverse_triangular",
                                             "inverse_diagonal",
                                             "cholesky",
                                             "solve_triangular",
                                             "solve_diagonal",
                                             "solve",
                                             "solve_cholesky",
                                             "solve_symmetric",
                                             "solve_right",
                                             "solve_right_cholesky",
                                             "least_squares",
                                             "lu_factor",
                                             "solve_lu",
                                             "solve_lu_transposed",
                                             "ldl_factor",
                                             "solve_ldl",
                                             "diagonal",
                                             "product_diagonal",
                                             "slice",
                                             "concat",
                                             "pad",
                                             "rearrange",
                                             "softmax",
                                             "reshape",
                                             "sum",
                                             "max",
                                             "mean",
                                             "constant",
                                             "literal",
                                             "transpose"};

constexpr opcode opcode_of(text_view name) {
  for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(opcode::unknown); ++i)
    if (opcode_names[i] == name) return static_cast<opcode>(i);
  return opcode::unknown;
}

// Data of a node that an operation needs besides its operands.
struct node_facts {
  std::int64_t axis = -1;
  std::int64_t start = 0;  // first position of a slice
  std::int64_t before = 0;
  char from[2] = {};  // letters of an equation: of the operand, of the result
  char to[2] = {};
  double value = 0;
  bool lower = false;  // true if the first operand is known to be lower triangular
  unsigned rank_a = 2;
  unsigned rank_b = 2;
};

constexpr node_facts facts_of(const graph_view& g, const node& n) {
  node_facts f;
  f.axis = g.integer_attribute(n, "axis", -1);
  f.start = g.integer_attribute(n, "start", 0);
  f.before = g.integer_attribute(n, "before", 0);
  if (const attribute* a = g.find_attribute(n, "equation")) {
    const text_view equation = g.text_of(a->characters);
    const std::size_t arrow = equation.find('-');
    for (std::size_t i = 0; i < arrow && i < 2; ++i) f.from[i] = equation[i];
    for (std::size_t i = arrow + 2; i < equation.size() && i < arrow + 4; ++i)
      f.to[i - arrow - 2] = equation[i];
  }
  if (const attribute* a = g.find_attribute(n, "value")) f.value = a->real;
  if (n.inputs.count > 0) {
    f.rank_a = g[g.inputs_of(n)[0]].type.shape.rank;
    f.lower = g[g.inputs_of(n)[0]].type.known.has(lower_triangular);
  }
  if (n.inputs.count > 1) f.rank_b = g[g.inputs_of(n)[1]].type.shape.rank;
  return f;
}

// True for operators with two results: the factors and the permutation of their rows.
constexpr bool makes_factors(opcode op) {
  return op == opcode::lu_factor || op == opcode::ldl_factor;
}

constexpr bool is_unary(opcode op) {
  using enum opcode;
  return op == negate || op == relu || op == inverse || op == inverse_cholesky ||
         op == inverse_symmetric || op == inverse_triangular || op == inverse_diagonal ||
         op == cholesky || makes_factors(op) || op == softmax || op == reshape || op == transpose ||
         op == sum || op == max || op == mean || op == diagonal || op == slice || op == pad ||
         op == rearrange;
}

constexpr bool solves_by_factors(opcode op) {
  return op >= opcode::solve_lu && op <= opcode::solve_ldl && !makes_factors(op);
}

// Number of operands of an operator other than `concat`, which takes any number.
constexpr std::uint32_t arity_of(opcode op) {
  if (op == opcode::matmul_add || op == opcode::matmul_subtract || solves_by_factors(op)) return 3;
  if (op == opcode::constant || op == opcode::literal) return 0;
  return is_unary(op) ? 1 : 2;
}

// The fault of a node with static shapes and a known operator, or an empty text.
constexpr text_view node_fault(const graph_view& g, const node& n) {
  const opcode op = opcode_of(g.op_name(n));
  const bool takes_any = op == opcode::concat && n.inputs.count != 0;
  if ((n.inputs.count != arity_of(op) && !takes_any) ||
      n.outputs.count != (makes_factors(op) ? 2u : 1u))
    return "the operator takes another number of operands or gives another number of results";
  const shape& out = g.values[n.outputs.first].type.shape;
  if (op == opcode::matmul_strassen) {
    const shape& a = g[g.inputs_of(n)[0]].type.shape;
    if (a.rank != 2 || out.rank != 2 || a[0].size() % 2 != 0 || a[1].size() % 2 != 0 ||
        out[1].size() % 2 != 0)
      return "Strassen's product needs matrices of even extents";
  }
  if (op == opcode::literal) return literal_fault(g, n);
  if (op == opcode::least_squares) {
    const shape& a = g[g.inputs_of(n)[0]].type.shape;
    if (a[0].size() < a[1].size()) return "the matrix has more columns than rows";
  }
  return {};
}

// A loop body that was not unrolled is not executable as one step.
constexpr bool is_rolled_loop(const graph_view& g, const node& n) {
  return g.find_attribute(n, "steps") != nullptr && g.find_attribute(n, "step") == nullptr;
}

// True if all integer quotients exist.
template <class A, class B>
bool divides(const A& a, const B& b) {
  using scalar = typename A::Scalar;
  const bool overflows =
      (a.array() == std::numeric_limits<scalar>::min()).any() && (b.array() == scalar(-1)).any();
  return !overflows && !(b.array() == scalar(0)).any();
}

// Executes the operator of a node; false on a numerical failure.
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
  if constexpr (Op == negate) return out = compute::opposite(a), true;
  if constexpr (Op == relu) return out = a.cwiseMax(scalar(0)), true;
  if constexpr (Op == inverse) return compute::inverse(out, a);
  if constexpr (Op == inverse_cholesky) return compute::inverse_cholesky(out, a);
  if constexpr (Op == inverse_symmetric) return compute::inverse_symmetric(out, a);
  if constexpr (Op == inverse_triangular) return compute::inverse_triangular(out, a, f.lower);
  if constexpr (Op == inverse_diagonal) return compute::inverse_diagonal(out, a);
  if constexpr (Op == cholesky) return compute::cholesky(out, a);
  if constexpr (Op == softmax) return compute::softmax(out, a, f.rank_a == 1);
  if constexpr (Op == reshape) return compute::reshape(out, a);
  if constexpr (Op == diagonal) return out = a.diagonal(), true;
  if constexpr (Op == slice) return compute::slice(out, a, f.start, f.axis == 1);
  if constexpr (Op == pad) return compute::pad(out, a, f.before, f.axis == 1);
  if constexpr (Op == rearrange) return compute::rearrange(out, a, f.from, f.to);
  if constexpr (Op == transpose) return out = a.transpose(), true;
  const bool vector = f.rank_a == 1;
  if constexpr (Op == sum)
    return compute::reduce(out, a, f.axis, vector, [](const auto& x) { return x.sum(); });
  if constexpr (Op == max || Op == mean)
    if (a.size() == 0) return false;  // no largest element, no mean
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
  if constexpr (Op == add)
    return compute::elementwise(out, a, b, f.rank_a, f.rank_b,
                                [](scalar x, scalar y) { return x + y; });
  if constexpr (Op == subtract)
    return compute::elementwise(out, a, b, f.rank_a, f.rank_b,
                                [](scalar x, scalar y) { return x - y; });
  if constexpr (Op == multiply)
    return compute::elementwise(out, a, b, f.rank_a, f.rank_b,
                                [](scalar x, scalar y) { return x * y; });
  if constexpr (Op == divide) {
    if constexpr (std::is_integral_v<scalar>)
      if (!divides(a, b)) return false;
    return compute::elementwise(out, a, b, f.rank_a, f.rank_b,
                                [](scalar x, scalar y) { return x / y; });
  }
  if constexpr (Op == matmul || Op == matvec) return compute::product(out, a, b);
  if constexpr (Op == matmul_strassen) return compute::strassen(out, a, b);
  if constexpr (Op == gemmt) return compute::gemmt(out, a, b);
  if constexpr (Op == syr2k) return compute::syr2k(out, a, b);
  if constexpr (Op == matmul_half) return compute::matmul_half(out, a, b);
  if constexpr (Op == matmul_symmetric || Op == matvec_symmetric)
    return compute::matmul_symmetric(out, a, b);
  if constexpr (Op == matmul_triangular) return compute::matmul_triangular(out, a, b, f.lower);
  if constexpr (Op == matmul_diagonal) return compute::matmul_diagonal(out, a, b);
  if constexpr (Op == matmul_permutation || Op == matvec_permutation)
    return compute::matmul_permutation(out, a, b);
  if constexpr (Op == solve_triangular) return compute::solve_triangular(out, a, b, f.lower);
  if constexpr (Op == product_diagonal) return compute::product_diagonal(out, a, b);
  if constexpr (Op == solve_diagonal) return compute::solve_diagonal(out, a, b);
  if constexpr (Op == solve) return compute::solve(out, a, b);
  if constexpr (Op == solve_cholesky) return compute::solve_cholesky(out, a, b);
  if constexpr (Op == solve_symmetric) return compute::solve_symmetric(out, a, b);
  if constexpr (Op == least_squares) return compute::least_squares(out, a, b);
  if constexpr (Op == solve_right) return compute::solve_right(out, a, b);
  if constexpr (Op == solve_right_cholesky) return compute::solve_right_cholesky(out, a, b);
  return false;
}

template <opcode Op, class Dst, class A, class B, class C>
bool execute(Dst&& out, const node_facts&, const A& a, const B& b, const C& c) {
  using enum opcode;
  static_assert(arity_of(Op) == 3);
  if constexpr (Op == solve_lu) {
    return compute::solve_lu(out, a, b, c);
  } else if constexpr (Op == solve_lu_transposed) {
    return compute::solve_lu_transposed(out, a, b, c);
  } else if constexpr (Op == solve_ldl) {
    return compute::solve_ldl(out, a, b, c);
  } else if constexpr (compute::is_small_product<std::remove_cvref_t<Dst>, A, B>) {
    constexpr auto use =
        Op == matmul_add ? compute::product_use::added : compute::product_use::subtracted;
    compute::small_product<use>(out, a, b, c);
  } else {
    out = c;
    if constexpr (Op == matmul_add)
      out.noalias() += a * b;
    else
      out.noalias() -= a * b;
  }
  return true;
}

}  // namespace detail

}  // namespace wf
