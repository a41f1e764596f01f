// SPDX-License-Identifier: BSL-1.0
//
//     killed SEED VICTIMS LOSS
//
// A host asks three servers, one in each other process, again and again, while messages get lost.
// The first VICTIMS of the servers are killed in the middle of their work. The host must get every
// answer of the others, with the bits of a run without faults, and come to its end. Each survivor
// prints a line that begins with its number and "ok", or with what is wrong.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <wf/run/mpi/mpi_transport.hpp>
#include <wf/run/transport/distributed.hpp>

#include <partition/machine_case.hpp>

#include "../partition/programs.hpp"

using namespace machine_case;

namespace {

constexpr std::int64_t ms = 1'000'000;

constexpr const char* question =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"servers\" : peer[S]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "node elementwise.negate(%2) -> f64[4]\n"
    "node wire.send(%5, %3) effect external -> f64[4], peer[], u64[]\n"
    "node movement.copy(%6) -> f64[4]\n"
    "output \"y\" = %9\n";

// Computes, and is killed before a number of its nodes.
struct mortal : hashing {
  int left = -1;

  wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                       wf::table<value>& results, std::uint32_t machine) {
    if (left == 0) std::raise(SIGKILL);
    --left;
    return hashing::operator()(g, id, operands, results, machine);
  }
};

// Answers by call and server.
using answers = std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>;

// False if one came twice.
bool collect(const report& r, answers& out) {
  bool once = true;
  for (const auto& o : r.outputs)
    once =
        once && o.path.size() == 2 &&
        out.emplace(std::pair(o.call, o.path[1] & ~wf::execution_tags::machine_step), o.value.datum)
            .second;
  return once;
}

const char* fault_of(const report& here, const report& whole, std::uint32_t rank,
                     std::uint32_t victims) {
  if (here.failure.code != wf::errc::none) return "the run failed";
  answers found, expected;
  if (!collect(here, found) || !collect(whole, expected)) return "an answer came twice";
  if (rank != 0 && !found.empty()) return "a server has answers";
  if (rank != 0) return "ok";
  for (const auto& [what, datum] : found)
    if (!expected.contains(what) || expected[what] != datum) return "an answer has other bits";
  for (const auto& [what, datum] : expected)
    if (what.second > victims && !found.contains(what)) return "an answer of a survivor is missing";
  for (const wf::machine_failure& f : here.failures)
    if (f.other == 0 || f.other > victims) return "a message to a survivor failed";
  return expected.size() == 90 ? "ok" : "the question has no answers";
}

}  // namespace

int main(int argc, char** argv) {
  const wf::mpi_session mpi(argc, argv);
  if (mpi.failure().code != wf::errc::none || argc != 4) return 1;
  const auto seed = static_cast<std::uint64_t>(std::atoi(argv[1]));
  const auto victims = static_cast<std::uint32_t>(std::atoi(argv[2]));
  wf::mpi_options of_mpi;
  of_mpi.lost_after_ns = 800 * ms;
  wf::mpi_transport processes(MPI_COMM_WORLD, of_mpi);
  const wf::deployment d = deployed(programs::parsed(question), 1'000 * ms);
  machines_of m(d, 3);
  m.script.seed = seed;
  m.script.delay_ns = {0, 0};
  std::vector<call> calls;
  for (int k = 0; k < 30; ++k) calls.push_back(call_at(d, 5 * k * ms));
  const auto whole = m.run(d, calls);
  wf::fault::rule loss;
  loss.probability = std::atof(argv[3]);
  m.script.rules.push_back(loss);
  using wf::fault::knob;
  m.script.knobs = {{knob::ttl_ns, 20 * ms}, {knob::backoff_cap_ns, 20 * ms}};
  mortal evaluate;
  if (processes.rank() > 0 && processes.rank() <= victims)
    evaluate.left = static_cast<int>((seed * 7 + processes.rank() * 11) % 30);
  const auto here = wf::run_distributed<std::uint64_t>(processes, d, wf::builtin_registry(),
                                                       m.script, {m.roles.data(), m.roles.size()},
                                                       {calls.data(), calls.size()}, evaluate);
  const char* said =
      !whole || !here ? "it did not begin" : fault_of(*here, *whole, processes.rank(), victims);
  std::printf("%u %s, %zu answers, %zu failures\n", processes.rank(), said, here->outputs.size(),
              here->failures.size());
  if (here && here->failure.code != wf::errc::none)
    std::printf("%s\n", std::string(wf::to_text(here->failure).view()).c_str());
  wf::mpi_session::leave(0);
}
