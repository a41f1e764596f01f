// SPDX-License-Identifier: BSL-1.0
//
// Programs by hand: least squares, Tikhonov regularisation, constrained optimisation.
#include <linalg/eigen_hand.hpp>

namespace linalg_benchmark {

namespace by_hand {

namespace {

/// The lower half of the normal equations, and their Cholesky factor in place.
class least_squares : public program<1> {
 public:
  static constexpr const char* formula = R"(input y : f64[n, 1]
input X : f64[n, m] {full_rank}
b = inv(trans(X)*X)*trans(X)*y
export b
)";

  explicit least_squares(const input_reader& in)
      : x_(in["X"]), y_(in.column("y")), g_(x_.cols(), x_.cols()) {
    out().resize(x_.cols(), 1);
  }
  void run() {
    lower(g_) = x_.transpose() * x_;
    column().noalias() = x_.transpose() * y_;
    factorise(g_);
    solve(g_, column());
  }

 private:
  const matrix& x_;
  input_vector y_;
  matrix g_;
};

/// With M = L·L', Z = X'·L⁻ᵀ and w = L⁻¹·y this is (Z·Z')⁻¹·Z·w: one triangular solution each.
class generalised_least_squares : public program<1> {
 public:
  static constexpr const char* formula = R"(input y : f64[n, 1]
input M : f64[n, n] {spd}
input X : f64[n, m] {full_rank}
b = inv(trans(X)*inv(M)*X)*trans(X)*inv(M)*y
export b
)";

  explicit generalised_least_squares(const input_reader& in)
      : x_(in["X"]),
        m_(in["M"]),
        y_(in.column("y")),
        l_(x_.rows(), x_.rows()),
        z_(x_.cols(), x_.rows()),
        g_(x_.cols(), x_.cols()),
        w_(x_.rows()) {
    out().resize(x_.cols(), 1);
  }
  void run() {
    lower(l_) = m_;
    factorise(l_);
    z_ = x_.transpose();
    w_ = y_;
    lower(l_).adjoint().solveInPlace<OnTheRight>(z_);
    lower(l_).solveInPlace(w_);
    lower(g_) = z_ * z_.transpose();
    column().noalias() = z_ * w_;
    factorise(g_);
    solve(g_, column());
  }

 private:
  const matrix &x_, &m_;
  input_vector y_;
  matrix l_, z_, g_;
  vector w_;
};

/// W = D·D is diagonal and definite: with T = A·D both outputs need only the factor of T·T'.
class constrained_optimisation : public program<2> {
 public:
  static constexpr const char* formula = R"(input b : f64[m, 1]
input c : f64[n, 1]
input x : f64[n, 1]
input A : f64[m, n] {full_rank}
input W : f64[n, n] {diagonal,spd}
xf = W*trans(A)*inv(A*W*trans(A))*(b - A*x)
xo = W*(trans(A)*inv(A*W*trans(A))*A*x - c)
export xf
export xo
)";

  explicit constrained_optimisation(const input_reader& in)
      : a_(in["A"]),
        w_(in["W"]),
        b_(in.column("b")),
        c_(in.column("c")),
        x_(in.column("x")),
        t_(a_.rows(), a_.cols()),
        s_(a_.rows(), a_.rows()),
        root_(a_.cols()),
        by_x_(a_.rows()),
        rest_(a_.rows()) {
    for (std::size_t k = 0; k < count; ++k) out(k).resize(a_.cols(), 1);
  }
  void run() {
    root_ = w_.diagonal().cwiseSqrt();
    t_.noalias() = a_ * root_.asDiagonal();
    lower(s_) = t_ * t_.transpose();
    by_x_.noalias() = a_ * x_;
    rest_ = b_ - by_x_;
    factorise(s_);
    solve(s_, rest_);
    solve(s_, by_x_);
    column(0).noalias() = t_.transpose() * rest_;
    column(0).array() *= root_.array();
    column(1) = -root_.cwiseProduct(c_);
    column(1).noalias() += t_.transpose() * by_x_;
    column(1).array() *= root_.array();
  }

 private:
  const matrix &a_, &w_;
  input_vector b_, c_, x_;
  matrix t_, s_;
  vector root_, by_x_, rest_;
};

class tikhonov : public program<1> {
 public:
  static constexpr const char* formula = R"(input b : f64[n, 1]
input A : f64[n, m] {full_rank}
input Gamma : f64[m, m] {full_rank}
x = inv(trans(A)*A + trans(Gamma)*Gamma)*trans(A)*b
export x
)";

  explicit tikhonov(const input_reader& in)
      : a_(in["A"]), gamma_(in["Gamma"]), b_(in.column("b")), s_(a_.cols(), a_.cols()) {
    out().resize(a_.cols(), 1);
  }
  void run() {
    lower(s_) = a_.transpose() * a_;
    lower(s_) += gamma_.transpose() * gamma_;
    column().noalias() = a_.transpose() * b_;
    factorise(s_);
    solve(s_, column());
  }

 private:
  const matrix &a_, &gamma_;
  input_vector b_;
  matrix s_;
};

class ridge : public program<1> {
 public:
  static constexpr const char* formula = R"(input b : f64[n, 1]
input I_m : f64[m, m] {identity}
input A : f64[n, m] {full_rank}
input alpha_sq : f64[] {positive}
x = inv(trans(A)*A + alpha_sq*I_m)*trans(A)*b
export x
)";

  explicit ridge(const input_reader& in)
      : a_(in["A"]), b_(in.column("b")), alpha_(in["alpha_sq"]), s_(a_.cols(), a_.cols()) {
    out().resize(a_.cols(), 1);
  }
  void run() {
    lower(s_) = a_.transpose() * a_;
    s_.diagonal().array() += alpha_(0, 0);
    column().noalias() = a_.transpose() * b_;
    factorise(s_);
    solve(s_, column());
  }

 private:
  const matrix& a_;
  input_vector b_;
  const matrix& alpha_;
  matrix s_;
};

/// P = T + T' with T its lower triangle and half of its diagonal: with F = T·A, A'·P·A = G + G' for
/// G = A'·F, and A'·P·r = F'·r + A'·(T·r). Only half of P is read and multiplied.
class weighted_tikhonov : public program<1> {
 public:
  static constexpr const char* formula = R"(input b : f64[n, 1]
input x0 : f64[m, 1]
input A : f64[n, m] {full_rank}
input P : f64[n, n] {psd}
input Q : f64[m, m] {psd}
x = x0 + inv(trans(A)*P*A + Q)*trans(A)*P*(b - A*x0)
export x
)";

  explicit weighted_tikhonov(const input_reader& in)
      : a_(in["A"]),
        p_(in["P"]),
        q_(in["Q"]),
        b_(in.column("b")),
        start_(in.column("x0")),
        side_(std::max<Index>(80, a_.rows() / 8)),
        f_(a_.rows(), a_.cols()),
        g_(a_.cols(), a_.cols()),
        s_(a_.cols(), a_.cols()),
        block_(side_, side_),
        r_(a_.rows()),
        t_(a_.rows()) {
    out().resize(a_.cols(), 1);
  }
  void run() {
    r_ = b_;
    r_.noalias() -= a_ * start_;
    for (Index i = 0; i < p_.rows(); i += side_) multiply_rows(i, std::min(side_, p_.rows() - i));
    g_.noalias() = a_.transpose() * f_;
    lower(s_) = q_ + g_ + g_.transpose();
    column().noalias() = f_.transpose() * r_;
    column().noalias() += a_.transpose() * t_;
    factorise(s_);
    solve(s_, column());
    column() += start_;
  }

 private:
  /// Computes a panel of rows of T·A and of T·r.
  void multiply_rows(Index first, Index rows) {
    auto f = f_.middleRows(first, rows);
    auto t = t_.segment(first, rows);
    auto half = block_.topLeftCorner(rows, rows);
    half = 0.5 * p_.block(first, first, rows, rows);
    f.noalias() = half * a_.middleRows(first, rows);
    t.noalias() = half * r_.segment(first, rows);
    if (first == 0) return;
    f.noalias() += p_.block(first, 0, rows, first) * a_.topRows(first);
    t.noalias() += p_.block(first, 0, rows, first) * r_.head(first);
  }

  const matrix &a_, &p_, &q_;
  input_vector b_, start_;
  Index side_;
  matrix f_, g_, s_, block_;
  vector r_, t_;
};

}  // namespace

}  // namespace by_hand

std::vector<hand_plan> hand_plans_for_regression() {
  using namespace by_hand;
  return {plan_of<least_squares>("L01"),
          plan_of<generalised_least_squares>("L02"),
          plan_of<constrained_optimisation>("L04"),
          plan_of<tikhonov>("L18"),
          plan_of<ridge>("L19"),
          plan_of<weighted_tikhonov>("L21")};
}

}  // namespace linalg_benchmark
