// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <wf/map/batch/plan.hpp>
#include <wf/search/executor.hpp>

namespace wf::detail {

/// Segments planned concurrently, ahead of a search that requests them one by one. Each answer
/// includes the steps that its planning takes, so a search that takes answers from here ends in the
/// same state as one that plans by itself, also where limits stop it; answers that are never
/// requested are wasted.
///
/// The predictor is called from the executor's threads.
template <tile_predictor Predictor, class Executor>
class segment_lookahead {
 public:
  /// True if planning ahead helps.
  static constexpr bool works = true;
  /// A segment planned ahead: its key, its cycles (`unbounded` if it does not fit), and the
  /// elementary steps of its planning.
  struct answer {
    std::uint64_t key = 0;
    table<stage_outline> stages;
    std::int64_t sub_batch = 1;
    std::int64_t cycles = unbounded;
    std::uint64_t steps = 0;
  };

  /// Keeps references to all arguments.
  constexpr segment_lookahead(const batch_work& w, const pe_array& array,
                              const Predictor& predictor, Executor& executor)
      : executor_(executor),
        lanes_{{w, array, predictor}, {w, array, predictor}, {w, array, predictor},
               {w, array, predictor}, {w, array, predictor}, {w, array, predictor},
               {w, array, predictor}, {w, array, predictor}} {
    if constexpr (requires { executor.size(); })
      if (executor.size() < most_lanes) used_ = executor.size();
  }

  /// Discards all answers.
  constexpr void clear() { count_ = next_ = 0; }
  /// Adds a segment to be planned. Keys must be distinct.
  constexpr void add(std::uint64_t key, const table<stage_outline>& stages,
                     std::int64_t sub_batch) {
    if (count_ == answers_.size()) answers_.push_back({});
    answer& a = answers_[count_++];
    a.key = key;
    a.stages = stages;
    a.sub_batch = sub_batch;
  }
  /// Plans all segments added since `clear`.
  constexpr void run() {
    executor_(used_, [this](std::size_t k) {
      for (std::size_t i = k; i < count_; i += used_) plan(lanes_[k], answers_[i]);
    });
  }
  /// The answer for a key; null if there is none. O(1) if answers are requested in the order of
  /// `add`, else O(answers).
  constexpr const answer* find(std::uint64_t key) {
    for (std::size_t i = 0; i < count_; ++i, next_ = next_ + 1 < count_ ? next_ + 1 : 0)
      if (answers_[next_].key == key) return &answers_[next_];
    return nullptr;
  }
  /// Calls `task(k)` for each k below `count` by the executor.
  template <class Task>
  constexpr void each(std::size_t count, Task&& task) {
    executor_(count, task);
  }

 private:
  static constexpr std::size_t most_lanes = 8;
  // Planners cache tilings, so each serves one thread at a time.
  struct lane {
    constexpr lane(const batch_work& w, const pe_array& array, const Predictor& predictor)
        : planner(w, array, predictor) {}
    segment_planner<Predictor> planner;
    planned_segment scratch;
  };
  static constexpr void plan(lane& l, answer& a) {
    const std::uint64_t before = l.planner.steps();
    a.cycles = l.planner.plan(a.stages, a.sub_batch, l.scratch) ? l.scratch.cycles : unbounded;
    a.steps = l.planner.steps() - before;
  }

  Executor& executor_;
  std::size_t used_ = most_lanes;
  lane lanes_[most_lanes];
  table<answer> answers_;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
};

/// The form without threads: nothing is planned ahead.
template <tile_predictor Predictor>
class segment_lookahead<Predictor, const in_turn> {
 public:
  /// False: the search plans by itself.
  static constexpr bool works = false;
  /// Takes the same arguments as the general form and ignores them.
  constexpr segment_lookahead(const batch_work&, const pe_array&, const Predictor&,
                              const in_turn&) {}
};

}  // namespace wf::detail
