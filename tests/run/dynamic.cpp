// SPDX-License-Identifier: BSL-1.0
#include <wf/run/dynamic.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/map/schedule/node_order.hpp>
#include <wf/static.hpp>

#include "matrices.hpp"
#include "random_workflow.hpp"

namespace {

using wf::dynamic_matrix;

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
      const dynamic_matrix a = matrices::random(m, n, random), b = matrices::random(n, 1, random);
      const auto out = wf::run_dynamic(mixed.graph(), {{"A", a}, {"b", b}});
      REQUIRE(out);
      using matrices::distance;
      const auto along = [&](Eigen::Index i, Eigen::Index j) {  // b is a row that is broadcast
        return b(j, 0) + a(i, j);
      };
      std::vector<double> sums, products, largest, all;
      for (Eigen::Index i = 0; i < m; ++i) {
        sums.push_back(0), products.push_back(0), all.push_back(0);
        for (Eigen::Index j = 0; j < n; ++j) {
          sums.back() += a(i, j), products.back() += a(i, j) * b(j, 0);
          all.back() += std::exp(a(i, j));
        }
      }
      for (Eigen::Index j = 0; j < n; ++j) {
        largest.push_back(a(0, j));
        for (Eigen::Index i = 0; i < m; ++i) largest.back() = std::max(largest.back(), a(i, j));
      }
      const auto of = [](const std::vector<double>& list) {
        return [&list](Eigen::Index i, Eigen::Index) { return list[static_cast<std::size_t>(i)]; };
      };
      CHECK(distance(out->at("relu"), m, n,
                     [&](auto i, auto j) { return std::max(a(i, j) - 0.5, 0.0); }) == 0);
      CHECK(distance(out->at("rows"), m, 1, of(sums)) <= 1e-14);
      CHECK(distance(out->at("columns"), n, 1, of(largest)) == 0);
      const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
      CHECK(out->at("mean")(0, 0) == doctest::Approx(total / static_cast<double>(m * n)));
      CHECK(distance(out->at("shifted"), m, n, along) == 0);
      CHECK(distance(out->at("vector"), m, 1, of(products)) <= 1e-14);
      CHECK(distance(out->at("half"), m, n, [&](auto i, auto j) { return -a(i, j) / 2; }) == 0);
      CHECK(distance(out->at("soft"), m, n, [&](auto i, auto j) {
              return std::exp(a(i, j)) / all[static_cast<std::size_t>(i)];
            }) <= 1e-14);
    }
  }
}

TEST_CASE("convolution and pooling against the definition") {
  std::mt19937_64 random(12);
  const dynamic_matrix x = matrices::random(1, 2 * 3 * 7 * 6, random);
  const dynamic_matrix w = matrices::random(1, 4 * 3 * 3 * 3, random);
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
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += y((4 + 2) * 12 + i);
  CHECK(out->at("means")(1, 2) == doctest::Approx(sum / 12));
  CHECK(out->at("pooled")(0) == y(0));  // the first window has one pixel and padding
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
  const dynamic_matrix a = matrices::filled(2, 2, 1);
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
      {.op = "relu", .domain = "elementwise", .attributes = {&steps, 1}}, {&y, 1}, {&t, 1});
  loop.add_output("Y", wf::graph_view::output_of(loop[m]));
  CHECK(wf::run_dynamic(loop.view(), {{"A", a}}).error().code == wf::errc::not_executable);
}

TEST_CASE("stacks of matrices, a column as a tensor, and a batch size from the argument") {
  constexpr auto stacks = wf::workflow<"stacks">([](wf::scope& s) {
    auto a = s.input<"a", double, "N", 2, 3>();
    auto b = s.input<"b", double, 3, 2>();
    s.output<"c">(wf::matmul(a, b));
    s.output<"d">(relu(a) - a);
  });
  std::mt19937_64 random(15);
  const dynamic_matrix a = matrices::random(4 * 2 * 3, 1, random),
                       b = matrices::random(3, 2, random);
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

TEST_CASE("complex elements, qubits and messages to peers are refused, not executed") {
  const auto code = [](const wf::kernel_spec& k, wf::dtype in, wf::dtype out) {
    wf::graph g("refused");
    const wf::value_type from{in, {}, wf::shape::of(2)}, to{out, {}, wf::shape::of(2)};
    const wf::value_id x = g.add_input("A", from);
    const wf::node_id n = g.add_node({.op = k.name, .domain = k.domain}, {&x, 1}, {&to, 1});
    g.add_output("Y", wf::graph_view::output_of(g[n]));
    return wf::run_dynamic(g.view(), {{"A", matrices::filled(2, 1, 1)}}).error().code;
  };
  using wf::dtype;
  CHECK(code(wf::kernels::fft, dtype::c128, dtype::c128) == wf::errc::not_executable);
  CHECK(code(wf::kernels::conjugate, dtype::c64, dtype::c64) == wf::errc::not_executable);
  CHECK(code(wf::kernels::hadamard, dtype::qubit, dtype::qubit) == wf::errc::not_executable);
  CHECK(code(wf::kernels::abs, dtype::c128, dtype::f64) == wf::errc::not_executable);
  CHECK(code(wf::kernels::negate, dtype::f64, dtype::f64) == wf::errc::none);
  CHECK(code(wf::kernels::negate, dtype::f64, dtype::f32) == wf::errc::dtype_mismatch);
  wf::graph g("message");
  const wf::value_type sent[] = {
      {wf::dtype::f64, {}, wf::shape::of(2)}, {wf::dtype::peer, {}, {}}, {wf::dtype::u64, {}, {}}};
  const wf::value_id in[] = {g.add_input("A", sent[0]),
                             g.add_input("to", {wf::dtype::peer, {}, wf::shape::of(1)})};
  const wf::node_id n = g.add_node({.op = "send"}, {in, 2}, {sent, 3});
  g.add_output("Y", wf::graph_view::output_of(g[n]));
  const auto refused = wf::run_dynamic(
      g.view(), {{"A", matrices::filled(2, 1, 1)}, {"to", matrices::filled(1, 1, 0)}});
  CHECK(refused.error().code == wf::errc::not_executable);
}

TEST_CASE("elements are rounded to their type, and must be of it") {
  const auto run = [](wf::dtype d, double x) {
    wf::graph g("rounded");
    const wf::value_type t{d, {}, {}};
    const wf::value_id in[] = {g.add_input("A", t), g.add_input("B", t)};
    const wf::node_id n = g.add_node({.op = "add"}, {in, 2}, {&t, 1});
    g.add_output("Y", wf::graph_view::output_of(g[n]));
    return wf::run_dynamic(g.view(),
                           {{"A", matrices::filled(1, 1, x)}, {"B", matrices::filled(1, 1, 100)}});
  };
  CHECK(run(wf::dtype::f32, 0.1)->at("Y")(0, 0) == static_cast<double>(0.1f + 100.0f));
  CHECK(run(wf::dtype::f64, 0.1)->at("Y")(0, 0) == 100.1);
  CHECK(run(wf::dtype::i8, 27)->at("Y")(0, 0) == 127);
  const auto fraction = run(wf::dtype::i8, 0.5), large = run(wf::dtype::i8, 28);
  REQUIRE_FALSE(fraction);
  CHECK(fraction.error().code == wf::errc::argument_shape);
  CHECK(fraction.error().subject.view() == wf::text_view("A"));
  REQUIRE_FALSE(large);
  CHECK(large.error().code == wf::errc::numerical_failure);
  CHECK(large.error().message.view() ==
        wf::text_view("add failed: an element of the result does not exist or does not fit i8"));
}

TEST_CASE("values larger than memory are refused") {
  wf::graph g("large");
  const wf::value_type t{wf::dtype::f64, {}, {}};
  const std::int64_t huge = std::int64_t{1} << 31;
  const wf::value_type wide{wf::dtype::f64, {}, wf::shape::of(huge, huge)};
  const wf::attribute_value extents[] = {wf::attribute_value::dimension("d0", huge),
                                         wf::attribute_value::dimension("d1", huge)};
  const wf::value_id x = g.add_input("A", t);
  const wf::node_id n =
      g.add_node({.op = "broadcast_to", .attributes = {extents, 2}}, {&x, 1}, {&wide, 1});
  g.add_output("Y", wf::graph_view::output_of(g[n]));
  CHECK(wf::run_dynamic(g.view(), {{"A", matrices::filled(1, 1, 1)}}).error().code ==
        wf::errc::not_executable);
}

TEST_CASE("a graph whose nodes do not fit their operands is refused, not executed") {
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2, 3)};
  const dynamic_matrix a = matrices::filled(2, 3, 1);
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

// Calls f(index) for every combination of indices.
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
// A tensor as a matrix in the form that run_dynamic takes and returns.
dynamic_matrix as_matrix(const factor& f, const extents& size) {
  const auto count = static_cast<Eigen::Index>(f.elements.size());
  const Eigen::Index rows = f.indices.empty() || f.indices.size() > 2 ? 1 : size.at(f.indices[0]);
  dynamic_matrix m(rows, count / rows);
  for (Eigen::Index i = 0; i < count; ++i)
    m(i / m.cols(), i % m.cols()) = f.elements[static_cast<std::size_t>(i)];
  return m;
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
        if (repeated && random() % 8 != 0) continue;  // occasionally a diagonal
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
    double norm = 0;
    for (double x : expected.elements) norm += x * x;
    const double distance =
        matrices::distance(out->at("Y"), wanted.rows(), wanted.cols(),
                           [&](Eigen::Index i, Eigen::Index j) { return wanted(i, j); });
    CHECK(distance <= 1e-12 * (1 + std::sqrt(norm)));
    ++ran;
  }
  CHECK(ran > 1400);
}

TEST_CASE("row 11: every argument is matched by name and checked; the error names what differs") {
  const auto told = [](const wf::named_matrices& arguments) {
    const auto out = wf::run_dynamic(mixed.graph(), arguments);
    return out ? std::string("ok") : std::string(wf::to_text(out.error()).view());
  };
  const dynamic_matrix a = matrices::filled(3, 4, 1), b = matrices::filled(4, 1, 1);
  CHECK(told({{"A", a}, {"b", b}}) == "ok");
  CHECK(told({{"A", a}}) == "WF701 in 'b': the run needs this input");
  CHECK(told({{"A", a}, {"b", b}, {"c", b}}) ==
        "WF702 in 'c': the workflow has no input of this name, only A, b");
  CHECK(told({{"A", a}, {"b", matrices::filled(5, 1, 1)}}) == "WF703 in 'b': it is N, not 5x1");
}

TEST_CASE("random workflows are valid and execute, and small errors stay small") {
  const std::uint64_t seed = 2026;
  CAPTURE(seed);
  std::map<std::string, int> operators;
  int outputs = 0, unread = 0, repeated = 0;
  for (std::uint64_t round = 0; round < 400; ++round) {
    CAPTURE(round);
    const bool rounded = round % 4 == 0;
    std::mt19937_64 random(seed + round), again(seed + round);
    auto made = wf_test::make_random_workflow(random, {.single_precision = rounded});
    const wf::graph_view g = made.graph.view();
    REQUIRE(wf::validate(g));
    const auto out = wf::run_dynamic(g, made.arguments);
    REQUIRE_MESSAGE(out, wf::to_text(out.error()).data());
    const auto same = wf_test::make_random_workflow(again, {.single_precision = rounded});
    CHECK(wf_test::difference(*out, *wf::run_dynamic(same.graph.view(), same.arguments), 0) == "");
    for (auto& [name, m] : made.arguments)
      for (Eigen::Index i = 0; i < m.size(); ++i)
        if (std::trunc(m(i)) != m(i)) m(i) *= 1 + 2e-16;
    const auto near = wf::run_dynamic(g, made.arguments);
    REQUIRE(near);
    if (!rounded) CHECK(wf_test::difference(*out, *near) == "");

    outputs += g.outputs.size() > 1 ? 1 : 0;
    std::vector<bool> read(g.values.size());
    for (wf::value_id id : g.operands) read[wf::index_of(id)] = true;
    for (const wf::output& o : g.outputs) read[wf::index_of(o.source)] = true;
    unread += std::find(read.begin(), read.end(), false) != read.end() ? 1 : 0;
    for (const wf::node& n : g.nodes) ++operators[std::string(g.op_name(n))];
    for (std::size_t i = 1; i < g.nodes.size(); ++i) {
      const auto x = g.inputs_of(g.nodes[i - 1]), y = g.inputs_of(g.nodes[i]);
      repeated +=
          g.nodes[i].op == g.nodes[i - 1].op && x.size() == 1 && y.size() == 1 && x[0] == y[0] ? 1
                                                                                               : 0;
    }
  }
  CHECK(operators.size() > 60);
  CHECK(outputs > 200);
  CHECK(unread > 300);
  CHECK(repeated > 0);
}

TEST_CASE("what differs between two sets of results is named") {
  using wf_test::difference;
  const wf::named_matrices a{{"x", matrices::filled(2, 1, 1)}};
  CHECK(difference(a, a) == "");
  CHECK(difference(a, {}) == "another number of results");
  CHECK(difference(a, {{"y", matrices::filled(2, 1, 1)}}) == "x is missing");
  CHECK(difference(a, {{"x", matrices::filled(1, 2, 1)}}) == "x has another shape");
  CHECK(difference(a, {{"x", matrices::filled(2, 1, 1 + 1e-9)}}) == "");
  CHECK(difference(a, {{"x", matrices::filled(2, 1, 1.5)}}) != "");
  CHECK(difference(a, {{"x", matrices::filled(2, 1, std::nan(""))}}) != "");
}

TEST_CASE("a workflow in the order of its schedule has the same values") {
  int moved = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    std::mt19937_64 random(static_cast<std::uint64_t>(round) + 1);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random);
    wf::task_options machine;
    machine.processors = 2;
    wf::schedule_options limits;
    limits.limits.max_nodes = 500;
    const auto s = wf::schedule(w.graph, wf::operations, wf::builtin_registry(), machine, limits);
    if (!s) continue;  // no plan to count
    const auto order = wf::order_of(w.graph, *s);
    REQUIRE(order);
    moved += std::is_sorted(order->begin(), order->end()) ? 0 : 1;
    const auto ordered = wf::reordered(w.graph, *order);
    REQUIRE(ordered);
    const auto expected = wf::run_dynamic(w.graph, w.arguments);
    const auto found = wf::run_dynamic(*ordered, w.arguments);
    REQUIRE(expected);
    REQUIRE_MESSAGE(found, wf::to_text(found.error()).data());
    CHECK(wf_test::difference(*expected, *found) == "");
  }
  CHECK(moved > 50);
}

TEST_CASE("an executor runs the tasks of a schedule by their starts") {
  const auto g = wf::capture("two", [](wf::scope& s) {
    auto a = s.input<"A", double, 4, 4>();
    auto b = s.input<"B", double, 4, 4>();
    auto first = s.let<"first">(a * b);
    auto second = s.let<"second">(b * a);
    s.output<"x">(first);
    s.output<"y">(second);
  });
  REQUIRE(g);
  auto s = wf::schedule(*g, wf::flops, wf::builtin_registry());
  REQUIRE(s);
  for (const bool turned : {false, true}) {
    s->times.tasks[0] = {0, turned ? 128 : 0, turned ? 256 : 128};
    s->times.tasks[1] = {0, turned ? 0 : 128, turned ? 128 : 256};
    const auto order = wf::order_of(*g, *s);
    REQUIRE(order);
    auto ordered = wf::reordered(*g, *order);
    REQUIRE(ordered);
    const auto plan =
        wf::detail::placed_executable<double>::make(*ordered, wf::builtin_registry(), {});
    REQUIRE(plan);
    REQUIRE(plan->steps().size() == 2);
    const wf::text first = plan->stored().g.view().label(plan->steps()[0].last);
    CHECK(first == wf::text(turned ? "second" : "first"));
  }
}
