// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/functions/wire.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/subworkflow.hpp>
#include <wf/capture/trace.hpp>
#include <wf/ir/compare/digest.hpp>
#include <wf/ir/form/json.hpp>
#include <wf/ir/form/parse_json.hpp>
#include <wf/ir/form/text.hpp>

#include "../../partition/programs.hpp"

namespace {

// E4: servers negate a vector, which comes back to the host.
constexpr auto asking = wf::workflow<"asking">([](wf::scope& s) {
  const auto x = s.input<"x", double, 4>();
  const auto servers = s.input<"servers", wf::peer, 2>();
  const auto host = s.input<"host", wf::peer, 1>();
  const auto [there, from, request] = s.let_each(wf::send(x, servers));
  const auto [here, replier, reply] = s.let_each(wf::send(-there, wf::as_class<"@self">(host)));
  s.output<"y">(here + x);
});

// Parameters live on the servers, from the start on.
constexpr auto stated = wf::workflow<"stated">([](wf::scope& s) {
  const auto x = s.input<"x", double, 4>();
  const auto servers = s.input<"servers", wf::peer, 2>();
  const auto [there, from, request] = s.let_each(wf::send(x, servers));
  const auto doubled = s.at("servers", there + there);
  const auto all = s.at("servers", [&] {
    const auto negated = s.let(-doubled);
    return s.let(negated * negated);
  });
  s.output<"y">(all);
});

// A workflow that is called on a class of machines runs there, whole.
constexpr auto twice_negated = wf::workflow<"twice_negated">([](wf::scope& s) {
  const auto x = s.input<"x", double, 4>();
  s.output<"y">(-(x + x));
});
constexpr auto calling = wf::workflow<"calling">([](wf::scope& s) {
  const auto x = s.input<"x", double, 4>();
  const auto servers = s.input<"servers", wf::peer, 2>();
  const auto [there, from, request] = s.let_each(wf::send(x, servers));
  const auto arrived = s.let(there);
  s.output<"y">(s.at("servers", [&] { return twice_negated(arrived); }));
});

// A function of a user, generic in its values: servers negate twice, by parameters of their own.
constexpr auto asking_by_any = [](const auto& x, const auto& servers) {
  auto [there, from, request] = wf::results_of<3>(wf::send(x, servers));
  const auto negated =
      wf::at("servers", x, [&value = there] { return wf::trans(wf::trans(value) * 2) - value; });
  auto [here, replier, reply] = wf::results_of<3>(wf::send(negated, wf::as_class<"@self">(from)));
  return here * x;
};
constexpr auto traced_asking =
    wf::trace<"asking">(asking_by_any, wf::outputs<"y">(), wf::input<"x", double, 4, 4>(),
                        wf::input<"servers", wf::peer, 2>());
constexpr auto bound_asking = wf::workflow<"asking">([](wf::scope& s) {
  const auto x = s.input<"x", double, 4, 4>();
  const auto servers = s.input<"servers", wf::peer, 2>();
  s.output<"y">(asking_by_any(x, servers));
});
static_assert(wf::digest(traced_asking.graph()) == wf::digest(bound_asking.graph()));

constexpr bool has(const wf::result<wf::partitioned_program>& p, std::size_t partitions,
                   std::size_t edges) {
  return p && p->partitions.size() == partitions && p->edges.size() == edges;
}
static_assert(has(programs::cut(asking), 2, 2));
static_assert(has(programs::cut(stated), 2, 1));

}  // namespace

TEST_CASE("operations captured at a class of machines run there") {
  const wf::graph_view g = stated;
  std::size_t stated_nodes = 0;
  for (const wf::node& n : g.nodes) stated_nodes += g.text_of(n.peer) == "servers" ? 1 : 0;
  CHECK(stated_nodes == 3);
}

TEST_CASE("so do those of a workflow that is called there") {
  const wf::graph_view g = calling;
  std::size_t stated_nodes = 0;
  for (const wf::node& n : g.nodes) stated_nodes += g.text_of(n.peer) == "servers" ? 1 : 0;
  CHECK(stated_nodes == 2);
}

TEST_CASE("expressions, the tracer, the text form and JSON capture the same messages") {
  const wf::graph_view g = bound_asking;
  const wf::digest128 known = wf::digest(g);
  const auto by_value = wf::trace("asking", asking_by_any, wf::outputs("y"),
                                  wf::input<double>("x", wf::shape::of(4, 4)),
                                  wf::input<wf::peer>("servers", wf::shape::of(2)));
  REQUIRE_MESSAGE(by_value, wf::to_text(by_value.error()).data());
  CHECK(wf::digest(by_value->view()) == known);
  const auto written = wf::parse_graph(wf::to_text(g).view());
  REQUIRE(written);
  CHECK(wf::digest(written->view()) == known);
  const auto json = wf::parse_graph_json(wf::to_json(g).view());
  REQUIRE(json);
  CHECK(wf::digest(json->view()) == known);
  for (const wf::graph_view& one : {by_value->view(), written->view(), json->view()}) {
    const auto parts = programs::cut(one);
    REQUIRE(has(parts, 2, 2));
    CHECK(parts->partitions[1].name.view() == programs::cut(g)->partitions[1].name.view());
  }
}

TEST_CASE("a class of machines is part of what a graph is, in every form") {
  wf::graph elsewhere(bound_asking.graph());
  const std::string text(wf::to_text(elsewhere.view()).view());
  CAPTURE(text);
  std::string other = text;
  for (std::size_t at; (at = other.find("peer \"servers\"")) != std::string::npos;)
    other.replace(at, 14, "peer \"cloud\"");
  const auto moved = wf::parse_graph(wf::text_view(other.data(), other.size()));
  REQUIRE(moved);
  CHECK(wf::digest(moved->view()) != wf::digest(elsewhere.view()));
}

TEST_CASE("of an unassigned value, at only calls its body") {
  const wf::traced nothing;
  CHECK(wf::at("servers", nothing, [] { return 3; }) == 3);
  CHECK(wf::at("servers", nothing, [&] { return nothing; }).owner() == nullptr);
}

TEST_CASE("an expression that a body returns is bound at its class") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    const auto x = s.input<"x", double, 4>();
    const auto servers = s.input<"servers", wf::peer, 2>();
    auto [there, from, request] = s.let_each(wf::send(x, servers));
    s.output<"y">(s.at("servers", [&value = there] { return -value; }));
  });
  REQUIRE(g);
  const wf::graph_view v = g->view();
  CHECK(v.text_of(v.nodes[1].peer) == "servers");
}
