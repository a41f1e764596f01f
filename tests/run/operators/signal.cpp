// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/signal.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/run/complex.hpp>

namespace {

using Eigen::Index, Eigen::MatrixXcd;
using extended = std::complex<long double>;
using exact_matrix = Eigen::Matrix<extended, Eigen::Dynamic, Eigen::Dynamic>;

wf::graph formula(const std::string& text) {
  auto g = wf::equations("formula", {text.data(), text.size()});
  REQUIRE_MESSAGE(g, std::string(wf::to_text(g.error()).view()));
  return *g;
}
MatrixXcd random_matrix(Index rows, Index columns, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatrixXcd out(rows, columns);
  for (auto& x : out.reshaped()) x = {uniform(random), uniform(random)};
  return out;
}
double difference(const MatrixXcd& y, const exact_matrix& exact) {
  const long double largest = exact.cwiseAbs().maxCoeff();
  return static_cast<double>((y.cast<extended>() - exact).cwiseAbs().maxCoeff() / largest);
}
wf::named_matrices_c128 run(const wf::graph_view& g, const wf::named_matrices_c128& arguments) {
  auto y = wf::run_dynamic_c128(g, arguments);
  REQUIRE_MESSAGE(y, std::string(wf::to_text(y.error()).view()));
  return *y;
}

}  // namespace

TEST_CASE("transforms of Fourier are those of the definition, whole, by stages and back") {
  std::mt19937_64 random(5);
  for (const Index n : {1, 2, 4, 8, 64, 512}) {
    CAPTURE(n);
    const Index rows = 3;
    const MatrixXcd x = random_matrix(rows, n, random);
    exact_matrix roots(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index k = 0; k < n; ++k)
        roots(j, k) = std::polar(1.0L, -2 * std::acos(-1.0L) * static_cast<long double>(j * k % n) /
                                           static_cast<long double>(n));
    const exact_matrix y = x.cast<extended>() * roots;
    const std::string type = "c128[3," + std::to_string(n) + "]";
    const wf::graph there = formula("input X : " + type + "; Y = fft(X); export Y");
    const auto made = run(there.view(), {{"X", x}});
    CHECK(difference(made.at("Y"), y) < 1e-14 * static_cast<double>(n));
    const wf::graph back = formula("input X : " + type + "; Y = inverse_fft(2*fft(X)); export Y");
    CHECK(difference(run(back.view(), {{"X", x}}).at("Y"), (x * 2).cast<extended>()) < 1e-13);
    // bit_reversal, then the stages in turn.
    std::string text = "input X : " + type + "; S0 = bit_reversal(X);", last = "S0";
    int stage = 0;
    for (Index half = 1; half < n; half *= 2, ++stage) {
      const std::string next = "S" + std::to_string(stage + 1);
      text += next + " = butterflies(" + last + ", stage = " + std::to_string(stage) + ");";
      last = next;
    }
    const wf::graph stages = formula(text + "export " + last);
    CHECK(difference(run(stages.view(), {{"X", x}}).at(last), y) < 1e-14 * static_cast<double>(n));
  }
}

TEST_CASE("what is no signal of the transform is refused") {
  for (const char* text : {"input X : c128[6]; Y = bit_reversal(X); export Y",
                           "input X : c128[8]; Y = butterflies(X, stage = 3); export Y",
                           "input X : c128[8]; Y = butterflies(X, stage = -1); export Y"}) {
    CAPTURE(text);
    const auto refused = wf::executable_graph_c128::prepare(formula(text).view());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == wf::errc::not_executable);
  }
}
