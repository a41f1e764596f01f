// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/core/table.hpp>
#include <wf/select/exchange.hpp>
#include <wf/select/packing.hpp>

namespace wf::detail {

/// Completes and improves choices in a packing model: a value for each class, from which the
/// classes that are not needed are left out.
class packing_improver {
 public:
  constexpr explicit packing_improver(const packing_model& model)
      : m_(model),
        needed_(model.classes),
        state_(model.classes),
        row_used_(model.rows),
        limit_used_(model.capacity.size()) {}

  /// Prices a choice, without the model's base; its excess are values too many in rows, and use
  /// over limits. A class whose value is its `off` is taken with its first other value if it is
  /// needed. O(parts of the needed classes' values).
  constexpr priced_choice price(table<std::uint32_t>& chosen) {
    collect(chosen);
    follow(chosen);
    priced_choice out;
    out.possible = is_acyclic(chosen);
    out.objective = out.excess = 0;
    for (std::int64_t& used : limit_used_) used = 0;
    for (const std::uint32_t k : list_) {
      const std::uint32_t v = chosen[k];
      out.objective += m_.cost[v];
      for (std::size_t l = 0; l < limit_used_.size(); ++l)
        limit_used_[l] += m_.weight[l * m_.values + v];
      for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i)
        if (++row_used_[m_.parts[m_.value_part[i]].row] > 1) ++out.excess;
    }
    for (const std::uint32_t k : list_)
      for (std::uint32_t i = m_.value_part_first[chosen[k]]; i < m_.value_part_first[chosen[k] + 1];
           ++i)
        row_used_[m_.parts[m_.value_part[i]].row] = 0;
    for (std::size_t l = 0; l < limit_used_.size(); ++l)
      if (limit_used_[l] > m_.capacity[l])
        out.excess = saturating_add(out.excess, limit_used_[l] - m_.capacity[l]);
    return out;
  }

  /// Exchanges single values of needed classes while that is better, in at most `rounds` sweeps and
  /// about `budget` steps.
  constexpr priced_choice improve(table<std::uint32_t>& chosen, int rounds, std::uint64_t budget) {
    return exchange(
        *this, chosen, m_.first,
        [&](std::uint32_t v) {  // what follows others is not chosen
          return v != m_.off[m_.owner[v]] && m_.joint_a[v] == packing_model::none;
        },
        rounds, budget);
  }

  /// Sets the classes that a priced choice does not need to their `off`.
  constexpr void leave_out(table<std::uint32_t>& chosen) {
    collect(chosen);
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (!needed_[k]) chosen[k] = m_.off[k];
  }

  /// The classes that the last `price` found needed.
  constexpr const table<std::uint32_t>& needed() const { return list_; }
  /// Innermost visits made.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// list_ and needed_: the classes that the choice needs. A value needs class e if a row holds it
  /// and the `off` of e.
  constexpr void collect(table<std::uint32_t>& chosen) {
    for (const std::uint32_t k : list_) needed_[k] = 0;
    list_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (m_.off[k] == packing_model::none) need(k, chosen);
    for (std::size_t at = 0; at < list_.size(); ++at) {
      const std::uint32_t v = chosen[list_[at]];
      if (m_.joint_a[v] != packing_model::none) continue;  // follows, and needs nothing itself
      for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i) {
        const packing_part& own = m_.parts[m_.value_part[i]];
        for (std::uint32_t j = m_.row_part[own.row]; j < m_.row_part[own.row + 1]; ++j) {
          const packing_part& other = m_.parts[j];
          ++steps_;
          if (other.owner == own.owner || needed_[other.owner]) continue;
          // `off` is the last value of its class.
          if (m_.entry[other.end - 1] == m_.off[other.owner]) need(other.owner, chosen);
        }
      }
    }
  }

  constexpr void need(std::uint32_t k, table<std::uint32_t>& chosen) {
    needed_[k] = 1;
    list_.push_back(k);
    if (chosen[k] == m_.off[k]) chosen[k] = m_.first[k];
  }

  /// Classes that stand for two others take the value of what these have, or the first.
  constexpr void follow(table<std::uint32_t>& chosen) {
    for (const std::uint32_t k : list_) {
      const std::uint32_t first = m_.first[k];
      if (m_.joint_a[first] == packing_model::none) continue;
      const std::uint32_t a = taken(m_.owner[m_.joint_a[first]], chosen);
      const std::uint32_t b = taken(m_.owner[m_.joint_b[first]], chosen);
      chosen[k] = first;
      for (std::uint32_t v = first; v < m_.first[k + 1]; ++v)
        if (m_.joint_a[v] == a && m_.joint_b[v] == b) chosen[k] = v;
      steps_ += m_.first[k + 1] - first;
    }
  }
  constexpr std::uint32_t taken(std::uint32_t k, const table<std::uint32_t>& chosen) const {
    return needed_[k] ? chosen[k] : m_.off[k];
  }

  /// Depth-first with three colours over the needs within connected parts.
  constexpr bool is_acyclic(const table<std::uint32_t>& chosen) {
    bool acyclic = true;
    for (const std::uint32_t root : list_) {
      if (m_.block[root] == packing_model::none || state_[root] != 0 || !acyclic) continue;
      path_.clear();
      enter(root, chosen);
      while (!path_.empty() && acyclic) {
        frame& f = path_.back();
        if (f.next == m_.need_first[chosen[f.k] + 1]) {
          state_[f.k] = 2;
          path_.pop_back();
          continue;
        }
        const std::uint32_t e = m_.need[f.next++];
        ++steps_;
        if (state_[e] == 1) acyclic = false;
        if (state_[e] == 0) enter(e, chosen);
      }
    }
    for (const std::uint32_t k : list_) state_[k] = 0;
    return acyclic;
  }

  struct frame {
    std::uint32_t k = 0, next = 0;
  };
  constexpr void enter(std::uint32_t k, const table<std::uint32_t>& chosen) {
    state_[k] = 1;
    path_.push_back({k, m_.need_first[chosen[k]]});
  }

  const packing_model& m_;
  table<std::uint8_t> needed_, state_;
  table<std::uint32_t> row_used_;
  table<std::int64_t> limit_used_;
  table<std::uint32_t> list_;
  table<frame> path_;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
