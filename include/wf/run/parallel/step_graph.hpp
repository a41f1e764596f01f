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
      : steps_(times.size() + 1), ways_(times) {
    for (std::size_t i = 0; i < size(); ++i) steps_[i].time = times[i];
    detail::stable_sort(dependences, [](const step_dependence& a, const step_dependence& b) {
      return a.before != b.before ? a.before < b.before : a.after < b.after;
    });
    for (std::size_t i = 0; i < dependences.size(); ++i) {
      const step_dependence& d = dependences[i];
      if (d.after <= d.before || d.after >= size()) continue;
      if (i > 0 && dependences[i - 1] == d) continue;
      after_.push_back(d.after);
      ++steps_[d.before + 1].first;
      ++steps_[d.after].waits;
    }
    for (std::size_t i = 0; i < size(); ++i) steps_[i + 1].first += steps_[i].first;
    measure();
    // The step on the longest way to the end comes last: a stack of ready steps runs it first.
    const auto is_shorter = [this](std::uint32_t a, std::uint32_t b) {
      return ways_[a] < ways_[b];
    };
    table<std::uint32_t> some;
    for (std::uint32_t i = 0; i < size(); ++i) {
      some = table<std::uint32_t>(after(i));
      detail::stable_sort(some, is_shorter);
      for (std::size_t k = 0; k < some.size(); ++k) after_[steps_[i].first + k] = some[k];
      if (waits(i) == 0) roots_.push_back(i);
    }
    detail::stable_sort(roots_, is_shorter);
  }

  /// Number of steps.
  constexpr std::size_t size() const { return ways_.size(); }
  /// Number of dependences.
  constexpr std::size_t dependences() const { return after_.size(); }
  /// Time of a step in nanoseconds.
  constexpr std::int64_t time(std::uint32_t step) const { return steps_[step].time; }
  /// The steps that wait for a step, the one on the longest way to the end last.
  constexpr view<std::uint32_t> after(std::uint32_t step) const {
    return {after_.data() + steps_[step].first, steps_[step + 1].first - steps_[step].first};
  }
  /// Number of steps that a step waits for.
  constexpr std::uint32_t waits(std::uint32_t step) const { return steps_[step].waits; }
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
      ways_[i] = saturating_add(steps_[i].time, longest);
      work_ = saturating_add(work_, steps_[i].time);
      if (critical_ < ways_[i]) critical_ = ways_[i];
    }
  }

  // Beside each other, because a run visits steps in any order.
  struct step {
    std::int64_t time = 0;
    std::uint32_t first = 0;  // of those in `after_` that wait for it
    std::uint32_t waits = 0;
  };

  table<step> steps_;  // and one behind the last
  table<std::uint32_t> after_, roots_;
  table<std::int64_t> ways_;  // by step: time of the longest chain that begins with it
  std::int64_t work_ = 0, critical_ = 0;
};

}  // namespace wf
