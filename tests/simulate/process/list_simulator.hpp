// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/process/network.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace wf_test {

/// A network read literally, as the documentation states its rules: every step looks through lists
/// of all events, all requests and all data. Shares the processes with the engine, and no code.
template <class P>
class list_simulator {
 public:
  using datum = typename P::datum;

  struct run_record {
    std::uint32_t node;
    std::int64_t begin, end;
    bool operator==(const run_record&) const = default;
  };
  struct output_record {
    std::uint32_t node, output;
    std::int64_t time;
    datum value;
    bool operator==(const output_record&) const = default;
  };
  std::vector<run_record> runs;
  std::vector<output_record> outputs;

  list_simulator(wf::network<P>& n, const std::vector<wf::network_input<datum>>& inputs) : n_(n) {
    for (std::size_t i = 0; i < n.nodes.size(); ++i) {
      nodes_.emplace_back();
      nodes_[i].inputs.resize(wf::view<wf::expected_input>(n.nodes[i].process.inputs()).size());
    }
    on_edge_.resize(n.edges.size());
    link_free_.resize(n.platform.links.size());
    for (const auto& in : inputs)
      ask(timer, 0, in.time, {what::input, in.node, in.input, in.value});
    for (std::size_t k = 0; k < n.edges.size(); ++k)
      for (const datum& d : n.edges[k].initial) {
        ++on_edge_[k];
        nodes_[n.edges[k].to].inputs[n.edges[k].input].queue.push_back(d);
      }
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].inputs.empty())
        able(i);
      else
        take(i);
    }
  }

  /// Runs to the end; false if there are more runs of processes than that.
  bool run(std::size_t most) {
    while (true) {
      grant();
      if (events_.empty()) return true;
      if (runs.size() > most) return false;
      now_ = events_[0].time;
      for (const event& e : events_) now_ = std::min(now_, e.time);
      while (true) {
        std::size_t next = events_.size();
        for (std::size_t i = 0; i < events_.size(); ++i)
          if (events_[i].time == now_ &&
              (next == events_.size() || events_[i].number < events_[next].number))
            next = i;
        if (next == events_.size()) break;
        const event e = events_[next];
        events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(next));
        handle(e);
      }
    }
  }

 private:
  static constexpr std::uint32_t timer = UINT32_MAX;
  enum class what { run, input };
  struct action {
    what kind = what::run;
    std::uint32_t node = 0, input = 0;
    datum value{};
    std::uint32_t edge = UINT32_MAX;
  };
  struct event {
    std::int64_t time = 0;
    std::uint64_t number = 0;
    std::uint32_t host = timer;
    std::int64_t begin = 0;
    action done;
  };
  struct waiting {
    std::uint32_t host = 0;
    std::int32_t priority = 0;
    std::int64_t work = 0;
    std::uint64_t number = 0;
    action done;
  };
  struct input_state {
    std::deque<datum> queue;
    bool taken = false;
  };
  struct node_state {
    std::vector<input_state> inputs;
    bool busy = false;     // able, ready or running
    bool blocked = false;  // able, but an edge is full
  };

  void ask(std::uint32_t host, std::int32_t priority, std::int64_t work, action a) {
    waiting_.push_back({host, priority, work, count_++, a});
  }
  void grant() {
    while (true) {
      std::size_t best = waiting_.size();
      for (std::size_t i = 0; i < waiting_.size(); ++i) {
        const waiting& w = waiting_[i];
        if (w.host != timer) {
          std::int64_t running = 0;
          for (const event& e : events_) running += e.host == w.host ? 1 : 0;
          if (running >= n_.platform.slots[w.host]) continue;
        }
        if (best == waiting_.size() || w.priority > waiting_[best].priority ||
            (w.priority == waiting_[best].priority && w.number < waiting_[best].number))
          best = i;
      }
      if (best == waiting_.size()) return;
      const waiting w = waiting_[best];
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(best));
      events_.push_back({now_ + w.work, w.number, w.host, now_, w.done});
    }
  }
  void handle(const event& e) {
    if (e.done.kind == what::input) {
      nodes_[e.done.node].inputs[e.done.input].queue.push_back(e.done.value);
      return take(e.done.node);
    }
    const std::uint32_t i = e.done.node;
    runs.push_back({i, e.begin, now_});
    std::vector<std::pair<std::uint32_t, datum>> made;
    const auto ok = n_.nodes[i].process.generate_output(
        now_, [&](std::uint32_t output, datum d) { made.emplace_back(output, d); });
    (void)ok;
    nodes_[i].busy = false;
    for (input_state& in : nodes_[i].inputs) in.taken = false;
    for (const auto& [output, d] : made) {
      bool connected = false;
      for (std::uint32_t k = 0; k < n_.edges.size(); ++k) {
        const auto& edge = n_.edges[k];
        if (edge.from != i || edge.output != output) continue;
        connected = true;
        ++on_edge_[k];
        if (edge.local) {
          nodes_[edge.to].inputs[edge.input].queue.push_back(d);
          take(edge.to);
          continue;
        }
        const wf::fifo_link& link = n_.platform.links[edge.over.index];
        const std::int64_t bytes = wf::datum_traits<datum>::bytes(d);
        const std::int64_t begin = std::max(now_, link_free_[edge.over.index]);
        const std::int64_t held =
            link.bandwidth == 0 ? 0 : (bytes + link.bandwidth - 1) / link.bandwidth;
        link_free_[edge.over.index] = begin + held;
        events_.push_back({begin + held + link.latency,
                           count_++,
                           timer,
                           begin,
                           {what::input, edge.to, edge.input, d}});
      }
      if (!connected) outputs.push_back({i, output, now_, d});
    }
    take(i);
  }
  void take(std::uint32_t i) {
    for (bool again = true; again && !nodes_[i].busy;) {
      again = false;
      for (std::uint32_t k = 0; k < nodes_[i].inputs.size() && !nodes_[i].busy; ++k) {
        input_state& in = nodes_[i].inputs[k];
        if (in.taken || in.queue.empty()) continue;
        const datum d = in.queue.front();
        in.queue.pop_front();
        in.taken = true;
        if (*n_.nodes[i].process.update(k, d, now_)) {
          able(i);
        } else {
          bool all = true;
          for (const input_state& other : nodes_[i].inputs) all = all && other.taken;
          if (all) {
            for (input_state& other : nodes_[i].inputs) other.taken = false;
            again = true;
          }
        }
        for (std::uint32_t e = 0; e < n_.edges.size(); ++e)
          if (n_.edges[e].to == i && n_.edges[e].input == k) {
            --on_edge_[e];
            if (nodes_[n_.edges[e].from].blocked) start(n_.edges[e].from);
          }
        if (again) break;
      }
    }
  }
  void able(std::uint32_t i) {
    nodes_[i].busy = true;
    start(i);
  }
  void start(std::uint32_t i) {
    nodes_[i].blocked = true;
    for (std::uint32_t k = 0; k < n_.edges.size(); ++k)
      if (n_.edges[k].from == i && n_.edges[k].capacity != 0 && on_edge_[k] >= n_.edges[k].capacity)
        return;
    nodes_[i].blocked = false;
    ask(n_.nodes[i].where.index, n_.nodes[i].priority, n_.nodes[i].process.work(now_),
        {what::run, i, 0, {}});
  }

  wf::network<P>& n_;
  std::vector<node_state> nodes_;
  std::vector<std::uint32_t> on_edge_;
  std::vector<std::int64_t> link_free_;
  std::vector<event> events_;
  std::vector<waiting> waiting_;
  std::int64_t now_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace wf_test
