// SPDX-License-Identifier: BSL-1.0
#pragma once

// Gradients against differences of the values that the workflow itself computes.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <wf/rewrite/gradient.hpp>

#include "pass_properties.hpp"

namespace wf_test {

// The sum of the products of the elements; both are as long.
inline double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// How a gradient compares with differences.
struct gradient_report {
  std::string failure;  // why there is no comparison
  double worst = 0;     // largest difference, by the size of the derivatives
};

// Compares the gradient of output `of` by each input in `by` with the fourth-order difference of
// the output along a random direction, where the output's elements have random weights.
inline gradient_report compare_gradient(const wf::graph_view& g, const wf::registry& kernels,
                                        const std::string& of, const std::vector<std::string>& by,
                                        named_elements at, std::mt19937_64& random) {
  gradient_report out;
  std::vector<wf::text_view> inputs(by.begin(), by.end());
  const auto made =
      wf::gradient(g, {of, {inputs.data(), inputs.size()}, "seed", "slope_"}, kernels);
  if (!made) return {std::string(wf::to_text(made.error()).view()), 0};
  if (const auto valid = wf::validate(made->view()); !valid)
    return {std::string(wf::to_text(valid.error()).view()), 0};
  std::uniform_real_distribution<double> uniform(-1, 1);
  const run_outcome value = execute(g, at);
  if (!value.failure.empty()) return {value.failure, 0};
  std::vector<double> weights(value.outputs.at(of).size());
  for (double& w : weights) w = uniform(random);
  at["seed"] = weights;
  const run_outcome adjoint = execute(made->view(), at);
  if (!adjoint.failure.empty()) return {adjoint.failure + "\n" + printed(made->view()), 0};
  at.erase("seed");
  for (const auto& [name, elements] : value.outputs)
    if (!same_elements(elements, adjoint.outputs.at(name))) return {name + " changes", 0};
  for (const std::string& name : by) {
    const std::vector<double> start = at[name];
    const std::vector<double>& derivative = adjoint.outputs.at("slope_" + name);
    if (derivative.size() != start.size()) return {name + " has a gradient of another shape", 0};
    std::vector<double> direction(start.size());
    for (double& d : direction) d = uniform(random);
    const auto value_at = [&](double step) {
      std::vector<double>& moved = at[name];
      for (std::size_t i = 0; i < start.size(); ++i) moved[i] = start[i] + step * direction[i];
      return inner(weights, execute(g, at).outputs.at(of));
    };
    constexpr double h = 1e-3;
    const double difference =
        (8 * (value_at(h) - value_at(-h)) - (value_at(2 * h) - value_at(-2 * h))) / (12 * h);
    at[name] = start;
    const double is = inner(derivative, direction);
    const double size = std::max({std::abs(difference), std::abs(is), 1e-3});
    out.worst = std::max(out.worst, std::abs(is - difference) / size);
    if (!std::isfinite(is)) out.worst = 1e300;
  }
  return out;
}

}  // namespace wf_test
