// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/map/place/prepared_workload.hpp>

namespace wf {

/// Groups of operators that are mapped together: the group number, from 0 on, of every operator of
/// a workload. Empty: every operator is its own group. The operators of a group run one after
/// another on the same PEs, and a group comes after the groups whose results it reads.
using operator_groups = table<std::uint32_t>;

/// Groups of fusible chains: an operator without multiply-accumulates (an activation, a sum, a
/// view) joins the group of an operand that has no other reader and is no output of the workload,
/// the last of them if there are several. No cyclic waiting between groups can arise: a chain is
/// left only at its end. O(operators · edges) at most.
constexpr operator_groups fusible_chains(const workload& w) {
  table<std::uint32_t> readers(w.operators.size());
  for (const workload_edge& e : w.edges) ++readers[e.from];
  operator_groups out;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < w.operators.size(); ++i) {
    std::uint32_t joined = UINT32_MAX;
    if (w.operators[i].macs == 0)
      for (const workload_edge& e : w.edges)
        if (e.to == i && readers[e.from] == 1 && !w.operators[e.from].is_output &&
            (joined == UINT32_MAX || joined < e.from))
          joined = e.from;
    out.push_back(joined == UINT32_MAX ? count++ : out[joined]);
  }
  return out;
}

/// An order of operators in which each group is contiguous.
struct group_order {
  table<std::uint32_t> operators;  ///< prepared operators in that order
  table<std::uint32_t> ends;       ///< end position of each group in `operators`
  table<std::uint32_t> levels;     ///< longest path of groups that leads to each group

  /// Number of groups.
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(ends.size()); }
  /// Position of a group's first operator in `operators`; `begin_of(size())` is the end.
  constexpr std::uint32_t begin_of(std::uint32_t group) const {
    return group == 0 ? 0 : ends[group - 1];
  }
};

namespace detail {

/// The group of each prepared operator; groups are numbered by their first prepared operator, and
/// those that contain only views have no number.
struct numbered_groups {
  table<std::uint32_t> group;  ///< by prepared operator
  std::uint32_t count = 0;     ///< number of groups
};

/// Numbers the groups of the operators that are left after preparation. O(groups · operators).
constexpr numbered_groups number_groups(const operator_groups& groups, const prepared_workload& w) {
  const auto n = static_cast<std::uint32_t>(w.operators.size());
  numbered_groups out;
  out.group.resize(n);
  table<std::uint32_t> names;
  for (std::uint32_t v = 0; v < n; ++v) {
    const std::uint32_t name = groups.empty() ? v : groups[w.operators[v].source];
    std::uint32_t k = groups.empty() ? v : 0;
    while (k < names.size() && names[k] != name) ++k;
    if (k == names.size()) names.push_back(name);
    out.group[v] = k;
  }
  out.count = static_cast<std::uint32_t>(names.size());
  return out;
}

/// The order in which every operator is its own group: that of the prepared operators, which is
/// topological. O(operators + operands).
constexpr group_order each_by_itself(const prepared_workload& w) {
  group_order out;
  for (std::uint32_t v = 0; v < w.operators.size(); ++v) {
    std::uint32_t level = 0;
    for (const prepared_operand& o : w.operands_of(v))
      if (level <= out.levels[o.producer]) level = out.levels[o.producer] + 1;
    out.operators.push_back(v);
    out.ends.push_back(v + 1);
    out.levels.push_back(level);
  }
  return out;
}

}  // namespace detail

/// A topological order of groups; of several that could be next, the one with the first operator
/// comes next. Views count for the groups of their readers. Errors: `invalid_problem` if the number
/// of entries is not the number of operators, or if groups wait for each other, naming an operator
/// of one. O(groups² + operators + operands).
constexpr result<group_order> order_of(const operator_groups& groups, const prepared_workload& w,
                                       const workload& source) {
  const auto n = static_cast<std::uint32_t>(w.operators.size());
  if (!groups.empty() && groups.size() != source.operators.size())
    return make_error(errc::invalid_problem, source.name,
                      "there must be a group for every operator");
  const auto [group, count] = detail::number_groups(groups, w);
  if (count == n) return detail::each_by_itself(w);
  table<std::uint32_t> waits(count), level(count);
  table<char> done(count);
  for (std::uint32_t v = 0; v < n; ++v)
    for (const prepared_operand& o : w.operands_of(v))
      if (group[o.producer] != group[v]) ++waits[group[v]];
  table<std::uint32_t> first(count + 1), members(n);
  for (std::uint32_t v = 0; v < n; ++v) ++first[group[v] + 1];
  for (std::uint32_t k = 0; k < count; ++k) first[k + 1] += first[k];
  table<std::uint32_t> filled(first);
  for (std::uint32_t v = 0; v < n; ++v) members[filled[group[v]]++] = v;
  group_order out;
  while (out.size() < count) {
    std::uint32_t next = 0;
    while (next < count && (done[next] != 0 || waits[next] != 0)) ++next;
    if (next == count) {
      next = 0;
      while (done[next] != 0) ++next;
      return make_error(errc::invalid_problem,
                        source.operators[w.operators[members[first[next]]].source].label.view(),
                        "its group waits for one that waits for it");
    }
    done[next] = 1;
    for (std::uint32_t k = first[next]; k < first[next + 1]; ++k) {
      const std::uint32_t v = members[k];
      out.operators.push_back(v);
      for (std::uint32_t r : w.readers_of(v)) {
        if (group[r] == next) continue;
        --waits[group[r]];
        if (level[group[r]] <= level[next]) level[group[r]] = level[next] + 1;
      }
    }
    out.ends.push_back(static_cast<std::uint32_t>(out.operators.size()));
    out.levels.push_back(level[next]);
  }
  return out;
}

/// Groups prepared for placing operators one by one. An operator alone in its group counts as in
/// none.
class prepared_groups {
 public:
  /// The empty set of groups.
  constexpr prepared_groups() = default;
  /// Indexes the groups of an order by operator. O(operators).
  constexpr prepared_groups(const group_order& order, const prepared_workload& w) {
    if (order.size() == w.operators.size()) return;
    group_.resize(w.operators.size());
    place_.resize(w.operators.size());
    for (std::uint32_t& g : group_) g = none;
    for (std::uint32_t g = 0; g < order.size(); ++g) {
      const std::uint32_t first = order.begin_of(g), count = order.ends[g] - first;
      for (std::uint32_t k = 0; k < count && count > 1; ++k) {
        group_[order.operators[first + k]] = g;
        place_[order.operators[first + k]] = k;
      }
      runs_.push_back({first, count});
    }
    members_ = order.operators;
  }

  /// In place of a group number: the operator is in no group.
  static constexpr std::uint32_t none = UINT32_MAX;
  /// True if no operator is in a group.
  constexpr bool empty() const { return group_.empty(); }
  /// The group number of an operator, or `none`.
  constexpr std::uint32_t group_of(std::uint32_t op) const {
    return group_.empty() ? none : group_[op];
  }
  /// The operators of a group, in execution order.
  constexpr view<std::uint32_t> members(std::uint32_t group) const {
    return {members_.data() + runs_[group].first, runs_[group].count};
  }
  /// The members of an operator's group before it. Precondition: it is in a group.
  constexpr view<std::uint32_t> ahead_of(std::uint32_t op) const {
    return members(group_[op]).part(0, place_[op]);
  }
  /// The members of an operator's group after it. Precondition: it is in a group.
  constexpr view<std::uint32_t> behind(std::uint32_t op) const {
    return members(group_[op]).part(place_[op] + 1, runs_[group_[op]].count - place_[op] - 1);
  }

 private:
  table<std::uint32_t> group_, place_;  // by operator
  table<range> runs_;                   // by group
  table<std::uint32_t> members_;
};

/// The same groups sorted by dependency level, so that independent ones are neighbours. O(groups ·
/// log groups + operators).
constexpr group_order by_level(const group_order& order) {
  table<std::uint32_t> groups;
  for (std::uint32_t g = 0; g < order.size(); ++g) groups.push_back(g);
  detail::stable_sort(
      groups, [&](std::uint32_t a, std::uint32_t b) { return order.levels[a] < order.levels[b]; });
  group_order out;
  for (std::uint32_t g : groups) {
    for (std::uint32_t k = order.begin_of(g); k < order.ends[g]; ++k)
      out.operators.push_back(order.operators[k]);
    out.ends.push_back(static_cast<std::uint32_t>(out.operators.size()));
    out.levels.push_back(order.levels[g]);
  }
  return out;
}

}  // namespace wf
