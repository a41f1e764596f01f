// SPDX-License-Identifier: BSL-1.0
//
// Programs by hand: Kalman filters, estimation, signals and images.
#include <Eigen/LU>

#include <linalg/eigen_hand.hpp>

namespace linalg_benchmark {

namespace by_hand {

namespace {

/// With M = A⁻ᵀ·B'·B·A⁻¹ and N = R'·L·R the result is (M + N)⁻¹·M·y = y - (M + N)⁻¹·N·y, and
/// (M + N)⁻¹ = A·(B'·B + A'·N·A)⁻¹·A': for F = R·A, y - A·(B'·B + F'·L·F)⁻¹·F'·L·R·y. No linear
/// system with A is left.
class deconvolution : public program<1> {
 public:
  static constexpr const char* formula = R"(input y : f64[n, 1]
input A : f64[n, n] {full_rank}
input B : f64[n, n] {full_rank}
input L : f64[m, m] {diagonal,full_rank}
input R : f64[m, n] {upper,full_rank}
x = inv(inv(trans(A))*trans(B)*B*inv(A) + trans(R)*L*R)*inv(trans(A))*trans(B)*B*inv(A)*y
export x
)";

  explicit deconvolution(const input_reader& in)
      : a_(in["A"]),
        b_(in["B"]),
        l_(in["L"]),
        r_(in["R"]),
        y_(in.column("y")),
        f_(r_.rows(), a_.cols()),
        g_(r_.rows(), a_.cols()),
        s_(a_.cols(), a_.cols()),
        by_r_(r_.rows()),
        right_(a_.cols()),
        solved_(a_.cols()) {
    out().resize(a_.rows(), 1);
  }
  void run() {
    f_.noalias() = r_.triangularView<Upper>() * a_;
    g_.noalias() = l_.diagonal().asDiagonal() * f_;
    lower(s_) = b_.transpose() * b_;
    lower(s_) += f_.transpose() * g_;
    mirror(s_);
    by_r_.noalias() = r_.triangularView<Upper>() * y_;
    right_.noalias() = g_.transpose() * by_r_;
    Eigen::Ref<matrix> place(s_);
    const Eigen::PartialPivLU<Eigen::Ref<matrix>> factors(place);
    solved_ = factors.solve(right_);
    column() = y_;
    column().noalias() -= a_ * solved_;
  }

 private:
  const matrix &a_, &b_, &l_, &r_;
  input_vector y_;
  matrix f_, g_, s_;
  vector by_r_, right_, solved_;
};

/// Woodbury: with B = C·C', F = H·C and S = R + F·F' the inverse is C·(1 - F'·S⁻¹·F)·C'.
class ensemble_kalman : public program<1> {
 public:
  static constexpr const char* formula = R"(input B : f64[n, n] {psd}
input H : f64[n, n] {full_rank}
input R : f64[n, n] {psd}
input Xb : f64[n, k] {full_rank}
input Y : f64[n, k] {full_rank}
Xa = Xb + inv(inv(B) + trans(H)*inv(R)*H)*(Y - H*Xb)
export Xa
)";

  explicit ensemble_kalman(const input_reader& in)
      : b_(in["B"]),
        h_(in["H"]),
        r_(in["R"]),
        before_(in["Xb"]),
        y_(in["Y"]),
        c_(b_.rows(), b_.rows()),
        f_(b_.rows(), b_.rows()),
        s_(b_.rows(), b_.rows()),
        v_(y_.rows(), y_.cols()),
        u_(y_.rows(), y_.cols()),
        z_(y_.rows(), y_.cols()) {
    out().resize(y_.rows(), y_.cols());
  }
  void run() {
    lower(c_) = b_;
    factorise(c_);
    f_.noalias() = h_ * lower(c_);
    lower(s_) = r_;
    s_.selfadjointView<Lower>().rankUpdate(f_);
    factorise(s_);
    v_ = y_;
    v_.noalias() -= h_ * before_;
    u_.noalias() = lower(c_).adjoint() * v_;
    z_.noalias() = f_ * u_;
    solve(s_, z_);
    u_.noalias() -= f_.transpose() * z_;
    out() = before_;
    out().noalias() += lower(c_) * u_;
  }

 private:
  const matrix &b_, &h_, &r_, &before_, &y_;
  matrix c_, f_, s_, v_, u_, z_;
};

/// Push-through: (B⁻¹ + H'·R⁻¹·H)⁻¹·H'·R⁻¹ = (H·B)'·(R + H·B·H')⁻¹.
class ensemble_kalman_gain : public program<1> {
 public:
  static constexpr const char* formula = R"(input B : f64[n, n] {psd}
input H : f64[m, n] {full_rank}
input R : f64[m, m] {psd}
input Xb : f64[n, k] {full_rank}
input Y : f64[m, k] {full_rank}
dX = inv(inv(B) + trans(H)*inv(R)*H)*trans(H)*inv(R)*(Y - H*Xb)
export dX
)";

  explicit ensemble_kalman_gain(const input_reader& in)
      : b_(in["B"]),
        h_(in["H"]),
        r_(in["R"]),
        before_(in["Xb"]),
        y_(in["Y"]),
        f_(h_.rows(), h_.cols()),
        s_(h_.rows(), h_.rows()),
        v_(y_.rows(), y_.cols()) {
    out().resize(h_.cols(), y_.cols());
  }
  void run() {
    f_.noalias() = h_ * b_;
    lower(s_) = r_;
    lower(s_) += f_ * h_.transpose();
    factorise(s_);
    v_ = y_;
    v_.noalias() -= h_ * before_;
    solve(s_, v_);
    out().noalias() = f_.transpose() * v_;
  }

 private:
  const matrix &b_, &h_, &r_, &before_, &y_;
  matrix f_, s_, v_;
};

/// With d = v - u, c = lambda·sigma² and S = H·H' + c: x = d + H'·S⁻¹·(y - H·d).
class image_restoration : public program<1> {
 public:
  static constexpr const char* formula = R"(input u_k : f64[n, 1]
input v_k : f64[n, 1]
input y : f64[m, 1]
input I_n : f64[n, n] {identity}
input H : f64[m, n] {full_rank}
input lambda : f64[] {positive}
input sigma_sq : f64[] {positive}
x = inv((trans(H)*H + lambda*sigma_sq*I_n))*(trans(H)*y + lambda*sigma_sq*(v_k - u_k))
export x
)";

  explicit image_restoration(const input_reader& in)
      : h_(in["H"]),
        lambda_(in["lambda"]),
        variance_(in["sigma_sq"]),
        u_(in.column("u_k")),
        v_(in.column("v_k")),
        y_(in.column("y")),
        s_(h_.rows(), h_.rows()),
        t_(h_.rows()) {
    out().resize(h_.cols(), 1);
  }
  void run() {
    lower(s_) = h_ * h_.transpose();
    s_.diagonal().array() += lambda_(0, 0) * variance_(0, 0);
    factorise(s_);
    column() = v_ - u_;
    t_ = y_;
    t_.noalias() -= h_ * column();
    solve(s_, t_);
    column().noalias() += h_.transpose() * t_;
  }

 private:
  const matrix &h_, &lambda_, &variance_;
  input_vector u_, v_, y_;
  matrix s_;
  vector t_;
};

/// y_k = x + H†·(y - H·x).
class projection : public program<2> {
 public:
  static constexpr const char* formula = R"(input x : f64[n, 1]
input y : f64[m, 1]
input I_n : f64[n, n] {identity}
input H : f64[m, n] {full_rank}
H_dag = trans(H)*inv(H*trans(H))
y_k = H_dag*y + (I_n - H_dag*H)*x
export H_dag
export y_k
)";

  explicit projection(const input_reader& in)
      : h_(in["H"]),
        x_(in.column("x")),
        y_(in.column("y")),
        s_(h_.rows(), h_.rows()),
        spare_(h_.rows(), h_.rows()),
        inverse_(h_.rows(), h_.rows()),
        t_(h_.rows()) {
    out(0).resize(h_.cols(), h_.rows());
    out(1).resize(h_.cols(), 1);
  }
  void run() {
    lower(s_) = h_ * h_.transpose();
    factorise(s_);
    invert(inverse_, s_, spare_);
    out(0).noalias() = h_.transpose() * inverse_;
    t_ = y_;
    t_.noalias() -= h_ * x_;
    column(1) = x_;
    column(1).noalias() += out(0) * t_;
  }

 private:
  const matrix& h_;
  input_vector x_, y_;
  matrix s_, spare_, inverse_;
  vector t_;
};

class linear_estimate : public program<1> {
 public:
  static constexpr const char* formula = R"(input x : f64[n, 1]
input y : f64[m, 1]
input A : f64[m, n] {full_rank}
input Cx : f64[n, n] {psd}
input Cz : f64[m, m] {psd}
xout = Cx*trans(A)*inv(A*Cx*trans(A) + Cz)*(y - A*x) + x
export xout
)";

  explicit linear_estimate(const input_reader& in)
      : a_(in["A"]),
        of_x_(in["Cx"]),
        of_z_(in["Cz"]),
        x_(in.column("x")),
        y_(in.column("y")),
        f_(a_.rows(), a_.cols()),
        s_(a_.rows(), a_.rows()),
        t_(a_.rows()) {
    out().resize(a_.cols(), 1);
  }
  void run() {
    f_.noalias() = a_ * of_x_;
    lower(s_) = of_z_;
    lower(s_) += f_ * a_.transpose();
    factorise(s_);
    t_ = y_;
    t_.noalias() -= a_ * x_;
    solve(s_, t_);
    column() = x_;
    column().noalias() += f_.transpose() * t_;
  }

 private:
  const matrix &a_, &of_x_, &of_z_;
  input_vector x_, y_;
  matrix f_, s_;
  vector t_;
};

/// The gain, the state and the covariance from one factorisation: with C·H' = N, S = R + H·N = L·L'
/// and Z = N·L⁻ᵀ the covariance is C - Z·Z', and the gain Z·L⁻¹, both in place.
class kalman_update : public program<3> {
 public:
  explicit kalman_update(const matrix& h, const matrix& c, const matrix& r, input_vector x,
                         input_vector z)
      : h_(h), c_(c), r_(r), x_(x), z_(z), s_(h.rows(), h.rows()), t_(h.rows()) {
    out(0).resize(h.cols(), h.rows());
    out(1).resize(h.cols(), 1);
    out(2).resize(h.cols(), h.cols());
  }
  void run() {
    matrix &gain = out(0), &covariance = out(2);
    gain.noalias() = c_ * h_.transpose();
    lower(s_) = r_;
    lower(s_) += h_ * gain;
    factorise(s_);
    lower(s_).adjoint().solveInPlace<OnTheRight>(gain);
    lower(covariance) = c_;
    covariance.selfadjointView<Lower>().rankUpdate(gain, -1);
    mirror(covariance);
    lower(s_).solveInPlace<OnTheRight>(gain);
    t_ = z_;
    t_.noalias() -= h_ * x_;
    column(1) = x_;
    column(1).noalias() += gain * t_;
  }

 private:
  const matrix &h_, &c_, &r_;
  input_vector x_, z_;
  matrix s_;
  vector t_;
};

struct estimate_and_covariance : kalman_update {
  static constexpr const char* formula = R"(input x : f64[n, 1]
input y : f64[m, 1]
input I_n : f64[n, n] {identity}
input A : f64[m, n] {full_rank}
input Cin : f64[n, n] {psd}
input Cz : f64[m, m] {psd}
K = Cin*trans(A)*inv(Cz + A*Cin*trans(A))
xout = x + K*(y - A*x)
Cout = (I_n - K*A)*Cin
export K
export xout
export Cout
)";
  explicit estimate_and_covariance(const input_reader& in)
      : kalman_update(in["A"], in["Cin"], in["Cz"], in.column("x"), in.column("y")) {}
};

struct kalman_filter : kalman_update {
  static constexpr const char* formula = R"(input x_b : f64[n, 1]
input zk : f64[m, 1]
input I_n : f64[n, n] {identity}
input H : f64[m, n] {full_rank}
input P_b : f64[n, n] {spd}
input R : f64[m, m] {psd}
Kk = P_b*trans(H)*inv(R + H*P_b*trans(H))
x_a = x_b + Kk*(zk - H*x_b)
P_a = (I_n - Kk*H)*P_b
export Kk
export x_a
export P_a
)";
  explicit kalman_filter(const input_reader& in)
      : kalman_update(in["H"], in["P_b"], in["R"], in.column("x_b"), in.column("zk")) {}
};

}  // namespace

}  // namespace by_hand

std::vector<hand_plan> hand_plans_for_filters() {
  using namespace by_hand;
  return {plan_of<deconvolution>("L05"),
          plan_of<ensemble_kalman>("L07"),
          plan_of<ensemble_kalman_gain>("L08"),
          plan_of<image_restoration>("L10"),
          plan_of<projection>("L11"),
          plan_of<linear_estimate>("L22"),
          plan_of<estimate_and_covariance>("L24"),
          plan_of<kalman_filter>("L25")};
}

}  // namespace linalg_benchmark
