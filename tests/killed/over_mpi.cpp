// SPDX-License-Identifier: BSL-1.0
//
//     killed_over_mpi servers|machines|tasks SEED VICTIMS LOSS
//
// The first VICTIMS processes but 0, or 0 for 4 VICTIMS, are killed (servers.hpp, tasks.hpp); in a
// run with machines the others do their work.
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
  const std::string_view what = argv[1];
  const bool recovers = what == "machines";
  if (what == "tasks")
    tasks::run(processes, seed, victims, SIGKILL);
  else
    servers::run(processes, recovers ? "machines" : "first", seed, {victims, SIGKILL, recovers},
                 std::atof(argv[4]));
  wf::mpi_session::leave(0);
}
