// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <initializer_list>
#include <random>
#include <string>

namespace wf_test {

/// The inputs of `random_formula`: square matrices of twenty rows with every declarable property,
/// tall and small matrices, vectors, and a scalar.
inline constexpr const char* formula_inputs =
    "input A : f64[20,20] {nonsingular}; input B : f64[20,20] {nonsingular};"
    "input S : f64[20,20] {spd}; input T : f64[20,20] {spd};"
    "input Q : f64[20,20] {symmetric, nonsingular};"
    "input L : f64[20,20] {lower, nonsingular}; input R : f64[20,20] {upper, nonsingular};"
    "input D : f64[20,20] {diagonal, spd}; input P : f64[20,20] {permutation};"
    "input E : f64[20,20] {identity}; input X : f64[20,16] {full_rank}; input Z : f64[20,16];"
    "input C : f64[16,16] {spd}; input F : f64[16,16] {nonsingular}; input H : f64[16,20];"
    "input v : f64[20]; input w : f64[20]; input y : f64[16]; input u : f64[20,1]; input G : "
    "f64[20,20]; input c : f64[] "
    "{positive};";

/// A random formula of linear algebra over `formula_inputs` with two or three results. Inverted
/// matrices are well-conditioned for all inputs.
class random_formula {
 public:
  /// Draws from `random`, by reference.
  explicit random_formula(std::mt19937_64& random) : random_(random) {}

  /// The text of a formula: inputs, equations and exports.
  std::string text() {
    std::string out = formula_inputs, names;
    for (int i = below(2) + 1; i >= 0; --i) {
      const std::string name = "out" + std::to_string(i);
      out += name + " = " + result() + "; ";
      names += (names.empty() ? "" : ", ") + name;
    }
    return out + "export " + names;
  }

 private:
  using parts = std::initializer_list<std::string>;

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string one_of(std::initializer_list<const char*> of) {
    return *(of.begin() + below(static_cast<int>(of.size())));
  }
  // Concatenation. (Arguments of a list are evaluated in order, operands of `+` in any order.)
  static std::string joined(parts of) {
    std::string out;
    for (const std::string& part : of) out += part;
    return out;
  }
  std::string sign() { return one_of({" + ", " - "}); }
  int rows() { return below(3) == 0 ? 16 : 20; }

  std::string result() {
    switch (below(11)) {
      case 0:
        return joined({"trace(", matrix(20, 20, 2), ")"});
      case 1:
        return joined({"diagonal(", matrix(16, 16, 2), ")"});
      case 2:
        return joined({"slice(", matrix(20, 20, 2), ", axis=", one_of({"0", "1"}),
                       ", start=", std::to_string(below(14)), ", length=2)"});
      case 3:
        return vector(20, 3);
      case 4:
        return vector(16, 3);
      case 5:
        return blocks();
      case 6:
        return joined({one_of({"S", "Q", "(A + trans(A))", "inv(S)", "inv(G)"}), "*u"});
      case 7: {
        const std::string shared = matrix(16, 20, 1);
        return joined({"(X*", shared, sign(), "Z*", shared, ")"});
      }
      default: {
        const int height = rows(), width = rows();
        return matrix(height, width, 3);
      }
    }
  }

  // Concatenated parts, or a block matrix that is inverted, solved with, or multiplied.
  std::string blocks() {
    const std::string tall = matrix(20, 16, 1), other = one_of({"X", "Z"});
    const std::string small = matrix(16, 16, 1);
    if (below(2) == 0) {
      const std::string left = below(2) == 0 ? matrix(16, 20, 1) : "H";
      switch (below(3)) {
        case 0:
          return joined({"concat(", left, "*", tall, ", ", left, "*", other, ", axis=1)"});
        case 1:
          return joined({"concat(", tall, "*", small, ", ", tall, "*C, ", tall, "*F, axis=1)"});
        default:
          return joined({"concat(", left, "*X, ", left, "*", other, ", ", left, "*trans(H), ", left,
                         "*Z, axis=1)"});
      }
    }
    const std::string whole =
        joined({"concat(pad(", one_of({"A", "S", "L"}), ", axis=1, after=16), pad(",
                one_of({"C", "F"}), ", axis=1, before=20))"});
    const std::string column = joined({"concat(", vector(20, 1), ", ", vector(16, 1), ")"});
    const std::string columns = joined({"concat(", tall, ", ", small, ")"});
    switch (below(6)) {
      case 0:
        return joined({"inv(", whole, ")"});
      case 1:
        return joined({"trans(", whole, ")"});
      case 2:
        return joined({"inv(", whole, ")*", column});
      case 3:
        return joined({"inv(", whole, ")*", columns});
      case 4:
        return joined({whole, "*", column});
      default:
        return joined({whole, "*", columns});
    }
  }

  // A well-conditioned matrix of `n` rows.
  std::string regular(int n) {
    if (n == 16) switch (below(6)) {
        case 0:
          return joined({"(trans(X)*", one_of({"S", "D", "inv(T)"}), "*X)"});
        case 1:
          return "(trans(X)*X + c*C)";
        case 2:
          return "(trans(X)*X)";
        default:
          return one_of({"C", "F"});
      }
    switch (below(9)) {
      case 0:
        return "(S + X*C*trans(X))";
      case 1:
        return "(D + X*trans(X))";
      case 2:
        return joined({"(", one_of({"S", "T", "D", "c*E"}), " + ", one_of({"T", "c*E"}), ")"});
      case 3:
        return "(inv(S) + X*inv(C)*trans(X))";
      default:
        return one_of({"A", "B", "S", "T", "Q", "L", "R", "D", "P", "trans(A)", "trans(Q)"});
    }
  }

  std::string leaf(int rows, int columns) {
    if (rows == 20 && columns == 20)
      return one_of({"A", "B", "S", "T", "Q", "L", "R", "D", "P", "E", "c*E"});
    if (rows == 20) return one_of({"X", "Z", "trans(H)"});
    return columns == 20 ? one_of({"H", "trans(X)", "trans(Z)"}) : one_of({"C", "F"});
  }

  std::string matrix(int rows, int columns, int depth) {
    if (depth == 0) return leaf(rows, columns);
    const int inner = below(2) == 0 ? 20 : 16;
    const auto same = [&] { return matrix(rows, columns, depth - 1); };
    switch (below(12)) {
      case 0:
      case 1:
        return joined({"(", same(), sign(), same(), ")"});
      case 2:
        return joined({"inv(", regular(rows), ")*", same()});
      case 3:
        return joined({same(), "*inv(", regular(columns), ")"});
      case 4:
        return joined({"trans(", matrix(columns, rows, depth - 1), ")"});
      case 5:
        return joined({"c*", same()});
      case 6:
        return joined({"(-", same(), ")"});
      case 7:
        return rows == columns ? congruence(rows, inner, depth) : leaf(rows, columns);
      case 8:
        return rows == columns ? joined({"inv(", regular(rows), ")"}) : leaf(rows, columns);
      case 9:
        return shared_factor(rows, inner, columns, depth);
      default:
        return joined({matrix(rows, inner, depth - 1), "*", matrix(inner, columns, depth - 1)});
    }
  }
  // A congruence or a Gram matrix, or the sum of a product and its transpose.
  std::string congruence(int rows, int inner, int depth) {
    const std::string a = matrix(inner, rows, depth - 1);
    switch (below(3)) {
      case 0:
        return joined({"trans(", a, ")*", a});
      case 1:
        return joined(
            {"trans(", a, ")*", inner == 20 ? one_of({"S", "Q", "inv(T)"}) : "C", "*", a});
      default: {
        const std::string b = matrix(inner, rows, 0);
        return joined({"(trans(", a, ")*", b, " + trans(", b, ")*", a, ")"});
      }
    }
  }
  // A common factor of two products, on either side; an inverse of an inverse.
  std::string shared_factor(int rows, int inner, int columns, int depth) {
    if (below(3) == 0) return joined({"inv(inv(", regular(rows), "))*", leaf(rows, columns)});
    const std::string a = matrix(rows, inner, depth - 1), b = leaf(rows, inner);
    const std::string c = leaf(inner, columns), d = leaf(inner, columns);
    return below(2) == 0 ? joined({"(", a, "*", c, sign(), b, "*", c, ")"})
                         : joined({"(", a, "*", c, sign(), a, "*", d, ")"});
  }
  std::string vector(int rows, int depth) {
    if (depth == 0) return rows == 16 ? "y" : one_of({"v", "w"});
    switch (below(6)) {
      case 0:
        return joined({"(", vector(rows, depth - 1), sign(), vector(rows, depth - 1), ")"});
      case 1:
        return joined({"inv(", regular(rows), ")*", vector(rows, depth - 1)});
      case 2:
        return joined({"c*", vector(rows, depth - 1)});
      default: {
        const int inner = below(2) == 0 ? 20 : 16;
        return joined({matrix(rows, inner, depth - 1), "*", vector(inner, depth - 1)});
      }
    }
  }

  std::mt19937_64& random_;
};

}  // namespace wf_test
