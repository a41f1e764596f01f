// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/choice.hpp>
#include <wf/select/packing/improve.hpp>
#include <wf/select/packing/model.hpp>

namespace wf::detail {

/// The judge of models that price their solutions exactly; it is never called.
struct no_judge {
  constexpr priced_choice judge(const table<std::uint32_t>&) { return {}; }
};

/// The best solution that a packing search knows. What it is offered is completed and improved
/// within a budget, or priced by a judge. Values are without the model's base.
template <class Judge = no_judge>
class packing_incumbent {
 public:
  /// If `judge` is not null, `judge->judge(choice)` prices a value for each class, the base
  /// included, and nothing is improved.
  constexpr packing_incumbent(const packing_model& model, Judge* judge)
      : m_(model), judge_(judge), improver_(model) {}

  /// True if a judge prices the solutions.
  constexpr bool is_judged() const { return judge_ != nullptr; }

  /// Sets the budget for improving solutions, in steps.
  constexpr void set_budget(std::uint64_t budget) { budget_ = budget; }
  constexpr std::uint64_t budget() const { return budget_; }

  /// Completes a choice, improves it within `rounds` and the budget, and keeps it if it is the
  /// best; true if it is.
  constexpr bool offer(table<std::uint32_t>& chosen, int rounds) {
    if (judge_ != nullptr) {
      const priced_choice judged = judge_->judge(chosen);
      return judged.solves() && keep(chosen, judged.objective - m_.base);
    }
    const std::uint64_t before = improver_.steps();
    auto priced = improver_.improve(chosen, rounds, budget_);
    if (!priced.solves() && rounds == 0) priced = improver_.improve(chosen, 4, budget_);
    const std::uint64_t used = improver_.steps() - before;
    budget_ -= used < budget_ ? used : budget_;
    if (!priced.solves() || priced.objective >= value_) return false;
    if (remembers_) complete_ = chosen;
    improver_.leave_out(chosen);
    return keep(chosen, priced.objective);
  }

  /// Takes over the solution of another search if it is better; true if it is.
  constexpr bool adopt(const packing_incumbent& other) {
    if (other.value_ >= value_) return false;
    best_ = other.best_;
    value_ = other.value_;
    if (remembers_) complete_ = without_off();
    return true;
  }

  /// The cost of the best solution, or `unbounded`.
  constexpr std::int64_t value() const { return value_; }
  /// The best solution, a value for each class; empty if there is none.
  constexpr const table<std::uint32_t>& best() const { return best_; }

  /// Keeps for `take_complete` each new best solution as it was before needless values were left
  /// out.
  constexpr void remember_complete() { remembers_ = true; }
  /// The last new best solution with its needless values, or with `none` for them if it was
  /// adopted; empty if there is none since the last call.
  constexpr table<std::uint32_t> take_complete() {
    table<std::uint32_t> out;
    out.swap(complete_);
    return out;
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return improver_.steps(); }

 private:
  constexpr bool keep(const table<std::uint32_t>& chosen, std::int64_t value) {
    if (value >= value_) return false;
    best_ = chosen;
    value_ = value;
    return true;
  }

  constexpr table<std::uint32_t> without_off() const {
    table<std::uint32_t> out(best_);
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (out[k] == m_.off[k]) out[k] = packing_model::none;
    return out;
  }

  const packing_model& m_;
  Judge* judge_;
  packing_improver improver_;
  std::uint64_t budget_ = 0;
  std::int64_t value_ = unbounded;
  table<std::uint32_t> best_;
  bool remembers_ = false;
  table<std::uint32_t> complete_;
};

}  // namespace wf::detail
