// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <wf/ir/type/properties.hpp>
#include <wf/run/values/named_matrices.hpp>

#include <linalg/problem.hpp>
#include <linalg/rival.hpp>

namespace linalg_benchmark {

/// A test of how libraries evaluate a formula in its natural form: a test of the LAMP benchmark
/// (data/lamp; Psarras, Barthels, Bientinesi, ACM TOMS 48(3), 2022), or a variant of one.
struct library_test {
  problem what;
  std::string published;  ///< the row of the natural form in the published table; empty: none
  std::string best;       ///< the rows of the best variants, separated by spaces
};

namespace detail {

/// Writes the tests for matrices with `n` rows and columns.
class library_writer {
 public:
  explicit library_writer(std::int64_t side) : n_(side), few_(part(10)), fifth_(part(5)) {}

  std::vector<library_test> write() {
    products();
    solutions();
    chains_and_loops();
    parts();
    rest();
    return std::move(tests_);
  }

 private:
  std::int64_t part(std::int64_t of) const { return std::max<std::int64_t>(2, n_ / of); }
  operand square(const char* name, wf::properties known = {}) const {
    return {name, n_, n_, false, known};
  }
  static std::string declared(const operand& o) {
    std::string out = "input " + o.name + " : f64[" + std::to_string(o.rows) + ", " +
                      std::to_string(o.columns) + "]";
    const wf::text names = wf::to_text(o.declared);
    std::string list(names.view().data(), names.view().size());
    std::replace(list.begin(), list.end(), ' ', ',');
    return out + (list.empty() ? "" : " {" + list + "}") + "\n";
  }
  void add(const char* name, std::vector<operand> inputs, const std::string& equations,
           const char* published = "", const char* best = "") {
    library_test t{{name, "", std::move(inputs), {"Y"}}, published, best};
    for (const operand& o : t.what.inputs) t.what.text += declared(o);
    t.what.text += equations + "\nexport Y\n";
    tests_.push_back(std::move(t));
  }

  void products() {
    const operand a = square("A"), b = square("B"), c = square("C");
    const char* const gemm = "gemm_explicit gemm_implicit_noup";
    add("gemm", {a, b}, "Y = A*B", "gemm_implicit_noup", gemm);
    add("gemm_update", {a, b, c}, "Y = A*B + C", "gemm_implicit", gemm);
    add("gemm_scaled", {a, b, c}, "Y = 3*A*B + C", "gemm_implicit_coeff", gemm);
    add("gemm_both", {a, b, c}, "Y = 3*A*B + 3*C", "gemm_implicit_double_coeff", gemm);
    const char* const syrk = "syrk_explicit syrk_explicit_noup syrk_implicit_noup";
    add("syrk", {a}, "Y = A*trans(A)", "syrk_implicit_noup", syrk);
    add("syrk_update", {a, square("C", wf::symmetric)}, "Y = A*trans(A) + C", "syrk_implicit",
        syrk);
    add("syr2k", {a, b}, "Y = A*trans(B) + B*trans(A)", "syr2k_implicit_noup",
        "syr2k_explicit syr2k_explicit_noup");
    add("trmm", {square("A", wf::lower_triangular), b}, "Y = A*B", "trmm_implicit",
        "trmm_explicit trmm_implicit");
    add("diagmm", {square("A", wf::diagonal), b}, "Y = A*B", "diagmm", "diagmm");
  }

  void solutions() {
    const operand b{"B", n_, few_, false, {}};
    const wf::properties regular = wf::nonsingular;
    add("solve_nai", {square("A", regular), b}, "Y = inv(A)*B", "solve_nai", "solve_rec");
    add("solve_rec", {square("A", regular), b}, "Y = solve(A, B)", "solve_rec", "solve_rec");
    add("solve_sym", {square("A", regular | wf::symmetric), b}, "Y = solve(A, B)", "solve_sym",
        "solve_sym");
    add("solve_spd", {square("A", wf::spd), b}, "Y = solve(A, B)", "solve_spd", "solve_spd");
    add("solve_tri", {square("A", regular | wf::lower_triangular), b}, "Y = solve(A, B)",
        "solve_tri", "solve_tri");
    add("solve_dia", {square("A", regular | wf::diagonal), b}, "Y = solve(A, B)", "solve_dia",
        "solve_dia");
    // A block-diagonal matrix of two blocks.
    const std::int64_t half = part(2), other = n_ - half;
    const std::string blocks = "P = concat(pad(A, axis=1, after=" + std::to_string(other) +
                               "), pad(D, axis=1, before=" + std::to_string(half) + "))\n";
    add("blocked",
        {{"A", half, half, false, regular}, {"D", other, other, false, regular}, square("B")},
        blocks + "Y = inv(P)*B", "compact", "blocked");
  }

  void chains_and_loops() {
    const operand a = square("A"), b = square("B");
    const operand wide{"A", fifth_, n_, false, {}}, tall{"C", n_, fifth_, false, {}};
    add("mc_l_r", {wide, b, square("C")}, "Y = A*B*C", "mc_l_r_orig", "mc_l_r_guid");
    add("mc_r_l", {a, b, tall}, "Y = A*B*C", "mc_r_l_orig", "mc_r_l_guid");
    add("mc_mixed", {a, {"B", n_, fifth_, false, {}}, {"C", fifth_, n_, false, {}}, square("D")},
        "Y = A*B*C*D", "mc_mixed_orig", "mc_mixed_guid");
    add("subexpr", {a, b}, "Y = A*B + A*B", "subexpr_nai", "subexpr_rec");
    // y[i] = (A·B)(i,i), element by element, and Y(:,i) = A·B(:,i).
    std::vector<std::string> elements, columns;
    for (std::int64_t i = 0; i < few_; ++i)
      elements.push_back("slice(slice(A*B, axis=0, start=" + std::to_string(i) +
                         ", length=1), axis=1, start=" + std::to_string(i) + ", length=1)");
    for (std::int64_t i = 0; i < n_; ++i)
      columns.push_back("A*slice(B, axis=1, start=" + std::to_string(i) + ", length=1)");
    add("loop", {{"A", few_, few_, false, {}}, {"B", few_, few_, false, {}}},
        put_together(elements, 0), "loop_nai", "loop_rec");
    add("loop_translation", {a, b}, put_together(columns, 1));
  }
  /// Concatenates values, four at a time.
  static std::string put_together(std::vector<std::string> values, int axis) {
    std::string out;
    int number = 0;
    const auto name = [&] { return "v" + std::to_string(number++); };
    for (std::string& v : values) {
      const std::string made = name();
      out += made + " = " + v + "\n";
      v = made;
    }
    while (values.size() > 1) {
      std::vector<std::string> fewer;
      for (std::size_t i = 0; i < values.size(); i += 4) {
        const std::size_t count = std::min<std::size_t>(4, values.size() - i);
        if (count == 1) {
          fewer.push_back(values[i]);
          continue;
        }
        fewer.push_back(values.size() <= 4 ? "Y" : name());
        out += fewer.back() + " = concat" + (count == 2 ? "" : std::to_string(count)) + "(";
        for (std::size_t k = 0; k < count; ++k) out += values[i + k] + ", ";
        out += "axis=" + std::to_string(axis) + ")\n";
      }
      values = std::move(fewer);
    }
    return out;
  }

  void parts() {
    const operand a = square("A"), b = square("B");
    const std::string column = ", axis=1, start=2, length=1)";
    const std::string row = ", axis=0, start=1, length=1)", second = ", axis=1, start=1, length=1)";
    add("part_column_product", {a, b}, "Y = slice(A*B" + column);
    add("part_element_product", {a, b}, "Y = slice(slice(A*B" + row + second);
    add("part_diagonal_product", {a, b}, "Y = diagonal(A*B)", "diag_mult_nai", "diag_mult_nai");
    add("part_column_sum", {a, b}, "Y = slice(A + B" + column);
    add("part_element_sum", {a, b}, "Y = slice(slice(A + B" + row + second);
    add("part_diagonal_sum", {a, b}, "Y = diagonal(A + B)", "diag_add_nai", "diag_add_rec");
  }

  void rest() {
    const operand a{"A", few_, few_, false, {}}, b{"B", few_, few_, false, {}};
    add("transposed_nn", {a, b}, "Y = A*B", "tr_nn_implicit", "tr_nn_explicit tr_nn_implicit");
    add("transposed_tn", {a, b}, "Y = trans(A)*B", "tr_tn_implicit",
        "tr_tn_explicit tr_tn_implicit");
    add("transposed_nt", {a, b}, "Y = A*trans(B)", "tr_nt_implicit",
        "tr_nt_explicit tr_nt_implicit");
    add("transposed_tt", {a, b}, "Y = trans(A)*trans(B)", "tr_tt_implicit",
        "tr_tt_explicit tr_tt_implicit");
    add("add", {square("A"), square("B")}, "Y = A + B", "add", "add");
    add("scal", {square("A")}, "Y = 3*A", "scal", "scal");
  }

  std::int64_t n_, few_, fifth_;
  std::vector<library_test> tests_;
};

}  // namespace detail

/// The tests on matrices of `side` rows and columns.
inline std::vector<library_test> library_tests(std::int64_t side) {
  return detail::library_writer(side).write();
}

/// Eigen programs of a test: the formula as written, as the documentation recommends, and the best
/// known variant by hand. Empty for an unknown name.
std::vector<rival> eigen_library_rivals(const std::string& test, const wf::named_matrices& inputs);
/// Armadillo programs of a test: as written, and with `solve` and known structure; empty without
/// Armadillo.
std::vector<rival> armadillo_library_rivals(const std::string& test,
                                            const wf::named_matrices& inputs);

}  // namespace linalg_benchmark
