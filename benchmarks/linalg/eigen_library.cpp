// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <memory>
#include <string>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>

#include <linalg/dense.hpp>
#include <linalg/library.hpp>

namespace linalg_benchmark {

namespace {

using matrix = Eigen::MatrixXd;

/// The operands of a test; a test leaves unused ones empty.
struct operands {
  const matrix &a, &b, &c, &d;
};
using program = void (*)(const operands&, matrix&);

/// A formula as written, as recommended, and as the best variant; null: the same as the form
/// before.
struct forms {
  const char* test;
  program naive, recommended, best;
};

void mirror(matrix& out) {
  constexpr Eigen::Index side = 64;
  for (Eigen::Index j = 0; j < out.cols(); j += side)
    for (Eigen::Index i = j; i < out.rows(); i += side) {
      const Eigen::Index rows = std::min(side, out.rows() - i);
      const Eigen::Index columns = std::min(side, out.cols() - j);
      if (i == j)
        out.block(i, j, rows, columns).triangularView<Eigen::StrictlyUpper>() =
            out.block(i, j, rows, columns).transpose();
      else
        out.block(j, i, columns, rows) = out.block(i, j, rows, columns).transpose();
    }
}
matrix block_diagonal(const matrix& a, const matrix& d) {
  matrix whole = matrix::Zero(a.rows() + d.rows(), a.cols() + d.cols());
  whole.topLeftCorner(a.rows(), a.cols()) = a;
  whole.bottomRightCorner(d.rows(), d.cols()) = d;
  return whole;
}

constexpr forms products[] = {
    {"gemm", [](const operands& x, matrix& y) { y = x.a * x.b; }, nullptr,
     [](const operands& x, matrix& y) { y.noalias() = x.a * x.b; }},
    {"gemm_update", [](const operands& x, matrix& y) { y = x.a * x.b + x.c; }, nullptr,
     [](const operands& x, matrix& y) {
       y = x.c;
       y.noalias() += x.a * x.b;
     }},
    {"gemm_scaled", [](const operands& x, matrix& y) { y = 3 * x.a * x.b + x.c; }, nullptr,
     [](const operands& x, matrix& y) {
       y = x.c;
       y.noalias() += 3 * x.a * x.b;
     }},
    {"gemm_both", [](const operands& x, matrix& y) { y = 3 * x.a * x.b + 3 * x.c; }, nullptr,
     [](const operands& x, matrix& y) {
       y = 3 * x.c;
       y.noalias() += 3 * x.a * x.b;
     }},
    {"syrk", [](const operands& x, matrix& y) { y = x.a * x.a.transpose(); }, nullptr,
     [](const operands& x, matrix& y) {
       y.setZero(x.a.rows(), x.a.rows());
       y.selfadjointView<Eigen::Lower>().rankUpdate(x.a);
       mirror(y);
     }},
    {"syrk_update", [](const operands& x, matrix& y) { y = x.a * x.a.transpose() + x.c; }, nullptr,
     [](const operands& x, matrix& y) {
       y = x.c;
       y.selfadjointView<Eigen::Lower>().rankUpdate(x.a);
       mirror(y);
     }},
    {"syr2k",
     [](const operands& x, matrix& y) { y = x.a * x.b.transpose() + x.b * x.a.transpose(); },
     nullptr,
     [](const operands& x, matrix& y) {
       y.resize(x.a.rows(), x.a.rows());
       const matrix half = x.a * x.b.transpose();
       add_up<matrix, double>(y, {{1, operand_view<double>(half), false},
                                  {1, operand_view<double>(half, true), false}});
     }},
    {"trmm", [](const operands& x, matrix& y) { y = x.a * x.b; },
     [](const operands& x, matrix& y) { y = x.a.triangularView<Eigen::Lower>() * x.b; },
     [](const operands& x, matrix& y) { y.noalias() = x.a.triangularView<Eigen::Lower>() * x.b; }},
    {"diagmm", [](const operands& x, matrix& y) { y = x.a * x.b; },
     [](const operands& x, matrix& y) { y = x.a.diagonal().asDiagonal() * x.b; }, nullptr},
};

constexpr program by_lu = [](const operands& x, matrix& y) { y = x.a.partialPivLu().solve(x.b); };
constexpr forms solutions[] = {
    {"solve_nai", [](const operands& x, matrix& y) { y = x.a.inverse() * x.b; }, by_lu, nullptr},
    {"solve_rec", by_lu, nullptr, nullptr},
    {"solve_sym", by_lu, nullptr, nullptr},
    {"solve_spd", by_lu, [](const operands& x, matrix& y) { y = x.a.llt().solve(x.b); }, nullptr},
    {"solve_tri", by_lu,
     [](const operands& x, matrix& y) { y = x.a.triangularView<Eigen::Lower>().solve(x.b); },
     [](const operands& x, matrix& y) {
       y = x.b;
       x.a.triangularView<Eigen::Lower>().solveInPlace(y);
     }},
    {"solve_dia", by_lu,
     [](const operands& x, matrix& y) { y = x.a.diagonal().cwiseInverse().asDiagonal() * x.b; },
     nullptr},
    {"blocked", [](const operands& x, matrix& y) { y = block_diagonal(x.a, x.d).inverse() * x.b; },
     [](const operands& x, matrix& y) { y = block_diagonal(x.a, x.d).partialPivLu().solve(x.b); },
     [](const operands& x, matrix& y) {
       y.resize(x.b.rows(), x.b.cols());
       y.topRows(x.a.rows()) = x.a.partialPivLu().solve(x.b.topRows(x.a.rows()));
       y.bottomRows(x.d.rows()) = x.d.partialPivLu().solve(x.b.bottomRows(x.d.rows()));
     }},
};

constexpr program three_factors = [](const operands& x, matrix& y) { y = x.a * x.b * x.c; };
constexpr program product = [](const operands& x, matrix& y) { y.noalias() = x.a * x.b; };
constexpr forms chains[] = {
    {"mc_l_r", three_factors, nullptr, nullptr},
    {"mc_r_l", three_factors, [](const operands& x, matrix& y) { y = x.a * (x.b * x.c); }, nullptr},
    {"mc_mixed", [](const operands& x, matrix& y) { y = x.a * x.b * x.c * x.d; },
     [](const operands& x, matrix& y) { y = (x.a * x.b) * (x.c * x.d); }, nullptr},
    {"subexpr", [](const operands& x, matrix& y) { y = x.a * x.b + x.a * x.b; },
     [](const operands& x, matrix& y) {
       const matrix once = x.a * x.b;
       y = once + once;
     },
     [](const operands& x, matrix& y) { y.noalias() = 2 * x.a * x.b; }},
    {"loop",
     [](const operands& x, matrix& y) {
       y.resize(x.a.rows(), 1);
       for (Eigen::Index i = 0; i < x.a.rows(); ++i) {
         const matrix all = x.a * x.b;
         y(i, 0) = all(i, i);
       }
     },
     [](const operands& x, matrix& y) {
       const matrix all = x.a * x.b;
       y = all.diagonal();
     },
     [](const operands& x, matrix& y) {
       y = (x.a.array() * x.b.transpose().array()).rowwise().sum();
     }},
    {"loop_translation",
     [](const operands& x, matrix& y) {
       y.resize(x.a.rows(), x.b.cols());
       for (Eigen::Index i = 0; i < x.b.cols(); ++i) y.col(i) = x.a * x.b.col(i);
     },
     [](const operands& x, matrix& y) { y = x.a * x.b; }, product},
};

constexpr forms parts[] = {
    {"part_column_product", [](const operands& x, matrix& y) { y = (x.a * x.b).col(2); },
     [](const operands& x, matrix& y) { y = x.a * x.b.col(2); },
     [](const operands& x, matrix& y) { y.noalias() = x.a * x.b.col(2); }},
    {"part_element_product",
     [](const operands& x, matrix& y) { y(0, 0) = (x.a * x.b).eval()(1, 1); },
     [](const operands& x, matrix& y) { y(0, 0) = x.a.row(1) * x.b.col(1); },
     [](const operands& x, matrix& y) { y(0, 0) = x.a.row(1).dot(x.b.col(1)); }},
    {"part_diagonal_product", [](const operands& x, matrix& y) { y = (x.a * x.b).diagonal(); },
     nullptr,
     [](const operands& x, matrix& y) {
       y.setZero(x.a.rows(), 1);
       for (Eigen::Index k = 0; k < x.a.cols(); ++k)
         y.col(0) += x.a.col(k).cwiseProduct(x.b.row(k).transpose());
     }},
    {"part_column_sum", [](const operands& x, matrix& y) { y = (x.a + x.b).col(2); },
     [](const operands& x, matrix& y) { y = x.a.col(2) + x.b.col(2); }, nullptr},
    {"part_element_sum", [](const operands& x, matrix& y) { y(0, 0) = (x.a + x.b)(1, 1); },
     [](const operands& x, matrix& y) { y(0, 0) = x.a(1, 1) + x.b(1, 1); }, nullptr},
    {"part_diagonal_sum", [](const operands& x, matrix& y) { y = (x.a + x.b).diagonal(); },
     [](const operands& x, matrix& y) { y = x.a.diagonal() + x.b.diagonal(); }, nullptr},
};

constexpr forms rest[] = {
    {"transposed_nn", [](const operands& x, matrix& y) { y = x.a * x.b; }, nullptr, product},
    {"transposed_tn", [](const operands& x, matrix& y) { y = x.a.transpose() * x.b; }, nullptr,
     [](const operands& x, matrix& y) { y.noalias() = x.a.transpose() * x.b; }},
    {"transposed_nt", [](const operands& x, matrix& y) { y = x.a * x.b.transpose(); }, nullptr,
     [](const operands& x, matrix& y) { y.noalias() = x.a * x.b.transpose(); }},
    {"transposed_tt", [](const operands& x, matrix& y) { y = x.a.transpose() * x.b.transpose(); },
     nullptr,
     [](const operands& x, matrix& y) { y.noalias() = x.a.transpose() * x.b.transpose(); }},
    {"add", [](const operands& x, matrix& y) { y = x.a + x.b; }, nullptr, nullptr},
    {"scal", [](const operands& x, matrix& y) { y = 3 * x.a; }, nullptr, nullptr},
};

const forms* find_forms(const std::string& test) {
  const auto in = [&](const auto& table) -> const forms* {
    for (const forms& f : table)
      if (test == f.test) return &f;
    return nullptr;
  };
  for (const forms* found : {in(products), in(solutions), in(chains), in(parts), in(rest)})
    if (found != nullptr) return found;
  return nullptr;
}

/// A program on operands that its caller owns.
class running {
 public:
  running(program p, const wf::named_matrices& inputs)
      : run_(p), x_{get(inputs, "A"), get(inputs, "B"), get(inputs, "C"), get(inputs, "D")} {}
  void run() { run_(x_, y_); }
  const matrix& output(std::size_t) const { return y_; }

 private:
  const matrix& get(const wf::named_matrices& inputs, const char* name) const {
    const auto found = inputs.find(name);
    return found != inputs.end() ? found->second : none_;
  }

  matrix none_;
  program run_;
  operands x_;
  matrix y_ = matrix(1, 1);
};

}  // namespace

std::vector<rival> eigen_library_rivals(const std::string& test, const wf::named_matrices& inputs) {
  const forms* const f = find_forms(test);
  if (f == nullptr) return {};
  const auto rival_of = [&](const char* name, program p) {
    return make_rival(name, std::make_shared<running>(p, inputs), 1);
  };
  const program recommended = f->recommended != nullptr ? f->recommended : f->naive;
  const program best = f->best != nullptr ? f->best : recommended;
  return {rival_of("eigen_naive", f->naive), rival_of("eigen_recommended", recommended),
          rival_of("best_variant", best)};
}

}  // namespace linalg_benchmark
