// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/canonical/identities.hpp>

#include <wf/registry/registry.hpp>
#include <wf/rewrite/canonical/canonical.hpp>

#include "../pass_properties.hpp"

namespace {

// The canonical form of %z, computed from inputs "x" and "y" of a type, [3], and constants: its
// operator and operands by name ("subtract x y"), or the value itself ("x").
constexpr wf::text described(const wf::graph_view& g, wf::value_id id, int depth = 0) {
  const wf::value& v = g[id];
  if (v.producer == wf::node_id::none) return wf::text(g.text_of(v.name));
  const wf::node& n = g[v.producer];
  wf::text out(g.op_name(n));
  if (out.view() == "constant") return wf::real_text(g.find_attribute(n, "value")->real);
  for (wf::value_id operand : g.inputs_of(n)) {
    const wf::text part = described(g, operand, depth + 1);
    out << ' ' << part.view();
  }
  if (depth == 0) return out;
  wf::text nested("(");
  nested << out.view() << ')';
  return nested;
}
constexpr wf::text form(wf::text_view type, wf::text_view nodes, wf::text_view z,
                        wf::algebra allowed) {
  wf::text t;
  t << "wf.graph 1 \"g\"\ninput \"x\" : " << type << "[3]\ninput \"y\" : " << type << "[3]\n";
  for (std::size_t i = 0; i < nodes.size(); ++i) {  // T is replaced by the type
    if (nodes[i] == 'T')
      t << type;
    else
      t << nodes[i];
  }
  t << "output \"z\" = " << z << "\n";
  const wf::graph g = wf_test::graph_of(t.view());
  const auto made = wf::canonicalise(g.view(), wf::builtin_registry(), allowed);
  if (!made) return wf::text("error");
  return described(made->view(), made->view().outputs[0].source);
}
// A binary operator on x and a number, in either order.
constexpr wf::text with_number(wf::text_view op, wf::text_view number, wf::text_view type = "f64",
                               wf::algebra allowed = wf::algebra::exact,
                               bool number_first = false) {
  wf::text nodes;
  nodes << "node elementwise.constant() [value = " << number << "] -> T[]\nnode elementwise." << op
        << (number_first ? "(%2, %0)" : "(%0, %2)") << " -> T[3]\n";
  return form(type, nodes.view(), "%3", allowed);
}
constexpr wf::text of(wf::text_view nodes, wf::text_view z, wf::text_view type = "f64",
                      wf::algebra allowed = wf::algebra::exact) {
  return form(type, nodes, z, allowed);
}
constexpr auto real = wf::algebra::real;

// Neutral elements, where they are exact.
static_assert(with_number("multiply", "1.0").view() == "x");
static_assert(with_number("multiply", "1", "f32", wf::algebra::exact, true).view() == "x");
static_assert(with_number("divide", "1.0").view() == "x");
static_assert(with_number("subtract", "0.0").view() == "x");
static_assert(with_number("subtract", "-0.0").view() == "subtract x -0.0");
static_assert(with_number("add", "-0.0").view() == "x");
static_assert(with_number("add", "0.0").view() == "add x 0.0");
static_assert(with_number("add", "0.0", "i32").view() == "x");
static_assert(with_number("add", "0.0", "f64", real).view() == "x");
static_assert(with_number("subtract", "-0.0", "f64", real).view() == "x");
static_assert(with_number("multiply", "1.0", "c64").view() != "x");
static_assert(with_number("divide", "1.0", "f64", real, true).view() == "divide 1.0 x");
// Signs.
static_assert(with_number("multiply", "-1.0").view() == "negate x");
static_assert(with_number("divide", "-1", "f16").view() == "negate x");
static_assert(with_number("multiply", "2.0").view() == "multiply x 2.0");
static_assert(of("node elementwise.negate(%0) -> T[3]\nnode elementwise.negate(%2) -> T[3]\n", "%3")
                  .view() == "x");
static_assert(of("node elementwise.negate(%1) -> T[3]\nnode elementwise.add(%0, %2) -> T[3]\n",
                 "%3")
                  .view() == "subtract x y");
static_assert(of("node elementwise.negate(%0) -> T[3]\nnode elementwise.add(%2, %1) -> T[3]\n",
                 "%3")
                  .view() == "subtract y x");
static_assert(of("node elementwise.negate(%1) -> T[3]\nnode elementwise.subtract(%0, %2) -> T[3]\n",
                 "%3", "i8")
                  .view()
                  .starts_with("add "));
static_assert(of("node elementwise.negate(%0) -> T[3]\nnode elementwise.negate(%1) -> T[3]\nnode "
                 "elementwise.divide(%2, %3) -> T[3]\n",
                 "%4")
                  .view() == "divide x y");
static_assert(of("node elementwise.negate(%0) -> T[3]\nnode elementwise.abs(%2) -> T[3]\nnode "
                 "elementwise.square(%3) -> T[3]\n",
                 "%4")
                  .view() == "square x");
static_assert(of("node elementwise.subtract(%0, %1) -> T[3]\nnode elementwise.negate(%2) -> T[3]\n",
                 "%3")
                  .view() == "negate (subtract x y)");
static_assert(of("node elementwise.subtract(%0, %1) -> T[3]\nnode elementwise.negate(%2) -> T[3]\n",
                 "%3", "i64")
                  .view() == "subtract y x");
static_assert(of("node elementwise.subtract(%0, %1) -> T[3]\nnode elementwise.negate(%2) -> T[3]\n",
                 "%3", "f64", real)
                  .view() == "subtract y x");
// Zeros, which would be wrong for infinities.
static_assert(of("node elementwise.subtract(%0, %0) -> T[3]\n", "%2").view() == "subtract x x");
static_assert(of("node elementwise.subtract(%0, %0) -> T[3]\n", "%2", "i8").view() ==
              "broadcast_to 0.0");
static_assert(of("node elementwise.subtract(%0, %0) -> T[3]\n", "%2", "f64", real).view() ==
              "broadcast_to 0.0");
static_assert(with_number("multiply", "0.0").view() == "multiply x 0.0");
static_assert(with_number("multiply", "0.0", "i64").view() == "broadcast_to 0.0");
static_assert(with_number("multiply", "0.0", "f32", real).view() == "broadcast_to 0.0");
static_assert(with_number("subtract", "0.0", "f64", wf::algebra::exact, true).view() ==
              "subtract 0.0 x");
static_assert(with_number("subtract", "0.0", "f64", real, true).view() == "negate x");
// Laws.
static_assert(of("node nn.relu(%0) -> T[3]\nnode nn.relu(%2) -> T[3]\n", "%3").view() == "relu x");
static_assert(of("node elementwise.maximum(%0, %0) -> T[3]\n", "%2").view() == "x");
static_assert(
    of("node elementwise.reciprocal(%0) -> T[3]\nnode elementwise.reciprocal(%2) -> T[3]\n", "%3")
        .view() == "reciprocal (reciprocal x)");
static_assert(
    of("node elementwise.reciprocal(%0) -> T[3]\nnode elementwise.reciprocal(%2) -> T[3]\n", "%3",
       "f64", real)
        .view() == "x");
static_assert(of("node elementwise.exp(%0) -> T[3]\nnode elementwise.log(%2) -> T[3]\n", "%3")
                  .view() == "log (exp x)");
static_assert(of("node elementwise.exp(%0) -> T[3]\nnode elementwise.log(%2) -> T[3]\n", "%3",
                 "f64", real)
                  .view() == "x");
static_assert(of("node movement.cast(%0) [dtype = \"f16\"] -> f16[3]\nnode movement.cast(%2) "
                 "[dtype = \"f16\"] -> f16[3]\n",
                 "%3")
                  .view() == "cast x");
static_assert(of("node movement.cast(%0) [dtype = \"f16\"] -> f16[3]\nnode movement.cast(%2) "
                 "[dtype = \"f64\"] -> f64[3]\n",
                 "%3")
                  .view() == "cast (cast x)");
// Logical operators.
static_assert(with_number("logical_and", "1", "bool").view() == "x");
static_assert(with_number("logical_and", "0", "bool").view() == "broadcast_to 0.0");
static_assert(with_number("logical_or", "0", "bool").view() == "x");
static_assert(with_number("logical_or", "1", "bool").view() == "broadcast_to 1.0");
static_assert(
    of("node elementwise.logical_not(%0) -> T[3]\nnode elementwise.logical_not(%2) -> T[3]\n", "%3",
       "bool")
        .view() == "x");
static_assert(
    of("node elementwise.less(%0, %1) -> bool[3]\nnode control.where(%2, %0, %0) -> T[3]\n", "%3")
        .view() == "x");
static_assert(of("node elementwise.less(%0, %1) -> bool[3]\nnode elementwise.logical_not(%2) -> "
                 "bool[3]\nnode control.where(%3, %0, %1) -> T[3]\n",
                 "%4")
                  .view() == "where (less x y) y x");
static_assert(of("node elementwise.constant() [value = 1] -> bool[]\nnode control.where(%2, %0, "
                 "%1) -> T[3]\n",
                 "%3")
                  .view() == "x");

}  // namespace

TEST_CASE("an identity that would change the shape or the element type does not apply") {
  const auto count = [](wf::text_view nodes, wf::text_view z, wf::algebra allowed) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"x\" : f64[1, 3]\n" << nodes << "output \"z\" = " << z << "\n";
    const wf::graph g = wf_test::graph_of(t.view());
    REQUIRE(wf::validate(g.view()));
    return wf::canonicalise(g.view(), wf::builtin_registry(), allowed)->view().nodes.size();
  };
  const wf::text_view ones = R"(node elementwise.constant() [value = 1] -> f64[]
node movement.broadcast_to(%1) [d0 = dim 2, d1 = dim 1] -> f64[2, 1]
node elementwise.multiply(%0, %2) -> f64[2, 3]
)";
  CHECK(count(ones, "%3", wf::algebra::real) == 3);
  const wf::text_view minus = R"(node elementwise.constant() [value = -1] -> f64[]
node movement.broadcast_to(%1) [d0 = dim 2, d1 = dim 1] -> f64[2, 1]
node elementwise.multiply(%0, %2) -> f64[2, 3]
)";
  CHECK(count(minus, "%3", wf::algebra::real) == 3);
}

TEST_CASE("nodes of another peer, with an order or a declared cost are not looked through") {
  const auto count = [](wf::text_view first, wf::text_view second, wf::text_view edges) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"x\" : f32[2, 3]\nnode elementwise.negate(%0) " << first
      << " -> f32[2, 3]\nnode elementwise.negate(%1) " << second << " -> f32[2, 3]\n"
      << edges << "output \"z\" = %2\n";
    const wf::graph g = wf_test::graph_of(t.view());
    return wf::canonicalise(g.view())->view().nodes.size();
  };
  CHECK(count("", "", "") == 0);
  CHECK(count("peer \"p\"", "peer \"p\"", "") == 0);
  CHECK(count("peer \"p\"", "peer \"q\"", "") == 2);
  CHECK(count("cost [flops = \"3\"]", "", "") == 2);
  CHECK(count("", "cost [flops = \"3\"]", "") == 2);
  CHECK(count("", "effect external", "") == 2);
  CHECK(count("", "", "edge mutate @0 -> @1\n") == 2);
}

TEST_CASE(
    "users' kernels obey the laws they state, on elements that do not round or in real algebra") {
  wf::registry kernels = wf::builtin_registry();
  REQUIRE(kernels.add(wf::kernel_spec{.name = "mirror",
                                      .domain = "user",
                                      .signature = "A: any [...] -> C[...]",
                                      .laws = {.involution = true}}));
  const auto count = [&](wf::text_view type, wf::algebra allowed) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"x\" : " << type << "[3]\nnode user.mirror(%0) -> " << type
      << "[3]\nnode user.mirror(%1) -> " << type << "[3]\noutput \"z\" = %2\n";
    const wf::graph g = wf_test::graph_of(t.view());
    return wf::canonicalise(g.view(), kernels, allowed)->view().nodes.size();
  };
  CHECK(count("f64", wf::algebra::exact) == 2);
  CHECK(count("f64", wf::algebra::real) == 0);
  CHECK(count("bool", wf::algebra::exact) == 0);
}
