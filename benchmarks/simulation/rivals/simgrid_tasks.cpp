// SPDX-License-Identifier: BSL-1.0
//
// The model "max_min" of benchmarks/simulation/speed.hpp in SimGrid, in actor mode:
//     simgrid_tasks WORKLOAD CPU_SOLVER
// A task is an actor that is created when its last input has arrived; it runs, starts its
// transfers, and announces each one that ends. The run of the engine alone is measured: platform
// and first tasks exist before.
//
// The network's solver is Full: the default, Lazy, is not max-min, and no faster here. That of the
// processors is Full, Lazy or TI: all three share a core fairly, and TI is the fastest. The longest
// paths of graphs of up to 1,000 tasks are then those of wf to ten digits; in larger ones rounding
// decides which of two events is first, and their longest paths differ by up to 2 %.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <simgrid/s4u.hpp>

#include <cpu_time.hpp>

namespace {

namespace s4u = simgrid::s4u;

constexpr const char* precision = "1e-5";  // of max-min sharing, SimGrid's default

struct message {
  std::uint32_t to;
  std::uint64_t bytes;
};
struct task {
  std::uint32_t host = 0, missing = 0;
  double work = 0;
  std::vector<message> out;
};

std::vector<task> tasks;
std::vector<s4u::Host*> hosts;
std::uint32_t finished = 0;

bool read(const char* path, std::uint32_t& count) {
  std::ifstream in(path);
  std::size_t all = 0, edges = 0;
  in >> count >> all >> edges;
  tasks.resize(all);
  for (task& t : tasks) in >> t.host >> t.work;
  for (std::size_t k = 0; k < edges && in; ++k) {
    std::uint32_t from = 0;
    message m{};
    in >> from >> m.to >> m.bytes;
    tasks.at(from).out.push_back(m);
    ++tasks.at(m.to).missing;
  }
  return static_cast<bool>(in);
}

// Hosts of 1 Gflop/s, a link up and a link down for each, and a backbone that all routes cross.
void add_platform(std::uint32_t count) {
  s4u::NetZone* const zone = s4u::create_full_zone("zone");
  std::vector<s4u::Link*> up, down;
  for (std::uint32_t h = 0; h < count; ++h) {
    const std::string name = std::to_string(h);
    hosts.push_back(zone->create_host("host" + name, 1e9)->seal());
    up.push_back(zone->create_link("up" + name, 125e6)->set_latency(50e-6)->seal());
    down.push_back(zone->create_link("down" + name, 125e6)->set_latency(50e-6)->seal());
  }
  const s4u::Link* const backbone = zone->create_link("backbone", 1.25e9)->seal();
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = 0; b < count; ++b)
      if (a != b)
        zone->add_route(
            hosts[a]->get_netpoint(), hosts[b]->get_netpoint(), nullptr, nullptr,
            {s4u::LinkInRoute(up[a]), s4u::LinkInRoute(backbone), s4u::LinkInRoute(down[b])},
            false);
  zone->seal();
}

void run(std::uint32_t at);

void create(std::uint32_t at) {
  s4u::Actor::create("task", hosts[tasks[at].host], [at] { run(at); });
}
void arrive(std::uint32_t at) {
  if (--tasks[at].missing == 0) create(at);
}
void run(std::uint32_t at) {
  const task& t = tasks[at];
  s4u::this_actor::execute(t.work);
  ++finished;
  std::vector<s4u::CommPtr> transfers;
  std::vector<std::uint32_t> receivers;
  for (const message& m : t.out) {
    if (tasks[m.to].host == t.host) {
      arrive(m.to);
      continue;
    }
    transfers.push_back(s4u::Comm::sendto_async(hosts[t.host], hosts[tasks[m.to].host], m.bytes));
    receivers.push_back(m.to);
  }
  while (!transfers.empty()) {
    const auto done = static_cast<std::size_t>(s4u::Comm::wait_any(transfers));
    arrive(receivers[done]);
    std::swap(transfers[done], transfers.back());
    std::swap(receivers[done], receivers.back());
    transfers.pop_back();
    receivers.pop_back();
  }
}

// Stacks have no guard pages and are no larger than needed: actors are then created fastest.
void configure(const std::string& cpu_solver) {
  for (const std::string& option :
       {std::string("network/model:CM02"), std::string("network/optim:Full"),
        std::string("network/crosstraffic:0"), std::string("network/TCP-gamma:0"),
        "cpu/optim:" + cpu_solver, std::string("maxmin/precision:") + precision,
        std::string("contexts/stack-size:32"), std::string("contexts/guard-size:0")})
    s4u::Engine::set_config(option);
}

}  // namespace

int main(int count, char** words) {
  xbt_log_control_set("root.thresh:critical");
  s4u::Engine engine(&count, words);
  if (count != 3) return std::fprintf(stderr, "usage: simgrid_tasks WORKLOAD CPU_SOLVER\n"), 2;
  configure(words[2]);
  std::uint32_t number = 0;
  if (!read(words[1], number))
    return std::fprintf(stderr, "simgrid_tasks: cannot read %s\n", words[1]), 1;
  add_platform(number);
  for (std::uint32_t t = 0; t < tasks.size(); ++t)
    if (tasks[t].missing == 0) create(t);
  const double begin = wf_benchmark::process_seconds();
  engine.run();
  const double seconds = wf_benchmark::process_seconds() - begin;
  if (finished != tasks.size())
    return std::fprintf(stderr, "simgrid_tasks: only %u tasks ended\n", finished), 1;
  std::printf(
      "MEASURED model=max_min by=simgrid network_solver=Full cpu_solver=%s "
      "precision=%s tasks=%u seconds=%.5f tasks_per_s=%.0f makespan_s=%.9f\n",
      words[2], precision, finished, seconds, finished / seconds, s4u::Engine::get_clock());
  return 0;
}
