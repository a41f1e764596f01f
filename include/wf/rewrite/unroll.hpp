// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/registry/catalogue.hpp>

namespace wf {

namespace detail {

// A loop body is a set of connected nodes with the attribute `steps`. The loop-carried state
// follows from the kernels' `through` operands: their first result is the operand's next state.
class unroller {
 public:
  constexpr unroller(const graph_view& g, const registry& r)
      : graph_(g),
        registry_(r),
        out_(g.text_of(g.name)),
        copier_(graph_, out_, symbols_),
        state_(g.values.size(), value_id::none) {}

  constexpr result<graph> run(std::int64_t max_steps) {
    max_steps_ = max_steps;
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    if (error e = copier_.copy_inputs(); e.code != errc::none) return e;
    if (error e = find_bodies(); e.code != errc::none) return e;
    table<node_id> nodes;  // grouped by body, in order
    if (error e = gather(*order, nodes); e.code != errc::none) return e;
    for (std::size_t at = 0, end = 0; at < nodes.size(); at = end) {
      while (end < nodes.size() && body_of(nodes[end]) == body_of(nodes[at])) ++end;
      if (error e = steps_of(nodes[at]) == nullptr
                        ? copier_.copy(nodes[at])
                        : unroll(view<node_id>(nodes).part(at, end - at));
          e.code != errc::none)
        return e;
    }
    copier_.copy_edges();
    copier_.copy_outputs();
    return made_valid(out_.take());
  }

 private:
  constexpr const attribute* steps_of(node_id id) const {
    return graph_.find_attribute(graph_[id], "steps");
  }
  constexpr bool same_loop(node_id a, node_id b) const {
    const attribute* x = steps_of(a);
    const attribute* y = steps_of(b);
    return x != nullptr && y != nullptr && x->number == y->number && x->kind == y->kind;
  }

  // The representative of a node's body: its lowest node. A node outside loops is its own.
  constexpr std::uint32_t body_of(node_id id) const {
    std::uint32_t at = index_of(id);
    while (body_[at] != at) at = body_[at];
    return at;
  }
  // Nodes with equal `steps` share a body if one reads the other, or the state that the other
  // carries.
  constexpr error find_bodies() {
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) body_.push_back(i);
    table<node_id> hands_on(graph_.values.size(), node_id::none);
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      const auto id = static_cast<node_id>(i);
      if (steps_of(id) == nullptr) continue;
      const auto state = through_of(id);
      if (!state) return state.error();
      if (*state != value_id::none) hands_on[index_of(*state)] = id;
    }
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      const auto id = static_cast<node_id>(i);
      for (value_id operand : graph_.inputs_of(graph_[id]))
        for (node_id other : {graph_[operand].producer, hands_on[index_of(operand)]})
          if (other != node_id::none && same_loop(other, id)) unite(body_of(other), body_of(id));
    }
    return {};
  }
  constexpr void unite(std::uint32_t a, std::uint32_t b) { body_[a < b ? b : a] = a < b ? a : b; }
  // The operand whose next state is a node's first result, or none.
  constexpr result<value_id> through_of(node_id id) const {
    const node& n = graph_[id];
    const kernel_spec* k = registry_.find(graph_.op_name(n));
    if (k == nullptr)
      return make_error(errc::unknown_operator, graph_.op_name(n),
                        "no kernel of this name is registered");
    const auto s = parse_signature(k->signature);
    if (!s) return s.error();
    for (std::uint32_t i = 0; s->takes(n.inputs.count) && i < n.inputs.count; ++i)
      if (s->operand(i, n.inputs.count).side == side::through) return graph_.inputs_of(n)[i];
    return value_id::none;
  }
  // A topological order of bodies, each contiguous: a body waits for all producers outside it.
  constexpr error gather(view<node_id> order, table<node_id>& out) const {
    const std::size_t count = graph_.nodes.size();
    const adjacency edges = adjacency_of(graph_);
    table<std::uint32_t> waits(count);
    table<table<node_id>> nodes(count);  // by body, in order
    for (node_id id : order) {
      nodes[body_of(id)].push_back(id);
      for (node_id before : edges.predecessors_of(id))
        waits[body_of(id)] += body_of(before) != body_of(id) ? 1 : 0;
    }
    binary_heap<std::uint32_t> ready;
    ready.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
      if (body_[i] == i && waits[i] == 0) ready.push(i);
    while (!ready.empty()) {
      const std::uint32_t body = ready.pop();
      for (node_id id : nodes[body]) out.push_back(id);
      for (node_id id : nodes[body])
        for (node_id after : edges.successors_of(id))
          if (body_of(after) != body && --waits[body_of(after)] == 0) ready.push(body_of(after));
    }
    for (std::uint32_t i = 0; i < count; ++i)
      if (waits[i] != 0 && steps_of(static_cast<node_id>(i)) != nullptr)
        return make_error(errc::malformed_graph, graph_.label(static_cast<node_id>(i)).view(),
                          "the loop reads what a node outside of it computes from the loop");
    return {};
  }

  constexpr error unroll(view<node_id> body) {
    const attribute* steps = steps_of(body[0]);
    const text label = graph_.label(body[0]);
    if (steps->number < 0)
      return make_error(errc::workflow_not_static, label.view(),
                        "the number of steps is symbolic: bind the symbols first");
    if (steps->number > max_steps_)
      return make_error(errc::bad_attribute, label.view(),
                        (text() << "a loop of " << steps->number << " steps; at most " << max_steps_
                                << " are unrolled")
                            .view());
    for (node_id id : body)
      if (error e = find_state(id); e.code != errc::none) return e;
    for (std::int64_t step = 0; step < steps->number; ++step) {
      for (node_id id : body)
        if (error e = emit(id, step); e.code != errc::none) return e;
      for (const carried& c : carried_) copier_.place(c.root) = copier_.place(c.last);
    }
    for (const carried& c : carried_) {
      copier_.place(c.last) = copier_.place(c.root);  // unchanged if there are no steps
      copier_.place(c.root) = c.start;                // for readers outside the loop
    }
    carried_.clear();
    return {};
  }

  // Follows `through` operands back to the initial value of the loop.
  constexpr error find_state(node_id id) {
    const auto operand = through_of(id);
    if (!operand) return operand.error();
    if (*operand == value_id::none) return {};
    const value_id next = graph_view::output_of(graph_[id]);
    const value_id known = state_[index_of(*operand)];
    const value_id root = known == value_id::none ? *operand : known;
    state_[index_of(next)] = root;
    for (carried& c : carried_)
      if (c.root == root) return c.last = next, error{};
    carried_.push_back({root, next, copier_.place(root)});
    return {};
  }

  // Emits copy number `step` of a node of the body.
  constexpr error emit(node_id id, std::int64_t step) {
    table<attribute_value> attributes;
    for (const attribute_value& a : attribute_values(graph_, graph_[id]))
      if (a.name != "step")  // of an enclosing loop that was unrolled before
        attributes.push_back(a.name == "steps" ? attribute_value::integer("steps", 1) : a);
    attributes.push_back(attribute_value::integer("step", step));
    return copier_.copy(id, static_cast<table<attribute_value>&&>(attributes));
  }

  struct carried {
    value_id root = value_id::none;   // the initial value of the loop
    value_id last = value_id::none;   // the body's value that is its state after a step
    value_id start = value_id::none;  // the image of the root itself in the new graph
  };

  graph_view graph_;
  const registry& registry_;
  graph_builder out_;
  symbol_map symbols_;
  graph_copier copier_;
  table<value_id> state_;  // by value: the root of the state it carries, or none
  table<carried> carried_;
  table<std::uint32_t> body_;  // by node: a lower node of its body, or itself
  std::int64_t max_steps_ = 0;
};

}  // namespace detail

/// Unrolls loops: connected nodes with an attribute `steps` = n become n copies, with `steps` = 1
/// and the step number, from 0, in `step`; the states that kernels pass `through` are threaded from
/// copy to copy. Errors: those of `validate`, `workflow_not_static` for a symbolic number of steps,
/// `bad_attribute` for one over `max_steps`, `unknown_operator`, `malformed_graph` for a loop that
/// depends on itself. O(size of the result).
constexpr result<graph> unroll(const graph_view& workflow, const registry& r,
                               std::int64_t max_steps = 100000) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return detail::unroller(g, r).run(max_steps);
}

}  // namespace wf
