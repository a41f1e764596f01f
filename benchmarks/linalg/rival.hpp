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

/// Another way to compute a formula, prepared to run repeatedly on its inputs.
struct rival {
  std::string name;
  std::function<void()> run;
  std::function<output_values()> outputs;  ///< the outputs of the last run
};

/// A captured formula in the forms that the rivals take (see `inverses`).
struct formulas {
  formula computed, single, factors;
  right_side solved = right_side::next;
};

// Each rival is a translation unit of its own, because it compiles slowly. The inputs must outlive
// the rivals.

rival eigen_naive_rival(const formulas& f, const wf::named_matrices& inputs);
rival eigen_recommended_rival(const formulas& f, const wf::named_matrices& inputs);

/// The outputs of the naive formula in long double.
output_values exact_outputs(const formulas& f, const wf::named_matrices& inputs);

/// Armadillo programs with `inv` as in the formula and with `solve`; empty without Armadillo.
std::vector<rival> armadillo_rivals(const formulas& f, const wf::named_matrices& inputs);

/// A product of two matrices by OpenBLAS; `run` is empty without OpenBLAS.
struct product_rival {
  std::function<void()> run;
};
product_rival openblas_product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// The rate of matrix products in Eigen, in GFLOP/s.
double eigen_product_rate();
/// The rate of matrix products in OpenBLAS, in GFLOP/s; 0 without OpenBLAS.
double openblas_product_rate();

/// Makes a rival of a class with `run` and `output`.
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
