// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/canonical/canonical.hpp>

#include "../pass_properties.hpp"
#include "../renamed.hpp"

namespace {

const auto exact = [](const wf::graph_view& g) { return wf::canonicalise(g); };
const auto real = [](const wf::graph_view& g) {
  return wf::canonicalise(g, wf::builtin_registry(), wf::algebra::real);
};

constexpr wf::text_view swapped[] = {R"(wf.graph 1 "g"
input "x" : f64[3]
input "y" : f64[3]
node elementwise.add(%0, %1) -> f64[3]
node nn.relu(%2) -> f64[3]
output "z" = %3
)",
                                     R"(wf.graph 1 "g"
input "x" : f64[3]
input "y" : f64[3]
node elementwise.add(%1, %0) -> f64[3]
node nn.relu(%2) -> f64[3]
output "z" = %3
)"};
constexpr bool is_one_form() {
  const wf::graph a = wf_test::graph_of(swapped[0]), b = wf_test::graph_of(swapped[1]);
  const auto c = wf::canonicalise(a.view()), d = wf::canonicalise(b.view());
  return c && d && wf::same(c->view(), d->view());
}
static_assert(is_one_form());

wf::graph canonical(wf::text_view source, wf::algebra allowed) {
  const wf::graph g = wf_test::graph_of(source);
  REQUIRE(wf::validate(g.view()));
  const auto made = wf::canonicalise(g.view(), wf::builtin_registry(), allowed);
  REQUIRE(made);
  CHECK(wf::validate(made->view()));
  return *made;
}

}  // namespace

TEST_CASE("a round of swaps is one round and one that finds nothing") {
  const wf::registry kernels = wf::builtin_registry();
  const wf::graph g = wf_test::graph_of(swapped[0]), h = wf_test::graph_of(swapped[1]);
  wf::detail::canonicaliser first(g.view(), wf::algebra::exact, kernels);
  wf::detail::canonicaliser second(h.view(), wf::algebra::exact, kernels);
  const auto a = first.run(), b = second.run();
  REQUIRE((a && b));
  CHECK(first.has_changed() != second.has_changed());
  CHECK(wf::same(a->view(), b->view()));
}

TEST_CASE("involutions of several operands are undone, on qubits") {
  const wf::text_view circuit = R"(wf.graph 1 "g"
input "c" : qubit[2]
input "t" : qubit[2]
node quantum.hadamard(%0) -> qubit[2]
node quantum.cnot(%2, %1) -> qubit[2], qubit[2]
node quantum.cnot(%3, %4) -> qubit[2], qubit[2]
node quantum.hadamard(%5) -> qubit[2]
node quantum.phase_t(%6) -> qubit[2]
node quantum.phase_t_inverse(%8) -> qubit[2]
output "d" = %7
output "u" = %9
)";
  CHECK(canonical(circuit, wf::algebra::exact).view().nodes.empty());
  const wf::text_view crossed = R"(wf.graph 1 "g"
input "c" : qubit[2]
input "t" : qubit[2]
node quantum.cnot(%0, %1) -> qubit[2], qubit[2]
node quantum.cnot(%3, %2) -> qubit[2], qubit[2]
output "d" = %4
output "u" = %5
)";
  CHECK(canonical(crossed, wf::algebra::exact).view().nodes.size() == 2);
}

TEST_CASE("names go on to what stands for a node") {
  const wf::graph made = canonical(R"(wf.graph 1 "g"
input "x" : f64[3]
node elementwise.constant() [value = 1] -> f64[]
node elementwise.exp(%0) -> f64[3]
node elementwise.multiply(%2, %1) named "scaled" -> "s" : f64[3]
output "z" = %3
)",
                                   wf::algebra::exact);
  const wf::graph_view g = made.view();
  REQUIRE(g.nodes.size() == 1);
  CHECK(g.text_of(g.nodes[0].name) == "scaled");
  CHECK(g.text_of(g[g.outputs[0].source].name) == "s");
}

TEST_CASE("what was not read stays, what is no longer read goes") {
  const wf::graph made = canonical(R"(wf.graph 1 "g"
input "x" : f64[3]
node elementwise.exp(%0) -> f64[3]
node elementwise.negate(%0) -> f64[3]
node elementwise.negate(%2) -> f64[3]
output "z" = %3
)",
                                   wf::algebra::exact);
  REQUIRE(made.view().nodes.size() == 1);
  CHECK(made.view().op_name(made.view().nodes[0]) == "exp");
}

TEST_CASE("the canonical form keeps what random workflows compute, bit by bit") {
  const auto counts = wf_test::check_pass(exact, 20261203, 80);
  CHECK(counts.runs > 60);
  CHECK(counts.changed > 40);
  wf_test::check_executables(exact, 20261224, 40);
  wf_test::check_odd_graphs(exact, 20261204, 150);
}

TEST_CASE("in real algebra it keeps what is computed, bit by bit where nothing rounds") {
  wf_test::workflow_options options;
  options.small_integers = true;
  const auto counts = wf_test::check_pass(real, 20261205, 60, options);
  CHECK(counts.runs == 120);
  CHECK(counts.changed > 40);
  options.edges = options.effects = options.peers = false;
  options.nodes = 50;
  wf_test::check_pass(real, 20261206, 30, options);
  wf_test::check_executables(real, 20261225, 40, 1e-6);
  wf_test::check_odd_graphs(real, 20261207, 150);
}

TEST_CASE("20,000 nodes") {
  const wf::graph g = wf_test::large_workflow(20'000);
  CHECK(wf_test::passed(exact, g.view()).view().nodes.size() < 20'001);
  CHECK(wf_test::passed(real, g.view()).view().nodes.size() < 20'001);
}

TEST_CASE("a sum of 20,000 terms, and as many products with a common factor") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(4)};
  const wf::value_id x = g.add_input("x", t);
  wf::value_id sum = x;
  for (int i = 0; i < 10'000; ++i) {
    const wf::value_id y = g.add_input((wf::text("y") << i).view(), t);
    const wf::value_id factors[] = {x, y};
    const wf::value_id terms[] = {
        sum, wf::graph_view::output_of(
                 g[g.add_node({.op = "multiply", .domain = "elementwise"}, factors, {&t, 1})])};
    sum = wf::graph_view::output_of(
        g[g.add_node({.op = "add", .domain = "elementwise"}, terms, {&t, 1})]);
  }
  g.add_output("z", sum);
  const wf::graph made = wf_test::passed(real, g.view());
  std::size_t products = 0;
  for (const wf::node& n : made.view().nodes)
    if (made.view().op_name(n) == "multiply") ++products;
  CHECK(products == 1);
  CHECK(made.view().nodes.size() == 10'001);
}

TEST_CASE("identities hold of what operators mean, not of their names") {
  const std::uint64_t seed = 20261127;
  CAPTURE(seed);
  wf_test::random_source random(seed);
  const wf_test::renamed_registry own(wf::builtin_registry());
  const auto operators = [](const wf::graph_view& g) {
    std::multiset<std::string> out;
    for (const wf::node& n : g.nodes) out.emplace(g.op_name(n));
    return out;
  };
  std::size_t fewer = 0;
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    const wf::algebra allowed = round % 2 == 0 ? wf::algebra::exact : wf::algebra::real;
    const wf::graph g = wf_test::redundant_workflow(random);
    const auto made = wf::canonicalise(g.view(), wf::builtin_registry(), allowed);
    const auto same = wf::canonicalise(own.renamed(g.view()).view(), own.kernels(), allowed);
    REQUIRE(made);
    REQUIRE(same);
    const wf::graph back = wf_test::renamed_registry::original(same->view());
    CHECK(operators(back.view()) == operators(made->view()));
    if (allowed == wf::algebra::exact) {
      // The order of operands depends on digests, hence on names; the computed values do not.
      const wf_test::named_elements arguments = wf_test::random_arguments(g.view(), random);
      const wf_test::run_outcome wanted = wf_test::execute(g.view(), arguments);
      const wf_test::run_outcome given = wf_test::execute(back.view(), arguments);
      if (wanted.failure.empty()) {
        CHECK(given.failure == "");
        for (const auto& [name, elements] : wanted.outputs)
          CHECK(wf_test::same_elements(elements, given.outputs.at(name)));
      }
    }
    fewer += g.view().nodes.size() - made->view().nodes.size();
  }
  CHECK(fewer > 80);
}
