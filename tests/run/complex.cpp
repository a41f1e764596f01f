// SPDX-License-Identifier: BSL-1.0
#include <wf/run/complex.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <Eigen/LU>

#include <wf/calibrate/one_kernel.hpp>
#include <wf/capture/equations/equations.hpp>
#include <wf/choice/builtin.hpp>
#include <wf/cost/cost.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/plan/executable_plan.hpp>
#include <wf/select/optimise.hpp>
#include <wf/wf.hpp>

#include "../registry/reference.hpp"
#include "../sanitized.hpp"
#include "literal_graph.hpp"

// The executor in complex numbers, compared with complex numbers of extended precision.

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::MatrixXcd;
using extended = std::complex<long double>;
using exact_matrix = Eigen::Matrix<extended, Eigen::Dynamic, Eigen::Dynamic>;
using complex_graph = wf::executable_graph_c128;

// The graph with one element type replaced by another.
wf::graph retyped(const wf::graph_view& g, const std::string& from, const std::string& to) {
  std::string text(wf::to_text(g).view());
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  auto parsed = wf::parse_graph(text);
  REQUIRE_MESSAGE(parsed, std::string(wf::to_text(parsed.error()).view()));
  return *parsed;
}

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
  REQUIRE(y.rows() == exact.rows());
  REQUIRE(y.cols() == exact.cols());
  if (exact.size() == 0) return 0;
  const long double largest = std::max(exact.cwiseAbs().maxCoeff(), 1e-30L);
  return static_cast<double>((y.cast<extended>() - exact).cwiseAbs().maxCoeff() / largest);
}

wf::named_matrices_c128 run(const wf::graph_view& g, const wf::named_matrices_c128& arguments,
                            bool share = true) {
  wf::execution_options options;
  options.share_buffers = share;
  const auto ready = complex_graph::prepare(g, options);
  REQUIRE_MESSAGE(ready, std::string(wf::to_text(ready.error()).view()));
  auto y = (*ready)(arguments);
  REQUIRE_MESSAGE(y, std::string(wf::to_text(y.error()).view()));
  return *y;
}

// A complex matrix with the structure of a real one: the same symmetry and zeros.
MatrixXcd with_imaginary_part(const MatrixXd& a, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  MatrixXd turn(a.rows(), a.cols());
  for (double& x : turn.reshaped()) x = uniform(random);
  if (a.rows() == a.cols()) turn = (turn + turn.transpose()).eval();
  MatrixXcd out(a.rows(), a.cols());
  for (Index i = 0; i < a.size(); ++i) out(i) = a(i) * std::complex<double>(1, turn(i));
  return out;
}

exact_matrix product_with_lu(const exact_matrix& a, const exact_matrix& b) {
  return a.partialPivLu().solve(b);
}

using exact_function = std::function<exact_matrix(const std::vector<exact_matrix>&)>;
const std::map<std::string, exact_function>& exact_functions() {
  using list = const std::vector<exact_matrix>&;
  const exact_function product = [](list x) -> exact_matrix { return x[0] * x[1]; };
  const exact_function solution = [](list x) { return product_with_lu(x[0], x[1]); };
  const exact_function inverse = [](list x) -> exact_matrix { return x[0].inverse(); };
  const exact_function right = [](list x) -> exact_matrix {
    return product_with_lu(x[1].transpose(), x[0].transpose()).transpose();
  };
  static const std::map<std::string, exact_function> all = {
      {"matmul_strassen", product},    {"matmul_symmetric", product},
      {"matvec_symmetric", product},   {"matmul_triangular", product},
      {"matmul_diagonal", product},    {"matmul_permutation", product},
      {"matvec_permutation", product}, {"inverse", inverse},
      {"inverse_symmetric", inverse},  {"inverse_triangular", inverse},
      {"inverse_diagonal", inverse},   {"solve", solution},
      {"solve_symmetric", solution},   {"solve_triangular", solution},
      {"solve_diagonal", solution},    {"solve_right", right},
  };
  return all;
}

// A tensor in row-major order from a matrix in the executor's form, and back.
reference::tensor tensor_of(const MatrixXcd& m, const wf::shape& s) {
  std::vector<int> extents;
  for (std::uint32_t d = 0; d < s.rank; ++d) extents.push_back(static_cast<int>(s[d].size()));
  reference::tensor out(extents);
  const Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows =
      m;
  for (std::size_t i = 0; i < out.size(); ++i) out(i) = rows.data()[i];
  return out;
}

}  // namespace

TEST_CASE("every operator computes in complex numbers what it computes of real ones") {
  std::mt19937_64 random(2025);
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    const std::string op(k.name);
    CAPTURE(op);
    for (int round = 0; round < (wf_test::sanitized ? 2 : 5); ++round) {
      const auto extent = [&] { return static_cast<std::int64_t>(random() % 40 + 1); };
      const auto one = wf::calibration::make_one(*wf::builtin_registry().find(k.name),
                                                 {extent(), extent(), extent()}, &random);
      REQUIRE(one);
      const wf::graph_view g = one->workflow.view();
      wf::planning_options as_written;
      as_written.as_written = true;
      const auto in_real_numbers = wf::executable_plan::make(g, as_written);
      if (!in_real_numbers) continue;  // Strassen's scheme, odd extents
      wf::named_matrices arguments;
      wf::named_matrices_c128 same;
      std::size_t at = 0;
      for (const wf::value& v : g.values)
        if (v.producer == wf::node_id::none) {
          const std::string name(g.text_of(v.name));
          arguments[name] = one->inputs[at];
          same[name] = one->inputs[at++].cast<std::complex<double>>();
        }
      const auto real = (*in_real_numbers)(arguments);
      REQUIRE(real);
      for (const auto& [name, y] : run(g, same)) {
        CHECK(difference(y, real->at(name).cast<extended>()) < 1e-9);
        CHECK((y.imag().array() == 0).all());
      }
    }
  }
}

TEST_CASE("every operator that takes complex numbers gives what extended precision does") {
  std::mt19937_64 random(31);
  int of_definitions = 0, of_matrices = 0, factors = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    const std::string op(k->name);
    if (k->domain == "quantum" || k->domain == "control" || k->domain == "movement" ||
        k->domain == "signal" || op == "literal")  // literals have digits of one type
      continue;
    CAPTURE(op);
    for (int round = 0; round < 8; ++round) {
      const auto extent = [&] {
        const int most = round < 4 ? 7 : wf_test::sanitized ? 20 : 40;
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(most) + 1);
      };
      const auto one = wf::calibration::make_one(*k, {extent(), extent(), extent()}, &random);
      if (!one) break;
      const wf::graph_view real = one->workflow.view();
      if (real.nodes.size() > 1) continue;
      std::string text(wf::to_text(real).view());
      for (std::size_t at = 0; (at = text.find("f64", at)) != std::string::npos;)
        text.replace(at, 3, "c128");
      const auto g = wf::parse_graph(text);
      REQUIRE(g);
      if (!complex_graph::prepare(g->view())) continue;  // no complex implementation
      wf::named_matrices_c128 arguments;
      std::vector<exact_matrix> exact;
      reference::tensors operands;
      std::size_t at = 0;
      for (const wf::value& v : real.values) {
        if (v.producer != wf::node_id::none) continue;
        const MatrixXd& x = one->inputs[at++];
        const bool turns = v.type.type == wf::dtype::f64 && op.find("permutation") == op.npos;
        const MatrixXcd z = turns ? with_imaginary_part(x, random) : MatrixXcd(x);
        arguments[std::string(real.text_of(v.name))] = z;
        exact.push_back(z.cast<extended>());
        operands.push_back(tensor_of(z, v.type.shape));
      }
      const auto made = run(g->view(), arguments, round % 2 == 0);
      if (const auto f = exact_functions().find(op); f != exact_functions().end()) {
        CHECK(difference(made.begin()->second, f->second(exact)) < 1e-9);
        ++of_matrices;
        continue;
      }
      const auto found = reference::operators().find(op);
      if (found == reference::operators().end()) {
        ++factors;
        continue;
      }
      std::map<std::string, int> with;
      for (const wf::attribute_value& a : wf::attribute_values(real, real.nodes[0]))
        with[std::string(a.name)] = static_cast<int>(a.number);
      const auto signature = wf::parse_signature(k->signature);
      for (const wf::attribute_declaration& a : signature->attributes)
        if (wf::rational otherwise; with.count(std::string(a.name)) == 0 &&
                                    wf::detail::default_of(&*signature, a.name, otherwise))
          with[std::string(a.name)] = static_cast<int>(otherwise.numerator);
      const reference::tensors expected = found->second(operands, with);
      const wf::node& n = real.nodes[0];
      for (std::uint32_t i = 0; i < n.outputs.count; ++i) {
        const wf::value& v = real.values[n.outputs.first + i];
        const auto y = made.find(std::string(real.text_of(v.name)));
        const MatrixXcd& m = y == made.end() ? made.begin()->second : y->second;
        const reference::tensor got = tensor_of(m, v.type.shape);
        REQUIRE(got.size() == expected[i].size());
        double worst = 0;
        for (std::size_t e = 0; e < got.size(); ++e)
          worst = std::max(
              worst, std::abs(got(e).v - expected[i](e).v) / (1 + std::abs(expected[i](e).v)));
        INFO(text);
        CHECK(worst <= 1e-10);
      }
      ++of_definitions;
    }
  }
  CHECK(of_definitions > 150);
  CHECK(of_matrices > 100);
  CHECK(factors > 0);
}

TEST_CASE("solutions, inverses and products agree with extended precision at every size") {
  std::mt19937_64 random(77);
  struct one {
    const char* expression;
    std::function<exact_matrix(const exact_matrix&, const exact_matrix&, const exact_matrix&)> is;
  };
  using m = const exact_matrix&;
  const one all[] = {
      {"A*B", [](m a, m b, m) -> exact_matrix { return a * b; }},
      {"trans(A)*B", [](m a, m b, m) -> exact_matrix { return a.transpose() * b; }},
      {"A*trans(A)", [](m a, m, m) -> exact_matrix { return a * a.transpose(); }},
      {"trans(B)*inv(A)*B",
       [](m a, m b, m) -> exact_matrix { return b.transpose() * product_with_lu(a, b); }},
      {"inv(A)", [](m a, m, m) -> exact_matrix { return a.inverse(); }},
      {"inv(A)*B", [](m a, m b, m) -> exact_matrix { return product_with_lu(a, b); }},
      {"B*inv(A)",
       [](m a, m b, m) -> exact_matrix {
         return product_with_lu(a.transpose(), b.transpose()).transpose();
       }},
      {"inv(S)*B", [](m, m b, m s) -> exact_matrix { return product_with_lu(s, b); }},
      {"inv(S)", [](m, m, m s) -> exact_matrix { return s.inverse(); }},
      {"inv(trans(A)*A)*trans(A)*B",
       [](m a, m b, m) -> exact_matrix { return product_with_lu(a, b); }},
  };
  for (const Index n : {1, 2, 3, 9, 17, 33, 64, 130}) {
    if (wf_test::sanitized && n > 33) continue;
    const std::string square = "c128[" + std::to_string(n) + "," + std::to_string(n) + "]";
    const double size = static_cast<double>(n);
    MatrixXcd a = random_matrix(n, n, random), b = random_matrix(n, n, random);
    a += std::complex<double>(0.7, 0.7) * std::sqrt(size) * MatrixXcd::Identity(n, n);
    MatrixXcd s = random_matrix(n, n, random);
    s = (s + s.transpose()).eval();
    // Far from singular, but its diagonal is too small for pivots.
    s.diagonal().array() *= 0.01;
    s += std::complex<double>(0.5, -1) * std::sqrt(size) *
         MatrixXcd::Identity(n, n).rowwise().reverse();
    for (const one& each : all) {
      CAPTURE(each.expression);
      CAPTURE(n);
      const wf::graph g = formula(
          "input A : " + square + " {nonsingular}; input B : " + square + "; input S : " + square +
          " {symmetric, nonsingular}; Y = " + each.expression + "; export Y");
      const wf::named_matrices_c128 arguments = {{"A", a}, {"B", b}, {"S", s}};
      const exact_matrix y = each.is(a.cast<extended>(), b.cast<extended>(), s.cast<extended>());
      CHECK(difference(run(g.view(), arguments).at("Y"), y) < 1e-11 * (1 + size));
      // The plan of the optimiser with all default transforms.
      const auto transforms = wf::builtin_transforms();
      for (const bool timed : {false, true}) {
        const wf::registry kernels = timed ? wf::timed_registry() : wf::builtin_registry();
        const auto made = wf::optimise(
            g.view(), wf::minimise(timed ? wf::execution_time_::spec : wf::flops_::spec), {},
            kernels, wf::optimise_options{transforms, {}, {}});
        REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
        CAPTURE(std::string(wf::to_text(made->chosen.view()).view()));
        CHECK(difference(run(made->chosen.view(), arguments).at("Y"), y) < 1e-10 * (1 + size));
      }
    }
  }
}

// --- static plans --------------------------------------------------------------------------------

namespace {

using namespace wf::literals;
using c128 = std::complex<double>;

template <int N>
constexpr auto all_solutions = wf::workflow<"all_solutions">([](wf::scope& s) {
  auto a = s.input<"A", c128, N, N>(wf::nonsingular);
  auto b = s.input<"B", c128, N, 3>();
  auto v = s.input<"v", c128, N>();
  auto q = s.input<"Q", c128, N, N>(wf::symmetric | wf::nonsingular);
  auto l = s.input<"L", c128, N, N>(wf::lower_triangular | wf::nonsingular);
  auto d = s.input<"D", c128, N, N>(wf::diagonal | wf::nonsingular);
  s.output<"inverse">(inv(a));
  s.output<"solution">(inv(a) * b);
  s.output<"vector">(inv(a) * v);
  s.output<"turned">(trans(inv(trans(a)) * b));
  s.output<"right">(trans(b) * inv(a));
  s.output<"symmetric">(inv(q) * b);
  s.output<"symmetric_inverse">(inv(q));
  s.output<"triangle">(inv(l) * b);
  s.output<"triangle_inverse">(inv(l));
  s.output<"scaled">(inv(d) * b);
  s.output<"product">(a * b - q * b);
  s.output<"symmetric_product">(q * a);
  s.output<"square">(trans(b) * b);
  s.output<"sum">(2 * a + trans(a) - q);
});
template <int N>
constexpr auto all_planned = wf::optimise<all_solutions<N>>(wf::minimise(wf::flops));

template <int N, const auto& Source>
void check_static(std::mt19937_64& random) {
  using square = Eigen::Matrix<c128, N, N>;
  using tall = Eigen::Matrix<c128, N, 3>;
  using column = Eigen::Matrix<c128, N, 1>;
  CAPTURE(N);
  const square a = random_matrix(N, N, random) + std::sqrt(double(N)) * square::Identity();
  const tall b = random_matrix(N, 3, random);
  const column v = random_matrix(N, 1, random);
  square q = random_matrix(N, N, random);
  q = (q + q.transpose()).eval();
  q += c128(0.5, -1) * std::sqrt(double(N)) * square(square::Identity().rowwise().reverse());
  const square l = a.template triangularView<Eigen::Lower>(), d = a.diagonal().asDiagonal();
  const auto y =
      wf::run<Source>("A"_arg = a, "B"_arg = b, "v"_arg = v, "Q"_arg = q, "L"_arg = l, "D"_arg = d);
  REQUIRE(bool(y));
  const auto is = [](const auto& made, const exact_matrix& exact) {
    CHECK(difference(made, exact) < 1e-10 * (1 + N));
  };
  const auto ext = [](const auto& m) { return exact_matrix(m.template cast<extended>()); };
  const exact_matrix x = ext(a), r = ext(b), s = ext(q);
  is(y["inverse"_arg], x.inverse());
  is(y["solution"_arg], product_with_lu(x, r));
  is(y["vector"_arg], product_with_lu(x, ext(v)));
  is(y["turned"_arg], product_with_lu(x.transpose(), r).transpose());
  is(y["right"_arg], product_with_lu(x.transpose(), r).transpose());
  is(y["symmetric"_arg], product_with_lu(s, r));
  is(y["symmetric_inverse"_arg], s.inverse());
  is(y["triangle"_arg], product_with_lu(ext(l), r));
  is(y["triangle_inverse"_arg], ext(l).inverse());
  is(y["scaled"_arg], product_with_lu(ext(d), r));
  is(y["product"_arg], x * r - s * r);
  is(y["symmetric_product"_arg], s * x);
  is(y["square"_arg], r.transpose() * r);
  is(y["sum"_arg], x + x + x.transpose() - s);
}

}  // namespace

TEST_CASE("static plans compute in complex numbers, as written and as planned") {
  std::mt19937_64 random(41);
  check_static<3, all_solutions<3>>(random);
  check_static<40, all_planned<40>>(random);
}

TEST_CASE("no operator asks for more scratch storage than its kernel states") {
  std::mt19937_64 random(8);
  const wf::registry kernels = wf::builtin_registry();
  constexpr wf::metric_spec scratch{"scratch", "B"};
  int asked = 0;
  for (const wf::kernel_spec* k : kernels.kernels()) {
    CAPTURE(std::string(k->name));
    const auto* o = wf::compute::find_operator<std::complex<double>>(k->name);
    if (o == nullptr || o->scratch == nullptr) continue;
    for (int round = 0; round < (wf_test::sanitized ? 6 : 60); ++round) {
      const std::uint64_t most = round % 3 == 0 ? 20 : round % 3 == 1 ? 150 : 1500;
      const auto extent = [&] { return static_cast<std::int64_t>(random() % most + 1); };
      const std::int64_t whole[] = {extent(), extent(), extent()};
      wf::graph g("one");
      const auto made = wf::calibration::make_one(*k, {whole[0], whole[1], whole[2]}, nullptr);
      if (made) g = retyped(made->workflow.view(), "f64", "c128");
      if (!made || g.view().nodes.size() > 1) break;
      if (!complex_graph::prepare(g.view())) continue;
      const std::int64_t elements = o->scratch(g.view(), g.view().nodes[0]);
      const auto stated = wf::price(g.view(), scratch, kernels);
      INFO(std::string(wf::to_text(g.view()).view()));
      REQUIRE_MESSAGE(stated, std::string(wf::to_text(stated.error())));
      REQUIRE(16 * elements <= *stated);
      asked += elements != 0 ? 1 : 0;
    }
  }
  CHECK(asked > (wf_test::sanitized ? 50 : 500));
}

TEST_CASE("a run takes no more storage than its price says") {
  for (const char* text :
       {"input A : c128[40,40]; input B : c128[40,40]; T = A*B + B; U = conjugate(T)*A; Y = U*T + "
        "A;"
        "export Y",
        "input A : c128[33,33] {nonsingular}; input B : c128[33,7]; Y = inv(A)*B; export Y",
        "input A : c128[33,33] {symmetric, nonsingular}; Y = inv(A); export Y"}) {
    CAPTURE(text);
    const wf::graph g = formula(text);
    const auto priced = wf::price(g.view(), wf::peak_memory);
    REQUIRE(priced);
    const auto ready = complex_graph::prepare(g.view());
    REQUIRE(ready);
    std::int64_t inputs = 0;
    for (const wf::value& v : g.view().values)
      if (v.producer == wf::node_id::none) inputs += 16 * v.type.shape.elements();
    CHECK(inputs + static_cast<std::int64_t>(ready->workspace_bytes()) <= *priced);
  }
}

TEST_CASE("real, whole and complex values of a workflow live together") {
  const wf::graph g = formula(
      "input A : c128[2,2]; input c : f64[]; input n : i32[2]; M = abs(A);"
      "C = cast(c, dtype = \"c128\"); Y = C*A; s = sum(n); export M, Y, s");
  const MatrixXcd a{{{3, 4}, {0, 1}}, {{-1, 0}, {0, 0}}};
  const auto y =
      run(g.view(), {{"A", a}, {"c", MatrixXcd{{{2, 0}}}}, {"n", MatrixXcd{{{2, 0}}, {{5, 0}}}}});
  CHECK(y.at("M") == MatrixXcd{{{5, 0}, {1, 0}}, {{1, 0}, {0, 0}}});
  CHECK(y.at("Y") == MatrixXcd(2 * a));
  CHECK(y.at("s")(0, 0) == std::complex<double>(7, 0));
  const auto refused = wf::run_dynamic_c128(
      g.view(), {{"A", a}, {"c", MatrixXcd{{{2, 1}}}}, {"n", MatrixXcd{{{2, 0}}, {{5, 0}}}}});
  REQUIRE_FALSE(refused);
}

TEST_CASE("an executor refuses elements that it does not hold, and names the one that does") {
  const wf::graph g = formula("input A : c128[2]; B = A + A; export B");
  const auto real = wf::executable_plan::make(g.view());
  REQUIRE_FALSE(real);
  CHECK(real.error().code == wf::errc::not_executable);
  CHECK(std::string(real.error().message.view()).find("executable_graph_c128") !=
        std::string::npos);
  wf::graph handed("handed");
  handed.add_output("y", handed.add_input("x", {wf::dtype::c128, {}, wf::shape::of(2)}));
  CHECK_FALSE(wf::executable_graph_c64::prepare(handed.view()));
  CHECK(complex_graph::prepare(handed.view()));
  const auto single = wf::executable_graph_c64::prepare(g.view());
  REQUIRE_FALSE(single);
  CHECK(single.error().code == wf::errc::not_executable);
}

TEST_CASE("single precision solves too") {
  std::mt19937_64 random(12);
  const wf::graph g =
      formula("input A : c64[20,20] {nonsingular}; input B : c64[20,3]; X = inv(A)*B; export X");
  const Eigen::MatrixXcf a = (random_matrix(20, 20, random) + 5 * MatrixXcd::Identity(20, 20))
                                 .cast<std::complex<float>>(),
                         b = random_matrix(20, 3, random).cast<std::complex<float>>();
  const auto ready = wf::executable_graph_c64::prepare(g.view());
  REQUIRE_MESSAGE(ready, std::string(wf::to_text(ready.error()).view()));
  const auto x = (*ready)({{"A", a}, {"B", b}});
  REQUIRE_MESSAGE(x, std::string(wf::to_text(x.error()).view()));
  CHECK(difference(x->at("X").cast<std::complex<double>>(),
                   product_with_lu(a.cast<extended>(), b.cast<extended>())) < 1e-5);
}

TEST_CASE("literals of complex numbers have two parts, real ones among them one") {
  const auto of = [](wf::dtype type, auto element) {
    return wf::run_dynamic_c128(
        wf_test::literal_graph({type, {}, wf::shape::of(3)}, element).view(), {});
  };
  using complex = std::complex<double>;
  const auto pair = [](std::int64_t i) { return complex(0.5 + static_cast<double>(i), -0.25); };
  for (const wf::dtype type : {wf::dtype::c64, wf::dtype::c128, wf::dtype::f64, wf::dtype::u8}) {
    const auto y =
        wf::is_complex(type) ? of(type, pair) : of(type, [](std::int64_t i) { return i + 1; });
    REQUIRE(y);
    for (std::int64_t i = 0; i < 3; ++i)
      CHECK(y->at("y")(i) ==
            (wf::is_complex(type) ? pair(i) : complex(static_cast<double>(i + 1), 0)));
  }
}
