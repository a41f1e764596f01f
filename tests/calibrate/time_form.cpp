// SPDX-License-Identifier: BSL-1.0
#include <wf/calibrate/time_form.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/formula/language/evaluate.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/registry/times/host_times.hpp>

namespace {

using wf::calibration::time_form;

double value_of(const std::string& formula, wf::view<wf::binding> symbols) {
  const auto parsed = wf::parse_formula(formula);
  REQUIRE(parsed);
  const auto value = wf::evaluate(*parsed, symbols);
  REQUIRE(value);
  return wf::to_double(*value);
}

}  // namespace

TEST_CASE("a time is the sum of its coefficients times its terms, whatever these are") {
  std::mt19937_64 random(7);
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    const std::string formula(k.costs[0].text().formula);
    CAPTURE(formula);
    const auto form = time_form::of(formula);
    REQUIRE(form);
    const auto parsed = wf::parse_formula(formula);
    const wf::formula_view code = *parsed;
    for (int round = 0; round < 20; ++round) {
      wf::table<wf::binding> symbols;
      for (std::size_t i = 0; i < code.names.size(); ++i)
        symbols.push_back(
            {code.name(i),
             wf::rational(random() % 3 == 0 ? 1 : 1 + static_cast<std::int64_t>(random() % 900))});
      std::vector<double> other;
      double sum = 0, sum_of_other = 0;
      for (std::size_t t = 0; t < form->size(); ++t) {
        const double term = value_of(form->term(t), symbols);
        other.push_back(static_cast<double>(random() % 1000) / 8);
        sum += form->coefficients()[t] * term;
        sum_of_other += std::stod(wf::calibration::decimal(other.back())) * term;
      }
      CHECK(sum == doctest::Approx(value_of(formula, symbols)).epsilon(1e-9));
      CHECK(sum_of_other == doctest::Approx(value_of(form->with(other), symbols)).epsilon(1e-9));
    }
  }
}

TEST_CASE("what is no sum of numbers times something is refused") {
  for (const char* formula :
       {"M", "3*M + N", "3 - 2*M", "3*M - 2", "2**M", "-3", "max(3, 2*M)", "M*3", "3*M + 2*N > 4",
        "N*(M > 2 ? 1 : 2)", "-(M > 2 ? 1 : 2)", "M > 2 ? 1 : M", "M > 2 ? M : 1",
        "sum_over(i, 0, 3, i)", "-sum_over(i, 0, 3, i)", "3*M +", "(2*M + 3)*N"}) {
    CAPTURE(formula);
    CHECK_FALSE(time_form::of(formula));
  }
  CHECK(time_form::of("3 + (M > 2 ? 1 : N == 4 and M < 5 ? 2*M : 4)")->size() == 4);
  CHECK(time_form::of("3")->size() == 1);
  CHECK(time_form::of("3*M + 0.5*min(M, 2*max(0, M - 7)) + 2*M/N + 1*(M + 3*N)*K")->size() == 4);
}
