// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/packing/model.hpp>

namespace wf::detail {

/// The restriction of a packing model to some of its values: classes with one live value are
/// settled, values that conflict with them die, and only the other classes are searched.
class packing_restriction {
 public:
  constexpr explicit packing_restriction(const packing_model& model) : m_(model) {}

  /// Builds the smaller model from the live values; those that conflict with settled ones die as
  /// well. False if a class loses all its values, or the settled ones exceed a limit. O(values and
  /// entries).
  constexpr bool run(table<std::uint8_t>& alive) {
    part_ = {};
    values_.clear();
    if (!propagate(alive)) return false;
    choose_classes(alive);
    add_classes(alive);
    add_rows();
    add_limits();
    add_needs();
    part_.finish();
    for (const std::int64_t capacity : part_.capacity)
      if (capacity < 0) return false;
    return true;
  }

  /// The smaller model; its `base` is the cost of the settled classes.
  constexpr const packing_model& model() const { return part_; }
  /// By value of the smaller model, its number in the whole model.
  constexpr const table<std::uint32_t>& values() const { return values_; }
  /// Number of classes that are still to be chosen.
  constexpr std::uint32_t open() const { return open_; }
  /// A value for each class of the whole model: those of the settled classes, and those of a choice
  /// in the smaller model.
  constexpr table<std::uint32_t> whole(const table<std::uint32_t>& chosen) const {
    table<std::uint32_t> out(only_);
    for (const std::uint32_t v : chosen) out[m_.owner[values_[v]]] = values_[v];
    return out;
  }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint32_t none = packing_model::none;

  // --- what is left ----------------------------------------------------------------------------

  /// Settles the classes with one live value: the other values of its rows die.
  constexpr bool propagate(table<std::uint8_t>& alive) {
    count_ = table<std::uint32_t>(m_.classes);
    only_ = table<std::uint32_t>(m_.classes, none);
    queue_.clear();
    for (std::uint32_t v = 0; v < m_.values; ++v) count_[m_.owner[v]] += alive[v] != 0;
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (count_[k] == 0) return false;
      if (count_[k] == 1) queue_.push_back(k);
    }
    steps_ += m_.values;
    do {
      while (!queue_.empty()) {
        const std::uint32_t k = queue_.back();
        queue_.pop_back();
        if (!settle(k, alive)) return false;
      }
      if (!kill_joints(alive)) return false;
    } while (!queue_.empty());
    return true;
  }

  constexpr bool settle(std::uint32_t k, table<std::uint8_t>& alive) {
    std::uint32_t v = m_.first[k];
    while (!alive[v]) ++v;
    only_[k] = v;
    for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i) {
      const std::uint32_t row = m_.parts[m_.value_part[i]].row;
      steps_ += m_.row_first[row + 1] - m_.row_first[row];
      for (std::uint32_t e = m_.row_first[row]; e < m_.row_first[row + 1]; ++e)
        if (m_.owner[m_.entry[e]] != k && alive[m_.entry[e]] && !kill(m_.entry[e], alive))
          return false;
    }
    return true;
  }

  constexpr bool kill(std::uint32_t v, table<std::uint8_t>& alive) {
    alive[v] = 0;
    const std::uint32_t left = --count_[m_.owner[v]];
    if (left == 1) queue_.push_back(m_.owner[v]);
    return left != 0;
  }

  /// Kills the joint values that stand for a dead value.
  constexpr bool kill_joints(table<std::uint8_t>& alive) {
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (!m_.follows(k) || count_[k] < 2) continue;
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
        if (alive[v] && (!alive[m_.joint_a[v]] || !alive[m_.joint_b[v]]) && !kill(v, alive))
          return false;
      steps_ += m_.first[k + 1] - m_.first[k];
    }
    return true;
  }

  // --- the smaller model -----------------------------------------------------------------------

  /// Sets kept_ to the open classes, and the settled ones that they need or stand for.
  constexpr void choose_classes(const table<std::uint8_t>& alive) {
    kept_ = table<std::uint8_t>(m_.classes);
    open_ = 0;
    queue_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (count_[k] > 1) {
        ++open_;
        keep(k);
      }
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const std::uint32_t k = queue_[at], first = m_.first[k];
      if (m_.is_joint(first)) {
        keep(m_.owner[m_.joint_a[first]]);
        keep(m_.owner[m_.joint_b[first]]);
      }
      for (std::uint32_t v = first; v < m_.first[k + 1]; ++v)
        for (std::uint32_t i = m_.need_first[v]; i < m_.need_first[v + 1] && alive[v]; ++i)
          keep(m_.need[i]);
      steps_ += m_.first[k + 1] - first;
    }
  }
  constexpr void keep(std::uint32_t k) {
    if (kept_[k]) return;
    kept_[k] = 1;
    queue_.push_back(k);
  }

  constexpr void add_classes(const table<std::uint8_t>& alive) {
    number_.resize(m_.values);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (count_[k] == 1) part_.base += m_.cost[only_[k]];
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v) number_[v] = none;
      if (!kept_[k]) continue;
      class_at_.resize(m_.classes);
      class_at_[k] = part_.add_class();
      part_.block.push_back(m_.block[k]);
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v) {
        if (!alive[v]) continue;
        number_[v] = part_.add_value(count_[k] == 1 ? 0 : m_.cost[v], none);
        values_.push_back(v);
        if (v == m_.off[k]) part_.off[class_at_[k]] = number_[v];
      }
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!m_.is_joint(values_[i])) continue;
      part_.joint_a[i] = number_[m_.joint_a[values_[i]]];
      part_.joint_b[i] = number_[m_.joint_b[values_[i]]];
    }
    steps_ += m_.values;
  }

  /// Adds the rows with open values of at least two classes.
  constexpr void add_rows() {
    for (std::uint32_t row = 0; row < m_.rows; ++row) {
      std::uint32_t live = 0;
      for (std::uint32_t i = m_.row_part[row]; i < m_.row_part[row + 1]; ++i)
        live += count_[m_.parts[i].owner] > 1;
      if (live < 2) continue;
      queue_.clear();
      for (std::uint32_t e = m_.row_first[row]; e < m_.row_first[row + 1]; ++e)
        if (number_[m_.entry[e]] != none && count_[m_.owner[m_.entry[e]]] > 1)
          queue_.push_back(number_[m_.entry[e]]);
      steps_ += m_.row_first[row + 1] - m_.row_first[row];
      if (queue_.empty() || part_.owner[queue_[0]] == part_.owner[queue_.back()]) continue;
      if (is_new(queue_)) part_.add_row(queue_);
    }
    steps_ += m_.parts.size() / 4;
  }

  /// True if no earlier row has these values: settling makes many rows equal.
  constexpr bool is_new(const table<std::uint32_t>& row) {
    if (part_.rows == 0) {
      known_rows_.clear();
      known_rows_.reserve(m_.rows);
    }
    hasher hash;
    for (const std::uint32_t v : row) hash.word(v);
    const auto is_same = [&](std::uint32_t known) { return is_row(known, row); };
    if (known_rows_.find(hash.value(), is_same) != hash_index::none) return false;
    known_rows_.insert(hash.value(), part_.rows);
    return true;
  }
  constexpr bool is_row(std::uint32_t known, const table<std::uint32_t>& row) const {
    const std::size_t begin = part_.row_first[known];
    const std::size_t end =
        known + 1 < part_.rows ? part_.row_first[known + 1] : part_.entry.size();
    bool same = end - begin == row.size();
    for (std::size_t i = 0; i < row.size() && same; ++i) same = part_.entry[begin + i] == row[i];
    return same;
  }

  /// Adds the limits, with capacities reduced by the use of settled classes.
  constexpr void add_limits() {
    for (std::size_t l = 0; l < m_.capacity.size(); ++l) {
      const std::int64_t* const weight = m_.weight.data() + l * m_.values;
      std::int64_t left = m_.capacity[l];
      for (std::uint32_t k = 0; k < m_.classes; ++k)
        if (count_[k] == 1) left -= weight[only_[k]];
      part_.capacity.push_back(left);
      for (const std::uint32_t v : values_)
        part_.weight.push_back(count_[m_.owner[v]] == 1 ? 0 : weight[v]);
      steps_ += values_.size() + m_.classes;
    }
  }

  constexpr void add_needs() {
    for (const std::uint32_t v : values_) {
      part_.need_first.push_back(static_cast<std::uint32_t>(part_.need.size()));
      for (std::uint32_t i = m_.need_first[v]; i < m_.need_first[v + 1]; ++i)
        part_.need.push_back(class_at_[m_.need[i]]);
    }
    part_.need_first.push_back(static_cast<std::uint32_t>(part_.need.size()));
  }

  const packing_model& m_;
  packing_model part_;
  table<std::uint32_t> values_, number_, class_at_, count_, only_, queue_;
  hash_index known_rows_;  // of the part
  table<std::uint8_t> kept_;
  std::uint32_t open_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
