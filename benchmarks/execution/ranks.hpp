// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/network/blocked.hpp>
#include <wf/simulate/program/builder.hpp>

#include <cpu_time.hpp>

namespace execution_benchmark {

/// Bytes of memory that this process uses.
inline double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// A program of tasks on simulated processes: each computes one task at a time, of those that it
/// can the one with the smallest number, as `run_tasks` does, and has a link by which it sends one
/// value at a time to one process at a time.
struct simulated_ranks {
  wf::sim_program program;
  std::uint64_t messages = 0, bytes = 0;
  std::uint64_t most_sent = 0;  ///< messages of the process that sends most
  std::int64_t work_ns = 0;     ///< of all tasks

  simulated_ranks(const wf::task_program& p, const wf::registry& kernels, wf::fifo_link link) {
    const wf::task_list& all = p.tasks();
    wf::sim_program_builder b;
    for (std::uint32_t r = 0; r < all.ranks(); ++r) {
      b.platform.slots.push_back(1);
      b.platform.links.push_back(link);
    }
    std::vector<std::int64_t> times;
    for (std::uint32_t c = 0; c < p.codes(); ++c) {
      const auto ns = wf::price(p.code_workflow(c), wf::execution_time, kernels);
      times.push_back(ns ? *ns : 0);
    }
    for (std::uint32_t t = 0; t < all.size(); ++t) {
      const std::uint32_t code = p.code_of(t);
      const std::int64_t ns = code == wf::task_program::no_code ? 0 : times[code];
      work_ns += ns;
      b.add(wf::sim_resource::slots, all.owner(t), ns, -static_cast<std::int32_t>(t));
    }
    std::vector<std::uint64_t> sent(all.ranks());
    // By task that is read: the process and the message of each reader so far.
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> readers(all.size());
    for (std::uint32_t t = 0; t < all.size(); ++t)
      for (const std::uint32_t from : all.before(t)) {
        const std::uint32_t to = all.owner(t), owner = all.owner(from);
        if (owner == to) {
          b.connect(from, t);
          continue;
        }
        auto& known = readers[from];
        auto at = std::find_if(known.begin(), known.end(), [&](auto& k) { return k.first == to; });
        if (at == known.end()) {
          const std::int64_t size = p.bytes(from);
          const std::uint32_t message =
              b.add(wf::sim_resource::link, owner, size, -static_cast<std::int32_t>(from));
          b.connect(from, message);
          at = known.insert(known.end(), {to, message});
          ++messages, bytes += static_cast<std::uint64_t>(size), ++sent[owner];
        }
        b.connect(at->second, t);
      }
    most_sent = *std::max_element(sent.begin(), sent.end());
    program = b.take();
  }
};

/// What Cholesky factors of 4,096 rows for each process along a side would do on many processes,
/// each with one core of `timed_registry` and a link of 12.5 GB/s and 2 us: how busy they are, what
/// they send, and the memory that the list of tasks takes in each of them.
inline int run_ranks(std::uint32_t largest_side) {
  const wf::registry kernels = wf::timed_registry();
  const wf::fifo_link link{12, 2'000, 0};  // 12 bytes in a nanosecond
  struct size {
    std::uint32_t side;
    std::int64_t block;
  };
  std::printf("%8s %9s %6s %9s %9s %12s %10s %9s %7s %9s\n", "ranks", "rows", "block", "tasks",
              "messages", "of one rank", "GB a rank", "list MB", "busy", "seconds");
  for (const size s :
       {size{2, 256}, size{8, 512}, size{32, 1024}, size{100, 2048}, size{320, 4096}}) {
    if (s.side > largest_side) continue;
    const double before = resident_bytes();
    wf::block_grid grid;
    grid.block = s.block;
    grid.rows = grid.columns = s.side;
    const std::int64_t rows = 4096 * std::int64_t{s.side};
    const auto p = wf::blocked_cholesky(rows, grid);
    if (!p) return 1;
    const double list = resident_bytes() - before;
    const simulated_ranks on(*p, kernels, link);
    const auto run = wf::simulate(on.program);
    if (!run) return 1;
    const auto ranks = static_cast<double>(grid.ranks());
    const double busy =
        static_cast<double>(on.work_ns) / (ranks * static_cast<double>(run->makespan));
    std::printf("%8u %9lld %6lld %9zu %9llu %12llu %10.2f %9.0f %5.0f %% %9.2f\n", grid.ranks(),
                static_cast<long long>(rows), static_cast<long long>(s.block), p->tasks().size(),
                static_cast<unsigned long long>(on.messages),
                static_cast<unsigned long long>(on.most_sent),
                1e-9 * static_cast<double>(on.bytes) / ranks, 1e-6 * list, 100 * busy,
                1e-9 * static_cast<double>(run->makespan));
    std::printf(
        "RESULT suite=execution what=ranks ranks=%u rows=%lld block=%lld tasks=%zu messages=%llu "
        "most_sent=%llu list_mb=%.0f busy=%.3f\n",
        grid.ranks(), static_cast<long long>(rows), static_cast<long long>(s.block),
        p->tasks().size(), static_cast<unsigned long long>(on.messages),
        static_cast<unsigned long long>(on.most_sent), 1e-6 * list, busy);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace execution_benchmark
