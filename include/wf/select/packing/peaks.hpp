// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/state.hpp>

namespace wf::detail {

/// Lower bounds on the peaks (metrics that are no sums) of a residual packing model: for a maximum,
/// the least cost that a needed class can take; for a critical path, the least length below each
/// class and the least length from a root down to it.
class packing_peaks {
 public:
  constexpr explicit packing_peaks(const packing_model& model) : m_(model) {
    if (m_.peaks.empty()) return;
    below_ = above_ = table<std::int64_t>(m_.classes);
    marginal_ = table<std::int64_t>(m_.values);
  }

  /// Bounds the peaks of the residual model `s`; calls `drop(v)` for values that would take a peak
  /// over its capacity. False if the rest would anyway, or if `drop` returns false. `scale` is the
  /// scale of the prices. O(peaks · (values + needs)).
  template <class Drop>
  constexpr bool filter(const packing_state& s, std::int64_t scale, Drop&& drop) {
    if (m_.peaks.empty()) return true;
    extra_ = 0;
    for (std::int64_t& m : marginal_) m = 0;
    for (std::size_t i = 0; i < m_.peaks.size(); ++i) {
      const packing_peak& peak = m_.peaks[i];
      const std::int64_t* const cost = m_.peak_cost.data() + i * m_.values;
      if (peak.path)
        measure_paths(s, cost);
      else
        measure_maximum(s, cost);
      const std::int64_t least = total(peak, s);
      if (least > peak.capacity || least > largest_total) return false;
      const std::int64_t unit = peak.weight * scale;
      extra_ += unit * least;
      for (std::uint32_t k = 0; k < m_.classes; ++k) {
        if (m_.follows(k)) continue;
        for (std::uint32_t at = s.class_count[k]; at-- > 0;) {
          const std::uint32_t v = s.left(k)[at];
          if (v == m_.off[k]) continue;
          const std::int64_t with = peak.path ? through(k, v, cost) : cost[v];
          if (with > peak.capacity || with > largest_total) {
            if (!drop(v)) return false;
          } else if (with > least) {
            marginal_[v] += unit * (with - least);
          }
        }
      }
      steps_ += m_.values;
    }
    return true;
  }

  /// Lower bound on the cost of the peaks in every solution, scaled.
  constexpr std::int64_t extra() const { return extra_; }
  /// Lower bound on what the peaks cost beyond `extra()` in solutions with a value, scaled.
  constexpr std::int64_t marginal(std::uint32_t v) const {
    return marginal_.empty() ? 0 : marginal_[v];
  }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// Sets below_ to the least cost that each class can take.
  constexpr void measure_maximum(const packing_state& s, const std::int64_t* cost) {
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      below_[k] = unbounded;
      for (const std::uint32_t v : s.left(k))
        if (v != m_.off[k] && cost[v] < below_[k]) below_[k] = cost[v];
    }
  }

  /// Sets below_ to the least length from each class down, and above_ to the least length from a
  /// root down to it, its own cost excluded. Parents come before what they need except in cycles:
  /// there any number of sweeps bounds below_, and above_ must reach a fixpoint.
  constexpr void measure_paths(const packing_state& s, const std::int64_t* cost) {
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      below_[k] = 0;
      above_[k] = m_.root[k] ? 0 : unbounded;
    }
    for (std::uint32_t k = m_.classes; k-- > 0;) {
      std::int64_t least = unbounded;
      for (const std::uint32_t v : s.left(k)) {
        if (v == m_.off[k]) continue;
        const std::int64_t length = saturating_add(cost[v], deepest(v));
        if (length < least) least = length;
      }
      below_[k] = least;
    }
    for (bool changed = true; changed;) {
      changed = false;
      bool cyclic = false;
      for (std::uint32_t k = 0; k < m_.classes; ++k) {
        cyclic = cyclic || m_.block[k] != packing_model::none;
        for (const std::uint32_t v : s.left(k))
          changed = lower_needs(v, saturating_add(above_[k], cost[v])) || changed;
      }
      changed = changed && cyclic;
    }
  }

  constexpr std::int64_t deepest(std::uint32_t v) {
    std::int64_t most = 0;
    for (std::uint32_t i = m_.need_first[v]; i < m_.need_first[v + 1]; ++i, ++steps_)
      if (most < below_[m_.need[i]]) most = below_[m_.need[i]];
    return most;
  }

  constexpr bool lower_needs(std::uint32_t v, std::int64_t length) {
    bool lowered = false;
    for (std::uint32_t i = m_.need_first[v]; i < m_.need_first[v + 1]; ++i, ++steps_)
      if (length < above_[m_.need[i]]) {
        above_[m_.need[i]] = length;
        lowered = true;
      }
    return lowered;
  }

  constexpr std::int64_t through(std::uint32_t k, std::uint32_t v, const std::int64_t* cost) {
    return saturating_add(saturating_add(above_[k], cost[v]), deepest(v));
  }

  constexpr std::int64_t total(const packing_peak& peak, const packing_state& s) const {
    std::int64_t most = peak.floor;
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (!m_.follows(k) && is_needed(m_, s, k) && most < below_[k]) most = below_[k];
    return most;
  }

  const packing_model& m_;
  table<std::int64_t> below_, above_, marginal_;
  std::int64_t extra_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
