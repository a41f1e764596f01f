// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace simulation_benchmark {

/// A layered task graph on hosts, for comparisons of speed: every task has two different parents in
/// the layer before, like the layered graphs of the oracle.
struct workload {
  std::uint32_t hosts = 64;
  struct task {
    std::uint32_t host = 0;
    std::int64_t work = 0;  ///< flops
  };
  struct edge {
    std::uint32_t from = 0, to = 0;
    std::int64_t bytes = 0;
  };
  std::vector<task> tasks;
  std::vector<edge> edges;  ///< by receiver
};

/// Draws a workload; the same on every platform.
inline workload draw_workload(std::uint32_t tasks, std::uint64_t seed) {
  constexpr std::uint32_t width = 256;
  workload out;
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (std::uint32_t t = 0; t < tasks; ++t)
    out.tasks.push_back({static_cast<std::uint32_t>(below(out.hosts)),
                         static_cast<std::int64_t>(100'000'000 + below(1'400'000'000))});
  for (std::uint32_t t = width; t < tasks; ++t) {
    const std::uint32_t layer = (t / width - 1) * width;
    const auto first = static_cast<std::uint32_t>(below(width));
    const auto second = static_cast<std::uint32_t>((first + 1 + below(width - 1)) % width);
    for (const std::uint32_t parent : {first, second})
      out.edges.push_back(
          {layer + parent, t, static_cast<std::int64_t>(100'000 + below(14'900'000))});
  }
  return out;
}

/// Writes it for the rivals: "hosts tasks edges", then "host work" a task and "from to bytes" an
/// edge, a line each.
inline bool write_workload(const workload& w, const std::string& path) {
  std::FILE* const out = std::fopen(path.c_str(), "w");
  if (out == nullptr) return false;
  std::fprintf(out, "%u %zu %zu\n", w.hosts, w.tasks.size(), w.edges.size());
  for (const auto& t : w.tasks)
    std::fprintf(out, "%u %lld\n", t.host, static_cast<long long>(t.work));
  for (const auto& e : w.edges)
    std::fprintf(out, "%u %u %lld\n", e.from, e.to, static_cast<long long>(e.bytes));
  return std::fclose(out) == 0;
}

}  // namespace simulation_benchmark
