// SPDX-License-Identifier: BSL-1.0
//
// A formula and a Cholesky factor on several processes, each of which has its share.
//
//     mpirun -np 4 processes
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>

#include <wf/registry/times/host_times.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/run/mpi/mpi_transport.hpp>
#include <wf/run/network/blocked.hpp>
#include <wf/run/network/placed_program.hpp>
#include <wf/run/network/run_program.hpp>
#include <wf/static.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:workflow]
// A regression whose records lie in two places.
constexpr auto regression = wf::workflow<"regression">([](wf::scope& s) {
  auto A = s.input<"A", double, 600, 40>(), B = s.input<"B", double, 600, 40>();
  auto a = s.input<"a", double, 600>(), b = s.input<"b", double, 600>();
  auto M = s.let<"M">(trans(A) * A + trans(B) * B);
  s.output<"x">(inv(M) * (trans(A) * a + trans(B) * b));
});
// --8<-- [end:workflow]

wf::result<wf::dynamic_matrix> records(wf::text_view name) {
  const bool is_matrix = name == "A" || name == "B";
  const double shift = name == "A" || name == "a" ? 1 : 2;
  wf::dynamic_matrix out(600, is_matrix ? 40 : 1);
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    for (Eigen::Index j = 0; j < out.cols(); ++j)
      out(i, j) = std::cos(shift * static_cast<double>((i + 1) * (j + 1)));
  return out;
}

void run_regression(wf::mpi_transport& processes) {
  // --8<-- [start:schedule]
  const wf::registry times = wf::timed_registry();  // or what wf::load_times has read
  wf::task_options machine;
  machine.processors = processes.ranks();
  machine.link = wf::in_nanoseconds({3'000, 4'000'000'000});
  const wf::workflow_schedule plan =
      support::value_or_exit(wf::schedule(regression.graph(), wf::execution_time, times, machine));
  const wf::task_program program = support::value_or_exit(
      wf::placed_program(regression.graph(), times,
                         support::value_or_exit(wf::placement_of(regression.graph(), plan))));
  // --8<-- [end:schedule]
  support::require(plan.times.makespan == plan.times.bound, "no schedule is shorter");
  // --8<-- [start:run]
  const wf::program_report report =
      support::value_or_exit(wf::run_program(processes, program, records));
  // --8<-- [end:run]
  support::require(report.failure.code == wf::errc::none, "every task runs");
  if (!report.outputs.contains("x")) return;
  const wf::named_matrices whole = support::value_or_exit(wf::run_dynamic(
      regression.graph(),
      {{"A", *records("A")}, {"B", *records("B")}, {"a", *records("a")}, {"b", *records("b")}}));
  const bool is_equal = report.outputs.at("x").isApprox(whole.at("x"), 1e-9);
  std::cout << "regression: " << plan.tasks.nodes.size() << " tasks on " << processes.ranks()
            << " processes; x is there, as on one process: " << (is_equal ? "yes" : "no") << '\n';
  support::require(is_equal, "the solution is that of one process");
}

// --8<-- [start:matrix]
// Elements of a definite matrix of 480 rows, of which no process has more than its blocks.
constexpr Eigen::Index rows = 480;
double element(Eigen::Index i, Eigen::Index j) {
  return std::exp(-0.1 * std::abs(static_cast<double>(i - j))) + (i == j ? 1 : 0);
}
// The numbers of the block that an argument or output "A[i,j]" names.
std::pair<std::uint32_t, std::uint32_t> numbers_of(const std::string& name) {
  return {static_cast<std::uint32_t>(std::stoul(name.substr(2))),
          static_cast<std::uint32_t>(std::stoul(name.substr(name.find(',') + 1)))};
}
wf::dynamic_matrix block_named(wf::text_view name, const wf::block_grid& grid) {
  const auto [i, j] = numbers_of(std::string(name));
  return wf::dynamic_matrix::NullaryExpr(grid.size(rows, i), grid.size(rows, j),
                                         [&](Eigen::Index k, Eigen::Index l) {
                                           return element(i * grid.block + k, j * grid.block + l);
                                         });
}
// --8<-- [end:matrix]

void run_cholesky(wf::mpi_transport& processes) {
  // --8<-- [start:factor]
  wf::block_grid grid;
  grid.block = 40;
  grid.rows = processes.ranks() % 2 == 0 ? 2 : 1;
  grid.columns = processes.ranks() / grid.rows;
  const wf::task_program factor = support::value_or_exit(wf::blocked_cholesky(rows, grid));
  wf::program_run_options options;
  options.tasks.recovers = true;  // if a process is lost, the others go on
  const wf::program_report report = support::value_or_exit(wf::run_program(
      processes, factor,
      [&](wf::text_view name) { return wf::result<wf::dynamic_matrix>(block_named(name, grid)); },
      options));
  // --8<-- [end:factor]
  support::require(report.failure.code == wf::errc::none, "every task runs");
  const auto at = [](Eigen::Index i, Eigen::Index j) { return element(i, j); };
  const Eigen::MatrixXd whole = Eigen::MatrixXd::NullaryExpr(rows, rows, at).llt().matrixL();
  for (const auto& [name, block] : report.outputs) {
    const auto [i, j] = numbers_of(name);
    const Eigen::MatrixXd wanted =
        whole.block(i * grid.block, j * grid.block, block.rows(), block.cols());
    support::require(i == j || block.isApprox(wanted, 1e-9), "each block is that of the factor");
  }
  // --8<-- [start:memory]
  const bool is_spread = report.most_held * processes.ranks() <= 8 * rows * rows;
  if (processes.rank() == 0)
    std::cout << "Cholesky: " << factor.tasks().size() << " tasks; the first of "
              << processes.ranks()
              << " processes holds at most that part of the matrix: " << (is_spread ? "yes" : "no")
              << '\n';
  // --8<-- [end:memory]
}

}  // namespace

int main(int argc, char** argv) {
  // --8<-- [start:begin]
  const wf::mpi_session mpi(argc, argv);
  if (mpi.failure().code != wf::errc::none) {
    std::cerr << wf::to_text(mpi.failure()) << '\n';
    return 1;
  }
  wf::mpi_transport processes;  // those that mpirun has started
  // --8<-- [end:begin]
  run_regression(processes);
  run_cholesky(processes);
}
