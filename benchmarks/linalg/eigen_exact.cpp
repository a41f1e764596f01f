// SPDX-License-Identifier: BSL-1.0
#include <linalg/eigen_naive.hpp>
#include <linalg/rival.hpp>

namespace linalg_benchmark {

output_values exact_outputs(const formulas& f, const wf::named_matrices& inputs) {
  eigen_naive<long double> exact(f.computed, inputs);
  exact.run();
  output_values out;
  for (std::size_t k = 0; k < f.computed.outputs.size(); ++k)
    out.push_back(exact.output(k).cast<double>());
  return out;
}

}  // namespace linalg_benchmark
