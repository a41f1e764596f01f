// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>

namespace wf {

/// A step that must end before another one begins, by their numbers.
struct step_dependence {
  std::uint32_t before = 0;  ///< the step that ends first
  std::uint32_t after = 0;   ///< a later step

  friend constexpr bool operator==(const step_dependence&, const step_dependence&) = default;
};

/// The steps of an execution and what each waits for. The numbers of the steps are a serial order
/// of the run: every dependence leads from a smaller number to a larger one, so there is no cycle.
class step_graph {
 public:
  /// Without steps.
  constexpr step_graph() = default;
  /// Steps with these times, in nanoseconds, none negative (estimates; 0 if unknown), and their
  /// dependences, of which those from a step to itself or to an earlier one are ignored and equal
  /// ones count once. O(d log d) for d dependences.
  constexpr step_graph(view<std::int64_t> times, table<step_dependence> dependences)
      : times_(times), first_(times.size() + 1), waits_(times.size()), ways_(times) {
    detail::stable_sort(dependences, [](const step_dependence& a, const step_dependence& b) {
      return a.before != b.before ? a.before < b.before : a.after < b.after;
    });
    for (std::size_t i = 0; i < dependences.size(); ++i) {
      const step_dependence& d = dependences[i];
      if (d.after <= d.before || d.after >= size()) continue;
      if (i > 0 && dependences[i - 1] == d) continue;
      after_.push_back(d.after);
      ++first_[d.before + 1];
      ++waits_[d.after];
    }
    for (std::size_t i = 0; i < size(); ++i) first_[i + 1] += first_[i];
    measure();
    // The step on the longest way to the end comes last: a stack of ready steps runs it first.
    const auto is_shorter = [this](std::uint32_t a, std::uint32_t b) {
      return ways_[a] < ways_[b];
    };
    table<std::uint32_t> some;
    for (std::uint32_t i = 0; i < size(); ++i) {
      some = table<std::uint32_t>(after(i));
      detail::stable_sort(some, is_shorter);
      for (std::size_t k = 0; k < some.size(); ++k) after_[first_[i] + k] = some[k];
      if (waits_[i] == 0) roots_.push_back(i);
    }
    detail::stable_sort(roots_, is_shorter);
  }

  /// Number of steps.
  constexpr std::size_t size() const { return times_.size(); }
  /// Number of dependences.
  constexpr std::size_t dependences() const { return after_.size(); }
  /// Time of a step in nanoseconds.
  constexpr std::int64_t time(std::uint32_t step) const { return times_[step]; }
  /// The steps that wait for a step, the one on the longest way to the end last.
  constexpr view<std::uint32_t> after(std::uint32_t step) const {
    return {after_.data() + first_[step], first_[step + 1] - first_[step]};
  }
  /// Number of steps that each step waits for.
  constexpr view<std::uint32_t> waits() const { return waits_; }
  /// The steps that wait for none, the one on the longest way to the end last.
  constexpr view<std::uint32_t> roots() const { return roots_; }
  /// Time of all steps, one after the other, in nanoseconds; saturates.
  constexpr std::int64_t work() const { return work_; }
  /// Time of the longest chain of dependent steps, in nanoseconds; saturates.
  constexpr std::int64_t critical_path() const { return critical_; }

 private:
  constexpr void measure() {
    for (std::size_t i = size(); i-- > 0;) {
      std::int64_t longest = 0;
      for (const std::uint32_t next : after(static_cast<std::uint32_t>(i)))
        if (longest < ways_[next]) longest = ways_[next];
      ways_[i] = saturating_add(times_[i], longest);
      work_ = saturating_add(work_, times_[i]);
      if (critical_ < ways_[i]) critical_ = ways_[i];
    }
  }

  table<std::int64_t> times_;
  table<std::uint32_t> first_, after_;  // those that wait for a step, from first_[step] on
  table<std::uint32_t> waits_, roots_;
  table<std::int64_t> ways_;  // by step: time of the longest chain that begins with it
  std::int64_t work_ = 0, critical_ = 0;
};

}  // namespace wf
