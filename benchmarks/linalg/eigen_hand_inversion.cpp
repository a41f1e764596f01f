// SPDX-License-Identifier: BSL-1.0
//
// Programs by hand: randomised inversion and stochastic Newton methods; and the list of all
// programs.
#include <linalg/eigen_hand.hpp>

namespace linalg_benchmark {

namespace by_hand {

namespace {

/// Common part of the steps of randomised inversion: T = S'·A and the inverse of a small matrix
/// derived from T.
class sketch {
 public:
  explicit sketch(const matrix& s)
      : t(s.cols(), s.rows()),
        small(s.cols(), s.cols()),
        inverse(s.cols(), s.cols()),
        spare(s.cols(), s.cols()) {}

  /// Inverts `small`, whose lower half is read and overwritten.
  void invert_small() {
    factorise(small);
    invert(inverse, small, spare);
  }

  matrix t, small, inverse, spare;
};

/// A sketch with U = T·W and the inverse of U·T'.
class weighted_sketch : public sketch {
 public:
  weighted_sketch(const matrix& s, const matrix& a, const matrix& w)
      : sketch(s), u(s.cols(), s.rows()), s_(s), a_(a), w_(w) {}

  void run() {
    t.noalias() = s_.transpose() * a_;
    u.noalias() = t * w_;
    lower(small) = t * u.transpose();
    invert_small();
  }

  matrix u;

 private:
  const matrix &s_, &a_, &w_;
};

/// out = to + left·right for a symmetric result: computes the lower half and mirrors it.
void add_symmetric(matrix& out, const matrix& to, const matrix& left, const matrix& right) {
  lower(out) = to;
  lower(out) += left * right;
  mirror(out);
}

/// With T = S'·A, U = T·W, M = U·T' and P = M⁻¹·S' the outputs are Lambda = S·P and Xout =
/// Xin + U'·(P - M⁻¹·(T·Xin)).
class randomised_inversion : public program<2> {
 public:
  static constexpr const char* formula = R"(input I_n : f64[n, n] {identity}
input A : f64[n, n] {full_rank}
input S : f64[n, q] {full_rank}
input W : f64[n, n] {spd}
input Xin : f64[n, n] {full_rank}
Lambda = S*inv(trans(S)*A*W*trans(A)*S)*trans(S)
Xout = Xin + W*trans(A)*Lambda*(I_n - A*Xin)
export Lambda
export Xout
)";

  explicit randomised_inversion(const input_reader& in)
      : s_(in["S"]),
        x_(in["Xin"]),
        sketch_(s_, in["A"], in["W"]),
        p_(s_.cols(), s_.rows()),
        e_(s_.cols(), s_.rows()),
        panel_(s_.rows(), panel_columns) {
    for (std::size_t k = 0; k < count; ++k) out(k).resize(s_.rows(), s_.rows());
  }
  void run() {
    sketch_.run();
    p_.noalias() = sketch_.inverse * s_.transpose();
    lower(out(0)) = s_ * p_;
    mirror(out(0));
    e_.noalias() = sketch_.t * x_;
    p_.noalias() -= sketch_.inverse * e_;
    multiply_by_panels(out(1), sketch_.u.transpose(), p_, &x_, panel_);
  }

 private:
  const matrix &s_, &x_;
  weighted_sketch sketch_;
  matrix p_, e_, panel_;
};

/// With T = S'·A, U = T·W, M = U·T' and P = S·M⁻¹ the first output is Theta = P·U. Since
/// A·Xin·A - A = A·Mk, with Q = Mk·P the last summand of Xout is U'·(M⁻¹·T·Q)·U, symmetric: half of
/// it is added to each of the other two. For V = Q - U'·(M⁻¹·T·Q)/2, Xout = Xin - V·U - U'·V', a
/// product with inner extent 2q.
class symmetric_randomised_inversion : public program<4> {
 public:
  static constexpr const char* formula = R"(input I_n : f64[n, n] {identity}
input A : f64[n, n] {symmetric,full_rank}
input S : f64[n, q] {full_rank}
input W : f64[n, n] {spd}
input Xin : f64[n, n] {symmetric,full_rank}
Lambda = S*inv(trans(S)*A*W*A*S)*trans(S)
Theta = Lambda*A*W
Mk = Xin*A - I_n
Xout = Xin - Mk*Theta - trans(Mk*Theta) + trans(Theta)*(A*Xin*A - A)*Theta
export Lambda
export Theta
export Mk
export Xout
)";

  explicit symmetric_randomised_inversion(const input_reader& in)
      : a_(in["A"]),
        s_(in["S"]),
        x_(in["Xin"]),
        sketch_(s_, a_, in["W"]),
        g_(s_.cols(), s_.cols()),
        p_(s_.rows(), s_.cols()),
        left_(s_.rows(), 2 * s_.cols()),
        right_(2 * s_.cols(), s_.rows()),
        panel_(s_.rows(), panel_columns) {
    for (std::size_t k = 0; k < count; ++k) out(k).resize(s_.rows(), s_.rows());
  }
  void run() {
    const Index q = s_.cols();
    const matrix& u = sketch_.u;
    sketch_.run();
    p_.noalias() = s_ * sketch_.inverse;
    lower(out(0)) = p_ * s_.transpose();
    mirror(out(0));
    multiply_by_panels(out(1), p_, u, nullptr, panel_);
    out(2).noalias() = x_ * a_;
    out(2).diagonal().array() -= 1;
    auto v = left_.leftCols(q);
    v.noalias() = out(2) * p_;
    sketch_.spare.noalias() = sketch_.t * v;
    g_.noalias() = (-0.5 * sketch_.inverse) * sketch_.spare;
    v.noalias() += u.transpose() * g_;
    left_.rightCols(q) = u.transpose();
    right_.topRows(q) = -u;
    right_.bottomRows(q) = -v.transpose();
    add_symmetric(out(3), x_, left_, right_);
  }

 private:
  const matrix &a_, &s_, &x_;
  weighted_sketch sketch_;
  matrix g_, p_, left_, right_, panel_;
};

/// With T = S'·A, M = T·S, P = M⁻¹·S' and V = T·Xin the result is P'·(M + V·T')·P + Xin - P'·V -
/// V'·P. Subtracting half of (M + V·T')·P from V gives Xin - P'·V - V'·P, a product with inner
/// extent 2q.
class definite_randomised_inversion : public program<1> {
 public:
  static constexpr const char* formula =
      "input I_n : f64[n, n] {identity}\n"
      "input A : f64[n, n] {spd}\n"
      "input S : f64[n, q] {full_rank}\n"
      "input Xin : f64[n, n] {symmetric,full_rank}\n"
      "Xout = S*inv(trans(S)*A*S)*trans(S) + (I_n - S*inv(trans(S)*A*S)*trans(S)*A)*Xin*"
      "(I_n - A*S*inv(trans(S)*A*S)*trans(S))\n"
      "export Xout\n";

  explicit definite_randomised_inversion(const input_reader& in)
      : a_(in["A"]),
        s_(in["S"]),
        x_(in["Xin"]),
        sketch_(s_),
        g_(s_.cols(), s_.cols()),
        left_(s_.rows(), 2 * s_.cols()),
        right_(2 * s_.cols(), s_.rows()) {
    out().resize(s_.rows(), s_.rows());
  }
  void run() {
    const Index q = s_.cols();
    matrix& t = sketch_.t;
    t.noalias() = s_.transpose() * a_;
    sketch_.small.noalias() = t * s_;
    g_ = sketch_.small;
    sketch_.invert_small();
    auto p = right_.topRows(q), v = right_.bottomRows(q);
    p.noalias() = sketch_.inverse * s_.transpose();
    v.noalias() = t * x_;
    g_.noalias() += t * v.transpose();
    g_ *= -0.5;
    v.noalias() += g_ * p;
    left_.leftCols(q) = -v.transpose();
    left_.rightCols(q) = -p.transpose();
    add_symmetric(out(), x_, left_, right_);
  }

 private:
  const matrix &a_, &s_, &x_;
  sketch sketch_;
  matrix g_, left_, right_;
};

/// With F = Wk'·A, lambda + F·F' = L·L' and Z = F'·L⁻ᵀ the result is (1 - Z·Z')/lambda.
class stochastic_newton : public program<1> {
 public:
  static constexpr const char* formula = R"(input I_n : f64[n, n] {identity}
input I_l : f64[l, l] {identity}
input A : f64[m, n] {full_rank}
input Wk : f64[m, l] {full_rank}
input lambda : f64[] {positive}
B = 1.0*inv(lambda)*(I_n - trans(A)*Wk*inv(lambda*I_l + (trans(Wk)*A*trans(A)*Wk))*trans(Wk)*A)
export B
)";

  explicit stochastic_newton(const input_reader& in)
      : a_(in["A"]),
        w_(in["Wk"]),
        lambda_(in["lambda"]),
        f_(w_.cols(), a_.cols()),
        z_(a_.cols(), w_.cols()),
        s_(w_.cols(), w_.cols()) {
    out().resize(a_.cols(), a_.cols());
  }
  void run() {
    const double lambda = lambda_(0, 0);
    f_.noalias() = w_.transpose() * a_;
    lower(s_) = f_ * f_.transpose();
    s_.diagonal().array() += lambda;
    factorise(s_);
    z_ = f_.transpose();
    lower(s_).adjoint().solveInPlace<OnTheRight>(z_);
    out().setZero();
    out().diagonal().setConstant(1 / lambda);
    out().selfadjointView<Lower>().rankUpdate(z_, -1 / lambda);
    mirror(out());
  }

 private:
  const matrix &a_, &w_, &lambda_;
  matrix f_, z_, s_;
};

}  // namespace

}  // namespace by_hand

std::vector<hand_plan> hand_plans_for_inversion() {
  using namespace by_hand;
  return {plan_of<randomised_inversion>("L12"), plan_of<symmetric_randomised_inversion>("L14"),
          plan_of<definite_randomised_inversion>("L15"), plan_of<stochastic_newton>("L17")};
}

std::vector<hand_plan> hand_plans() {
  std::vector<hand_plan> all = hand_plans_for_regression();
  for (const auto& more : {hand_plans_for_filters(), hand_plans_for_inversion()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace linalg_benchmark
