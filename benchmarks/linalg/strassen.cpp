// SPDX-License-Identifier: BSL-1.0
//
// Products of large square matrices: wf's choice by size beside Eigen and OpenBLAS; and all schemes
// of data/fmm_schemes, verified and timed.
#include <linalg/sets.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <wf/capture/equations/equations.hpp>
#include <wf/run/kernels/bilinear.hpp>

#include <linalg/agreement.hpp>
#include <linalg/read_schemes.hpp>
#include <linalg/report.hpp>
#include <linalg/rival.hpp>
#include <linalg/timing.hpp>
#include <linalg/wf_plan.hpp>

namespace linalg_benchmark {

namespace {

using wf::compute::bilinear_scheme;
using wf::compute::columns_at;

std::string message_of(const wf::error& e) { return static_cast<std::string>(wf::to_text(e)); }

/// The largest error of a few elements of a product against long double, relative to the norms of
/// their row and column.
double sampled_error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b,
                     const Eigen::MatrixXd& product) {
  double largest = 0;
  for (Eigen::Index s = 0; s < 200; ++s) {
    const Eigen::Index i = s * 7919 % a.rows(), j = s * 104729 % b.cols();
    long double sum = 0;
    for (Eigen::Index k = 0; k < a.cols(); ++k)
      sum += static_cast<long double>(a(i, k)) * static_cast<long double>(b(k, j));
    const double scale = a.row(i).norm() * b.col(j).norm();
    largest = std::max(
        largest,
        static_cast<double>(std::abs(sum - static_cast<long double>(product(i, j)))) / scale);
  }
  return largest;
}

/// The plan of wf for "Y = A B".
wf::result<wf_plan> plan_product(Eigen::Index n, double seconds) {
  const std::string extents = " : f64[" + std::to_string(n) + ", " + std::to_string(n) + "]\n";
  const std::string text = "input A" + extents + "input B" + extents + "Y = A B\nexport Y\n";
  const auto captured = wf::equations("product", {text.data(), text.size()});
  if (!captured) return captured.error();
  return plan_formula(captured->view(), seconds);
}

/// Measures one size: wf's plan, wf's own loops, and the rivals; false after an error.
bool measure_size(const options& o, Eigen::Index n, std::vector<row>& rows) {
  const auto plan = plan_product(n, o.plan_seconds);
  if (!plan) return fail(message_of(plan.error())), false;
  Eigen::MatrixXd by_eigen(n, n);
  wf::named_matrices inputs;
  inputs["A"] = Eigen::MatrixXd::Random(n, n);
  inputs["B"] = Eigen::MatrixXd::Random(n, n);
  const Eigen::MatrixXd a = inputs["A"], b = inputs["B"];
  const bound_program program = plan->bind(inputs);
  const product_rival openblas = openblas_product(a, b);
  wf::result<wf::nothing> done = wf::nothing{};
  std::vector<contestant> all = {{"wf", [&] { done = program.run(); }},
                                 {"eigen", [&] { by_eigen.noalias() = a * b; }}};
  if (openblas.run) all.push_back({"openblas", openblas.run});
  measuring how = o.how;
  if (how.rounds == 0) how.seconds = std::max(how.seconds, n >= 3000 ? 30.0 : 4.0);
  measure(all, how);
  if (!done) return fail(message_of(done.error())), false;
  row out;
  out.problem = std::string(plan->chosen.view().op_name(plan->chosen.view().nodes[0]));
  out.sizes = std::to_string(n);
  out.wf_seconds = median(all[0].seconds);
  for (std::size_t i = 1; i < all.size(); ++i) out.add(all[i].name, median(all[i].seconds));
  out.planning_seconds = plan->planning_seconds;
  out.error = sampled_error(a, b, (*program.outputs)[0]);
  out.allowed_error = 10 * sampled_error(a, b, by_eigen) + 1e-16;
  if (!(out.error <= out.allowed_error)) out.failure = "too large an error";
  rows.push_back(out);
  print_row(out, out.rivals.size(), false);
  return out.failure.empty();
}

/// Measures all schemes of the data folder at one size; false if one is invalid.
bool measure_schemes(const options& o, const std::string& folder, Eigen::Index n) {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(n, n), b = Eigen::MatrixXd::Random(n, n);
  Eigen::MatrixXd out(n, n), plain(n, n);
  std::vector<double> scratch(
      static_cast<std::size_t>(wf::compute::bilinear_scratch<double>(n, n, n)));
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    files.push_back(file.path().string());
  std::sort(files.begin(), files.end());
  const auto left = columns_at(a.data(), n, n), right = columns_at(b.data(), n, n);
  std::printf("%-36s %5s %7s  %s\n", "scheme", "rank", "valid", "time of a product by it");
  bool all_valid = true;
  for (const std::string& path : files) {
    const std::string source = read_whole(path);
    const auto scheme = scheme_reader({source.data(), source.size()}).read();
    if (!scheme) return fail(path + ": " + message_of(scheme.error())), false;
    const bool valid = wf::compute::is_valid(*scheme);
    all_valid = all_valid && valid;
    std::vector<contestant> both = {
        {"plain",
         [&] {
           wf::compute::multiply_fused(columns_at(plain.data(), n, n), left, right, scratch.data());
         }},
        {"scheme", [&] {
           wf::compute::multiply_bilinear(*scheme, columns_at(out.data(), n, n), left, right,
                                          scratch.data());
         }}};
    measuring how = o.how;
    how.rounds = 3;
    measure(both, how);
    std::printf("%-36s %5u %7s  %.2fx of wf's own gemm, errors %.1e and %.1e\n",
                std::filesystem::path(path).stem().string().c_str(), scheme->rank,
                valid ? "yes" : "NO", median(both[0].seconds) / median(both[1].seconds),
                sampled_error(a, b, out), sampled_error(a, b, plain));
    std::fflush(stdout);
  }
  return all_valid;
}

}  // namespace

int run_strassen(const options& o) {
  std::vector<std::string> rivals = {"eigen_gemm"};
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(1, 1);
  if (openblas_product(one, one).run) rivals.emplace_back("openblas_dgemm");
  std::vector<row> rows;
  print_head(rivals);
  for (const Eigen::Index n :
       {64, 128, 256, 500, 512, 768, 1000, 1024, 1500, 2000, 2001, 2048, 2500, 3000, 3001, 4096})
    if (!measure_size(o, n, rows)) return 1;
  print_results("strassen", rivals, rows);
  print_results("strassen_4096", rivals, {rows.back()});
  const std::string ranks = data_file("fmm_schemes/ranks.csv");
  if (ranks.empty()) return 0;
  const auto folder = std::filesystem::path(ranks).parent_path() / "reduced_ZT";
  return measure_schemes(o, folder.string(), 2000) ? 0 : 1;
}

}  // namespace linalg_benchmark
