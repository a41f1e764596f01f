// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/form/body.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/registry/catalogue.hpp>
#include <wf/rewrite/dead.hpp>

namespace wf {

namespace detail {

/// The part of a body that does not depend on what is carried.
struct invariant_part {
  table<char> varies;      ///< by value: 1 if it depends on what is carried
  table<char> free;        ///< by node: 1 if it costs nothing
  table<char> moved;       ///< by node: 1 if it is computed before the runs
  table<node_id> kept;     ///< the nodes of the body that remain, in order
  table<char> read;        ///< by value: 1 if what remains reads it, or hands it out
  table<value_id> handed;  ///< values of moved nodes that what remains reads, in order
};

/// Finds the invariant part of a valid body. Views and nodes without operands, which cost nothing,
/// are moved only with what reads them.
constexpr invariant_part invariant_part_of(const graph_view& body, const registry& kernels,
                                           view<node_id> order) {
  invariant_part out;
  out.varies.resize(body.values.size());
  out.free.resize(body.nodes.size());
  out.moved.resize(body.nodes.size());
  out.read.resize(body.values.size());
  std::size_t inputs = 0, at = 0;
  for (const value& v : body.values) inputs += v.producer == node_id::none ? 1 : 0;
  for (std::uint32_t i = 0; i < body.values.size(); ++i)
    if (body.values[i].producer == node_id::none)
      out.varies[i] = ++at + body.outputs.size() > inputs ? 1 : 0;
  for (node_id id : order) {
    const node& n = body[id];
    const kernel_spec* const k = kernels.find(body.op_name(n));
    bool fixed = n.effects == effect::pure;
    for (value_id operand : body.inputs_of(n)) fixed = fixed && out.varies[index_of(operand)] == 0;
    const bool free = n.inputs.count == 0 || (k != nullptr && k->is_view);
    for (std::uint32_t r = 0; r < n.outputs.count; ++r)
      out.varies[n.outputs.first + r] = fixed ? 0 : 1;
    out.free[index_of(id)] = fixed && free ? 1 : 0;
    out.moved[index_of(id)] = fixed && !free ? 1 : 0;
  }
  for (const output& o : body.outputs) out.read[index_of(o.source)] = 1;
  table<char> stays(body.nodes.size());
  for (std::size_t i = order.size(); i-- > 0;) {
    const node& n = body[order[i]];
    bool any = n.effects != effect::pure;
    for (std::uint32_t r = 0; r < n.outputs.count; ++r)
      any = any || out.read[n.outputs.first + r] != 0;
    if (!any || out.moved[index_of(order[i])] != 0) continue;
    stays[index_of(order[i])] = 1;
    for (value_id operand : body.inputs_of(n)) out.read[index_of(operand)] = 1;
  }
  for (node_id id : order)
    if (stays[index_of(id)] != 0) out.kept.push_back(id);
  for (std::uint32_t i = 0; i < body.values.size(); ++i)
    if (const node_id producer = body.values[i].producer;
        out.read[i] != 0 && producer != node_id::none && out.moved[index_of(producer)] != 0)
      out.handed.push_back(static_cast<value_id>(i));
  return out;
}

/// Moves what is invariant in the bodies of a valid graph before their nodes.
class invariant_mover {
 public:
  constexpr invariant_mover(const graph_view& g, const registry& r)
      : graph_(g), kernels_(r), out_(g.text_of(g.name)), copy_(graph_, out_, symbols_) {}
  // The copier refers to other members.
  invariant_mover(const invariant_mover&) = delete;
  invariant_mover& operator=(const invariant_mover&) = delete;

  constexpr result<graph> run() {
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    if (error e = copy_.copy_inputs(); e.code != errc::none) return e;
    for (node_id id : *order) {
      bool done = false;
      if (kernels_.repeats(graph_.op_name(graph_[id])))
        if (error e = move(id, done); e.code != errc::none) return e;
      if (done) continue;
      if (error e = copy_.copy(id); e.code != errc::none) return e;
    }
    copy_.copy_edges();
    copy_.copy_outputs();
    return made_valid(out_.take());
  }

 private:
  // `done` becomes true if the node is copied with a smaller body.
  constexpr error move(node_id id, bool& done) {
    const node& n = graph_[id];
    const auto body = body_of(graph_, id);
    if (!body) return body.error();
    const graph_view b = body->view();
    const auto order = topological_order(b);
    if (!order) return in_body_of(graph_.label(id).view(), order.error());
    const invariant_part part = invariant_part_of(b, kernels_, *order);
    if (part.handed.empty()) return {};
    const std::size_t carried = b.outputs.size();
    // The new body: what it reads of the operands, what is handed to it, what is carried.
    table<value_id> operands, before;
    graph_builder into(b.text_of(b.name));
    graph_copier inner(b, into, symbols_);
    std::size_t at = 0, inputs = 0;
    for (const value& v : b.values) inputs += v.producer == node_id::none ? 1 : 0;
    table<std::uint32_t> last;
    for (std::uint32_t i = 0; i < b.values.size(); ++i) {
      if (b.values[i].producer != node_id::none) continue;
      before.push_back(copy_.place(graph_.inputs_of(n)[at]));
      if (at + carried >= inputs) {
        last.push_back(i);
      } else if (part.read[i] != 0) {
        if (error e = inner.copy_input(static_cast<value_id>(i)); e.code != errc::none) return e;
        operands.push_back(before.back());
      }
      ++at;
    }
    if (operands.size() + part.handed.size() + carried > max_operands) return {};
    graph_copier outer(b, out_, symbols_);
    outer.place_inputs(before);
    for (node_id each : *order)
      if (part.moved[index_of(each)] != 0 || part.free[index_of(each)] != 0)
        if (error e = outer.copy(each); e.code != errc::none) return e;
    for (value_id v : part.handed) {
      const text name = text() << "invariant'" << index_of(v);
      inner.place(v) = into.graph().add_input(name.view(), b[v].type);
      operands.push_back(outer.place(v));
    }
    for (std::size_t k = 0; k < carried; ++k) {
      if (error e = inner.copy_input(static_cast<value_id>(last[k])); e.code != errc::none)
        return e;
      operands.push_back(before[before.size() - carried + k]);
    }
    for (node_id each : part.kept)
      if (error e = inner.copy(each); e.code != errc::none) return e;
    inner.copy_edges();
    inner.copy_outputs();
    done = true;
    add_node(id, to_text(into.graph().view()), operands);
    return {};
  }
  constexpr void add_node(node_id id, const text& body, const table<value_id>& operands) {
    const node& n = graph_[id];
    table<attribute_value> attributes = attribute_values(graph_, n);
    for (attribute_value& a : attributes)
      if (a.name == "body") a.characters = body.view();
    table<value_type> results;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      results.push_back(graph_.values[n.outputs.first + k].type);
    const table<cost_formula> costs = cost_formulas(graph_, n);
    const node_id made =
        out_.add_node(description_of(graph_, n, attributes, costs), operands, results);
    copy_.place(id) = made;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      copy_.place(graph_view::output_of(n, k)) = graph_view::output_of(out_.graph()[made], k);
  }

  graph_view graph_;
  const registry& kernels_;
  graph_builder out_;
  symbol_map symbols_;
  graph_copier copy_;
};

}  // namespace detail

/// Computes what does not depend on what a body carries once, before the node that runs the body
/// again and again (`kernel_spec::repeats`): its values become further operands. A node whose
/// operands would be too many stays as it is. What is computed before is so even if the body never
/// runs. Bodies within bodies stay. Errors: those of `validate`, `body_of` and of extents. O(size
/// of the graph and its bodies).
constexpr result<graph> hoist_invariants(const graph_view& workflow, const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  auto made = detail::invariant_mover(*valid, r).run();
  if (!made) return made;
  return drop_dead(made->view());
}

}  // namespace wf
