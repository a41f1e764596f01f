// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/choice_graph.hpp>

namespace wf {

/// What a transform does at one node. Errors end the growth.
using proposal = result<nothing> (*)(choice_graph&, node_id);

/// A rule that proposes alternatives: looks at one node and adds equal candidates to the choice
/// graph
/// (`choice_graph::add`, then `unite` with the node's result). It must only unite values that are
/// equal for every input that the workflow's declared properties admit.
struct transform {
  /// The family it belongs to.
  text_view domain;
  /// Its name: "chain_order".
  text_view name;
  /// One sentence for `explain`.
  text_view summary;
  /// Proposes alternatives to a node. Errors end the growth.
  proposal propose = nullptr;
  /// True if it also looks at nodes that transforms added.
  bool repeat = true;
};

/// How far a choice graph may grow.
struct growth_limits {
  /// The most nodes; growth stops before a transform that finds the graph larger.
  std::uint32_t max_nodes = 20000;
};

/// Applies transforms to every node, the added ones included, until nothing is new or the limit is
/// reached. Node by node, transform by transform: deterministic. Errors: those of transforms.
constexpr result<choice_graph> grow(const graph_view& workflow, view<transform> transforms,
                                    const growth_limits& limits = {}) {
  choice_graph choices(workflow);
  const std::size_t captured = choices.view().nodes.size();
  for (std::uint32_t i = 0; i < choices.view().nodes.size(); ++i) {
    for (std::uint16_t t = 0; t < transforms.size(); ++t) {
      if (i >= captured && !transforms[t].repeat) continue;
      if (choices.view().nodes.size() >= limits.max_nodes) return choices;
      choices.set_origin(static_cast<origin_id>(t + 1));
      if (auto done = transforms[t].propose(choices, static_cast<node_id>(i)); !done)
        return done.error();
    }
  }
  return choices;
}

}  // namespace wf
