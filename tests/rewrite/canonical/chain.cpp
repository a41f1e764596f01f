// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/canonical/chain.hpp>

#include <wf/cost/cost.hpp>
#include <wf/rewrite/canonical/canonical.hpp>

#include "../pass_properties.hpp"

namespace {

constexpr wf::text_view inputs = R"(wf.graph 1 "g"
input "a" : f64[3, 3]
input "b" : f64[3, 3]
input "c" : f64[3, 3]
input "d" : f64[3, 3]
input "s" : f64[]
input "v" : f64[3]
)";

wf::graph of(wf::text_view nodes, wf::text_view z, wf::algebra allowed = wf::algebra::real) {
  wf::text t;
  t << inputs << nodes << "output \"z\" = " << z << "\n";
  const wf::graph g = wf_test::graph_of(t.view());
  REQUIRE(wf::validate(g.view()));
  const auto made = wf::canonicalise(g.view(), wf::builtin_registry(), allowed);
  REQUIRE(made);
  CHECK(wf::validate(made->view()));
  return *made;
}
std::size_t count(const wf::graph& g, wf::text_view op) {
  REQUIRE(wf::builtin_registry().find(op) != nullptr);
  std::size_t n = 0;
  for (const wf::node& x : g.view().nodes) n += g.view().op_name(x) == op ? 1 : 0;
  return n;
}
wf::digest128 form(wf::text_view nodes, wf::text_view z, wf::algebra allowed = wf::algebra::real) {
  return wf::digest(of(nodes, z, allowed).view());
}

constexpr wf::text_view left = R"(node elementwise.add(%0, %1) -> f64[3, 3]
node elementwise.add(%6, %2) -> f64[3, 3]
node elementwise.add(%7, %4) -> f64[3, 3]
)";
constexpr wf::text_view right = R"(node elementwise.add(%4, %2) -> f64[3, 3]
node elementwise.add(%6, %1) -> f64[3, 3]
node elementwise.add(%0, %7) -> f64[3, 3]
)";

constexpr bool factors_while_compiling() {
  const wf::graph g = wf_test::graph_of(R"(wf.graph 1 "g"
input "a" : f64[3]
input "b" : f64[3]
input "c" : f64[3]
node elementwise.multiply(%0, %1) -> f64[3]
node elementwise.multiply(%2, %0) -> f64[3]
node elementwise.add(%3, %4) -> f64[3]
output "z" = %5
)");
  const auto made = wf::canonicalise(g.view(), wf::builtin_registry(), wf::algebra::real);
  return made && made->view().nodes.size() == 2;
}
static_assert(factors_while_compiling());

}  // namespace

TEST_CASE("sums have one form, whatever their grouping and order") {
  CHECK(form(left, "%8") == form(right, "%8"));
  CHECK(form(left, "%8", wf::algebra::exact) != form(right, "%8", wf::algebra::exact));
  const wf::graph g = of(right, "%8");
  CHECK(count(g, "add") == 3);
  // Every partial sum has its former size.
  for (const wf::node& n : g.view().nodes)
    CHECK(g.view().values[n.outputs.first].type.shape == wf::shape::of(3, 3));
}

TEST_CASE("a chain ends where it is read twice, handed out, or of another shape") {
  const wf::text_view twice = R"(node elementwise.add(%0, %1) -> f64[3, 3]
node elementwise.add(%6, %2) -> f64[3, 3]
node elementwise.add(%6, %3) -> f64[3, 3]
node linalg.matmul(%7, %8) -> f64[3, 3]
)";
  CHECK(count(of(twice, "%9"), "add") == 3);
  // A value that also replaces another one is read by the readers of both.
  const wf::text_view two = R"(node elementwise.add(%0, %1) -> f64[3, 3]
node elementwise.constant() [value = 0] -> f64[]
node elementwise.add(%6, %7) -> f64[3, 3]
node elementwise.add(%8, %2) -> f64[3, 3]
node linalg.matmul(%6, %9) -> f64[3, 3]
)";
  CHECK(count(of(two, "%10"), "add") == 2);
  const wf::text_view row = R"(node elementwise.add(%5, %4) -> f64[3]
node elementwise.add(%0, %6) -> f64[3, 3]
)";
  const wf::graph g = of(row, "%7");
  REQUIRE(count(g, "add") == 2);
  CHECK(g.view().values[g.view().nodes[0].outputs.first].type.shape == wf::shape::of(3));
}

TEST_CASE("numbers of a chain become one") {
  const wf::graph g = of(R"(node elementwise.constant() [value = 0.25] -> f64[]
node elementwise.add(%0, %6) -> f64[3, 3]
node elementwise.constant() [value = 2] -> f64[]
node elementwise.add(%8, %7) -> f64[3, 3]
node elementwise.add(%9, %1) -> f64[3, 3]
)",
                         "%10");
  CHECK(count(g, "add") == 2);
  REQUIRE(count(g, "constant") == 1);
  CHECK(g.view().attributes[0].real == 2.25);
}

TEST_CASE("repeated terms of an idempotent operator count once, on booleans exactly") {
  const auto make = [](wf::text_view type, wf::text_view op, wf::algebra allowed) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"a\" : " << type << "[3]\ninput \"b\" : " << type << "[3]\n";
    for (wf::text_view operands : {"(%0, %1)", "(%2, %0)", "(%1, %3)"})
      t << "node elementwise." << op << operands << " -> " << type << "[3]\n";
    t << "output \"z\" = %4\n";
    return wf::canonicalise(wf_test::graph_of(t.view()).view(), wf::builtin_registry(), allowed)
        ->view()
        .nodes.size();
  };
  CHECK(make("bool", "logical_or", wf::algebra::exact) == 1);
  CHECK(make("f64", "maximum", wf::algebra::exact) == 3);
  CHECK(make("f64", "maximum", wf::algebra::real) == 1);
}

TEST_CASE("products with a common factor become one, on either side") {
  const wf::graph g = of(R"(node elementwise.multiply(%0, %1) -> f64[3, 3]
node elementwise.multiply(%2, %0) -> f64[3, 3]
node elementwise.add(%6, %3) -> f64[3, 3]
node elementwise.add(%8, %7) -> f64[3, 3]
)",
                         "%9");
  CHECK(count(g, "multiply") == 1);
  CHECK(count(g, "add") == 2);
  const wf::graph matrices = of(R"(node linalg.matmul(%0, %1) -> f64[3, 3]
node linalg.matmul(%0, %2) -> f64[3, 3]
node elementwise.subtract(%6, %7) -> f64[3, 3]
)",
                                "%8");
  CHECK(count(matrices, "matmul") == 1);
  CHECK(count(matrices, "subtract") == 1);
  CHECK(matrices.view().inputs_of(matrices.view().nodes[1])[0] == wf::value_id{0});
  const wf::graph sides = of(R"(node linalg.matmul(%0, %1) -> f64[3, 3]
node linalg.matmul(%2, %0) -> f64[3, 3]
node elementwise.add(%6, %7) -> f64[3, 3]
)",
                             "%8");
  CHECK(count(sides, "matmul") == 2);
  const wf::graph truths =
      wf_test::passed([](const wf::graph_view& v) { return wf::canonicalise(v); },
                      wf_test::graph_of(R"(wf.graph 1 "g"
input "a" : bool[3]
input "b" : bool[3]
input "c" : bool[3]
node elementwise.logical_and(%0, %1) -> bool[3]
node elementwise.logical_and(%2, %0) -> bool[3]
node elementwise.logical_or(%3, %4) -> bool[3]
output "z" = %5
)"));
  CHECK(truths.view().nodes.size() == 2);
}

TEST_CASE("a factor comes out only where that saves operations") {
  // (K x 1) times (1 x N) once or twice costs 4 K N + K N; adding the factors first costs 2 more.
  const auto products = [](wf::text_view m, wf::text_view k, wf::text_view n) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"a\" : f64[" << m << ", " << k << "]\ninput \"b\" : f64[" << k
      << ", " << n << "]\ninput \"c\" : f64[" << k << ", " << n << "]\n";
    for (int i = 0; i < 2; ++i)
      t << "node linalg.matmul(%0, %" << 1 + i << ") -> f64[" << m << ", " << n << "]\n";
    t << "node elementwise.add(%3, %4) -> f64[" << m << ", " << n << "]\noutput \"z\" = %5\n";
    const wf::graph g = wf_test::graph_of(t.view());
    const auto made = wf::canonicalise(g.view(), wf::builtin_registry(), wf::algebra::real);
    REQUIRE(made);
    return count(*made, "matmul");
  };
  CHECK(products("2", "5", "7") == 1);
  CHECK(products("M", "5", "7") == 2);  // unknown extent
  // A product that is read twice must be computed anyway.
  const wf::graph twice = of(R"(node elementwise.multiply(%0, %1) -> f64[3, 3]
node elementwise.multiply(%0, %2) -> f64[3, 3]
node elementwise.add(%6, %7) -> f64[3, 3]
node linalg.matmul(%6, %8) -> f64[3, 3]
)",
                             "%9");
  CHECK(count(twice, "multiply") == 2);
  const wf::graph both = of(R"(node elementwise.multiply(%0, %1) -> f64[3, 3]
node elementwise.multiply(%0, %2) -> f64[3, 3]
node elementwise.add(%6, %7) -> f64[3, 3]
node linalg.matmul(%6, %7) -> f64[3, 3]
node linalg.matmul(%8, %9) -> f64[3, 3]
)",
                            "%10");
  CHECK(count(both, "multiply") == 2);
}

TEST_CASE("nothing costs more than before") {
  wf_test::random_source random(20261208);
  wf_test::workflow_options options;
  options.small_integers = true;
  options.peers = false;
  const auto flops = [](const wf::graph_view& g) {
    const auto total = wf::total_cost<wf::rational>(g, wf::flops_::spec, wf::builtin_registry());
    REQUIRE(total);
    return *total;
  };
  std::size_t cheaper = 0;
  for (int round = 0; round < 100; ++round) {
    const wf::graph g = wf_test::redundant_workflow(random, options);
    const auto made = wf::canonicalise(g.view(), wf::builtin_registry(), wf::algebra::real);
    REQUIRE(made);
    INFO(wf_test::printed(g));
    INFO(wf_test::printed(*made));
    CHECK(flops(made->view()) <= flops(g.view()));
    if (flops(made->view()) < flops(g.view())) ++cheaper;
  }
  CHECK(cheaper > 50);
}
