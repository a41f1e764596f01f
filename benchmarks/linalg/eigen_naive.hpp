// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

#include <wf/run/values/named_matrices.hpp>

#include <linalg/dense.hpp>
#include <linalg/formula.hpp>
#include <linalg/scalars.hpp>

namespace linalg_benchmark {

/// A formula in naive Eigen: matrices are dense, inverses are `.inverse()`, products go from the
/// left, transposes and scalars are parts of products and sums. It makes as few temporaries and
/// passes as Eigen's expressions: a sum reads each summand once, and products are accumulated in
/// place.
template <class Number>
class eigen_naive {
 public:
  /// Requires a formula whose inverses are computed (`inverses::computed`).
  eigen_naive(formula f, const wf::named_matrices& inputs)
      : formula_(std::move(f)), scalars_(formula_, inputs) {
    for (const matrix_value& m : formula_.matrices)
      inputs_.push_back(m.input.empty() ? dense<Number>()
                                        : inputs.find(m.input)->second.template cast<Number>());
    computed_.resize(inputs_.size());
  }

  void run() {
    scalars_.run();
    for (const matrix_step& s : formula_.steps) {
      const matrix_value& made = formula_.matrices[s.result];
      dense<Number>& out = computed_[s.result];
      out.resize(made.rows, made.columns);
      compute(s, out);
      for (const std::uint32_t m : s.last_uses) computed_[m] = dense<Number>();
    }
  }

  /// The value of an output after `run`.
  const dense<Number>& output(std::size_t k) const { return computed_[formula_.outputs[k].matrix]; }

 private:
  bool is_identity(const factor& f) const {
    const matrix_value& m = formula_.matrices[f.matrix];
    return !m.input.empty() && m.known.has(wf::identity);
  }
  operand_view<Number> view(const factor& f) const {
    const dense<Number>& m =
        formula_.matrices[f.matrix].input.empty() ? computed_[f.matrix] : inputs_[f.matrix];
    return operand_view<Number>(m, f.transposed);
  }

  void compute(const matrix_step& s, dense<Number>& out) {
    if (s.terms.size() == 1 && s.terms[0].factors[0].inverted) {
      const Number scalar = scalars_.template get<Number>(s.terms[0].scalar);
      view(s.terms[0].factors[0]).with([&](const auto& m) { out = m.inverse(); });
      if (scalar != Number(1)) out *= scalar;
      return;
    }
    std::vector<summand<Number>>& plain = plain_;
    plain.clear();
    for (const term& t : s.terms)
      if (t.factors.size() == 1)
        plain.push_back({scalars_.template get<Number>(t.scalar), view(t.factors[0]),
                         is_identity(t.factors[0])});
    if (!plain.empty()) add_up(out, plain);
    bool first = plain.empty();
    for (const term& t : s.terms)
      if (t.factors.size() > 1) add_product(t, out, std::exchange(first, false));
  }

  void add_product(const term& t, dense<Number>& out, bool first) {
    const Number scalar = scalars_.template get<Number>(t.scalar);
    operand_view<Number> left = view(t.factors[0]);
    dense<Number> held;
    for (std::size_t k = 1; k + 1 < t.factors.size(); ++k) {
      const operand_view<Number> right = view(t.factors[k]);
      dense<Number> made(left.rows(), right.columns());
      multiply<false>(made, Number(1), left, right);
      held = std::move(made);
      left = operand_view<Number>(held);
    }
    const operand_view<Number> last = view(t.factors.back());
    if (first)
      multiply<false>(out, scalar, left, last);
    else
      multiply<true>(out, scalar, left, last);
  }

  formula formula_;
  scalar_values scalars_;
  std::vector<dense<Number>> inputs_, computed_;
  std::vector<summand<Number>> plain_;
};

}  // namespace linalg_benchmark
