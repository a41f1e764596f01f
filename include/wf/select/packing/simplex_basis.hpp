// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/factor.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/simplex_matrix.hpp>

namespace wf::detail {

/// A basis of the relaxation: each class has a *key* value; every row has a slot, which holds its
/// own slack unless listed here. Variables are the values, then the slacks, numbered after them;
/// limits are numbered after the rows, cuts after the limits.
struct packing_basis {
  table<std::uint32_t> key;             ///< by class: its key value
  table<std::uint32_t> slot, variable;  ///< slots without their own slack, and what they hold
  std::uint64_t stamp = 0;              ///< stamp of the basis when it was saved
  std::uint64_t pricing = 0;            ///< stamp of the reduced costs when it was saved
  std::uint64_t factor = 0;             ///< stamp of the matching factors, or 0,
  std::size_t updates = 0;              ///< and the number of their updates
};

/// The basis of the dual simplex method with its factors. A class's key takes the share that the
/// other values leave, so that the basis has a column for each row only: slacks, and values minus
/// their class's key (generalised upper bounding, Dantzig and Van Slyke 1967).
class simplex_basis : public simplex_matrix {
 public:
  /// The basis of slacks; the keys are to be set.
  constexpr explicit simplex_basis(const packing_model& model)
      : simplex_matrix(model),
        factor_(all_),
        basic_(all_),
        slot_of_(m_.values + all_),
        extras_of_(m_.classes),
        step_(all_),
        taken_(all_) {
    empty();
  }

  /// Makes room for `all_` rows; the basis must then be factorised.
  constexpr void resize_basis() {
    taken_.resize(all_);
    step_ = sparse_vector(all_);
    factor_ = packing_factor(all_);
    factored_ = placed_ = false;
    change_state();
  }

  /// Gives every slot its own slack.
  constexpr void empty() {
    for (std::uint32_t v = 0; v < m_.values; ++v) slot_of_[v] = packing_model::none;
    for (std::uint32_t r = 0; r < all_; ++r) {
      basic_[r] = m_.values + r;
      slot_of_[m_.values + r] = r;
    }
    for (std::uint32_t& count : extras_of_) count = 0;
  }

  constexpr void change_state() { stamp_ = ++clock_; }

  /// Adds `factor` times the column of a variable; that of a value is taken minus its class's key.
  constexpr void add_column(std::uint32_t variable, double factor, sparse_vector& to) const {
    if (is_slack(variable)) {
      to.at(variable - m_.values) += factor;
      return;
    }
    add_value(variable, factor, to);
    add_value(key_[m_.owner[variable]], -factor, to);
  }

  /// True if the updates have grown so long that new factors are cheaper.
  constexpr bool is_long() const {
    return factor_.updates() >= most_updates || factor_.update_entries() > 3 * factor_.entries();
  }

  /// Refactorises the basis; false if it is singular.
  constexpr bool invert() {
    columns_.clear();
    extras_.clear();
    for (std::uint32_t r = 0; r < all_; ++r) {
      taken_[r] = slot_of_[m_.values + r] == packing_model::none;
      if (is_slack(basic_[r])) continue;
      extras_.push_back(basic_[r]);
      list_column(basic_[r]);
    }
    placed_ = false;
    factored_ = factor_.factorise(columns_, taken_);
    factor_stamp_ = factored_ ? ++clock_ : 0;
    if (!factored_) return false;
    for (std::uint32_t r = 0; r < all_; ++r) {
      if (taken_[r]) continue;
      basic_[r] = m_.values + r;
      slot_of_[m_.values + r] = r;
    }
    for (std::size_t j = 0; j < extras_.size(); ++j) {
      basic_[factor_.slot(j)] = extras_[j];
      slot_of_[extras_[j]] = factor_.slot(j);
    }
    steps_ += 4 * factor_.entries();
    change_state();
    return true;
  }

  packing_factor factor_;
  table<std::uint32_t> key_;        ///< by class: its key value
  table<std::uint32_t> basic_;      ///< by slot: its variable
  table<std::uint32_t> slot_of_;    ///< by variable: its slot, or `none`
  table<std::uint32_t> extras_of_;  ///< by class: number of basic values beside its key
  sparse_vector step_;              ///< scratch
  bool factored_ = false;           ///< the factors are those of the basis
  bool placed_ = false;             ///< the primal values are those of the basis
  std::uint64_t clock_ = 0, stamp_ = 0, factor_stamp_ = 0;
  std::uint64_t steps_ = 0;  ///< number of innermost-loop passes

 private:
  static constexpr std::size_t most_updates = 64;

  /// Appends the column of a value minus its class's key to `columns_`.
  constexpr void list_column(std::uint32_t v) {
    step_.clear();
    add_column(v, 1, step_);
    for (const std::uint32_t r : step_.index())
      if (step_[r] != 0) columns_.add(r, step_[r]);
    columns_.close();
  }

  table<std::uint8_t> taken_;
  sparse_columns columns_;
  table<std::uint32_t> extras_;
};

}  // namespace wf::detail
