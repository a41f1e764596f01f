// SPDX-License-Identifier: BSL-1.0
#pragma once

// Properties of every pass, checked on random workflows: it preserves the interface, the effectful
// nodes and the computed values; it is idempotent and independent of node numbers.

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/compare/digest.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/ir/graph/graph.hpp>
#include <wf/ir/graph/validate.hpp>

#include "../ir/edit_graph.hpp"

namespace wf_test {

// Elements in row-major order, by name of input or output.
using named_elements = std::map<std::string, std::vector<double>>;

struct run_outcome {
  std::string failure;
  named_elements outputs;
};

// Runs a static workflow with the run-time executor (compiled once, in rewrite.cpp).
run_outcome execute(const wf::graph_view& g, const named_elements& arguments);

struct workflow_options {
  std::size_t nodes = 30;
  // Elements are small integers in f64, with operators that are exact on them: equations of real
  // numbers hold bit by bit, except for the sign of 0.
  bool small_integers = false;
  bool edges = true;    // control and mutate edges
  bool effects = true;  // barriers
  bool peers = true;    // and declared costs
};

// A random executable workflow with many constants, views, repeated and unused computations. It
// depends on the random numbers alone. (Defined in dead.cpp.)
wf::graph redundant_workflow(random_source& random, const workflow_options& options = {});

// Elements for its inputs, with infinities, NaNs and zeros of both signs unless integers are
// required.
named_elements random_arguments(const wf::graph_view& g, random_source& random,
                                bool small_integers = false);

// A random workflow with most operators of the executor, and arguments on which it does not fail;
// with f64, integers and booleans only, or with smaller floating types as well. (Defined in
// rewrite.cpp, from ../run/random_workflow.hpp.)
struct executable_workflow {
  wf::graph graph;
  named_elements arguments;
};
executable_workflow random_executable(random_source& random, bool small_types);

inline std::string printed(const wf::graph_view& g) { return std::string(wf::to_text(g).view()); }

// The graph of a text, which must be valid.
constexpr wf::graph graph_of(wf::text_view source) {
  const auto g = wf::parse_graph(source);
  if (!g) return wf::graph("this is no graph");
  return *g;
}

// True if elements are equal bit by bit, except for the bits of NaNs.
inline bool same_elements(const std::vector<double>& a, const std::vector<double>& b,
                          bool zeros_are_one = false) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (zeros_are_one && a[i] == b[i]) continue;
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}

inline std::vector<wf::value> inputs_of(const wf::graph_view& g) {
  std::vector<wf::value> out;
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none) out.push_back(v);
  return out;
}

// Operators and names of the nodes with effects.
inline std::multiset<std::pair<std::string, std::string>> effects_of(const wf::graph_view& g) {
  std::multiset<std::pair<std::string, std::string>> out;
  for (const wf::node& n : g.nodes)
    if (n.effects != wf::effect::pure)
      out.emplace(std::string(g.op_name(n)), std::string(g.text_of(n.peer)));
  return out;
}

inline void check_interface(const wf::graph_view& before, const wf::graph_view& after) {
  CHECK(before.text_of(before.name) == after.text_of(after.name));
  const auto a = inputs_of(before), b = inputs_of(after);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(before.text_of(a[i].name) == after.text_of(b[i].name));
    CHECK(wf::detail::graph_comparison(before, after).same(a[i].type, b[i].type));
  }
  REQUIRE(before.outputs.size() == after.outputs.size());
  for (std::size_t i = 0; i < before.outputs.size(); ++i) {
    const wf::output &x = before.outputs[i], &y = after.outputs[i];
    CHECK(before.text_of(x.name) == after.text_of(y.name));
    wf::value_type s = before[x.source].type, t = after[y.source].type;
    s.known = t.known = {};  // a pass may infer more properties
    CHECK(wf::detail::graph_comparison(before, after).same(s, t));
  }
}

// The graph after the pass, which must succeed.
template <class Pass>
wf::graph passed(Pass pass, const wf::graph_view& g) {
  auto made = pass(g);
  INFO(printed(g));
  INFO(std::string(wf::to_text(made.error()).view()));
  REQUIRE(made);
  return *made;
}

// Checks the properties that need no execution; another order of insertion must give the same
// graph, up to `normal`.
template <class Pass, class Normal = std::identity>
wf::graph check_form(Pass pass, const wf::graph_view& g, random_source& random,
                     Normal normal = {}) {
  wf::graph made = passed(pass, g);
  INFO("before:\n", printed(g));
  INFO("after:\n", printed(made));
  CHECK(wf::validate(made.view()));
  check_interface(g, made.view());
  CHECK(effects_of(g) == effects_of(made.view()));
  const wf::graph again = passed(pass, made.view());
  INFO("again:\n", printed(again));
  CHECK(wf::same(again.view(), made.view()));
  const wf::graph other = put_together(disguised(take_apart(g), random));
  const wf::graph other_made = passed(pass, other.view());
  INFO("from another order:\n", printed(other_made));
  CHECK(wf::digest(normal(other_made).view()) == wf::digest(normal(made).view()));
  return made;
}

struct property_counts {
  std::size_t runs = 0;     // workflows whose run succeeded
  std::size_t changed = 0;  // workflows that the pass changed
};

// Checks a pass on random workflows, with execution before and after.
template <class Pass, class Normal = std::identity>
property_counts check_pass(Pass pass, std::uint64_t seed, std::size_t rounds,
                           const workflow_options& options = {}, Normal normal = {}) {
  CAPTURE(seed);
  random_source random(seed);
  property_counts counts;
  for (std::size_t round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const wf::graph g = redundant_workflow(random, options);
    const wf::graph made = check_form(pass, g.view(), random, normal);
    if (wf::digest(g.view()) != wf::digest(made.view())) ++counts.changed;
    for (int i = 0; i < 2; ++i) {
      const named_elements arguments = random_arguments(g.view(), random, options.small_integers);
      const run_outcome before = execute(g.view(), arguments);
      if (!before.failure.empty()) continue;
      ++counts.runs;
      const run_outcome after = execute(made.view(), arguments);
      INFO("before:\n", printed(g));
      INFO("after:\n", printed(made));
      REQUIRE(after.failure == "");
      for (const auto& [name, elements] : before.outputs) {
        CAPTURE(name);
        CHECK(same_elements(elements, after.outputs.at(name), options.small_integers));
      }
    }
  }
  return counts;
}

// Checks a pass on random workflows with all kinds of operators: results equal bit by bit, or up to
// rounding.
template <class Pass, class Normal = std::identity>
void check_executables(Pass pass, std::uint64_t seed, std::size_t rounds, double tolerance = 0,
                       Normal normal = {}) {
  CAPTURE(seed);
  random_source random(seed);
  for (std::size_t round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const executable_workflow w = random_executable(random, tolerance == 0);
    const wf::graph made = check_form(pass, w.graph.view(), random, normal);
    const run_outcome before = execute(w.graph.view(), w.arguments);
    const run_outcome after = execute(made.view(), w.arguments);
    INFO("before:\n", printed(w.graph));
    INFO("after:\n", printed(made));
    REQUIRE(before.failure == "");
    REQUIRE(after.failure == "");
    for (const auto& [name, elements] : before.outputs) {
      CAPTURE(name);
      const std::vector<double>& others = after.outputs.at(name);
      if (tolerance == 0) {
        CHECK(same_elements(elements, others));
        continue;
      }
      REQUIRE(elements.size() == others.size());
      for (std::size_t i = 0; i < elements.size(); ++i)
        if (elements[i] != others[i])
          CHECK(std::abs(elements[i] - others[i]) <= tolerance * (1 + std::abs(elements[i])));
    }
  }
}

// Checks a pass on random valid graphs with unknown operators.
template <class Pass>
void check_odd_graphs(Pass pass, std::uint64_t seed, std::size_t rounds) {
  CAPTURE(seed);
  random_source random(seed);
  for (std::size_t round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const wf::graph g = random_graph(random);
    if (wf::validate(g.view())) check_form(pass, g.view(), random);
  }
}

// A workflow of many nodes in crossing chains, which a pass must handle in (almost) linear time.
inline wf::graph large_workflow(std::size_t nodes) {
  wf::graph g("large");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(4, 4)};
  std::vector<wf::value_id> last = {g.add_input("a", t), g.add_input("b", t)};
  const wf::attribute_value one = wf::attribute_value::floating("value", 1);
  const wf::value_type scalar{wf::dtype::f64, {}, {}};
  const wf::node_id c = g.add_node(
      {.op = "constant", .domain = "elementwise", .attributes = {&one, 1}}, {}, {&scalar, 1});
  const wf::value_id unit = wf::graph_view::output_of(g[c]);
  const char* operators[] = {"add", "negate", "multiply", "transpose", "add", "relu", "subtract"};
  for (std::size_t i = 0; i < nodes; ++i) {
    const char* op = operators[i % 7];
    const wf::value_id operands[] = {last[i % 16 < 12 ? last.size() - 1 : last.size() / 2],
                                     i % 5 == 0 ? unit : last[last.size() - 1 - i % 2]};
    const bool unary = i % 7 == 1 || i % 7 == 3 || i % 7 == 5;
    const wf::node_id n = g.add_node({.op = op,
                                      .domain = i % 7 == 3   ? "linalg"
                                                : i % 7 == 5 ? "nn"
                                                             : "elementwise"},
                                     {operands, unary ? std::size_t{1} : std::size_t{2}}, {&t, 1});
    last.push_back(wf::graph_view::output_of(g[n]));
    if (i % 100 == 99)
      g.add_edge(wf::edge_kind::control, static_cast<wf::node_id>(i / 2 + 1),
                 static_cast<wf::node_id>(i + 1));
  }
  g.add_output("y", last.back());
  return g;
}

}  // namespace wf_test
