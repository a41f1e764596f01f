// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/argument_types.hpp>

#include <array>
#include <complex>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>
#include <Eigen/Core>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/operators.hpp>
#include <wf/capture/workflow.hpp>

using namespace wf::literals;

namespace {

constexpr auto scaled = wf::workflow<"scaled">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", 4>();
  auto [alpha, x] = s.input<"p", std::tuple<double, std::array<double, 4>>>();
  s.output<"y">(alpha * (a * x));
});

constexpr auto known = [] {
  const std::array<unsigned short, 3> u{};
  const wf::type_args all =
      wf::types_of("u"_arg = u, "k"_arg = 5ll, "z"_arg = std::complex<float>());
  return all.types.size() == 3 && all.types[0].type.type == wf::dtype::u16 &&
         all.types[1].type.type == wf::dtype::i64 && all.types[2].type.type == wf::dtype::c64;
}();
static_assert(known);

}  // namespace

TEST_CASE("the types of arguments bind a workflow, tuples as their components") {
  const Eigen::MatrixXd a(3, 4);
  const std::pair<double, std::vector<double>> p{0.5, {1, 2, 3, 4}};
  const wf::type_args types = wf::types_of("A"_arg = a, "p"_arg = p);
  CHECK(wf::to_text(types).view() == "A is f64[3x4], p.0 is f64[scalar], p.1 is f64[4]");
  const auto bound = wf::bind_arguments(scaled.graph(), types);
  REQUIRE(bound);
  CHECK(bound->view()[bound->view().outputs[0].source].type.shape == wf::shape::of(3));
  // The error names the component that does not fit.
  const std::pair<double, std::vector<double>> short_one{0.5, {1, 2}};
  const auto misfit =
      wf::bind_arguments(scaled.graph(), wf::types_of("A"_arg = a, "p"_arg = short_one));
  CHECK(wf::to_text(misfit.error()).view() == "WF703 in 'p.1': the input is 4, the argument 2");
}
