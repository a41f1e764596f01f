// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/named_arguments.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/run/plan/executable.hpp>

#include "../../choice/random_formula.hpp"

namespace {

constexpr auto scaled = wf::workflow<"scaled">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "N">();
  auto k = s.input<"k", std::int64_t>();
  auto alpha = s.input<"alpha", double>();
  s.output<"y">(alpha * a);
  s.output<"z">(k + k);
});

wf::named_matrices arguments(double k) {
  wf::named_matrices out;
  out["A"] = wf::dynamic_matrix::Zero(3, 4);
  out["k"] = wf::dynamic_matrix::Constant(1, 1, k);
  out["alpha"] = wf::dynamic_matrix::Constant(1, 1, 0.5);
  return out;
}
wf::text types(const wf::named_matrices& a, std::initializer_list<const char*> fixed) {
  wf::table<wf::text> names;
  for (const char* name : fixed) names.push_back(wf::text(name));
  const auto found = wf::detail::argument_types(scaled.graph(), a, names);
  return found ? wf::to_text(*found) : wf::to_text(found.error());
}

}  // namespace

TEST_CASE("arguments tell the sizes of symbols, and the values of static inputs") {
  CHECK(types(arguments(7), {}).view() == "M=3, N=4");
  CHECK(types(arguments(7), {"alpha", "k"}).view() == "M=3, N=4, alpha=0.5, k=7");
}

TEST_CASE("static inputs are inputs of the workflow, arrays too") {
  CHECK(types(arguments(7), {"A"}).view().starts_with("M=3, N=4, A is f64[3x4] #"));
  CHECK(types(arguments(7), {"q"}).view().starts_with("WF702 in 'q'"));
  // A fraction for an integer input is rejected when it is bound.
  const auto half = wf::detail::argument_types(scaled.graph(), arguments(0.5), {});
  REQUIRE(half);
  CHECK(types(arguments(0.5), {"k"}).view() == "M=3, N=4, k=0.5");
}

TEST_CASE("arguments that do not fit are errors that name them") {
  wf::named_matrices a = arguments(1);
  CHECK(wf::detail::check_arguments(scaled.graph(), a).code == wf::errc::none);
  a["q"] = wf::dynamic_matrix::Zero(1, 1);
  CHECK(wf::detail::check_arguments(scaled.graph(), a).code == wf::errc::unknown_argument);
  a.erase("q");
  a.erase("k");
  CHECK(wf::detail::check_arguments(scaled.graph(), a).code == wf::errc::missing_argument);
}

namespace {

// Arguments with the declared properties; the elements of larger ones are zero half of the time.
wf::named_matrices random_arguments(const wf::graph_view& g, std::mt19937_64& random) {
  std::uniform_real_distribution<double> number(0.5, 1.5);
  wf::named_matrices out;
  for (const wf::value& v : wf::detail::inputs_of(g)) {
    const wf::shape& s = v.type.shape;
    const Eigen::Index rows = s.rank < 1 ? 1 : static_cast<Eigen::Index>(s[0].size());
    const Eigen::Index columns = s.rank < 2 ? 1 : static_cast<Eigen::Index>(s[1].size());
    wf::dynamic_matrix m =
        wf::dynamic_matrix::NullaryExpr(rows, columns, [&] { return 0.01 * number(random); });
    if (v.type.known.has(wf::symmetric)) m = (m + m.transpose()).eval();
    if (v.type.known.has(wf::lower_triangular)) m = m.triangularView<Eigen::Lower>();
    if (v.type.known.has(wf::upper_triangular)) m = m.triangularView<Eigen::Upper>();
    if (v.type.known.has(wf::permutation) || v.type.known.has(wf::identity)) m.setZero();
    if (rows == columns) m.diagonal().array() += 1;
    out[std::string(g.text_of(v.name))] = m;
  }
  return out;
}

}  // namespace

TEST_CASE("what is compiled in gives the same results as what is passed") {
  std::mt19937_64 random(20261124);
  MESSAGE("seed 20261124");
  for (int round = 0; round < 25; ++round) {
    const std::string formula = wf_test::random_formula(random).text();
    const auto parsed = wf::equations("formula", {formula.data(), formula.size()});
    REQUIRE(parsed);
    const wf::named_matrices all = random_arguments(parsed->view(), random);
    wf::table<wf::text> names;
    wf::named_matrices rest;
    for (const auto& [name, m] : all)
      if (random() % 2 == 0)
        names.push_back(wf::text(name));
      else
        rest[name] = m;
    const auto known = wf::detail::argument_types(parsed->view(), all, names);
    REQUIRE(known);
    const auto bound = wf::bind_arguments(parsed->view(), *known);
    REQUIRE(bound);
    // The bound workflow is complete: its text form can be read back.
    const auto read = wf::parse_graph(std::string(wf::to_text(bound->view()).view()));
    REQUIRE(read);
    const auto plain = wf::executable_graph::prepare(parsed->view(), {});
    const auto compiled = wf::executable_graph::prepare(read->view(), {});
    REQUIRE(plain);
    CAPTURE(formula);
    REQUIRE_MESSAGE(compiled, std::string(wf::to_text(compiled.error()).view()));
    const auto expected = (*plain)(all), found = (*compiled)(rest);
    REQUIRE(expected.has_value() == found.has_value());
    if (!expected) continue;
    for (const auto& [name, m] : *expected) {
      CAPTURE(name);
      CHECK((m - found->at(name)).norm() <= 1e-9 * (1 + m.norm()));
    }
  }
}
