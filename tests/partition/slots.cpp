// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/slots.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/ir/form/text.hpp>

#include "programs.hpp"

namespace {

// What the servers do with what they get is decided when they are set up.
constexpr auto summary = wf::workflow<"summary">([](wf::scope& s) {
  const auto x = s.input<"x", double, 4>();
  const auto servers = s.input<"servers", wf::peer, 2>();
  const auto [there, from, request] = s.let_each(wf::send(x, servers));
  const auto one = s.let(
      wf::opaque<"summarise", "A[n] -> C[]", wf::with("role", "aggregator"), wf::with("slot", 3)>(
          there));
  s.output<"y">(one + one);
});

wf::slot_binding bound(const char* role, std::int64_t slot, const char* kernel) {
  return {wf::text(role), slot, wf::text(kernel), {}};
}
wf::result<wf::partitioned_program> resolved(const wf::graph_view& g,
                                             std::initializer_list<wf::slot_binding> bindings) {
  wf::table<wf::slot_binding> list;
  for (const wf::slot_binding& b : bindings) list.push_back(b);
  return wf::resolve_slots(*programs::cut(g), list, wf::builtin_registry());
}
std::string message(const wf::result<wf::partitioned_program>& p) {
  return p ? "" : std::string(wf::to_text(p.error()).view());
}

}  // namespace

TEST_CASE("a slot has the operator that is bound to it") {
  for (const char* name : {"sum", "max"}) {
    const auto p = resolved(summary, {bound("aggregator", 3, name)});
    REQUIRE(p);
    const wf::graph_view g = p->partitions[1].workflow.view();
    std::size_t found = 0;
    for (const wf::node& n : g.nodes)
      if (g.op_name(n) == wf::text_view(name)) ++found;
    CHECK(found == 1);
    // The ends of messages are where they were.
    CHECK(g.integer_attribute(g[p->edges[0].receive], "edge", -1) == 0);
  }
}
TEST_CASE("a slot without an operator, or with one that does not fit, is refused") {
  CHECK(message(resolved(summary, {})).find("WF907") == 0);
  CHECK(message(resolved(summary, {bound("aggregator", 4, "sum")})).find("WF907") == 0);
  CHECK(message(resolved(summary, {bound("model", 3, "sum")})).find("WF908") == 0);
  CHECK(message(resolved(summary, {bound("aggregator", 3, "nothing")})).find("WF908") == 0);
  // It has another result, or takes other operands.
  CHECK(message(resolved(summary, {bound("aggregator", 3, "negate")})).find("WF908") == 0);
  CHECK(message(resolved(summary, {bound("aggregator", 3, "add")})).find("WF908") == 0);
  CHECK(message(resolved(summary, {bound("aggregator", 3, "sum"), bound("aggregator", 3, "max")}))
            .find("WF906") == 0);
}
TEST_CASE("an operator needs other slots") {
  wf::slot_binding sum = bound("aggregator", 3, "sum");
  sum.needs.push_back({wf::text("codec"), 7});
  CHECK(message(resolved(summary, {sum})) ==
        "WF907 in 'sum': it needs the codec in slot 7, to which nothing is bound");
  CHECK(message(resolved(summary, {sum, bound("model", 7, "copy")})) ==
        "WF908 in 'sum': it needs the codec in slot 7, but 'copy' is bound there for the "
        "role model");
  CHECK(resolved(summary, {sum, bound("codec", 7, "copy")}));
}
TEST_CASE("E7: a role is either provided by an operation or left to slots") {
  const auto p = [](const char* second) {
    return resolved(
        programs::parsed((std::string("wf.graph 1 \"M\"\n"
                                      "input \"x\" : f64[4]\n"
                                      "node user.mine(%0) [role = \"aggregator\"] named \"mine\" "
                                      "-> f64[]\n") +
                          second + "output \"a\" = %1\noutput \"b\" = %2\n")
                             .c_str())
            .view(),
        {bound("aggregator", 3, "sum"), bound("model", 4, "sum")});
  };
  CHECK(
      message(p("node user.any(%0) [role = \"aggregator\", slot = 3] named \"any\" -> f64[]\n")) ==
      "WF906 in 'aggregator': mine provides the role itself, and any leaves it to slot 3");
  CHECK(p("node user.any(%0) [role = \"model\", slot = 4] named \"any\" -> f64[]\n"));
}
