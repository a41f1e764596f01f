// SPDX-License-Identifier: BSL-1.0
#include <wf/lint/lint.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/registry/registry.hpp>

#include "../ir/random_graph.hpp"
#include "linted.hpp"

// Positive and negative cases of each rule; those of the precision rules are in precision.cpp.

namespace {

using wf::lint_rule, wf_test::graph_with, wf_test::linted, wf_test::list, wf_test::str;

constexpr wf::text_view source = R"(wf.graph 1 "model"
input "x" : f64[3]
input "y" : f64[3]
node relu(%0) named "x" at "model.cpp":12:3 -> f64[3]
node exp(%2) at "model.cpp":13:5 -> f64[3]
output "out" = %2
)";
constexpr wf::text_view rendered =
    "model: warning: nothing reads the input 'y' [unused_input]\n"
    "model.cpp:12:3: warning: the node 'x' has the name of an input [shadowed_name]\n"
    "model.cpp:13:5: warning: exp#1 is dead: nothing reads its results [dead_node]\n";
constexpr bool lints_while_compiling() {
  const auto g = wf::parse_graph(source);
  const wf::findings all = wf::lint(*g);
  const wf::findings strict = wf::lint(*g, {.errors = lint_rule::shadowed_name});
  return wf::to_text(all) == wf::text(rendered) && wf::error_of(all).code == wf::errc::none &&
         wf::error_of(strict) ==
             wf::make_error(wf::errc::lint_failed, "x",
                            "the node 'x' has the name of an input [shadowed_name]", {12, 3, 0});
}
static_assert(lints_while_compiling());

}  // namespace

TEST_CASE("a lint reports in the order of the graph, as compilers do") {
  CHECK(lints_while_compiling());
  const auto g = wf::parse_graph(source);
  CHECK(str(wf::to_text(wf::lint(*g))) == std::string(rendered));
  const wf::findings all = wf::lint(*g);
  REQUIRE(all.list.size() == 3);
  CHECK(all.list[0].value == wf::value_id{1});
  CHECK(all.list[0].node == wf::node_id::none);
  CHECK(all.list[1].node == wf::node_id{0});
  CHECK(all.list[1].subject == wf::text("x"));
  CHECK(all.list[2].line == 13);
}

TEST_CASE("options turn rules off, raise them, and drop what is less severe") {
  const auto g = wf::parse_graph(source);
  CHECK(wf::lint(*g, {.off = lint_rule::dead_node}).list.size() == 2);
  CHECK(wf::lint(*g, {.off = wf::lint_rule_set::all()}).empty());
  CHECK(wf::lint(*g, {.warnings_as_errors = true}).count(wf::severity::error) == 3);
  CHECK(wf::lint(*g, {.errors = lint_rule::dead_node}).count(wf::severity::error) == 1);
  CHECK(wf::lint(*g, {.errors = lint_rule::dead_node, .least = wf::severity::error}).list.size() ==
        1);
  CHECK(wf::lint(*g, {.least = wf::severity::error}).empty());
  const std::string noted =
      "input \"a\" : f64[]\nnode subtract(%0, %0) -> f64[]\n"
      "node sqrt(%1) -> f64[]\noutput \"y\" = %2\n";
  CHECK(wf::lint(graph_with(noted)).list.size() == 1);
  CHECK(wf::lint(graph_with(noted), {.least = wf::severity::warning}).empty());
  CHECK(wf::lint(graph_with(noted), {.warnings_as_errors = true}).count(wf::severity::error) == 0);
  CHECK(wf::lint(graph_with(noted), {.errors = lint_rule::unguarded_domain})
            .count(wf::severity::error) == 1);
}

TEST_CASE("unused inputs") {
  constexpr lint_rule rule = lint_rule::unused_input;
  CHECK(linted("input \"x\" : f64[3]\n", rule) ==
        list{"warning: nothing reads the input 'x' [unused_input]"});
  CHECK(linted("input \"x\" : f64[3]\nnode relu(%0) -> f64[3]\n", rule).empty());
  CHECK(linted("input \"x\" : f64[3]\noutput \"y\" = %0\n", rule).empty());
}

TEST_CASE("dead nodes") {
  constexpr lint_rule rule = lint_rule::dead_node;
  const std::string chain =
      "input \"x\" : f64[3]\nnode relu(%0) named \"a\" -> f64[3]\nnode exp(%1) named \"b\" -> "
      "f64[3]\n";
  CHECK(linted(chain, rule) ==
        list{"warning: relu 'a' is dead: only dead nodes read its results [dead_node]",
             "warning: exp 'b' is dead: nothing reads its results [dead_node]"});
  CHECK(linted(chain + "output \"y\" = %1\n", rule).size() == 1);
  CHECK(linted(chain + "output \"y\" = %2\n", rule).empty());
  CHECK(linted(chain + "node send(%2) [to = \"p\"] effect external -> bool[]\n", rule).empty());
  CHECK(linted(chain + "node io.print() effect external\nedge control @1 -> @2\n", rule).empty());
  CHECK(linted(chain + "node io.print() effect external\nedge control @2 -> @1\n", rule).size() ==
        2);
  // The rule reports exactly the nodes that the pass drops.
  wf_test::random_source random(7);
  for (int i = 0; i < 100; ++i) {
    const wf::graph g = wf_test::random_graph(random);
    const auto dropped = wf::drop_dead(g);
    REQUIRE(dropped);
    std::size_t found = 0;
    for (const wf::finding& f : wf::lint(g).list)
      if (f.rule == rule) ++found;
    CHECK(found == g.view().nodes.size() - dropped->view().nodes.size());
  }
}

TEST_CASE("shadowed names") {
  constexpr lint_rule rule = lint_rule::shadowed_name;
  const std::string input = "input \"x\" : f64[3]\n";
  CHECK(linted(input + "node relu(%0) named \"h\" -> f64[3]\nnode exp(%1) named \"h\" -> f64[3]\n",
               rule) == list{"warning: the node 'h' has the name of relu#0 [shadowed_name]"});
  CHECK(linted(input + "node relu(%0) named \"x\" -> f64[3]\n", rule) ==
        list{"warning: the node 'x' has the name of an input [shadowed_name]"});
  CHECK(linted(input + "node relu(%0) -> \"x\" : f64[3]\n", rule) ==
        list{"warning: the result 'x' has the name of an input [shadowed_name]"});
  CHECK(linted(input + "node relu(%0) -> \"v\" : f64[3]\nnode exp(%0) -> \"v\" : f64[3]\n", rule) ==
        list{"warning: the result 'v' has the name of a result of relu#0 [shadowed_name]"});
  CHECK(linted(input + "node relu(%0) named \"h\" -> \"h\" : f64[3]\noutput \"h\" = %1\n", rule)
            .empty());
  CHECK(linted(input + "node relu(%0) named \"h\" -> f64[3]\noutput \"x\" = %1\n", rule) ==
        list{"warning: the output 'x' is 'h', but has the name of an input [shadowed_name]"});
  CHECK(linted(input + "node relu(%0) named \"h\" -> f64[3]\noutput \"h\" = %0\n", rule) ==
        list{"warning: the output 'h' is 'x', but has the name of relu#0 [shadowed_name]"});
  CHECK(
      linted(input + "node relu(%0) named \"h\" -> f64[3]\noutput \"h\" = %1\noutput \"x\" = %0\n",
             rule)
          .empty());
  CHECK(linted(input + "node lu(%0) named \"h\" -> f64[3], i64[3]\noutput \"h\" = %2\n", rule)
            .empty());
}

TEST_CASE("unknown operators and unknown costs") {
  const wf::lint_rule_set rules =
      wf::lint_rule_set(lint_rule::unknown_operator) | lint_rule::unknown_cost;
  const std::string input = "input \"x\" : f64[3]\n";
  CHECK(linted(input + "node user.clip(%0) -> f64[3]\n", rules) ==
        list{"warning: no kernel is registered for the operator of clip#0 [unknown_operator]"});
  CHECK(linted(input + "node relu(%0) -> f64[3]\n", rules).empty());
  const std::string opaque =
      "node \"::opaque::f\"(%0) [signature = \"x: number [N] -> y: number [N]\"]";
  CHECK(linted(input + opaque + " named \"f\" -> f64[3]\n", rules) ==
        list{"warning: the price of ::opaque::f 'f' is not known in flops [unknown_cost]"});
  CHECK(linted(input + opaque + " cost [flops = \"2*N\"] -> f64[3]\n", rules).empty());
  CHECK(linted(input + "node relu(%0) cost [flops = \"unknown\"] -> f64[3]\n", rules).size() == 1);
  // Other metrics, and symbolic workflows.
  const wf::metric_spec metrics[] = {wf::flops, wf::energy, wf::latency, wf::bytes,
                                     wf::peak_memory};
  const wf::lint_options asked{.metrics = metrics};
  CHECK(linted("input \"x\" : f64[M]\nnode relu(%0) -> f64[M]\n", rules, asked) ==
        list{"warning: the price of relu#0 is not known in energy, latency [unknown_cost]"});
  CHECK(linted("input \"x\" : f64[M]\nnode relu(%0) cost [energy = \"2*X\", latency = \"3\"] -> "
               "f64[M]\n",
               rules, asked)
            .empty());
  CHECK(
      linted(input + opaque + " cost [flops = \"1\", energy = \"1\", latency = \"1\"] -> f64[3]\n",
             rules, asked) ==
      list{"warning: the price of ::opaque::f#0 is not known in peak_memory [unknown_cost]"});
  // A formula without symbols of the node gives no price either.
  CHECK(linted(input + "node relu(%0) cost [flops = \"K\"] -> f64[3]\n", rules).size() == 1);
  // A rotation whose number of T gates is not stated.
  const wf::metric_spec t_gates[] = {wf::t_count};
  CHECK(linted("input \"q\" : qubit[3]\nnode quantum_fourier(%0) -> qubit[3]\n", rules,
               {.metrics = t_gates})
            .size() == 1);
  CHECK(
      linted("input \"q\" : qubit[3]\nnode quantum_fourier(%0) [t_per_rotation = 9] -> qubit[3]\n",
             rules, {.metrics = t_gates})
          .empty());
  // A missing type means no price, but the operator is not at fault.
  CHECK(linted("input \"x\" : unknown[...]\nnode relu(%0) cost [flops = \"unknown\"] -> f64[3]\n",
               rules)
            .empty());
  CHECK(linted(input + "node call(%0) [body = \"\"] -> f64[3]\n", rules).empty());
}

TEST_CASE("users' own kernels are known") {
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(wf::kernel_spec{.name = "clip",
                                .domain = "user",
                                .signature = "A: floating [...] -> C[...]",
                                .costs = {{"flops", "2*C"}}}));
  const auto g =
      graph_with("input \"x\" : f64[3]\nnode user.clip(%0) -> f64[3]\noutput \"y\" = %1\n");
  CHECK(wf::lint(g, r).empty());
  CHECK(wf::lint(g).list.size() == 1);
}

TEST_CASE("any valid graph can be linted, twice with the same result") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    wf_test::random_source random(seed);
    const wf::graph g = wf_test::random_graph(random);
    const wf::findings first = wf::lint(g);
    CHECK(first == wf::lint(g));
    CHECK(wf::lint(g, {.warnings_as_errors = true}).count(wf::severity::error) ==
          first.count(wf::severity::warning));
  }
}
