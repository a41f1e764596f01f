// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/row_run.hpp>
#include <wf/logic/evaluate/valued_closure.hpp>

namespace wf::logic::detail {

/// The entries of a row tensor with values: a dense matrix, with the zero of its semiring where
/// there is none.
struct valued_rows {
  std::size_t rows = 0, columns = 0;
  table<double> values;
  bit_rows fresh;  ///< values that no move has read yet

  constexpr valued_rows() = default;
  constexpr valued_rows(std::size_t of_rows, std::size_t of_columns, double zero)
      : rows(of_rows), columns(of_columns), values(of_rows * of_columns, zero) {}
  constexpr double* row(std::size_t r) { return values.data() + r * columns; }
};

/// Applies moves to row tensors with values until none changes. A queue holds the rows with fresh
/// values. The semiring is idempotent.
template <class Semiring>
class valued_row_run {
 public:
  constexpr valued_row_run(table<valued_rows>& tensors, view<row_moves> links,
                           std::uint64_t max_visits)
      : tensors_(tensors), links_(links), max_visits_(max_visits) {
    for (valued_rows& t : tensors) {
      queue_.add_tensor(t.rows);
      t.fresh = bit_rows(t.rows, t.columns);
    }
    visits_ = table<std::uint64_t>(queue_.rows(), 0);
  }

  /// False if a row is visited too often, or a value has no bound.
  constexpr bool run() {
    for (std::uint32_t t = 0; t < tensors_.size(); ++t)
      for (std::size_t r = 0; r < tensors_[t].rows; ++r)
        for (std::size_t c = 0; c < tensors_[t].columns; ++c)
          if (tensors_[t].row(r)[c] != Semiring::zero) changed(t, r, c);
    while (!queue_.empty()) {
      const row_queue::entry e = queue_.pop();
      if (++visits_[queue_.number(e.tensor, e.row)] > max_visits_ || !step(e.tensor, e.row))
        return false;
    }
    return true;
  }

 private:
  constexpr void changed(std::uint32_t t, std::size_t row, std::size_t column) {
    tensors_[t].fresh.set(row, column);
    queue_.push(t, row);
  }
  constexpr bool add(std::uint32_t t, std::size_t row, std::size_t column, double value) {
    double& present = tensors_[t].row(row)[column];
    if (!add_to<Semiring>(present, value)) return true;
    changed(t, row, column);
    return !is_endless<Semiring>(present);
  }
  constexpr bool step(std::uint32_t t, std::size_t row) {
    taken_.clear();
    bit_rows& fresh = tensors_[t].fresh;
    wf::detail::each_bit(fresh.row(row), fresh.width(), [&](std::uint32_t bit) {
      taken_.push_back({tensors_[t].row(row)[bit], bit});
    });
    for (std::size_t w = 0; w < fresh.width(); ++w) fresh.row(row)[w] = 0;
    for (const row_moves& l : links_)
      if (l.from == t && !apply(l, row)) return false;
    return true;
  }
  constexpr bool apply(const row_moves& l, std::size_t row) {
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      const waiting_value<Semiring> v = taken_[k];
      if (l.identity) {
        if (!add(l.to, row, v.place, v.value)) return false;
        continue;
      }
      const std::size_t from = l.moves_rows ? row : v.place;
      const view<std::uint32_t> targets = l.pairs.of(from);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const double value = Semiring::multiply(v.value, l.pairs.weights[l.pairs.starts[from] + i]);
        const bool fine = l.moves_rows ? add(l.to, targets[i], v.place, value)
                                       : add(l.to, row, targets[i], value);
        if (!fine) return false;
      }
    }
    return true;
  }

  table<valued_rows>& tensors_;
  view<row_moves> links_;
  std::uint64_t max_visits_;
  row_queue queue_;
  table<std::uint64_t> visits_;
  table<waiting_value<Semiring>> taken_;
};

}  // namespace wf::logic::detail

namespace wf::logic {

/// What evaluates recursions by rows over an idempotent semiring, for
/// `evaluation_options::semirings`.
struct row_semiring {
  text_view addition, multiplication;       ///< names of the operators
  double zero = 0, one = 0;                 ///< as of the semiring
  double (*add)(double, double) = nullptr;  ///< a + b
  /// `detail::valued_closure`, whose lists become `reached`, and `detail::valued_row_run`.
  detail::closing (*close)(const detail::adjacency& starts, const detail::adjacency& moves,
                           std::size_t columns, std::uint64_t max_passes,
                           detail::adjacency& reached) = nullptr;
  bool (*run)(table<detail::valued_rows>&, view<detail::row_moves>,
              std::uint64_t max_visits) = nullptr;  ///< likewise
};

/// The evaluation by rows over a semiring.
template <class Semiring>
  requires(Semiring::is_idempotent)
inline constexpr row_semiring rows_over{
    .addition = Semiring::addition.name,
    .multiplication = Semiring::multiplication.name,
    .zero = Semiring::zero,
    .one = Semiring::one,
    .add = [](double a, double b) { return Semiring::add(a, b); },
    .close =
        [](const detail::adjacency& starts, const detail::adjacency& moves, std::size_t columns,
           std::uint64_t max_passes, detail::adjacency& reached) {
          detail::valued_closure<Semiring> closure(starts, moves, columns, max_passes);
          const detail::closing end = closure.run();
          reached = closure.take_lists();
          return end;
        },
    .run =
        [](table<detail::valued_rows>& tensors, view<detail::row_moves> links,
           std::uint64_t max_visits) {
          return detail::valued_row_run<Semiring>(tensors, links, max_visits).run();
        }};

namespace detail {
inline constexpr row_semiring built_in_semirings[] = {rows_over<min_plus>, rows_over<max_plus>,
                                                      rows_over<max_min>, rows_over<min_max>};
}  // namespace detail

}  // namespace wf::logic
