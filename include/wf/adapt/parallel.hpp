// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <wf/run/parallel/cores.hpp>

namespace wf {

namespace detail {

// A walk through a graph of steps by the tasks of TBB. A task runs ready steps from a list of its
// own and hands some of them to another task when it has more than `grain` of work: steps of less
// than a microsecond would otherwise cost more as tasks than as calls.
class tbb_walk {
 public:
  tbb_walk(const step_walk& run, const compute::team& team) : run_(run), team_(team) {}

  // Runs all steps; within an arena.
  void go() {
    const step_graph& g = *run_.steps;
    for (std::uint32_t i = 0; i < g.size(); ++i)
      run_.waits[i].store(g.waits(i), std::memory_order_relaxed);
    const view<std::uint32_t> roots = g.roots();
    std::size_t at = 0;
    for (; at + capacity < roots.size(); at += capacity) hand_over(roots.data() + at, capacity);
    work({roots.data() + at, roots.size() - at});
    group_.wait();
  }

 private:
  static constexpr std::size_t capacity = 64;
  static constexpr std::int64_t grain = 3'000;  // nanoseconds; a task costs about 200

  struct batch {
    std::uint32_t steps[capacity];
    std::size_t count;
  };

  void hand_over(const std::uint32_t* first, std::size_t count) {
    batch some;
    some.count = count;
    std::copy_n(first, count, some.steps);
    group_.run([this, some] { work({some.steps, some.count}); });
  }

  void work(view<std::uint32_t> begin) {
    const compute::team_scope scope(team_);
    const step_graph& g = *run_.steps;
    std::uint32_t ready[capacity];
    std::size_t count = begin.size();
    std::int64_t time = 0;  // of the ready steps
    for (std::size_t i = 0; i < count; ++i) time += g.time(ready[i] = begin[i]);
    const auto give = [&](std::size_t some) {
      hand_over(ready, some);
      for (std::size_t i = 0; i < some; ++i) time -= g.time(ready[i]);
      std::copy(ready + some, ready + count, ready);
      count -= some;
    };
    while (count > 0) {
      // The last one is on the longest way to the end.
      while (count > 1 && time - g.time(ready[count - 1]) >= grain) give((count + 1) / 2);
      const std::uint32_t step = ready[--count];
      time -= g.time(step);
      run_.call(run_.what, step);
      for (const std::uint32_t next : g.after(step)) {
        if (run_.waits[next].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
        if (count == capacity) give(capacity / 2);
        ready[count++] = next;
        time += g.time(next);
      }
    }
  }

  const step_walk& run_;
  compute::team team_;
  oneapi::tbb::task_group group_;
};

}  // namespace detail

/// The threads of oneTBB as those that execute workflows. One line takes a program from one core to
/// many:
///
///     wf::parallel cores;
///     auto ready = wf::executable_graph::prepare(workflow, {.cores = cores});
///
/// Independent steps run at the same time, and large ones in parts. Results of a prepared workflow
/// have the same bits for every number of threads. It must outlive what was prepared with it;
/// several threads may use it at a time.
class parallel {
 public:
  /// Uses at most `count` threads, the caller's included, of those that TBB has; by default all.
  explicit parallel(int count = oneapi::tbb::task_arena::automatic) : arena_(count) {
    arena_.initialize();
  }
  parallel(const parallel&) = delete;
  parallel& operator=(const parallel&) = delete;

  /// Number of threads, the caller's included.
  std::size_t size() const { return static_cast<std::size_t>(arena_.max_concurrency()); }

  /// The handle that executors take.
  core_pool cores() { return {this, size(), &split, &walk}; }
  /// The same.
  operator core_pool() { return cores(); }

 private:
  static void split(void* pool, std::size_t count, compute::team::part_function part, void* what) {
    // A thread that waits for the parts must not begin another step: its own would end late.
    static_cast<parallel*>(pool)->arena_.execute([&] {
      oneapi::tbb::this_task_arena::isolate([&] {
        oneapi::tbb::parallel_for(
            std::size_t{0}, count, [&](std::size_t i) { part(what, i); },
            oneapi::tbb::simple_partitioner());
      });
    });
  }
  static void walk(void* pool, const step_walk& run) {
    parallel& p = *static_cast<parallel*>(pool);
    p.arena_.execute([&] { detail::tbb_walk(run, p.cores().as_team()).go(); });
  }

  oneapi::tbb::task_arena arena_;
};

}  // namespace wf
