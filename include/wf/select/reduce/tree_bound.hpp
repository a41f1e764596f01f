// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/bound_parts.hpp>
#include <wf/select/reduce/partial_selection.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/reduce/survey.hpp>

namespace wf::detail {

/// The tree bound on a sum: bottom-up, a class costs its cheapest candidate. Each child of a
/// candidate adds its own bound if its reach is disjoint from the classes charged before, and else
/// the cheapest costs of those members of its must set that were not charged. Exact where nothing
/// can be shared (a matrix chain), blind to sharing that is merely possible.
class selection_tree_bound {
 public:
  /// The survey and the parts belong to the caller; the survey precedes each bound.
  constexpr selection_tree_bound(const reduced_selection& reduced, selection_survey& survey,
                                 bound_parts& parts)
      : r_(reduced),
        s_(survey),
        parts_(parts),
        least_(reduced.classes),
        charged_(reduced.words),
        paid_(reduced.words) {}

  /// The bound of all open classes together in the costs `own`, by candidate. Leaves its parts in
  /// those of this object, and the open classes in the order in which they are charged.
  constexpr std::int64_t total(const partial_selection& s, const std::int64_t* own) {
    find_values(s, own);
    for (std::size_t gap = (s_.open.size() + 1) / 2; gap > 0; gap /= 2)  // dearest first
      for (std::size_t i = gap; i < s_.open.size(); ++i)
        for (std::size_t j = i;
             j >= gap && parts_.value[s_.open[j - gap]] < parts_.value[s_.open[j]]; j -= gap) {
          const std::uint32_t k = s_.open[j];
          s_.open[j] = s_.open[j - gap];
          s_.open[j - gap] = k;
        }
    paid_ = table<word>(r_.words);
    std::int64_t total = 0;
    for (const std::uint32_t k : s_.open) {
      if (overlaps(paid_.data(), s_.reach_of(k), r_.words)) recharge(s, own, k);
      parts_.contribution[k] = parts_.value[k];
      if (parts_.value[k] == unbounded) return unbounded;
      total += parts_.value[k];
      unite(paid_.data(), s_.reach_of(k), r_.words);
    }
    return total;
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// The cost that the children of a candidate add beyond the `charged_` classes, which grow if
  /// there are several children.
  constexpr std::int64_t cover(const std::int64_t* value, std::uint32_t n, bool charged) {
    std::int64_t total = 0;
    const word* single = nullptr;
    const word* const visited = s_.visited.data();
    const std::uint32_t* const child = r_.child.data();
    const std::uint32_t begin = r_.child_first[n], end = r_.child_first[n + 1];
    steps_ += end - begin;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t c = child[i];
      if (!((visited[c >> 6] >> (c & 63)) & 1)) continue;
      if (value[c] == unbounded) return unbounded;
      if (!charged && single == nullptr) {
        single = s_.reach_of(c);
        total = value[c];
        continue;
      }
      if (!charged) {
        for (std::uint32_t w = 0; w < r_.words; ++w) charged_[w] = single[w];
        charged = true;
      }
      total += charge(value, c);
    }
    return total;
  }

  /// The cost that class `c` adds beyond the charged classes; charges it.
  constexpr std::int64_t charge(const std::int64_t* value, std::uint32_t c) {
    if (!overlaps(s_.reach_of(c), charged_.data(), r_.words)) {
      unite(charged_.data(), s_.reach_of(c), r_.words);
      return value[c];
    }
    std::int64_t total = 0;
    const word* const must = r_.must_of(c);
    for (std::uint32_t w = 0; w < r_.words; ++w) {
      const word fresh = must[w] & s_.visited[w] & ~charged_[w];
      charged_[w] |= fresh;
      for (word rest = fresh; rest != 0; rest &= rest - 1, ++steps_)
        total += least_[w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest))];
    }
    return total;
  }

  /// Sets least_ to the cheapest live candidate's cost and parts_.value to the tree bound of each
  /// listed class.
  constexpr void find_values(const partial_selection& s, const std::int64_t* own) {
    for (const std::uint32_t k : s_.order) {
      std::int64_t least = unbounded;
      for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n)
        if (own[n] < least && s.is_alive(n)) least = own[n];
      least_[k] = least;
      parts_.value[k] = unbounded;
    }
    s_.each_component([&](std::size_t begin, std::size_t end) {
      for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = begin; i < end; ++i)
          changed = renew_value(s, own, s_.order[i]) || changed;
        if (end - begin == 1) break;
      }
    });
  }

  /// Recomputes the value of a class; true if it changed.
  constexpr bool renew_value(const partial_selection& s, const std::int64_t* own, std::uint32_t k) {
    std::int64_t least = unbounded;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!s.is_alive(n)) continue;
      const std::int64_t below = cover(parts_.value.data(), n, false);
      const std::int64_t all = below == unbounded ? unbounded : own[n] + below;
      parts_.candidate_value[n] = all;
      if (all < least) least = all;
    }
    const bool changed = least != parts_.value[k];
    parts_.value[k] = least;
    return changed;
  }

  /// Recomputes the value of an open class with the classes charged by earlier ones free.
  constexpr void recharge(const partial_selection& s, const std::int64_t* own, std::uint32_t k) {
    std::int64_t least = unbounded;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!s.is_alive(n) || parts_.candidate_value[n] == unbounded) continue;
      for (std::uint32_t w = 0; w < r_.words; ++w) charged_[w] = paid_[w];
      parts_.candidate_value[n] = own[n] + cover(parts_.value.data(), n, true);
      if (parts_.candidate_value[n] < least) least = parts_.candidate_value[n];
    }
    parts_.value[k] = least;
  }

  const reduced_selection& r_;
  selection_survey& s_;
  bound_parts& parts_;
  std::uint64_t steps_ = 0;
  table<std::int64_t> least_;   ///< by class: the cost of its cheapest live candidate
  table<word> charged_, paid_;  ///< charged for one candidate, and by the open classes so far
};

}  // namespace wf::detail
