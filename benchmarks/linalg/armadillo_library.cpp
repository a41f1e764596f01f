// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <memory>
#include <string>

#include <armadillo>

#include <linalg/library.hpp>

namespace linalg_benchmark {

namespace {

struct operands {
  arma::mat a, b, c, d;
};
using program = void (*)(const operands&, arma::mat&);

/// A formula as written, and with Armadillo's special functions; null: the same as written.
struct forms {
  const char* test;
  program naive, solved = nullptr;
};

arma::mat block_diagonal(const arma::mat& a, const arma::mat& d) {
  arma::mat whole(a.n_rows + d.n_rows, a.n_cols + d.n_cols, arma::fill::zeros);
  whole.submat(0, 0, a.n_rows - 1, a.n_cols - 1) = a;
  whole.submat(a.n_rows, a.n_cols, whole.n_rows - 1, whole.n_cols - 1) = d;
  return whole;
}

constexpr program solved = [](const operands& x, arma::mat& y) { y = arma::solve(x.a, x.b); };
constexpr forms table[] = {
    {"gemm", [](const operands& x, arma::mat& y) { y = x.a * x.b; }},
    {"gemm_update", [](const operands& x, arma::mat& y) { y = x.a * x.b + x.c; },
     [](const operands& x, arma::mat& y) {
       y = x.c;
       y += x.a * x.b;
     }},
    {"gemm_scaled", [](const operands& x, arma::mat& y) { y = 3 * x.a * x.b + x.c; },
     [](const operands& x, arma::mat& y) {
       y = x.c;
       y += 3 * x.a * x.b;
     }},
    {"gemm_both", [](const operands& x, arma::mat& y) { y = 3 * x.a * x.b + 3 * x.c; },
     [](const operands& x, arma::mat& y) {
       y = 3 * x.c;
       y += 3 * x.a * x.b;
     }},
    {"syrk", [](const operands& x, arma::mat& y) { y = x.a * x.a.t(); }},
    {"syrk_update", [](const operands& x, arma::mat& y) { y = x.a * x.a.t() + x.c; }},
    {"syr2k", [](const operands& x, arma::mat& y) { y = x.a * x.b.t() + x.b * x.a.t(); },
     [](const operands& x, arma::mat& y) {
       const arma::mat half = x.a * x.b.t();
       y = half + half.t();
     }},
    {"trmm", [](const operands& x, arma::mat& y) { y = x.a * x.b; },
     [](const operands& x, arma::mat& y) { y = arma::trimatl(x.a) * x.b; }},
    {"diagmm", [](const operands& x, arma::mat& y) { y = x.a * x.b; },
     [](const operands& x, arma::mat& y) { y = arma::diagmat(x.a) * x.b; }},
    {"solve_nai", [](const operands& x, arma::mat& y) { y = arma::inv(x.a) * x.b; }, solved},
    {"solve_rec", solved},
    {"solve_sym", solved},
    {"solve_spd", solved,
     [](const operands& x, arma::mat& y) {
       y = arma::solve(x.a, x.b, arma::solve_opts::likely_sympd);
     }},
    {"solve_tri", solved,
     [](const operands& x, arma::mat& y) { y = arma::solve(arma::trimatl(x.a), x.b); }},
    {"solve_dia", solved,
     [](const operands& x, arma::mat& y) { y = arma::diagmat(1 / x.a.diag()) * x.b; }},
    {"blocked",
     [](const operands& x, arma::mat& y) { y = arma::inv(block_diagonal(x.a, x.d)) * x.b; },
     [](const operands& x, arma::mat& y) {
       y = arma::join_cols(arma::solve(x.a, x.b.head_rows(x.a.n_rows)),
                           arma::solve(x.d, x.b.tail_rows(x.d.n_rows)));
     }},
    {"mc_l_r", [](const operands& x, arma::mat& y) { y = x.a * x.b * x.c; }},
    {"mc_r_l", [](const operands& x, arma::mat& y) { y = x.a * x.b * x.c; }},
    {"mc_mixed", [](const operands& x, arma::mat& y) { y = x.a * x.b * x.c * x.d; },
     [](const operands& x, arma::mat& y) { y = (x.a * x.b) * (x.c * x.d); }},
    {"subexpr", [](const operands& x, arma::mat& y) { y = x.a * x.b + x.a * x.b; },
     [](const operands& x, arma::mat& y) { y = 2 * x.a * x.b; }},
    {"loop",
     [](const operands& x, arma::mat& y) {
       y.set_size(x.a.n_rows, 1);
       for (arma::uword i = 0; i < x.a.n_rows; ++i) {
         const arma::mat all = x.a * x.b;
         y(i, 0) = all(i, i);
       }
     },
     [](const operands& x, arma::mat& y) { y = arma::diagvec(x.a * x.b); }},
    {"loop_translation",
     [](const operands& x, arma::mat& y) {
       y.set_size(x.a.n_rows, x.b.n_cols);
       for (arma::uword i = 0; i < x.b.n_cols; ++i) y.col(i) = x.a * x.b.col(i);
     },
     [](const operands& x, arma::mat& y) { y = x.a * x.b; }},
    {"part_column_product",
     [](const operands& x, arma::mat& y) { y = arma::mat(x.a * x.b).col(2); },
     [](const operands& x, arma::mat& y) { y = x.a * x.b.col(2); }},
    {"part_element_product",
     [](const operands& x, arma::mat& y) { y(0, 0) = arma::mat(x.a * x.b)(1, 1); },
     [](const operands& x, arma::mat& y) { y(0, 0) = arma::as_scalar(x.a.row(1) * x.b.col(1)); }},
    {"part_diagonal_product",
     [](const operands& x, arma::mat& y) { y = arma::diagvec(x.a * x.b); }},
    {"part_column_sum", [](const operands& x, arma::mat& y) { y = arma::mat(x.a + x.b).col(2); },
     [](const operands& x, arma::mat& y) { y = x.a.col(2) + x.b.col(2); }},
    {"part_element_sum",
     [](const operands& x, arma::mat& y) { y(0, 0) = arma::mat(x.a + x.b)(1, 1); },
     [](const operands& x, arma::mat& y) { y(0, 0) = x.a(1, 1) + x.b(1, 1); }},
    {"part_diagonal_sum", [](const operands& x, arma::mat& y) { y = arma::diagvec(x.a + x.b); },
     [](const operands& x, arma::mat& y) { y = x.a.diag() + x.b.diag(); }},
    {"transposed_nn", [](const operands& x, arma::mat& y) { y = x.a * x.b; }},
    {"transposed_tn", [](const operands& x, arma::mat& y) { y = x.a.t() * x.b; }},
    {"transposed_nt", [](const operands& x, arma::mat& y) { y = x.a * x.b.t(); }},
    {"transposed_tt", [](const operands& x, arma::mat& y) { y = x.a.t() * x.b.t(); }},
    {"add", [](const operands& x, arma::mat& y) { y = x.a + x.b; }},
    {"scal", [](const operands& x, arma::mat& y) { y = 3 * x.a; }},
};

class running {
 public:
  running(program p, const wf::named_matrices& inputs)
      : run_(p), x_{get(inputs, "A"), get(inputs, "B"), get(inputs, "C"), get(inputs, "D")} {}
  void run() { run_(x_, y_); }
  Eigen::MatrixXd output(std::size_t) const {
    return Eigen::Map<const Eigen::MatrixXd>(y_.memptr(), static_cast<Eigen::Index>(y_.n_rows),
                                             static_cast<Eigen::Index>(y_.n_cols));
  }

 private:
  static arma::mat get(const wf::named_matrices& inputs, const char* name) {
    const auto found = inputs.find(name);
    if (found == inputs.end()) return {};
    const wf::dynamic_matrix& m = found->second;
    return {m.data(), static_cast<arma::uword>(m.rows()), static_cast<arma::uword>(m.cols())};
  }

  program run_;
  operands x_;
  arma::mat y_ = arma::mat(1, 1);
};

}  // namespace

std::vector<rival> armadillo_library_rivals(const std::string& test,
                                            const wf::named_matrices& inputs) {
  for (const forms& f : table) {
    if (test != f.test) continue;
    const program solving = f.solved != nullptr ? f.solved : f.naive;
    return {make_rival("armadillo_naive", std::make_shared<running>(f.naive, inputs), 1),
            make_rival("armadillo_solve", std::make_shared<running>(solving, inputs), 1)};
  }
  return {};
}

}  // namespace linalg_benchmark
