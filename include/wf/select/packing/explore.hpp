// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/box.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/choice.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/neighbourhood.hpp>
#include <wf/select/packing/prices.hpp>
#include <wf/select/packing/restrict.hpp>
#include <wf/select/packing/state.hpp>

namespace wf::detail {

/// Large-neighbourhood search on a packing model: fixes most of the best known choice and searches
/// the rest with `Search`, below the cutoff and within a number of nodes and of steps.
template <class Search>
class packing_explorer {
 public:
  constexpr explicit packing_explorer(const packing_model& model)
      : m_(model), base_(model), around_(model), restriction_(model) {}

  /// Takes over the live values at the root and their prices, which prove `bound`, in the scale of
  /// the prices.
  constexpr void remember(const packing_state& s, const packing_prices& p, std::int64_t bound) {
    alive_ = s.alive;
    bound_ = bound;
    above_ = p.reduced();
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      std::int64_t least = unbounded;
      for (const std::uint32_t v : s.left(k))
        if (p.reduced(v) < least) least = p.reduced(v);
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v) above_[v] -= least;
    }
    loaded_ = false;
    steps_ += m_.values;
  }

  /// Explores around this choice from now on: a value for each class. `none`, and values that are
  /// dead at the root, stand for the cheapest value.
  constexpr void move_to(const table<std::uint32_t>& chosen) {
    chosen_ = chosen;
    loaded_ = false;
  }

  /// The choice that is explored around, with live values only.
  constexpr table<std::uint32_t> choice() {
    if (chosen_.empty()) chosen_ = table<std::uint32_t>(m_.classes, packing_model::none);
    const auto price = [&](std::uint32_t v) {
      if (!alive_[v]) return unbounded;
      return v == chosen_[m_.owner[v]] ? 0 : above_[v] + 1;
    };
    return cheapest_choice(m_, price, steps_);
  }

  /// Searches the next neighbourhood for a choice that costs less than `cutoff`; true if there is
  /// one. `target` is the scaled bound that proves that nothing is below the cutoff, `gap` the
  /// estimated scaled distance from the bound to the optimum.
  constexpr bool run(std::int64_t cutoff, std::int64_t target, std::int64_t gap) {
    for (std::uint32_t v = 0; v < m_.values && target != target_; ++v)
      if (above_[v] >= target - bound_) alive_[v] = 0;
    if (!loaded_ || target != target_) base_.load(choice());
    loaded_ = true;
    target_ = target;
    steps_ += m_.values / 8;
    table<std::uint8_t> left(around_.next(base_, alive_, above_, gap));
    if (!restriction_.run(left)) {
      around_.learn(true);
      return false;
    }
    const bool small = restriction_.model().entry.size() <= most_entries;
    found_.clear();
    around_.learn(small && search(cutoff));
    return !found_.empty();
  }

  /// Seeds this copy of an explorer so that it tries other neighbourhoods than the original.
  constexpr void diverge(std::uint64_t seed) { around_.diverge(seed); }

  /// The choice that the last run found, a value for each class; empty if it found none.
  constexpr const table<std::uint32_t>& found() const { return found_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const {
    return steps_ + base_.steps() + around_.steps() + restriction_.steps();
  }

 private:
  /// Searches the restricted model below the cutoff; true if the search was exhaustive.
  constexpr bool search(std::int64_t cutoff) {
    const packing_model& part = restriction_.model();
    const box<Search> search = make_box<Search>(part);
    search->set_budget(most_steps / 8);
    if (cutoff != unbounded) search->lower_cutoff(cutoff - part.base);
    const auto go_on = [&] { return search->work() < most_steps; };
    bool through = false;
    if (search->start(go_on)) {
      search->fix_root(false);
      search->begin();
      while (search->is_open() && search->counters().nodes < most_nodes && go_on())
        search->advance(most_steps - search->work(), most_nodes - search->counters().nodes);
      through = !search->is_open();
    }
    steps_ += search->work();
    if (search->value() == unbounded || search->value() > cutoff - part.base) return through;
    table<std::uint32_t> chosen = restriction_.whole(search->best());
    for (std::uint32_t k = 0; k < m_.classes; ++k)  // not needed: the value it would take
      if (chosen[k] == m_.off[k]) chosen[k] = base_.at(k);
    if (search->value() == cutoff - part.base)
      move_to(chosen);  // equally good: leads to other neighbourhoods
    else
      found_ = static_cast<table<std::uint32_t>&&>(chosen);
    return through;
  }

  static constexpr std::uint64_t most_steps = 600'000;
  static constexpr std::uint64_t most_nodes = 200;
  static constexpr std::size_t most_entries = most_steps / 64;

  const packing_model& m_;
  packing_choice base_;
  packing_neighbourhoods around_;
  packing_restriction restriction_;
  table<std::uint32_t> chosen_, found_;
  bool loaded_ = false;
  table<std::uint8_t> alive_;  ///< by value: 1 if a better solution may contain it
  table<std::int64_t> above_;  ///< by value: its reduced cost minus the least of its class
  std::int64_t bound_ = 0;
  std::int64_t target_ = -1;  ///< the target of the last run
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
