// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/validate.hpp>

#include <doctest/doctest.h>

#include <wf/ir/graph/frozen.hpp>
#include <wf/ir/graph/graph.hpp>

namespace {

const wf::value_type vector_type{wf::dtype::f64, {}, wf::shape::of(3)};

wf::graph valid() {
  wf::graph g("valid");
  const wf::value_id x = g.add_input("x", vector_type);
  const wf::node_id n = g.add_node({.op = "relu"}, {&x, 1}, {&vector_type, 1});
  g.add_output("y", wf::graph_view::output_of(g[n]));
  return g;
}

wf::errc code_of(const wf::graph& g) { return wf::validate(g.view()).error().code; }

}  // namespace

static_assert(wf::is_valid_name("x_1.a'") && !wf::is_valid_name("") && !wf::is_valid_name("1x") &&
              !wf::is_valid_name("a b") && !wf::is_valid_name(".a"));

TEST_CASE("a valid graph is valid") { CHECK(wf::validate(valid().view())); }

TEST_CASE("each invariant that can be broken through appending is reported") {
  {
    wf::graph g = valid();
    g.add_input("x", vector_type);
    CHECK(code_of(g) == wf::errc::duplicate_name);
  }
  {
    wf::graph g = valid();
    g.add_output("y", wf::value_id{0});
    CHECK(code_of(g) == wf::errc::duplicate_name);
  }
  {
    wf::graph g = valid();
    g.add_input("", vector_type);
    CHECK(code_of(g) == wf::errc::invalid_name);
  }
  {
    wf::graph g = valid();
    g.add_output("two words", wf::value_id{0});
    CHECK(code_of(g) == wf::errc::invalid_name);
  }
  {
    wf::graph g = valid();
    const wf::value_id missing{99};
    g.add_node({.op = "relu"}, {&missing, 1}, {&vector_type, 1});
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  {
    wf::graph g = valid();
    g.add_output("z", wf::value_id{99});
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  {
    wf::graph g = valid();
    g.add_edge(wf::edge_kind::control, wf::node_id{0}, wf::node_id{5});
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  {
    wf::graph g = valid();
    g.add_edge(wf::edge_kind::data, wf::node_id{0}, wf::node_id{0});
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  {
    wf::graph g = valid();
    g.add_edge(wf::edge_kind::control, wf::node_id{0}, wf::node_id{0});
    CHECK(code_of(g) == wf::errc::cyclic_graph);
  }
  {
    wf::graph g = valid();
    g.add_attribute(wf::attribute_value::integer("a", 1));
    g.add_attribute(wf::attribute_value::integer("a", 2));
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  {
    wf::graph g = valid();
    g.add_input("u", {wf::dtype::unknown, {}, wf::shape::of(1)});
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  {
    wf::graph g = valid();
    g.add_input("u", {wf::dtype::f64, {}, wf::shape::unknown()});
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  {
    wf::graph g = valid();
    g.add_input("u", {wf::dtype::f64, {}, wf::shape::of(wf::extent::derived(0))});
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  {
    wf::graph g = valid();
    g.add_input("u", {wf::dtype::f64, wf::properties{16}, wf::shape::of(3, 3)});  // spd without
                                                                                  // symmetric
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  for (const std::int64_t code :
       {wf::extent::derived(0).code, INT64_MIN, INT64_MIN + 64, INT64_MIN + 60, std::int64_t{-2}}) {
    CAPTURE(code);
    wf::graph g = valid();
    wf::extent e;
    e.code = code;
    g.add_attribute(wf::attribute_value::dimension("d", e));
    CHECK(code_of(g) == wf::errc::malformed_graph);
    g = valid();
    g.add_input("u", {wf::dtype::f64, {}, wf::shape::of(e)});
    CHECK(code_of(g) == wf::errc::malformed_graph);
  }
  for (const wf::extent e : {wf::extent(), wf::extent("M"), wf::extent(3)}) {
    wf::graph g = valid();
    g.add_attribute(wf::attribute_value::dimension("d", e));
    CHECK(wf::validate(g));
  }
}

TEST_CASE("broken references in a view are reported, never followed") {
  const wf::graph owner = valid();
  {
    wf::graph_view g = owner;
    g.name = {1000, 5};
    CHECK(wf::validate(g).error().code == wf::errc::malformed_graph);
  }
  {
    wf::graph_view g = owner;
    wf::node n = g.nodes[0];
    n.inputs = {0, 7};
    g.nodes = {&n, 1};
    CHECK(wf::validate(g).error().code == wf::errc::malformed_graph);
  }
  {
    wf::graph_view g = owner;
    wf::operation o = g.operations[0];
    o.hash += 1;
    g.operations = {&o, 1};
    CHECK(wf::validate(g).error().code == wf::errc::malformed_graph);
  }
  {
    wf::graph_view g = owner;
    wf::value values[] = {g.values[0], g.values[1]};
    values[1].producer = wf::node_id::none;
    g.values = values;
    CHECK(wf::validate(g).error().code == wf::errc::malformed_graph);
  }
}

TEST_CASE("duplicates are found among many names") {
  wf::graph g("many");
  for (int i = 0; i < 500; ++i) g.add_input((wf::text() << "x" << i).view(), vector_type);
  CHECK(wf::validate_names(g.view()));
  g.add_input("x250", vector_type);
  CHECK(wf::validate_names(g.view()).error().subject == wf::text("x250"));
}

TEST_CASE("what is validated once knows it, until it changes") {
  const wf::result<wf::graph> checked = wf::validated(valid());
  REQUIRE(checked);
  CHECK(checked->view().is_sealed());
  CHECK_FALSE(valid().view().is_sealed());
  const wf::result<wf::graph_view> view = wf::validated(valid().view());
  REQUIRE(view);
  // A copy, and a copy of the view, are sealed too.
  CHECK(wf::graph(*checked).view().is_sealed());
  CHECK(wf::graph(checked->view()).view().is_sealed());

  const auto after = [&](auto change) {
    wf::graph g = *checked;
    change(g);
    return g.view().is_sealed();
  };
  const wf::value_id x{0};
  CHECK_FALSE(after([](wf::graph& g) { g.add_input("z", vector_type); }));
  CHECK_FALSE(after([&](wf::graph& g) { g.add_node({.op = "exp"}, {&x, 1}, {&vector_type, 1}); }));
  CHECK_FALSE(after([](wf::graph& g) { g.add_attribute(wf::attribute_value::integer("a", 1)); }));
  CHECK_FALSE(after([](wf::graph& g) { g.add_cost("flops", "1"); }));
  CHECK_FALSE(after(
      [](wf::graph& g) { g.add_edge(wf::edge_kind::control, wf::node_id{0}, wf::node_id{0}); }));
  CHECK_FALSE(after([](wf::graph& g) { g.add_output("z", wf::value_id{0}); }));
  CHECK_FALSE(after([](wf::graph& g) { g.set_operand(0, wf::value_id{1}); }));
  CHECK_FALSE(after([](wf::graph& g) { g.set_name(wf::value_id{0}, "1"); }));
  CHECK_FALSE(after([](wf::graph& g) { g.assume(wf::value_id{0}, wf::spd); }));
  CHECK_FALSE(after([](wf::graph& g) { g.intern_operation("", ""); }));
  CHECK(after([](wf::graph& g) { g.set_name(wf::node_id{0}, "n"); }));
  CHECK(after([](wf::graph& g) { g.add_derived("M + 1"); }));
  // A moved-from graph is not sealed.
  wf::graph moved = *checked;
  const wf::graph other = static_cast<wf::graph&&>(moved);
  CHECK(other.view().is_sealed());
  CHECK_FALSE(moved.view().is_sealed());
}

TEST_CASE("a view does not vouch for tables that were put into it") {
  const wf::result<wf::graph> checked = wf::validated(valid());
  const wf::graph other = valid();
  const auto with = [&](auto change) {
    wf::graph_view g = *checked;
    change(g, other.view());
    return g.is_sealed();
  };
  using view = wf::graph_view;
  CHECK(with([](view&, const view&) {}));
  CHECK_FALSE(with([](view& g, const view& o) { g.characters = o.characters; }));
  CHECK_FALSE(with([](view& g, const view& o) { g.operations = o.operations; }));
  CHECK_FALSE(with([](view& g, const view& o) { g.nodes = o.nodes; }));
  CHECK_FALSE(with([](view& g, const view& o) { g.values = o.values; }));
  CHECK_FALSE(with([](view& g, const view& o) { g.operands = o.operands; }));
  CHECK_FALSE(with([](view& g, const view& o) { g.outputs = o.outputs; }));
  CHECK_FALSE(with([](view& g, const view&) { g.nodes = g.nodes.part(0, 0); }));
  CHECK_FALSE(with([](view& g, const view&) { g.outputs = {}; }));
  CHECK_FALSE(with([](view& g, const view&) { g.name = {1000, 1}; }));
  static const wf::edge loop{wf::edge_kind::control, wf::node_id{0}, wf::node_id{0}};
  CHECK_FALSE(with([](view& g, const view&) { g.edges = {&loop, 1}; }));
  static const wf::attribute a;
  CHECK_FALSE(with([](view& g, const view&) { g.attributes = {&a, 1}; }));
  static const wf::declared_cost c;
  CHECK_FALSE(with([](view& g, const view&) { g.costs = {&c, 1}; }));
  static const wf::text_ref d;
  CHECK_FALSE(with([](view& g, const view&) { g.derived = {&d, 1}; }));
}

namespace {

constexpr wf::graph constant_graph() {
  wf::graph g("constant");
  constexpr wf::value_type t{wf::dtype::f64, {}, {}};
  const wf::value_id x = g.add_input("x", t);
  g.add_output("y", x);
  return g;
}
constexpr auto sizes = wf::sizes_of(constant_graph().view());
constexpr auto unchecked = wf::freeze<sizes>(constant_graph().view());
constexpr auto frozen = wf::freeze<sizes>(wf::validated(constant_graph())->view());
static_assert(frozen.view().is_sealed() && wf::validated(frozen.view()));
static_assert(!unchecked.view().is_sealed() && wf::validated(unchecked.view()));

}  // namespace

TEST_CASE("a frozen graph vouches for itself as long as it is constant") {
  auto variable = frozen;
  CHECK_FALSE(variable.view().is_sealed());
  variable.outputs.records[0].source = wf::value_id{7};
  CHECK(wf::validated(variable).error().code == wf::errc::malformed_graph);
  CHECK(wf::validated(frozen));
}
