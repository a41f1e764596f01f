// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include <armadillo>

namespace linalg_benchmark {

/// A factor of a product of Armadillo.
struct arma_factor {
  const arma::mat* matrix = nullptr;
  bool transposed = false;
  bool inverted = false;
  arma::mat* spare = nullptr;  ///< the matrix, if it may be overwritten: nothing else reads it
};

namespace detail {

/// Calls f with the Armadillo expression of the factor.
template <bool Inverts, class F>
void with_factor(const arma_factor& a, F f) {
  const arma::mat& m = *a.matrix;
  if constexpr (Inverts) {
    if (a.inverted && a.transposed) return f(arma::inv(arma::trans(m)));
    if (a.inverted) return f(arma::inv(m));
  }
  if (a.transposed) return f(arma::trans(m));
  f(m);
}

// out = left * the next `Count` factors, as one expression, so that Armadillo chooses the order.
template <std::size_t Count, bool Inverts, class Left>
void multiply_out(arma::mat& out, const Left& left, const arma_factor* next) {
  if constexpr (Count == 0)
    out = left;
  else
    with_factor<Inverts>(*next, [&](const auto& right) {
      multiply_out<Count - 1, Inverts>(out, left * right, next + 1);
    });
}
template <std::size_t Count, bool Inverts>
void multiply_expression(arma::mat& out, const arma_factor* factors) {
  with_factor<Inverts>(factors[0], [&](const auto& first) {
    multiply_out<Count - 1, Inverts>(out, first, factors + 1);
  });
}

// Replaces a factor by its inverse.
inline void invert_now(arma_factor& f, std::deque<arma::mat>& held) {
  arma::mat& made = held.emplace_back();
  if (f.transposed) {
    made = arma::inv(arma::trans(*f.matrix));
  } else if (f.spare != nullptr) {
    made.steal_mem(*f.spare);
    if (!arma::inv(made, made)) made.fill(arma::datum::nan);
  } else {
    made = arma::inv(*f.matrix);
  }
  f = {&made, false, false, nullptr};
}

// In products of two and three factors Armadillo solves a linear system with the first inverted
// factor, except the last one. Returns its position, or the number of factors if there is none.
inline std::size_t solved_factor(const std::vector<arma_factor>& factors) {
  if (factors.size() == 2 || factors.size() == 3)
    for (std::size_t k = 0; k + 1 < factors.size(); ++k)
      if (factors[k].inverted) return k;
  return factors.size();
}

// out = inv(factors[0])·(the rest) as Armadillo solves it, with the matrix factorised in place: in
// C++ a temporary that is inverted may be factorised in its own storage.
inline void solve_in_place(arma::mat& out, const std::vector<arma_factor>& factors,
                           std::deque<arma::mat>& held) {
  std::vector<arma_factor> rest(factors.begin() + 1, factors.end());
  for (arma_factor& f : rest)
    if (f.inverted) invert_now(f, held);
  if (rest.size() == 2) {
    arma::mat& made = held.emplace_back();
    multiply_expression<2, false>(made, rest.data());
    rest = {{&made, false, false, nullptr}};
  }
  with_factor<false>(rest[0], [&](const auto& right) {
    if (!arma::auxlib::solve_square_fast(out, *factors[0].spare, right)) out.fill(arma::datum::nan);
  });
}

}  // namespace detail

/// out = the product of the factors, as the expression f1*f2*... of Armadillo, which turns inverses
/// in products of two and three into solutions and orders products of up to four. In products of
/// four and more it computes inverses first; of more than four it multiplies the first four, then
/// the others from the left. Overwrites spare matrices.
inline void multiply_chain(arma::mat& out, std::vector<arma_factor> factors) {
  std::deque<arma::mat> held;
  const std::size_t solved = detail::solved_factor(factors);
  for (std::size_t k = 0; k < factors.size(); ++k)
    if (factors[k].inverted && k != solved && factors.size() > 1)
      detail::invert_now(factors[k], held);
  const bool in_place =
      solved < factors.size() && factors[solved].spare != nullptr && !factors[solved].transposed;
  if (in_place && solved == 0) return detail::solve_in_place(out, factors, held);
  if (in_place) {
    arma::mat& made = held.emplace_back();
    detail::solve_in_place(made, {factors[1], factors[2]}, held);
    factors = {factors[0], {&made, false, false, nullptr}};
  }
  const arma_factor* const first = factors.data();
  if (factors.size() == 1 && first->inverted && first->spare != nullptr && !first->transposed) {
    detail::invert_now(factors[0], held);
    out.steal_mem(held.back());
    return;
  }
  if (factors.size() == 1) return detail::multiply_expression<1, true>(out, first);
  if (factors.size() == 2) return detail::multiply_expression<2, true>(out, first);
  if (factors.size() == 3) return detail::multiply_expression<3, true>(out, first);
  detail::multiply_expression<4, false>(out, first);
  for (std::size_t k = 4; k < factors.size(); ++k) {
    arma::mat left;
    left.steal_mem(out);
    const arma_factor pair[] = {{&left, false, false, nullptr}, factors[k]};
    detail::multiply_expression<2, false>(out, pair);
  }
}

}  // namespace linalg_benchmark
