// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <csignal>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../partition/programs.hpp"
#include "../run/transport/machine_runs.hpp"

// A host asks three servers, one in each other process, again and again, while messages get lost.
// Some of them are killed in the middle of their work. The host must get every answer of the
// others, with the bits of a run without faults, and come to its end. In a run that recovers the
// host may be killed, too, and the survivors must have all answers.
namespace servers {

using namespace machine_runs;

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

// Who is dead, and what becomes of that.
struct losses {
  std::uint32_t dead = 0;  // nobody (0), the first servers (1, 2, 3), or the host (4)
  int signal = SIGKILL;
  bool recovers = false;  // the others do the work of the dead, too

  bool is_victim(std::uint32_t rank) const {
    return dead > 3 ? rank == 0 : rank > 0 && rank <= dead;
  }
};

// What is wrong with the answers of a process, or "ok".
inline const char* fault_of(const report& here, const report& whole, std::uint32_t rank,
                            const losses& who) {
  if (here.failure.code != wf::errc::none) return "the run failed";
  answers found, expected;
  if (!collect(here, found) || !collect(whole, expected)) return "an answer came twice";
  if (expected.size() != 90) return "the question has no answers";
  if (who.recovers && !here.failures.empty()) return "a message failed";
  if (!who.recovers && rank != 0 && !found.empty()) return "a server has answers";
  for (const auto& [what, datum] : found)
    if (!expected.contains(what) || expected[what] != datum) return "an answer has other bits";
  if (who.recovers || rank != 0) return "ok";
  for (const auto& [what, datum] : expected)
    if (what.second > who.dead && !found.contains(what))
      return "an answer of a survivor is missing";
  for (const wf::machine_failure& f : here.failures)
    if (f.other == 0 || f.other > who.dead) return "a message to a survivor failed";
  return "ok";
}

// A run of one process. Prints a line that begins with the name of the run, the number of the
// process, and "ok" or what is wrong; then how many answers it has, of how many in all.
template <wf::transport Transport>
void run(Transport& processes, const char* name, std::uint64_t seed, const losses& who,
         double lost_messages) {
  const std::uint32_t rank = processes.rank();
  // Where somebody dies, the host waits for so long. Otherwise even the unluckiest message arrives.
  const std::int64_t deadline = (who.dead == 0 || who.recovers ? 10'000 : 1'000) * ms;
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
  mortal_hashing evaluate;
  evaluate.die = [&] { std::raise(who.signal); };
  if (who.is_victim(rank)) evaluate.left = static_cast<int>((seed * 7 + rank * 11) % 30);
  wf::distributed_options options;
  options.recovers = who.recovers;
  const auto here = run_here(processes, d, m, calls, options, evaluate);
  const char* said = !whole || !here ? "it did not begin" : fault_of(*here, *whole, rank, who);
  std::printf("%s %u %s, %zu of %zu answers, %zu failures\n", name, rank, said,
              here ? here->outputs.size() : 0, whole ? whole->outputs.size() : 0,
              here ? here->failures.size() : 0);
  if (here && here->failure.code != wf::errc::none)
    std::printf("%s\n", std::string(wf::to_text(here->failure).view()).c_str());
  std::fflush(stdout);
}

}  // namespace servers
