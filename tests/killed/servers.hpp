// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <csignal>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <wf/run/transport/distributed.hpp>

#include <partition/machine_case.hpp>

#include "../partition/programs.hpp"

// A host asks three servers, one in each other process, again and again, while messages get lost.
// Some of them are killed in the middle of their work. The host must get every answer of the
// others, with the bits of a run without faults, and come to its end.
namespace servers {

using namespace machine_case;

constexpr std::int64_t ms = 1'000'000;

// Computes, and gets a signal before a number of its nodes.
struct mortal : hashing {
  int left = -1;
  int signal = SIGKILL;

  wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                       wf::table<value>& results, std::uint32_t machine) {
    if (left == 0) std::raise(signal);
    --left;
    return hashing::operator()(g, id, operands, results, machine);
  }
};

// Answers by call and server.
using answers = std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>;

// False if one came twice.
inline bool collect(const report& r, answers& out) {
  bool once = true;
  for (const auto& o : r.outputs)
    once =
        once && o.path.size() == 2 &&
        out.emplace(std::pair(o.call, o.path[1] & ~wf::execution_tags::machine_step), o.value.datum)
            .second;
  return once;
}

inline const char* fault_of(const report& here, const report& whole, std::uint32_t rank,
                            std::uint32_t victims) {
  if (here.failure.code != wf::errc::none) return "the run failed";
  answers found, expected;
  if (!collect(here, found) || !collect(whole, expected)) return "an answer came twice";
  if (rank != 0 && !found.empty()) return "a server has answers";
  if (rank != 0 || victims > 3) return "ok";
  for (const auto& [what, datum] : found)
    if (!expected.contains(what) || expected[what] != datum) return "an answer has other bits";
  for (const auto& [what, datum] : expected)
    if (what.second > victims && !found.contains(what)) return "an answer of a survivor is missing";
  for (const wf::machine_failure& f : here.failures)
    if (f.other == 0 || f.other > victims) return "a message to a survivor failed";
  return expected.size() == 90 ? "ok" : "the question has no answers";
}

// A run of one process. Dead: nobody (0), the first servers (1, 2, 3), or the host (4). Prints a
// line that begins with the name of the run, the number of the process, and "ok" or what is wrong.
template <wf::transport Transport>
void run(Transport& processes, const char* name, std::uint64_t seed, std::uint32_t dead,
         double lost_messages, int signal) {
  const std::uint32_t rank = processes.rank();
  // Where somebody dies, the host waits for so long. Otherwise even the unluckiest message arrives.
  const std::int64_t deadline = (dead == 0 ? 10'000 : 1'000) * ms;
  const wf::deployment d = deployed(programs::parsed(programs::question), deadline);
  machines_of m(d, 3);
  m.script.seed = seed;
  m.script.delay_ns = {0, 0};
  std::vector<call> calls;
  for (int k = 0; k < 30; ++k) calls.push_back(call_at(d, 5 * k * ms));
  const auto whole = m.run(d, calls);
  wf::fault::rule loss;
  loss.probability = lost_messages;
  m.script.rules.push_back(loss);
  using wf::fault::knob;
  m.script.knobs = {{knob::ttl_ns, 20 * ms}, {knob::backoff_cap_ns, 20 * ms}};
  mortal evaluate;
  evaluate.signal = signal;
  if (dead > 3 ? rank == 0 : rank > 0 && rank <= dead)
    evaluate.left = static_cast<int>((seed * 7 + rank * 11) % 30);
  const auto here = wf::run_distributed<std::uint64_t>(processes, d, wf::builtin_registry(),
                                                       m.script, {m.roles.data(), m.roles.size()},
                                                       {calls.data(), calls.size()}, evaluate);
  const char* said = !whole || !here ? "it did not begin" : fault_of(*here, *whole, rank, dead);
  std::printf("%s %u %s, %zu answers, %zu failures\n", name, rank, said,
              here ? here->outputs.size() : 0, here ? here->failures.size() : 0);
  if (here && here->failure.code != wf::errc::none)
    std::printf("%s\n", std::string(wf::to_text(here->failure).view()).c_str());
  std::fflush(stdout);
}

}  // namespace servers
