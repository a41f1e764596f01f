// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <wf/capture/equations/equations.hpp>
#include <wf/cost/cost.hpp>

#include <linalg/agreement.hpp>
#include <linalg/hand.hpp>
#include <linalg/inputs.hpp>
#include <linalg/options.hpp>
#include <linalg/problem.hpp>
#include <linalg/read_formulas.hpp>
#include <linalg/report.hpp>
#include <linalg/rival.hpp>
#include <linalg/timing.hpp>
#include <linalg/wf_plan.hpp>

namespace linalg_benchmark {

/// All rivals of a formula: the recommended form in Eigen is the second, and the program by hand,
/// if the problem has one, the last.
inline std::vector<rival> make_rivals(const problem& p, const formulas& f,
                                      const wf::named_matrices& inputs) {
  std::vector<rival> all = {eigen_naive_rival(f, inputs), eigen_recommended_rival(f, inputs)};
  for (rival& r : armadillo_rivals(f, inputs)) all.push_back(std::move(r));
  if (auto by_hand = hand_rival(p, inputs)) all.push_back(std::move(*by_hand));
  return all;
}
inline constexpr std::size_t naive_form = 0, recommended_form = 1;

/// The names of the rivals that a problem can have, in the order of `make_rivals`.
inline std::vector<std::string> rival_names() {
  std::vector<std::string> out;
  for (const rival& r : make_rivals({}, {}, {})) out.push_back(r.name);
  out.push_back("hand");
  return out;
}

namespace detail {

/// The distinct extents: "1000 200"; of many, "500..20".
inline std::string sizes_of(const problem& p) {
  std::set<std::int64_t, std::greater<>> sizes;
  for (const operand& o : p.inputs) sizes.insert({o.rows, o.columns});
  sizes.erase(1);
  if (sizes.size() > 5)
    return std::to_string(*sizes.begin()) + ".." + std::to_string(*sizes.rbegin());
  std::string out;
  for (const std::int64_t size : sizes) out += (out.empty() ? "" : " ") + std::to_string(size);
  return out;
}
inline double largest_extent(const problem& p) {
  std::int64_t largest = 1;
  for (const operand& o : p.inputs) largest = std::max({largest, o.rows, o.columns});
  return static_cast<double>(largest);
}
inline std::string characters(const wf::error& e) {
  return static_cast<std::string>(wf::to_text(e));
}

/// The naive formula in extended precision if that takes about a second at most, else in double.
inline output_values reference_values(const wf::graph_view& captured, const formulas& f,
                                      const wf::named_matrices& inputs, const rival& naive) {
  constexpr std::int64_t affordable = 400'000'000;
  const auto flops = wf::price(captured, wf::flops);
  return flops && *flops <= affordable ? exact_outputs(f, inputs) : naive.outputs();
}

/// Compares all results with the reference. wf's error may be ten times that of the recommended
/// form; rivals must compute the same formula.
inline void check(row& out, double size, const output_values& by_wf,
                  const std::vector<rival>& rivals, const output_values& reference) {
  char text[160];
  const double of_recommended = difference(rivals[recommended_form].outputs(), reference);
  out.error = difference(by_wf, reference);
  out.allowed_error = 10 * of_recommended + 1e-13 * size;
  if (!(out.error <= out.allowed_error)) {
    std::snprintf(text, sizeof text, "differs by %.1e, the recommended form by %.1e", out.error,
                  of_recommended);
    out.failure = text;
  }
  for (const rival& r : rivals) {
    const double of_rival = difference(r.outputs(), reference);
    if (of_rival < 1e-6) continue;
    std::snprintf(text, sizeof text, "the rival %s differs by %.1e", r.name.c_str(), of_rival);
    out.failure = text;
  }
}

/// Measures all contestants on the same inputs and compares their results.
inline void run_contest(row& out, const problem& p, const wf::graph_view& captured,
                        const wf_plan& plan, const formulas& f, const wf::named_matrices& inputs,
                        const measuring& how) {
  const std::vector<rival> rivals = make_rivals(p, f, inputs);
  const bound_program program = plan.bind(inputs);
  wf::result<wf::nothing> done = wf::nothing{};
  std::vector<contestant> all = {{"wf", [&] { done = program.run(); }}};
  for (const rival& r : rivals) all.push_back({r.name, r.run});
  measure(all, how);
  if (!done) {
    out.failure = characters(done.error());
    return;
  }
  out.wf_seconds = median(all[0].seconds);
  for (std::size_t i = 1; i < all.size(); ++i) out.add(all[i].name, median(all[i].seconds));
  check(out, largest_extent(p), *program.outputs, rivals,
        reference_values(captured, f, inputs, rivals[naive_form]));
}

}  // namespace detail

/// Measures a problem; writes the plan to `plan` unless it is null.
inline row run_problem(const problem& p, const options& o, std::string* plan) {
  row out;
  out.problem = p.name;
  out.sizes = detail::sizes_of(p);
  const auto captured =
      wf::equations({p.name.data(), p.name.size()}, {p.text.data(), p.text.size()});
  if (!captured) return out.failure = detail::characters(captured.error()), out;
  auto f = read_formulas(captured->view());
  if (!f) return out.failure = detail::characters(f.error()), out;
  f->solved = o.solved;
  const auto planned = plan_formula(captured->view(), o.plan_seconds);
  if (!planned) return out.failure = detail::characters(planned.error()), out;
  const wf::named_matrices inputs = make_inputs(p, o.seed);
  out.planning_seconds = planned->planning_seconds;
  detail::run_contest(out, p, captured->view(), *planned, *f, inputs, o.how);
  if (plan != nullptr) *plan = plan_text(planned->chosen.view(), inputs);
  return out;
}

}  // namespace linalg_benchmark
