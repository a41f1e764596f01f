// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <wf/run/mpi/mpi_transport.hpp>
#include <wf/run/transport/run_tasks.hpp>

#include <cpu_time.hpp>

namespace processes_benchmark {

/// Layers of tasks, as many in each, which do nothing: every task waits for one of the layer
/// before, which belongs to the other process. So each has one remote edge.
struct layers {
  std::uint32_t width = 0;  ///< tasks of a layer
  std::uint32_t depth = 0;  ///< number of layers

  std::uint32_t size() const { return width * depth; }
  std::uint32_t owner(std::uint32_t task) const { return (task / width + task % width) % 2; }
};

/// What a loop written for this graph alone does: a process sends the numbers of the tasks that it
/// has ended, `burst` of them at a time, and counts those that come.
class own_loop {
 public:
  own_loop(const layers& of, std::uint32_t rank, std::uint32_t burst)
      : of_(of), rank_(rank), burst_(burst), done_(of.size()) {
    for (std::uint32_t t = 0; t < of.size(); ++t) own_ += of.owner(t) == rank ? 1 : 0;
    for (std::uint32_t t = 0; t < of.width; ++t)
      if (of.owner(t) == rank) ready_.push_back(t);
  }

  /// Runs all; the number of tasks that ran.
  std::uint32_t run() {
    std::uint32_t ran = 0;
    while (ran < own_) {
      for (std::uint32_t k = 0; k < burst_ && !ready_.empty(); ++k) {
        const std::uint32_t t = ready_.back();
        ready_.pop_back();
        ++done_[t], ++ran;
        if (t + of_.width < of_.size()) out_.push_back(t);
      }
      send();
      receive();
    }
    while (!sent_.empty()) complete();
    return ran;
  }

 private:
  void send() {
    complete();
    if (out_.empty()) return;
    sent_.push_back(MPI_REQUEST_NULL);
    buffers_.push_back(std::move(out_));
    out_.clear();
    MPI_Isend(buffers_.back().data(), static_cast<int>(buffers_.back().size()), MPI_UINT32_T,
              static_cast<int>(1 - rank_), 1, MPI_COMM_WORLD, &sent_.back());
  }
  void complete() {
    while (!sent_.empty()) {
      int is_done = 0;
      MPI_Test(&sent_.back(), &is_done, MPI_STATUS_IGNORE);
      if (is_done == 0) return;
      sent_.pop_back();
      buffers_.pop_back();
    }
  }
  void receive() {
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(static_cast<int>(1 - rank_), 1, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return;
    int size = 0;
    MPI_Get_count(&status, MPI_UINT32_T, &size);
    in_.resize(static_cast<std::size_t>(size));
    MPI_Recv(in_.data(), size, MPI_UINT32_T, static_cast<int>(1 - rank_), 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    for (const std::uint32_t t : in_) ready_.push_back(t + of_.width);
  }

  layers of_;
  std::uint32_t rank_, burst_, own_ = 0;
  std::vector<std::uint32_t> ready_, out_, in_;
  std::vector<std::uint8_t> done_;
  std::vector<MPI_Request> sent_;
  std::vector<std::vector<std::uint32_t>> buffers_;
};

/// Prints, by the first process, how much of the time of two processes is work, for tasks that do
/// nothing else for so many nanoseconds.
inline int run_efficiency(wf::mpi_transport& carrier, const wf::task_list& tasks, int rounds,
                          std::int64_t work_ns) {
  const auto busy = [work_ns](std::uint32_t, wf::view<wf::task_operand<wf::nothing>>,
                              wf::nothing&) {
    const double end = wf_benchmark::seconds_of(CLOCK_MONOTONIC) + 1e-9 * double(work_ns);
    while (wf_benchmark::seconds_of(CLOCK_MONOTONIC) < end) {
    }
    return wf::error();
  };
  std::vector<double> shares;
  for (int round = 0; round < rounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double before = MPI_Wtime();
    if (!wf::run_tasks<wf::nothing>(carrier, tasks, busy)) return 1;
    double passed = MPI_Wtime() - before, longest = 0;
    MPI_Allreduce(&passed, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    shares.push_back(1e-9 * double(work_ns) * double(tasks.size()) / (2 * longest));
  }
  if (carrier.rank() == 0)
    std::printf(
        "RESULT suite=execution what=efficiency ranks=2 tasks=%zu work_ns=%lld share=%.3f\n",
        tasks.size(), static_cast<long long>(work_ns), wf_benchmark::median(shares));
  return 0;
}

/// The layers as a list of tasks.
inline wf::task_list list_of(const layers& of) {
  wf::task_list tasks(2);
  for (std::uint32_t t = 0; t < of.size(); ++t) {
    const std::uint32_t before[] = {t - of.width};
    tasks.add(of.owner(t), {}, wf::view<std::uint32_t>(before, t < of.width ? 0 : 1));
  }
  return tasks;
}

/// Prints, by the first process, what a task costs by `run_tasks` and by the own loop, in the same
/// run: CPU nanoseconds of both processes together, and tasks in a second.
inline int run_task_benchmark(wf::mpi_transport& carrier, const layers& of, int rounds) {
  const wf::task_list tasks = list_of(of);
  std::vector<double> cpu[2], wall[2];
  for (int round = 0; round < rounds; ++round) {
    for (const int which : {0, 1}) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double cpu_before = wf_benchmark::process_seconds(), before = MPI_Wtime();
      std::uint64_t ran = 0;
      if (which == 0) {
        const auto report =
            wf::run_tasks<wf::nothing>(carrier, tasks,
                                       [](std::uint32_t, wf::view<wf::task_operand<wf::nothing>>,
                                          wf::nothing&) { return wf::error(); });
        if (report) ran = report->computed;
      } else {
        ran = own_loop(of, carrier.rank(), 64).run();
      }
      double used = wf_benchmark::process_seconds() - cpu_before, all_used = 0;
      const double passed = MPI_Wtime() - before;
      std::uint64_t all_ran = 0;
      MPI_Allreduce(&used, &all_used, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      MPI_Allreduce(&ran, &all_ran, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
      if (all_ran != of.size()) {
        std::fprintf(stderr, "a task did not run\n");
        return 1;
      }
      cpu[which].push_back(1e9 * all_used / of.size());
      wall[which].push_back(of.size() / passed);
    }
  }
  if (carrier.rank() == 0)
    std::printf(
        "RESULT suite=execution what=mpi_task_cpu_ns ranks=2 tasks=%u wf=%.0f own_loop=%.0f "
        "wf_tasks_per_s=%.3g own_tasks_per_s=%.3g\n",
        of.size(), wf_benchmark::median(cpu[0]), wf_benchmark::median(cpu[1]),
        wf_benchmark::median(wall[0]), wf_benchmark::median(wall[1]));
  // Ten tasks of each process in a layer: little is ready at a time.
  const wf::task_list some = list_of({20, of.depth});
  for (const std::int64_t work_ns : {1'000, 2'000, 5'000, 20'000})
    if (run_efficiency(carrier, some, rounds, work_ns) != 0) return 1;
  return 0;
}

}  // namespace processes_benchmark
