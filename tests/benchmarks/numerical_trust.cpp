// SPDX-License-Identifier: BSL-1.0
//
// Plans are as accurate as a careful program: on random, ill-conditioned and structured inputs the
// difference to the naive formula in extended precision is at most ten times that of the
// recommended form; a problem without a solution is an error, not numbers.
#include <wf/run/plan/executable.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <Eigen/QR>

#include <wf/capture/equations/equations.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/eigen.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/static_plan.hpp>

#include <linalg/agreement.hpp>
#include <linalg/read_formulas.hpp>
#include <linalg/rival.hpp>

namespace {

using namespace wf::literals;
using Eigen::Index;
using Eigen::MatrixXd;
using linalg_benchmark::difference;
using linalg_benchmark::output_values;

constexpr Index n = 40, few = 18;

constexpr const char* texts[] = {
    "input A : f64[40,40] {nonsingular}; input B : f64[40,18]; Y = inv(A)*B; export Y",
    "input S : f64[40,40] {spd}; input B : f64[40,18]; Y = trans(B)*inv(S)*B; export Y",
    "input S : f64[40,40] {spd}; input X : f64[40,18] {full_rank}; input y : f64[40,1];"
    "Y = inv(trans(X)*inv(S)*X)*trans(X)*inv(S)*y; export Y",
    "input I : f64[40,40] {identity}; input X : f64[40,18] {full_rank};"
    "input c : f64[] {positive}; input y : f64[40,1];"
    "Y = inv(c*I + X*trans(X))*y; export Y",
    "input P : f64[40,40] {spd}; input X : f64[40,18] {full_rank}; input R : f64[18,18] {spd};"
    "Y = P*X*inv(trans(X)*P*X + R); export Y",
    "input L : f64[40,40] {lower, nonsingular}; input B : f64[40,18];"
    "Y = inv(L)*B; export Y",
    "input P : f64[40,40] {spd}; input A : f64[40,40] {nonsingular}; input S : f64[40,40] {spd};"
    "input B : f64[40,18]; Y = inv(inv(P) + trans(A)*inv(S)*A)*B; export Y",
    "input D : f64[40,40] {diagonal, spd}; input X : f64[40,18] {full_rank}; input y : f64[40,1];"
    "Y = inv(D + X*trans(X))*y; export Y"};
// Formulas of a symmetric indefinite matrix.
constexpr const char* symmetric_texts[] = {
    "input Q : f64[40,40] {symmetric, nonsingular}; input B : f64[40,18]; Y = inv(Q)*B; export Y",
    "input Q : f64[40,40] {symmetric, nonsingular}; input y : f64[40,1]; Y = inv(Q)*y; export Y",
    "input Q : f64[40,40] {symmetric, nonsingular}; Y = inv(Q); export Y"};

// Several solutions with the same symmetric matrix, which share its factors.
constexpr const char* shared_texts[] = {
    "input Q : f64[40,40] {symmetric, nonsingular}; input B : f64[40,18]; input y : f64[40,1];"
    "Y = trans(B)*inv(Q)*B + trans(inv(Q)*B)*inv(Q)*y*trans(y)*B; export Y",
    "input Q : f64[40,40] {symmetric, nonsingular}; input B : f64[40,18];"
    "input A : f64[40,40] {nonsingular}; Y = inv(Q)*A*inv(Q)*B; export Y"};

// A formula evaluated exactly, in extended precision, and carefully, in the recommended form.
class by_hand {
 public:
  explicit by_hand(const char* text) : captured_(*wf::equations("formula", text)) {
    auto read = linalg_benchmark::read_formulas(captured_.view());
    REQUIRE(read);
    forms_ = *std::move(read);
  }
  output_values exactly(const wf::named_matrices& in) const { return exact_outputs(forms_, in); }
  output_values carefully(const wf::named_matrices& in) const {
    const linalg_benchmark::rival r = eigen_recommended_rival(forms_, in);
    r.run();
    return r.outputs();
  }

 private:
  wf::graph captured_;
  linalg_benchmark::formulas forms_;
};

class maker {
 public:
  explicit maker(std::uint64_t seed) : random_(seed) {}
  MatrixXd some(Index rows, Index columns) {
    return MatrixXd::NullaryExpr(rows, columns, [&] { return uniform_(random_); });
  }
  // A matrix with singular values from 1 down to 1/condition.
  MatrixXd conditioned(Index rows, Index columns, double condition) {
    const Index rank = std::min(rows, columns);
    const MatrixXd u = Eigen::HouseholderQR<MatrixXd>(some(rows, rows)).householderQ();
    const MatrixXd v = Eigen::HouseholderQR<MatrixXd>(some(columns, columns)).householderQ();
    Eigen::VectorXd values(rank);
    for (Index i = 0; i < rank; ++i)
      values(i) = std::pow(condition, -static_cast<double>(i) / static_cast<double>(rank - 1));
    return u.leftCols(rank) * values.asDiagonal() * v.leftCols(rank).transpose();
  }
  MatrixXd definite(Index size, double condition) {
    const MatrixXd q = Eigen::HouseholderQR<MatrixXd>(some(size, size)).householderQ();
    Eigen::VectorXd values(size);
    for (Index i = 0; i < size; ++i)
      values(i) = std::pow(condition, -static_cast<double>(i) / static_cast<double>(size - 1));
    const MatrixXd half = q * values.cwiseSqrt().asDiagonal();
    return half * half.transpose();
  }
  MatrixXd diagonal(Index size, double condition) {
    MatrixXd made = MatrixXd::Zero(size, size);
    for (Index i = 0; i < size; ++i)  // in no particular order
      made(i, i) =
          std::pow(condition, -static_cast<double>(7 * i % size) / static_cast<double>(size - 1));
    return made;
  }
  // A symmetric indefinite matrix.
  MatrixXd indefinite(Index size, double condition) {
    const MatrixXd q = Eigen::HouseholderQR<MatrixXd>(some(size, size)).householderQ();
    Eigen::VectorXd values(size);
    for (Index i = 0; i < size; ++i)
      values(i) = (i % 3 == 1 ? -1 : 1) *
                  std::pow(condition, -static_cast<double>(i) / static_cast<double>(size - 1));
    const MatrixXd made = q * values.asDiagonal() * q.transpose();
    return (made + made.transpose()) / 2;
  }

 private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

wf::named_matrices inputs_of(maker& make, double condition, bool scaled) {
  wf::named_matrices in;
  in["A"] = make.conditioned(n, n, condition);
  if (scaled)  // badly scaled rows
    for (Index i = 0; i < n; ++i) in["A"].row(i) *= std::pow(10.0, static_cast<double>(i % 7) - 3);
  in["S"] = make.definite(n, condition);
  in["P"] = make.definite(n, condition);
  in["R"] = make.definite(few, condition);
  in["D"] = make.diagonal(n, std::sqrt(condition));
  in["X"] = make.conditioned(n, few, std::sqrt(condition));
  in["B"] = make.some(n, few);
  in["y"] = make.some(n, 1);
  in["c"] = MatrixXd::Constant(1, 1, 1 / std::sqrt(condition));
  in["L"] = make.some(n, n).triangularView<Eigen::Lower>();
  in["L"] *= 0.2;
  in["L"].diagonal().array() += 1;
  in["I"] = MatrixXd::Identity(n, n);
  in["Q"] = make.indefinite(n, condition);
  if (scaled)  // badly scaled rows and columns
    for (Index i = 0; i < n; ++i) {
      in["Q"].row(i) *= std::pow(10.0, static_cast<double>(i % 5) - 2);
      in["Q"].col(i) *= std::pow(10.0, static_cast<double>(i % 5) - 2);
    }
  return in;
}

struct prepared {
  wf::graph chosen;
  wf::executable_graph run;
};
prepared prepare(const char* text, const wf::metric_spec& least = wf::execution_time) {
  auto captured = wf::equations("formula", text);
  REQUIRE(captured);
  auto plan = wf::optimise(captured->view(), wf::minimise(least), {}, wf::timed_registry());
  REQUIRE(plan);
  auto ready = wf::executable_graph::prepare(plan->chosen.view());
  REQUIRE(ready);
  return {std::move(plan->chosen), *ready};
}
wf::named_matrices only(const wf::graph_view& g, const wf::named_matrices& all) {
  wf::named_matrices out;
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none) {
      const std::string name(g.text_of(v.name));
      out[name] = all.at(name);
    }
  return out;
}

void check_differences(const char* text, const prepared& p) {
  CAPTURE(std::string(text));
  const by_hand hand(text);
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const double condition : {1e1, 1e4, 1e8})
      for (const bool scaled : {false, true}) {
        CAPTURE(seed);
        CAPTURE(condition);
        maker make(seed);
        const wf::named_matrices in = inputs_of(make, condition, scaled);
        const auto made = p.run(only(p.run.workflow(), in));
        REQUIRE(made);
        const output_values exact = hand.exactly(in);
        CHECK(difference({made->at("Y")}, exact) <=
              10 * difference(hand.carefully(in), exact) + 1e-14);
      }
}

}  // namespace

TEST_CASE("plans differ from the exact result at most ten times as much as recommended forms") {
  for (const char* const text : texts) check_differences(text, prepare(text));
}

// With so few rows the choice is by number of operations: LU may be as fast.
TEST_CASE("so do plans by symmetric factors") {
  for (const char* const text : symmetric_texts) {
    const prepared p = prepare(text, wf::flops);
    bool found = false;
    for (const wf::node& each : p.chosen.view().nodes) {
      const wf::text_view op = p.chosen.view().op_name(each);
      found = found || op == "solve_symmetric" || op == "inverse_symmetric";
    }
    CHECK(found);
    check_differences(text, p);
  }
}

TEST_CASE("so do plans whose solutions share symmetric factors") {
  for (const char* const text : shared_texts) {
    const prepared p = prepare(text, wf::flops);
    std::size_t factorised = 0, others = 0;
    for (const wf::node& each : p.chosen.view().nodes) {
      const wf::text_view op = p.chosen.view().op_name(each);
      factorised += op == "ldl_factor" ? 1 : 0;
      others += op == "solve_symmetric" || op == "solve" || op == "lu_factor" ? 1 : 0;
    }
    CHECK(factorised == 1);
    CHECK(others == 0);
    check_differences(text, p);
  }
}

TEST_CASE("singular and indefinite matrices are errors that name the node") {
  maker make(7);
  const auto failure = [&](const char* text, const wf::named_matrices& in,
                           const wf::metric_spec& least = wf::execution_time) {
    CAPTURE(std::string(text));
    const prepared p = prepare(text, least);
    const auto made = p.run(only(p.run.workflow(), in));
    REQUIRE_FALSE(made);
    CHECK(made.error().code == wf::errc::numerical_failure);
  };
  for (int round = 0; round < 5; ++round) {
    wf::named_matrices in = inputs_of(make, 10, false);
    in["A"].col(3) = in["A"].leftCols(3).rowwise().sum();
    failure(texts[0], in);
    in["A"].setZero();
    failure(texts[0], in);
    in = inputs_of(make, 10, false);
    in["S"] -= 0.5 * MatrixXd::Identity(n, n);
    failure(texts[1], in);
    failure(texts[2], in);
    in = inputs_of(make, 10, false);
    in["X"].col(1) = in["X"].col(0);
    failure(texts[2], in);
    in = inputs_of(make, 10, false);
    in["R"] = -in["R"] * 100;
    failure(texts[4], in);
    in["L"](5, 5) = 0;
    failure(texts[5], in);
    for (const char* const text :
         {symmetric_texts[0], symmetric_texts[1], symmetric_texts[2], shared_texts[1]}) {
      in = inputs_of(make, 10, false);
      in["Q"].col(3) = in["Q"].col(2);
      in["Q"].row(3) = in["Q"].row(2);
      failure(text, in, wf::flops);
      in["Q"].setZero();
      failure(text, in, wf::flops);
    }
  }
}

namespace {

template <int N>
constexpr auto general = wf::workflow<"general">([](wf::scope& s) {
  auto A = s.input<"A", double, N, N>(wf::nonsingular);
  auto b = s.input<"b", double, N>();
  s.output<"y">(inv(A) * b);
});
template <int N>
constexpr auto definite = wf::workflow<"definite">([](wf::scope& s) {
  auto A = s.input<"A", double, N, N>(wf::spd);
  auto b = s.input<"b", double, N>();
  s.output<"y">(inv(A) * b);
});
template <int N>
constexpr auto general_plan = wf::optimise<general<N>>(wf::minimise(wf::flops));
template <int N>
constexpr auto definite_plan = wf::optimise<definite<N>>(wf::minimise(wf::flops));

template <int N>
void check_fixed() {
  CAPTURE(N);
  using square = Eigen::Matrix<double, N, N>;
  using column = Eigen::Matrix<double, N, 1>;
  const std::string size = std::to_string(N);
  const auto text = [&](const char* known) {
    return "input A : f64[" + size + "," + size + "] {" + known + "}; input b : f64[" + size +
           ",1]; y = inv(A)*b; export y";
  };
  const by_hand of_general(text("nonsingular").c_str()), of_definite(text("spd").c_str());
  maker make(11);
  for (const double condition : {1e1, 1e5, 1e10}) {
    CAPTURE(condition);
    double by_wf[2] = {}, carefully[2] = {};  // the largest errors, of general and definite
                                              // matrices
    for (int round = 0; round < 40; ++round) {
      const square a = make.conditioned(N, N, condition), s = make.definite(N, condition);
      const column b = make.some(N, 1);
      column y;
      const auto note = [&](int kind, const by_hand& hand, const MatrixXd& matrix) {
        const wf::named_matrices in{{"A", matrix}, {"b", MatrixXd(b)}};
        const output_values exact = hand.exactly(in);
        by_wf[kind] = std::max(by_wf[kind], difference({MatrixXd(y)}, exact));
        carefully[kind] = std::max(carefully[kind], difference(hand.carefully(in), exact));
      };
      REQUIRE(wf::run<general_plan<N>>("A"_arg = a, "b"_arg = b, "y"_arg = y));
      note(0, of_general, a);
      REQUIRE(wf::run<definite_plan<N>>("A"_arg = s, "b"_arg = b, "y"_arg = y));
      note(1, of_definite, s);
      square singular = a;
      singular.col(N - 1) = 2 * singular.col(0);
      CHECK_FALSE(wf::run<general_plan<N>>("A"_arg = singular, "b"_arg = b, "y"_arg = y));
      const square indefinite = s - 0.5 * square::Identity();
      // If LU is chosen instead, its solution is still correct.
      if (wf::run<definite_plan<N>>("A"_arg = indefinite, "b"_arg = b, "y"_arg = y))
        CHECK((indefinite * y - b).norm() <= 1e-10 * (y.norm() + b.norm()));
    }
    for (const int kind : {0, 1}) CHECK(by_wf[kind] <= 10 * carefully[kind]);
  }
}

}  // namespace

TEST_CASE("fixed sizes can be trusted, too") {
  check_fixed<4>();
  check_fixed<8>();
}
