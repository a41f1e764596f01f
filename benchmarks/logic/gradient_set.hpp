// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>

#include <wf/logic/gradient/gradient.hpp>
#include <wf/logic/program/unrolled.hpp>

#include <logic/engine.hpp>

namespace logic_benchmark {

/// Differentiates a program by all of its inputs of numbers: the sum of its last result of numbers
/// by random weights.
class differentiated {
 public:
  explicit differentiated(const std::filesystem::path& folder) : problem(folder) {
    if (!problem.failure().empty()) return;
    program = *wf::logic::stratify(wf::logic::unrolled(problem.program(), steps));
    inputs = problem.inputs();
    for (const wf::logic::tensor_info& t : program.program.tensors)
      if (t.exported && !t.boolean) output = std::string(t.name);
    // Paths of equal lengths have no derivatives: no weights are equal.
    std::mt19937_64 random(7);
    for (wf::logic::named_relation& r : inputs.relations)
      for (double& v : r.entries.values)
        v *= std::uniform_real_distribution<double>(0.99, 1.01)(random);
    auto solved = wf::logic::evaluate(program, inputs);
    if (!solved || solved->find(view(output)) == nullptr) return;
    // A weight for each entry of the result.
    wf::logic::relation weights = solved->find(view(output))->entries();
    for (double& w : weights.values) w = std::uniform_real_distribution<double>(-1, 1)(random);
    seeded = inputs;
    seeded.add("#weights", weights);
    wf::gradient_request request;
    request.output = view(output);
    request.seed = "#weights";
    const auto made = wf::logic::gradient(program.program, request);
    if (!made) return;
    gradient = *wf::logic::stratify(*made);
    ready = true;
  }
  static wf::text_view view(const std::string& s) { return {s.data(), s.size()}; }

  /// The weighed sum for the present inputs.
  double loss() {
    auto solved = wf::logic::evaluate(program, inputs, options);
    if (!solved) return NAN;
    auto& store = solved->find(view(output))->store();
    store.list();
    store.index();
    const wf::logic::relation& weights = seeded.relations.back().entries;
    double sum = 0;
    wf::logic::position at[wf::max_rank] = {};
    for (std::size_t row = 0; row < weights.rows; ++row) {
      weights.positions(row, at);
      if (const std::uint32_t found = store.find(at); found != wf::hash_index::none)
        sum += weights.values[row] * store.value(found);
    }
    return sum;
  }

  const evaluated_program problem;
  wf::logic::database inputs, seeded;
  wf::logic::stratified_program program, gradient;
  wf::logic::evaluation_options options = [] {
    wf::logic::evaluation_options o;
    o.tolerance = 1e-13;
    return o;
  }();
  std::string output;
  bool ready = false;
};

/// Compares derivatives with central differences, some of each input, and times with those of an
/// evaluation. Prints a line; false after an error, or a difference.
inline bool run_differentiated(int rounds, const std::filesystem::path& folder) {
  differentiated d(folder);
  if (!d.ready) {
    std::fprintf(stderr, "%s: it has no result of numbers or no gradient\n", folder.c_str());
    return false;
  }
  wf::result<wf::logic::solution> solved = wf::logic::evaluate(d.gradient, d.seeded, d.options);
  if (!solved) {
    std::fprintf(stderr, "%s: %s\n", folder.c_str(), message(solved.error()).c_str());
    return false;
  }
  const double one =
      milliseconds(rounds, [&] { (void)wf::logic::evaluate(d.program, d.inputs, d.options); });
  const double all =
      milliseconds(rounds, [&] { (void)wf::logic::evaluate(d.gradient, d.seeded, d.options); });
  double worst = 0;
  std::size_t checked = 0, kinks = 0, numbers = 0;
  for (wf::logic::named_relation& input : d.inputs.relations) {
    if (!input.entries.valued) continue;
    auto* const gradient = solved->find(differentiated::view("grad_" + std::string(input.name)));
    if (gradient == nullptr) continue;
    gradient->store().index();
    numbers += input.entries.rows;
    for (std::size_t k = 0; k < std::min<std::size_t>(input.entries.rows, 8); ++k) {
      const std::size_t row = k * input.entries.rows / std::min<std::size_t>(input.entries.rows, 8);
      wf::logic::position at[wf::max_rank] = {};
      input.entries.positions(row, at);
      const double value = input.entries.values[row], step = 1e-4 * std::max(1.0, std::abs(value));
      // Richardson's extrapolation of two central differences.
      double slopes[2] = {};
      for (int h = 0; h < 2; ++h) {
        input.entries.values[row] = value + step / (1 + h);
        const double above = d.loss();
        input.entries.values[row] = value - step / (1 + h);
        slopes[h] = (above - d.loss()) / (2 * step / (1 + h));
      }
      input.entries.values[row] = value;
      const double wanted = (4 * slopes[1] - slopes[0]) / 3;
      // Where the slopes differ, an extremum changes over within the step.
      if (std::abs(slopes[0] - slopes[1]) > 1e-5 * std::max(1.0, std::abs(wanted))) {
        ++kinks;
        continue;
      }
      auto& store = gradient->store();
      const std::uint32_t place = store.find(at);
      const double found = place == wf::hash_index::none ? NAN : store.value(place);
      worst = std::max(worst, std::abs(found - wanted) / std::max(1.0, std::abs(wanted)));
      if (std::isnan(found)) worst = NAN;
      ++checked;
    }
  }
  const bool fine = worst <= 1e-6;
  std::printf(
      "RESULT suite=logic set=gradient program=%s output=%s derivatives=%zu checked=%zu kinks=%zu "
      "error=%.1e forward_ms=%.3f with_gradient_ms=%.3f ratio_adjoint=%.2f%s\n",
      folder.filename().string().c_str(), d.output.c_str(), numbers, checked, kinks, worst, one,
      all, (all - one) / one, fine ? "" : " wrong");
  return fine;
}

}  // namespace logic_benchmark
