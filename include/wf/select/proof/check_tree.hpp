// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <wf/core/integer.hpp>
#include <wf/select/proof/check_state.hpp>
#include <wf/select/proof/proof.hpp>

namespace wf::detail {

/// Checks claimed lower bounds on the cost of classes, each with all that it alone needs; classes
/// needed in any case are not counted. Of the children of a candidate, one whose part is disjoint
/// from the earlier ones counts in full; of any other one only the new classes of its must set
/// count. By induction over a selection, leaves first, no class costs less than a value that holds
/// for each of its candidates.
class proof_tree {
 public:
  /// For a state in which no class is paid with another.
  explicit proof_tree(const proof_state& state)
      : s_(state),
        place_(classes(), SIZE_MAX),
        value_(classes()),
        least_(classes(), INT64_MAX),
        reach_(classes()) {}

  /// A lower bound on the cost of every selection from a list of classes and values, users first,
  /// in which classes needed in any case have no value; -1 if the list is wrong.
  int128 least(const proof_price* list, std::size_t size) {
    proof_state::literals needed;
    for (std::size_t i = size; i-- > 0;) {
      const auto [k, value] = list[i];
      if (!s_.is_class(k) || place_[k] != SIZE_MAX) return -1;
      if (!s_.alive_[s_.off(k)])
        needed.push_back(k);
      else if (!add(k, value, i))
        return -1;
    }
    if (std::set(needed.begin(), needed.end()).size() != needed.size()) return -1;
    int128 total = 0;
    bits paid(classes());
    for (std::size_t i = needed.size(); i-- > 0;) {
      int128 value = 0;
      if (!cheapest(needed[i], paid, value)) return -1;
      total += value;
      mark_reach(needed[i], paid);
    }
    return total;
  }

 private:
  using bits = std::vector<bool>;

  std::uint32_t classes() const { return s_.p_.classes; }

  /// Adds a class after all that its candidates need; false if `value` is not a lower bound.
  bool add(std::uint32_t k, std::int64_t value, std::size_t place) {
    int128 most = 0;
    if (value < 0 || !cheapest(k, bits(classes()), most) || value > most) return false;
    bits reach(classes());
    mark_reach(k, reach);
    reach[k] = true;
    reach_[k] = reach;
    place_[k] = place;
    value_[k] = value;
    for (const std::uint32_t n : s_.members_[k])
      if (s_.is_candidate(n) && s_.alive_[n]) least_[k] = std::min(least_[k], s_.cost_[n][0]);
    return true;
  }

  /// The least cost of a candidate of a class beyond the paid classes; false if a class that one of
  /// them needs was not added.
  bool cheapest(std::uint32_t k, const bits& paid, int128& out) const {
    bool any = false;
    for (const std::uint32_t n : s_.members_[k]) {
      if (!s_.is_candidate(n) || !s_.alive_[n]) continue;
      int128 cost = 0;
      if (!price(n, paid, cost)) return false;
      if (!any || cost < out) out = cost;
      any = true;
    }
    return any;
  }

  bool price(std::uint32_t n, bits paid, int128& total) const {
    std::set<std::pair<std::size_t, std::uint32_t>> needed;  // in the order of the list
    for (const std::uint32_t c : s_.p_.children_of(n)) {
      if (!s_.alive_[s_.off(c)]) continue;
      if (place_[c] == SIZE_MAX) return false;
      needed.insert({place_[c], c});
    }
    total = s_.cost_[n][0];
    for (const auto& [place, c] : needed) {
      bool apart = true;
      for (std::size_t e = 0; e < paid.size(); ++e) apart = apart && !(paid[e] && reach_[c][e]);
      if (apart) total += value_[c];
      for (std::size_t e = 0; e < paid.size(); ++e) {
        if (!reach_[c][e] || paid[e]) continue;
        const bool must = s_.must_[c][e / 64] >> e % 64 & 1;
        if (!apart && must) total += least_[e];
        paid[e] = apart || must;
      }
    }
    return true;
  }

  /// Marks the classes that may be paid with a class and were not paid before, except itself.
  void mark_reach(std::uint32_t k, bits& reach) const {
    for (const std::uint32_t n : s_.members_[k])
      if (s_.is_candidate(n) && s_.alive_[n])
        for (const std::uint32_t c : s_.p_.children_of(n))
          for (std::size_t e = 0; e < reach_[c].size(); ++e)
            if (reach_[c][e]) reach[e] = true;
  }

  const proof_state& s_;
  std::vector<std::size_t> place_;   ///< position in the list, by class
  std::vector<std::int64_t> value_;  ///< by class
  std::vector<std::int64_t> least_;  ///< cost of the cheapest candidate, by class
  std::vector<bits> reach_;          ///< the classes that may be in its part, by class
};

}  // namespace wf::detail
