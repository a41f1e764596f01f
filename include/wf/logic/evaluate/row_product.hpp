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
      const double* const from = of_dense_ + static_cast<std::size_t>(key) * width_ + column;
      const double factor = factors != nullptr ? factors[e] : 1;
      for (std::size_t c = 0; c < Columns; ++c) sums[c] += factor * from[c];
    }
    for (std::size_t c = 0; c < Columns; ++c) to[column + c] = sums[c];
    return any;
  }

  // The sums of a row of H in some columns, of a dense F with so many entries in a row.
  template <std::size_t Columns>
  constexpr void add_dense_row(const double* factors, const double* from, std::size_t inner,
                               double* to) {
    double sums[Columns] = {};
    for (std::size_t k = 0; k < inner; ++k) {
      const double* const row = from + k * width_;
      for (std::size_t c = 0; c < Columns; ++c) sums[c] += factors[k] * row[c];
    }
    for (std::size_t c = 0; c < Columns; ++c) to[c] = sums[c];
  }
  template <std::size_t Columns>
  constexpr std::size_t add_dense_columns(const double* factors, const double* from,
                                          std::size_t inner, std::size_t column) {
    const auto height = static_cast<std::size_t>(row_bounds_.size);
    for (; column + Columns <= width_; column += Columns) {
      for (std::size_t row = 0; row < height; ++row)
        add_dense_row<Columns>(factors + row * inner, from + column, inner,
                               sums_.data() + row * width_ + column);
    }
    return column;
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
  /// H in lexicographic order, after `fits`. O(entries of F · columns of D + cells).
  constexpr tensor_store run() {
    const auto height = static_cast<std::size_t>(row_bounds_.size);
    sums_ = table<double>(height * width_);
    present_ = table<bool>(height);
    make_dense();
    if (add_dense_rows()) return result();
    const position* const to = factors_->columns[row_column_].data();
    for (std::size_t first = 0, last = 0; first < factors_->rows; first = last) {
      while (last < factors_->rows && to[last] == to[first]) ++last;
      add_rows(first, last, static_cast<std::size_t>(row_bounds_.offset(to[first])));
    }
    return result();
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
    factors_ = &stores_[factors.tensor].entries();
    dense_ = &stores_[dense.tensor];
    if (!is_by_rows()) stores_[dense.tensor].list();
    return is_worth_it(f, least, most);
  }
  // A result with rows far apart would be empty for the most part.
  constexpr bool is_worth_it(std::uint32_t f, std::uint64_t least, std::uint64_t most) {
    if (factors_->rows == 0 || dense_->rows() == 0) return false;
    const tensor_store& factors = stores_[join(f).tensor];
    row_bounds_ = factors.bounds_in(row_column_);
    dense_factors_ = factors.kind() == lookup_kind::dense;
    if (dense_factors_) key_bounds_ = factors.bounds()[1 - row_column_];
    keys_ = dense_->bounds_in(key_column_);
    columns_ = {0, 1};
    if (rule_.head.terms.count == 2) columns_ = dense_->bounds_in(1 - key_column_);
    width_ = static_cast<std::size_t>(columns_.size);
    return keys_.size * columns_.size == dense_->rows() && factors_->rows * width_ >= least &&
           row_bounds_.size <= 4 * factors_->rows && row_bounds_.size <= most / columns_.size;
  }

  // True if the values of D are stored row by row.
  constexpr bool is_by_rows() const {
    return dense_->kind() == lookup_kind::dense && key_column_ == 0;
  }
  // The values of D, row by row.
  constexpr void make_dense() {
    of_dense_ = dense_->values().data();
    if (is_by_rows()) return;
    const std::size_t rows = dense_->rows();
    values_ = table<double>(rows);
    of_dense_ = values_.data();
    const position* const keys = dense_->entries().columns[key_column_].data();
    const position* const columns =
        rule_.head.terms.count == 2 ? dense_->entries().columns[1 - key_column_].data() : nullptr;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint64_t at = keys_.offset(keys[row]) * columns_.size +
                               (columns != nullptr ? columns_.offset(columns[row]) : 0);
      values_[static_cast<std::size_t>(at)] = dense_->value(static_cast<std::uint32_t>(row));
    }
  }
  // Fetches the rows of D of entries whose turn comes soon: they are far apart.
  void fetch(std::size_t first, std::size_t last) const {
    const position* const keys = factors_->columns[1 - row_column_].data();
    for (std::size_t e = first; e < last && e < factors_->rows; ++e) {
      const std::uint64_t key = keys_.offset(keys[e]);
      if (key >= keys_.size) continue;
      const double* const from = of_dense_ + static_cast<std::size_t>(key) * width_;
      __builtin_prefetch(from);
      if (width_ > 8) __builtin_prefetch(from + 8);
    }
  }
  static constexpr std::size_t ahead = 32;
  // Adds the products of a dense F with consecutive positions of j that D has. False for another F.
  constexpr bool add_dense_rows() {
    if (!dense_factors_ || row_column_ != 0 || !factors_->valued) return false;
    const auto inner = static_cast<std::size_t>(key_bounds_.size);
    const std::uint64_t first = keys_.offset(key_bounds_.low);
    if (first >= keys_.size || inner > keys_.size - first) return false;
    const double* const factors = factors_->values.data();
    const double* const from = of_dense_ + static_cast<std::size_t>(first) * width_;
    std::size_t column = add_dense_columns<16>(factors, from, inner, 0);
    column = add_dense_columns<4>(factors, from, inner, column);
    (void)add_dense_columns<1>(factors, from, inner, column);
    for (bool& each : present_) each = true;
    return true;
  }
  // Adds the products of the entries [first, last) of F, which are in one row of H.
  constexpr void add_rows(std::size_t first, std::size_t last, std::size_t row) {
    double* const to = sums_.data() + row * width_;
    std::size_t column = 0;
    bool any = false;
    if (!__builtin_is_constant_evaluated()) fetch(first + ahead, last + ahead);
    for (; column + 16 <= width_; column += 16) any = add_block<16>(first, last, column, to);
    for (; column + 4 <= width_; column += 4) any = add_block<4>(first, last, column, to);
    for (; column < width_; ++column) any = add_block<1>(first, last, column, to);
    present_[row] = present_[row] || any;
  }
  constexpr tensor_store result() {
    std::size_t rows = 0;
    for (const bool p : present_) rows += p ? 1 : 0;
    const std::uint32_t rank = rule_.head.terms.count;
    if (rows == present_.size() && row_place_ == 0) {
      const column_bounds bounds[] = {row_bounds_, columns_};
      return {view<column_bounds>(bounds, rank), static_cast<table<double>&&>(sums_)};
    }
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
    return tensor_store(static_cast<relation&&>(out));
  }

  const tensor_program& program_;
  const rule& rule_;
  table<tensor_store>& stores_;
  const relation* factors_ = nullptr;              // the entries of F
  const tensor_store* dense_ = nullptr;            // those of D
  const double* of_dense_ = nullptr;               // its values, row by row
  std::uint32_t row_column_ = 0, key_column_ = 0;  // columns of i in F, of j in D
  std::uint32_t row_place_ = 0;                    // position of i in the head
  column_bounds row_bounds_, keys_, columns_;      // of i in F, j in D, k
  bool dense_factors_ = false;
  column_bounds key_bounds_;     // of j in a dense F
  std::size_t width_ = 0;        // number of columns of D
  table<double> values_, sums_;  // of D, if they are not so; of H
  table<bool> present_;          // by row of H
};

}  // namespace wf::logic::detail
