// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/scope.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

wf::errc code_of(const wf::result<wf::graph>& g) { return g.error().code; }

}  // namespace

TEST_CASE("names, source locations and sharing") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto a = s.input<"A", double, 2, 2>();
    auto b = s.let<"B">(a * a);
    auto c = s.let<"C">(a * a);  // merged with the first product, whose first name remains
    s.output<"Y">(b + c);
  });
  REQUIRE(g);
  const wf::graph_view v = g->view();
  CHECK(v.nodes.size() == 2);
  CHECK(v.text_of(v.nodes[0].name) == "B");
  CHECK(v.nodes[0].location.line == 19);
  CHECK(std::string(v.text_of(v.nodes[0].location.file)).find("scope.cpp") != std::string::npos);
}

TEST_CASE("errors by value are typed") {
  CHECK(code_of(wf::capture("g", [](wf::scope& s) { s.input<"A", double, 2>(); })) ==
        wf::errc::no_output);
  CHECK(code_of(wf::capture("g", [](wf::scope& s) {
          s.output("Y", s.input<double>("A", wf::shape::of(2)));
          s.output("Z", s.input<double>("A", wf::shape::of(3)));
        })) == wf::errc::duplicate_name);
  CHECK(code_of(wf::capture("g", [](wf::scope& s) {
          s.output("two words", s.input<double>("A", wf::shape::of(2)));
        })) == wf::errc::invalid_name);
  const auto shapes = wf::capture("g", [](wf::scope& s) {
    wf::dynamic_handle<double> a = s.input<double>("A", wf::shape::of(2, 3));
    s.output("Y", matmul(a, a));
  });
  CHECK(code_of(shapes) == wf::errc::shape_mismatch);
  CHECK(std::string(shapes.error().message.view()).find("line ") != std::string::npos);
  CHECK(code_of(wf::capture("g", [](wf::scope& s) {
          wf::scope other("other");
          auto foreign = other.input<"A", double, 2>();
          s.output<"Y">(relu(foreign));
        })) == wf::errc::foreign_handle);
  CHECK(code_of(wf::capture("g", [](wf::scope& s) {
          s.output<"Y">(wf::dynamic_handle<double>());
        })) == wf::errc::foreign_handle);
}

TEST_CASE("a handle of another workflow is found wherever it stands") {
  // Bit k: operand k belongs to another workflow. Errors must not depend on the others.
  for (unsigned foreign = 0; foreign < 8; ++foreign) {
    const auto with = [foreign](auto use) {
      wf::scope s("s"), other("other");
      other.input<"q", double>();
      const auto at = [&](unsigned k, auto input) {
        return ((foreign >> k) & 1) != 0 ? input(other) : input(s);
      };
      const auto x = at(0, [](wf::scope& o) { return o.input<"x", double>(); });
      const auto y = at(1, [](wf::scope& o) { return o.input<"y", double>(); });
      const auto z = at(2, [](wf::scope& o) { return o.input<"z", double>(); });
      use(s, x, y, z);
      return code_of(s.finish());
    };
    const wf::errc expected = foreign == 0 ? wf::errc::none : wf::errc::foreign_handle;
    CAPTURE(foreign);
    CHECK(with([](wf::scope& s, auto x, auto y, auto z) { s.output<"r">((x + y) + z); }) ==
          expected);
    CHECK(with([](wf::scope& s, auto x, auto y, auto z) { s.output<"r">(x + (y + z)); }) ==
          expected);
    CHECK(with([](wf::scope& s, auto x, auto y, auto z) {
            s.output<"r">(exp(relu(x + y) * 2.0) - z);
          }) == expected);
    CHECK(with([](wf::scope& s, auto x, auto y, auto z) {
            s.output<"r">(where(cast<bool>(x), y, z));
          }) == expected);
    CHECK(with([](wf::scope& s, auto x, auto y, auto z) {
            s.output<"r">(x);
            s.output<"t">(y);
            s.output<"u">(z);
          }) == expected);
  }
}

TEST_CASE("by-value inputs keep shape and properties") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto a = s.input<double>("A", wf::shape::of(3, "M"), wf::symmetric);
    s.output("Y", s.let("named", relu(a)));
  });
  REQUIRE(g);
  CHECK(g->view().values[1].type.shape == wf::shape::of(3, "M"));
  CHECK(g->view().label(wf::node_id{0}) == wf::text("named"));
}

TEST_CASE("row 1: control edges order what reads nothing of each other") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", float, 4>();
    auto a = s.let<"a">(x + 1);
    auto b = s.let<"b">(x * 2);
    s.after(a, b);
    s.after(b, x);  // redundant, because inputs come first
    s.output<"a">(a);
    s.output<"b">(b);
  });
  REQUIRE(g);
  const wf::graph_view v = g->view();
  REQUIRE(v.edges.size() == 1);
  CHECK(v.edges[0].kind == wf::edge_kind::control);
  CHECK(v.text_of(v[v.edges[0].from].name) == "b");
  CHECK(v.text_of(v[v.edges[0].to].name) == "a");
}

TEST_CASE("row 1: what overwrites a value runs after everything else that reads it") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", float, 4>();
    auto a = s.let<"a">(x + 1);
    auto b = s.let<"b">(a * 2);
    auto c = s.let<"c">(a - x);
    s.overwrite(c, a);
    auto d = s.let<"d">(a / x);  // a reader that is captured later
    s.output<"b">(b);
    s.output<"c">(c);
    s.output<"d">(d);
  });
  REQUIRE(g);
  CHECK(g->view().edges.size() == 3);  // from a, b and d
  const auto order = wf::topological_order(g->view());
  REQUIRE(order);
  CHECK(g->view().text_of(g->view()[(*order)[order->size() - 1]].name) == "c");
}

TEST_CASE("row 1: orders that nothing can keep are errors") {
  const auto read_after = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", float, 4>();
    auto a = s.let(x + 1);
    auto b = s.let(a * 2);
    s.overwrite(b, a);
    s.output<"y">(b + a);  // b, and the value of a before b overwrote it
  });
  REQUIRE_FALSE(read_after);
  CHECK(read_after.error().code == wf::errc::cyclic_graph);
  const auto circle = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", float, 4>();
    auto a = s.let(x + 1);
    auto b = s.let(a * 2);
    s.after(a, b);
    s.output<"y">(b);
  });
  REQUIRE_FALSE(circle);
  CHECK(circle.error().code == wf::errc::cyclic_graph);
  const auto input = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", float, 4>();
    s.after(x, s.let(x + 1));
    s.output<"y">(x);
  });
  REQUIRE_FALSE(input);
  CHECK(input.error().code == wf::errc::malformed_graph);
}
