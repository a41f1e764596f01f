// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/scope.hpp>

#include <doctest/doctest.h>

#include <wf/capture/equations/text.hpp>

TEST_CASE("of the values with a name the last one counts") {
  const wf::text_view source = "Y = A";
  const auto program = wf::parse_equations(source);
  REQUIRE(program);
  wf::detail::graph_capture to("g");
  wf::detail::equation_scope scope(to, *program, source);
  CHECK(scope.find("A") == wf::value_id::none);
  const wf::value_id first = to.add_input("a", {wf::dtype::f64, {}, wf::shape::of(3)});
  const wf::value_id second = to.add_input("b", {wf::dtype::f64, {}, wf::shape::of(3)});
  scope.bind("A", first);
  scope.bind("B", first);
  CHECK(scope.find("A") == first);
  scope.bind("A", second);
  CHECK(scope.find("A") == second);
  CHECK(scope.find("B") == first);
}
