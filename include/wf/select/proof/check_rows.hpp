// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <wf/core/integer.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/check_state.hpp>
#include <wf/select/proof/proof.hpp>

namespace wf::detail {

/// The rows and joined classes of a case of a proof: which literals exclude each other, the rows
/// that follow from that, and the cuts that follow from rows. Every row holds for each selection
/// within the limits that takes none of the dropped literals.
class proof_rows : public proof_state {
 public:
  struct joint {
    std::uint32_t a = 0, b = 0, row_a = 0, row_b = 0;
  };
  struct row {
    std::map<std::uint32_t, int128> times;  ///< coefficient by literal
    int128 most = 1;
  };

  proof_rows(const selection_problem& problem, const selection_proof& proof, std::size_t level)
      : proof_state(problem, proof, level), l_(proof.levels[level]) {}

  /// True if at most one of two literals can be taken.
  bool exclusive(std::uint32_t a, std::uint32_t b) const {
    if (group_[a] == group_[b]) return a != b;
    if (a < b) std::swap(a, b);
    if (const std::uint32_t all = candidates_ + p_.classes; a >= all) {
      const joint& j = joints_[a - all];
      return (group_[j.a] == group_[b] && j.a != b) || (group_[j.b] == group_[b] && j.b != b);
    }
    if (!is_candidate(b)) return false;
    if (!is_candidate(a)) return needs(b, group_[a]);
    const interference* const both = between(a, b);
    return (both != nullptr && both->excluded) ||
           (leads_to(a, group_[b]) && leads_to(b, group_[a]));
  }

  bool excludes(std::uint32_t k) const {
    for (const std::uint32_t x : run_)
      for (const std::uint32_t n : members_[k])
        if (x >= alive_.size() || group_[x] == k || (alive_[n] && !exclusive(n, x))) return false;
    return true;
  }

  bool is_row() const {
    for (std::size_t i = 0; i < run_.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (run_[i] >= alive_.size() || (i != j && !exclusive(run_[i], run_[j]))) return false;
    return true;
  }

  /// A row with its implicit joined literals written out.
  row whole_row(std::uint32_t r) const {
    row out = rows_[r];
    for (std::size_t g = 0; g < joint_rows_.size(); ++g)
      if (joint_rows_[g].first <= r && r < joint_rows_[g].second)
        for (const std::uint32_t x : members_[p_.classes + g]) {
          const joint& j = joints_[x - candidates_ - p_.classes];
          if (j.row_a != r && j.row_b != r) out.times[x] = 1;
        }
    return out;
  }

  /// A Chvatal-Gomory cut: a non-negative sum of valid rows is valid, and coefficients and bound
  /// may be rounded down because literals are taken as a whole.
  row divided_sum(const proof_step& s) const {
    row out;
    out.most = 0;
    for (std::uint32_t i = s.run.first; i < s.run.first + s.run.count; ++i) {
      const auto [of, times] = l_.prices[i];
      row one;
      if (of % 2 == 1)
        one = whole_row(of / 2);
      else
        for (const std::uint32_t x : members_[of / 2]) one.times[x] = 1;
      for (const auto& [x, more] : one.times) out.times[x] += times * more;
      out.most += times * one.most;
    }
    for (auto& [x, times] : out.times) times = std::min(times / s.value, largest);
    out.most /= s.value;
    return out.most > largest ? row{} : out;  // too large: an empty row
  }

  /// If every class took a candidate that leads to the next class, they would need themselves.
  row ring_row() const {
    row out;
    out.most = static_cast<int128>(run_.size()) - 1;
    for (std::size_t i = 0; i < run_.size(); ++i)
      for (const std::uint32_t x : members_[run_[i]])
        if (is_candidate(x) && leads_to(x, run_[(i + 1) % run_.size()])) out.times[x] += 1;
    return out;
  }

  static row row_of_literals(const literals& run) {
    row out;
    for (const std::uint32_t x : run) out.times[x] = 1;
    return out;
  }

  void forget_rows() {
    alive_.resize(candidates_ + p_.classes), group_.resize(alive_.size());
    cost_.resize(alive_.size()), members_.resize(p_.classes), left_.resize(p_.classes);
    rows_.clear(), joints_.clear(), joint_rows_.clear(), joined_.clear(), price_.clear();
  }

  void join(std::uint32_t k, std::uint32_t e) {
    joined_.insert(std::minmax(k, e));
    const std::uint32_t group = static_cast<std::uint32_t>(members_.size());
    const std::uint32_t first = static_cast<std::uint32_t>(rows_.size());
    std::map<std::uint32_t, std::uint32_t> row_of;
    for (const std::uint32_t side : {k, e})
      for (const std::uint32_t x : members_[side])
        if (alive_[x]) {
          row_of[x] = static_cast<std::uint32_t>(rows_.size());
          rows_.push_back(row_of_literals({x}));
        }
    joint_rows_.push_back({first, static_cast<std::uint32_t>(rows_.size())});
    scope_.push_back(group);
    members_.push_back({});
    for (const std::uint32_t a : members_[k])
      for (const std::uint32_t b : members_[e]) {
        const interference* const both = alive_[a] && alive_[b] ? between(a, b) : nullptr;
        if (!alive_[a] || !alive_[b] || (both != nullptr && both->excluded)) continue;
        members_[group].push_back(static_cast<std::uint32_t>(alive_.size()));
        alive_.push_back(true), group_.push_back(group);
        cost_.push_back(both == nullptr ? std::vector<std::int64_t>(1 + columns_.size())
                                        : both->cost);
        joints_.push_back({a, b, row_of[a], row_of[b]});
      }
    left_.push_back(static_cast<std::uint32_t>(members_[group].size()));
    dead_ = dead_ || left_[group] == 0;
    price_.clear();
  }

  const proof_level& l_;
  literals run_, scope_;   ///< literals of the step; classes and joined classes of the case
  std::vector<row> rows_;  ///< a row of a joined class holds only its plain literal
  std::vector<joint> joints_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joint_rows_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined_;
  std::vector<int128> price_;  ///< by literal

 private:
  static constexpr int128 largest = 1 << 20;  ///< upper bound on an entry of a row
};

}  // namespace wf::detail
