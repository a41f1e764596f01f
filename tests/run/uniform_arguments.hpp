// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <random>
#include <string>

#include <wf/run/dynamic.hpp>

namespace wf_test {

// Arguments for all inputs of a static workflow: uniform numbers between two, integers of 3.
inline wf::named_matrices uniform_arguments(const wf::graph_view& g, std::mt19937_64& random,
                                            double low, double high) {
  std::uniform_real_distribution<double> number(low, high);
  wf::named_matrices out;
  for (const wf::value& v : wf::detail::inputs_of(g)) {
    wf::dynamic_matrix m(wf::detail::given_rows(v.type.shape),
                         wf::detail::given_columns(v.type.shape));
    for (Eigen::Index i = 0; i < m.size(); ++i)
      m.data()[i] = wf::is_integer(v.type.type) ? 3 : number(random);
    out[std::string(g.text_of(v.name))] = m;
  }
  return out;
}

}  // namespace wf_test
