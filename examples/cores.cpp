// SPDX-License-Identifier: BSL-1.0
//
// A workflow on every core: independent steps run at the same time and large ones in parts, with
// the same bits on one thread and on many, and a run can be stopped.
#include <Eigen/Dense>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stop_token>

#include <wf/adapt/parallel.hpp>
#include <wf/run/plan/executable_plan.hpp>
#include <wf/static.hpp>

#include "support.hpp"

// --8<-- [start:formula]
constexpr auto ridge = wf::workflow<"ridge">([](wf::scope& s) {
  auto A = s.input<"A", double, 600, 300>(wf::full_rank);
  auto B = s.input<"B", double, 600, 200>();
  auto L = s.input<"L", double, 300, 300>(wf::spd);
  s.output<"X">(inv(trans(A) * A + L) * trans(A) * B);
});
// --8<-- [end:formula]

namespace {

wf::named_matrices make_arguments() {
  std::srand(1);
  wf::named_matrices out;
  out["A"] = Eigen::MatrixXd::Random(600, 300);
  out["B"] = Eigen::MatrixXd::Random(600, 200);
  out["L"] = Eigen::MatrixXd::Identity(300, 300);
  return out;
}

bool same_bits(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

wf::executable_plan plan_for(wf::core_pool cores) {
  wf::planning_options options;
  options.storage.cores = cores;
  return support::value_or_exit(wf::executable_plan::make(ridge.graph(), options));
}

}  // namespace

int main(int argc, char** argv) {
  support::output_folder(argc, argv);
  const wf::named_matrices arguments = make_arguments();

  // --8<-- [start:run]
  wf::parallel cores(2);  // threads of oneTBB, the caller's included; by default all
  wf::planning_options options;
  options.storage.cores = cores;
  const auto plan = support::value_or_exit(wf::executable_plan::make(ridge.graph(), options));
  const auto results = support::value_or_exit(plan(arguments));
  // --8<-- [end:run]
  support::require(plan.threads() == cores.size(), "its steps are shared");

  wf::parallel one(1);
  const auto alone = support::value_or_exit(plan_for(one)(arguments));
  support::require(same_bits(results.at("X"), alone.at("X")), "the same bits on one thread");

  // --8<-- [start:stop]
  std::stop_source source;
  source.request_stop();  // by any thread, before the run or during it
  Eigen::MatrixXd X(300, 200);
  const wf::input_matrix inputs[] = {arguments.at("A"), arguments.at("B"), arguments.at("L")};
  const wf::output_matrix outputs[] = {X};
  const auto stopped = plan.run(inputs, outputs, source.get_token());
  // --8<-- [end:stop]
  support::require(!stopped && stopped.error().code == wf::errc::execution_stopped,
                   "a stop is seen between steps");
  std::cout << plan.threads() << " threads, " << plan.workspace_bytes() / 1024
            << " KiB of workspace; " << alone.at("X").size() << " results, the same bits on one\n";
}
