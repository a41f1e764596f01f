// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/scope.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

wf::errc code_of(const wf::result<wf::graph>& g) { return g.error().code; }

}  // namespace

TEST_CASE("names, source places and sharing") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto a = s.input<"A", double, 2, 2>();
    auto b = s.let<"B">(a * a);
    auto c = s.let<"C">(a * a);  // the same product: merged, and it keeps its first name
    s.output<"Y">(b + c);
  });
  REQUIRE(g);
  const wf::graph_view v = g->view();
  CHECK(v.nodes.size() == 2);
  CHECK(v.text_of(v.nodes[0].name) == "B");
  CHECK(v.nodes[0].source.line == 19);
  CHECK(std::string(v.text_of(v.nodes[0].source.file)).find("scope.cpp") != std::string::npos);
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
    wf::any<double> a = s.input<double>("A", wf::shape::of(2, 3));
    s.output("Y", matmul(a, a));
  });
  CHECK(code_of(shapes) == wf::errc::shape_mismatch);
  CHECK(std::string(shapes.error().message.view()).find("line ") != std::string::npos);
  CHECK(code_of(wf::capture("g", [](wf::scope& s) {
          wf::scope other("other");
          auto foreign = other.input<"A", double, 2>();
          s.output<"Y">(relu(foreign));
        })) == wf::errc::foreign_handle);
  CHECK(code_of(wf::capture("g", [](wf::scope& s) { s.output<"Y">(wf::any<double>()); })) ==
        wf::errc::foreign_handle);
}

TEST_CASE("the first error counts") {
  wf::scope s("s");
  s.fail(wf::make_error(wf::errc::bad_attribute, "a", "first"));
  s.fail(wf::make_error(wf::errc::no_output, "b", "second"));
  CHECK(code_of(s.finish()) == wf::errc::bad_attribute);
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
