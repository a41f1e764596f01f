// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/executable.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

#include "../allocations.hpp"
#include "../apply.hpp"
#include "../graph_writer.hpp"
#include "../matrices.hpp"
#include "../parallel/thread_pool.hpp"
#include "../random_workflow.hpp"

namespace {

constexpr auto layers = wf::workflow<"layers">([](wf::scope& s) {
  auto x = s.input<"x", double, 4, 3>();
  auto w = s.input<"w", double, 3, 3>();
  auto h = s.let<"h">(relu(x * w));
  auto g = s.let<"g">(relu(h * w));
  s.output<"y">(relu(g * w) + h);
});

wf::named_matrices arguments() {
  wf::named_matrices out;
  out["x"] = wf::dynamic_matrix::Constant(4, 3, 0.5);
  out["w"] = wf::dynamic_matrix::Identity(3, 3) * 2;
  return out;
}

using Eigen::Index;
using Eigen::MatrixXd;
using wf::dtype, wf::shape, wf::value_id;

struct writer : wf_test::graph_writer {
  wf::executable_graph ready(const std::vector<value_id>& outputs) {
    put_out(outputs);
    const auto made = wf::executable_graph::prepare(g.view());
    REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error())));
    return *made;
  }
};

using inputs = std::vector<wf::input_matrix>;
using outputs = std::vector<wf::output_matrix>;

wf::errc code(const wf::result<wf::nothing>& r) { return r ? wf::errc::none : r.error().code; }

// The outputs of a workflow, evaluated operator by operator on row-major tensors.
wf::named_matrices interpreted(const wf::graph_view& g, const wf::named_matrices& arguments) {
  std::vector<apply::tensor> values;
  for (const wf::value& v : g.values) {
    apply::tensor& t = values.emplace_back(v.type.shape, v.type.type);
    if (v.producer != wf::node_id::none) continue;
    const MatrixXd& m = arguments.at(std::string(g.text_of(v.name)));
    const bool is_matrix = v.type.shape.rank == 2;
    for (Index i = 0; i < m.size(); ++i)
      t.elements[static_cast<std::size_t>(i)] =
          is_matrix ? m(i / m.cols(), i % m.cols()) : m.data()[i];
    REQUIRE(wf::compute::settle(v.type.type, t.elements.data(), m.size()));
  }
  const auto order = wf::topological_order(g);
  REQUIRE(order);
  for (wf::node_id id : *order) {
    const wf::node& n = g[id];
    const auto with = wf::attribute_values(g, n);
    std::vector<apply::tensor> operands;
    std::vector<wf::properties> known;
    for (value_id operand : g.inputs_of(n)) {
      operands.push_back(values[wf::index_of(operand)]);
      known.push_back(g[operand].type.known);
    }
    std::vector<wf::value_type> types;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      types.push_back(g.values[n.outputs.first + k].type);
    const auto made = apply::run({wf::compute::find_operator<double>(g.op_name(n)), 1},
                                 g.op_name(n), operands, types, {with.begin(), with.end()}, known);
    REQUIRE(made.why == "");
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      values[n.outputs.first + k].elements = made.results[k].elements;
  }
  wf::named_matrices out;
  for (const wf::output& o : g.outputs) {
    const apply::tensor& t = values[wf::index_of(o.source)];
    const shape& s = t.dims;
    MatrixXd& m = out[std::string(g.text_of(o.name))];
    m.resize(s.rank == 1 || s.rank == 2 ? s[0].size() : 1, s.rank == 1   ? 1
                                                           : s.rank == 2 ? s[1].size()
                                                                         : s.elements());
    for (Index i = 0; i < m.size(); ++i) {
      const double x = t.elements[static_cast<std::size_t>(i)];
      (s.rank == 2 ? m(i / m.cols(), i % m.cols()) : m.data()[i]) = x;
    }
  }
  return out;
}

// Counts allocations.
class counting_resource : public std::pmr::memory_resource {
 public:
  std::size_t allocated = 0, live = 0, times = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    allocated += bytes, live += bytes, ++times;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    live -= bytes;
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

}  // namespace

TEST_CASE("what is prepared runs again and again in one workspace") {
  counting_resource memory;
  {
    wf::execution_options options;
    options.memory = &memory;
    const auto ready = wf::executable_graph::prepare(layers.graph(), options);
    REQUIRE(ready);
    for (int i = 0; i < 5; ++i) {
      const auto made = (*ready)(arguments());
      REQUIRE(made);
      // x·w = 1 everywhere, then 2, then 4, plus 1.
      CHECK(made->at("y").isConstant(5.0));
    }
    CHECK(memory.times == 1);
    CHECK(ready->workspaces() == 1);
    CHECK(memory.allocated >= ready->workspace_bytes());
  }
  CHECK(memory.live == 0);
}

TEST_CASE("values that are not alive at the same time share storage") {
  wf::execution_options apart;
  apart.share_buffers = false;
  const auto shared = wf::executable_graph::prepare(layers.graph());
  const auto separate = wf::executable_graph::prepare(layers.graph(), apart);
  CHECK(shared->workspace_bytes() < separate->workspace_bytes());
  // Without sharing: five results of 4 by 3, each in whole cache lines, and the elements of the
  // sixth that are computed at once. The seventh belongs to the caller, like x and w.
  CHECK(separate->workspace_bytes() == 8 * (5 * 16 + 16));
  CHECK((*shared)(arguments())->at("y") == (*separate)(arguments())->at("y"));
}

TEST_CASE("sharing storage changes no bit of any result, but where there is hardly room") {
  const std::uint64_t seed = 20261123;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::size_t saved = 0, same = 0, all = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random);
    wf::execution_options apart;
    apart.share_buffers = false;
    const auto separate = wf::executable_graph::prepare(w.graph.view(), apart);
    const auto shared = wf::executable_graph::prepare(w.graph.view());
    REQUIRE(separate);
    REQUIRE(shared);
    const auto expected = (*separate)(w.arguments);
    REQUIRE(expected);
    wf::named_matrices first;
    for (int again = 0; again < 2; ++again) {
      const auto made = (*shared)(w.arguments);
      REQUIRE(made);
      CHECK(wf_test::difference(*expected, *made, 1e-9) == "");
      const auto is_same = [&](const wf::named_matrices& other) {
        bool bits = true;
        for (const auto& [name, m] : *made)
          bits = bits && std::memcmp(other.at(name).data(), m.data(),
                                     static_cast<std::size_t>(m.size()) * sizeof(double)) == 0;
        return bits;
      };
      if (again != 0) CHECK(is_same(first));
      same += is_same(*expected) ? 1 : 0;
      ++all;
      first = *made;
    }
    saved += shared->workspace_bytes() < separate->workspace_bytes() ? 1 : 0;
  }
  CHECK(saved > 200);
  CHECK(same > all - all / 30);
}

TEST_CASE("what is written over a matrix lies as that does, whoever else has read it") {
  constexpr Index rows = 40, columns = 33;
  writer w;
  const value_id x = w.input(shape::of(rows, columns)), y = w.input(shape::of(rows, columns));
  const value_id sum = w.add("add", {x, y}, shape::of(rows, columns));
  const value_id flat = w.add("softmax", {sum}, shape::of(rows, columns));  // reads rows
  const value_id root = w.add("square", {sum}, shape::of(rows, columns));
  const value_id turned = w.add("transpose", {root}, shape::of(columns, rows));
  const value_id product = w.add("matmul", {root, turned}, shape::of(rows, rows));
  const wf::executable_graph ready = w.ready({flat, product});
  std::mt19937_64 random(71);
  const MatrixXd a = matrices::random(rows, columns, random),
                 b = matrices::random(rows, columns, random);
  MatrixXd first(rows, columns), second(rows, rows);
  const auto done = ready.run(inputs{a, b}, outputs{first, second});
  REQUIRE(done);
  const MatrixXd squares = (a + b).cwiseAbs2();
  CHECK((second - squares * squares.transpose()).norm() < 1e-9);
}

TEST_CASE("orders, storage and steps that are computed together change nothing but rounding") {
  std::mt19937_64 random(70);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    wf_test::random_workflow_options options;
    options.most_extent = round % 8 == 0 ? 70 : 4;
    const wf_test::random_workflow w = wf_test::make_random_workflow(random, options);
    const auto ready = wf::executable_graph::prepare(w.graph.view());
    REQUIRE(ready);
    const auto made = (*ready)(w.arguments);
    REQUIRE(made);
    CHECK(wf_test::difference(interpreted(w.graph.view(), w.arguments), *made) == "");
  }
}

TEST_CASE("several threads run it at once, each in a workspace of its own") {
  const auto ready = wf::executable_graph::prepare(layers.graph());
  std::vector<std::thread> threads;
  std::vector<int> right(8);
  for (std::size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      wf::named_matrices mine = arguments();
      mine["x"] *= static_cast<double>(t + 1);
      for (int i = 0; i < 20; ++i)
        right[t] += (*ready)(mine)->at("y").isConstant(5.0 * static_cast<double>(t + 1)) ? 1 : 0;
    });
  for (std::thread& t : threads) t.join();
  for (int r : right) CHECK(r == 20);
  CHECK(ready->workspaces() <= 8);
}

TEST_CASE("steps of one run are shared by threads, with the same bits") {
  std::mt19937_64 random(20261128);
  std::size_t shared = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    wf_test::random_workflow_options options;
    options.most_nodes = 40;
    options.most_extent = round % 4 == 0 ? 40 : 4;
    options.effects = round % 2 == 0;
    const wf_test::random_workflow w = wf_test::make_random_workflow(random, options);
    const auto prepared = [&](std::size_t threads, bool shares, std::size_t most) {
      wf_test::thread_pool pool(threads);
      wf::execution_options how;
      how.cores = pool;
      how.share_buffers = shares;
      how.most_bytes = most;
      how.least_shared_ns = 0;
      const auto ready = wf::executable_graph::prepare(w.graph.view(), how);
      REQUIRE(ready);
      shared += ready->threads() > 1 ? 1 : 0;
      const auto made = (*ready)(w.arguments);
      REQUIRE(made);
      return *made;
    };
    const wf::named_matrices alone = prepared(1, true, SIZE_MAX);
    const auto is_same = [&](const wf::named_matrices& other) {
      for (const auto& [name, m] : alone)
        if (m.size() != 0 && std::memcmp(m.data(), other.at(name).data(),
                                         sizeof(double) * static_cast<std::size_t>(m.size())) != 0)
          return false;
      return true;
    };
    CHECK(is_same(prepared(3, true, SIZE_MAX)));
    CHECK(is_same(prepared(3, false, SIZE_MAX)));
    // In the storage of one thread sums may be grouped otherwise.
    CHECK(wf_test::difference(alone, prepared(3, true, 0)) == "");
  }
  CHECK(shared > 150);
}

TEST_CASE("of several nodes that fail, the first one is named on any number of threads") {
  writer w;
  std::vector<value_id> outputs;
  wf::named_matrices arguments;
  for (int i = 0; i < 6; ++i) {
    const value_id a = w.input(shape::of(8, 8));
    const wf::text_view name = w.g.view().text_of(w.g[a].name);
    arguments[std::string(name)] =
        i == 2 || i == 4 ? MatrixXd::Zero(8, 8).eval() : MatrixXd::Identity(8, 8);
    outputs.push_back(w.add("inverse", {a}, shape::of(8, 8)));
  }
  w.put_out(outputs);
  std::string expected;
  for (const std::size_t threads : {1u, 2u, 4u}) {
    wf_test::thread_pool pool(threads);
    wf::execution_options how;
    how.cores = pool;
    how.least_shared_ns = 0;
    const auto ready = wf::executable_graph::prepare(w.g.view(), how);
    REQUIRE(ready);
    for (int round = 0; round < 5; ++round) {
      const auto made = (*ready)(arguments);
      REQUIRE(!made);
      CHECK(made.error().code == wf::errc::numerical_failure);
      const std::string text(wf::to_text(made.error()).view());
      if (expected.empty()) expected = text;
      CHECK(text == expected);
    }
  }
}

TEST_CASE("a stop ends a run, and the next one is whole") {
  for (const std::size_t threads : {1u, 3u}) {
    wf_test::thread_pool pool(threads);
    wf::execution_options how;
    how.cores = pool;
    how.least_shared_ns = 0;
    const auto ready = wf::executable_graph::prepare(layers.graph(), how);
    REQUIRE(ready);
    wf::named_matrices given = arguments();
    MatrixXd y(4, 3);
    const inputs from = {given.at("x"), given.at("w")};
    const outputs to = {y};
    std::stop_source source;
    source.request_stop();
    CHECK(code(ready->run({from.data(), from.size()}, {to.data(), to.size()},
                          source.get_token())) == wf::errc::execution_stopped);
    const auto bound = ready->bind({from.data(), from.size()}, {to.data(), to.size()});
    REQUIRE(bound);
    CHECK(code(bound->run(source.get_token())) == wf::errc::execution_stopped);
    CHECK(code(bound->run()) == wf::errc::none);
    CHECK(y.isConstant(5.0));
  }
}

TEST_CASE("what cannot run is refused before it starts, wrong arguments when it is called") {
  const auto symbolic = wf::capture(
      "any", [](wf::scope& s) { s.output("y", relu(s.input<double>("x", wf::shape::of("N")))); });
  CHECK(wf::executable_graph::prepare(symbolic->view()).error().code ==
        wf::errc::workflow_not_static);
  const auto ready = wf::executable_graph::prepare(layers.graph());
  wf::named_matrices wrong = arguments();
  wrong.erase("w");
  CHECK((*ready)(wrong).error().code == wf::errc::missing_argument);
  wrong = arguments();
  wrong["x"] = wf::dynamic_matrix::Zero(3, 3);
  CHECK((*ready)(wrong).error().code == wf::errc::argument_shape);
  wrong = arguments();
  wrong["z"] = wf::dynamic_matrix::Zero(3, 3);
  CHECK((*ready)(wrong).error().code == wf::errc::unknown_argument);
}

TEST_CASE("memory that there is not is an error of the run") {
  wf::execution_options options;
  options.memory = std::pmr::null_memory_resource();
  const auto ready = wf::executable_graph::prepare(layers.graph(), options);
  REQUIRE(ready);
  const auto failed = (*ready)(arguments());
  REQUIRE(!failed);
  CHECK(failed.error().code == wf::errc::not_executable);
  CHECK(ready->workspaces() == 0);
}

TEST_CASE("a run reads and writes the caller's matrices, also parts of larger ones") {
  std::mt19937_64 random(71);
  MatrixXd room = matrices::random(20, 30, random);
  const MatrixXd before = room;
  writer w;
  const value_id a = w.input(shape::of(4, 6)), b = w.input(shape::of(4, 5)),
                 v = w.input(shape::of(5));
  const value_id t = w.add("transpose", {a}, shape::of(6, 4));
  const value_id c = w.add("matmul", {t, b}, shape::of(6, 5));
  const value_id sum = w.add("add", {c, v}, shape::of(6, 5));
  const value_id y = w.add("matvec", {c, v}, shape::of(6)), n = w.add("norm", {y}, shape::of());
  const wf::executable_graph ready = w.ready({sum, y, n});
  MatrixXd vector = matrices::random(5, 1, random), norm(1, 1);
  const inputs in{room.block(1, 2, 4, 6), room.block(1, 8, 4, 5), vector};
  const outputs out{room.block(6, 2, 6, 5), room.block(6, 7, 6, 1), norm};
  for (int again = 0; again < 3; ++again) REQUIRE(ready.run(in, out));
  double square = 0;
  for (Index i = 0; i < 6; ++i) {
    double product = 0;
    for (Index j = 0; j < 5; ++j) {
      double element = 0;
      for (Index k = 0; k < 4; ++k) element += room(1 + k, 2 + i) * room(1 + k, 8 + j);
      CHECK(room(6 + i, 2 + j) == doctest::Approx(element + vector(j)));
      product += element * vector(j);
    }
    CHECK(room(6 + i, 7) == doctest::Approx(product));
    square += product * product;
  }
  CHECK(norm(0, 0) == doctest::Approx(std::sqrt(square)));
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 30; ++j)
      if (i < 6 || i >= 12 || j < 2 || j >= 8) CHECK(room(i, j) == before(i, j));
}

TEST_CASE("inputs, transposed inputs and one value under two names can be outputs") {
  std::mt19937_64 random(72);
  const MatrixXd a = matrices::random(3, 4, random), s = matrices::filled(1, 1, 2.5);
  writer w;
  const value_id x = w.input(shape::of(3, 4)), scalar = w.input(shape::of());
  const value_id t = w.add("transpose", {x}, shape::of(4, 3));
  const value_id back = w.add("transpose", {t}, shape::of(3, 4));
  const value_id product = w.add("matmul", {x, t}, shape::of(3, 3));
  const value_id turned = w.add("transpose", {product}, shape::of(3, 3));
  const wf::executable_graph ready =
      w.ready({x, t, back, product, product, turned, scalar, scalar});
  std::vector<MatrixXd> made;
  for (const auto& o : ready.workflow().outputs) {
    const shape& d = ready.workflow()[o.source].type.shape;
    made.emplace_back(d.rank == 0 ? 1 : d[0].size(), d.rank == 0 ? 1 : d[1].size());
  }
  REQUIRE(ready.run(inputs{a, s}, outputs(made.begin(), made.end())));
  CHECK(made[0] == a);
  CHECK(made[1] == MatrixXd(a.transpose()));
  CHECK(made[2] == a);
  CHECK(made[3] == made[4]);
  CHECK(made[5] == MatrixXd(made[3].transpose()));
  CHECK(made[3].isApprox(a * a.transpose()));
  CHECK(made[6] == s);
  CHECK(made[7] == s);
}

namespace {

// Random programs of slices, transposes, products and sums of square parts, with their results.
struct part_program {
  writer w;
  std::vector<value_id> ids;
  std::vector<MatrixXd> values;

  std::size_t add(const char* op, const std::vector<std::size_t>& operands, MatrixXd value,
                  const std::vector<wf::attribute_value>& with = {}) {
    std::vector<value_id> in;
    for (std::size_t k : operands) in.push_back(ids[k]);
    const wf::value_type type{dtype::f64, {}, shape::of(value.rows(), value.cols())};
    wf::node_description what{.op = op};
    what.attributes = {with.data(), with.size()};
    const wf::node_id n = w.g.add_node(what, {in.data(), in.size()}, {&type, 1});
    ids.push_back(wf::graph_view::output_of(w.g[n]));
    values.push_back(std::move(value));
    return ids.size() - 1;
  }
  void grow(std::mt19937_64& random) {
    const auto below = [&](auto n) {
      return static_cast<Index>(random() % static_cast<std::uint64_t>(n));
    };
    const auto one = static_cast<std::size_t>(below(ids.size()));
    const auto two = static_cast<std::size_t>(below(ids.size()));
    const MatrixXd &x = values[one], &y = values[two];
    switch (below(7)) {
      case 0:
        add("transpose", {one}, x.transpose());
        break;
      case 1:
      case 2: {
        const Index axis = below(2), whole = axis == 0 ? x.rows() : x.cols();
        const Index start = below(whole), length = 1 + below(whole - start);
        MatrixXd part = x;
        if (axis == 0)
          part = x.middleRows(start, length);
        else
          part = x.middleCols(start, length);
        add("slice", {one}, part,
            {wf::attribute_value::integer("axis", axis),
             wf::attribute_value::integer("start", start),
             wf::attribute_value::integer("length", length)});
        break;
      }
      case 3:
        if (x.cols() == y.rows()) add("matmul", {one, two}, x * y);
        break;
      case 4:
        if (x.cols() == y.cols())
          add("concat", {one, two}, (MatrixXd(x.rows() + y.rows(), x.cols()) << x, y).finished());
        break;
      case 5:
        if (x.rows() == y.rows() && x.cols() == y.cols()) add("subtract", {one, two}, x - y);
        break;
      default:
        add("negate", {one}, -x);
    }
  }
};

}  // namespace

TEST_CASE("slices and transposes of matrices are read where they lie") {
  std::mt19937_64 random(36);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    part_program p;
    std::vector<MatrixXd> given;
    inputs from;
    for (const Index columns : {3, 4}) {
      p.ids.push_back(p.w.input(shape::of(4, columns)));
      p.values.push_back(MatrixXd::Random(4, columns));
    }
    given = p.values;
    for (const MatrixXd& m : given) from.emplace_back(m);
    while (p.ids.size() < 22 && p.w.g.view().nodes.size() < 40) p.grow(random);
    std::vector<std::size_t> wanted;
    std::vector<value_id> ids;
    for (std::size_t k = p.ids.size(); k-- > 2 && wanted.size() < 4;)
      if (p.values[k].size() < 400 && random() % 2 == 0)
        wanted.push_back(k), ids.push_back(p.ids[k]);
    const auto ready = p.w.ready(ids);
    std::vector<MatrixXd> made;
    for (std::size_t k : wanted) made.emplace_back(p.values[k].rows(), p.values[k].cols());
    outputs to(made.begin(), made.end());
    REQUIRE(ready.run({from.data(), from.size()}, {to.data(), to.size()}));
    for (std::size_t i = 0; i < wanted.size(); ++i)
      CHECK((made[i] - p.values[wanted[i]]).norm() <= 1e-12 * (1 + p.values[wanted[i]].norm()));
  }
}

TEST_CASE("elements of other types are rounded, and checked, whatever reads them") {
  writer w;
  const value_id x = w.input(shape::of(2, 3), dtype::f32), i = w.input(shape::of(2, 3), dtype::i32);
  const value_id t = w.add("transpose", {x}, shape::of(3, 2), dtype::f32);
  const value_id twice = w.add("add", {x, x}, shape::of(2, 3), dtype::f32);
  const wf::executable_graph ready =
      w.ready({x, t, twice, w.add("negate", {i}, shape::of(2, 3), dtype::i32)});
  MatrixXd a = matrices::filled(2, 3, 0.1), n = matrices::filled(2, 3, 7);
  const MatrixXd given = a;
  MatrixXd b(2, 3), c(3, 2), d(2, 3), e(2, 3);
  REQUIRE(ready.run(inputs{a, n}, outputs{b, c, d, e}));
  const double rounded = static_cast<double>(0.1f);
  CHECK(b.isConstant(rounded, 0));
  CHECK(c.isConstant(rounded, 0));
  CHECK(d.isConstant(2 * rounded, 0));
  CHECK(e.isConstant(-7, 0));
  CHECK(a == given);
  n(1, 1) = 0.5;
  const auto failed = ready.run(inputs{a, n}, outputs{b, c, d, e});
  CHECK(code(failed) == wf::errc::argument_shape);
  CHECK(failed.error().subject.view() == "x1");
  n(1, 1) = -2147483648.0;
  CHECK(code(ready.run(inputs{a, n}, outputs{b, c, d, e})) == wf::errc::numerical_failure);
}

TEST_CASE("matrices that do not fit or overlap are refused") {
  writer w;
  const value_id x = w.input(shape::of(2, 3)), t = w.input(shape::of(2, 2, 2));
  const wf::executable_graph ready =
      w.ready({w.add("negate", {x}, shape::of(2, 3)), w.add("negate", {t}, shape::of(2, 2, 2))});
  MatrixXd a = matrices::filled(2, 3, 1), row = matrices::filled(1, 8, 1), y(2, 3), z(8, 1);
  REQUIRE(ready.run(inputs{a, row}, outputs{y, z}));
  CHECK(z.isConstant(-1));
  const auto refused = [&](const inputs& in, const outputs& out) {
    return code(ready.run(in, out));
  };
  CHECK(refused({a}, {y, z}) == wf::errc::missing_argument);
  CHECK(refused({a, row, a}, {y, z}) == wf::errc::unknown_argument);
  CHECK(refused({a, row}, {y}) == wf::errc::missing_argument);
  CHECK(refused({a, row}, {y, z, z}) == wf::errc::unknown_argument);
  CHECK(refused({row, row}, {y, z}) == wf::errc::argument_shape);
  CHECK(refused({a, a}, {y, z}) == wf::errc::argument_shape);
  CHECK(refused({a, row}, {z, y}) == wf::errc::argument_shape);
  CHECK(refused({wf::input_matrix(a.data(), 2, 3, 1), row}, {y, z}) == wf::errc::argument_shape);
  MatrixXd large = matrices::filled(4, 8, 1);
  CHECK(refused({a, large.row(1)}, {y, z}) == wf::errc::argument_shape);  // not consecutive
  CHECK(refused({a, row}, {a, z}) == wf::errc::argument_overlap);
  CHECK(refused({large.block(0, 0, 2, 3), row}, {large.block(1, 2, 2, 3), z}) ==
        wf::errc::argument_overlap);
  CHECK(refused({large.block(0, 0, 2, 3), row}, {large.block(2, 0, 2, 3), z}) == wf::errc::none);
  // The row's last elements overlap the matrix that is written.
  CHECK(refused({a, row}, {wf::output_matrix(row.data() + 2, 2, 3, 2), z}) ==
        wf::errc::argument_overlap);
  MatrixXd both(8, 1);
  CHECK(refused({a, row}, {wf::output_matrix(both.data() + 1, 2, 3, 2), both}) ==
        wf::errc::argument_overlap);
}

TEST_CASE("after the first run nothing is allocated") {
  std::mt19937_64 random(73);
  const Index n = 24;
  const shape square = shape::of(n, n), vector = shape::of(n);
  MatrixXd a = matrices::random(n, n, random), x = matrices::random(n, 1, random);
  for (Index i = 0; i < n; ++i) a(i, i) += 20;
  writer w;
  const value_id m = w.input(square), v = w.input(vector);
  const value_id t = w.add("transpose", {m}, square);
  const value_id definite = w.add("matmul", {m, t}, square);
  std::vector<value_id> ends;
  for (const char* op : {"solve", "solve_cholesky", "matmul", "matmul_strassen", "add"})
    ends.push_back(w.add(op, {definite, t}, square));
  for (const char* op : {"solve_right", "solve_right_cholesky"})
    ends.push_back(w.add(op, {t, definite}, square));
  for (const char* op : {"inverse", "inverse_cholesky", "softmax", "cholesky"})
    ends.push_back(w.add(op, {definite}, square));
  ends.push_back(w.add("solve_triangular", {ends.back(), m}, square));
  for (const char* op : {"solve", "solve_cholesky", "matvec"})
    ends.push_back(w.add(op, {definite, v}, vector));
  ends.push_back(w.add("outer", {v, v}, square));
  ends.push_back(w.add("trace", {m}, shape::of()));
  ends.push_back(w.add("norm", {v}, shape::of()));
  ends.push_back(w.add("add", {w.add("multiply", {m, t}, square), v}, square));
  const wf::executable_graph ready = w.ready(ends);
  std::vector<MatrixXd> made;
  for (const auto& o : ready.workflow().outputs) {
    const shape& d = ready.workflow()[o.source].type.shape;
    made.emplace_back(d.rank == 0 ? 1 : d[0].size(), d.rank < 2 ? 1 : d[1].size());
  }
  const inputs in{a, x};
  const outputs out(made.begin(), made.end());
  REQUIRE(ready.run(in, out));
  const std::size_t start = wf_test::allocations;
  Eigen::internal::set_is_malloc_allowed(false);
  const auto done = ready.run(in, out);
  Eigen::internal::set_is_malloc_allowed(true);
  CHECK(wf_test::allocations == start);
  REQUIRE_MESSAGE(done, std::string(wf::to_text(done.error())));
}

TEST_CASE("what is bound computes what a run does, to the bit, from what its inputs are then") {
  std::mt19937_64 random(75);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random);
    const auto ready = wf::executable_graph::prepare(w.graph.view());
    REQUIRE(ready);
    const wf::graph_view g = ready->workflow();
    std::deque<MatrixXd> given, made, wanted;
    inputs in;
    outputs out, into;
    for (const wf::value& v : g.values)
      if (v.producer == wf::node_id::none)
        in.push_back(given.emplace_back(w.arguments.at(std::string(g.text_of(v.name)))));
    for (const wf::output& o : g.outputs) {
      const shape& s = g[o.source].type.shape;
      const Index rows = wf::detail::given_rows(s), columns = wf::detail::given_columns(s);
      out.push_back(made.emplace_back(MatrixXd::Constant(rows, columns, 99)));
      into.push_back(wanted.emplace_back(MatrixXd::Constant(rows, columns, 98)));
    }
    const auto bound = ready->bind(in, out);
    REQUIRE(bound);
    for (int again = 0; again < 3; ++again) {
      REQUIRE(ready->run(in, into));
      REQUIRE(bound->run());
      for (std::size_t k = 0; k < out.size(); ++k)
        CHECK(std::memcmp(made[k].data(), wanted[k].data(),
                          static_cast<std::size_t>(made[k].size()) * sizeof(double)) == 0);
      for (MatrixXd& m : given) m = m.eval().reverse();
    }
    CHECK(ready->workspaces() <= 2);
  }
}

TEST_CASE("what is bound outlives what it was made from, keeps its workspace and can be moved") {
  counting_resource memory;
  {
    wf::execution_options options;
    options.memory = &memory;
    const MatrixXd x = MatrixXd::Constant(4, 3, 0.5), w = MatrixXd::Identity(3, 3) * 2;
    MatrixXd first(4, 3), second(4, 3);
    wf::bound_graph one, other;
    {
      const auto ready = wf::executable_graph::prepare(layers.graph(), options);
      auto a = ready->bind(inputs{x, w}, outputs{first});
      auto b = ready->bind(inputs{x, w}, outputs{second});
      REQUIRE(a);
      REQUIRE(b);
      one = std::move(*a), other = std::move(*b);
      CHECK(ready->workspaces() == 2);
    }
    const std::size_t start = wf_test::allocations;
    Eigen::internal::set_is_malloc_allowed(false);
    const bool done = one.run() && other.run() && one.run();
    Eigen::internal::set_is_malloc_allowed(true);
    CHECK(wf_test::allocations == start);
    CHECK(done);
    CHECK(first.isConstant(5.0));
    CHECK(second.isConstant(5.0));
    CHECK(memory.times == 2);
  }
  CHECK(memory.live == 0);
}

TEST_CASE("binding refuses what a run refuses; a failed run of what is bound can be repeated") {
  writer w;
  const value_id a = w.input(shape::of(2, 2)), b = w.input(shape::of(2));
  const wf::executable_graph ready = w.ready({w.add("solve", {a, b}, shape::of(2))});
  MatrixXd m = MatrixXd::Zero(2, 2);
  const Eigen::VectorXd v = Eigen::VectorXd::Ones(2);
  Eigen::VectorXd x(2), three(3);
  CHECK(ready.bind(inputs{m}, outputs{x}).error().code == wf::errc::missing_argument);
  CHECK(ready.bind(inputs{m, v}, outputs{three}).error().code == wf::errc::argument_shape);
  CHECK(ready.bind(inputs{m, v}, outputs{m.col(0)}).error().code == wf::errc::argument_overlap);
  const auto bound = ready.bind(inputs{m, v}, outputs{x});
  REQUIRE(bound);
  const auto failed = bound->run(), as_run = ready.run(inputs{m, v}, outputs{x});
  REQUIRE(!failed);
  CHECK(failed.error().code == wf::errc::numerical_failure);
  CHECK(wf::to_text(failed.error()) == wf::to_text(as_run.error()));
  m = 2 * MatrixXd::Identity(2, 2);
  REQUIRE(bound->run());
  CHECK(x == 0.5 * v);
}

TEST_CASE("one workflow runs in several threads on matrices of their own") {
  const auto ready = wf::executable_graph::prepare(layers.graph());
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (std::size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      const double factor = static_cast<double>(t + 1);
      const MatrixXd x = MatrixXd::Constant(4, 3, 0.5 * factor), w = MatrixXd::Identity(3, 3) * 2;
      MatrixXd y(4, 3);
      for (int i = 0; i < 50; ++i)
        right[t] += ready->run(inputs{x, w}, outputs{y}) && y.isConstant(5.0 * factor) ? 1 : 0;
    });
  for (std::thread& t : threads) t.join();
  for (int r : right) CHECK(r == 50);
}

TEST_CASE("where arguments and results lie changes nothing but rounding") {
  std::mt19937_64 random(74);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random);
    const auto ready = wf::executable_graph::prepare(w.graph.view());
    REQUIRE(ready);
    const auto expected = (*ready)(w.arguments);
    REQUIRE(expected);
    // Matrices as parts of larger ones; tensors and vectors unchanged.
    const wf::graph_view g = ready->workflow();
    std::deque<MatrixXd> rooms;
    inputs in;
    outputs out;
    const auto part = [&](const shape& s, Index rows, Index columns) -> wf::output_matrix {
      const Index more = s.rank == 2 ? 3 : 0;
      MatrixXd& m = rooms.emplace_back(MatrixXd::Constant(rows + more, columns, 99));
      return m.block(more / 2, 0, rows, columns);
    };
    for (const wf::value& v : g.values) {
      if (v.producer != wf::node_id::none) continue;
      const MatrixXd& given = w.arguments.at(std::string(g.text_of(v.name)));
      const auto m = part(v.type.shape, given.rows(), given.cols()).where();
      wf::compute::copy(m, wf::compute::columns_at(given.data(), given.rows(), given.cols()));
      in.push_back({m.elements, m.rows, m.columns, m.stride});
    }
    for (const wf::output& o : g.outputs) {
      const MatrixXd& wanted = expected->at(std::string(g.text_of(o.name)));
      out.push_back(part(g[o.source].type.shape, wanted.rows(), wanted.cols()));
    }
    REQUIRE(ready->run(in, out));
    wf::named_matrices results;
    for (std::size_t k = 0; k < out.size(); ++k) {
      const auto& m = out[k].where();
      MatrixXd& to = results[std::string(g.text_of(g.outputs[k].name))];
      to.resize(m.rows, m.columns);
      wf::compute::copy(wf::compute::columns_at(to.data(), m.rows, m.columns), m);
    }
    CHECK(wf_test::difference(*expected, results) == "");
  }
}
