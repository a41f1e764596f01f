// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/heap.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/packing/cut_choice.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/model.hpp>

namespace wf::detail {

/// Separates cycle cuts: of n classes in a ring at most n - 1 take a value that needs the next one.
class cycle_separator {
 public:
  constexpr explicit cycle_separator(const packing_model& model) : m_(model) {}

  /// Finds the shortest cycle through each class (Dijkstra); the length of an arc is the share of
  /// its class that does not use it.
  constexpr void find(const table<double>& share, cut_chooser& to) {
    list_arcs(share);
    if (arcs_.empty()) return;
    away_ = table<double>(m_.classes, far);
    from_ = table<std::uint32_t>(m_.classes);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (arc_first_[k] == arc_first_[k + 1]) continue;
      binary_heap<reached, nearer> queue;
      table<std::uint32_t> visited;
      queue.push({0, k});
      bool closed = false;
      while (!queue.empty() && !closed) {
        const reached next = queue.pop();
        closed = next.at == k && away_[k] != far;
        if (closed || (next.at != k && next.length > away_[next.at])) continue;
        for (std::uint32_t i = arc_first_[next.at]; i < arc_first_[next.at + 1]; ++i) {
          const double length = next.length + arcs_[i].length;
          ++steps_;
          if (length >= 1 - cut_chooser::least_violation || length >= away_[arcs_[i].to]) continue;
          if (away_[arcs_[i].to] == far) visited.push_back(arcs_[i].to);
          away_[arcs_[i].to] = length;
          from_[arcs_[i].to] = i;
          queue.push({length, arcs_[i].to});
        }
      }
      if (closed) to.notice(cycle_at(k), share);
      for (const std::uint32_t at : visited) away_[at] = far;
    }
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  struct arc {
    double length = 0;
    std::uint32_t from = 0, to = 0, begin = 0, end = 0;  ///< values in `user_`
  };
  struct reached {
    double length = 0;
    std::uint32_t at = 0;
  };
  struct nearer {
    constexpr bool operator()(const reached& a, const reached& b) const {
      return a.length != b.length ? a.length < b.length : a.at < b.at;
    }
  };

  static constexpr double far = 2;

  /// Builds arcs_: from each class to the classes that it needs with some share.
  constexpr void list_arcs(const table<double>& share) {
    arcs_.clear();
    user_.clear();
    arc_first_ = table<std::uint32_t>(1);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (m_.block[k] != packing_model::none) add_arcs(k, share);
      arc_first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
    }
  }

  constexpr void add_arcs(std::uint32_t k, const table<double>& share) {
    listed_.clear();
    for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
      for (std::uint32_t i = m_.need_first[v]; i < m_.need_first[v + 1]; ++i)
        if (m_.block[m_.need[i]] == m_.block[k] && share[v] > 1e-6) listed_.push_back(m_.need[i]);
    sort_list();
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      if (i > 0 && listed_[i] == listed_[i - 1]) continue;
      arc a;
      a.from = k;
      a.to = listed_[i];
      a.begin = static_cast<std::uint32_t>(user_.size());
      double used = 0;
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v) {
        bool uses = false;
        for (std::uint32_t n = m_.need_first[v]; n < m_.need_first[v + 1]; ++n, ++steps_)
          uses = uses || m_.need[n] == a.to;
        if (!uses) continue;
        user_.push_back(v);
        used += share[v];
      }
      a.end = static_cast<std::uint32_t>(user_.size());
      a.length = (used < 1 ? 1 - used : 0) + 1e-5;  // among equal lengths, fewest classes win
      arcs_.push_back(a);
    }
  }

  /// The cut of the cycle through a class along `from_`.
  constexpr packing_cut cycle_at(std::uint32_t k) {
    listed_.clear();
    packing_cut cut;
    std::uint32_t at = k;
    do {
      const arc& a = arcs_[from_[at]];
      for (std::uint32_t i = a.begin; i < a.end; ++i) listed_.push_back(user_[i]);
      cut.terms.push_back({at, 1});
      ++cut.most;
      at = a.from;
    } while (at != k);
    --cut.most;
    for (std::size_t i = 0, j = cut.terms.size() - 1; i < j; ++i, --j) {
      const packing_cut::term last = cut.terms[j];
      cut.terms[j] = cut.terms[i];
      cut.terms[i] = last;
    }
    sort_list();
    cut.value = listed_;
    cut.coefficient = table<std::int32_t>(listed_.size(), 1);
    return cut;
  }

  constexpr void sort_list() {
    stable_sort(listed_, [](std::uint32_t a, std::uint32_t b) { return a < b; });
  }

  const packing_model& m_;
  std::uint64_t steps_ = 0;
  table<std::uint32_t> listed_;
  table<arc> arcs_;
  table<std::uint32_t> arc_first_, user_, from_;
  table<double> away_;
};

}  // namespace wf::detail
