// SPDX-License-Identifier: BSL-1.0
//
// Workflows on several processes of MPI (distributed.hpp).
//
//     mpirun -np 4 distributed
#include <iostream>

#include <wf/run/mpi/mpi_transport.hpp>

#include "distributed.hpp"

int main(int argc, char** argv) {
  // --8<-- [start:begin]
  const wf::mpi_session mpi(argc, argv);
  if (mpi.failure().code != wf::errc::none) {
    std::cerr << wf::to_text(mpi.failure()) << '\n';
    return 1;
  }
  wf::mpi_transport processes;
  // --8<-- [end:begin]
  distributed::run_all(processes);
}
