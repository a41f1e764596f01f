// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/growth/control.hpp>
#include <wf/choice/growth/own_costs.hpp>

namespace wf {

namespace detail {

// The cost of the cheapest tree of each class and candidate, by relaxation; infinite for candidates
// that only cycles can compute. At most one pass per level, since costs are nonnegative.
class tree_costs {
 public:
  static constexpr std::int64_t infinite = INT64_MAX;

  constexpr tree_costs(const choice_graph& c, const table<std::int64_t>& own, combination rule)
      : choices_(c), own_(own), rule_(rule) {
    const graph_view g = c.view();
    of_class_ = table<std::int64_t>(g.values.size(), infinite);
    first_ = table<node_id>(g.values.size(), node_id::none);
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      if (g.values[i].producer == node_id::none)
        of_class_[c.class_of(static_cast<value_id>(i))] = 0;
    while (relax(g)) {
    }
  }
  // Cost of the cheapest tree with this node as its root.
  constexpr std::int64_t of(node_id id) const {
    const graph_view g = choices_.view();
    std::int64_t needs = 0;
    for (value_id operand : g.inputs_of(g[id])) {
      const std::int64_t part = of_class_[choices_.class_of(operand)];
      if (part == infinite) return infinite;
      needs = rule_ == combination::sum ? saturating_add(needs, part) : part > needs ? part : needs;
    }
    const std::int64_t own = own_[index_of(id)];
    const bool adds = rule_ == combination::sum || rule_ == combination::critical_path;
    const std::int64_t total = adds ? saturating_add(own, needs) : own > needs ? own : needs;
    return total < infinite ? total : infinite - 1;
  }
  // The candidate that first attained the cost of the class: following these candidates gives a
  // tree.
  constexpr node_id first_of(std::uint32_t home) const { return first_[home]; }

 private:
  constexpr bool relax(const graph_view& g) {
    bool any = false;
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      const auto id = static_cast<node_id>(i);
      if (choices_.is_merged(id)) continue;
      const std::int64_t cost = of(id);
      for (std::uint32_t k = 0; k < g.nodes[i].outputs.count; ++k) {
        const std::uint32_t home = choices_.class_of(graph_view::output_of(g.nodes[i], k));
        if (cost >= of_class_[home]) continue;
        of_class_[home] = cost;
        first_[home] = id;
        any = true;
      }
    }
    return any;
  }

  const choice_graph& choices_;
  const table<std::int64_t>& own_;
  combination rule_;
  table<std::int64_t> of_class_;
  table<node_id> first_;
};

// Keeps the best candidates of each class; a node is kept if any of its classes has it among its
// best.
class beam_cut {
 public:
  constexpr beam_cut(const choice_graph& c, const tree_costs& costs, std::uint32_t width)
      : choices_(c), costs_(costs), width_(width), kept_(c.view().nodes.size()) {
    const graph_view g = c.view();
    for (std::uint32_t v = 0; v < g.values.size(); ++v)
      if (c.class_of(static_cast<value_id>(v)) == v) keep_best(g, v);
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
      if (g.nodes[i].outputs.count == 0) kept_[i] = 1;
  }
  constexpr bool keeps(std::uint32_t node) const { return kept_[node] != 0; }

 private:
  constexpr void keep_best(const graph_view& g, std::uint32_t home) {
    table<node_id> best;
    for (std::uint32_t v = home; v != value_classes::none; v = choices_.classes().next_member(v)) {
      const node_id id = g.values[v].producer;
      if (id == node_id::none || choices_.is_merged(id)) continue;
      best.push_back(id);
      std::size_t at = best.size() - 1;
      for (; at > 0 && is_before(id, best[at - 1], home); --at) best[at] = best[at - 1];
      best[at] = id;
      if (best.size() > width_) best.pop_back();
    }
    for (node_id id : best) kept_[index_of(id)] = 1;
  }
  // Among equal costs, the candidate that does not need its own class comes first.
  constexpr bool is_before(node_id a, node_id b, std::uint32_t home) const {
    const std::int64_t left = costs_.of(a), right = costs_.of(b);
    if (left != right) return left < right;
    if (costs_.first_of(home) == a || costs_.first_of(home) == b) return costs_.first_of(home) == a;
    return a < b;
  }

  const choice_graph& choices_;
  const tree_costs& costs_;
  std::uint32_t width_;
  table<char> kept_;  // by node
};

// Drops candidates outside the beam and readmits dropped ones that are now cheaper than kept ones.
// Returns the readmitted nodes. Errors: those of `add_costs`; `invalid_problem` for a metric
// without costs of single candidates, `workflow_not_static` for symbolic shapes. O(candidates ·
// (width + levels)).
constexpr result<table<node_id>> cut_to_beam(choice_graph& c, const beam_width& beam,
                                             const registry& kernels) {
  const graph_view g = c.view();
  if (beam.metric.name.empty() || beam.metric.rule == combination::measured)
    return make_error(errc::invalid_problem, beam.metric.name,
                      "a beam needs a metric that tells what single candidates cost");
  if (!g.is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "a beam needs static shapes: bind the symbols, or keep all candidates");
  table<std::int64_t> own(g.nodes.size());
  if (auto priced = add_costs(own, g, beam.metric, 0, 1, kernels); !priced) return priced.error();
  const tree_costs costs(c, own, beam.metric.rule);
  const beam_cut best(c, costs, beam.width);
  table<node_id> back;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto id = static_cast<node_id>(i);
    const bool was_kept = c.is_kept(id);
    c.keep(id, best.keeps(i));
    if (!was_kept && c.is_kept(id)) back.push_back(id);
  }
  return back;
}

}  // namespace detail
}  // namespace wf
