// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <wf/map/schedule/task_graph.hpp>

namespace wf_test {

// Parameters of random task graphs.
struct random_tasks {
  std::uint32_t tasks = 5, processors = 2;
  int density = 40;  // probability of an edge, in percent
  std::int64_t longest = 9, largest_delay = 9;
  bool heterogeneous = false;
  std::uint32_t resources = 0;
};

class task_dice {
 public:
  explicit task_dice(unsigned seed) : random_(seed) {}
  std::int64_t operator()(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1],
                list[static_cast<std::size_t>((*this)(0, static_cast<std::int64_t>(i) - 1))]);
  }

  wf::task_graph graph(const random_tasks& how) {
    task_dice& dice = *this;
    wf::task_graph g;
    g.name = wf::text("random");
    g.processors = how.processors;
    std::vector<std::uint32_t> rank(how.tasks);  // edges go from lower to higher ranks
    for (std::uint32_t t = 0; t < how.tasks; ++t) rank[t] = t;
    shuffle(rank);
    for (std::uint32_t t = 0; t < how.tasks; ++t) g.add(wf::text("t") << t, dice(0, how.longest));
    for (std::uint32_t t = 0; t < how.tasks; ++t)
      for (std::uint32_t u = 0; u < how.tasks; ++u)
        if (rank[t] < rank[u] && dice(0, 99) < how.density)
          g.connect(t, u, dice(0, how.largest_delay));
    if (how.heterogeneous)
      for (std::uint32_t i = 0; i < how.tasks * how.processors; ++i)
        g.durations_on.push_back(dice(0, how.longest));
    for (std::uint32_t r = 0; r < how.resources; ++r) {
      g.resources.push_back({wf::text("r") << r, dice(1, 6)});
      for (std::uint32_t t = 0; t < how.tasks; ++t)
        if (dice(0, 2) != 0) g.demands.push_back({t, r, dice(0, g.resources[r].capacity)});
    }
    return g;
  }

 private:
  std::mt19937 random_;
};

// The least makespan, by enumeration of all orders and processors.
class every_schedule {
 public:
  explicit every_schedule(const wf::task_graph& g)
      : g_(g), placed_(g.tasks.size()), done_(g.tasks.size()) {}
  std::int64_t least() {
    best_ = INT64_MAX;
    go(0, 0);
    return best_;
  }

 private:
  bool fits(std::uint32_t t, std::int64_t at, std::int64_t duration) const {
    for (std::uint32_t r = 0; r < g_.resources.size(); ++r) {
      std::vector<std::int64_t> amount(g_.tasks.size());
      for (const wf::resource_demand& d : g_.demands)
        if (d.resource == r) amount[d.task] = d.amount;
      for (std::int64_t time = at; time < at + duration; ++time) {
        std::int64_t used = amount[t];
        for (std::uint32_t u = 0; u < g_.tasks.size(); ++u)
          if (done_[u] && placed_[u].start <= time && time < placed_[u].finish) used += amount[u];
        if (used > g_.resources[r].capacity) return false;
      }
    }
    return true;
  }
  void go(std::size_t count, std::int64_t makespan) {
    if (makespan >= best_) return;
    if (count == g_.tasks.size()) {
      best_ = makespan;
      return;
    }
    for (std::uint32_t t = 0; t < g_.tasks.size(); ++t) {
      const bool waits = std::any_of(g_.edges.begin(), g_.edges.end(), [&](const wf::task_edge& e) {
        return e.to == t && !done_[e.from];
      });
      if (done_[t] || waits) continue;
      const std::uint32_t first = g_.processors == 0 ? t : 0;
      for (std::uint32_t p = first; p < (g_.processors == 0 ? t + 1 : g_.processors); ++p) {
        const std::int64_t duration = g_.duration(t, g_.processors == 0 ? 0 : p);
        std::int64_t at = 0;
        for (const wf::task_edge& e : g_.edges)
          if (e.to == t)
            at = std::max(at,
                          placed_[e.from].finish +
                              (g_.processors == 0 || placed_[e.from].processor == p ? 0 : e.delay));
        for (std::uint32_t u = 0; u < g_.tasks.size(); ++u)
          if (done_[u] && placed_[u].processor == p) at = std::max(at, placed_[u].finish);
        while (!fits(t, at, duration)) ++at;
        placed_[t] = {p, at, at + duration};
        done_[t] = true;
        go(count + 1, std::max(makespan, at + duration));
        done_[t] = false;
      }
    }
  }

  const wf::task_graph& g_;
  std::vector<wf::task_placement> placed_;
  std::vector<bool> done_;
  std::int64_t best_ = INT64_MAX;
};

// The same problem renumbered: task t becomes `place[t]`.
inline wf::task_graph renumbered(const wf::task_graph& g, const std::vector<std::uint32_t>& place) {
  wf::task_graph out = g;
  for (std::uint32_t t = 0; t < g.tasks.size(); ++t) {
    out.tasks[place[t]] = g.tasks[t];
    for (std::uint32_t p = 0; p < g.processors && !g.durations_on.empty(); ++p)
      out.durations_on[place[t] * g.processors + p] = g.durations_on[t * g.processors + p];
  }
  for (wf::task_edge& e : out.edges) e = {place[e.from], place[e.to], e.delay};
  for (wf::resource_demand& d : out.demands) d.task = place[d.task];
  return out;
}

}  // namespace wf_test
