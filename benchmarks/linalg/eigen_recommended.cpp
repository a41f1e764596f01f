// SPDX-License-Identifier: BSL-1.0
#include <linalg/eigen_recommended.hpp>

#include <memory>

#include <linalg/rival.hpp>

namespace linalg_benchmark {

rival eigen_recommended_rival(const formulas& f, const wf::named_matrices& inputs) {
  return make_rival("eigen_recommended",
                    std::make_shared<eigen_recommended>(f.factors, f.solved, inputs),
                    f.factors.outputs.size());
}

}  // namespace linalg_benchmark
