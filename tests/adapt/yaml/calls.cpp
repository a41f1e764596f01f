// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml/calls.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../kernel_texts.hpp"

namespace {

using namespace kernel_texts;

}  // namespace

TEST_CASE("row 5: a file says which operators calls of existing code are") {
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms;
  const auto loaded = wf::load_kernel_file(example, kernels, transforms);
  REQUIRE(loaded);
  REQUIRE(loaded->calls().size() == 2);
  wf::graph g("g");
  const wf::value_type b{wf::dtype::f64, {}, wf::shape::of(4, 2)};
  const wf::value_type a{wf::dtype::f64, {}, wf::shape::of(4, 4)};
  const wf::value_type rows{wf::dtype::f64, {}, wf::shape::of(4)};
  const wf::value_id in[] = {g.add_input("b", b), g.add_input("a", a)};
  const wf::attribute_value with[] = {wf::attribute_value::integer("check_finite", 1),
                                      wf::attribute_value::integer("dim", 1)};
  const wf::node_id solved = g.add_node(
      {.op = "::opaque::scipy.linalg.solve_transposed", .attributes = {with, 1}}, {in, 2}, {&b, 1});
  const wf::value_id x = wf::graph_view::output_of(g[solved]);
  const wf::node_id summed =
      g.add_node({.op = "::opaque::numpy.sum", .attributes = {with + 1, 1}}, {&x, 1}, {&rows, 1});
  g.add_output("y", wf::graph_view::output_of(g[summed]));
  const auto mapped = wf::map_calls(g.view(), loaded->calls(), kernels);
  REQUIRE_MESSAGE(mapped, wf::to_text(mapped.error()).view());
  const wf::graph_view m = mapped->view();
  CHECK(m.op_name(m.nodes[0]) == "solve");
  CHECK(m.nodes[0].attributes.count == 0);
  CHECK(m.text_of(m[m.inputs_of(m.nodes[0])[0]].name) == "a");
  CHECK(m.op_name(m.nodes[1]) == "sum");
  CHECK(m.integer_attribute(m.nodes[1], "axis", 0) == 1);
}

TEST_CASE("row 5: calls that cannot be are refused at their place") {
  const refused wrong[] = {
      {in_file("calls:\n  - {call: a.b, op: rellu}\n"),
       "WF301 in 'yaml': call 'a.b': unknown kernel 'rellu': did you mean 'relu'? (line 3, column "
       "21)"},
      {in_file("calls:\n  - {call: 'a.*.*', op: relu}\n"),
       "WF306 in 'yaml': call 'a.*.*': a pattern has one * at most (line 3, column 12)"},
      {in_file("calls:\n  - {call: a, op: relu}\n  - {call: a, op: tanh}\n"),
       "WF306 in 'yaml': two patterns are of this call (line 4, column 12)"},
      {in_file("calls:\n  - {call: a, op: relu, operands: [9]}\n"),
       "WF304 in 'yaml': operands are at most 8 numbers of operands of the call, from 0 on (line "
       "3, "
       "column 36)"},
      {in_file("calls:\n  - {call: a, op: relu, operands: []}\n"),
       "WF304 in 'yaml': without the key operands the operator takes all (line 3, column 35)"},
      {in_file("calls:\n  - {call: a, opp: relu}\n"),
       "WF304 in 'yaml': unknown key 'opp': did you mean 'op'? (line 3, column 15)"},
      {in_file("calls:\n  - {call: a, op: relu, without: [a, b, c, d, e]}\n"),
       "WF304 in 'yaml': a call renames or leaves out four attributes at most (line 3, column 47)"},
      {in_file("calls:\n  - {op: relu}\n"),
       "WF304 in 'yaml': a call needs the key 'call' (line 3, column 5)"},
  };
  for (const refused& r : wrong) CHECK(told(r.yaml) == r.message);
}

TEST_CASE("a call is read with the operands and attributes of its operator") {
  const std::string yaml =
      "{call: np.sum, op: sum, operands: [1], attributes: {dim: axis}, without: [out]}";
  wf::detail::yaml_reader in(yaml, "yaml");
  YAML::Node root;
  REQUIRE(in.parse(yaml.size(), root));
  const wf::registry kernels = wf::builtin_registry();
  wf::detail::yaml_calls calls(in, kernels);
  wf::call_pattern p;
  REQUIRE(calls.read(root, {}, p));
  CHECK(p.call == "np.sum");
  CHECK(p.operands[0] == 1);
  CHECK(p.operands[1] == -1);
  CHECK(p.attributes[0].call == "dim");
  CHECK(p.attributes[0].op == "axis");
  CHECK(p.attributes[1].call == "out");
  CHECK(p.attributes[1].op.empty());
  wf::call_pattern again;
  CHECK_FALSE(calls.read(root, {&p, 1}, again));
  CHECK(in.failure().code == wf::errc::bad_pattern);
}
