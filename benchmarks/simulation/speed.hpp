// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include <sys/resource.h>

#include <cpu_time.hpp>
#include <simulation/workload.hpp>

#include <wf/simulate/process/network.hpp>
#include <wf/simulate/program/builder.hpp>

namespace simulation_benchmark {

using wf_benchmark::process_seconds;

/// The median CPU seconds of `run(prepared)`, where `prepare()` is not measured.
template <class Prepare, class Run>
double median_seconds(int rounds, Prepare prepare, Run run) {
  std::vector<double> all;
  for (int i = 0; i < rounds; ++i) {
    auto prepared = prepare();
    const double begin = process_seconds();
    run(prepared);
    all.push_back(process_seconds() - begin);
  }
  return wf_benchmark::median(all);
}

// Model "fifo": a host runs one task at a time, 1 Gflop/s; it sends its results over one link, one
// after the other, 125 MB/s with 50 µs of latency. A tick is a nanosecond: a byte takes 8.
inline constexpr std::int64_t fifo_latency = 50'000, ticks_per_byte = 8;

/// The process network of a workload.
inline wf::network<wf::task_process> fifo_network(const workload& w) {
  wf::network<wf::task_process> out;
  for (std::uint32_t h = 0; h < w.hosts; ++h) out.add_host();
  for (std::uint32_t h = 0; h < w.hosts; ++h) out.add_link(1, fifo_latency);
  std::vector<std::uint32_t> inputs(w.tasks.size()), outputs(w.tasks.size());
  std::vector<wf::table<std::int64_t>> bytes(w.tasks.size());
  for (const auto& e : w.edges) {
    ++inputs[e.to];
    bytes[e.from].push_back(e.bytes * ticks_per_byte);
  }
  for (std::size_t t = 0; t < w.tasks.size(); ++t) {
    wf::table<wf::expected_input> expected;
    for (std::uint32_t k = 0; k < inputs[t]; ++k)
      expected.push_back({wf::text("in"), wf::usage::data, {}});
    out.add_node(
        "task",
        wf::task_process(static_cast<wf::table<wf::expected_input>&&>(expected), w.tasks[t].work,
                         static_cast<wf::table<std::int64_t>&&>(bytes[t])),
        {wf::sim_resource::slots, w.tasks[t].host});
    inputs[t] = 0;
  }
  for (const auto& e : w.edges) {
    const std::uint32_t output = outputs[e.from]++, input = inputs[e.to]++;
    if (w.tasks[e.from].host == w.tasks[e.to].host)
      out.connect(e.from, output, e.to, input);
    else
      out.connect(e.from, output, e.to, input, {wf::sim_resource::link, w.tasks[e.from].host});
  }
  return out;
}

/// The same as a program.
inline wf::sim_program fifo_program(const workload& w) {
  wf::sim_program_builder made;
  for (std::uint32_t h = 0; h < w.hosts; ++h) made.platform.slots.push_back(1);
  for (std::uint32_t h = 0; h < w.hosts; ++h) made.platform.links.push_back({1, fifo_latency, 0});
  for (const auto& t : w.tasks) made.add(wf::sim_resource::slots, t.host, t.work);
  for (const auto& e : w.edges) {
    if (w.tasks[e.from].host == w.tasks[e.to].host) {
      made.connect(e.from, e.to);
      continue;
    }
    const std::uint32_t move =
        made.add(wf::sim_resource::link, w.tasks[e.from].host, e.bytes * ticks_per_byte);
    made.connect(e.from, move);
    made.connect(move, e.to);
  }
  return made.take();
}

/// A simulator of this one model by hand: a heap of events, a queue a host. Returns the makespan.
inline std::int64_t fifo_by_hand(const workload& w,
                                 const std::vector<std::vector<std::uint32_t>>& out) {
  struct event {
    std::int64_t time;
    std::uint64_t number;
    std::uint32_t task;
    bool arrival;
    bool operator>(const event& o) const {
      return time != o.time ? time > o.time : number > o.number;
    }
  };
  std::priority_queue<event, std::vector<event>, std::greater<>> events;
  std::vector<std::deque<std::uint32_t>> ready(w.hosts);
  std::vector<char> busy(w.hosts, 0);
  std::vector<std::int64_t> link_free(w.hosts, 0);
  std::vector<std::uint32_t> missing(w.tasks.size(), 0);
  for (const auto& e : w.edges) ++missing[e.to];
  std::int64_t now = 0;
  std::uint64_t number = 0;
  const auto start = [&](std::uint32_t host) {
    if (busy[host] || ready[host].empty()) return;
    const std::uint32_t t = ready[host].front();
    ready[host].pop_front();
    busy[host] = 1;
    events.push({now + w.tasks[t].work, number++, t, false});
  };
  const auto arrive = [&](std::uint32_t t) {
    if (--missing[t] != 0) return;
    ready[w.tasks[t].host].push_back(t);
    start(w.tasks[t].host);
  };
  for (std::uint32_t t = 0; t < w.tasks.size(); ++t)
    if (missing[t] == 0) ready[w.tasks[t].host].push_back(t);
  for (std::uint32_t h = 0; h < w.hosts; ++h) start(h);
  while (!events.empty()) {
    const event e = events.top();
    events.pop();
    now = e.time;
    if (e.arrival) {
      arrive(e.task);
      continue;
    }
    const std::uint32_t host = w.tasks[e.task].host;
    busy[host] = 0;
    for (const std::uint32_t k : out[e.task]) {
      const std::uint32_t to = w.edges[k].to;
      if (w.tasks[to].host == host) {
        arrive(to);
        continue;
      }
      const std::int64_t begin = std::max(now, link_free[host]);
      link_free[host] = begin + w.edges[k].bytes * ticks_per_byte;
      events.push({link_free[host] + fifo_latency, number++, to, true});
    }
    start(host);
  }
  return now;
}

// Model "max_min": hosts of 1 Gflop/s shared by their tasks, a link up and a link down for each
// (125 MB/s, 50 µs), and a backbone of 1.25 GB/s. A tick is a picosecond.
inline wf::sim_program max_min_program(const workload& w) {
  constexpr double ticks = 1e12;
  wf::sim_program_builder made;
  wf::sim_platform& f = made.platform;
  for (std::uint32_t h = 0; h < w.hosts; ++h) f.cores.push_back({1e9 / ticks, 1});
  for (std::uint32_t l = 0; l < 2 * w.hosts; ++l) f.bandwidths.push_back(125e6 / ticks);
  f.bandwidths.push_back(1.25e9 / ticks);
  for (std::uint32_t a = 0; a < w.hosts; ++a)
    for (std::uint32_t b = 0; b < w.hosts; ++b) {
      f.routes.push_back(
          {{static_cast<std::uint32_t>(f.route_links.size()), 3}, 100'000'000, 1 / 1e-4});
      for (const std::uint32_t l : {a, 2 * w.hosts, w.hosts + b}) f.route_links.push_back(l);
    }
  for (const auto& t : w.tasks) made.add(wf::sim_resource::cores, t.host, t.work);
  for (const auto& e : w.edges) {
    const std::uint32_t from = w.tasks[e.from].host, to = w.tasks[e.to].host;
    if (from == to) {
      made.connect(e.from, e.to);
      continue;
    }
    const std::uint32_t move = made.add(wf::sim_resource::route, from * w.hosts + to, e.bytes);
    made.connect(e.from, move);
    made.connect(move, e.to);
  }
  return made.take();
}

/// Measures the models and prints a line for each, for benchmarks/simulation/run, which compares
/// them with the rivals; writes the workload for these to a file, if there is one.
inline int run_speed(std::uint32_t tasks, int rounds, const std::string& file) {
  const workload w = draw_workload(tasks, 1);
  if (!file.empty() && !write_workload(w, file)) {
    std::fprintf(stderr, "simulation: cannot write %s\n", file.c_str());
    return 1;
  }
  std::vector<std::vector<std::uint32_t>> out(w.tasks.size());
  for (std::uint32_t k = 0; k < w.edges.size(); ++k) out[w.edges[k].from].push_back(k);
  const auto line = [&](const char* model, const char* what, double seconds, double makespan) {
    std::printf("MEASURED model=%s by=%s tasks=%u seconds=%.5f tasks_per_s=%.0f makespan_s=%.9f\n",
                model, what, tasks, seconds, tasks / seconds, makespan);
  };
  std::int64_t span = 0;
  const auto network = fifo_network(w);
  const auto fifo = fifo_program(w), fluid = max_min_program(w);
  double seconds = median_seconds(
      rounds, [&] { return network; },
      [&](wf::network<wf::task_process>& n) { span = n.run()->makespan; });
  line("fifo", "network", seconds, static_cast<double>(span) * 1e-9);
  seconds =
      median_seconds(rounds, [] { return 0; }, [&](int) { span = wf::simulate(fifo)->makespan; });
  line("fifo", "program", seconds, static_cast<double>(span) * 1e-9);
  seconds = median_seconds(rounds, [] { return 0; }, [&](int) { span = fifo_by_hand(w, out); });
  line("fifo", "hand", seconds, static_cast<double>(span) * 1e-9);
  seconds =
      median_seconds(rounds, [] { return 0; }, [&](int) { span = wf::simulate(fluid)->makespan; });
  line("max_min", "program", seconds, static_cast<double>(span) * 1e-12);
  return 0;
}

/// Peak resident memory of this process in bytes.
inline double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// Simulates ever larger programs of the model "fifo", with a chain of tasks on each of a thousand
/// hosts, and prints seconds, bytes per task (the program included) and the exponent of growth.
inline int run_scale(std::uint32_t largest) {
  double first_seconds = 0, last_seconds = 0, bytes = 0;
  std::uint32_t first = 0;
  const double before = peak_bytes();
  for (std::uint32_t tasks = largest / 100; tasks <= largest && tasks != 0; tasks *= 10) {
    wf::sim_program p;
    constexpr std::uint32_t hosts = 1000;
    for (std::uint32_t h = 0; h < hosts; ++h) p.platform.slots.push_back(1);
    p.activities.reserve(tasks);
    p.successors.reserve(2 * std::size_t{tasks});
    std::mt19937_64 random(tasks);
    for (std::uint32_t t = 0; t < tasks; ++t) {
      wf::sim_activity a{static_cast<std::int64_t>(1 + random() % 1'000'000),
                         static_cast<std::uint32_t>(random() % hosts),
                         wf::sim_resource::slots,
                         0,
                         {static_cast<std::uint32_t>(p.successors.size()), 0}};
      // Two readers among the next four thousand tasks.
      for (int k = 0; k < 2; ++k) {
        const std::uint64_t reader = t + 1 + random() % 4000;
        if (reader >= tasks) continue;
        p.successors.push_back(static_cast<std::uint32_t>(reader));
        ++a.successors.count;
      }
      p.activities.push_back(a);
    }
    const double begin = process_seconds();
    const auto record = wf::simulate(p);
    const double seconds = process_seconds() - begin;
    bytes = (peak_bytes() - before) / tasks;
    std::printf("%9u tasks  %7.3f s  %5.1f bytes a task  makespan %lld\n", tasks, seconds, bytes,
                static_cast<long long>(record ? record->makespan : -1));
    if (first == 0) first = tasks, first_seconds = seconds;
    last_seconds = seconds;
  }
  const double exponent =
      std::log(last_seconds / first_seconds) / std::log(static_cast<double>(largest) / first);
  std::printf(
      "RESULT suite=simulation set=scale tasks=%u seconds=%.2f bytes_per_task=%.1f "
      "exponent=%.3f\n",
      largest, last_seconds, bytes, exponent);
  return 0;
}

}  // namespace simulation_benchmark
