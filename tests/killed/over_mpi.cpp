// SPDX-License-Identifier: BSL-1.0
//
//     killed_over_mpi SEED VICTIMS LOSS
//
// The first VICTIMS of the servers are killed (servers.hpp).
#include <csignal>
#include <cstdlib>

#include <wf/run/mpi/mpi_transport.hpp>

#include "servers.hpp"

int main(int argc, char** argv) {
  const wf::mpi_session mpi(argc, argv);
  if (mpi.failure().code != wf::errc::none || argc != 4) return 1;
  wf::mpi_options options;
  options.lost_after_ns = 800 * servers::ms;
  wf::mpi_transport processes(MPI_COMM_WORLD, options);
  servers::run(processes, "first", static_cast<std::uint64_t>(std::atoi(argv[1])),
               static_cast<std::uint32_t>(std::atoi(argv[2])), std::atof(argv[3]), SIGKILL);
  wf::mpi_session::leave(0);
}
