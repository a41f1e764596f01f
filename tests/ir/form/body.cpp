// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/form/body.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/ir/form/text.hpp>

#include "../../repeated.hpp"

namespace {

std::string message_of(const wf::graph& g) {
  const auto made = wf::body_of(g.view(), wf::node_id{0});
  REQUIRE_FALSE(made);
  CHECK(made.error().subject == g.view().label(wf::node_id{0}));
  return std::string(made.error().message.view().data(), made.error().message.size());
}

// A node on a vector of three numbers, with some results of that type besides the two.
wf::graph with_body(const char* body, int results = 1) {
  wf::graph g("g");
  const wf::value_type vector{wf::dtype::f64, {}, wf::shape::of(3)};
  const wf::value_id x = g.add_input("x", vector);
  const wf::attribute_value a = wf::attribute_value::string("body", body == nullptr ? "" : body);
  std::vector<wf::value_type> types(static_cast<std::size_t>(results), vector);
  types.push_back({wf::dtype::i64, {}, wf::shape::of()});
  types.push_back({wf::dtype::boolean, {}, wf::shape::of()});
  wf::node_description d;
  d.op = "fixpoint";
  d.domain = "control";
  if (body != nullptr) d.attributes = {&a, 1};
  g.add_node(d, {&x, 1}, {types.data(), types.size()});
  return g;
}

}  // namespace

TEST_CASE("a body has the types of the operands, and names of its own for outputs") {
  for (const char* text : repeated::bodies) {
    const wf::graph g = repeated::once(text, 4, {5});
    const auto body = wf::body_of(g.view(), wf::node_id{0}, "next.");
    REQUIRE(body);
    CHECK(wf::validate(body->view()));
    CHECK(body->view().is_static());
    std::size_t at = 0;
    for (const wf::value& v : body->view().values)
      if (v.producer == wf::node_id::none)
        CHECK(v.type == g.view()[g.view().inputs_of(g.view().nodes[0])[at++]].type);
    CHECK(at == g.view().nodes[0].inputs.count);
    for (const wf::output& o : body->view().outputs)
      CHECK(body->view().text_of(o.name).starts_with("next."));
  }
}

TEST_CASE("what is no body is an error that names the node") {
  CHECK(message_of(with_body(nullptr)) == "it has no workflow as its body");
  CHECK(message_of(with_body("wf.graph 1 \"b\"\ninput \"x\" : f64[3]\noutput \"x\" = %7\n"))
            .starts_with("in its body"));
  CHECK(message_of(with_body("wf.graph 1 \"b\"\ninput \"x\" : f32[3]\noutput \"x\" = %0\n")) ==
        "in its body, 'x': the input is f32, the operand f64");
  CHECK(message_of(with_body("wf.graph 1 \"b\"\ninput \"x\" : f64[4]\noutput \"x\" = %0\n")) ==
        "in its body, 'x': the input is 4, the operand 3");
  const char* const two =
      "wf.graph 1 \"b\"\ninput \"x\" : f64[3]\n"
      "output \"x\" = %0\noutput \"y\" = %0\n";
  CHECK(message_of(with_body(two)).starts_with("it has 3 results, its body 2 outputs"));
  CHECK(message_of(with_body(two, 2)) ==
        "output 0 of its body is not of the type of the operand that it replaces");
  const char* const shorter =
      "wf.graph 1 \"b\"\ninput \"x\" : f64[3]\n"
      "node linalg.dot(%0, %0) -> f64[]\noutput \"x\" = %1\n";
  CHECK(message_of(with_body(shorter)) ==
        "output 0 of its body is not of the type of the operand that it replaces");
}
