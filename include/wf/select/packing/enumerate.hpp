// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/prices.hpp>
#include <wf/select/packing/state.hpp>

namespace wf::detail {

/// Enumerates, depth first, the residual model of a packing model that has limits only. At fixed
/// prices a value costs its *excess*: its reduced cost minus the least of its class. Where little
/// room is left below the cutoff, that is far quicker than any bound.
class packing_enumerator {
 public:
  constexpr explicit packing_enumerator(const packing_model& model)
      : m_(model), limits_(model.capacity.size()), use_(model.values * model.capacity.size()) {
    for (std::size_t l = 0; l < limits_; ++l)
      for (std::uint32_t v = 0; v < m_.values; ++v)
        use_[v * limits_ + l] = static_cast<double>(m_.weight[l * m_.values + v]);
  }

  /// True if a model has limits but no rows, peaks or cyclic components, and is small enough for
  /// exact sums in floating point.
  constexpr static bool suits(const packing_model& model) {
    if (model.rows != 0 || model.capacity.empty() || model.classes >= 1 << 16) return false;
    if (!model.peaks.empty()) return false;
    for (const std::uint32_t block : model.block)
      if (block != packing_model::none) return false;
    for (std::size_t l = 0; l < model.capacity.size(); ++l)
      if (model.capacity[l] > most_use) return false;
    for (const std::int64_t weight : model.weight)
      if (weight > most_use) return false;
    return true;
  }

  /// Calls `found(chosen)` for every selection within the limits whose excesses add up to less than
  /// `room`; `found` returns the room from there on. False if it gave up after `most` visits.
  template <class Found>
  constexpr bool run(const packing_state& s, const packing_prices& p, std::int64_t room,
                     std::uint64_t most, Found&& found) {
    list(s, p);
    for (std::size_t l = 0; l < limits_; ++l)
      if (used_[l] > free_[l]) return true;
    if (order_.empty() && room > 0) found(static_cast<const table<std::uint32_t>&>(chosen_));
    if (order_.empty()) return true;
    std::size_t depth = 0;
    at_[0] = class_first_[0];
    excess_[0] = 0;
    for (std::uint64_t visits = 0;; ++visits, ++steps_) {
      if (visits == most) {
        estimate(depth);
        return false;
      }
      if (depth == order_.size()) {
        room = found(static_cast<const table<std::uint32_t>&>(chosen_));
        --depth;
        continue;
      }
      const std::uint32_t i = at_[depth]++;
      if (i == class_first_[depth + 1] || excess_[depth] + items_[i].excess >= room) {
        if (depth == 0) return true;
        --depth;
        continue;
      }
      if (!fits(depth, items_[i].value)) continue;
      chosen_[order_[depth]] = items_[i].value;
      excess_[depth + 1] = excess_[depth] + items_[i].excess;
      ++depth;
      if (depth < order_.size()) at_[depth] = class_first_[depth];
    }
  }

  /// Estimated fraction of all visits that the last `run` had made when it gave up.
  constexpr double part() const { return part_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// Largest use of a limit: sums of 2^16 such integers are exact in floating point.
  static constexpr std::int64_t most_use = std::int64_t{1} << 36;

  struct item {
    std::uint32_t value = 0;
    std::int64_t excess = 0;
  };

  /// Orders the open classes by the excess of their second value, largest first, and the values of
  /// each by excess, least first; adds up the use of decided classes.
  constexpr void list(const packing_state& s, const packing_prices& p) {
    chosen_.resize(m_.classes);
    order_.clear();
    items_.clear();
    class_first_.clear();
    used_.resize((m_.classes + 1) * limits_);
    for (std::size_t l = 0; l < limits_; ++l) used_[l] = 0;
    second_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (s.class_count[k] > 1) {
        enlist(s, p, k);
        continue;
      }
      chosen_[k] = s.left(k)[0];
      for (std::size_t l = 0; l < limits_; ++l) used_[l] += use_[chosen_[k] * limits_ + l];
    }
    for (const std::uint32_t k : order_) {
      class_first_.push_back(static_cast<std::uint32_t>(items_.size()));
      list_items(s, p, k);
    }
    class_first_.push_back(static_cast<std::uint32_t>(items_.size()));
    at_.resize(order_.size() + 1);
    excess_.resize(order_.size() + 1);
    reserve_room(s);
    steps_ += items_.size();
  }

  /// Sets part_, as if all values of a class led to equally many visits.
  constexpr void estimate(std::size_t depth) {
    part_ = 0;
    double all = 1;
    for (std::size_t d = 0; d < order_.size() && d <= depth; ++d) {
      all /= class_first_[d + 1] - class_first_[d];
      part_ += all * (at_[d] - class_first_[d] - (d < depth));
    }
  }

  constexpr void enlist(const packing_state& s, const packing_prices& p, std::uint32_t k) {
    std::int64_t first = unbounded, second = unbounded;
    for (const std::uint32_t v : s.left(k)) {
      const std::int64_t cost = p.reduced(v);
      if (cost < first) {
        second = first;
        first = cost;
      } else if (cost < second) {
        second = cost;
      }
    }
    order_.push_back(k);
    second_.push_back(second - first);
    for (std::size_t i = order_.size() - 1; i > 0 && second_[i - 1] < second_[i]; --i) {
      const std::int64_t gap = second_[i];
      second_[i] = second_[i - 1];
      second_[i - 1] = gap;
      order_[i] = order_[i - 1];
      order_[i - 1] = k;
    }
  }

  constexpr void list_items(const packing_state& s, const packing_prices& p, std::uint32_t k) {
    const std::size_t begin = items_.size();
    for (const std::uint32_t v : s.left(k)) {
      items_.push_back({v, p.reduced(v)});
      for (std::size_t i = items_.size() - 1; i > begin && precedes(items_[i], items_[i - 1]);
           --i) {
        const item other = items_[i - 1];
        items_[i - 1] = items_[i];
        items_[i] = other;
      }
    }
    const std::int64_t least = items_[begin].excess;
    for (std::size_t i = begin; i < items_.size(); ++i) items_[i].excess -= least;
  }
  constexpr static bool precedes(const item& a, const item& b) {
    return a.excess < b.excess || (a.excess == b.excess && a.value < b.value);
  }

  /// Sets free_: at `d * limits + l` the use of limit l that is open to the classes above depth d
  /// if those below take their least.
  constexpr void reserve_room(const packing_state& s) {
    free_.resize((order_.size() + 1) * limits_);
    for (std::size_t l = 0; l < limits_; ++l)
      free_[order_.size() * limits_ + l] = static_cast<double>(m_.capacity[l]);
    for (std::size_t d = order_.size(); d-- > 0;)
      for (std::size_t l = 0; l < limits_; ++l) {
        double least = most_use;
        for (const std::uint32_t v : s.left(order_[d]))
          if (use_[v * limits_ + l] < least) least = use_[v * limits_ + l];
        free_[d * limits_ + l] = free_[(d + 1) * limits_ + l] - least;
      }
  }

  /// Adds the use of a value to that of the depths above; false if a limit is exceeded.
  constexpr bool fits(std::size_t depth, std::uint32_t v) {
    const double *const use = use_.data() + v * limits_,
                        *const before = used_.data() + depth * limits_,
                        *const free = free_.data() + (depth + 1) * limits_;
    double* const after = used_.data() + (depth + 1) * limits_;
    double over = 0;
    for (std::size_t l = 0; l < limits_; ++l) {
      after[l] = before[l] + use[l];
      const double more = after[l] - free[l];
      over = more > over ? more : over;
    }
    return over <= 0;
  }

  const packing_model& m_;
  std::size_t limits_;
  table<double> use_;  ///< use of limit l by value v, at `v * limits + l`
  table<std::uint32_t> order_, class_first_, at_, chosen_;
  table<item> items_;
  table<std::int64_t> second_, excess_;
  table<double> used_, free_;
  double part_ = 1;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
