// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/strata.hpp>
#include <wf/logic/relation/store.hpp>

namespace wf::logic::detail {

/// Evaluates a sum of products of a sparse and a dense matrix, or vector, as
///
///     H[i,k] = F[i,j] D[j,k]        H[i] += R(i,j) D[j]
///
/// whatever the order of positions and factors: each entry of F adds a multiple of a row of D to a
/// row of H, without looking anything up. A matrix is dense if an entry stands at every position
/// within its bounds.
class row_product {
  // Stands first: clang evaluates constants before it has seen the rest of the class.
  // Adds the products of some entries of F, which are in one row of H, in some columns, whose sums
  // stay in registers. False if no row of D is met.
  template <std::size_t Columns>
  constexpr bool add_block(std::size_t first, std::size_t last, std::size_t column, double* to) {
    const position* const keys = factors_->columns[1 - row_column_].data();
    const double* const factors = factors_->valued ? factors_->values.data() : nullptr;
    double sums[Columns] = {};
    bool any = false;
    for (std::size_t c = 0; c < Columns; ++c) sums[c] = to[column + c];
    for (std::size_t e = first; e < last; ++e) {
      const std::uint64_t key = keys_.offset(keys[e]);
      if (key >= keys_.size) continue;
      any = true;
      const double* const from = values_.data() + static_cast<std::size_t>(key) * width_ + column;
      const double factor = factors != nullptr ? factors[e] : 1;
      for (std::size_t c = 0; c < Columns; ++c) sums[c] += factor * from[c];
    }
    for (std::size_t c = 0; c < Columns; ++c) to[column + c] = sums[c];
    return any;
  }

 public:
  constexpr row_product(const tensor_program& p, const rule& r, table<tensor_store>& stores)
      : program_(p), rule_(r), stores_(stores) {}

  /// True for a rule of that form over a dense matrix whose result has at most `most` cells and
  /// takes `least` multiplications. Lists the stores of its joins.
  constexpr bool fits(std::uint64_t least, std::uint64_t most) {
    if (!adds_terms(rule_.projection) || rule_.projection == projection::mean ||
        rule_.joins.count != 2 || rule_.negations.count + rule_.lookups.count != 0 ||
        rule_.comparisons.count != 0)
      return false;
    return takes(0, 1, least, most) || takes(1, 0, least, most);
  }
  /// Number of rows that nested loops would visit, after `fits`.
  constexpr std::uint64_t bindings() const { return factors_->rows * (1 + width_); }
  /// The entries of H in lexicographic order, after `fits`. O(entries of F · columns of D + cells).
  constexpr relation run() {
    const auto height = static_cast<std::size_t>(row_bounds_.size);
    sums_ = table<double>(height * width_);
    present_ = table<bool>(height);
    make_dense();
    const position* const to = factors_->columns[row_column_].data();
    for (std::size_t first = 0, last = 0; first < factors_->rows; first = last) {
      while (last < factors_->rows && to[last] == to[first]) ++last;
      add_rows(first, last, static_cast<std::size_t>(row_bounds_.offset(to[first])));
    }
    return listed();
  }

 private:
  constexpr const atom& join(std::uint32_t i) const {
    return program_.atoms[rule_.joins.first + i];
  }
  // The position of a variable in an atom as it is, or `none`.
  constexpr std::uint32_t place_of(const atom& a, std::uint32_t variable) const {
    std::uint32_t found = none;
    for (std::uint32_t c = 0; c < a.terms.count; ++c) {
      const term& t = program_.terms[a.terms.first + c];
      if (t.kind == term_kind::variable && t.variable == variable) found = c;
    }
    return found;
  }
  // True if a rule's value is the product of what its joins have.
  constexpr bool is_product(std::uint32_t f, std::uint32_t d) const {
    if (rule_.value == none) return false;
    const scalar_node& v = program_.scalars[rule_.value];
    const auto reads = [&](std::uint32_t node, std::uint32_t i) {
      const scalar_node& n = program_.scalars[node];
      return n.kind == scalar_kind::joined && n.index == i;
    };
    if (program_.tensors[join(f).tensor].boolean) return reads(rule_.value, d);
    return v.kind == scalar_kind::product &&
           ((reads(v.left, f) && reads(v.right, d)) || (reads(v.left, d) && reads(v.right, f)));
  }
  // Lets join f be F and join d be D, if they can.
  constexpr bool takes(std::uint32_t f, std::uint32_t d, std::uint64_t least, std::uint64_t most) {
    const atom &head = rule_.head, &factors = join(f), &dense = join(d);
    if (factors.terms.count != 2 || dense.terms.count != head.terms.count ||
        head.terms.count == 0 || head.terms.count > 2 || !stores_[dense.tensor].valued() ||
        !program_.has_plain_variables(head) || !program_.has_plain_variables(factors) ||
        !program_.has_plain_variables(dense) || !is_product(f, d))
      return false;
    const auto variable = [&](const atom& a, std::uint32_t c) {
      return program_.terms[a.terms.first + c].variable;
    };
    row_column_ = place_of(head, variable(factors, 0)) != none ? 0 : 1;
    const std::uint32_t i = variable(factors, row_column_), j = variable(factors, 1 - row_column_);
    row_place_ = place_of(head, i);
    key_column_ = place_of(dense, j);
    if (row_place_ == none || key_column_ == none || place_of(head, j) != none ||
        place_of(dense, i) != none)
      return false;
    if (head.terms.count == 2 && place_of(dense, variable(head, 1 - row_place_)) != 1 - key_column_)
      return false;
    stores_[factors.tensor].list();
    stores_[dense.tensor].list();
    factors_ = &stores_[factors.tensor].entries();
    dense_ = &stores_[dense.tensor].entries();
    return is_worth_it(least, most);
  }
  // A result with rows far apart would be empty for the most part.
  constexpr bool is_worth_it(std::uint64_t least, std::uint64_t most) {
    if (factors_->rows == 0 || dense_->rows == 0) return false;
    row_bounds_ = bounds_of(factors_->columns[row_column_]);
    keys_ = bounds_of(dense_->columns[key_column_]);
    columns_ = {0, 1};
    if (rule_.head.terms.count == 2) columns_ = bounds_of(dense_->columns[1 - key_column_]);
    width_ = static_cast<std::size_t>(columns_.size);
    return keys_.size * columns_.size == dense_->rows && factors_->rows * width_ >= least &&
           row_bounds_.size <= 4 * factors_->rows && row_bounds_.size <= most / columns_.size;
  }

  // The values of D, row by row.
  constexpr void make_dense() {
    values_ = table<double>(dense_->rows);
    const position* const keys = dense_->columns[key_column_].data();
    const position* const columns =
        rule_.head.terms.count == 2 ? dense_->columns[1 - key_column_].data() : nullptr;
    for (std::size_t row = 0; row < dense_->rows; ++row) {
      const std::uint64_t at = keys_.offset(keys[row]) * columns_.size +
                               (columns != nullptr ? columns_.offset(columns[row]) : 0);
      values_[static_cast<std::size_t>(at)] = dense_->values[row];
    }
  }
  // Adds the products of the entries [first, last) of F, which are in one row of H.
  constexpr void add_rows(std::size_t first, std::size_t last, std::size_t row) {
    double* const to = sums_.data() + row * width_;
    std::size_t column = 0;
    bool any = false;
    for (; column + 16 <= width_; column += 16) any = add_block<16>(first, last, column, to);
    for (; column + 4 <= width_; column += 4) any = add_block<4>(first, last, column, to);
    for (; column < width_; ++column) any = add_block<1>(first, last, column, to);
    present_[row] = present_[row] || any;
  }
  constexpr relation listed() const {
    std::size_t rows = 0;
    for (const bool p : present_) rows += p ? 1 : 0;
    const std::uint32_t rank = rule_.head.terms.count;
    relation out(rank, true);
    out.rows = rows * width_;
    for (table<position>& c : out.columns) c = table<position>(out.rows);
    out.values = table<double>(out.rows);
    std::size_t at = 0;
    const auto put = [&](std::size_t row, std::size_t column) {
      out.columns[row_place_][at] = row_bounds_.at(row);
      if (rank == 2) out.columns[1 - row_place_][at] = columns_.at(column);
      out.values[at++] = sums_[row * width_ + column];
    };
    if (row_place_ == 0) {
      for (std::size_t row = 0; row < present_.size(); ++row)
        for (std::size_t column = 0; column < width_ && present_[row]; ++column) put(row, column);
    } else {
      for (std::size_t column = 0; column < width_; ++column)
        for (std::size_t row = 0; row < present_.size(); ++row)
          if (present_[row]) put(row, column);
    }
    return out;
  }

  const tensor_program& program_;
  const rule& rule_;
  table<tensor_store>& stores_;
  const relation *factors_ = nullptr, *dense_ = nullptr;  // the entries of F and D
  std::uint32_t row_column_ = 0, key_column_ = 0;         // columns of i in F, of j in D
  std::uint32_t row_place_ = 0;                           // position of i in the head
  column_bounds row_bounds_, keys_, columns_;             // of i in F, j in D, k
  std::size_t width_ = 0;                                 // number of columns of D
  table<double> values_, sums_;                           // of D and H, row by row
  table<bool> present_;                                   // by row of H
};

}  // namespace wf::logic::detail
