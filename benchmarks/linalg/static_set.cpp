// SPDX-License-Identifier: BSL-1.0
//
// Small matrices of fixed size: plans made while compiling against Eigen at the same sizes, with
// explicit inverse, LU and Cholesky.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>

#include <wf/capture/workflow.hpp>
#include <wf/run/eigen.hpp>
#include <wf/select/static_plan.hpp>

#include <linalg/report.hpp>
#include <linalg/sets.hpp>
#include <linalg/timing.hpp>

namespace linalg_benchmark {

namespace {

using namespace wf::literals;

template <int N>
constexpr auto general = wf::workflow<"inverse_times_vector">([](wf::scope& s) {
  auto A = s.input<"A", double, N, N>(wf::nonsingular);
  auto b = s.input<"b", double, N>();
  s.output<"y">(inv(A) * b);
});
template <int N>
constexpr auto definite = wf::workflow<"definite_inverse_times_vector">([](wf::scope& s) {
  auto A = s.input<"A", double, N, N>(wf::spd);
  auto b = s.input<"b", double, N>();
  s.output<"y">(inv(A) * b);
});
template <int N>
constexpr auto chain = wf::workflow<"chain">([](wf::scope& s) {
  auto A = s.input<"A", double, N, N>();
  auto B = s.input<"B", double, N, N>();
  auto C = s.input<"C", double, N, N>();
  auto v = s.input<"v", double, N>();
  s.output<"y">(A * B * C * v);
});
// The update of a Kalman filter with N states and N/2 measurements. The covariance is left out
// above 16 states, where selection would exceed the budget of constant evaluation.
template <int N>
constexpr bool has_covariance = N <= 16;
template <int N>
constexpr auto kalman = wf::workflow<"kalman_update">([](wf::scope& s) {
  auto P = s.input<"P", double, N, N>(wf::spd);
  auto H = s.input<"H", double, N / 2, N>();
  auto R = s.input<"R", double, N / 2, N / 2>(wf::spd);
  auto x = s.input<"x", double, N>();
  auto z = s.input<"z", double, N / 2>();
  auto K = s.let<"K">(P * trans(H) * inv(H * P * trans(H) + R));
  s.output<"X">(x + K * (z - H * x));
  s.output<"K">(K);
  if constexpr (has_covariance<N>) s.output<"Q">(P - K * H * P);
});

template <int N>
constexpr auto general_plan = wf::optimise<general<N>>(wf::minimise(wf::flops));
template <int N>
constexpr auto definite_plan = wf::optimise<definite<N>>(wf::minimise(wf::flops));
template <int N>
constexpr auto chain_plan = wf::optimise<chain<N>>(wf::minimise(wf::flops));
template <int N>
constexpr auto kalman_plan = wf::optimise<kalman<N>>(wf::minimise(wf::flops));

template <int N>
using square = Eigen::Matrix<double, N, N>;
template <int N>
using column = Eigen::Matrix<double, N, 1>;

template <int N>
struct operands {
  square<N> a, b, c, definite, p;
  column<N> v, x;
  Eigen::Matrix<double, N / 2, N> h;
  square<N / 2> r;
  column<N / 2> z;
  // The outputs of each contestant.
  column<N> y;
  square<N> q = square<N>::Zero();
  Eigen::Matrix<double, N, N / 2> k;

  explicit operands(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto fill = [&](auto& m) {
      for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = uniform(random) / N;
    };
    fill(k), fill(a), fill(b), fill(c), fill(v), fill(x), fill(h), fill(z), fill(p), fill(r);
    a += square<N>::Identity();
    definite = b * b.transpose() + square<N>::Identity();
    p = p * p.transpose() + square<N>::Identity();
    r = r * r.transpose() + square<N / 2>::Identity();
  }
};

/// An optimisation barrier: the compiler can neither precompute the value nor drop its computation.
template <class T>
void touch(T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// Solves with the covariance of the innovation.
struct by_inverse {
  template <class A, class B>
  static auto solve(const A& a, const B& b) {
    return (a.inverse() * b).eval();
  }
};
struct by_lu {
  template <class A, class B>
  static auto solve(const A& a, const B& b) {
    return a.partialPivLu().solve(b).eval();
  }
};
struct by_cholesky {
  template <class A, class B>
  static auto solve(const A& a, const B& b) {
    return a.llt().solve(b).eval();
  }
};

// K = P·H'·S⁻¹ = (S⁻¹·(H·P))', as an expert would write it.
template <class By, int N>
void update(operands<N>& o) {
  const Eigen::Matrix<double, N / 2, N> hp = o.h * o.p;
  square<N / 2> s = o.r;
  s.noalias() += hp * o.h.transpose();
  o.k = By::solve(s, hp).transpose();
  o.y = o.x;
  o.y.noalias() += o.k * (o.z - o.h * o.x);
  if constexpr (has_covariance<N>) {
    o.q = o.p;
    o.q.noalias() -= o.k * hp;
  }
}

struct static_problem {
  std::string name;
  std::vector<contestant> all;               // the first is wf
  std::vector<std::function<double()>> sum;  // checksums of the contestants' outputs
};

template <class F, class Sum>
void enter(static_problem& p, const char* name, F run, Sum sum) {
  p.all.push_back({name, run});
  p.sum.push_back([run, sum] { return run(), sum(); });
}

template <int N>
std::vector<static_problem> problems_of(const std::shared_ptr<operands<N>>& o) {
  const auto sum = [o] { return o->y.sum() + o->q.sum() + o->k.sum(); };
  const auto timed = [o](auto f) {
    return [o, f] {
      touch(*o);
      f(*o);
      touch(*o);
    };
  };
  std::vector<static_problem> out(4);
  const std::string size = " " + std::to_string(N);
  out[0].name = "inv(A)*b" + size;
  enter(out[0], "wf", timed([](operands<N>& w) {
          (void)wf::run<general_plan<N>>("A"_arg = w.a, "b"_arg = w.v, "y"_arg = w.y);
        }),
        sum);
  enter(out[0], "inverse", timed([](operands<N>& w) { w.y.noalias() = w.a.inverse() * w.v; }), sum);
  enter(out[0], "lu", timed([](operands<N>& w) { w.y = w.a.partialPivLu().solve(w.v); }), sum);
  out[1].name = "inv(S)*b" + size;
  enter(out[1], "wf", timed([](operands<N>& w) {
          (void)wf::run<definite_plan<N>>("A"_arg = w.definite, "b"_arg = w.v, "y"_arg = w.y);
        }),
        sum);
  enter(out[1], "inverse",
        timed([](operands<N>& w) { w.y.noalias() = w.definite.inverse() * w.v; }), sum);
  enter(out[1], "lu", timed([](operands<N>& w) { w.y = w.definite.partialPivLu().solve(w.v); }),
        sum);
  enter(out[1], "llt", timed([](operands<N>& w) { w.y = w.definite.llt().solve(w.v); }), sum);
  out[2].name = "A*B*C*v" + size;
  enter(out[2], "wf", timed([](operands<N>& w) {
          (void)wf::run<chain_plan<N>>("A"_arg = w.a, "B"_arg = w.b, "C"_arg = w.c, "v"_arg = w.v,
                                       "y"_arg = w.y);
        }),
        sum);
  enter(out[2], "as written", timed([](operands<N>& w) { w.y = w.a * w.b * w.c * w.v; }), sum);
  enter(out[2], "ordered", timed([](operands<N>& w) { w.y = w.a * (w.b * (w.c * w.v)); }), sum);
  out[3].name = "kalman update" + size;
  enter(
      out[3], "wf", timed([](operands<N>& w) {
        if constexpr (has_covariance<N>)
          (void)wf::run<kalman_plan<N>>("P"_arg = w.p, "H"_arg = w.h, "R"_arg = w.r, "x"_arg = w.x,
                                        "z"_arg = w.z, "X"_arg = w.y, "K"_arg = w.k, "Q"_arg = w.q);
        else
          (void)wf::run<kalman_plan<N>>("P"_arg = w.p, "H"_arg = w.h, "R"_arg = w.r, "x"_arg = w.x,
                                        "z"_arg = w.z, "X"_arg = w.y, "K"_arg = w.k);
      }),
      sum);
  enter(out[3], "inverse", timed([](operands<N>& w) { update<by_inverse>(w); }), sum);
  enter(out[3], "lu", timed([](operands<N>& w) { update<by_lu>(w); }), sum);
  enter(out[3], "llt", timed([](operands<N>& w) { update<by_cholesky>(w); }), sum);
  return out;
}

template <int... N>
std::vector<static_problem> all_problems(std::uint64_t seed) {
  std::vector<static_problem> out;
  const auto add = [&](auto some) {
    for (static_problem& p : some) out.push_back(std::move(p));
  };
  (add(problems_of<N>(std::make_shared<operands<N>>(seed))), ...);
  return out;
}

}  // namespace

int run_static(const options& o) {
  const std::regex wanted(o.match);
  std::printf("static: matrices of fixed size, seed %llu; a ratio is a rival's time to wf's\n",
              static_cast<unsigned long long>(o.seed));
  measuring how = o.how;
  how.least_run = 2e-5;
  how.seconds = std::min(how.seconds, 0.3);
  how.most_rounds = 2001;
  std::size_t losses = 0, problems = 0;
  bool failed = false;
  double logarithms = 0, worst = INFINITY;
  for (static_problem& p : all_problems<4, 8, 16, 32, 64>(o.seed)) {
    if (!std::regex_match(p.name, wanted)) continue;
    measure(p.all, how);
    const double own = median(p.all[0].seconds), expected = p.sum[1]();
    double best = INFINITY;
    std::printf("%-18s wf %10.1f ns", p.name.c_str(), 1e9 * own);
    for (std::size_t i = 1; i < p.all.size(); ++i) {
      const double seconds = median(p.all[i].seconds);
      best = std::min(best, seconds);
      std::printf("  %10s %6.2fx", p.all[i].name.c_str(), seconds / own);
    }
    for (std::size_t i = 0; i < p.all.size(); ++i)
      if (!(std::abs(p.sum[i]() - expected) <= 1e-9 * (1 + std::abs(expected)))) {
        std::printf("  FAILED: %s differs", p.all[i].name.c_str());
        failed = true;
      }
    const bool loss = own > 1.02 * best;
    std::printf("%s\n", loss ? "  LOSS" : "");
    losses += loss ? 1 : 0;
    ++problems;
    logarithms += std::log(best / own);
    worst = std::min(worst, best / own);
  }
  if (problems > 0)
    std::printf(
        "RESULT suite=linalg set=static rival=best_of_inverse_lu_llt geomean=%.2f worst=%.2f "
        "losses=%zu problems=%zu\n",
        std::exp(logarithms / static_cast<double>(problems)), worst, losses, problems);
  return failed ? 1 : 0;
}

}  // namespace linalg_benchmark
