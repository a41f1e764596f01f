// SPDX-License-Identifier: BSL-1.0
#include <wf/run/network/placed_program.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <wf/capture/workflow.hpp>
#include <wf/cost/metric.hpp>
#include <wf/run/network/run_program.hpp>

#include "../random_workflow.hpp"
#include "../transport/on_ranks.hpp"

namespace {

struct ran_on_ranks {
  wf::named_matrices outputs;
  wf::error failure;
  std::uint64_t messages = 0;
};
ran_on_ranks run_all(const wf::task_program& p, const wf::named_matrices& arguments) {
  ran_on_ranks out;
  std::vector<wf::result<wf::program_report>> found(p.tasks().ranks());
  wf_test::on_ranks(p.tasks().ranks(), [&](std::uint32_t r, wf::loopback& carrier) {
    found[r] = wf::run_program(carrier, p, [&](wf::text_view name) {
      return wf::result<wf::dynamic_matrix>(arguments.at(std::string(name)));
    });
  });
  for (const auto& f : found) {
    REQUIRE_MESSAGE(f, wf::to_text(f.error()).view());
    out.failure = f->failure;
    out.messages += f->messages;
    for (const auto& [name, m] : f->outputs) CHECK(out.outputs.emplace(name, m).second);
  }
  return out;
}

constexpr auto small = wf::workflow<"small">([](wf::scope& s) {
  auto A = s.input<"A", double, 3, 3>();
  auto B = s.let<"B">(A * trans(A));
  s.output<"C">(B + A);
  s.output<"T">(trans(B));
  s.output<"A_again">(A);
});

}  // namespace

TEST_CASE("random workflows with nodes on random processes compute what one process does") {
  std::mt19937_64 random(31);
  const wf::registry kernels = wf::builtin_registry();
  std::uint64_t messages = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random);
    const wf::graph_view g = w.graph.view();
    wf::node_placement one, many;
    many.ranks = 1 + std::uint32_t(random() % 4);
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
      one.owners.push_back(0);
      many.owners.push_back(std::uint32_t(random() % many.ranks));
    }
    const auto whole = wf::placed_program(g, kernels, one);
    const auto split = wf::placed_program(g, kernels, many);
    REQUIRE_MESSAGE(whole, wf::to_text(whole.error()).view());
    REQUIRE(split);
    CHECK(whole->codes() <= g.nodes.size());
    const ran_on_ranks expected = run_all(*whole, w.arguments);
    const ran_on_ranks found = run_all(*split, w.arguments);
    CHECK(found.failure == expected.failure);
    CHECK(wf_test::difference(found.outputs, expected.outputs, 0) == "");
    messages += found.messages;
    many.has_inputs_everywhere = true;
    const auto near = wf::placed_program(g, kernels, many);
    REQUIRE(near);
    const ran_on_ranks found_near = run_all(*near, w.arguments);
    CHECK(found_near.failure.code == expected.failure.code);
    CHECK(wf_test::difference(found_near.outputs, expected.outputs, 0) == "");
    CHECK(found_near.messages <= found.messages);
    for (std::uint32_t t = 0; t < near->tasks().size(); ++t)
      for (const std::uint32_t from : near->tasks().operands(t))
        CHECK((!near->is_argument(from) || near->tasks().owner(from) == near->tasks().owner(t)));
    const auto executed = (*wf::executable_graph::prepare(g))(w.arguments);
    CHECK(bool(executed) == (expected.failure.code == wf::errc::none));
    if (executed) CHECK(wf_test::difference(found.outputs, *executed, 1e-2) == "");
  }
  CHECK(messages > 500);
}

TEST_CASE("a schedule is a placement: its processors, and its tasks in the order of their starts") {
  const wf::registry kernels = wf::builtin_registry();
  std::mt19937_64 random(8);
  for (int round = 0; round < 20; ++round) {
    wf_test::random_workflow_options options;
    options.most_nodes = 15;
    const wf_test::random_workflow w = wf_test::make_random_workflow(random, options);
    wf::task_options machine;
    machine.processors = 2;
    machine.link.latency = 3;
    const auto s = wf::schedule(w.graph.view(), wf::flops, kernels, machine);
    if (!s) continue;
    const auto places = wf::placement_of(w.graph.view(), *s);
    REQUIRE(places);
    std::vector<std::int64_t> starts;
    for (const wf::node_id id : places->order)
      for (std::uint32_t t = 0; t < s->tasks.nodes.size(); ++t)
        if (s->tasks.nodes[t] == id) {
          starts.push_back(s->times.tasks[t].start);
          CHECK(places->owners[index_of(id)] == s->times.tasks[t].processor);
        }
    CHECK(std::is_sorted(starts.begin(), starts.end()));
    CHECK(starts.size() == s->tasks.nodes.size());
    const auto p = wf::placed_program(w.graph.view(), kernels, *places);
    REQUIRE_MESSAGE(p, wf::to_text(p.error()).view());
    const auto executed = (*wf::executable_graph::prepare(w.graph.view()))(w.arguments);
    if (executed)
      CHECK(wf_test::difference(run_all(*p, w.arguments).outputs, *executed, 1e-2) == "");
  }
}

TEST_CASE("views are computed where they are read, unless they are outputs") {
  const wf::registry kernels = wf::builtin_registry();
  wf::node_placement places;
  places.ranks = 2;
  for (std::size_t i = 0; i < small.graph().nodes.size(); ++i) places.owners.push_back(i % 2);
  const auto p = wf::placed_program(small.graph(), kernels, places);
  REQUIRE(p);
  // The argument, a product, a sum, and the transpose that is an output.
  CHECK(p->tasks().size() == 4);
  const wf::dynamic_matrix a = wf::dynamic_matrix::Random(3, 3);
  const ran_on_ranks found = run_all(*p, {{"A", a}});
  CHECK(found.outputs.size() == 3);
  CHECK(found.outputs.at("T").isApprox(a * a.transpose()));
  CHECK(found.outputs.at("A_again") == a);
}

TEST_CASE("placements that do not fit are refused") {
  const wf::registry kernels = wf::builtin_registry();
  const auto refused = [&](const wf::node_placement& places) {
    return wf::to_text(wf::placed_program(small.graph(), kernels, places).error());
  };
  wf::node_placement places;
  CHECK(refused(places) == "WF503 in 'small': not every node has a process");
  places.owners.resize(small.graph().nodes.size());
  places.order.push_back(wf::node_id(0));
  CHECK(refused(places) == "WF503 in 'small': its order lacks nodes");
  places.order.clear();
  for (std::size_t i = small.graph().nodes.size(); i-- > 0;)
    places.order.push_back(static_cast<wf::node_id>(i));
  CHECK(refused(places) == "WF503 in 'small': a node comes after one that reads it");
  places.order[0] = wf::node_id(99);
  CHECK(refused(places) == "WF503 in 'small': its order has a node that is none");
  places.order.clear();
  for (std::uint32_t& owner : places.owners) owner = 1;
  CHECK(refused(places) == "WF503 in 'small': a node has a process that is none");
  constexpr auto open =
      wf::workflow<"open">([](wf::scope& s) { s.output<"y">(s.input<"x", double, "N">() * 2.0); });
  CHECK(wf::placed_program(open.graph(), kernels, {}).error().code ==
        wf::errc::workflow_not_static);
}
