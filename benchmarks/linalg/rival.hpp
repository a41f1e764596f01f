// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <wf/run/values/named_matrices.hpp>

#include <linalg/agreement.hpp>
#include <linalg/formula.hpp>
#include <linalg/solving.hpp>

namespace linalg_benchmark {

/// Another way to compute a formula, ready to run on its inputs again and again.
struct rival {
  std::string name;
  std::function<void()> run;
  std::function<output_values()> outputs;  ///< of the last run
};

/// A captured formula as the rivals want it (see `inverses`).
struct formulas {
  formula computed, single, factors;
  right_side solved = right_side::next;
};

// Each rival is a translation unit of its own: they take long to compile. The inputs must outlive
// the rivals.

rival eigen_naive_rival(const formulas& f, const wf::named_matrices& inputs);
rival eigen_recommended_rival(const formulas& f, const wf::named_matrices& inputs);

/// The outputs of the naive formula, computed in long double.
output_values exact_outputs(const formulas& f, const wf::named_matrices& inputs);

/// With `inv` as in the formula, and with `solve`; none if this was built without Armadillo.
std::vector<rival> armadillo_rivals(const formulas& f, const wf::named_matrices& inputs);

/// The product of two matrices; without `run` if this was built without OpenBLAS.
struct product_rival {
  std::function<void()> run;
};
product_rival openblas_product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// The rate of matrix products, in GFLOP/s.
double eigen_product_rate();
/// The same of OpenBLAS; 0 if this was built without it.
double openblas_product_rate();

/// A rival of a class that has `run` and `output`.
template <class Machine>
rival make_rival(std::string name, std::shared_ptr<Machine> machine, std::size_t outputs) {
  const auto take = [machine, outputs] {
    output_values out;
    for (std::size_t k = 0; k < outputs; ++k) out.push_back(machine->output(k));
    return out;
  };
  return {static_cast<std::string&&>(name), [machine] { machine->run(); }, take};
}

}  // namespace linalg_benchmark
