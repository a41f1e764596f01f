// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/node.hpp>
#include <wf/select/packing/path.hpp>
#include <wf/select/packing/pseudo_costs.hpp>
#include <wf/select/packing/simplex.hpp>

namespace wf::detail {

/// Chooses the value that a node branches on: of a few candidates the one whose two sides raise the
/// bound most, by trials while a value is new (strong branching), then by its pseudo-costs
/// (reliability branching; Achterberg, Koch and Martin 2005).
class packing_brancher {
 public:
  constexpr explicit packing_brancher(const packing_model& model)
      : m_(model), gains_(model.values) {}

  /// Chooses the branching value of the node and its first side. A side that probing refutes is
  /// dropped at once, and the node has to be visited again. Leaves the frame without a value if the
  /// node is closed.
  template <class Judge>
  constexpr void choose(packing_node<Judge>& n, packing_frame& f) {
    if (n.uses_simplex)
      list_fractional(n);
    else
      list_open_classes(n);
    if (candidates_.empty()) {
      if (n.trace != nullptr) n.trace->fail();
      return;
    }
    n.save(f);
    if (m_.only_peaks) {  // trials would raise no bound
      f.value = candidates_[0].value;
      f.share = candidates_[0].share;
      return;
    }
    double best = -1;
    candidate chosen;
    for (const candidate& b : candidates_) {
      double rise[2] = {0, 0};
      bool dead[2] = {false, false};
      for (int side = 0; side < 2; ++side) {
        if (n.trace != nullptr) n.trace->begin_trial(b.value, side == 0, side == 1 && dead[0]);
        probe(n, f, b, side, rise[side], dead[side]);
        if (n.trace != nullptr) n.trace->end_trial(dead[side]);
      }
      if (dead[0] && dead[1]) return;
      if (dead[0] || dead[1]) {
        if (!n.domain.split(b.value, dead[1]) || !n.tighten()) return;
        n.inherit(f.bound);
        n.save(f);
        f.again = true;
        return;
      }
      const double score = (rise[0] + 1) * (rise[1] + 1);
      if (score > best) {
        best = score;
        chosen = b;
        f.first = rise[0] <= rise[1] ? 0 : 1;
      }
    }
    f.value = chosen.value;
    f.share = chosen.share;
  }

  /// Learns from the side of a frame that was just visited how much it raised the bound; a closed
  /// side counts as if it reached the target.
  constexpr void learn(const packing_relaxation& n, const packing_frame& f, bool takes, bool open) {
    const std::int64_t after = open || n.bound > n.target ? n.bound : n.target;
    gains_.learn(f.value, takes ? 0 : 1, static_cast<double>(after > f.bound ? after - f.bound : 0),
                 takes ? 1 - f.share : f.share);
  }

 private:
  struct candidate {
    std::uint32_t value = packing_model::none;
    double score = 0;
    double share = 0;  ///< the share of the value in the relaxation
  };

  static constexpr std::size_t most_candidates = 10;
  static constexpr std::size_t most_ripples = 1200;
  static constexpr std::int64_t most_trials = 2;  ///< then the mean gain of a side is relied on

  // --- candidates ------------------------------------------------------------------------------

  /// Lists the candidates, best first: for each open class its cheapest value (or `off`), scored by
  /// the prices at stake and by how close the second best is.
  template <class Judge>
  constexpr void list_open_classes(packing_node<Judge>& n) {
    candidates_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (n.domain.state().class_count[k] < 2) continue;
      std::int64_t first = unbounded, second = unbounded;
      std::uint32_t best = packing_model::none;
      for (const std::uint32_t v : n.domain.state().left(k)) {
        const std::int64_t cost = n.cost_with(v);
        if (cost < first) {
          second = first;
          first = cost;
          best = v;
        } else if (cost < second) {
          second = cost;
        }
      }
      std::int64_t stake = 1;
      bool shared = false;
      for (std::uint32_t i = m_.class_part_first[k]; i < m_.class_part_first[k + 1]; ++i) {
        const std::uint32_t part = m_.class_part[i], row = m_.parts[part].row;
        if (n.domain.state().part_count[part] == 0) continue;
        std::uint32_t live = 0;
        for (std::uint32_t j = m_.row_part[row]; j < m_.row_part[row + 1] && live < 2; ++j)
          live += n.domain.state().part_count[j] != 0;
        if (live < 2) continue;
        shared = true;
        stake += n.p.duals().row[row];
      }
      n.other_steps +=
          m_.class_part_first[k + 1] - m_.class_part_first[k] + m_.first[k + 1] - m_.first[k];
      if (!n.domain.is_needed(k)) {
        if (!shared) continue;
        best = m_.off[k];
      }
      const double share = static_cast<double>(second - first) / static_cast<double>(n.gap());
      keep({best, static_cast<double>(stake) / (1 + 8 * share), 0.5});
    }
  }

  /// Lists the fractional values, best first, by the gain of the bound so far per unit of share
  /// when they were taken and dropped; an unknown gain counts as the mean. If no value is
  /// fractional, lists the cheapest value of some open class.
  template <class Judge>
  constexpr void list_fractional(packing_node<Judge>& n) {
    candidates_.clear();
    n.simplex.refresh(n.domain.state());
    const double mean[2] = {gains_.mean(0), gains_.mean(1)};
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (n.domain.state().class_count[k] < 2) continue;
      for (const std::uint32_t v : n.domain.state().left(k)) {
        const double share = n.simplex.share(v);
        if (share < 1e-6 || share > 1 - 1e-6) continue;
        const double up = gains_.rate(0, v, mean[0]) * (1 - share);
        const double down = gains_.rate(1, v, mean[1]) * share;
        keep({v, (up + 1e-6) * (down + 1e-6), share});
      }
    }
    for (std::uint32_t k = 0; k < m_.classes && candidates_.empty(); ++k) {
      if (n.domain.state().class_count[k] < 2 || !n.domain.is_needed(k)) continue;
      std::uint32_t best = n.domain.state().left(k)[0];
      for (const std::uint32_t v : n.domain.state().left(k))
        if (n.cost_with(v) < n.cost_with(best)) best = v;
      keep({best, 1, 0.5});
    }
  }

  /// Keeps the best `most_candidates` candidates, by descending score.
  constexpr void keep(const candidate& b) {
    std::size_t at = candidates_.size();
    if (at == most_candidates) {
      if (!(candidates_.back().score < b.score)) return;
      --at;
    } else {
      candidates_.push_back(b);
    }
    for (; at > 0 && candidates_[at - 1].score < b.score; --at)
      candidates_[at] = candidates_[at - 1];
    candidates_[at] = b;
  }

  // --- trials ----------------------------------------------------------------------------------

  /// Estimates how much a side raises the bound: by its known gain, or by a trial.
  template <class Judge>
  constexpr void probe(packing_node<Judge>& n, const packing_frame& f, const candidate& b, int side,
                       double& rise, bool& dead) {
    const double distance = n.uses_simplex ? (side == 0 ? 1 - b.share : b.share) : 1;
    if (gains_.count(side, b.value) >= most_trials) {
      rise = static_cast<double>(gains_.mean(side, b.value)) * distance;
      return;
    }
    const std::uint32_t mark = n.domain.mark();
    const bool open = n.domain.split(b.value, side == 0);
    std::int64_t after = n.target;
    simplex_status status{};
    if (open)
      after = n.uses_simplex ? n.solve_relaxation(packing_node<Judge>::trial_pivots, status)
                             : ascend(n, mark);
    if (n.trace != nullptr && open && after >= n.target) n.trace->close_by_prices(n.p, n.scale());
    n.domain.undo(mark);
    if (n.uses_simplex) {
      n.simplex.load(f.basis);
      n.p = f.prices;
    } else {
      n.ascent.rollback(n.domain.state(), n.p);
      if (open)
        for (const std::uint32_t k : touched_) n.ascent.sync(n.domain.state(), n.p, k);
    }
    dead = after >= n.target;
    const std::int64_t total = dead ? n.gap() : (after > f.bound ? after - f.bound : 0);
    rise = static_cast<double>(total);
    gains_.learn(b.value, side, rise, distance);
  }

  /// The bound by price ascent around the values that were dropped since `mark`.
  constexpr std::int64_t ascend(packing_relaxation& n, std::uint32_t mark) {
    touched_.clear();
    for (std::size_t i = mark; i < n.domain.mark(); ++i)
      touched_.push_back(m_.owner[n.domain.dropped()[i]]);
    for (const std::uint32_t k : touched_) n.ascent.sync(n.domain.state(), n.p, k);
    n.ascent.ripple(n.domain.state(), n.p, touched_, most_ripples);
    assert(std::is_constant_evaluated() || n.ascent.is_synced(n.domain.state(), n.p));
    return n.ascent.total() + n.domain.peaks().extra();
  }

  const packing_model& m_;
  pseudo_costs gains_;
  table<candidate> candidates_;
  table<std::uint32_t> touched_;
};

}  // namespace wf::detail
