// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/copy.hpp>
#include <wf/registry/catalogue.hpp>

namespace wf {

namespace detail {

// A loop body is a run of nodes with the attribute `steps`. What it carries from step to step
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
    for (std::size_t at = 0; at < order->size();) {
      std::size_t end = at;
      while (end < order->size() && same_loop((*order)[at], (*order)[end])) ++end;
      if (end == at) {
        if (error e = copier_.copy((*order)[at++]); e.code != errc::none) return e;
        continue;
      }
      if (error e = unroll(view<node_id>(*order).part(at, end - at)); e.code != errc::none)
        return e;
      at = end;
    }
    copier_.copy_edges();
    copier_.copy_outputs();
    return out_.take();
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

  // Follows `through` operands back to the value the loop starts from.
  constexpr error find_state(node_id id) {
    const node& n = graph_[id];
    const kernel_spec* k = registry_.find(graph_.op_name(n));
    if (k == nullptr)
      return make_error(errc::unknown_operator, graph_.op_name(n),
                        "no kernel of this name is registered");
    const auto s = parse_signature(k->signature);
    if (!s) return s.error();
    for (std::uint32_t i = 0; i < s->inputs && i < n.inputs.count; ++i) {
      if (s->parameters[i].side != side::through) continue;
      const value_id operand = graph_.inputs_of(n)[i];
      const value_id next = graph_view::output_of(n);
      const value_id known = state_[index_of(operand)];
      const value_id root = known == value_id::none ? operand : known;
      state_[index_of(next)] = root;
      bool found = false;
      for (carried& c : carried_) {
        if (c.root != root) continue;
        c.last = next;
        found = true;
      }
      if (!found) carried_.push_back({root, next, copier_.place(root)});
      break;
    }
    return {};
  }

  // Copy number `step` of a node of the body.
  constexpr error emit(node_id id, std::int64_t step) {
    table<attribute_value> attributes = attribute_values(graph_, graph_[id]);
    for (attribute_value& a : attributes)
      if (a.name == "steps") a = attribute_value::integer("steps", 1);
    attributes.push_back(attribute_value::integer("step", step));
    return copier_.copy(id, static_cast<table<attribute_value>&&>(attributes));
  }

  struct carried {
    value_id root = value_id::none;   // the value the loop starts from
    value_id last = value_id::none;   // the body's value that is its state after a step
    value_id start = value_id::none;  // where the root itself is in the new graph
  };

  graph_view graph_;
  const registry& registry_;
  graph_builder out_;
  symbol_map symbols_;
  graph_copier copier_;
  table<value_id> state_;  // by value: the root whose state it is, or none
  table<carried> carried_;
  std::int64_t max_steps_ = 0;
};

}  // namespace detail

/// Repeats loop bodies: a run of nodes with an attribute `steps` = n becomes n copies of them, each
/// node with `steps` = 1 and its number in `step`; the states that kernels hand `through` are
/// threaded from copy to copy. Errors: `workflow_not_static` for a symbolic number of steps,
/// `bad_attribute` for one over `max_steps`, `unknown_operator`. O(size of the result).
constexpr result<graph> unroll(const graph_view& g, const registry& r,
                               std::int64_t max_steps = 100000) {
  return detail::unroller(g, r).run(max_steps);
}

}  // namespace wf
