// SPDX-License-Identifier: BSL-1.0
//
// Workflows on several processes that find each other over TCP (distributed.hpp).
//
//     WF_PEERS=localhost:4000,localhost:4001 WF_RANK=0 actors
//     WF_PEERS=localhost:4000,localhost:4001 WF_RANK=1 actors
#include <iostream>

#include <wf/run/caf/caf_transport.hpp>

#include "distributed.hpp"

int main() {
  // --8<-- [start:begin]
  wf::caf_transport processes(support::value_or_exit(wf::caf_options::of_environment()));
  const auto gathered = processes.gather();
  if (!gathered) {
    std::cerr << wf::to_text(gathered.error()) << '\n';
    return 1;
  }
  // --8<-- [end:begin]
  distributed::run_all(processes);
}
