// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>

namespace wf {

/// Tasks on several processes: each belongs to one, reads values of earlier tasks and makes one of
/// its own. The numbers of the tasks are a serial order of the run, so that there is no cycle; of
/// the tasks that a process can run it takes the one with the smallest number.
class task_list {
 public:
  /// The number of a task is less than this: 2^30 - 1.
  static constexpr std::uint32_t most_tasks = (std::uint32_t{1} << 30) - 1;

  /// Without tasks, for one process.
  constexpr task_list() = default;
  /// Without tasks, for a number of processes.
  constexpr explicit task_list(std::uint32_t ranks) : ranks_(ranks) {}

  /// Adds a task of a process, which reads the values of earlier tasks, some of them perhaps more
  /// than once, and waits for others without reading them; returns its number. What does not fit is
  /// a fault of the list. O(operands + after).
  constexpr std::uint32_t add(std::uint32_t owner, view<std::uint32_t> operands,
                              view<std::uint32_t> after = {}) {
    const auto task = static_cast<std::uint32_t>(size());
    if (owner >= ranks_) refuse(task, "its process does not exist");
    if (task >= most_tasks) refuse(task, "there are too many tasks");
    for (const view<std::uint32_t> all : {operands, after})
      for (const std::uint32_t before : all)
        if (before >= task) refuse(task, "it waits for a task that is no earlier one");
    owners_.push_back(owner);
    kept_.push_back(0);
    before_.append(operands);
    reads_.push_back(static_cast<std::uint32_t>(before_.size()));
    before_.append(after);
    first_.push_back(static_cast<std::uint32_t>(before_.size()));
    return task;
  }
  /// The value of a task is an output of the run, in the process that owns the task.
  constexpr void keep(std::uint32_t task) {
    if (task < size())
      kept_[task] = 1;
    else
      refuse(task, "it is kept, but does not exist");
  }

  /// Number of tasks.
  constexpr std::size_t size() const { return owners_.size(); }
  /// Number of processes.
  constexpr std::uint32_t ranks() const { return ranks_; }
  /// The process of a task.
  constexpr std::uint32_t owner(std::uint32_t task) const { return owners_[task]; }
  /// True if the value of a task is an output.
  constexpr bool is_kept(std::uint32_t task) const { return kept_[task] != 0; }
  /// The tasks whose values a task reads, in its order.
  constexpr view<std::uint32_t> operands(std::uint32_t task) const {
    return {before_.data() + first_[task], reads_[task] - first_[task]};
  }
  /// The tasks that a task reads or waits for, in its order; some may occur more than once.
  constexpr view<std::uint32_t> before(std::uint32_t task) const {
    return {before_.data() + first_[task], first_[task + 1] - first_[task]};
  }
  /// The first fault, `invalid_problem` with the task's number as subject; `none` if all fits.
  constexpr const error& fault() const { return fault_; }

 private:
  constexpr void refuse(std::uint32_t task, text_view sentence) {
    if (fault_.code == errc::none)
      fault_ = make_error(errc::invalid_problem, (text() << "task " << task).view(), sentence);
  }

  std::uint32_t ranks_ = 1;
  table<std::uint32_t> owners_;
  table<char> kept_;
  table<std::uint32_t> first_ = table<std::uint32_t>(1);  // in `before_`, and one behind the last
  table<std::uint32_t> reads_;                            // where the operands end
  table<std::uint32_t> before_;
  error fault_;
};

}  // namespace wf
