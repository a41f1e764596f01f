// SPDX-License-Identifier: BSL-1.0
#include <wf/run/integers.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/calibrate/one_kernel.hpp>
#include <wf/capture/equations/equations.hpp>
#include <wf/core/integer.hpp>
#include <wf/cost/cost.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/registry/domain/literal.hpp>
#include <wf/run/plan/executable_kernels.hpp>

#include "literal_graph.hpp"

// The executors of integers and booleans, compared with that of doubles for small numbers and with
// 128-bit integers for large ones.

template class wf::basic_executable_graph<std::int32_t>;
template class wf::basic_executable_graph<std::int64_t>;
template class wf::basic_executable_graph<bool>;

namespace {

using Eigen::Index, Eigen::MatrixXd;
using wf::int128;
template <class T>
using matrix = wf::basic_dynamic_matrix<T>;
template <class T>
using matrices = wf::basic_named_matrices<T>;
template <class T>
constexpr T least = std::numeric_limits<T>::min();
template <class T>
constexpr T most = std::numeric_limits<T>::max();
template <class T>
const std::string name_of_type = std::string(wf::name_of(wf::dtype_of<T>));

std::string message(const wf::error& e) { return std::string(wf::to_text(e).view()); }

wf::graph formula(const std::string& text) {
  auto g = wf::equations("formula", {text.data(), text.size()});
  REQUIRE_MESSAGE(g, message(g.error()));
  return *g;
}

// The graph with one element type replaced by another; nothing if an operator does not admit it.
std::optional<wf::graph> retyped(const wf::graph_view& g, const std::string& to) {
  const std::string from = "f64";
  std::string text(wf::to_text(g).view());
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  auto parsed = wf::parse_graph(text);
  if (!parsed) return std::nullopt;
  return *parsed;
}

// A graph of one operator on inputs of these types.
wf::graph one_node(const std::string& op, const std::vector<wf::value_type>& in,
                   const std::vector<wf::attribute_value>& attributes = {}) {
  const wf::kernel_spec& k = *wf::builtin_registry().find({op.data(), op.size()});
  wf::graph g("one");
  std::vector<wf::value_id> ids;
  for (const wf::value_type& type : in)
    ids.push_back(g.add_input(("x" + std::to_string(ids.size())).c_str(), type));
  const wf::table<wf::attribute_value> with(
      wf::view<wf::attribute_value>(attributes.data(), attributes.size()));
  const wf::table<wf::value_type> types(wf::view<wf::value_type>(in.data(), in.size()));
  const wf::graph_view before = g.view();
  const auto made = wf::infer(k, {types, with, &before});
  REQUIRE_MESSAGE(made, message(made.error()));
  wf::node_description what;
  what.op = k.name, what.domain = k.domain, what.attributes = with;
  const wf::node_id n = g.add_node(what, {ids.data(), ids.size()}, made->types());
  g.add_output("y", wf::graph_view::output_of(g[n]));
  return g;
}
template <class T, class... Extent>
wf::value_type of(Extent... extents) {
  return {wf::dtype_of<T>, {}, wf::shape::of(extents...)};
}

template <class T>
wf::result<matrices<T>> run(const wf::graph_view& g, const matrices<T>& arguments,
                            bool share = true) {
  wf::execution_options options;
  options.share_buffers = share;
  const auto ready = wf::basic_executable_graph<T>::prepare(g, options);
  REQUIRE_MESSAGE(ready, message(ready.error()));
  return (*ready)(arguments);
}
// The exact result of an operator; nothing if it does not fit the type.
template <class T>
std::optional<matrix<T>> run_one(const wf::graph& g, const std::vector<matrix<T>>& in) {
  matrices<T> arguments;
  for (std::size_t k = 0; k < in.size(); ++k) arguments["x" + std::to_string(k)] = in[k];
  const auto y = run<T>(g.view(), arguments);
  if (y) return y->at("y");
  CHECK(y.error().code == wf::errc::numerical_failure);
  return std::nullopt;
}

// Small integers in place of a kernel's operands, with the same structure.
MatrixXd whole(const MatrixXd& m) {
  return m.unaryExpr([](double x) {
    return x == 0 ? 0 : x > 1 ? std::round(x) : std::round(20 * x) - 9;
  });
}

// True if a kernel is not defined on integers.
bool needs_fields(const wf::kernel_spec& k) {
  const auto s = wf::parse_signature(k.signature);
  REQUIRE(s);
  for (const wf::parameter& p : s->parameters)
    if (p.bound == "floating" || p.bound == "field" || p.bound == "complex" || p.bound == "qubit")
      return true;
  return false;
}

template <class T>
T any_integer(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0:
      return static_cast<T>(least<T> + static_cast<T>(random() % 3));
    case 1:
      return static_cast<T>(most<T> - static_cast<T>(random() % 3));
    case 2:
      return static_cast<T>(static_cast<int>(random() % 5) - 2);
    default:
      return static_cast<T>(static_cast<std::int64_t>(random()) >> (random() % 64));
  }
}

// True if all elements are equal; 128-bit integers cannot be printed by doctest.
template <class T>
bool are_same(const matrix<T>& y, const Eigen::Matrix<int128, -1, -1>& exact) {
  return y.template cast<int128>() == exact;
}
template <class T>
bool fits(int128 x) {
  return x >= least<T> && x <= most<T>;
}

}  // namespace

TEST_CASE_TEMPLATE("every operator that takes integers computes what it computes in doubles", T,
                   std::int32_t, std::int64_t) {
  std::mt19937_64 random(2024);
  int ran = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    const std::string op(k->name);
    CAPTURE(op);
    const bool in_doubles = wf::compute::find_operator<double>(k->name) != nullptr;
    const bool expected = in_doubles && !needs_fields(*k);
    REQUIRE((wf::compute::find_operator<T>(k->name) != nullptr) == expected);
    if (k->name == wf::kernels::literal.name) continue;  // tested below
    for (int round = 0; round < 4 && expected; ++round) {
      const auto extent = [&] { return static_cast<std::int64_t>(random() % 14 + 1); };
      const auto one = wf::calibration::make_one(*k, {extent(), extent(), extent()}, &random);
      REQUIRE(one);
      const auto g = retyped(one->workflow.view(), name_of_type<T>);
      REQUIRE(g);
      if (!wf::executable_graph::prepare(g->view())) continue;  // Strassen's scheme, odd extents
      wf::named_matrices exact;
      matrices<T> given;
      std::size_t at = 0;
      for (const wf::value& v : one->workflow.view().values) {
        if (v.producer != wf::node_id::none) continue;
        const std::string name(one->workflow.view().text_of(v.name));
        const bool is_number = v.type.type == wf::dtype::f64 && !v.type.known.has(wf::permutation);
        exact[name] = is_number ? whole(one->inputs[at]) : one->inputs[at];
        given[name] = exact[name].cast<T>();
        ++at;
      }
      const bool share = round % 2 == 0;
      const auto x = run<double>(g->view(), exact, share);
      const auto y = run<T>(g->view(), given, share);
      REQUIRE_MESSAGE(bool(x) == bool(y), message(x ? y.error() : x.error()));
      if (!x) continue;  // a division by zero
      for (const auto& [name, m] : *y) REQUIRE(m.template cast<double>() == x->at(name));
      ++ran;
    }
  }
  CHECK(ran > 150);
}

TEST_CASE_TEMPLATE("elementwise operators are exact to the last bit, or fail", T, std::int32_t,
                   std::int64_t) {
  using list = const std::vector<T>&;
  const auto c = [](T x) { return int128{x}; };
  const std::vector<std::pair<std::string, std::function<int128(list)>>> all = {
      {"add", [c](list x) { return c(x[0]) + x[1]; }},
      {"subtract", [c](list x) { return c(x[0]) - x[1]; }},
      {"multiply", [c](list x) { return c(x[0]) * x[1]; }},
      {"divide", [c](list x) { return x[1] == 0 ? int128{1} << 100 : c(x[0]) / x[1]; }},
      {"maximum", [c](list x) { return c(std::max(x[0], x[1])); }},
      {"minimum", [c](list x) { return c(std::min(x[0], x[1])); }},
      {"equal", [](list x) { return int128{x[0] == x[1]}; }},
      {"less", [](list x) { return int128{x[0] < x[1]}; }},
      {"negate", [c](list x) { return -c(x[0]); }},
      {"abs", [c](list x) { return x[0] < 0 ? -c(x[0]) : c(x[0]); }},
      {"square", [c](list x) { return c(x[0]) * x[0]; }},
      {"relu", [c](list x) { return c(std::max(x[0], T{0})); }}};
  std::mt19937_64 random(5);
  for (const auto& [op, exact] : all) {
    CAPTURE(op);
    const wf::kernel_spec& k = *wf::builtin_registry().find({op.data(), op.size()});
    const std::size_t operands = wf::parse_signature(k.signature)->inputs;
    int failed = 0, done = 0;
    // Vector loops and their tails, scalars on either side, and transposed operands.
    for (int round = 0; round < 120; ++round) {
      const Index rows = round % 3 == 0 ? 1 : static_cast<Index>(random() % 40 + 1);
      const Index columns = static_cast<Index>(random() % 3 + 1);
      const bool scalar[] = {round % 5 == 1, round % 5 == 2};
      std::vector<wf::value_type> types;
      std::vector<matrix<T>> in;
      for (std::size_t o = 0; o < operands; ++o) {
        const bool one = scalar[o] && operands == 2;
        types.push_back(one ? of<T>() : of<T>(rows, columns));
        in.push_back(matrix<T>::NullaryExpr(one ? 1 : rows, one ? 1 : columns, [&] {
          // Mostly with half of the bits, so that many products fit.
          const T x = any_integer<T>(random);
          return rows * columns > 3 && random() % 64 != 0 ? static_cast<T>(x >> (sizeof(T) * 4 + 1))
                                                          : x;
        }));
      }
      bool all_fit = true;
      const bool one = scalar[0] && scalar[1];
      matrix<T> wanted(one ? 1 : rows, one ? 1 : columns);
      for (Index i = 0; i < wanted.size(); ++i) {
        std::vector<T> x;
        for (const matrix<T>& m : in) x.push_back(m.size() == 1 ? m(0) : m(i));
        const int128 y = exact(x);
        all_fit = all_fit && fits<T>(y);
        wanted(i) = static_cast<T>(fits<T>(y) ? y : 0);
      }
      const auto y = run_one<T>(one_node(op, types), in);
      REQUIRE(y.has_value() == all_fit);
      if (all_fit) REQUIRE(*y == wanted);
      ++(all_fit ? done : failed);
    }
    CHECK(done > 10);
    const bool may_fail =
        op != "maximum" && op != "minimum" && op != "equal" && op != "less" && op != "relu";
    CHECK((failed > 0) == may_fail);
  }
}

namespace {

// The 16 bits of integers from bit 16·part on; the last part includes the sign.
template <class T>
MatrixXd part_of(const matrix<T>& m, int part) {
  constexpr int last = static_cast<int>(sizeof(T)) / 2 - 1;
  return m.unaryExpr([part](T x) {
    const T shifted = static_cast<T>(x >> (16 * part));
    return static_cast<double>(part == last ? shifted : static_cast<T>(shifted & 0xffff));
  });
}

// The exact result of a summing operator on large integers, from results of the executor of doubles
// on 16-bit parts: it is linear in each of the first two operands, and in the third.
template <class T>
Eigen::Matrix<int128, -1, -1> exact_sum(const std::string& op, const wf::graph& g,
                                        const std::vector<matrix<T>>& in) {
  constexpr int parts = static_cast<int>(sizeof(T)) / 2;
  const auto ready = wf::executable_graph::prepare(g.view());
  REQUIRE(ready);
  Eigen::Matrix<int128, -1, -1> out;
  const auto add = [&](const std::vector<MatrixXd>& part, int shift) {
    wf::named_matrices arguments;
    for (std::size_t k = 0; k < part.size(); ++k) arguments["x" + std::to_string(k)] = part[k];
    const auto y = (*ready)(arguments);
    REQUIRE_MESSAGE(y, message(y.error()));
    const MatrixXd& m = y->at("y");
    if (out.size() == 0) out = Eigen::Matrix<int128, -1, -1>::Zero(m.rows(), m.cols());
    for (Index i = 0; i < m.size(); ++i)
      out(i) += static_cast<int128>(static_cast<std::int64_t>(m(i))) * (int128{1} << shift);
  };
  const auto zero = [&](std::size_t k) {
    return MatrixXd(MatrixXd::Zero(in[k].rows(), in[k].cols()));
  };
  if (in.size() == 1) {
    for (int i = 0; i < parts; ++i) add({part_of(in[0], i)}, 16 * i);
  } else if (op == "scatter_add") {
    const MatrixXd ids = in[1].template cast<double>();
    for (int i = 0; i < parts; ++i) add({part_of(in[0], i), ids, part_of(in[2], i)}, 16 * i);
  } else {
    for (int i = 0; i < parts; ++i)
      for (int j = 0; j < parts; ++j) {
        std::vector<MatrixXd> part = {part_of(in[0], i), part_of(in[1], j)};
        if (in.size() > 2) part.push_back(zero(2));
        add(part, 16 * (i + j));
      }
    for (int i = 0; in.size() > 2 && i < parts; ++i)
      add({zero(0), zero(1), part_of(in[2], i)}, 16 * i);
  }
  return out;
}

}  // namespace

TEST_CASE_TEMPLATE("sums of products are exact to the last bit, or fail", T, std::int32_t,
                   std::int64_t) {
  std::mt19937_64 random(11);
  int failed = 0, done = 0, large = 0;
  const std::string ops[] = {"matmul",
                             "matmul_add",
                             "matmul_subtract",
                             "matvec",
                             "matvec_symmetric",
                             "matmul_strassen",
                             "gemmt",
                             "syr2k",
                             "matmul_symmetric",
                             "matmul_triangular",
                             "matmul_diagonal",
                             "dot",
                             "outer",
                             "axpy",
                             "trace",
                             "product_diagonal",
                             "einsum",
                             "rearrange",
                             "sum",
                             "scatter_add",
                             "linear",
                             "conv2d",
                             "depthwise_conv2d"};
  for (const std::string& op : ops) {
    CAPTURE(op);
    const wf::kernel_spec& k = *wf::builtin_registry().find({op.data(), op.size()});
    for (int round = 0; round < 10; ++round) {
      const auto extent = [&] { return static_cast<std::int64_t>(random() % 7 + 1); };
      const auto made = wf::calibration::make_one(k, {extent(), extent(), extent()}, &random);
      REQUIRE(made);
      const auto whole_graph = retyped(made->workflow.view(), name_of_type<T>);
      REQUIRE(whole_graph);
      // The operator alone, without its readers in a calibration workflow.
      const wf::graph_view g = whole_graph->view();
      std::vector<wf::value_type> types;
      for (const wf::value_id id : g.inputs_of(g.nodes[0])) types.push_back(g[id].type);
      std::vector<wf::attribute_value> attributes;
      std::vector<std::string> texts;
      const wf::node& n = g.nodes[0];
      for (std::uint32_t a = 0; a < n.attributes.count; ++a) {
        const wf::attribute& x = g.attributes[n.attributes.first + a];
        attributes.push_back(
            {g.text_of(x.name), x.kind, x.number, x.denominator, x.real, g.text_of(x.characters)});
      }
      const wf::graph alone = one_node(op, types, attributes);
      for (wf::value_type& type : types) type.type = wf::dtype::i64;
      const wf::graph in_doubles = one_node(op, types, attributes);
      // Numbers of bits of the operands for which the result nearly uses all bits.
      const int all = static_cast<int>(sizeof(T)) * 8;
      const int of_first = op == "gemmt"
                               ? all / 2
                               : static_cast<int>(random() % (static_cast<unsigned>(all) - 2)) + 1;
      const int near = static_cast<int>(random() % 6) + (round % 4 == 0 ? 20 : -3);
      std::vector<matrix<T>> in;
      for (std::size_t o = 0; o < types.size(); ++o) {
        const MatrixXd& sample = made->inputs[o];
        if (op == "scatter_add" && o == 1) {
          in.push_back(sample.cast<T>());
          continue;
        }
        if (op == "gemmt" && o == 1) {
          in.push_back(in[0].transpose());
          continue;
        }
        const bool is_one_factor = types.size() > 1 && op != "scatter_add" && o < 2;
        const int bits = std::max(1, (is_one_factor ? (o == 0 ? of_first : all - of_first) : all) -
                                         near / (o < 2 ? 2 : 1));
        matrix<T> m(sample.rows(), sample.cols());
        for (Index i = 0; i < m.size(); ++i)
          m(i) = sample(i) == 0 ? T{0}
                                : static_cast<T>(static_cast<std::int64_t>(random()) >>
                                                 (64 - std::min(bits, all)));
        if (types[o].known.has(wf::symmetric) || types[o].known.has(wf::spd))
          m.template triangularView<Eigen::StrictlyUpper>() = m.transpose().eval();
        in.push_back(m);
      }
      const auto exact = exact_sum<T>(op, in_doubles, in);
      bool all_fit = true;
      for (const int128 x : exact.reshaped()) all_fit = all_fit && fits<T>(x);
      for (const int128 x : exact.reshaped())
        large += all_fit && (x > (int128{most<T>} >> 10) || x < -(int128{most<T>} >> 10)) ? 1 : 0;
      const auto y = run_one<T>(alone, in);
      REQUIRE(y.has_value() == all_fit);
      if (all_fit) REQUIRE(are_same(*y, exact));
      ++(all_fit ? done : failed);
    }
  }
  CHECK(done > 60);
  CHECK(failed > 25);
  CHECK(large > 40);
}

TEST_CASE_TEMPLATE("sums at the ends of a type fit if their result does", T, std::int32_t,
                   std::int64_t) {
  using row = std::vector<T>;
  constexpr T low = least<T>, high = most<T>, half = static_cast<T>(T{1} << (sizeof(T) * 8 - 2));
  const auto column = [](const row& x) {
    return matrix<T>(Eigen::Map<const matrix<T>>(x.data(), static_cast<Index>(x.size()), 1));
  };
  const auto sum = [&](const row& x) {
    return run_one<T>(one_node("sum", {of<T>(x.size())}), {column(x)});
  };
  const auto dot = [&](const row& x, const row& y) {
    return run_one<T>(one_node("dot", {of<T>(x.size()), of<T>(x.size())}), {column(x), column(y)});
  };
  const auto is = [](const std::optional<matrix<T>>& y, T wanted) {
    CAPTURE(wanted);
    REQUIRE(y);
    CHECK((*y)(0) == wanted);
  };
  is(sum({low}), low);
  is(sum({high, 1, -1}), high);
  is(sum({low, -1, 1}), low);
  is(sum({high, high, low, low}), -2);
  CHECK_FALSE(sum({high, 1}));
  CHECK_FALSE(sum({low, low}));
  CHECK_FALSE(sum({low, low, low, low}));
  is(dot({low, 1}, {0, low}), low);
  is(dot({low, low}, {1, -1}), 0);
  is(dot({low, low, low}, {low, high, 2}), low);
  is(dot({half, half, 1}, {half, static_cast<T>(-half), high}), high);
  // Zero modulo 2^w, and small modulo 2^(w-1) - 1.
  CHECK_FALSE(dot({low, low}, {low, low}));
  CHECK_FALSE(dot({low, low, low, low}, {low, low, low, low}));
  CHECK_FALSE(dot({low, 1}, {-1, 0}));
  // Multiples of two moduli at once: 2^w, and 2^(w-1) - 1 or 2^(w-1) - 3.
  for (const T modulus : {high, static_cast<T>(high - 2)})
    CHECK_FALSE(dot({modulus, modulus, modulus, modulus}, {half, half, half, half}));
  // 0·MIN and tensors without elements.
  is(dot({}, {}), 0);
  const auto narrow = formula("input A : i8[2]; s = sum(A); export s");
  const matrices<T> fitting = {{"A", matrix<T>{{100}, {27}}}},
                    beyond = {{"A", matrix<T>{{100}, {28}}}};
  CHECK(run<T>(narrow.view(), fitting)->at("s")(0) == 127);
  const auto refused = run<T>(narrow.view(), beyond);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::numerical_failure);
}

TEST_CASE_TEMPLATE("products agree with integers of 128 bits at sizes of every kernel", T,
                   std::int32_t, std::int64_t) {
  std::mt19937_64 random(17);
  for (const char* expression : {"A*B", "trans(A)*B", "A*trans(B)", "C - A*B", "A*trans(A)"}) {
    for (const Index n : {3, 17, 50}) {
      CAPTURE(expression);
      CAPTURE(n);
      const std::string square =
          name_of_type<T> + "[" + std::to_string(n) + "," + std::to_string(n) + "]";
      const auto g = formula("input A : " + square + "; input B : " + square +
                             "; input C : " + square + "; Y = " + expression + "; export Y");
      for (const int bits : {4, static_cast<int>(sizeof(T)) * 4 - 4}) {
        matrices<T> in;
        for (const char* name : {"A", "B", "C"})
          in[name] = matrix<T>::NullaryExpr(n, n, [&] {
            return static_cast<T>(static_cast<std::int64_t>(random()) >> (64 - bits));
          });
        const auto wide = [&](const char* name) { return in[name].template cast<int128>().eval(); };
        const Eigen::Matrix<int128, -1, -1> a = wide("A"), b = wide("B"), c = wide("C");
        const std::string e = expression;
        const auto times = [&](const auto& x, const auto& y) {
          return Eigen::Matrix<int128, -1, -1>(x.lazyProduct(y));
        };
        const Eigen::Matrix<int128, -1, -1> exact =
            e == "A*B"          ? times(a, b)
            : e == "trans(A)*B" ? times(a.transpose(), b)
            : e == "A*trans(B)" ? times(a, b.transpose())
            : e == "C - A*B"    ? Eigen::Matrix<int128, -1, -1>(c - times(a, b))
                                : times(a, a.transpose());
        const auto y = run<T>(g.view(), in);
        REQUIRE_MESSAGE(y, message(y.error()));
        CHECK(are_same(y->at("Y"), exact));
      }
    }
  }
}

namespace {

std::string random_expression(std::mt19937_64& random, int depth) {
  if (depth == 0) return std::string(1, "ABC"[random() % 3]);
  const auto x = [&] { return random_expression(random, depth - 1); };
  switch (random() % 13) {
    case 0:
      return "(" + x() + " + " + x() + ")";
    case 1:
      return "(" + x() + " - " + x() + ")";
    case 2:
      return "(" + x() + "*" + x() + ")";
    case 3:
      return "trans(" + x() + ")";
    case 4:
      return "(-" + x() + ")";
    case 5:
      return "abs(" + x() + ")";
    case 6:
      return "maximum(" + x() + ", " + x() + ")";
    case 7:
      return "multiply(" + x() + ", " + x() + ")";
    case 8:
      return "where(less(" + x() + ", " + x() + "), " + x() + ", " + x() + ")";
    case 9:
      return "relu(" + x() + ")";
    case 10:
      return "(2*" + x() + ")";
    case 11:
      return "(" + x() + " + sum(" + x() + ", axis = 0))";
    default:
      return "divide(" + x() + ", maximum(abs(" + x() + "), 1))";
  }
}

}  // namespace

TEST_CASE_TEMPLATE("random formulas agree with doubles, whether storage is shared or not", T,
                   std::int32_t, std::int64_t) {
  std::mt19937_64 random(3);
  int compared = 0;
  for (int round = 0; round < 90; ++round) {
    const std::string n = std::to_string(round % 2 == 0 ? 7 : 33);
    const std::string square = name_of_type<T> + "[" + n + "," + n + "]";
    const std::string text = "input A : " + square + "; input B : " + square +
                             "; input C : " + square +
                             "; Y = " + random_expression(random, 1 + round % 4) +
                             "; Z = " + random_expression(random, 2) + "; export Y, Z";
    CAPTURE(text);
    const auto parsed = wf::equations("formula", {text.data(), text.size()});
    REQUIRE_MESSAGE(parsed, message(parsed.error()));
    matrices<T> given;
    wf::named_matrices exact;
    for (const char* name : {"A", "B", "C"}) {
      given[name] = matrix<T>::NullaryExpr(std::stoi(n), std::stoi(n), [&] {
        return static_cast<T>(static_cast<int>(random() % 7) - 3);
      });
      exact[name] = given[name].template cast<double>();
    }
    const bool share = round % 3 != 0;
    const auto x = run<double>(parsed->view(), exact, share);
    const auto y = run<T>(parsed->view(), given, share);
    if (!x) {
      if (sizeof(T) == 4) REQUIRE_FALSE(y);
      continue;
    }
    REQUIRE_MESSAGE(y, message(y.error()));
    for (const auto& [name, m] : *y) REQUIRE(m.template cast<double>() == x->at(name));
    ++compared;
  }
  CHECK(compared > 60);
}

TEST_CASE("what fails is named, in the middle of what is computed together, too") {
  const auto g = formula(
      "input A : i64[3]; input B : i64[3]; total = A + B; half = divide(total, 2);"
      "Y = half - A; export Y");
  const auto high = most<std::int64_t>;
  const matrices<std::int64_t> in = {{"A", matrix<std::int64_t>{{1}, {high}, {0}}},
                                     {"B", matrix<std::int64_t>{{1}, {1}, {0}}}};
  const auto y = run<std::int64_t>(g.view(), in);
  REQUIRE_FALSE(y);
  CHECK(y.error().code == wf::errc::numerical_failure);
  CHECK(message(y.error()).find("add failed") != std::string::npos);
  CHECK(message(y.error()).find("does not fit i64") != std::string::npos);
  const auto ready = wf::executable_graph_i64::prepare(g.view());
  REQUIRE(ready);
  matrix<std::int64_t> a = in.at("A"), b = in.at("B"), out(3, 1);
  const std::vector<wf::input_matrix_i64> inputs = {a, b};
  const std::vector<wf::output_matrix_i64> outputs = {out};
  const auto bound = ready->bind(inputs, outputs);
  REQUIRE(bound);
  const auto failed = bound->run();
  REQUIRE_FALSE(failed);
  CHECK(message(failed.error()).find("add failed") != std::string::npos);
  b(1) = 0;
  CHECK(bound->run());
  CHECK(out(0) == 0);
}

TEST_CASE("integers of 64 bits are exact where doubles are not") {
  const auto g = formula(
      "input A : i64[2]; s = sum(A); B = cast(A, dtype = \"i8\"); C = A + 1; D = max(A); export s, "
      "B, C, D");
  const std::int64_t large = (std::int64_t{1} << 62) + 1;
  const auto y = wf::run_dynamic_i64(g.view(), {{"A", matrix<std::int64_t>{{large}, {-3}}}});
  REQUIRE_MESSAGE(y, message(y.error()));
  CHECK(y->at("s")(0) == large - 3);
  CHECK(y->at("B") == matrix<std::int64_t>{{1}, {-3}});  // modulo 2^8, as in C++ conversions
  CHECK(y->at("C") == matrix<std::int64_t>{{large + 1}, {-2}});
  CHECK(y->at("D")(0) == large);
  wf::graph constant("constant");
  const wf::value_type type = of<std::int64_t>();
  const wf::attribute_value value[] = {wf::attribute_value::integer("value", large)};
  constant.add_output(
      "y", wf::graph_view::output_of(constant[constant.add_node(
               {.op = "constant", .domain = "elementwise", .attributes = value}, {}, {&type, 1})]));
  CHECK(wf::run_dynamic_i64(constant.view(), {})->at("y")(0) == large);
  const auto small = wf::run_dynamic_i32(constant.view(), {});
  REQUIRE_FALSE(small);
  CHECK(small.error().code == wf::errc::numerical_failure);
}

TEST_CASE("integers of 32 bits take half of the storage, and no more than the price says") {
  for (const char* body : {"T = A*B + A; U = maximum(T, B); Y = U + T*A",
                           "Y = trans(A)*B - A; Z = sum(Y)", "Y = abs(A) + B"}) {
    std::size_t bytes[2] = {};
    for (const bool wide : {false, true}) {
      const std::string square = wide ? "i64[48,48]" : "i32[48,48]";
      const auto g =
          formula("input A : " + square + "; input B : " + square + "; " + body + "; export Y");
      const auto priced = wf::price(g.view(), wf::peak_memory);
      REQUIRE(priced);
      const std::int64_t inputs = 2 * 48 * 48 * (wide ? 8 : 4);
      if (wide) {
        const auto ready = wf::executable_graph_i64::prepare(g.view());
        REQUIRE(ready);
        bytes[1] = ready->workspace_bytes();
      } else {
        const auto ready = wf::executable_graph_i32::prepare(g.view());
        REQUIRE(ready);
        bytes[0] = ready->workspace_bytes();
      }
      CAPTURE(body);
      CHECK(inputs + static_cast<std::int64_t>(bytes[wide ? 1 : 0]) <= *priced);
    }
    CHECK(2 * bytes[0] <= bytes[1] + 128);
  }
}

TEST_CASE_TEMPLATE("no operator asks for more scratch storage than its kernel states", T,
                   std::int32_t, std::int64_t) {
  std::mt19937_64 random(8);
  constexpr wf::metric_spec scratch{"scratch", "B"};
  int asked = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    CAPTURE(std::string(k->name));
    const auto* o = wf::compute::find_operator<T>(k->name);
    if (o == nullptr || o->scratch == nullptr) continue;
    for (int round = 0; round < 12; ++round) {
      const std::uint64_t largest = round % 3 == 0 ? 20 : round % 3 == 1 ? 150 : 1500;
      const auto extent = [&] { return static_cast<std::int64_t>(random() % largest + 1); };
      const auto made = wf::calibration::make_one(*k, {extent(), extent(), extent()}, nullptr);
      REQUIRE(made);
      const auto g = retyped(made->workflow.view(), name_of_type<T>);
      REQUIRE(g);
      const wf::graph_view v = g->view();
      if (v.nodes.size() > 1) break;
      const auto stated = wf::price(v, scratch);
      REQUIRE(stated);
      const std::int64_t elements = o->scratch(v, v.nodes[0]);
      CHECK(elements * static_cast<std::int64_t>(sizeof(T)) <= *stated);
      asked += elements != 0 ? 1 : 0;
    }
  }
  CHECK(asked > 150);
}

TEST_CASE("booleans are computed in bytes") {
  const auto g = formula(
      "input A : bool[40,30]; input B : bool[40,30]; input p : bool[40,30];"
      "X = logical_or(logical_and(A, logical_not(B)), logical_and(logical_not(A), B));"
      "Y = trans(X); W = concat(A, X, axis = 1); Z = where(p, A, X); export X, Y, W, Z");
  std::mt19937_64 random(1);
  wf::named_matrices_bool in;
  for (const char* name : {"A", "B"})
    in[name] = matrix<bool>::NullaryExpr(40, 30, [&] { return random() % 2 == 0; });
  in["p"] = matrix<bool>::Constant(40, 30, false);
  const auto y = wf::run_dynamic_bool(g.view(), in);
  REQUIRE_MESSAGE(y, message(y.error()));
  const matrix<bool> x = (in["A"].array() != in["B"].array()).matrix();
  CHECK(y->at("X") == x);
  CHECK(y->at("Y") == matrix<bool>(x.transpose()));
  CHECK(y->at("Z") == x);
  CHECK(y->at("W").leftCols(30) == in["A"]);
  CHECK(y->at("W").rightCols(30) == x);
  const auto ready = wf::executable_graph_bool::prepare(g.view());
  REQUIRE(ready);
  const auto in_doubles = wf::executable_graph::prepare(g.view());
  REQUIRE(in_doubles);
  CHECK(4 * ready->workspace_bytes() < in_doubles->workspace_bytes());
}

TEST_CASE("sums of booleans are numbers that must be booleans") {
  const auto contract = [](const matrix<bool>& a, const matrix<bool>& b) {
    const std::vector<wf::attribute_value> how = {
        wf::attribute_value::string("equation", "ab,bc->ac"),
        wf::attribute_value::integer("points", 8)};
    const wf::graph g = one_node("einsum", {of<bool>(2, 2), of<bool>(2, 2)}, how);
    const auto y = run_one<bool>(g, {a, b});
    const auto x = run_one<double>(g, {a.cast<double>(), b.cast<double>()});
    const auto z = run_one<std::int32_t>(g, {a.cast<int>(), b.cast<int>()});
    REQUIRE(y.has_value() == x.has_value());
    REQUIRE(z.has_value() == x.has_value());
    if (y) CHECK(y->cast<double>() == *x);
    return y.has_value();
  };
  for (int i = 0; i < 256; i += 7) {
    matrix<bool> a(2, 2), b(2, 2);
    for (int j = 0; j < 4; ++j) a(j) = (i >> j & 1) != 0, b(j) = (i >> (4 + j) & 1) != 0;
    const Eigen::MatrixXi exact = a.cast<int>() * b.cast<int>();
    CHECK(contract(a, b) == (exact.maxCoeff() <= 1));
  }
}

TEST_CASE("an executor refuses elements that it does not hold, and names the one that does") {
  const auto refusal = [](const auto& prepared) {
    REQUIRE_FALSE(prepared);
    CHECK(prepared.error().code == wf::errc::not_executable);
    return message(prepared.error());
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const auto real = formula("input A : f64[2]; B = exp(A); export B");
  CHECK(has(refusal(wf::executable_graph_i64::prepare(real.view())), "use wf::executable_graph"));
  const auto narrow = formula("input A : i8[2]; B = A + A; export B");
  CHECK(has(refusal(wf::executable_graph_bool::prepare(narrow.view())),
            "wf::executable_graph_i32 or wf::executable_graph_i64"));
  const auto wide = formula("input A : i8[2]; input C : i64[2]; B = A + A; D = C; export B, D");
  const std::string which = refusal(wf::executable_graph_bool::prepare(wide.view()));
  CHECK(has(which, "use wf::executable_graph_i64"));
  const auto mixed =
      formula("input A : i8[2]; input C : f64[2]; B = A + A; D = C + C; export B, D");
  const std::string doubles = refusal(wf::executable_graph_bool::prepare(mixed.view()));
  CHECK(has(doubles, "use wf::executable_graph"));
  CHECK_FALSE(has(doubles, "executable_graph_i"));
  wf::graph handed("handed");
  handed.add_output("y", handed.add_input("x", of<double>(2)));
  CHECK_FALSE(wf::executable_graph_i32::prepare(handed.view()));
  // Positions have type i64, and must fit 32 bits.
  const auto place = formula("input A : i32[5]; p = arg_max(A); export p");
  const auto y = wf::run_dynamic_i32(place.view(), {{"A", matrix<int>{{1}, {7}, {3}, {7}, {0}}}});
  REQUIRE_MESSAGE(y, message(y.error()));
  CHECK(y->at("p")(0) == 1);
  // Arguments must be representable in their inputs' types.
  const auto beyond = wf::run_dynamic_i32(narrow.view(), {{"A", matrix<int>{{1}, {128}}}});
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().code == wf::errc::argument_shape);
}

namespace {

constexpr wf::kernel_spec scaled{.name = "scaled",
                                 .domain = "own",
                                 .signature = "A: integer [...], by: real = 3 -> C[...]",
                                 .costs = {{"flops", "C"}},
                                 .laws = {.elementwise = true}};
constexpr wf::kernel_spec reversed{.name = "reversed",
                                   .domain = "own",
                                   .signature = "A: integer [M, N] -> C[M, N]",
                                   .costs = {{"flops", "C"}}};
constexpr auto own = wf::implementations(
    wf::implement_elementwise<scaled>(
        [](auto x, auto by) { return static_cast<double>(x) * static_cast<double>(by); }),
    wf::implement<reversed>([](auto& c, const auto& a) { c = a.colwise().reverse(); }));

template <class T>
wf::result<matrices<T>> run_own(double by, const matrix<T>& a) {
  wf::registry kernels = wf::builtin_registry();
  REQUIRE(kernels.add(wf::view<wf::kernel_spec>(wf::executable_kernels<own, T>)));
  wf::graph g("own");
  const wf::value_type type = of<T>(a.rows(), a.cols());
  const wf::value_id a_id = g.add_input("A", type);
  const wf::attribute_value with[] = {wf::attribute_value::floating("by", by)};
  const auto b = wf::graph_view::output_of(
      g[g.add_node({.op = "scaled", .domain = "own", .attributes = with}, {&a_id, 1}, {&type, 1})]);
  const auto c = wf::graph_view::output_of(
      g[g.add_node({.op = "reversed", .domain = "own"}, {&b, 1}, {&type, 1})]);
  g.add_output("C", c);
  wf::execution_options options;
  options.kernels = &kernels;
  const auto ready = wf::basic_executable_graph<T>::prepare(g.view(), options);
  REQUIRE_MESSAGE(ready, message(ready.error()));
  return (*ready)({{"A", a}});
}

}  // namespace

TEST_CASE_TEMPLATE("operators of the user's own run in integers where their functions are given", T,
                   std::int32_t, std::int64_t) {
  const matrix<T> a{{2, 4}, {-6, 8}, {0, 10}};
  const auto y = run_own<T>(2.5, a);
  REQUIRE_MESSAGE(y, message(y.error()));
  CHECK(y->at("C") == matrix<T>{{0, 25}, {-15, 20}, {5, 10}});
  // A fraction, and an integer that is too large.
  CHECK(run_own<T>(0.25, a).error().code == wf::errc::numerical_failure);
  CHECK(run_own<T>(1e18, a).error().code == wf::errc::numerical_failure);
}

TEST_CASE("literals of integers and booleans are exact") {
  const auto of = [](wf::dtype type, auto... number) {
    const std::array numbers{number...};
    return wf_test::literal_graph({type, {}, wf::shape::of(numbers.size())}, [&](std::int64_t i) {
      return numbers[static_cast<std::size_t>(i)];
    });
  };
  constexpr std::int64_t large = (std::int64_t{1} << 62) + 1;
  const wf::graph i64 = of(wf::dtype::i64, large, -large, INT64_MIN);
  const auto y = wf::run_dynamic_i64(i64.view(), {});
  REQUIRE(y);
  CHECK(y->at("y")(0) == large);
  CHECK(y->at("y")(1) == -large);
  CHECK(y->at("y")(2) == INT64_MIN);
  // Doubles cannot represent them: an error.
  CHECK(wf::run_dynamic(i64.view(), {}).error().code == wf::errc::numerical_failure);
  // Unsigned numbers are supported if they fit.
  CHECK(wf::run_dynamic_i64(of(wf::dtype::u32, UINT32_MAX).view(), {})->at("y")(0) == UINT32_MAX);
  CHECK(wf::run_dynamic_i64(of(wf::dtype::u64, UINT64_MAX).view(), {}).error().code ==
        wf::errc::numerical_failure);
  CHECK(wf::run_dynamic_i32(of(wf::dtype::i8, -128, 127).view(), {})->at("y")(0) == -128);
  const auto bits = wf::run_dynamic_bool(of(wf::dtype::boolean, true, false, true).view(), {});
  REQUIRE(bits);
  CHECK((bits->at("y")(0) && !bits->at("y")(1) && bits->at("y")(2)));
}
