// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/rewrite.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/map/array/from_graph.hpp>
#include <wf/map/place/map.hpp>
#include <wf/partition/toolchain.hpp>
#include <wf/rewrite/fusion.hpp>
#include <wf/storage/plan.hpp>

#include "../map/small_problems.hpp"
#include "../rewrite/peers.hpp"
#include "../sanitized.hpp"
#include "programs.hpp"
#include "scattered.hpp"

namespace {

std::string message(const wf::error& e) { return std::string(wf::to_text(e).view()); }

// The guarded programs of a workflow, which must have them.
wf::partitioned_program guarded(const wf::graph& g) {
  const auto d = wf::deployment_toolchain(wf::deployment_settings{})(g);
  REQUIRE_MESSAGE(d, (d ? std::string() : message(d.error())));
  return d->parts();
}
// Which messages lead from where to where, and on which class each output is.
std::multiset<std::string> traffic_of(const wf::graph& g) {
  std::multiset<std::string> out;
  const auto p = wf::place(g.view(), wf::builtin_registry());
  REQUIRE_MESSAGE(p, (p ? std::string() : message(p.error())));
  const auto name = [&](std::uint32_t c) {
    return c == wf::placed_graph::anywhere ? std::string("@self")
                                           : std::string(p->classes[c].view());
  };
  const wf::graph_view v = p->workflow.view();
  for (std::uint32_t i = 0; i < v.nodes.size(); ++i)
    if (v.op_name(v.nodes[i]) == wf::text_view("send"))
      out.insert(name(p->homes[i]) + " -> " + name(p->receivers[i]));
  for (const wf::output& o : v.outputs) {
    const wf::node_id from = v[o.source].producer;
    // What is sent is on the class that receives it.
    const bool arrives = from != wf::node_id::none && v.op_name(v[from]) == wf::text_view("send");
    out.insert(std::string(v.text_of(o.name)) + " on " +
               name(from == wf::node_id::none ? 0
                    : arrives                 ? p->receivers[wf::index_of(from)]
                                              : p->homes[wf::index_of(from)]));
  }
  return out;
}
// The ends of every message, by what they compute: its type, and its program and class.
std::vector<std::string> ends_of(const wf::partitioned_program& p) {
  std::vector<std::string> out;
  for (const wf::wire_edge& e : p.edges) {
    const wf::graph_view from = p.partitions[e.from].workflow.view(),
                         to = p.partitions[e.to].workflow.view();
    const auto ends = {std::pair(from, e.send), std::pair(to, e.receive)};
    std::string line;
    for (const auto& [g, id] : ends)
      line += std::string(g.op_name(g[id])) +
              std::to_string(g.integer_attribute(g[id], wf::edge_attribute, -1)) + ' ';
    out.push_back(line + std::string(wf::name_of(e.type.type)));
  }
  return out;
}
bool contains(const std::string& whole, const std::string& part) {
  CAPTURE(whole);
  const bool is_there = whole.find(part) != std::string::npos;
  CHECK(is_there);
  return is_there;
}
wf::graph some_workflow(std::mt19937_64& random, std::size_t most_nodes = 14) {
  const auto made = wf_test::scattered(
      wf_test::make_random_workflow(random, {.most_nodes = most_nodes}).graph, random);
  REQUIRE_MESSAGE(made, (made ? std::string() : message(made.error())));
  return *made;
}

constexpr auto same_again = [](const wf::partition& part) -> wf::result<wf::graph> {
  return part.workflow;
};
constexpr bool keeps_what_it_gets() {
  const auto p = programs::cut(programs::request_and_reply);
  const auto q = wf::rewrite_programs(*p, wf::builtin_registry(), same_again);
  bool same = q && q->edges.size() == 2;
  for (std::size_t k = 0; same && k < 2; ++k)
    same = q->edges[k].send == p->edges[k].send && q->edges[k].receive == p->edges[k].receive;
  for (std::size_t i = 0; same && i < p->partitions.size(); ++i)
    same = q->partitions[i].name == p->partitions[i].name;
  return same;
}
static_assert(keeps_what_it_gets());

// The error of rewriting the text of every program by a replacement.
std::string replaced(const char* source, const std::string& what, const std::string& by) {
  const auto q =
      wf::rewrite_programs(*programs::cut(source), wf::builtin_registry(),
                           [&](const wf::partition& part) -> wf::result<wf::graph> {
                             std::string text(wf::to_text(part.workflow.view()).view());
                             if (const std::size_t at = text.find(what); at != std::string::npos)
                               text.replace(at, what.size(), by);
                             return wf::parse_graph(wf::text_view(text.data(), text.size()));
                           });
  return q ? std::string() : message(q.error());
}

}  // namespace

TEST_CASE("no pass over a whole workflow moves a message, an output or a node to another class") {
  std::mt19937_64 random(41);
  std::set<std::string> changed;
  for (int i = 0; i < (wf_test::sanitized ? 3 : 15); ++i) {
    CAPTURE(i);
    const wf::graph g = some_workflow(random);
    const auto before = traffic_of(g);
    for (const wf_test::named_pass& pass : wf_test::passes()) {
      CAPTURE(std::string(pass.name));
      const auto made = pass.run(g.view());
      REQUIRE_MESSAGE(made, (made ? std::string() : message(made.error())));
      CHECK(traffic_of(*made) == before);
      if (!wf::same(*made, g)) changed.insert(pass.name);
    }
  }
  for (const char* name : {"canonicalise", "merge_common", "optimise flops"})
    CHECK_MESSAGE(changed.contains(name), name);
}

TEST_CASE("each guarded program goes through every pass and stays guarded") {
  const wf::registry kernels = wf::builtin_registry();
  std::mt19937_64 random(42);
  std::set<std::string> changed;
  std::size_t messages = 0;
  for (int i = 0; i < (wf_test::sanitized ? 3 : 15); ++i) {
    CAPTURE(i);
    const wf::partitioned_program p = guarded(some_workflow(random));
    messages += p.edges.size();
    for (const wf_test::named_pass& pass : wf_test::passes()) {
      CAPTURE(std::string(pass.name));
      const auto made = wf::rewrite_programs(p, kernels, [&](const wf::partition& part) {
        auto out = pass.run(part.workflow.view());
        if (out && !wf::same(*out, part.workflow)) changed.insert(pass.name);
        return out;
      });
      REQUIRE_MESSAGE(made, (made ? std::string() : message(made.error())));
      CHECK(ends_of(*made) == ends_of(p));
      const auto still = wf::complete(*made, wf::guard_rules::standard(), kernels);
      CHECK_MESSAGE(still, (still ? std::string() : message(still.error())));
    }
  }
  CHECK(messages > 20);
  CHECK(changed.contains("optimise flops"));
}

TEST_CASE("each guarded program is stored in place, fused, mapped and priced like any workflow") {
  const wf::registry kernels = wf::builtin_registry();
  std::mt19937_64 random(43);
  std::size_t overwritten = 0, fused = 0, placed = 0;
  for (int i = 0; i < (wf_test::sanitized ? 3 : 15); ++i) {
    CAPTURE(i);
    for (const wf::partition& part : guarded(some_workflow(random, 40)).partitions) {
      const wf::graph_view g = part.workflow.view();
      CAPTURE(std::string(part.name.view()));
      const auto storage = wf::plan_storage(g, kernels);
      REQUIRE_MESSAGE(storage, (storage ? std::string() : message(storage.error())));
      for (const wf::value_id over : storage->overwrites)
        overwritten += over != wf::value_id::none ? 1 : 0;
      const auto groups = wf::group_fusion(g, kernels);
      REQUIRE_MESSAGE(groups, (groups ? std::string() : message(groups.error())));
      for (const wf::fusion_group& f : groups->groups) {
        fused += f.nodes.count > 1 ? 1 : 0;
        for (const wf::node_id id : groups->nodes_of(f))
          CHECK((f.nodes.count == 1 || g[id].effects == wf::effect::pure));
      }
      const auto work = wf::workload_of(g, kernels);
      REQUIRE_MESSAGE(work, (work ? std::string() : message(work.error())));
      if (!work->operators.empty()) {
        wf::map_options options;
        options.limits.max_nodes = 200;
        const auto mapped = wf::map(*work, wf_test::row_of(3, 1 << 24), options);
        REQUIRE_MESSAGE(mapped, (mapped ? std::string() : message(mapped.error())));
        placed += work->operators.size();
      }
      CHECK(wf::price(g, wf::flops, kernels));
      CHECK(wf::price(g, wf::peak_memory, kernels));
    }
  }
  CHECK(fused > 0);
  CHECK(placed > 50);
  CHECK(overwritten > 0);
}

TEST_CASE("a rewriting that loses, doubles or moves a message is refused") {
  using programs::one_hop, programs::two_messages;
  CHECK(replaced(one_hop, "nothing of it", "") == "");
  CHECK(contains(replaced(one_hop, "edge = 0", "edge = 1"),
                 "send#1 is an end of a message of another program"));
  CHECK(contains(replaced(two_messages, "edge = 0", "edge = 1"), "the message 1 is there twice"));
  CHECK(contains(replaced(one_hop, "edge = 0", "end = 0"),
                 "other messages that nobody reads are sent"));
  CHECK(contains(replaced(one_hop, "wire.receive", "user.guess"),
                 "is an end of a message of another program"));
  CHECK(contains(replaced(one_hop, "output \"y\"", "output \"z\""),
                 "it has other outputs than before"));
  CHECK(contains(replaced(one_hop, "input \"x\"", "input \"u\""), "it has a new input 'u'"));
  // A message is received as what it is sent as (G13).
  CHECK(contains(
      replaced(two_messages, "[edge = 0, dtype = \"f64\", d0 = dim 4] effect external -> f64[4]",
               "[edge = 0, dtype = \"f32\", d0 = dim 4] effect external -> f32[4]"),
      "the message 0 is received as another type than is sent"));
  CHECK(contains(replaced(one_hop, "negate(%0)", "negate(%0) peer \"others\""),
                 "WF901 in 'negate#0': it states the class 'others' in a program of '@self'"));
  // Without its only reader, a message is received by nobody.
  CHECK(contains(replaced(one_hop, "wire.receive() [edge = 0, ", "wire.receive() ["),
                 "receives no message"));
  CHECK(contains(replaced(two_messages, "edge = 1", "edge = 7"), "another program"));
}

TEST_CASE("a message that is gone is named") {
  const auto q = wf::rewrite_programs(*programs::cut(programs::one_hop), wf::builtin_registry(),
                                      [&](const wf::partition& part) -> wf::result<wf::graph> {
                                        if (part.role != "peers") return part.workflow;
                                        return programs::parsed(
                                            "wf.graph 1 \"M\"\n"
                                            "node elementwise.constant() [value = 1] -> f64[4]\n"
                                            "output \"y\" = %0\n");
                                      });
  REQUIRE_FALSE(q);
  CHECK(contains(message(q.error()), "the message 0 is received no longer"));
  CHECK(contains(message(q.error()), "WF911 in 'M_peers#"));
}

TEST_CASE("the error of a rewriting is passed on, and its step is named") {
  const wf::registry kernels = wf::builtin_registry();
  const auto fails = [](const wf::partition& part) -> wf::result<wf::graph> {
    return wf::make_error(wf::errc::contract_broken, part.role.view(), "no");
  };
  const auto d =
      wf::deployment_toolchain(wf::deployment_settings{})
          .insert_before<"validate_runtime_complete">(wf::rewrite_step<"optimise_programs">(
              fails, kernels))(programs::parsed(programs::one_hop));
  REQUIRE_FALSE(d);
  CHECK(d.error().code == wf::errc::contract_broken);
  CHECK(std::string(d.error().step.view()) == "optimise_programs");
}

TEST_CASE("the name of a program follows its content") {
  const wf::registry kernels = wf::builtin_registry();
  const auto p = programs::cut(
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "node elementwise.negate(%0) -> f64[4]\n"
      "node elementwise.negate(%1) -> f64[4]\n"
      "output \"y\" = %2\n");
  REQUIRE(p);
  const auto q = wf::rewrite_programs(*p, kernels, [&](const wf::partition& part) {
    return wf::canonicalise(part.workflow.view(), kernels);
  });
  REQUIRE(q);
  CHECK(q->partitions[0].workflow.view().nodes.size() < 2);
  CHECK(q->partitions[0].name != p->partitions[0].name);
  CHECK(q->partitions[0].name.view().part(0, 2) == "M#");
  CHECK(q->partitions[0].name.size() == p->partitions[0].name.size());
}

TEST_CASE("programs that a rewriting makes equal have names of their own") {
  const wf::registry kernels = wf::builtin_registry();
  const auto placed = programs::placed(
      "wf.graph 1 \"M\"\n"
      "node elementwise.constant() [value = 1] -> f64[4]\n"
      "node elementwise.negate(%0) peer \"servers\" effect stateful -> f64[4]\n"
      "node elementwise.relu(%0) peer \"servers\" effect stateful -> f64[4]\n");
  REQUIRE(placed);
  const auto wired = wf::insert_receives(*placed);
  REQUIRE(wired);
  const auto p = wf::cut(*wired, {.split_disconnected = true});
  REQUIRE(p);
  REQUIRE(p->partitions.size() == 2);
  const wf::graph same = p->partitions[0].workflow;
  const auto q = wf::rewrite_programs(
      *p, kernels, [&](const wf::partition&) -> wf::result<wf::graph> { return same; });
  REQUIRE(q);
  CHECK(q->partitions[0].name == p->partitions[0].name);
  CHECK(std::string(q->partitions[1].name.view()) ==
        std::string(q->partitions[0].name.view()) + ".2");
  // Doing it again changes no name.
  const auto again = wf::rewrite_programs(*q, kernels, same_again);
  REQUIRE(again);
  for (std::size_t i = 0; i < 2; ++i) CHECK(again->partitions[i].name == q->partitions[i].name);
}
