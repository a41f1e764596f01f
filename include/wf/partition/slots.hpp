// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/cut.hpp>
#include <wf/registry/fit.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

/// The attribute of a node with its role: what kind of operator it is, such as "aggregator".
inline constexpr text_view role_attribute = "role";
/// The attribute of a node with the number of its slot: its operator is that which is bound to the
/// slot. A node with a role and without a slot provides the role itself.
inline constexpr text_view slot_attribute = "slot";

/// A slot that a bound operator needs to be bound as well.
struct slot_dependency {
  text role;              ///< the role that it must have
  std::int64_t slot = 0;  ///< its number
};

/// The operator of a slot.
struct slot_binding {
  text role;                     ///< of the operator, such as "aggregator"
  std::int64_t slot = 0;         ///< the slot's number
  text kernel;                   ///< name of the operator
  table<slot_dependency> needs;  ///< other slots that it relies on
};

namespace detail {

// Replaces the operators of slots; see `resolve_slots`.
class slot_resolution {
 public:
  constexpr slot_resolution(const table<slot_binding>& bindings, const registry& kernels)
      : bindings_(bindings), kernels_(kernels) {}

  constexpr error check_bindings() const {
    for (std::size_t i = 0; i < bindings_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (bindings_[i].slot == bindings_[j].slot)
          return make_error(errc::ambiguous_role, bindings_[i].role.view(),
                            text() << "both '" << bindings_[j].kernel << "' and '"
                                   << bindings_[i].kernel << "' are bound to slot "
                                   << bindings_[i].slot);
    for (const slot_binding& b : bindings_)
      for (const slot_dependency& d : b.needs)
        if (error e = check_slot(b.kernel.view(), d.role.view(), d.slot); e.code != errc::none)
          return e;
    return {};
  }
  // A role either has slots or is provided by nodes themselves.
  constexpr error check_roles(const graph_view& g) const {
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      const text_view role = role_of(g, g.nodes[i]);
      if (role.empty() || slot_of(g, g.nodes[i]) != nullptr) continue;
      for (std::uint32_t j = 0; j < g.nodes.size(); ++j)
        if (role_of(g, g.nodes[j]) == role && slot_of(g, g.nodes[j]) != nullptr)
          return make_error(errc::ambiguous_role, role,
                            text() << g.label(static_cast<node_id>(i))
                                   << " provides the role itself, and "
                                   << g.label(static_cast<node_id>(j)) << " leaves it to slot "
                                   << slot_of(g, g.nodes[j])->number);
    }
    return {};
  }
  constexpr result<graph> resolve(const graph_view& g, table<node_id>& places) const {
    const auto order = topological_order(g);
    if (!order) return order.error();
    places.resize(g.nodes.size());
    return copy_nodes(g, *order, [&](node_id id, graph_copier& copier, graph_builder& into) {
      const error e = copy(g, id, copier, into);
      places[index_of(id)] = copier.place(id);
      return e;
    });
  }
  static constexpr bool has_slots(const graph_view& g) {
    for (const node& n : g.nodes)
      if (slot_of(g, n) != nullptr) return true;
    return false;
  }

 private:
  static constexpr text_view role_of(const graph_view& g, const node& n) {
    const attribute* const a = g.find_attribute(n, role_attribute);
    return a == nullptr || a->kind != attribute_kind::string ? text_view()
                                                             : g.text_of(a->characters);
  }
  static constexpr const attribute* slot_of(const graph_view& g, const node& n) {
    const attribute* const a = g.find_attribute(n, slot_attribute);
    return role_of(g, n).empty() || a == nullptr || a->kind != attribute_kind::integer ? nullptr
                                                                                       : a;
  }
  constexpr const slot_binding* find(std::int64_t slot) const {
    for (const slot_binding& b : bindings_)
      if (b.slot == slot) return &b;
    return nullptr;
  }
  constexpr error check_slot(text_view who, text_view role, std::int64_t slot) const {
    const slot_binding* const b = find(slot);
    if (b == nullptr)
      return make_error(errc::unbound_slot, who,
                        text() << "it needs the " << role << " in slot " << slot
                               << ", to which nothing is bound");
    if (b->role.view() == role) return {};
    return make_error(errc::slot_mismatch, who,
                      text() << "it needs the " << role << " in slot " << slot << ", but '"
                             << b->kernel << "' is bound there for the role " << b->role);
  }
  constexpr error copy(const graph_view& g, node_id id, graph_copier& copier,
                       graph_builder& into) const {
    const attribute* const slot = slot_of(g, g[id]);
    if (slot == nullptr) return copier.copy(id);
    if (error e = check_slot(g.label(id).view(), role_of(g, g[id]), slot->number);
        e.code != errc::none)
      return e;
    const slot_binding& bound = *find(slot->number);
    const kernel_spec* const k = kernels_.find(bound.kernel.view());
    if (k == nullptr)
      return make_error(errc::slot_mismatch, g.label(id).view(),
                        text() << "the operator '" << bound.kernel << "', bound to slot "
                               << slot->number << ", is not registered");
    table<attribute_value> attributes;
    for (const attribute_value& a : attribute_values(g, g[id]))
      if (a.name != text_view("signature")) attributes.push_back(a);
    table<value_id> operands;
    for (const value_id v : g.inputs_of(g[id])) operands.push_back(copier.place(v));
    table<value_type> results;
    for (std::uint32_t r = 0; r < g[id].outputs.count; ++r)
      results.push_back(g[graph_view::output_of(g[id], r)].type);
    const table<cost_formula> none;
    node_description d = description_of(g, g[id], attributes, none);
    d.op = k->name;
    d.domain = k->domain;
    d.effects = k->effects;
    d.hash = 0;
    // Extents mean the same here: the copy has the source's derived extents in their order.
    for (value_type& t : results) {
      const auto same = symbol_map().translate(t, g, into.graph());
      if (!same) return same.error();
      t = *same;
    }
    const node_id made = into.append_node(d, operands, results);
    copier.place(id) = made;
    for (std::uint32_t r = 0; r < g[id].outputs.count; ++r)
      copier.place(graph_view::output_of(g[id], r)) = graph_view::output_of(into.graph()[made], r);
    if (const error e = find_misfit(into.graph().view(), made, *k); e.code != errc::none)
      return make_error(errc::slot_mismatch, g.label(id).view(),
                        text() << "the operator '" << bound.kernel << "', bound to slot "
                               << slot->number << ", does not fit: " << e.message);
    return {};
  }

  const table<slot_binding>& bindings_;
  const registry& kernels_;
};

}  // namespace detail

/// Gives every node with a slot the operator that is bound to it; its attributes and its place
/// stay. Declared costs of the node hold no longer: those of the operator do.
///
/// Errors: `ambiguous_role` for two bindings of one slot, or a role with slots that a node of the
/// same program also provides itself; `unbound_slot`; `slot_mismatch` for an operator that is
/// unknown or does not fit its node, or a slot of another role; those of `validate`.
/// O(size of the programs + nodes with a role squared + bindings squared).
constexpr result<partitioned_program> resolve_slots(partitioned_program p,
                                                    const table<slot_binding>& bindings,
                                                    const registry& kernels) {
  const detail::slot_resolution slots(bindings, kernels);
  if (error e = slots.check_bindings(); e.code != errc::none) return e;
  for (std::uint32_t i = 0; i < p.partitions.size(); ++i) {
    const graph_view g = p.partitions[i].workflow.view();
    if (!slots.has_slots(g)) continue;
    if (error e = slots.check_roles(g); e.code != errc::none) return e;
    table<node_id> places;
    auto made = slots.resolve(g, places);
    if (!made) return made.error();
    for (wire_edge& e : p.edges) {
      if (e.from == i) e.send = places[index_of(e.send)];
      if (e.to == i) e.receive = places[index_of(e.receive)];
    }
    p.partitions[i].workflow = static_cast<graph&&>(*made);
  }
  return p;
}

}  // namespace wf
