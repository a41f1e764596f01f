// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace wf {

namespace detail {

// Copies a workflow without its messages; see `without_messages`.
class message_removal {
 public:
  constexpr message_removal(const graph_view& g, const registry& kernels)
      : g_(g),
        kernels_(kernels),
        into_(g.text_of(g.name)),
        copier_(g, into_, symbols_, {}, duplicates::keep) {}

  constexpr result<graph> run() {
    const auto order = topological_order(g_);
    if (!order) return order.error();
    for (std::uint32_t i = 0; i < g_.values.size(); ++i)
      if (const value& v = g_.values[i]; v.producer == node_id::none && v.type.type != dtype::peer)
        if (error e = copier_.copy_input(static_cast<value_id>(i)); e.code != errc::none) return e;
    for (const node_id id : *order)
      if (error e = copy(id); e.code != errc::none) return e;
    copier_.copy_edges();
    for (const output& o : g_.outputs) {
      if (copier_.place(o.source) == value_id::none) return without_value(g_.text_of(o.name));
      into_.graph().add_output(g_.text_of(o.name), copier_.place(o.source));
    }
    return validated(into_.take());
  }

 private:
  static constexpr error without_value(text_view name) {
    return make_error(errc::not_executable, name,
                      "without messages there are no machines, and no numbers of requests");
  }
  constexpr error copy(node_id id) {
    const node& n = g_[id];
    const meaning m = kernels_.meaning_of(g_.op_name(n));
    if (m == meaning::sending && n.inputs.count != 0) {
      copier_.place(graph_view::output_of(n)) = copier_.place(g_.inputs_of(n)[0]);
      return {};
    }
    if (m == meaning::membership) return {};
    if (m == meaning::collection && n.inputs.count != 0) return repeat(n, id);
    bool tells_machines = n.outputs.count != 0;
    for (std::uint32_t r = 0; r < n.outputs.count; ++r)
      tells_machines = tells_machines && g_[graph_view::output_of(n, r)].type.type == dtype::peer;
    if (tells_machines) return {};
    for (const value_id v : g_.inputs_of(n))
      if (copier_.place(v) == value_id::none) return without_value(g_.label(id).view());
    return copier_.copy(id);
  }

  // On one machine all answers are one.
  constexpr error repeat(const node& n, node_id id) {
    const value_id one = copier_.place(g_.inputs_of(n)[0]), all = graph_view::output_of(n);
    if (one == value_id::none) return without_value(g_.label(id).view());
    const auto type = symbols_.translate(g_[all].type, g_, into_.graph());
    if (!type) return type.error();
    table<attribute_value> extents;
    for (std::uint32_t d = 0; d < type->shape.rank; ++d)
      extents.push_back(attribute_value::dimension(stated_extent_names[d], type->shape[d]));
    const node_id made = into_.append_node({.op = kernels::broadcast_to.name,
                                            .domain = kernels::broadcast_to.domain,
                                            .attributes = extents,
                                            .peer = g_.text_of(n.peer)},
                                           {&one, 1}, {&*type, 1});
    copier_.place(all) = graph_view::output_of(into_.graph()[made]);
    return {};
  }

  const graph_view& g_;
  const registry& kernels_;
  symbol_map symbols_;
  graph_builder into_;
  graph_copier copier_;
};

}  // namespace detail

/// The workflow as one machine computes it: whoever reads what a message brings reads what was
/// sent, and all answers that are collected are one. Machines are no longer among its inputs, and
/// what only tells machines is left out; nodes keep the class that they state. What programs on
/// machines compute is to equal what this computes.
///
/// Errors: those of `validate`; `not_executable` for a node or an output that needs machines or the
/// number of a request as a value. O(size of the graph).
constexpr result<graph> without_messages(const graph_view& workflow, const registry& kernels) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  return detail::message_removal(*valid, kernels).run();
}
/// The same with the built-in operators.
constexpr result<graph> without_messages(const graph_view& workflow) {
  return without_messages(workflow, builtin_registry());
}

}  // namespace wf
