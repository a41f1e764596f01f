// SPDX-License-Identifier: BSL-1.0
//
//     blas SHAPES ROUNDS
//
// The set `blas` of tools/bench execution: operators by wf's kernels, by the BLAS and LAPACK with
// which this is linked, and by a plan's choice, whose times are measured at some shapes before.
// Medians of CPU time of one thread, side by side.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <wf/calibrate/measure.hpp>
#include <wf/calibrate/one_kernel.hpp>
#include <wf/calibrate/program.hpp>
#include <wf/cost/cost.hpp>
#include <wf/cost/implementation_times.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/blas/blas_kernels.hpp>
#include <wf/run/plan/executable.hpp>

#include <cpu_time.hpp>

namespace {

using wf::calibration::measured_time, wf::calibration::one_kernel;

struct measured_operator {
  const char* op;
  const char* kind;
};
constexpr measured_operator operators[] = {{"matmul", "product"},
                                           {"gemmt", "symmetric_product"},
                                           {"matmul_triangular", "triangular_product"},
                                           {"solve_triangular", "triangular_solve"},
                                           {"cholesky", "cholesky"},
                                           {"lu_factor", "lu"},
                                           {"solve_cholesky", "cholesky_solve"},
                                           {"solve", "solve"},
                                           {"qr", "qr"}};

void refuse(const wf::error& e) {
  std::fprintf(stderr, "blas: %s\n", std::string(wf::to_text(e).view()).c_str());
  std::exit(1);
}

// The built-in kernels with one that the library alone computes.
wf::registry in_library(wf::text_view op) {
  wf::registry out = wf::builtin_registry();
  for (wf::kernel_spec k : wf::blas_kernels) {
    if (!(k.name == op)) continue;
    k.implementation = k.library;
    if (const auto added = out.add(k); !added) refuse(added.error());
  }
  return out;
}

// Both times of an operator, measured.
measured_time times_of(const wf::kernel_spec& kernel, int shapes) {
  wf::calibration::measuring_options options;
  options.caches = wf::calibration::caches_of_this_machine();
  options.shapes = shapes;
  const auto goes_on = [] { return true; };
  auto own = wf::calibration::measure(
      kernel, options, [](const one_kernel& one) { return wf::calibration::run_nanoseconds(one); },
      goes_on);
  if (!own) refuse(own.error());
  const auto library =
      wf::calibration::detail::measure_in_library(kernel, wf::blas_kernels, options, goes_on);
  if (!library) refuse(library.error());
  own->library_formula = library->formula;
  return *own;
}

// A workflow prepared with some kernels, and its timings.
class timed_program {
 public:
  timed_program(const one_kernel& one, const wf::registry& kernels) {
    wf::execution_options how;
    how.kernels = &kernels;
    const auto made = wf::executable_graph::prepare(one.workflow.view(), how);
    if (!made) refuse(made.error());
    program_ = *made;
    inputs_.assign(one.inputs.begin(), one.inputs.end());
    const wf::graph_view g = one.workflow.view();
    for (const wf::output& o : g.outputs) {
      const wf::shape& s = g[o.source].type.shape;
      results.emplace_back(wf::calibration::detail::rows_of(s),
                           wf::calibration::detail::columns_of(s));
    }
    outputs_.assign(results.begin(), results.end());
  }
  void run(int times) {
    const double begin = wf_benchmark::thread_seconds();
    for (int i = 0; i < times; ++i)
      if (const auto done =
              program_.run({inputs_.data(), inputs_.size()}, {outputs_.data(), outputs_.size()});
          !done)
        refuse(done.error());
    taken_.push_back((wf_benchmark::thread_seconds() - begin) / times);
  }
  double seconds() const { return wf_benchmark::median(taken_); }

  std::vector<Eigen::MatrixXd> results;

 private:
  wf::executable_graph program_;
  std::vector<wf::input_matrix> inputs_;
  std::vector<wf::output_matrix> outputs_;
  std::vector<double> taken_;
};

// True if results agree to rounding; signs of factors may differ.
bool agree(const timed_program& a, const timed_program& b) {
  for (std::size_t k = 0; k < a.results.size(); ++k) {
    const Eigen::MatrixXd x = a.results[k].cwiseAbs(), y = b.results[k].cwiseAbs();
    if (!((x - y).norm() <= 1e-8 * (1 + y.norm()))) return false;
  }
  return true;
}

int run_size(const measured_operator& o, int n, int rounds, const wf::registry& chosen) {
  std::mt19937_64 random(20261129);
  const wf::kernel_spec& kernel = *chosen.find(o.op);
  const auto one = wf::calibration::make_one(kernel, {n, n, n}, &random);
  if (!one) refuse(one.error());
  const wf::graph_view g = one->workflow.view();
  const auto flop = wf::price(g, wf::flops, chosen);
  wf::implementation_pricer prices(g, 1, chosen);
  const auto times = prices.price(wf::node_id{0});
  if (!flop || !times) refuse(flop ? times.error() : flop.error());
  const wf::registry own = wf::builtin_registry(), library = in_library(o.op);
  timed_program by_wf(*one, own), by_library(*one, library), by_plan(*one, chosen);
  const double work = static_cast<double>(*flop);
  const int repeated = std::max(1, static_cast<int>(2e7 / work));
  for (int round = 0; round < rounds; ++round)
    for (timed_program* const p : {&by_wf, &by_library, &by_plan}) p->run(repeated);
  const bool is_library = times->is_by_library();
  const timed_program& same = is_library ? by_library : by_wf;
  bool is_same = agree(by_wf, by_library);
  for (std::size_t k = 0; k < same.results.size(); ++k)
    is_same = is_same && same.results[k] == by_plan.results[k];
  const auto rate = [&](const timed_program& p) { return 1e-9 * work / p.seconds(); };
  std::printf(
      "RESULT suite=execution what=blas n=%d kind=%s wf_gflops=%.2f blas_gflops=%.2f chosen=%s "
      "chosen_gflops=%.2f wf_price_ns=%lld blas_price_ns=%lld equal=%d\n",
      n, o.kind, rate(by_wf), rate(by_library), is_library ? "blas" : "wf", rate(by_plan),
      static_cast<long long>(times->own.alone), static_cast<long long>(times->library.alone),
      is_same ? 1 : 0);
  std::fflush(stdout);
  return is_same ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const int shapes = count == 3 ? std::atoi(words[1]) : 0;
  const int rounds = count == 3 ? std::atoi(words[2]) : 0;
  if (shapes < 8 || rounds < 1) {
    std::fprintf(stderr, "usage: blas SHAPES ROUNDS\n");
    return 2;
  }
  int code = 0;
  const wf::registry timed = wf::timed_registry();
  for (const measured_operator& o : operators) {
    const measured_time t = times_of(*timed.find(o.op), shapes);
    wf::registry chosen = timed;
    wf::kernel_spec with{.name = o.op, .overrides = true};
    with.costs[0] = wf::kernel_cost::of({"execution_time", t.formula});
    with.costs[1] = wf::kernel_cost::of({"library_time", t.library_formula});
    for (const auto& added : {chosen.add(wf::blas_kernels), chosen.add(with)})
      if (!added) refuse(added.error());
    chosen.set_caches(wf::calibration::caches_of_this_machine());
    for (const int n : {64, 128, 256, 512, 1024, 2048})
      code = std::max(code, run_size(o, n, rounds, chosen));
  }
  return code;
}
