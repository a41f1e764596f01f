// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/arguments.hpp>

#include <array>
#include <complex>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/ir/graph/validate.hpp>

namespace {

// y = alpha * (A * B) for any sizes.
constexpr auto scaled = wf::workflow<"scaled">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "K">();
  auto b = s.input<"B", double, "K", "N">();
  auto alpha = s.input<"alpha", double>();
  s.output<"y">(alpha * (a * b));
});

constexpr wf::argument_type matrix(const char* name, wf::extent rows, wf::extent columns) {
  return {wf::text(name), {wf::dtype::f64, {}, wf::shape::of(rows, columns)}};
}

constexpr wf::text shape_of_result(const wf::type_args& args) {
  const auto bound = wf::bind_arguments(scaled.graph(), args);
  if (!bound) return wf::to_text(bound.error());
  const wf::graph_view g = bound->view();
  return wf::to_text(g[g.outputs[0].source].type.shape);
}

constexpr bool binds_while_compiling() {
  wf::type_args args;
  const bool open = shape_of_result(args).view() == "MxN";
  args.fixed.push_back(wf::static_arg("M", 7));
  const bool half = shape_of_result(args).view() == "7xN";
  args.types.push_back(matrix("B", 4, 5));
  return open && half && shape_of_result(args).view() == "7x5";
}
static_assert(binds_while_compiling());

}  // namespace

TEST_CASE("types of arguments and static sizes bind the symbols") {
  CHECK(shape_of_result({{matrix("A", 3, 4)}, {wf::static_arg("N", 9)}}).view() == "3x9");
  CHECK(shape_of_result({{matrix("A", 3, "K")}, {}}).view() == "3xN");
}

TEST_CASE("a scalar input with a value becomes a constant") {
  const auto bound = wf::bind_arguments(scaled.graph(), {{}, {wf::static_arg("alpha", 0.5)}});
  REQUIRE(bound);
  const wf::graph_view g = bound->view();
  CHECK(wf::validate(g));
  CHECK(wf::detail::find_input(g, "alpha") == wf::value_id::none);
  const wf::node& n = g.nodes[0];
  CHECK(g.op_name(n) == "constant");
  CHECK(g.text_of(n.name) == "alpha");
  CHECK(g.find_attribute(n, "value")->real == 0.5);
  CHECK(wf::to_text(wf::static_arg("alpha", 0.5)).view() == "alpha=0.5");
  CHECK(wf::to_text(wf::static_arg("M", 64)).view() == "M=64");
}

TEST_CASE("arguments that do not fit are errors that name them") {
  CHECK(shape_of_result({{matrix("C", 3, 4)}, {}}).view() ==
        "WF702 in 'C': unknown argument 'C'; known here: A, B, alpha");
  CHECK(shape_of_result({{matrix("A", 3, 4), matrix("B", 5, 6)}, {}}).view() ==
        "WF703 in 'B': K is 5 here but 4 elsewhere");
  CHECK(shape_of_result({{matrix("A", 3, 4)}, {wf::static_arg("K", 5)}}).view() ==
        "WF703 in 'A': K is 4 here but 5 elsewhere");
  CHECK(
      shape_of_result({{{wf::text("A"), {wf::dtype::f32, {}, wf::shape::of(3, 4)}}}, {}}).view() ==
      "WF703 in 'A': the input is f64, the argument f32");
  CHECK(shape_of_result({{{wf::text("A"), {wf::dtype::f64, {}, wf::shape::of(3)}}}, {}}).view() ==
        "WF703 in 'A': the input is MxK, the argument 3");
  CHECK(shape_of_result({{}, {wf::static_arg("A", 1)}}).view() ==
        "WF703 in 'A': the input is f64[MxK], the value a number");
  const std::array<double, 2> pair{1, 2};
  CHECK(shape_of_result({{}, {wf::static_arg("A", pair)}}).view() ==
        "WF703 in 'A': the input is MxK, the argument 2");
  CHECK(shape_of_result({{}, {wf::static_arg("A", std::array{std::array{1, 2}})}}).view() ==
        "WF703 in 'A': the input is f64, the argument i32");
  CHECK(shape_of_result({{}, {wf::static_arg("M", pair)}}).view() ==
        "WF107 in 'M': a size is a whole number from 0 on");
  CHECK(shape_of_result({{}, {wf::static_arg("M", -1)}}).view() ==
        "WF107 in 'M': a size is a whole number from 0 on");
  CHECK(shape_of_result({{}, {wf::static_arg("Q", 3)}}).view().starts_with("WF702 in 'Q'"));
}

TEST_CASE("arrays are compiled in with their shapes and all of their elements") {
  constexpr std::array<std::array<double, 3>, 2> a{{{1, 2, 3}, {4, 5, 0.5}}};
  const auto bound = wf::bind_arguments(scaled.graph(), {{}, {wf::static_arg("A", a)}});
  REQUIRE(bound);
  const wf::graph_view g = bound->view();
  CHECK(wf::validate(g));
  CHECK(wf::detail::find_input(g, "A") == wf::value_id::none);
  const wf::node& n = g.nodes[0];
  CHECK(g.op_name(n) == "literal");
  CHECK(g[wf::graph_view::output_of(n)].type.shape == wf::shape::of(2, 3));
  const wf::text_view digits = g.text_of(g.find_attribute(n, "elements")->characters);
  REQUIRE(digits.size() == 6 * 16);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(wf::element_from<double>(digits.data() + 16 * i) == a[i / 3][i % 3]);
  // Arrays that differ in one element are two variants.
  auto other = a;
  other[1][2] = 0.25;
  CHECK_FALSE(wf::static_arg("A", a) == wf::static_arg("A", other));
  CHECK_FALSE(wf::to_text(wf::static_arg("A", a)) == wf::to_text(wf::static_arg("A", other)));
  // The width of the digits depends on the element type.
  const auto digits_of = [](const auto& array) {
    return wf::static_arg("x", array).elements.size() / array.size();
  };
  CHECK(digits_of(std::array<float, 3>{}) == 8);
  CHECK(digits_of(std::array<std::int64_t, 3>{}) == 16);
  CHECK(digits_of(std::array<unsigned char, 3>{}) == 2);
  CHECK(digits_of(std::array<bool, 3>{}) == 2);
  CHECK(digits_of(std::array<std::complex<double>, 3>{}) == 32);
}

TEST_CASE("types and static values that mean the same have one form") {
  const wf::type_args by_types{{matrix("A", 3, 4), matrix("B", 4, 5)},
                               {wf::static_arg("alpha", 2)}};
  const wf::type_args by_values{{},
                                {wf::static_arg("alpha", 2), wf::static_arg("N", 5),
                                 wf::static_arg("K", 4), wf::static_arg("M", 3)}};
  const auto a = wf::resolve_arguments(scaled.graph(), by_types);
  const auto b = wf::resolve_arguments(scaled.graph(), by_values);
  REQUIRE(a);
  REQUIRE(b);
  CHECK(*a == *b);
  CHECK(wf::to_text(*a).view() == "K=4, M=3, N=5, alpha=2");
  CHECK(wf::to_text(wf::type_args{}).view() == "nothing");
  CHECK(wf::to_text(by_types).view() == "A is f64[3x4], B is f64[4x5], alpha=2");
  CHECK(wf::resolve_arguments(scaled.graph(), *a).has_value());
  CHECK(*wf::resolve_arguments(scaled.graph(), *a) == *a);
}
