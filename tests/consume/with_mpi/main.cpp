// SPDX-License-Identifier: BSL-1.0
//
// Asks MPI who is there.
#include <cstdio>

#include <wf/run/mpi/mpi_transport.hpp>

int main(int argc, char** argv) {
  const wf::mpi_session mpi(argc, argv);
  const wf::mpi_transport processes;
  std::printf("process %u of %u\n", processes.rank(), processes.ranks());
  return mpi.failure().code == wf::errc::none && processes.rank() == 0 ? 0 : 1;
}
