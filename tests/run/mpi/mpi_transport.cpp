// SPDX-License-Identifier: BSL-1.0
#include <wf/run/mpi/mpi_transport.hpp>

// All processes run all cases, in one order.

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "../transport/on_processes.hpp"

using on_processes::collected, on_processes::ms;

namespace {

static_assert(wf::transport<wf::mpi_transport>);

const wf::mpi_session& session() {
  static int argc = 0;
  static char** argv = nullptr;
  static const wf::mpi_session made(argc, argv);
  return made;
}

}  // namespace

TEST_CASE("over MPI, batches of all sizes come once, whole, and in their order") {
  REQUIRE_MESSAGE(session().failure().code == wf::errc::none, to_text(session().failure()).view());
  wf::mpi_transport carrier;
  on_processes::check_batches_come(carrier);
}
TEST_CASE("over MPI, processes compute what the simulator does, one run after the other") {
  session();
  wf::mpi_transport carrier;
  on_processes::check_runs_are_simulated(carrier);
}
TEST_CASE("what rules do to messages is the same in the simulator and over MPI") {
  session();
  wf::mpi_transport carrier;
  on_processes::check_rules_are_simulated(carrier);
}
TEST_CASE("over MPI, tasks make the values, and the failure, of one process") {
  session();
  wf::mpi_transport carrier;
  on_processes::check_tasks_are_serial(carrier);
}
TEST_CASE("over MPI, a blocked Cholesky factor has the bits of one process") {
  session();
  wf::mpi_transport carrier;
  on_processes::check_factor_is_serial(carrier);
}
TEST_CASE("over MPI, closures of relations are whole") {
  session();
  wf::mpi_transport carrier;
  on_processes::check_closures_are_whole(carrier);
}
TEST_CASE("a process that gives no sign is lost, and an idle one is not") {
  session();
  wf::mpi_options options;
  options.first_tag = 5000;
  options.lost_after_ns = 1000 * ms;
  wf::mpi_transport carrier(MPI_COMM_WORLD, options);
  const std::uint32_t silent = carrier.ranks() - 1;
  carrier.begin();
  if (carrier.rank() == silent) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3000));
  } else {
    collected in;
    in.from.resize(carrier.ranks());
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(3000);
    while (std::chrono::steady_clock::now() < end) {
      REQUIRE(carrier.poll(in));
      carrier.wait(ms);
    }
    CHECK(in.losses == std::vector<std::uint32_t>{silent});
    CHECK(in.count == 0);
    CHECK(carrier.send(silent, wf::table<std::uint8_t>{1}));  // goes nowhere
    CHECK(carrier.finish());
    // A later run lacks it, too.
    carrier.begin();
    in.losses.clear();
    REQUIRE(carrier.poll(in));
    REQUIRE(carrier.poll(in));
    CHECK(in.losses == std::vector<std::uint32_t>{silent});
  }
  CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
}
TEST_CASE("a call of MPI that fails is a typed error") {
  session();
  const wf::error none = wf::detail::mpi_error(MPI_SUCCESS, "MPI_Send");
  CHECK(none.code == wf::errc::none);
  const wf::error rank = wf::detail::mpi_error(MPI_ERR_RANK, "MPI_Send");
  CHECK(rank.code == wf::errc::transport_failed);
  CHECK(rank.subject == "MPI_Send");
  CHECK(!rank.message.empty());
  wf::mpi_transport bad(MPI_COMM_NULL);
  collected in;
  CHECK(bad.send(0, wf::table<std::uint8_t>{1}).error().code == wf::errc::transport_failed);
  CHECK(bad.poll(in).error().subject == "MPI_Comm_rank");
  CHECK(bad.finish().error().code == wf::errc::transport_failed);
}
