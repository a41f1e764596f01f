// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/elementwise.hpp>

#include <cmath>
#include <iterator>
#include <limits>
#include <map>

#include <wf/ir/graph/builder.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/infer.hpp>
#include <wf/run/operators/operators.hpp>
#include <wf/run/plan/executable.hpp>

#include "../apply.hpp"

namespace {

namespace compute = wf::compute;
using apply::tensor;
using wf::dtype, wf::shape;

apply::outcome run(wf::text_view op, const std::vector<tensor>& in, const wf::value_type& out,
                   const apply::attributes& with = {}) {
  return apply::run(compute::elementwise_operators<double>(), op, in, {out}, with);
}
double scalar(wf::text_view op, std::vector<double> in, dtype of = dtype::f64) {
  std::vector<tensor> operands;
  for (double x : in) operands.emplace_back(shape(), std::vector<double>{x}, of);
  return (*run(op, operands, apply::of(of))).elements[0];
}
std::string failure(wf::text_view op, std::vector<double> in, dtype of) {
  std::vector<tensor> operands;
  for (double x : in) operands.emplace_back(shape(), std::vector<double>{x}, of);
  return run(op, operands, apply::of(of)).why;
}

}  // namespace

TEST_CASE("every shape broadcasts with every other, on either side") {
  std::mt19937_64 random(51);
  const shape result = shape::of(2, 3, 4);
  for (const shape& s : {shape::of(2, 3, 4), shape::of(3, 4), shape::of(4), shape::of(1, 3, 1),
                         shape::of(2, 1, 4), shape::of(1), shape::of()}) {
    const tensor a = apply::random_tensor(result, random), b = apply::random_tensor(s, random);
    const auto out = run("subtract", {a, b}, {dtype::f64, {}, result});
    const auto flipped = run("subtract", {b, a}, {dtype::f64, {}, result});
    apply::for_each_index(result, [&](const auto& i) {
      CHECK((*out).at(i) == a.at(i) - b.at(i));
      CHECK((*flipped).at(i) == b.at(i) - a.at(i));
    });
  }
  // Neither operand has the shape of the result.
  const tensor a = apply::random_tensor(shape::of(3, 1), random);
  const tensor b = apply::random_tensor(shape::of(2, 1, 4), random);
  const auto out = run("multiply", {a, b}, apply::f64(2, 3, 4));
  apply::for_each_index(result, [&](const auto& i) { CHECK((*out).at(i) == a.at(i) * b.at(i)); });
}

TEST_CASE("a selection broadcasts three operands") {
  std::mt19937_64 random(52);
  const tensor p(shape::of(3, 1), {1, 0, 1}, dtype::boolean);
  const tensor a = apply::random_tensor(shape::of(2, 1, 4), random);
  const tensor b = apply::random_tensor(shape(), random);
  const auto out = run("where", {p, a, b}, apply::f64(2, 3, 4));
  apply::for_each_index(shape::of(2, 3, 4), [&](const auto& i) {
    CHECK((*out).at(i) == (i[1] == 1 ? b.elements[0] : a.at(i)));
  });
}

TEST_CASE("operators without elements give none") {
  const tensor none(shape::of(0, 3)), row(shape::of(3), {1, 2, 3});
  CHECK((*run("add", {none, row}, apply::f64(0, 3))).elements.empty());
  CHECK((*run("exp", {none}, apply::f64(0, 3))).elements.empty());
  CHECK((*run("add", {tensor(shape::of(2, 0)), tensor(shape::of(2, 1), {1, 2})}, apply::f64(2, 0)))
            .elements.empty());
}

TEST_CASE("functions are those of the standard library") {
  const std::map<std::string, double (*)(double)> functions{
      {"exp", [](double x) { return std::exp(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"sin", [](double x) { return std::sin(x); }},
      {"cos", [](double x) { return std::cos(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"abs", [](double x) { return std::fabs(x); }},
      {"negate", [](double x) { return -x; }},
      {"reciprocal", [](double x) { return 1 / x; }},
      {"square", [](double x) { return x * x; }},
      {"relu", [](double x) { return std::fmax(x, 0.0); }},
      {"step", [](double x) { return x > 0 ? 1.0 : 0.0; }},
      {"sigmoid", [](double x) { return 0.5 + 0.5 * std::tanh(x / 2); }},
      {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
      {"gelu", [](double x) {
         return x / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
       }}};
  std::mt19937_64 random(53);
  std::uniform_real_distribution<double> uniform(0.01, 3);
  for (const auto& [name, f] : functions)
    for (int i = 0; i < 100; ++i) {
      const double x = uniform(random) * (name == "log" || name == "sqrt" || i % 2 == 0 ? 1 : -1);
      CAPTURE(name);
      CAPTURE(x);
      CHECK(scalar(name.c_str(), {x}) == doctest::Approx(f(x)).epsilon(1e-13));
    }
  CHECK(scalar("power", {2, 0.5}) == doctest::Approx(std::sqrt(2.0)));
  CHECK(std::isnan(scalar("log", {-1})));
  CHECK(std::isnan(scalar("sqrt", {-1})));
  CHECK(std::isinf(scalar("divide", {1, 0})));
  CHECK(std::isnan(scalar("maximum", {std::nan(""), 1})));
  CHECK(scalar("maximum", {1, std::nan("")}) == 1);
  CHECK(scalar("minimum", {1, 2}) == 1);
}

TEST_CASE("one element of a kernel's rule is that of the executor, for every number") {
  std::mt19937_64 random(55);
  constexpr double endless = std::numeric_limits<double>::infinity();
  const double special[] = {0,       -0.0,     1,      -1,    0.5,   -0.5, 1e-320,
                            -1e-320, 1e300,    -1e300, 709.5, -745,  710,  -709,
                            endless, -endless, 1e-8,   1e4,   0.625, -20,  std::nan("")};
  const auto any = [&] {
    std::uniform_real_distribution<double> near(-30, 30);
    return random() % 3 == 0 ? special[random() % std::size(special)] : near(random);
  };
  std::size_t kernels = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (k->element == nullptr) continue;
    CAPTURE(std::string(k->name));
    ++kernels;
    const auto s = wf::parse_signature(k->signature);
    const auto operands = s->inputs;
    const bool tempered = k->name == wf::kernels::sigmoid.name;
    for (int round = 0; round < 40; ++round) {
      apply::attributes with;
      if (k->result_dtype != nullptr) with.push_back(wf::attribute_value::string("dtype", "f64"));
      if (tempered && round % 2 == 1)
        with.push_back(wf::attribute_value::floating("T", 0.25 * static_cast<double>(round % 8)));
      std::vector<tensor> in;
      std::vector<wf::value_type> types;
      for (std::uint32_t i = 0; i < operands; ++i) {
        const dtype type = s->parameters[i].bound == "bool" ? dtype::boolean : dtype::f64;
        in.emplace_back(shape::of(21), type);
        for (double& x : in.back().elements)
          x = type == dtype::boolean ? static_cast<double>(random() % 2) : any();
        types.push_back({type, {}, shape::of(21)});
      }
      const wf::rule_input node{{types.data(), types.size()}, {with.data(), with.size()}};
      const auto made = wf::infer(*k, node);
      REQUIRE(made);
      const wf::value_type result = made->results[0];
      const auto out =
          apply::run({compute::find_operator<double>(k->name), 1}, k->name, in, {result}, with);
      for (std::size_t e = 0; e < 21; ++e) {
        double x[3] = {};
        for (std::uint32_t i = 0; i < operands; ++i) x[i] = in[i].elements[e];
        CAPTURE(x[0]);
        CAPTURE(x[1]);
        const double one = k->element({x, node, result.type}), is = (*out).elements[e];
        if (k->constant != nullptr || std::isnan(one) || std::isinf(one))
          CHECK((std::isnan(one) ? std::isnan(is) : is == one));
        else  // exp(y) carries the roundings of y, which compilers may fuse, |y| times
          CHECK(std::abs(is - one) <=
                (1e-13 + 1e-15 * std::abs(std::log(std::abs(one) + 1e-300))) * std::abs(one) +
                    1e-300);
      }
    }
  }
  CHECK(kernels >= 30);
}

TEST_CASE("the temperature of a logistic function, also in a fused loop") {
  const tensor x(shape::of(2), {-2, 2});
  const auto at = [&](double t) {
    return (*run("sigmoid", {x}, apply::f64(2), {wf::attribute_value::floating("T", t)})).elements;
  };
  CHECK(at(0) == std::vector<double>{0, 1});
  CHECK(at(0.5)[0] == doctest::Approx(.0179862));
  CHECK(at(1) == (*run("sigmoid", {x}, apply::f64(2))).elements);
  wf::graph_builder b("fused");
  const wf::value_type type{dtype::f64, {}, shape::of(2)};
  wf::value_id last = b.graph().add_input("x", type);
  for (const double t : {0.5, 1.0, 0.0}) {
    const wf::attribute_value with = wf::attribute_value::floating("T", t);
    last = wf::graph_view::output_of(
        b.graph()[b.add_node({.op = "sigmoid", .attributes = {&with, 1}}, {&last, 1}, {&type, 1})]);
  }
  b.graph().add_output("y", last);
  const auto code = wf::executable_graph::prepare(b.graph().view());
  REQUIRE(code);
  const auto y = (*code)({{"x", Eigen::Vector2d(-2, 2)}});
  REQUIRE(y);
  CHECK(y->at("y") == Eigen::Vector2d(1, 1));
  for (const wf::attribute_value& wrong :
       {wf::attribute_value::floating("T", -0.5), wf::attribute_value::floating("T", std::nan("")),
        wf::attribute_value::string("T", "warm")}) {
    wf::graph_builder refused("refused");
    const wf::value_id in = refused.graph().add_input("x", type);
    const wf::node_id n =
        refused.add_node({.op = "sigmoid", .attributes = {&wrong, 1}}, {&in, 1}, {&type, 1});
    refused.graph().add_output("y", wf::graph_view::output_of(refused.graph()[n]));
    const auto none = wf::executable_graph::prepare(refused.graph().view());
    REQUIRE_FALSE(none);
    CHECK(none.error().code == wf::errc::not_executable);
  }
}

TEST_CASE("integers compute as integers, and what they cannot hold is refused") {
  std::mt19937_64 random(54);
  for (int i = 0; i < 2000; ++i) {
    const auto x = static_cast<std::int64_t>(random()) >> (32 + random() % 30);
    const auto y = static_cast<std::int64_t>(random()) >> (32 + random() % 30);
    const std::vector<double> in{static_cast<double>(x), static_cast<double>(y)};
    CHECK(scalar("add", in, dtype::i64) == static_cast<double>(x + y));
    CHECK(scalar("subtract", in, dtype::i64) == static_cast<double>(x - y));
    if (std::abs(static_cast<double>(x) * static_cast<double>(y)) <
        compute::max_exact_integer<double>)
      CHECK(scalar("multiply", in, dtype::i64) == static_cast<double>(x * y));
    if (y != 0) CHECK(scalar("divide", in, dtype::i64) == static_cast<double>(x / y));
  }
  const double most = compute::max_exact_integer<double>;
  for (double y : {-7.0, -2.0, 3.0, 9007199254740990.0, 4503599627370495.0}) {
    const auto quotient = static_cast<std::int64_t>(most) / static_cast<std::int64_t>(y);
    CHECK(scalar("divide", {most, y}, dtype::i64) == static_cast<double>(quotient));
  }
  CHECK(failure("divide", {1, 0}, dtype::i64) == "does not fit");
  CHECK(failure("divide", {0, 0}, dtype::i32) == "does not fit");
  CHECK(failure("divide", {-2147483648.0, -1}, dtype::i32) == "does not fit");
  CHECK(failure("negate", {-128}, dtype::i8) == "does not fit");
  CHECK(failure("abs", {-128}, dtype::i8) == "does not fit");
  CHECK(failure("add", {100, 28}, dtype::i8) == "does not fit");
  CHECK(failure("add", {most, 1}, dtype::i64) == "does not fit");
  CHECK(failure("add", {most, most}, dtype::i64) == "does not fit");
  CHECK(failure("multiply", {94906267, 94906267}, dtype::i64) == "does not fit");
  CHECK(failure("square", {94906267}, dtype::i64) == "does not fit");
  CHECK_FALSE(std::signbit(scalar("negate", {0}, dtype::i64)));
}

TEST_CASE("comparisons and logic give 0 and 1") {
  for (double x : {0.0, 1.0})
    for (double y : {0.0, 1.0}) {
      CHECK(scalar("logical_and", {x, y}, dtype::boolean) == (x == 1 && y == 1));
      CHECK(scalar("logical_or", {x, y}, dtype::boolean) == (x == 1 || y == 1));
    }
  CHECK(scalar("logical_not", {0}, dtype::boolean) == 1);
  CHECK(scalar("logical_not", {1}, dtype::boolean) == 0);
  const auto compared = [](wf::text_view op, double x, double y) {
    const auto made =
        run(op, {tensor(shape(), {x}), tensor(shape(), {y})}, apply::of(dtype::boolean));
    return (*made).elements[0];
  };
  CHECK(compared("less", 1, 2) == 1);
  CHECK(compared("less", 2, 2) == 0);
  CHECK(compared("equal", 2, 2) == 1);
  CHECK(compared("equal", 2, 3) == 0);
  CHECK(compared("equal", std::nan(""), std::nan("")) == 0);
}

TEST_CASE("results are rounded to their type, and constants may be numbers of any kind") {
  CHECK(scalar("divide", {1, 3}, dtype::f32) == static_cast<double>(1.0f / 3.0f));
  CHECK(scalar("divide", {1, 3}, dtype::f16) == 0.333251953125);
  CHECK(scalar("divide", {1, 3}, dtype::bf16) == 0.333984375);
  CHECK(std::isinf(scalar("multiply", {300, 300}, dtype::f16)));
  const auto constant = [](const wf::attribute_value& value, dtype d = dtype::f64) {
    return (*run("constant", {}, apply::of(d), {value})).elements[0];
  };
  CHECK(constant(wf::attribute_value::floating("value", 0.1)) == 0.1);
  CHECK(constant(wf::attribute_value::floating("value", 0.1), dtype::f32) == double(0.1f));
  CHECK(constant(wf::attribute_value::integer("value", -3), dtype::i32) == -3);
  CHECK(constant(wf::attribute_value::ratio("value", 1, 4)) == 0.25);
  CHECK(run("constant", {}, apply::of(dtype::i32), {wf::attribute_value::floating("value", 0.5)})
            .why == "does not fit");
}
