// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <wf/run/values/named_matrices.hpp>

#include <linalg/eigen_factors.hpp>
#include <linalg/formula.hpp>
#include <linalg/scalars.hpp>
#include <linalg/solving.hpp>
#include <linalg/structured.hpp>

namespace linalg_benchmark {

/// A formula as Eigen's documentation recommends it: a fitting factorisation in place of an inverse
/// (see solving.hpp), and declared properties in products, which go from the left as written. Each
/// matrix is factorised once.
class eigen_recommended {
 public:
  /// Requires a formula whose inverses are factors (`inverses::factors`).
  eigen_recommended(formula f, right_side solved, const wf::named_matrices& inputs)
      : formula_(std::move(f)), solved_(solved), scalars_(formula_, inputs) {
    for (const matrix_value& m : formula_.matrices)
      inputs_.push_back(m.input.empty() ? nullptr : &inputs.find(m.input)->second);
    computed_.resize(inputs_.size());
  }

  void run() {
    scalars_.run();
    factors_.clear();
    factors_.resize(inputs_.size());
    for (const matrix_step& s : formula_.steps) {
      const matrix_value& made = formula_.matrices[s.result];
      dense<double>& out = computed_[s.result];
      out.resize(made.rows, made.columns);
      compute(s, out);
      for (const std::uint32_t m : s.last_uses) {
        computed_[m] = dense<double>();
        factors_[m].reset();
      }
    }
  }

  /// The value of an output after `run`.
  const dense<double>& output(std::size_t k) const { return computed_[formula_.outputs[k].matrix]; }

 private:
  const matrix_value& known(const factor& f) const { return formula_.matrices[f.matrix]; }
  bool is_identity(const factor& f) const {
    return !known(f).input.empty() && known(f).known.has(wf::identity);
  }
  operand_view<double> view_of(const factor& f) const {
    const dense<double>* const given = inputs_[f.matrix];
    return operand_view<double>(given != nullptr ? *given : computed_[f.matrix], f.transposed);
  }

  const eigen_factors& factorised(const factor& f) {
    std::optional<eigen_factors>& made = factors_[f.matrix];
    if (made) return *made;
    const bool definite = known(f).known.has(wf::psd);
    if (inputs_[f.matrix] != nullptr)
      made.emplace(*inputs_[f.matrix], structure_of(known(f).known), definite);
    else if (known(f).inverted_only)
      made.emplace(std::move(computed_[f.matrix]), definite);
    else
      made.emplace(computed_[f.matrix], structure::general, definite);
    return *made;
  }

  void compute(const matrix_step& s, dense<double>& out) {
    plain_.clear();
    for (const term& t : s.terms)
      if (is_plain(t))
        plain_.push_back(
            {scalars_.get(t.scalar), view(t.factors[0]).view, is_identity(t.factors[0])});
    if (!plain_.empty()) add_up(out, plain_);
    bool first = plain_.empty();
    for (const term& t : s.terms)
      if (!is_plain(t)) add_product(t, out, std::exchange(first, false));
  }
  static bool is_plain(const term& t) { return t.factors.size() == 1 && !t.factors[0].inverted; }

  void add_product(const term& t, dense<double>& out, bool first) {
    const double scalar = scalars_.get(t.scalar);
    std::deque<part> parts = without_inverses(t, solved_, *this);
    while (parts.size() > 2) multiply_first(parts);
    if (parts.size() == 2 && first) {
      multiply_structured<false>(out, scalar, parts[0], parts[1]);
    } else if (parts.size() == 2) {
      multiply_structured<true>(out, scalar, parts[0], parts[1]);
    } else if (first && parts[0].owned != nullptr) {
      out = std::move(*parts[0].owned);
      if (scalar != 1) out *= scalar;
    } else {
      if (first) out.setZero();
      parts[0].view.with([&](const auto& m) { out += scalar * m; });
    }
    held_.clear();
  }

  // --- interface that solving.hpp requires -------------------------------------------------------

  /// A factor, or a temporary.
  struct part : structured_operand {
    dense<double>* owned = nullptr;
  };
  template <class Library>
  friend std::deque<typename Library::part> without_inverses(const term& t, right_side solved,
                                                             Library& library);

  dense<double>& temporary(Eigen::Index rows, Eigen::Index columns) {
    return held_.emplace_back(rows, columns);
  }
  static part as_part(dense<double>& made, bool by_rows = false) {
    return {{operand_view<double>(made, by_rows), structure::general}, by_rows ? nullptr : &made};
  }

  part view(const factor& f) const {
    const bool given = inputs_[f.matrix] != nullptr;
    const structure kind = given ? structure_of(known(f).known) : structure::general;
    return {{view_of(f), f.transposed ? transposed(kind) : kind}, nullptr};
  }
  part inverse(const factor& f) {
    dense<double>& made = temporary(known(f).rows, known(f).columns);
    factorised(f).inverse(made, f.transposed);
    return as_part(made);
  }
  /// Eigen stores a solution in the order of the right side, unless it is the result.
  part solve(const factor& f, const part& right, bool is_result) {
    const Eigen::Index rows = right.view.rows(), columns = right.view.columns();
    const bool by_rows = right.view.transposed && !is_result;
    dense<double>& made = by_rows ? temporary(columns, rows) : temporary(rows, columns);
    factorised(f).solve(made, by_rows, f.transposed, right.view);
    return as_part(made, by_rows);
  }
  /// Solves X·A = B as A'·X' = B', with X' by rows where X is by columns.
  part solve_right(const part& left, const factor& f) {
    dense<double>& made = temporary(left.view.rows(), left.view.columns());
    operand_view<double> flipped = left.view;
    flipped.transposed = !flipped.transposed;
    factorised(f).solve(made, true, !f.transposed, flipped);
    return as_part(made);
  }
  part product(std::deque<part>& parts) {
    while (parts.size() > 1) multiply_first(parts);
    return parts.front();
  }
  /// Replaces the first two parts by their product.
  void multiply_first(std::deque<part>& parts) {
    dense<double>& made = temporary(parts[0].view.rows(), parts[1].view.columns());
    multiply_structured<false>(made, 1.0, parts[0], parts[1]);
    parts.pop_front();
    parts.front() = as_part(made);
  }

  formula formula_;
  right_side solved_;
  scalar_values scalars_;
  std::vector<const dense<double>*> inputs_;  // by matrix; null if it is computed
  std::vector<dense<double>> computed_;
  std::vector<std::optional<eigen_factors>> factors_;
  std::vector<summand<double>> plain_;
  std::deque<dense<double>> held_;  // temporaries of one product
};

}  // namespace linalg_benchmark
