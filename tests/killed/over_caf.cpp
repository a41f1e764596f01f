// SPDX-License-Identifier: BSL-1.0
//
//     killed_over_caf servers|machines|tasks SEED VICTIMS LOSS kill|stop|again
//
// The first VICTIMS processes but 0, or 0 for 4 VICTIMS, are killed or stopped (servers.hpp,
// tasks.hpp). Afterwards all processes gather, with those that were started again, and all answer;
// not those with machines or tasks, whose work the others do.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <wf/run/caf/caf_transport.hpp>

#include "servers.hpp"
#include "tasks.hpp"

namespace {

bool gathers(wf::caf_transport& processes) {
  const auto gathered = processes.gather();
  if (!gathered) std::printf("%s\n", std::string(wf::to_text(gathered.error()).view()).c_str());
  return gathered.has_value();
}

}  // namespace

int main(int argc, char** argv) {
  auto options = wf::caf_options::of_environment();
  if (!options || argc != 6) return 1;
  const auto seed = static_cast<std::uint32_t>(std::atoi(argv[2]));
  const auto victims = static_cast<std::uint32_t>(std::atoi(argv[3]));
  const double loss = std::atof(argv[4]);
  const std::string how = argv[5];
  options->network = "127.0.0.1";
  options->gather_ns = 20'000 * servers::ms;
  if (how == "stop") options->lost_after_ns = 800 * servers::ms;
  const std::string what = argv[1];
  if (what != "servers") {
    wf::caf_transport survivors(*options);
    if (!gathers(survivors)) return 1;
    if (what == "tasks")
      tasks::run(survivors, seed, victims, SIGKILL);
    else
      servers::run(survivors, "machines", seed, {victims, SIGKILL, true}, loss);
    return 0;
  }
  // --8<-- [start:again]
  wf::caf_transport processes(*options);
  if (!gathers(processes)) return 1;
  if (how != "again") {  // it was not started again: here some processes are killed
    servers::run(processes, "first", seed, {victims, how == "stop" ? SIGSTOP : SIGKILL}, loss);
    if (how == "stop") return 0;
    if (!gathers(processes)) return 1;
  }
  servers::run(processes, "second", seed + 1'000, {}, loss);
  // --8<-- [end:again]
}
