// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/peaks.hpp>
#include <wf/select/packing/state.hpp>
#include <wf/select/proof/recorder.hpp>

namespace wf::detail {

/// The residual packing model on the path from the root of a search to a node: drops values that
/// conflict with the remaining ones by rows, limits, peaks and cycles, and undoes that.
class packing_propagator {
 public:
  /// `scale` is the scale of the prices, `packing_pricer::scale`.
  constexpr packing_propagator(const packing_model& model, std::int64_t scale)
      : m_(model), scale_(scale), peaks_(model), s_(model), seen_(model.classes) {}

  /// Sets the trace that records drops and their reasons; null records nothing.
  constexpr void record(packing_trace* trace) { trace_ = trace; }

  /// The live values and their counts.
  constexpr const packing_state& state() const { return s_; }
  /// The bounds on the peaks of the residual model.
  constexpr const packing_peaks& peaks() {
    if (!measured_) measured_ = peaks_.filter(s_, scale_, [](std::uint32_t) { return true; });
    return peaks_;
  }
  /// True if every remaining selection contains the class.
  constexpr bool is_needed(std::uint32_t k) const { return detail::is_needed(m_, s_, k); }
  /// The live value of a class that has exactly one.
  constexpr std::uint32_t only(std::uint32_t k) const { return s_.left(k)[0]; }

  /// Number of dropped values: the argument with which `undo` returns here.
  constexpr std::uint32_t mark() const { return static_cast<std::uint32_t>(dropped_.size()); }
  /// The dropped values, in the order of their drops.
  constexpr const table<std::uint32_t>& dropped() const { return dropped_; }
  /// Undoes all drops after `mark`. When a class lost its last value, its parts were not counted
  /// down; so they are not counted up here.
  constexpr void undo(std::uint32_t mark) {
    while (dropped_.size() > mark) {
      const std::uint32_t v = dropped_.back();
      dropped_.pop_back();
      s_.come_back(v, m_.owner[v]);
      if (s_.class_count[m_.owner[v]] == 1) continue;
      for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i)
        ++s_.part_count[m_.value_part[i]];
    }
    queue_.clear();
    measured_ = false;
  }

  /// Propagates from all classes; false if there is no solution.
  constexpr bool begin() {
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (s_.class_count[k] == 0) return false;
      queue_.push_back(k);
    }
    return propagate();
  }
  /// Takes a value, or drops it, and propagates; false if that leaves no solution.
  constexpr bool split(std::uint32_t v, bool takes) {
    queue_.clear();
    if (trace_ != nullptr) trace_->decide();
    return (takes ? take(v) : drop(v)) && propagate();
  }
  /// Drops a value without propagating; false if its class loses its last value.
  constexpr bool remove(std::uint32_t v) {
    if (drop(v)) return true;
    queue_.clear();
    return false;
  }

  /// Drops conflicting values to a fixpoint; false if a class loses all its values or a limit, peak
  /// or cycle leaves no solution.
  constexpr bool propagate() {
    for (bool again = true; again;) {
      while (!queue_.empty()) {
        const std::uint32_t k = queue_.back();
        queue_.pop_back();
        if (!fill_rows(k) || (s_.class_count[k] == 1 && closes_cycle(k))) {
          queue_.clear();
          return false;
        }
      }
      measured_ =
          filter_limits() && peaks_.filter(s_, scale_, [&](std::uint32_t v) { return drop(v); });
      if (!measured_) {
        queue_.clear();
        return false;
      }
      again = !queue_.empty();
    }
    return true;
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_ + peaks_.steps(); }

 private:
  constexpr bool drop(std::uint32_t v) {
    if (!s_.alive[v]) return true;
    const std::uint32_t k = m_.owner[v];
    s_.leave(v, k);
    dropped_.push_back(v);
    if (trace_ != nullptr) trace_->drop(v);
    if (s_.class_count[k] == 0) return false;
    for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i)
      --s_.part_count[m_.value_part[i]];
    queue_.push_back(k);
    return true;
  }

  constexpr bool take(std::uint32_t v) {
    const std::uint32_t k = m_.owner[v];
    for (std::uint32_t other = m_.first[k]; other < m_.first[k + 1]; ++other)
      if (other != v && !drop(other)) return false;
    return true;
  }

  /// If all live values of a class are in a row, the other classes lose theirs in that row.
  constexpr bool fill_rows(std::uint32_t k) {
    if (trace_ != nullptr) trace_->blame_class(k);
    for (std::uint32_t i = m_.class_part_first[k]; i < m_.class_part_first[k + 1]; ++i) {
      const std::uint32_t part = m_.class_part[i];
      ++steps_;
      if (s_.part_count[part] != s_.class_count[k]) continue;
      const std::uint32_t row = m_.parts[part].row;
      for (std::uint32_t j = m_.row_part[row]; j < m_.row_part[row + 1]; ++j) {
        if (j == part || s_.part_count[j] == 0) continue;
        for (std::uint32_t e = m_.parts[j].begin; e < m_.parts[j].end; ++e)
          if (!drop(m_.entry[e])) return false;
      }
    }
    return true;
  }

  /// True if a decided class reaches itself through decided classes.
  constexpr bool closes_cycle(std::uint32_t k) {
    if (m_.block[k] == packing_model::none) return false;
    ++mark_;
    walk_.clear();
    walk_.push_back(k);
    while (!walk_.empty()) {
      const std::uint32_t at = walk_.back();
      walk_.pop_back();
      if (s_.class_count[at] != 1) continue;
      const std::uint32_t v = only(at);
      for (std::uint32_t i = m_.need_first[v]; i < m_.need_first[v + 1]; ++i) {
        const std::uint32_t e = m_.need[i];
        ++steps_;
        if (e == k) {
          if (trace_ != nullptr) trace_->close_by_cycle(k);
          return true;
        }
        if (seen_[e] == mark_) continue;
        seen_[e] = mark_;
        walk_.push_back(e);
      }
    }
    return false;
  }

  /// Drops values that exceed a limit together with the least use of the other classes.
  constexpr bool filter_limits() {
    least_weight_.resize(m_.classes);
    for (std::size_t l = 0; l < m_.capacity.size(); ++l) {
      const std::int64_t* const weight = m_.weight.data() + l * m_.values;
      std::int64_t slack = m_.capacity[l], widest = 0;
      for (std::uint32_t k = 0; k < m_.classes; ++k) {
        std::int64_t least = unbounded, most = 0;
        for (const std::uint32_t v : s_.left(k)) {
          if (weight[v] < least) least = weight[v];
          if (weight[v] > most) most = weight[v];
        }
        least_weight_[k] = least;
        slack -= least;
        if (most - least > widest) widest = most - least;
        steps_ += s_.class_count[k];
      }
      if (slack < 0) {
        if (trace_ != nullptr) trace_->close_by_limit(l);
        return false;
      }
      if (widest <= slack) continue;
      if (trace_ != nullptr) trace_->blame_limit(l);
      for (std::uint32_t k = 0; k < m_.classes; ++k)
        for (std::uint32_t i = s_.class_count[k]; i-- > 0;)
          if (const std::uint32_t v = s_.left(k)[i];
              weight[v] - least_weight_[k] > slack && !drop(v))
            return false;
    }
    return true;
  }

  const packing_model& m_;
  std::int64_t scale_;
  packing_peaks peaks_;
  packing_state s_;
  bool measured_ = true;  ///< true if `peaks_` is up to date
  packing_trace* trace_ = nullptr;
  std::uint64_t steps_ = 0;
  std::uint32_t mark_ = 0;
  table<std::uint32_t> dropped_, queue_, walk_, seen_;
  table<std::int64_t> least_weight_;
};

}  // namespace wf::detail
