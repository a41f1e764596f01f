// SPDX-License-Identifier: BSL-1.0
#include <wf/run/dynamic.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations.hpp>
#include <wf/pass/unroll.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/piecewise.hpp>
#include <wf/static.hpp>

namespace {

using wf::dynamic_matrix;

dynamic_matrix random_matrix(Eigen::Index rows, Eigen::Index columns, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return dynamic_matrix::NullaryExpr(rows, columns, [&] { return uniform(random); });
}

constexpr auto inversion = wf::workflow<"inversion">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">();
  s.output<"B">(inv(a));
});

constexpr auto mixed = wf::workflow<"mixed">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "N">();
  auto b = s.input<"b", double, "N">();
  s.output<"relu">(relu(a - 0.5));
  s.output<"soft">(softmax(a));
  s.output<"rows">(wf::sum<1>(a));
  s.output<"columns">(wf::max<0>(a));
  s.output<"mean">(mean(a));
  s.output<"shifted">(a + b);
  s.output<"vector">(a * b);
  s.output<"half">(-a / 2);
});

constexpr auto convolution = wf::workflow<"convolution">([](wf::scope& s) {
  auto x = s.input<"x", double, 2, 3, 7, 6>();
  auto w = s.input<"w", double, 4, 3, 3, 3>();
  auto y = s.let<"y">(relu(wf::conv2d<2, 1>(x, w)));
  s.output<"y">(y);
  s.output<"pooled">(wf::max_pool2d(y, {.window = 2, .stride = 1, .padding = 1}));
  s.output<"means">(wf::global_average_pool(y));
});

}  // namespace

TEST_CASE("operators of matrices against plain Eigen") {
  std::mt19937_64 random(11);
  for (Eigen::Index m = 1; m < 6; ++m) {
    for (Eigen::Index n = 1; n < 6; ++n) {
      const dynamic_matrix a = random_matrix(m, n, random), b = random_matrix(n, 1, random);
      const auto out = wf::run_dynamic(mixed.graph(), {{"A", a}, {"b", b}});
      REQUIRE(out);
      CHECK(out->at("relu") == dynamic_matrix((a.array() - 0.5).max(0.0)));
      CHECK(out->at("rows").isApprox(a.rowwise().sum()));
      CHECK(out->at("columns").isApprox(a.colwise().maxCoeff().transpose()));
      CHECK(out->at("mean")(0, 0) == doctest::Approx(a.mean()));
      CHECK(out->at("shifted").isApprox(a + b.transpose().replicate(m, 1)));
      CHECK(out->at("vector").isApprox(a * b));
      CHECK(out->at("half").isApprox(-a / 2));
      CHECK(out->at("soft").rowwise().sum().isApprox(Eigen::VectorXd::Ones(m)));
    }
  }
}

TEST_CASE("convolution and pooling against the definition") {
  std::mt19937_64 random(12);
  const dynamic_matrix x = random_matrix(1, 2 * 3 * 7 * 6, random);
  const dynamic_matrix w = random_matrix(1, 4 * 3 * 3 * 3, random);
  const auto out = wf::run_dynamic(convolution.graph(), {{"x", x}, {"w", w}});
  REQUIRE(out);
  const dynamic_matrix& y = out->at("y");
  REQUIRE(y.size() == 2 * 4 * 4 * 3);
  for (int i = 0; i < 2; ++i)
    for (int f = 0; f < 4; ++f)
      for (int h = 0; h < 4; ++h)
        for (int v = 0; v < 3; ++v) {
          double sum = 0;
          for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r)
              for (int s = 0; s < 3; ++s) {
                const int row = 2 * h - 1 + r, column = 2 * v - 1 + s;
                if (row < 0 || row >= 7 || column < 0 || column >= 6) continue;
                sum += x(((i * 3 + c) * 7 + row) * 6 + column) * w(((f * 3 + c) * 3 + r) * 3 + s);
              }
          CHECK(y(((i * 4 + f) * 4 + h) * 3 + v) == doctest::Approx(std::max(sum, 0.0)));
        }
  CHECK(out->at("means").rows() == 2);
  CHECK(out->at("means")(1, 2) == doctest::Approx(y.middleCols((4 + 2) * 12, 12).mean()));
  CHECK(out->at("pooled")(0) == y(0));  // the first window holds one pixel and padding
}

TEST_CASE("every plan of an inversion inverts, unrolled elimination included") {
  std::mt19937_64 random(13);
  const auto registry = wf::builtin_registry();
  for (const std::int64_t size : {1, 2, 3, 5, 8, 64}) {
    const wf::symbol_size m{wf::make_symbol("M"), size};
    const auto bound = wf::bind_symbols(inversion.graph(), {&m, 1});
    REQUIRE(bound);
    const auto plan = wf::optimise(bound->view(), wf::minimise(wf::flops));
    REQUIRE(plan);
    const auto flat = wf::unroll(plan->chosen.view(), registry);
    REQUIRE(flat);
    const dynamic_matrix a = random_matrix(size, size, random);
    const auto out = wf::run_dynamic(flat->view(), {{"A", a}});
    REQUIRE(out);
    CHECK((out->at("B") * a - dynamic_matrix::Identity(size, size)).norm() < 1e-9);

    dynamic_matrix singular = a;
    if (size > 1) singular.row(0) = singular.row(size - 1);
    if (size == 1) singular(0, 0) = 0;
    const auto failed = wf::run_dynamic(flat->view(), {{"A", singular}});
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == wf::errc::numerical_failure);
  }
}

TEST_CASE("wrong arguments are typed errors and nothing runs") {
  const auto code = [](const wf::named_matrices& arguments) {
    return wf::run_dynamic(mixed.graph(), arguments).error().code;
  };
  const dynamic_matrix a(2, 3), b(3, 1), c(4, 1);
  CHECK(code({{"A", a}}) == wf::errc::missing_argument);
  CHECK(code({{"A", a}, {"b", b}, {"c", c}}) == wf::errc::unknown_argument);
  CHECK(code({{"A", a}, {"b", c}}) == wf::errc::argument_shape);
  const dynamic_matrix square(3, 4);
  CHECK(wf::run_dynamic(inversion.graph(), {{"A", square}}).error().code ==
        wf::errc::argument_shape);
}

TEST_CASE("a loop that was not unrolled and an unknown operator are refused") {
  const dynamic_matrix a = dynamic_matrix::Identity(2, 2);
  wf::graph g("unknown");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2, 2)};
  const wf::value_id x = g.add_input("A", t);
  const wf::node_id n = g.add_node({.op = "mystery", .domain = "user"}, {&x, 1}, {&t, 1});
  g.add_output("Y", wf::graph_view::output_of(g[n]));
  CHECK(wf::run_dynamic(g.view(), {{"A", a}}).error().code == wf::errc::not_executable);
  const auto steps = wf::attribute_value::integer("steps", 2);
  wf::graph loop("loop");
  const wf::value_id y = loop.add_input("A", t);
  const wf::node_id m = loop.add_node(
      {.op = "row_deconstruct", .domain = "linalg", .attributes = {&steps, 1}}, {&y, 1}, {&t, 1});
  loop.add_output("Y", wf::graph_view::output_of(loop[m]));
  CHECK(wf::run_dynamic(loop.view(), {{"A", a}}).error().code == wf::errc::not_executable);
}

TEST_CASE("elimination works at any scale, and names the step of a missing pivot") {
  std::mt19937_64 random(14);
  const auto registry = wf::builtin_registry();
  const wf::symbol_size m{wf::make_symbol("M"), 32};
  const auto bound = wf::bind_symbols(inversion.graph(), {&m, 1});
  REQUIRE(bound);
  const auto grown = wf::optimise(bound->view(), wf::minimise(wf::flops));
  REQUIRE(grown);
  const auto flat = wf::unroll(grown->chosen.view(), registry);
  REQUIRE(flat);
  REQUIRE(flat->view().nodes.size() > 3 * 32);  // the plan is elimination, step by step
  for (double scale : {1e-100, 1e-9, 1e9, 1e100}) {
    dynamic_matrix a = random_matrix(32, 32, random) * scale;
    const auto out = wf::run_dynamic(flat->view(), {{"A", a}});
    REQUIRE(out);
    CHECK((out->at("B") * a - dynamic_matrix::Identity(32, 32)).norm() < 1e-9);
    a.row(3) = a.row(20);
    const auto failed = wf::run_dynamic(flat->view(), {{"A", a}});
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == wf::errc::numerical_failure);
    CHECK_FALSE(failed.error().subject.empty());
  }
}

TEST_CASE("stacks of matrices, a column as a tensor, and a batch size from the argument") {
  constexpr auto stacks = wf::workflow<"stacks">([](wf::scope& s) {
    auto a = s.input<"a", double, "N", 2, 3>();
    auto b = s.input<"b", double, 3, 2>();
    s.output<"c">(wf::matmul(a, b));
    s.output<"d">(relu(a) - a);
  });
  std::mt19937_64 random(15);
  const dynamic_matrix a = random_matrix(4 * 2 * 3, 1, random), b = random_matrix(3, 2, random);
  const auto out = wf::run_dynamic(stacks.graph(), {{"a", a}, {"b", b}});
  REQUIRE(out);
  REQUIRE(out->at("c").size() == 4 * 2 * 2);
  for (int n = 0; n < 4; ++n)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += a((n * 2 + i) * 3 + k) * b(k, j);
        CHECK(out->at("c")((n * 2 + i) * 2 + j) == doctest::Approx(sum));
      }
  for (int i = 0; i < 24; ++i) CHECK(out->at("d")(i) == std::max(a(i), 0.0) - a(i));
  const dynamic_matrix wrong(25, 1);
  CHECK(wf::run_dynamic(stacks.graph(), {{"a", wrong}, {"b", b}}).error().code ==
        wf::errc::argument_shape);
}

TEST_CASE("a graph whose nodes do not fit their operands is refused, not executed") {
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2, 3)};
  const dynamic_matrix a = dynamic_matrix::Ones(2, 3);
  for (const wf::text_view op : {"matmul", "inverse", "negate"}) {
    wf::graph g("wrong");
    const wf::value_id x = g.add_input("A", t);
    const wf::value_id operands[] = {x, x};
    const wf::node_id n = g.add_node({.op = op}, {operands, 2}, {&t, 1});
    g.add_output("Y", wf::graph_view::output_of(g[n]));
    CHECK(wf::run_dynamic(g.view(), {{"A", a}}).error().code == wf::errc::shape_mismatch);
  }
}

// --- equations against their definition ----------------------------------------------------------

namespace {

using extents = std::map<char, Eigen::Index>;

// A tensor of the equation: its indices, and its elements in row-major order.
struct factor {
  std::string indices;
  std::vector<double> elements;

  double at(const extents& index, const extents& size) const {
    Eigen::Index offset = 0;
    for (char c : indices) offset = offset * size.at(c) + index.at(c);
    return elements[static_cast<std::size_t>(offset)];
  }
};

// Calls f(index) for every index of the letters.
template <class F>
void for_every(const std::string& letters, const extents& size, F f, std::size_t from = 0,
               extents index = {}) {
  if (from == letters.size()) return f(index);
  for (Eigen::Index i = 0; i < size.at(letters[from]); ++i) {
    index[letters[from]] = i;
    for_every(letters, size, f, from + 1, index);
  }
}

std::string bracketed(const std::string& indices) {
  std::string out = "[";
  for (char c : indices) out += (out.size() > 1 ? "," : "") + std::string(1, c);
  return out + "]";
}
std::string shape_of(const std::string& indices, const extents& size) {
  std::string out = "[";
  for (char c : indices) out += (out.size() > 1 ? "," : "") + std::to_string(size.at(c));
  return out + "]";
}
// How run_dynamic takes and gives a tensor.
dynamic_matrix as_matrix(const factor& f, const extents& size) {
  const Eigen::Index rows = f.indices.empty() ? 1 : size.at(f.indices[0]);
  if (f.indices.size() <= 2)
    return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
        f.elements.data(), rows, static_cast<Eigen::Index>(f.elements.size()) / rows);
  return Eigen::Map<const Eigen::RowVectorXd>(f.elements.data(),
                                              static_cast<Eigen::Index>(f.elements.size()));
}

}  // namespace

TEST_CASE("row 5: random equations compute what they say") {
  const std::uint64_t seed = 1905;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int ran = 0;
  for (int round = 0; round < 1500; ++round) {
    extents size;
    for (char c : std::string("ijklm")) size[c] = 1 + static_cast<Eigen::Index>(random() % 4);
    std::vector<factor> factors(1 + random() % 3);
    std::map<char, int> uses;
    for (factor& f : factors) {
      const std::size_t rank = random() % 5;
      while (f.indices.size() < rank) {
        const char c = "ijklm"[random() % 5];
        const bool repeated = f.indices.find(c) != std::string::npos;
        if (repeated && random() % 8 != 0) continue;  // now and then a diagonal
        f.indices += c;
        ++uses[c];
      }
      std::size_t count = 1;
      for (char c : f.indices) count *= static_cast<std::size_t>(size[c]);
      for (std::size_t i = 0; i < count; ++i) f.elements.push_back(uniform(random));
    }
    std::string head, letters;
    for (const auto& [c, n] : uses) {
      letters += c;
      if (n == 1 || random() % 2) head += c;
    }
    std::shuffle(head.begin(), head.end(), random);
    std::string source, product;
    wf::named_matrices arguments;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const std::string name(1, static_cast<char>('A' + i));
      source += "input " + name + " : f64" + shape_of(factors[i].indices, size) + "\n";
      product += (i > 0 ? " " : "") + name + bracketed(factors[i].indices);
      arguments[name] = as_matrix(factors[i], size);
    }
    source += "Y" + bracketed(head) + " = " + product + "\nexport Y";
    CAPTURE(source);
    const auto g = wf::equations("g", wf::text_view(source.data(), source.size()));
    if (!g && g.error().message.view() == wf::text_view("the result has over 8 dimensions"))
      continue;
    REQUIRE_MESSAGE(g, wf::to_text(g.error()).data());
    const auto out = wf::run_dynamic(g->view(), arguments);
    REQUIRE_MESSAGE(out, wf::to_text(out.error()).data());
    factor expected{head, {}};
    std::string summed;
    for (char c : letters)
      if (head.find(c) == std::string::npos) summed += c;
    for_every(head, size, [&](const extents& index) {
      double sum = 0;
      for_every(
          summed, size,
          [&](const extents& all) {
            double term = 1;
            for (const factor& f : factors) term *= f.at(all, size);
            sum += term;
          },
          0, index);
      expected.elements.push_back(sum);
    });
    const dynamic_matrix wanted = as_matrix(expected, size);
    REQUIRE(out->at("Y").size() == wanted.size());
    CHECK((out->at("Y") - wanted).norm() <= 1e-12 * (1 + wanted.norm()));
    ++ran;
  }
  CHECK(ran > 1400);
}

TEST_CASE("row 10: plans run at the size of their arguments") {
  const auto plans = wf::optimise_piecewise(inversion.graph(), wf::symbol_range("M", 1, 64),
                                            wf::minimise(wf::flops));
  REQUIRE(plans);
  const auto registry = wf::builtin_registry();
  std::mt19937_64 random(10);
  for (const Eigen::Index size : {1, 2, 3, 4, 5, 17}) {
    CAPTURE(size);
    dynamic_matrix a = random_matrix(size, size, random);
    a.diagonal().array() += 3;
    const auto plan = plans->bound_for(a.rows());
    REQUIRE(plan);
    const auto flat = wf::unroll(plan->view(), registry);
    REQUIRE(flat);
    CHECK((flat->view().nodes.size() > 1) == (size > 3));
    const auto made = wf::run_dynamic(flat->view(), {{"A", a}});
    REQUIRE(made);
    CHECK((a * made->at("B") - Eigen::MatrixXd::Identity(size, size)).norm() < 1e-9);
  }
  // Without loops a piece's symbolic plan runs as it is.
  const Eigen::MatrixXd two = 2 * Eigen::MatrixXd::Identity(2, 2);
  const auto made = wf::run_dynamic(plans->plan_for(2)->chosen.view(), {{"A", two}});
  REQUIRE(made);
  CHECK(made->at("B")(0, 0) == doctest::Approx(0.5));
}

TEST_CASE("row 11: every argument is matched by name and checked; the error names what differs") {
  const auto told = [](const wf::named_matrices& arguments) {
    const auto out = wf::run_dynamic(mixed.graph(), arguments);
    return out ? std::string("ok") : std::string(wf::to_text(out.error()).view());
  };
  const dynamic_matrix a = dynamic_matrix::Ones(3, 4), b = dynamic_matrix::Ones(4, 1);
  CHECK(told({{"A", a}, {"b", b}}) == "ok");
  CHECK(told({{"A", a}}) == "WF701 in 'b': the run needs this input");
  CHECK(told({{"A", a}, {"b", b}, {"c", b}}) ==
        "WF702 in 'c': the workflow has no input of this name, only A, b");
  CHECK(told({{"A", a}, {"b", dynamic_matrix::Ones(5, 1)}}) == "WF703 in 'b': it is N, not 5x1");
}
