// SPDX-License-Identifier: BSL-1.0
//
// A contraction of six tensors as a paper would print it: its optimal order is found and proven
// while compiling, and the plan runs beside the order as written.
#include <random>

#include <wf/capture.hpp>
#include <wf/run/plan/executable_plan.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

// --8<-- [start:contraction]
// The ratings of a thousand users in a Tucker model with core G and factors U, V and W.
constexpr auto ratings = wf::equations<"ratings", R"(
  input U : f64[1000,10]; input V : f64[500,10]; input W : f64[200,10]
  input G : f64[10,10,10]; input x : f64[500]; input z : f64[200]
  y[i] = U[i,a] G[a,b,c] V[j,b] x[j] W[k,c] z[k]
  export y
)">();
constexpr auto plan = wf::optimise<ratings>(wf::minimise(wf::flops));
// The optimal order: V with x, W with z, their outer product, G with that, and U.
static_assert(plan.proven_optimal);
static_assert(plan.value == 2 * (500 * 10 + 200 * 10 + 10 * 10 * 10 + 1000 * 10) + 10 * 10);
static_assert(wf::cost(ratings)[wf::flops] > 3000 * plan.value);
// --8<-- [end:contraction]

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  std::mt19937_64 random(20261122);
  std::uniform_real_distribution<double> uniform(-1, 1);
  wf::named_matrices arguments;
  const auto fill = [&](const char* name, Eigen::Index rows, Eigen::Index columns) {
    arguments[name] =
        wf::dynamic_matrix::NullaryExpr(rows, columns, [&] { return uniform(random); });
  };
  fill("U", 1000, 10), fill("V", 500, 10), fill("W", 200, 10);
  fill("G", 1, 1000);  // a tensor of more than two dimensions is stored in one row
  fill("x", 500, 1), fill("z", 200, 1);

  const auto result_of = [&](const wf::graph_view& workflow) {
    wf::planning_options options;
    options.as_written = true;
    const auto ready = support::value_or_exit(wf::executable_plan::make(workflow, options));
    return support::value_or_exit(ready(arguments)).at("y");
  };
  const auto planned = result_of(plan.graph()), written = result_of(ratings.graph());
  const double difference = (planned - written).norm() / written.norm();
  support::require(difference < 1e-9, "plan and written order agree to 1e-9");

  wf::text story;
  story << "flops as written " << wf::cost(ratings)[wf::flops] << ", planned " << plan.value
        << "\n\n"
        << wf::to_text(plan.graph()) << '\n';
  std::cout << story;
  support::write(folder / "contraction.txt", story.view());
}
