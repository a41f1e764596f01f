// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <wf/select/problem.hpp>

#include <selection/heuristic.hpp>

namespace selection_benchmark {

/// Beam search: expands the needed classes one after the other with every candidate, and keeps the
/// `width` partial selections of least cost plus least cost of their open classes.
class beam_selection : heuristic_base {
 public:
  beam_selection(const wf::selection_problem& problem, std::uint32_t objective, std::size_t width)
      : heuristic_base(problem, objective), width_(width), least_(problem.classes, impossible) {
    for (std::uint32_t n = 0; n < p_.candidates.size(); ++n) {
      std::int64_t& least = least_[p_.candidates[n].owner];
      least = std::min(least, cost(n));
    }
    const std::size_t limits = p_.limits.size();
    least_use_.assign(p_.classes * limits, impossible);
    for (std::uint32_t n = 0; n < p_.candidates.size(); ++n)
      for (std::size_t i = 0; i < limits; ++i) {
        std::int64_t& least = least_use_[p_.candidates[n].owner * limits + i];
        least = std::min(least, p_.cost(n, p_.limits[i].metric));
      }
  }

  /// False if no selection is left in the beam.
  bool run(wf::selection& out) {
    std::vector<partial> beam(1), next;
    beam[0].chosen.assign(p_.classes, wf::no_candidate);
    beam[0].needed.assign(p_.classes, 0);
    beam[0].used.assign(p_.limits.size(), 0);
    for (const std::uint32_t root : p_.roots)
      if (!need(beam[0], root)) return false;
    std::int64_t best = impossible;
    while (!beam.empty()) {
      next.clear();
      std::vector<move> moves;
      for (std::uint32_t i = 0; i < beam.size(); ++i) {
        if (beam[i].open.empty()) {
          if (beam[i].cost >= best) continue;
          best = beam[i].cost;
          out.chosen = wf::table<std::uint32_t>(wf::view<std::uint32_t>(beam[i].chosen));
        } else {
          list_moves(beam[i], i, moves);
        }
      }
      std::sort(moves.begin(), moves.end());
      for (std::size_t i = 0; i < moves.size() && next.size() < width_; ++i) {
        if (moves[i].cost >= best) break;
        next.push_back(beam[moves[i].from]);
        if (!take(next.back(), moves[i])) next.pop_back();
      }
      beam.swap(next);
    }
    if (best == impossible) return false;
    price(p_, out);
    return true;
  }

 private:
  struct partial {
    std::int64_t cost = 0;  ///< of the chosen candidates, plus the least of the open classes
    std::vector<std::uint32_t> chosen, open;
    std::vector<char> needed;
    std::vector<std::int64_t> used;  ///< by limit, likewise
  };
  struct move {
    std::int64_t cost = 0;  ///< of the partial selection after the move, plus the least of its open
                            ///< classes
    std::uint32_t from = 0, candidate = 0;
    friend auto operator<=>(const move&, const move&) = default;
  };

  std::int64_t least_use(std::uint32_t k, std::size_t limit) const {
    return least_use_[k * p_.limits.size() + limit];
  }

  bool need(partial& at, std::uint32_t k) const {
    if (at.needed[k]) return true;
    if (least_[k] == impossible) return false;
    at.needed[k] = 1;
    at.open.push_back(k);
    at.cost += least_[k];
    for (std::size_t i = 0; i < p_.limits.size(); ++i) at.used[i] += least_use(k, i);
    return true;
  }

  void list_moves(const partial& at, std::uint32_t from, std::vector<move>& moves) const {
    const std::uint32_t k = at.open.back();
    for (const std::uint32_t n : of_class_[k]) {
      const std::int64_t own = beside(at.chosen, n);
      bool possible = own != impossible;
      for (std::size_t i = 0; i < p_.limits.size() && possible; ++i)
        possible =
            at.used[i] - least_use(k, i) + p_.cost(n, p_.limits[i].metric) <= p_.limits[i].maximum;
      if (!possible) continue;
      move added{at.cost - least_[k] + own, from, n};
      for (const std::uint32_t child : p_.children_of(n)) {
        if (at.needed[child]) continue;
        possible = possible && least_[child] != impossible;
        added.cost += possible ? least_[child] : 0;
      }
      if (possible) moves.push_back(added);
    }
  }

  /// Applies a move; false if it closes a cycle.
  bool take(partial& at, const move& by) const {
    const std::uint32_t k = at.open.back();
    at.open.pop_back();
    at.chosen[k] = by.candidate;
    at.cost += beside(at.chosen, by.candidate) - least_[k];
    for (std::size_t i = 0; i < p_.limits.size(); ++i)
      at.used[i] += p_.cost(by.candidate, p_.limits[i].metric) - least_use(k, i);
    bool closes = false;
    for (const std::uint32_t child : p_.children_of(by.candidate)) {
      closes = closes || child == k ||
               (at.chosen[child] != wf::no_candidate && reaches(at.chosen, child, k));
      if (!need(at, child)) return false;
    }
    return !closes;
  }

  bool reaches(const std::vector<std::uint32_t>& chosen, std::uint32_t from,
               std::uint32_t to) const {
    std::vector<std::uint32_t> open{from};
    std::vector<char> seen(p_.classes, 0);
    seen[from] = 1;
    while (!open.empty()) {
      const std::uint32_t k = open.back();
      open.pop_back();
      if (chosen[k] == wf::no_candidate) continue;
      for (const std::uint32_t child : p_.children_of(chosen[k])) {
        if (child == to) return true;
        if (!seen[child]) seen[child] = 1, open.push_back(child);
      }
    }
    return false;
  }

  std::size_t width_;
  std::vector<std::int64_t> least_;      ///< by class: the cost of its cheapest candidate
  std::vector<std::int64_t> least_use_;  ///< by class and limit: the least use
};

}  // namespace selection_benchmark
