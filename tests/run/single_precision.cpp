// SPDX-License-Identifier: BSL-1.0
#include <wf/run/single_precision.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/calibrate/one_kernel.hpp>
#include <wf/capture/equations/equations.hpp>
#include <wf/cost/cost.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/plan/executable_kernels.hpp>

#include "../choice/random_formula.hpp"

#include "literal_graph.hpp"

// The executor in single precision, compared with that in double precision, which is tested
// separately.

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::MatrixXf;
using single_graph = wf::executable_graph_f32;
using single_matrices = wf::named_matrices_f32;

wf::result<wf::graph> formula(const std::string& text) {
  return wf::equations("formula", {text.data(), text.size()});
}

// The workflow with another element type.
wf::graph in_single(const wf::graph_view& g) {
  std::string text(wf::to_text(g).view());
  for (std::size_t at = 0; (at = text.find("f64", at)) != std::string::npos;)
    text.replace(at, 3, "f32");
  auto parsed = wf::parse_graph(text);
  REQUIRE_MESSAGE(parsed, std::string(wf::to_text(parsed.error()).view()));
  return *parsed;
}

// The outputs of a workflow of f32 in single precision, and in double precision on the same inputs.
struct both {
  single_matrices single;
  wf::named_matrices twice;
};
both run_both(const wf::graph_view& in_double, const wf::named_matrices& arguments,
              const wf::registry& kernels = wf::builtin_registry(), bool share = true) {
  single_matrices given;
  wf::named_matrices exact;
  for (const auto& [name, m] : arguments) {
    given[name] = m.cast<float>();
    exact[name] = given[name].cast<double>();
  }
  wf::execution_options options;
  options.kernels = &kernels;
  options.share_buffers = share;
  const wf::graph g = in_single(in_double);
  const auto single = single_graph::prepare(g.view(), options);
  REQUIRE_MESSAGE(single, std::string(wf::to_text(single.error()).view()));
  const auto twice = wf::executable_graph::prepare(in_double, options);
  REQUIRE(twice);
  auto y = (*single)(given);
  REQUIRE_MESSAGE(y, std::string(wf::to_text(y.error()).view()));
  auto x = (*twice)(exact);
  REQUIRE(x);
  return {*y, *x};
}

// The largest difference relative to the largest magnitude.
double difference(const MatrixXf& single, const MatrixXd& exact) {
  REQUIRE(single.rows() == exact.rows());
  REQUIRE(single.cols() == exact.cols());
  if (exact.size() == 0) return 0;
  const double largest = std::max(exact.cwiseAbs().maxCoeff(), 1e-30);
  return (single.cast<double>() - exact).cwiseAbs().maxCoeff() / largest;
}

MatrixXd random_matrix(Index rows, Index columns, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatrixXd out(rows, columns);
  for (double& x : out.reshaped()) x = uniform(random);
  return out;
}

}  // namespace

TEST_CASE("every operator computes in single precision what it computes in double precision") {
  std::mt19937_64 random(2024);
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    const std::string op(k.name);
    CAPTURE(op);
    if (op == "literal") continue;  // literals have digits of one type: tested below
    for (int round = 0; round < 6; ++round) {
      const auto extent = [&] { return static_cast<std::int64_t>(random() % 40 + 1); };
      const auto one = wf::calibration::make_one(*wf::builtin_registry().find(k.name),
                                                 {extent(), extent(), extent()}, &random);
      REQUIRE(one);
      const wf::graph_view g = one->workflow.view();
      if (!wf::executable_graph::prepare(g)) continue;  // Strassen's scheme, odd extents
      wf::named_matrices arguments;
      std::size_t at = 0;
      for (const wf::value& v : g.values)
        if (v.producer == wf::node_id::none)
          arguments[std::string(g.text_of(v.name))] = one->inputs[at++];
      const both made = run_both(g, arguments);
      for (const auto& [name, y] : made.single) CHECK(difference(y, made.twice.at(name)) < 2e-4);
    }
  }
}

TEST_CASE("formulas of linear algebra agree, whether storage is shared or not") {
  std::mt19937_64 random(7);
  wf::named_matrices arguments;
  const auto random_one = [&](Index rows, Index columns) {
    return random_matrix(rows, columns, random);
  };
  const auto definite = [&](Index n) {
    const MatrixXd a = random_one(n, n);
    return MatrixXd(a * a.transpose() + 2.0 * static_cast<double>(n) * MatrixXd::Identity(n, n));
  };
  const auto regular = [&](Index n) {
    return MatrixXd(random_one(n, n) + 2.0 * static_cast<double>(n) * MatrixXd::Identity(n, n));
  };
  for (const char* name : {"A", "B"}) arguments[name] = regular(20);
  for (const char* name : {"S", "T"}) arguments[name] = definite(20);
  arguments["Q"] = definite(20) - 30 * MatrixXd(random_one(20, 1).asDiagonal());
  arguments["Q"] = (arguments["Q"] + arguments["Q"].transpose()).eval();
  arguments["L"] = regular(20).triangularView<Eigen::Lower>();
  arguments["R"] = regular(20).triangularView<Eigen::Upper>();
  arguments["D"] = MatrixXd(definite(20).diagonal().asDiagonal());
  arguments["P"] = MatrixXd::Identity(20, 20).rowwise().reverse();
  arguments["E"] = MatrixXd::Identity(20, 20);
  arguments["X"] = random_one(20, 16), arguments["Z"] = random_one(20, 16);
  arguments["C"] = definite(16), arguments["F"] = regular(16), arguments["H"] = random_one(16, 20);
  for (const char* name : {"v", "w", "u"}) arguments[name] = random_one(20, 1);
  arguments["y"] = random_one(16, 1), arguments["G"] = random_one(20, 20);
  arguments["c"] = MatrixXd::Constant(1, 1, 1.5);
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    const std::string text = wf_test::random_formula(random).text();
    CAPTURE(text);
    const auto g = formula(text);
    REQUIRE(g);
    const both made = run_both(g->view(), arguments, wf::builtin_registry(), round % 2 == 0);
    for (const auto& [name, y] : made.single) {
      CHECK(difference(y, made.twice.at(name)) < 2e-3);
      ++compared;
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("products, solutions and factors agree at sizes of every kernel and in every order") {
  std::mt19937_64 random(99);
  const std::string formulas[] = {"A*B",      "trans(A)*B", "A*trans(B)", "trans(A)*trans(B)",
                                  "A + B*C",  "S*B",        "inv(S)*B",   "inv(A)*B",
                                  "B*inv(A)", "inv(L)*B",   "A*trans(A)", "cholesky(S)"};
  for (const std::string& expression : formulas) {
    for (const Index n : {3, 17, 33, 64, 130, 257}) {
      CAPTURE(expression);
      CAPTURE(n);
      const std::string square = "f64[" + std::to_string(n) + "," + std::to_string(n) + "]";
      const auto g = formula("input A : " + square + " {nonsingular}; input B : " + square +
                             "; input C : " + square + "; input S : " + square +
                             " {spd}; input L : " + square +
                             " {lower, nonsingular}; Y = " + expression + "; export Y");
      REQUIRE(g);
      const double size = static_cast<double>(n);
      const MatrixXd regular = random_matrix(n, n, random) + size * MatrixXd::Identity(n, n);
      const MatrixXd definite = regular * regular.transpose();
      const MatrixXd lower = regular.triangularView<Eigen::Lower>();
      const wf::named_matrices arguments = {{"A", regular},
                                            {"B", random_matrix(n, n, random)},
                                            {"C", random_matrix(n, n, random)},
                                            {"S", definite},
                                            {"L", lower}};
      const both made = run_both(g->view(), arguments);
      CHECK(difference(made.single.at("Y"), made.twice.at("Y")) < 1e-5 * std::sqrt(size));
    }
  }
}

TEST_CASE("elements take four bytes: a run takes what the price of its workflow says") {
  const auto g = formula(
      "input A : f32[40,40]; input B : f32[40,40]; T = exp(A) + B; U = tanh(T*A); Y = U*T + A;"
      "export Y");
  REQUIRE(g);
  const auto priced = wf::price(g->view(), wf::peak_memory);
  REQUIRE(priced);
  const auto single = single_graph::prepare(g->view());
  REQUIRE(single);
  const std::int64_t inputs = 2 * 40 * 40 * 4;
  CHECK(inputs + static_cast<std::int64_t>(single->workspace_bytes()) <= *priced);
  const auto twice = wf::executable_graph::prepare(g->view());
  REQUIRE(twice);
  CHECK(2 * single->workspace_bytes() <= twice->workspace_bytes());
}

TEST_CASE("matrices of floats are read and written where they lie") {
  const auto g = formula("input A : f32[5,4]; input B : f32[4,3]; Y = A*B; export Y");
  REQUIRE(g);
  const auto ready = single_graph::prepare(g->view());
  REQUIRE(ready);
  MatrixXf whole = MatrixXf::Random(9, 9), y = MatrixXf::Constant(7, 7, 5);
  const auto a = whole.block(1, 2, 5, 4);
  const auto b = whole.block(3, 0, 4, 3);
  const std::vector<wf::input_matrix_f32> inputs = {a, b};
  const std::vector<wf::output_matrix_f32> outputs = {y.block(1, 1, 5, 3)};
  REQUIRE(ready->run(inputs, outputs));
  CHECK((y.block(1, 1, 5, 3) - a * b).cwiseAbs().maxCoeff() < 1e-5f);
  CHECK(y.row(0) == MatrixXf::Constant(1, 7, 5));
  CHECK(y.col(4) == MatrixXf::Constant(7, 1, 5));
  whole.setRandom();
  auto bound = ready->bind(inputs, outputs);
  REQUIRE(bound);
  REQUIRE(bound->run());
  CHECK((y.block(1, 1, 5, 3) - a * b).cwiseAbs().maxCoeff() < 1e-5f);
  const std::vector<wf::output_matrix_f32> overlapping = {whole.block(0, 0, 5, 3)};
  const auto refused = ready->run(inputs, overlapping);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::argument_overlap);
}

TEST_CASE("what single precision does not hold is refused") {
  const auto twice = formula("input A : f64[2]; B = A + A; export B");
  REQUIRE(twice);
  const auto refused = single_graph::prepare(twice->view());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::not_executable);
  CHECK(std::string(refused.error().message.view()).find("f64") != std::string::npos);
  wf::graph handed("handed");
  handed.add_output("y", handed.add_input("x", {wf::dtype::f64, {}, wf::shape::of(2)}));
  CHECK_FALSE(single_graph::prepare(handed.view()));

  // Integers up to 2^24 are exact; larger ones are detected.
  const auto sum = formula("input A : i32[2]; s = sum(A); export s");
  REQUIRE(sum);
  const single_matrices small = {{"A", MatrixXf{{8388608.0f}, {8388607.0f}}}};
  const auto made = wf::run_dynamic_f32(sum->view(), small);
  REQUIRE(made);
  CHECK(made->at("s")(0, 0) == 16777215.0f);
  const single_matrices large = {{"A", MatrixXf{{8388608.0f}, {8388608.0f}}}};
  const auto failed = wf::run_dynamic_f32(sum->view(), large);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == wf::errc::numerical_failure);
}

TEST_CASE("numbers near the ends of their range have a norm and a factorisation") {
  const auto g = formula(
      "input A : f32[6,3] {full_rank}; input b : f32[6]; x = least_squares(A, b); export x");
  REQUIRE(g);
  std::mt19937_64 random(4);
  for (const double scale : {1e-25, 1.0, 1e25}) {
    CAPTURE(scale);
    const MatrixXd a = random_matrix(6, 3, random) * scale, b = random_matrix(6, 1, random) * scale;
    const MatrixXf af = a.cast<float>(), bf = b.cast<float>();
    const auto made = wf::run_dynamic_f32(g->view(), {{"A", af}, {"b", bf}});
    REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
    const MatrixXd x = af.cast<double>().householderQr().solve(bf.cast<double>());
    CHECK(difference(made->at("x"), x) < 1e-4);
  }
}

namespace {

constexpr wf::kernel_spec clip{.name = "clip",
                               .domain = "own",
                               .signature = "A: floating [...], low: real, high: real -> C[...]",
                               .costs = {{"flops", "2*C"}},
                               .laws = {.elementwise = true}};
constexpr wf::kernel_spec halves{.name = "halves",
                                 .domain = "own",
                                 .signature = "A: floating [M, N] -> C[M, N]",
                                 .costs = {{"flops", "C"}, {"scratch", "8*C"}}};
constexpr auto own = wf::implementations(
    wf::implement_elementwise<clip>([](auto x, auto low, auto high) {
      return x < low ? low : high < x ? high : x;
    }),
    wf::implement<halves>([](auto& c, const auto& a, const wf::node_context& context) {
      using number = std::remove_cvref_t<decltype(a(0, 0))>;
      const auto room = context.scratch<double>();
      for (Index i = 0; i < a.size(); ++i) room[static_cast<std::size_t>(i)] = a.reshaped()(i) / 2;
      for (Index j = 0; j < a.cols(); ++j)
        for (Index i = 0; i < a.rows(); ++i)
          c(i, j) = static_cast<number>(room[static_cast<std::size_t>(j * a.rows() + i)]);
    }));

}  // namespace

TEST_CASE("operators of the user's own run in single precision where their functions are given") {
  wf::registry kernels = wf::builtin_registry();
  REQUIRE(kernels.add(wf::view<wf::kernel_spec>(wf::executable_kernels<own, float>)));
  wf::graph g("own");
  const wf::value_type type{wf::dtype::f32, {}, wf::shape::of(5, 4)};
  const wf::value_id a_id = g.add_input("A", type);
  const wf::attribute_value bounds[] = {wf::attribute_value::floating("low", -0.25),
                                        wf::attribute_value::floating("high", 0.5)};
  const auto b = wf::graph_view::output_of(
      g[g.add_node({.op = "clip", .domain = "own", .attributes = bounds}, {&a_id, 1}, {&type, 1})]);
  const auto c = wf::graph_view::output_of(
      g[g.add_node({.op = "halves", .domain = "own"}, {&b, 1}, {&type, 1})]);
  g.add_output("C", c);
  wf::execution_options options;
  options.kernels = &kernels;
  const auto ready = single_graph::prepare(g.view(), options);
  REQUIRE_MESSAGE(ready, std::string(wf::to_text(ready.error()).view()));
  const MatrixXf a = MatrixXf::Random(5, 4);
  const auto made = (*ready)({{"A", a}});
  REQUIRE(made);
  CHECK(made->at("C") == MatrixXf(a.cwiseMax(-0.25f).cwiseMin(0.5f) / 2));
  // Implementations for doubles only are not used.
  wf::registry doubles = wf::builtin_registry();
  REQUIRE(doubles.add(wf::view<wf::kernel_spec>(wf::executable_kernels<own>)));
  options.kernels = &doubles;
  const auto refused = single_graph::prepare(g.view(), options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::not_executable);
}

TEST_CASE("literals of floats are their digits, those of shorter types are rounded") {
  for (const wf::dtype type : {wf::dtype::f32, wf::dtype::f16, wf::dtype::i16}) {
    CAPTURE(std::string(wf::name_of(type)));
    const float numbers[] = {3, -0.5f, 0.1f, 2049};
    const bool whole = type == wf::dtype::i16;
    const wf::graph g = wf_test::literal_graph(
        {type, {}, wf::shape::of(2, 2)},
        [&](std::int64_t i) { return whole ? static_cast<float>(i) : numbers[i]; });
    const auto y = wf::run_dynamic_f32(g.view(), {});
    REQUIRE(y);
    for (int i = 0; i < 4; ++i) {
      const float expected =
          whole ? static_cast<float>(i)
          : type == wf::dtype::f16
              ? static_cast<float>(wf::compute::rounded(type, static_cast<double>(numbers[i])))
              : numbers[i];
      CHECK(y->at("y")(i / 2, i % 2) == expected);
    }
  }
}
