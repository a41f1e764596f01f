// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include <armadillo>

#include <linalg/armadillo_chain.hpp>
#include <linalg/dense.hpp>
#include <linalg/rival.hpp>
#include <linalg/scalars.hpp>
#include <linalg/solving.hpp>
#include <linalg/structured.hpp>
#include <linalg/timing.hpp>

extern "C" void openblas_set_num_threads(int threads);

namespace linalg_benchmark {

namespace {

Eigen::Map<Eigen::MatrixXd> as_eigen(arma::mat& m) {
  return {m.memptr(), static_cast<Eigen::Index>(m.n_rows), static_cast<Eigen::Index>(m.n_cols)};
}
operand_view<double> view_of(const arma::mat& m, bool transposed) {
  return {m.memptr(), static_cast<Eigen::Index>(m.n_rows), static_cast<Eigen::Index>(m.n_cols),
          transposed};
}

/// Common base of both Armadillo programs: the matrices, and sums in one pass through memory as
/// Armadillo computes them. `Products` computes a product of factors.
template <class Products>
class arma_machine {
 public:
  arma_machine(formula f, right_side solved, const wf::named_matrices& inputs)
      : formula_(std::move(f)), solved_(solved), scalars_(formula_, inputs) {
    matrices_.resize(formula_.matrices.size());
    for (std::size_t i = 0; i < matrices_.size(); ++i) {
      const matrix_value& m = formula_.matrices[i];
      if (m.input.empty()) continue;
      const wf::dynamic_matrix& given = inputs.find(m.input)->second;
      matrices_[i] = arma::mat(given.data(), static_cast<arma::uword>(given.rows()),
                               static_cast<arma::uword>(given.cols()));
    }
  }

  void run() {
    scalars_.run();
    for (const matrix_step& s : formula_.steps) {
      compute(s, matrices_[s.result]);
      for (const std::uint32_t m : s.last_uses) matrices_[m].reset();
    }
  }

  Eigen::MatrixXd output(std::size_t k) const {
    const arma::mat& m = matrices_[formula_.outputs[k].matrix];
    return dense_map<double>(m.memptr(), static_cast<Eigen::Index>(m.n_rows),
                             static_cast<Eigen::Index>(m.n_cols));
  }

 private:
  void compute(const matrix_step& s, arma::mat& out) {
    const matrix_value& made = formula_.matrices[s.result];
    Products products(formula_, solved_, matrices_);
    if (s.terms.size() == 1 && !is_plain(s.terms[0])) {
      products.compute(s.terms[0], scalars_.get(s.terms[0].scalar), out);
      return;
    }
    summands_.clear();
    for (const term& t : s.terms) {
      const factor& f = t.factors[0];
      const matrix_value& known = formula_.matrices[f.matrix];
      if (is_plain(t)) {
        summands_.push_back({scalars_.get(t.scalar), view_of(matrices_[f.matrix], f.transposed),
                             !known.input.empty() && known.known.has(wf::identity)});
      } else {
        arma::mat& product = temporaries_.emplace_back();
        products.compute(t, 1, product);
        summands_.push_back({scalars_.get(t.scalar), view_of(product, false), false});
      }
    }
    out.set_size(static_cast<arma::uword>(made.rows), static_cast<arma::uword>(made.columns));
    auto sum = as_eigen(out);
    add_up(sum, summands_);
    temporaries_.clear();
  }
  static bool is_plain(const term& t) { return t.factors.size() == 1 && !t.factors[0].inverted; }

  formula formula_;
  right_side solved_;
  scalar_values scalars_;
  std::vector<arma::mat> matrices_;
  std::vector<summand<double>> summands_;
  std::deque<arma::mat> temporaries_;
};

/// The matrix of a factor if this is its only use and may overwrite it; null otherwise.
arma::mat* spare_of(const formula& f, const factor& used, std::vector<arma::mat>& matrices) {
  const matrix_value& m = f.matrices[used.matrix];
  return used.inverted && m.inverted_only && m.uses == 1 ? &matrices[used.matrix] : nullptr;
}

/// Applies a scalar to the smallest factor, at negligible cost, as if it were passed on to a
/// product.
void scale_smallest(std::vector<arma_factor>& factors, double scalar, arma::mat& scaled) {
  arma_factor* smallest = nullptr;
  for (arma_factor& f : factors)
    if (!f.inverted && (smallest == nullptr || f.matrix->n_elem < smallest->matrix->n_elem))
      smallest = &f;
  if (smallest == nullptr) return;
  scaled = scalar * *smallest->matrix;
  smallest->matrix = &scaled;
}

/// Products with `inv` as in the formula.
class naive_products {
 public:
  naive_products(const formula& f, right_side, std::vector<arma::mat>& matrices)
      : formula_(f), matrices_(matrices) {}

  void compute(const term& t, double scalar, arma::mat& out) {
    std::vector<arma_factor> factors;
    for (const factor& f : t.factors)
      factors.push_back(
          {&matrices_[f.matrix], f.transposed, f.inverted, spare_of(formula_, f, matrices_)});
    arma::mat scaled;
    if (scalar != 1) scale_smallest(factors, scalar, scaled);
    multiply_chain(out, factors);
    if (scalar != 1 && scaled.empty()) out *= scalar;  // every factor is inverted
  }

 private:
  const formula& formula_;
  std::vector<arma::mat>& matrices_;
};

/// Products with `solve` and the options and functions that fit the known structure of a matrix
/// (see solving.hpp), and `diagmat` for diagonal ones.
class solving_products {
 public:
  solving_products(const formula& f, right_side solved, std::vector<arma::mat>& matrices)
      : formula_(f), solved_(solved), matrices_(matrices) {}

  void compute(const term& t, double scalar, arma::mat& out) {
    std::deque<part> parts = without_inverses(t, solved_, *this);
    multiply_diagonal(parts);
    if (parts.size() == 1 && parts[0].owned != nullptr) {
      out.steal_mem(*parts[0].owned);
      if (scalar != 1) out *= scalar;
      return;
    }
    std::vector<arma_factor> factors(parts.begin(), parts.end());
    arma::mat scaled;
    if (scalar != 1) scale_smallest(factors, scalar, scaled);
    multiply_chain(out, factors);
  }

  // --- interface that solving.hpp requires -------------------------------------------------------

  /// A factor, or a temporary.
  struct part : arma_factor {
    structure kind = structure::general;
    arma::mat* owned = nullptr;
  };

  part view(const factor& f) const {
    return {{&matrices_[f.matrix], f.transposed, false, nullptr}, kind_of(f), nullptr};
  }
  part inverse(const factor& f) {
    const arma::mat& a = matrices_[f.matrix];
    arma::mat& made = held_.emplace_back();
    const structure kind = kind_of(f);
    if (kind == structure::orthogonal)
      made = f.transposed ? arma::mat(a) : arma::mat(arma::trans(a));
    else if (kind == structure::diagonal)
      made = arma::diagmat(1 / a.diag());
    else if (is_definite(f))
      invert_definite(made, f);
    else if (is_triangular(kind) && !f.transposed)
      made = kind == structure::lower ? arma::mat(arma::inv(arma::trimatl(a)))
                                      : arma::mat(arma::inv(arma::trimatu(a)));
    else
      multiply_chain(made, {{&a, f.transposed, true, spare_of(formula_, f, matrices_)}});
    return as_part(made);
  }
  part solve(const factor& f, const part& right, bool = false) {
    arma::mat& made = held_.emplace_back();
    if (right.transposed)
      solve_expression(made, f, arma::trans(*right.matrix));
    else
      solve_expression(made, f, *right.matrix);
    return as_part(made);
  }
  /// Solves X·A = B as A'·X' = B'.
  part solve_right(const part& left, const factor& f) {
    factor flipped = f;
    flipped.transposed = !f.transposed;
    part turned = left;
    turned.transposed = !left.transposed;
    part made = solve(flipped, turned);
    made.transposed = true;
    made.owned = nullptr;  // it still holds the transpose
    return made;
  }
  part product(std::deque<part> parts) {
    multiply_diagonal(parts);
    if (parts.size() == 1) return parts[0];
    arma::mat& made = held_.emplace_back();
    multiply_chain(made, std::vector<arma_factor>(parts.begin(), parts.end()));
    return as_part(made);
  }

 private:
  static part as_part(arma::mat& made) {
    return {{&made, false, false, nullptr}, structure::general, &made};
  }
  static bool is_triangular(structure s) { return s == structure::lower || s == structure::upper; }
  /// The declared structure of the factor, transposed if the factor is.
  structure kind_of(const factor& f) const {
    const matrix_value& m = formula_.matrices[f.matrix];
    if (m.input.empty()) return structure::general;
    const structure kind = structure_of(m.known);
    return f.transposed ? transposed(kind) : kind;
  }
  bool is_definite(const factor& f) const { return formula_.matrices[f.matrix].known.has(wf::psd); }

  void invert_definite(arma::mat& made, const factor& f) {
    arma::mat* const spare = spare_of(formula_, f, matrices_);
    if (spare != nullptr)
      made.steal_mem(*spare);
    else
      made = matrices_[f.matrix];
    if (!arma::inv_sympd(made, made)) made.fill(arma::datum::nan);
  }

  /// Solves in the storage of the matrix if it is spare, as C++ does with a temporary passed to
  /// `solve`; returns true if it did. A matrix that may turn out not to be definite is kept for a
  /// retry.
  template <class Right>
  bool solve_in_place(arma::mat& out, const factor& f, const Right& right) {
    arma::mat* const a = spare_of(formula_, f, matrices_);
    if (a == nullptr || f.transposed) return false;
    const bool definite = is_definite(f);
    if (!definite && arma::sympd_helper::guess_sympd(*a, arma::uword(16))) return false;
    if (definite ? !arma::auxlib::solve_sympd_fast(out, *a, right)
                 : !arma::auxlib::solve_square_fast(out, *a, right))
      out.fill(arma::datum::nan);
    return true;
  }

  template <class Right>
  void solve_expression(arma::mat& out, const factor& f, const Right& right) {
    if (solve_in_place(out, f, right)) return;
    const arma::mat& a = matrices_[f.matrix];
    const structure kind = kind_of(f);
    using namespace arma::solve_opts;
    if (kind == structure::orthogonal && f.transposed) {
      out = a * right;
    } else if (kind == structure::orthogonal) {
      out = arma::trans(a) * right;
    } else if (kind == structure::diagonal) {
      out = right;
      out.each_col() /= a.diag();
    } else if (is_triangular(kind) && f.transposed) {
      if (kind == structure::lower)
        out = arma::solve(arma::trimatl(arma::trans(a)), right, fast);
      else
        out = arma::solve(arma::trimatu(arma::trans(a)), right, fast);
    } else if (kind == structure::lower) {
      out = arma::solve(arma::trimatl(a), right, fast);
    } else if (kind == structure::upper) {
      out = arma::solve(arma::trimatu(a), right, fast);
    } else if (is_definite(f)) {
      out = arma::solve(a, right, likely_sympd + fast);
    } else if (f.transposed) {
      out = arma::solve(arma::trans(a), right, fast);
    } else {
      out = arma::solve(a, right, fast);
    }
  }

  /// Multiplies by the diagonal factors, each as soon as the product to its left is computed.
  void multiply_diagonal(std::deque<part>& parts) {
    for (std::size_t k = 0; k < parts.size() && parts.size() > 1;) {
      if (parts[k].kind != structure::diagonal) {
        ++k;
        continue;
      }
      arma::mat& made = held_.emplace_back();
      const auto diagonal = arma::diagmat(*parts[k].matrix);
      const std::size_t with = k == 0 ? 1 : 0;
      std::vector<arma_factor> others;
      if (k == 0)
        others.push_back(parts[1]);
      else
        others.assign(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(k));
      arma::mat computed;
      const bool is_one = others.size() == 1;
      if (!is_one) multiply_chain(computed, others);
      const arma_factor other = is_one ? others[0] : arma_factor{&computed, false, false, nullptr};
      detail::with_factor<false>(other, [&](const auto& m) {
        if (k == 0)
          made = diagonal * m;
        else
          made = m * diagonal;
      });
      parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(k + with));
      parts.front() = as_part(made);
      k = 0;
    }
  }

  const formula& formula_;
  right_side solved_;
  std::vector<arma::mat>& matrices_;
  std::deque<arma::mat> held_;
};

}  // namespace

std::vector<rival> armadillo_rivals(const formulas& f, const wf::named_matrices& inputs) {
  openblas_set_num_threads(1);
  using naive = arma_machine<naive_products>;
  using solving = arma_machine<solving_products>;
  const std::size_t outputs = f.single.outputs.size();
  return {
      make_rival("armadillo_naive", std::make_shared<naive>(f.single, f.solved, inputs), outputs),
      make_rival("armadillo_solve", std::make_shared<solving>(f.factors, f.solved, inputs),
                 outputs)};
}

product_rival openblas_product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  openblas_set_num_threads(1);
  const auto size = [](Eigen::Index n) { return static_cast<arma::uword>(n); };
  auto left = std::make_shared<arma::mat>(a.data(), size(a.rows()), size(a.cols()));
  auto right = std::make_shared<arma::mat>(b.data(), size(b.rows()), size(b.cols()));
  auto out = std::make_shared<arma::mat>(size(a.rows()), size(b.cols()));
  return {[left, right, out] { *out = *left * *right; }};
}

double openblas_product_rate() {
  openblas_set_num_threads(1);
  constexpr arma::uword size = 1000;
  const arma::mat a(size, size, arma::fill::randu), b = a.t();
  arma::mat c(size, size);
  return product_rate(size, [&] { c = a * b; });
}

}  // namespace linalg_benchmark
