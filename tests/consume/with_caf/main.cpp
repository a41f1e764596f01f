// SPDX-License-Identifier: BSL-1.0
//
// Gathers one process.
#include <cstdio>

#include <wf/run/caf/caf_transport.hpp>

int main() {
  wf::caf_options alone;
  alone.addresses = {"localhost:0"};
  alone.network = "127.0.0.1";
  wf::caf_transport processes(alone);
  const auto gathered = processes.gather();
  if (!gathered) std::printf("%s\n", std::string(wf::to_text(gathered.error()).view()).c_str());
  std::printf("process %u of %u\n", processes.rank(), processes.ranks());
  return gathered ? 0 : 1;
}
