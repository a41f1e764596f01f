// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/graph/extract.hpp>

#include <doctest/doctest.h>

#include <wf/ir/compare/same.hpp>
#include <wf/registry/domain/builtin.hpp>

#include "../expressions.hpp"

using expressions::inverse_of;

TEST_CASE("the captured choice extracts the workflow itself") {
  const wf::graph workflow = inverse_of(wf::spd);
  const wf::choice_graph c(workflow.view());
  const auto classes = wf::number_classes(c);
  REQUIRE(classes.count == 1);
  CHECK(classes.of_value[0] == wf::class_numbers::none);
  const std::uint32_t chosen[] = {0};
  const auto g = wf::extract(c, classes, chosen);
  REQUIRE(g);
  CHECK(wf::same(g->view(), workflow.view()));
}

TEST_CASE("another candidate keeps the value's name") {
  const wf::graph workflow = inverse_of(wf::spd);
  wf::choice_graph c(workflow.view());
  const wf::value_id a{0};
  const auto made = c.add(wf::kernels::inverse_cholesky, {&a, 1});
  REQUIRE(made);
  c.unite(wf::value_id{1}, *made);
  const std::uint32_t chosen[] = {1};
  const auto g = wf::extract(c, wf::number_classes(c), chosen);
  REQUIRE(g);
  CHECK(g->view().op_name(g->view().nodes[0]) == "inverse_cholesky");
  CHECK(g->view().text_of(g->view().nodes[0].name) == "B");
}

TEST_CASE("cycles and holes are typed errors") {
  const wf::graph workflow = inverse_of({});
  wf::choice_graph c(workflow.view());
  const wf::value_id b{1};
  const auto back = c.add(wf::kernels::transpose, {&b, 1});
  REQUIRE(back);
  c.unite(b, *back);  // B = transpose(B): choosing it for the class of B would be a cycle
  const auto classes = wf::number_classes(c);
  const std::uint32_t cyclic[] = {1};
  CHECK(wf::extract(c, classes, cyclic).error().code == wf::errc::cyclic_graph);
  const std::uint32_t none[] = {wf::class_numbers::none};
  CHECK(wf::extract(c, classes, none).error().code == wf::errc::invalid_problem);
}

TEST_CASE("a class that holds an input costs nothing") {
  const wf::graph workflow = inverse_of({});
  wf::choice_graph c(workflow.view());
  c.unite(wf::value_id{0}, wf::value_id{1});
  const auto classes = wf::number_classes(c);
  CHECK(classes.count == 0);
  const auto g = wf::extract(c, classes, {});
  REQUIRE(g);
  CHECK(g->view().nodes.empty());
}
