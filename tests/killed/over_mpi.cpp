// SPDX-License-Identifier: BSL-1.0
//
//     killed_over_mpi servers|tasks SEED VICTIMS LOSS
//
// The first VICTIMS processes but 0, or 0 for 4 VICTIMS of tasks, are killed (servers.hpp,
// tasks.hpp).
#include <csignal>
#include <cstdlib>
#include <string_view>

#include <wf/run/mpi/mpi_transport.hpp>

#include "servers.hpp"
#include "tasks.hpp"

int main(int argc, char** argv) {
  const wf::mpi_session mpi(argc, argv);
  if (mpi.failure().code != wf::errc::none || argc != 5) return 1;
  wf::mpi_options options;
  // Only a library with ULFM reports who was killed.
  if (!wf::detail::mpi_reports_losses) options.lost_after_ns = 800 * servers::ms;
  wf::mpi_transport processes(MPI_COMM_WORLD, options);
  const auto seed = static_cast<std::uint32_t>(std::atoi(argv[2]));
  const auto victims = static_cast<std::uint32_t>(std::atoi(argv[3]));
  if (std::string_view(argv[1]) == "tasks")
    tasks::run(processes, seed, victims, SIGKILL);
  else
    servers::run(processes, "first", seed, victims, std::atof(argv[4]), SIGKILL);
  wf::mpi_session::leave(0);
}
