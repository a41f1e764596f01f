// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/functions/wire.hpp>

#include <doctest/doctest.h>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/subworkflow.hpp>
#include <wf/capture/workflow.hpp>

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
