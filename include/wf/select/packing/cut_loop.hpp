// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/callable.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/node.hpp>
#include <wf/select/packing/prices.hpp>
#include <wf/select/packing/separation.hpp>
#include <wf/select/packing/simplex.hpp>

namespace wf::detail {

/// Solves the relaxation at the root of a packing search by the simplex method, and strengthens it
/// by rounds of cutting planes while that pays. Each function is asked to go on from time to time
/// and returns false if `go_on` did.
class packing_cut_loop {
 public:
  using question = callable<bool>;  ///< returns true to go on

  /// Enables cuts. They are kept in `pool`, which must outlive all relaxations that use it.
  constexpr void use(packing_cuts& pool) { pool_ = &pool; }

  /// True if dropping values between rounds closed the root.
  constexpr bool closed() const { return closed_; }

  /// Solves the root's relaxation in about `most_steps` steps.
  template <class Judge>
  static constexpr bool relax(packing_node<Judge>& n, const question& go_on,
                              std::uint64_t most_steps) {
    n.simplex.reset(n.domain.state());
    bool asked = true;
    while (asked && n.simplex.steps() < most_steps && n.relax(100) == simplex_status::limit)
      asked = go_on();
    return asked;
  }

  /// Adds cuts to the solved relaxation while that pays.
  template <class Judge>
  constexpr bool cut(packing_node<Judge>& n, const question& go_on) {
    if (pool_ == nullptr) return true;
    packing_cutter cutter(n.m);
    n.ascent.pricer().use(*pool_);
    bool asked = true;
    for (int stalls = 0; asked && n.relaxed && n.bound < n.target && stalls < most_stalls;) {
      const table<packing_cut> found = cutter.run(n.simplex.shares(), *pool_);
      if (found.empty()) break;
      n.counters.cuts += found.size();
      for (const packing_cut& cut : found) {
        pool_->add(cut);
        if (n.trace != nullptr) n.trace->learn(cut);
      }
      pool_->index(n.m.values);
      n.simplex.use(*pool_);
      const std::int64_t last = n.bound;
      n.relaxed = false;
      while (asked && n.relax(100) == simplex_status::limit) asked = go_on();
      if (n.relaxed && n.bound < n.target && !n.fix_around_best()) {
        closed_ = true;
        n.bound = n.target;
      }
      stalls = n.bound - last > n.gap() / 200 ? 0 : stalls + 1;
    }
    n.other_steps += cutter.steps();
    if (n.bound < n.target) drop_slack_cuts(n);
    return asked;
  }

  /// Switches to the simplex method if it closes a third of the gap that ascent leaves.
  template <class Judge>
  constexpr bool compare(packing_node<Judge>& n, const question& go_on) {
    const std::int64_t before = n.bound, all = n.gap();
    const packing_prices kept = n.p;
    const bool asked = relax(n, go_on, 4 * n.incumbent.budget()) && cut(n, go_on);
    n.uses_simplex = n.bound >= n.target || n.bound - before > all / 3;
    if (n.uses_simplex) return asked;
    n.p = kept;
    n.bound = before;
    n.ascent.sync(n.domain.state(), n.p);
    return asked;
  }

 private:
  static constexpr int most_stalls = 12;  ///< rounds of cuts that gain little

  /// Keeps only the binding cuts; a bound that they do not prove by themselves stays valid.
  constexpr void drop_slack_cuts(packing_relaxation& n) {
    table<std::uint8_t> kept;
    for (std::uint32_t c = 0; c < pool_->size(); ++c) kept.push_back(n.simplex.binds(c));
    pool_->keep(kept);
    pool_->index(n.m.values);
    n.simplex.keep(kept);
    if (n.trace != nullptr) n.trace->keep(kept);
    n.simplex.refresh(n.domain.state());
    n.take_prices();
    const std::int64_t known = n.bound;
    n.bound = n.bound_by_prices();
    n.keep_bound(known);
  }

  packing_cuts* pool_ = nullptr;
  bool closed_ = false;
};

}  // namespace wf::detail
