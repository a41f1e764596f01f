// SPDX-License-Identifier: BSL-1.0
#pragma once

// Checks that no transformation of a workflow mixes computations of different peers.
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cache/store/codec.hpp>
#include <wf/choice/graph/extract.hpp>
#include <wf/choice/growth/growth.hpp>
#include <wf/ir/form/json.hpp>
#include <wf/ir/form/parse_json.hpp>
#include <wf/rewrite/bind.hpp>
#include <wf/rewrite/call_patterns.hpp>
#include <wf/rewrite/canonical/canonical.hpp>
#include <wf/rewrite/common.hpp>
#include <wf/rewrite/dead.hpp>
#include <wf/rewrite/fold.hpp>
#include <wf/rewrite/inline.hpp>
#include <wf/rewrite/unroll.hpp>
#include <wf/rewrite/views.hpp>
#include <wf/select/pareto/optimise.hpp>
#include <wf/types/solve.hpp>

#include "../run/random_workflow.hpp"
#include "pass_properties.hpp"

namespace wf_test {

inline constexpr wf::text_view peers[] = {"left", "right", ""};

// The workflow three times on the same inputs, once per peer: every node has twins with which it
// must not be merged. Output k on peer c has number 3k + c.
inline wf::graph three_times(const wf::graph_view& g) {
  const wf::symbol_map symbols;
  wf::graph_builder out("three");
  std::vector<wf::value_id> inputs;
  std::vector<wf::table<wf::value_id>> made;
  for (const wf::text_view peer : peers) {
    wf::graph_copier copier(g, out, symbols, {}, wf::duplicates::keep);
    copier.set_peer(peer);
    if (made.empty()) {
      REQUIRE(copier.copy_inputs().code == wf::errc::none);
      for (std::uint32_t i = 0; i < g.values.size(); ++i)
        if (g.values[i].producer == wf::node_id::none)
          inputs.push_back(copier.place(wf::value_id{i}));
    } else {
      copier.place_inputs({inputs.data(), inputs.size()});
    }
    const auto order = wf::topological_order(g);
    for (const wf::node_id id : *order) REQUIRE(copier.copy(id).code == wf::errc::none);
    copier.copy_edges();
    made.push_back(copier.outputs());
  }
  for (std::size_t k = 0; k < g.outputs.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c)
      out.graph().add_output((wf::text("y") << 3 * k + c).view(), made[c][k]);
  return out.take();
}

// The same for calls of the workflow.
inline wf::graph three_calls(const wf::graph_view& g) {
  const wf::text body = wf::to_text(g);
  const wf::attribute_value called = wf::attribute_value::string("body", body.view());
  wf::graph out("calls");
  std::vector<wf::value_id> inputs;
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none) inputs.push_back(out.add_input(g.text_of(v.name), v.type));
  std::vector<wf::value_type> types;
  for (const wf::output& o : g.outputs) types.push_back(g[o.source].type);
  std::vector<wf::node_id> calls;
  for (const wf::text_view peer : peers)
    calls.push_back(
        out.add_node({.op = "call", .domain = "control", .attributes = {&called, 1}, .peer = peer},
                     {inputs.data(), inputs.size()}, {types.data(), types.size()}));
  for (std::uint32_t k = 0; k < types.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c)
      out.add_output((wf::text("y") << 3 * k + c).view(),
                     wf::graph_view::output_of(out[calls[c]], k));
  return out;
}

// The first node on another peer that contributes to an output, as a message; empty if none.
inline std::string stranger(const wf::graph_view& g) {
  for (std::size_t k = 0; k < g.outputs.size(); ++k) {
    std::vector<char> seen(g.nodes.size());
    std::vector<wf::value_id> left{g.outputs[k].source};
    while (!left.empty()) {
      const wf::node_id id = g[left.back()].producer;
      left.pop_back();
      if (id == wf::node_id::none || seen[wf::index_of(id)] != 0) continue;
      seen[wf::index_of(id)] = 1;
      if (g.text_of(g[id].peer) != peers[k % 3])
        return std::string(g.label(id).view()) + " of '" + std::string(g.text_of(g[id].peer)) +
               "' computes for '" + std::string(peers[k % 3]) + "'";
      for (const wf::value_id operand : g.inputs_of(g[id])) left.push_back(operand);
    }
  }
  return {};
}

struct named_pass {
  const char* name;
  std::function<wf::result<wf::graph>(const wf::graph_view&)> run;
};

inline wf::result<wf::graph> planned(const wf::graph_view& g, const wf::metric_spec& m,
                                     std::uint32_t nodes) {
  wf::optimise_options options;
  options.growth.max_nodes = nodes;
  options.search.max_nodes = 200;
  auto made = wf::optimise(g, wf::minimise(m), {}, wf::builtin_registry(), options);
  if (!made) return made.error();
  return made->chosen;
}

inline const std::vector<named_pass>& passes() {
  static const wf::registry kernels = wf::builtin_registry();
  static const std::vector<named_pass> all{
      {"canonicalise", [](const auto& g) { return wf::canonicalise(g); }},
      {"canonicalise, real",
       [](const auto& g) { return wf::canonicalise(g, kernels, wf::algebra::real); }},
      {"merge_common", [](const auto& g) { return wf::merge_common(g); }},
      {"drop_dead", [](const auto& g) { return wf::drop_dead(g); }},
      {"fold_constants", [](const auto& g) { return wf::fold_constants(g); }},
      {"eliminate_views", [](const auto& g) { return wf::eliminate_views(g); }},
      {"inline_calls", [](const auto& g) { return wf::inline_calls(g); }},
      {"bind_symbols",
       [](const auto& g) {
         const wf::symbol_size size{wf::make_symbol("N"), 3};
         return wf::bind_symbols(g, {&size, 1});
       }},
      {"unroll", [](const auto& g) { return wf::unroll(g, kernels); }},
      {"complete_types", [](const auto& g) { return wf::complete_types(g, kernels); }},
      {"map_calls",
       [](const auto& g) {
         const wf::call_pattern row{"f*", "negate"};
         return wf::map_calls(g, {&row, 1});
       }},
      {"text", [](const auto& g) { return wf::parse_graph(wf::to_text(g).view()); }},
      {"JSON", [](const auto& g) { return wf::parse_graph_json(wf::to_json(g).view()); }},
      {"a choice graph without choices",
       [](const auto& g) -> wf::result<wf::graph> {
         const wf::choice_graph c(g);
         const wf::class_numbers classes = wf::number_classes(c);
         wf::table<std::uint32_t> chosen(classes.count);
         for (std::uint32_t i = 0; i < c.size(); ++i)
           for (std::uint32_t k = c.view().nodes[i].outputs.count; k-- > 0;)
             if (const std::uint32_t number = classes.of_value[c.view().nodes[i].outputs.first + k];
                 number != wf::class_numbers::none)
               chosen[number] = i;
         return wf::extract(c, classes, chosen);
       }},
      {"optimise flops", [](const auto& g) { return planned(g, wf::flops, 400); }},
      {"optimise operations", [](const auto& g) { return planned(g, wf::bytes, 400); }},
  };
  return all;
}

inline void check_peers() {
  const std::uint64_t seed = 20261123;
  CAPTURE(seed);
  wf_test::random_source random(seed);
  std::mt19937_64 other_random(seed);
  std::set<std::string> changed;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    wf::graph g;
    if (round % 2 == 0) {
      wf_test::workflow_options options;
      options.nodes = 12;
      options.edges = options.effects = options.peers = false;
      g = wf_test::redundant_workflow(random, options);
    } else {
      wf_test::random_workflow_options options;
      options.most_nodes = 12;
      g = wf_test::make_random_workflow(other_random, options).graph;
    }
    for (const bool calls : {false, true}) {
      const wf::graph given = calls ? three_calls(g) : three_times(g);
      REQUIRE(wf::validate(given));
      REQUIRE(stranger(given) == "");
      for (const named_pass& pass : passes()) {
        CAPTURE(std::string(pass.name));
        const auto made = pass.run(given);
        INFO(std::string(wf::to_text(given.view()).view()));
        // A call has no price.
        if (!made && calls && made.error().code == wf::errc::unknown_operator) continue;
        REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
        INFO(std::string(wf::to_text(made->view()).view()));
        CHECK(stranger(*made) == "");
        if (!wf::same(*made, given)) changed.insert(pass.name);
      }
    }
  }
  for (const char* name : {"canonicalise", "merge_common", "fold_constants", "eliminate_views",
                           "inline_calls", "optimise flops"})
    CHECK_MESSAGE(changed.contains(name), name);
}

}  // namespace wf_test
