// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/heap.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/node.hpp>
#include <wf/select/packing/path.hpp>
#include <wf/select/proof/recorder.hpp>

namespace wf::detail {

/// Diving heuristic: from the current node it takes the values that the relaxation prefers, an
/// eighth of the open classes at a time, while the bound is below the target, and offers the
/// solution at the end. It never backtracks, and leaves the node as it was.
class packing_diver {
 public:
  constexpr explicit packing_diver(const packing_model& model) : m_(model) {}

  /// Dives from a node whose prices and basis are current.
  template <class Judge>
  constexpr void run(packing_node<Judge>& n) {
    ++n.counters.dives;
    packing_trace* const trace = n.trace;  // drops of a dive are no part of a proof
    n.listen(nullptr);
    const bool relaxed = n.relaxed;
    if (n.uses_simplex) n.simplex.refresh(n.domain.state());
    packing_frame from;
    from.mark = n.domain.mark();
    n.save(from);
    const std::uint64_t until = n.work() + most_work;  // then by propagation alone
    for (bool open = true; open && n.bound < n.target;
         open = open && (n.work() > until || n.tighten(packing_node<Judge>::trial_pivots))) {
      list_preferences(n);
      if (preferences_.empty()) {
        n.offer_leaf();
        break;
      }
      const std::size_t rest = preferences_.size() - (preferences_.size() + 7) / 8;
      while (open && !preferences_.empty()) {
        const preference next = preferences_.pop();
        if (preferences_.size() < rest && next.share < 0.999) break;
        open = !n.domain.state().alive[next.value] || prefer(n, next.value);
      }
    }
    n.go_back_to(from);
    if (n.uses_simplex) n.simplex.refresh(n.domain.state());
    n.relaxed = relaxed;
    n.ascent.sync(n.domain.state(), n.p);
    n.listen(trace);
  }

 private:
  /// A value that a dive may take next.
  struct preference {
    std::uint32_t value = packing_model::none;
    double share = 0;       ///< the share of the value in the relaxation
    std::int64_t lead = 0;  ///< distance of its reduced cost from the next one in its class
  };
  struct surer {
    constexpr bool operator()(const preference& a, const preference& b) const {
      if (a.share != b.share) return a.share > b.share;
      return a.lead != b.lead ? a.lead > b.lead : a.value < b.value;
    }
  };

  static constexpr std::uint64_t most_work = 10'000'000;

  /// Takes a value, or drops it if that leaves no solution.
  static constexpr bool prefer(packing_relaxation& n, std::uint32_t v) {
    const std::uint32_t mark = n.domain.mark();
    if (n.domain.split(v, true)) return true;
    n.domain.undo(mark);
    return n.domain.split(v, false);
  }

  /// Lists for each needed open class the value with the largest share, or the cheapest.
  template <class Judge>
  constexpr void list_preferences(packing_node<Judge>& n) {
    preferences_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (n.domain.state().class_count[k] < 2 || !n.domain.is_needed(k) || m_.follows(k)) continue;
      std::int64_t next = unbounded;
      preference best{packing_model::none, -1, 0};
      for (const std::uint32_t v : n.domain.state().left(k)) {
        const double share = n.uses_simplex ? n.simplex.share(v) : 0;
        const bool better = best.value == packing_model::none || share > best.share + 1e-6 ||
                            (share > best.share - 1e-6 && n.p.reduced(v) < n.p.reduced(best.value));
        const std::uint32_t loser = better ? best.value : v;
        if (loser != packing_model::none && n.p.reduced(loser) < next) next = n.p.reduced(loser);
        if (better) best = {v, share, 0};
      }
      best.lead = next - n.p.reduced(best.value);
      preferences_.push(best);
      n.other_steps += n.domain.state().class_count[k];
    }
  }

  const packing_model& m_;
  binary_heap<preference, surer> preferences_;
};

}  // namespace wf::detail
