// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/map/place/prepared_workload.hpp>

namespace wf {

/// Operators that are mapped together: the group of every operator of a workload, numbered from 0
/// on. Empty: every operator is a group of its own. The operators of a group run one after another
/// on the same PEs, and groups come after those whose results they read.
using operator_groups = table<std::uint32_t>;

/// Chains that lend themselves to being one: an operator without multiply-accumulates (an
/// activation, a sum, a view) joins the group of an operand that nobody else reads and that is not
/// handed out, the last of them if there are several. No group waits for itself through others: the
/// only way out of a chain is its end. O(operators · edges) at most.
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

/// An order of operators in which those of a group follow each other.
struct group_order {
  table<std::uint32_t> operators;  ///< indices into the prepared operators
  table<std::uint32_t> ends;       ///< behind the last operator of each group
  table<std::uint32_t> levels;     ///< the longest way of groups that leads to each

  /// The number of groups.
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(ends.size()); }
  /// The position of a group's first operator; of the end for `size()`.
  constexpr std::uint32_t begin_of(std::uint32_t group) const {
    return group == 0 ? 0 : ends[group - 1];
  }
};

/// The groups one after the other, each after those whose results it reads; of several that could
/// be next, the one with the first operator. Views belong where their readers are. Errors:
/// `invalid_problem` if there are not as many entries as operators, or groups wait for each other,
/// naming an operator of one. O(groups² + operators + operands).
constexpr result<group_order> order_of(const operator_groups& groups, const prepared_workload& w,
                                       const workload& source) {
  const auto n = static_cast<std::uint32_t>(w.operators.size());
  if (!groups.empty() && groups.size() != source.operators.size())
    return make_error(errc::invalid_problem, source.name,
                      "there must be a group for every operator");
  // Groups by their first operator, numbered anew without those of views alone.
  table<std::uint32_t> group(n);
  table<std::uint32_t> names;
  for (std::uint32_t v = 0; v < n; ++v) {
    const std::uint32_t name = groups.empty() ? v : groups[w.operators[v].source];
    std::uint32_t k = groups.empty() ? v : 0;
    while (k < names.size() && names[k] != name) ++k;
    if (k == names.size()) names.push_back(name);
    group[v] = k;
  }
  const auto count = static_cast<std::uint32_t>(names.size());
  group_order out;
  if (count == n) {  // every operator by itself, and these are in order already
    for (std::uint32_t v = 0; v < n; ++v) {
      std::uint32_t level = 0;
      for (const prepared_operand& o : w.operands_of(v))
        if (level <= out.levels[o.producer]) level = out.levels[o.producer] + 1;
      out.operators.push_back(v);
      out.ends.push_back(v + 1);
      out.levels.push_back(level);
    }
    return out;
  }
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

/// Groups made ready for placing operators one by one. Operators without others in their group are
/// not in any.
class prepared_groups {
 public:
  /// No groups.
  constexpr prepared_groups() = default;
  /// O(operators).
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

  /// The number of an operator's group if it is in none.
  static constexpr std::uint32_t none = UINT32_MAX;
  /// True if no operator is in a group.
  constexpr bool empty() const { return group_.empty(); }
  /// The group of an operator, or `none`.
  constexpr std::uint32_t group_of(std::uint32_t op) const {
    return group_.empty() ? none : group_[op];
  }
  /// The operators of a group in the order in which they run.
  constexpr view<std::uint32_t> members(std::uint32_t group) const {
    return {members_.data() + runs_[group].first, runs_[group].count};
  }
  /// The operators of the group of one, which it is in, before it.
  constexpr view<std::uint32_t> ahead_of(std::uint32_t op) const {
    return members(group_[op]).part(0, place_[op]);
  }
  /// Those behind it.
  constexpr view<std::uint32_t> behind(std::uint32_t op) const {
    return members(group_[op]).part(place_[op] + 1, runs_[group_[op]].count - place_[op] - 1);
  }

 private:
  table<std::uint32_t> group_, place_;  // by operator
  table<range> runs_;                   // by group
  table<std::uint32_t> members_;
};

/// The same groups by dependency level: independent ones are neighbours. O(groups · log groups +
/// operators).
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
