// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/reduce/exchange.hpp>

namespace wf::detail {

/// An acyclic choice in a packing model: for each class the value, `off` excluded, that is cheapest
/// together with its needs within its own strongly connected component. `price(v)` is at least 0;
/// an `unbounded` value is taken only if the class has no other. Only strict improvements count, so
/// that not even free cycles close. O(values and their needs) for each sweep over the components.
template <class Price>
constexpr table<std::uint32_t> cheapest_choice(const packing_model& m, Price&& price,
                                               std::uint64_t& steps) {
  table<std::uint32_t> chosen(m.first);
  chosen.pop_back();
  table<std::int64_t> paid(m.classes, unbounded);
  for (bool changed = true, again = false; changed; again = true) {
    changed = false;
    for (std::uint32_t k = m.classes; k-- > 0;) {
      if (again && m.block[k] == packing_model::none) continue;
      for (std::uint32_t v = m.first[k]; v < m.first[k + 1]; ++v) {
        std::int64_t all = v == m.off[k] ? unbounded : price(v);
        for (std::uint32_t i = m.need_first[v]; i < m.need_first[v + 1] && all < paid[k]; ++i)
          all = saturating_add(all, paid[m.need[i]]);
        if (all >= paid[k]) continue;
        changed = true;
        paid[k] = all;
        chosen[k] = v;
      }
      steps += m.first[k + 1] - m.first[k];
    }
  }
  return chosen;
}

/// A value for each class of a packing model and the price of the classes that are needed, kept up
/// to date while single values are exchanged: a class that is no longer needed leaves the price, a
/// newly needed one enters it with its value here. Violated limits and rows are counted, not
/// forbidden.
///
/// Each needed class counts the classes that need it. Without cycles a class with count 0 is not
/// needed; a choice with a cycle is therefore priced from scratch.
class packing_choice {
 public:
  constexpr explicit packing_choice(const packing_model& model) : m_(model) {}

  /// Prices a choice, without the model's base. A needed class whose value is `off` takes its first
  /// other value; a joint class follows its two classes. O(classes, rows, and parts of the needed
  /// classes' values).
  constexpr priced_choice load(const table<std::uint32_t>& chosen) {
    if (users_.empty()) index();
    chosen_ = chosen;
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (chosen_[k] == m_.off[k]) chosen_[k] = m_.first[k];
    reload();
    return price();
  }

  /// Gives class `k` value `v`, which is not joint, and prices the result. O(values that enter and
  /// leave, and in cyclic components the classes reached from them).
  constexpr priced_choice exchange(std::uint32_t k, std::uint32_t v) {
    journal_.clear();
    before_ = chosen_[k];
    at_ = k;
    was_cyclic_ = !acyclic_;
    if (was_cyclic_ || !is_needed(k)) {
      chosen_[k] = v;
      if (was_cyclic_) reload();
      return price();
    }
    replace(k, v);
    settle();
    follow_changed();
    acyclic_ = !closes_cycle();
    return price();
  }

  /// Undoes the last exchange; at most once per exchange.
  constexpr void undo() {
    if (was_cyclic_ || journal_.empty()) {
      chosen_[at_] = before_;
      if (was_cyclic_) reload();
      return;
    }
    for (; !journal_.empty(); journal_.pop_back()) {
      const change& last = journal_.back();
      if (last.enters) {
        detach(last.value);
      } else {
        chosen_[last.k] = last.value;
        attach(last.value);
      }
    }
    stack_.clear();
    acyclic_ = true;
  }

  /// The price of the current choice. Its excess is the surplus of values in rows and of use in
  /// limits.
  constexpr priced_choice price() const {
    priced_choice out{acyclic_, too_many_, cost_};
    for (std::size_t l = 0; l < used_.size(); ++l)
      if (used_[l] > m_.capacity[l])
        out.excess = saturating_add(out.excess, used_[l] - m_.capacity[l]);
    return out;
  }

  constexpr bool is_needed(std::uint32_t k) const { return users_[k] != 0; }
  /// The value that a class takes, or would take if it were needed.
  constexpr std::uint32_t at(std::uint32_t k) const { return chosen_[k]; }
  /// The value that a class takes: `off` if it is not needed.
  constexpr std::uint32_t taken(std::uint32_t k) const {
    return is_needed(k) ? chosen_[k] : m_.off[k];
  }
  /// The rows with more than one value, in no particular order.
  constexpr const table<std::uint32_t>& broken() const { return broken_; }
  /// The values of all classes, those not needed included (see `at`).
  constexpr const table<std::uint32_t>& values() const { return chosen_; }
  /// The classes that a value needs, without those that follow from its other needs.
  constexpr view<std::uint32_t> needs(std::uint32_t v) const {
    return {need_.data() + need_first_[v], need_first_[v + 1] - need_first_[v]};
  }
  /// Number of taken values in a row.
  constexpr std::uint32_t in_row(std::uint32_t row) const { return row_used_[row]; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint32_t none = packing_model::none;

  struct change {
    std::uint32_t k = 0, value = 0;
    bool enters = false;
  };
  struct frame {
    std::uint32_t k = 0, next = 0;
  };

  // --- what follows from the model -------------------------------------------------------------

  template <class F>
  constexpr void each_need(F&& f) {
    for (std::uint32_t row = 0; row < m_.rows; ++row)
      for (std::uint32_t i = m_.row_part[row]; i < m_.row_part[row + 1]; ++i) {
        const std::uint32_t e = m_.parts[i].owner;
        ++steps_;
        if (m_.entry[m_.parts[i].end - 1] != m_.off[e]) continue;  // `off` is the last of its class
        for (std::uint32_t j = m_.row_part[row]; j < m_.row_part[row + 1]; ++j)
          for (std::uint32_t x = m_.parts[j].begin; x < m_.parts[j].end && j != i; ++x, ++steps_)
            if (!m_.is_joint(m_.entry[x])) f(m_.entry[x], e);
      }
  }

  template <class F>
  constexpr void each_joint(F&& f) const {
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      const std::uint32_t v = m_.first[k];
      if (!m_.is_joint(v)) continue;
      f(m_.owner[m_.joint_a[v]], k);
      f(m_.owner[m_.joint_b[v]], k);
    }
  }

  /// A value needs class e if a row holds it and the `off` of e.
  constexpr void index() {
    users_ = table<std::uint32_t>(m_.classes);
    colour_ = table<std::uint8_t>(m_.classes);
    place_ = table<std::uint32_t>(m_.rows);
    need_first_ = table<std::uint32_t>(m_.values + 1);
    each_need([&](std::uint32_t v, std::uint32_t) { ++need_first_[v + 1]; });
    for (std::uint32_t v = 0; v < m_.values; ++v) need_first_[v + 1] += need_first_[v];
    need_.resize(need_first_[m_.values]);
    table<std::uint32_t> at(need_first_);
    each_need([&](std::uint32_t v, std::uint32_t e) { need_[at[v]++] = e; });
    joint_first_ = table<std::uint32_t>(m_.classes + 1);
    each_joint([&](std::uint32_t k, std::uint32_t) { ++joint_first_[k + 1]; });
    for (std::uint32_t k = 0; k < m_.classes; ++k) joint_first_[k + 1] += joint_first_[k];
    joint_.resize(joint_first_[m_.classes]);
    at = joint_first_;
    each_joint([&](std::uint32_t k, std::uint32_t joint) { joint_[at[k]++] = joint; });
  }

  /// The value of a joint class that matches the values of its two classes, or its first value.
  /// Binary search: its values ascend by the pair that they stand for.
  constexpr std::uint32_t following(std::uint32_t k) {
    const std::uint32_t first = m_.first[k];
    const std::uint32_t a = taken(m_.owner[m_.joint_a[first]]);
    const std::uint32_t b = taken(m_.owner[m_.joint_b[first]]);
    std::uint32_t begin = first, end = m_.first[k + 1];
    while (begin < end) {
      const std::uint32_t middle = begin + (end - begin) / 2;
      const std::uint32_t x = m_.joint_a[middle], y = m_.joint_b[middle];
      ++steps_;
      if (x < a || (x == a && y < b))
        begin = middle + 1;
      else
        end = middle;
    }
    return begin < m_.first[k + 1] && m_.joint_a[begin] == a && m_.joint_b[begin] == b ? begin
                                                                                       : first;
  }

  // --- what enters and leaves ------------------------------------------------------------------

  constexpr void reload() {
    cost_ = too_many_ = 0;
    used_ = table<std::int64_t>(m_.capacity.size());
    row_used_ = table<std::uint32_t>(m_.rows);
    broken_.clear();
    stack_.clear();
    for (std::uint32_t& count : users_) count = 0;
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (m_.off[k] == none) users_[k] = 1;
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (m_.off[k] == none && !m_.follows(k)) attach(chosen_[k]);
    for (; !stack_.empty(); attach(chosen_[pop()])) {
    }
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (m_.follows(k)) attach(chosen_[k] = following(k));
    journal_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (is_needed(k) && m_.block[k] != none) journal_.push_back({k, chosen_[k], true});
    acyclic_ = !closes_cycle();
    journal_.clear();
    steps_ += m_.classes + m_.rows / 8;
  }

  /// Gives class `k` value `v`. The needs of `v` enter before those of the old value leave, so that
  /// common ones stay.
  constexpr void replace(std::uint32_t k, std::uint32_t v) {
    const std::uint32_t old = chosen_[k];
    chosen_[k] = v;
    enter(k, v);
    for (; !stack_.empty();) {
      const std::uint32_t e = pop();
      enter(e, chosen_[e]);
    }
    leave(k, old);
  }
  /// Removes the values of classes that are no longer needed.
  constexpr void settle() {
    while (!stack_.empty()) {
      const std::uint32_t e = pop();
      leave(e, chosen_[e]);
    }
  }
  constexpr void enter(std::uint32_t k, std::uint32_t v) {
    journal_.push_back({k, v, true});
    attach(v);
  }
  constexpr void leave(std::uint32_t k, std::uint32_t v) {
    journal_.push_back({k, v, false});
    detach(v);
  }
  constexpr std::uint32_t pop() {
    const std::uint32_t k = stack_.back();
    stack_.pop_back();
    return k;
  }

  /// Updates the joint classes of the classes that changed.
  constexpr void follow_changed() {
    if (joint_.empty()) return;
    for (std::size_t i = 0, changes = journal_.size(); i < changes; ++i) {
      const std::uint32_t k = journal_[i].k;
      for (std::uint32_t j = joint_first_[k]; j < joint_first_[k + 1]; ++j) {
        const std::uint32_t now = following(joint_[j]);
        if (now != chosen_[joint_[j]]) replace(joint_[j], now);
      }
    }
  }

  /// Adds a value of a needed class; pushes on stack_ the classes that it makes needed.
  constexpr void attach(std::uint32_t v) {
    cost_ += m_.cost[v];
    for (std::size_t l = 0; l < used_.size(); ++l) used_[l] += m_.weight[l * m_.values + v];
    for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i) {
      const std::uint32_t row = m_.parts[m_.value_part[i]].row;
      if (++row_used_[row] == 1) continue;
      ++too_many_;
      if (row_used_[row] == 2) {
        place_[row] = static_cast<std::uint32_t>(broken_.size());
        broken_.push_back(row);
      }
    }
    for (std::uint32_t i = need_first_[v]; i < need_first_[v + 1]; ++i)
      if (users_[need_[i]]++ == 0) stack_.push_back(need_[i]);
    steps_ += 1 + (m_.value_part_first[v + 1] - m_.value_part_first[v]);
  }

  /// Removes a value; pushes on stack_ the classes that nobody needs any more.
  constexpr void detach(std::uint32_t v) {
    cost_ -= m_.cost[v];
    for (std::size_t l = 0; l < used_.size(); ++l) used_[l] -= m_.weight[l * m_.values + v];
    for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i) {
      const std::uint32_t row = m_.parts[m_.value_part[i]].row;
      if (row_used_[row]-- == 1) continue;
      --too_many_;
      if (row_used_[row] != 1) continue;
      place_[broken_.back()] = place_[row];
      broken_[place_[row]] = broken_.back();
      broken_.pop_back();
    }
    for (std::uint32_t i = need_first_[v]; i < need_first_[v + 1]; ++i)
      if (--users_[need_[i]] == 0) stack_.push_back(need_[i]);
    steps_ += 1 + (m_.value_part_first[v + 1] - m_.value_part_first[v]);
  }

  // --- cycles ----------------------------------------------------------------------------------

  /// True if a class that entered reaches itself: depth-first search with three colours.
  constexpr bool closes_cycle() {
    bool closes = false;
    coloured_.clear();
    for (std::size_t i = 0; i < journal_.size() && !closes; ++i) {
      const change& c = journal_[i];
      if (!c.enters || colour_[c.k] != 0 || m_.need_first[c.value] == m_.need_first[c.value + 1])
        continue;
      open(c.k);
      while (!path_.empty() && !closes) {
        frame& f = path_.back();
        if (f.next == m_.need_first[chosen_[f.k] + 1]) {
          colour_[f.k] = 2;
          path_.pop_back();
          continue;
        }
        const std::uint32_t e = m_.need[f.next++];
        ++steps_;
        closes = colour_[e] == 1;
        if (colour_[e] == 0) open(e);
      }
    }
    path_.clear();
    for (const std::uint32_t k : coloured_) colour_[k] = 0;
    return closes;
  }
  constexpr void open(std::uint32_t k) {
    colour_[k] = 1;
    coloured_.push_back(k);
    path_.push_back({k, m_.need_first[chosen_[k]]});
  }

  const packing_model& m_;
  table<std::uint32_t> need_first_, need_;    ///< by value: the classes that it needs
  table<std::uint32_t> joint_first_, joint_;  ///< by class: the joint classes that follow it
  table<std::uint32_t> chosen_;
  table<std::uint32_t> users_;  ///< by class: number of users, plus 1 if it has no `off`
  table<std::uint32_t> row_used_, broken_, place_;
  table<std::int64_t> used_;  ///< by limit
  std::int64_t cost_ = 0, too_many_ = 0;
  bool acyclic_ = false;
  table<change> journal_;  ///< changes of the last exchange
  std::uint32_t at_ = 0, before_ = 0;
  bool was_cyclic_ = false;
  table<std::uint32_t> stack_, coloured_;
  table<std::uint8_t> colour_;
  table<frame> path_;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
