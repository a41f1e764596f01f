// SPDX-License-Identifier: BSL-1.0
//
// Single precision: the same formulas in float and in double, and in Eigen in float.
#include <linalg/sets.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>

#include <wf/capture/equations/equations.hpp>
#include <wf/run/single_precision.hpp>

#include <linalg/report.hpp>
#include <linalg/timing.hpp>

namespace linalg_benchmark {

namespace {

template <class Real>
using matrix = wf::basic_dynamic_matrix<Real>;

/// The operands of all formulas.
template <class Real>
struct operands {
  matrix<Real> a, b, s;
};

/// A formula of square matrices for wf and for Eigen.
struct single_formula {
  const char* name;
  const char* text;
  void (*by_eigen)(matrix<float>& y, const operands<float>& x);
};
constexpr single_formula formulas[] = {
    {"product", "Y = A*B", [](auto& y, const auto& x) { y.noalias() = x.a * x.b; }},
    {"solve_spd", "Y = solve_cholesky(S, B)",
     [](auto& y, const auto& x) { y = x.s.llt().solve(x.b); }},
    {"solve", "Y = solve(A, B)", [](auto& y, const auto& x) { y = x.a.partialPivLu().solve(x.b); }},
    {"sum", "Y = 2*A + B - S", [](auto& y, const auto& x) { y = 2 * x.a + x.b - x.s; }},
    {"tanh", "Y = tanh(A + B)",
     [](auto& y, const auto& x) { y = (x.a + x.b).array().tanh().matrix(); }}};

std::string message_of(const wf::error& e) { return static_cast<std::string>(wf::to_text(e)); }

/// A formula prepared to run on its operands. It holds references: the operands must not move.
template <class Real>
struct program {
  wf::basic_bound_graph<Real> bound;
  matrix<Real> y;
};
template <class Real>
wf::error prepare(const single_formula& f, const operands<Real>& x, program<Real>& out) {
  const std::string type = sizeof(Real) == 4 ? "f32" : "f64", n = std::to_string(x.a.rows());
  const std::string extents = " : " + type + "[" + n + ", " + n + "]";
  const std::string text = "input A" + extents + " {nonsingular}\ninput B" + extents + "\ninput S" +
                           extents + " {spd}\n" + f.text + "\nexport Y\n";
  const auto captured = wf::equations("formula", {text.data(), text.size()});
  if (!captured) return captured.error();
  const auto ready = wf::basic_executable_graph<Real>::prepare(captured->view());
  if (!ready) return ready.error();
  std::vector<wf::basic_input_matrix<Real>> inputs;
  for (const wf::value& v : captured->view().values) {
    if (v.producer != wf::node_id::none) continue;
    const wf::text_view name = captured->view().text_of(v.name);
    inputs.push_back(name == "A" ? x.a : name == "B" ? x.b : x.s);
  }
  out.y.resize(x.a.rows(), x.a.cols());
  const std::vector<wf::basic_output_matrix<Real>> outputs = {out.y};
  auto bound = ready->bind(inputs, outputs);
  if (!bound) return bound.error();
  out.bound = *static_cast<decltype(bound)&&>(bound);
  return {};
}

/// One formula at one size; false after an error.
bool measure_formula(const options& o, const single_formula& f, Eigen::Index n,
                     std::vector<row>& rows) {
  operands<double> x{matrix<double>::Random(n, n), matrix<double>::Random(n, n), {}};
  x.a.diagonal().array() += std::sqrt(static_cast<double>(n));
  x.s = x.a * x.a.transpose();
  const operands<float> single{x.a.cast<float>(), x.b.cast<float>(), x.s.cast<float>()};
  program<float> of_floats;
  program<double> of_doubles;
  if (wf::error e = prepare(f, single, of_floats); e.code != wf::errc::none)
    return fail(message_of(e)), false;
  if (wf::error e = prepare(f, x, of_doubles); e.code != wf::errc::none)
    return fail(message_of(e)), false;
  matrix<float> by_eigen(n, n);
  bool done = true;
  std::vector<contestant> all = {
      {"wf", [&] { done = of_floats.bound.run().has_value() && done; }},
      {"double", [&] { done = of_doubles.bound.run().has_value() && done; }},
      {"eigen", [&] { f.by_eigen(by_eigen, single); }}};
  measure(all, o.how);
  if (!done) return fail("a run failed"), false;
  row out;
  out.problem = f.name;
  out.sizes = std::to_string(n);
  out.wf_seconds = median(all[0].seconds);
  out.add("double", median(all[1].seconds));
  out.add("eigen_float", median(all[2].seconds));
  const auto error_of = [&](const matrix<float>& y) {
    return (y.cast<double>() - of_doubles.y).norm() / of_doubles.y.norm();
  };
  out.error = error_of(of_floats.y);
  out.allowed_error = 10 * error_of(by_eigen) + 1e-7;
  if (!(out.error <= out.allowed_error)) out.failure = "too large an error";
  rows.push_back(out);
  print_row(out, out.rivals.size(), false);
  return out.failure.empty();
}

}  // namespace

int run_single(const options& o) {
  const std::vector<std::string> rivals = {"double", "eigen_float"};
  std::vector<row> rows, products;
  print_head(rivals);
  for (const single_formula& f : formulas)
    for (const Eigen::Index n : {32, 64, 100, 256, 500, 1000, 1500})
      if (!measure_formula(o, f, n, rows)) return 1;
  for (const row& r : rows)
    if (r.problem == "product") products.push_back(r);
  print_results("single", rivals, rows);
  print_results("single_products", rivals, products);
  return 0;
}

}  // namespace linalg_benchmark
