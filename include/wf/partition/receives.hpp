// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/partition/place.hpp>
#include <wf/registry/domain/wire.hpp>

namespace wf {

/// A message between classes of machines.
struct wire_message {
  std::uint32_t from = 0;           ///< class of the sender
  std::uint32_t to = 0;             ///< class of the receivers
  node_id send = node_id::none;     ///< its node in the sender's class
  node_id receive = node_id::none;  ///< its node in the receivers' class
};

/// A placed workflow in which nodes receive what others send.
///
/// Invariants: the graph is valid; nobody reads the first two results of a node that sends; the
/// nodes of a message carry its number in the attribute `edge`, and no others do; a message of
/// which nobody reads anything has no number.
struct wired_program {
  graph workflow;                ///< with the nodes that receive
  table<text> classes;           ///< names of the classes, the host's first
  table<std::uint32_t> homes;    ///< by node: its class, or `placed_graph::anywhere`
  table<wire_message> messages;  ///< by their number, in the order of the workflow
};

namespace detail {

// Makes the nodes that receive; see `insert_receives`.
class program_wiring {
 public:
  constexpr explicit program_wiring(const placed_graph& p)
      : placed_(p),
        g_(p.workflow.view()),
        into_(g_.text_of(g_.name)),
        copier_(g_, into_, symbols_, {}, duplicates::keep),
        is_read_(g_.values.size()) {
    for (const node& n : g_.nodes)
      for (const value_id operand : g_.inputs_of(n)) is_read_[index_of(operand)] = 1;
    for (const output& o : g_.outputs) is_read_[index_of(o.source)] = 1;
  }

  constexpr result<wired_program> run(view<node_id> order) {
    out_.classes = placed_.classes;
    if (error e = copier_.copy_inputs(); e.code != errc::none) return e;
    for (const node_id id : order)
      if (error e = copy(id); e.code != errc::none) return e;
    copier_.copy_edges();
    copier_.copy_outputs();
    auto made = validated(into_.take());
    if (!made) return made.error();
    out_.workflow = static_cast<graph&&>(*made);
    return static_cast<wired_program&&>(out_);
  }

 private:
  constexpr error copy(node_id id) {
    const node& n = g_[id];
    const std::uint32_t to = placed_.receivers[index_of(id)];
    const bool is_message = to != placed_graph::anywhere &&
                            (is_read_[n.outputs.first] != 0 || is_read_[n.outputs.first + 1] != 0);
    table<attribute_value> attributes = attribute_values(g_, n);
    const auto number = static_cast<std::int64_t>(out_.messages.size());
    if (is_message) attributes.push_back(attribute_value::integer(edge_attribute, number));
    if (error e = copier_.copy(id, attributes); e.code != errc::none) return e;
    out_.homes.push_back(placed_.homes[index_of(id)]);
    if (!is_message) return {};
    const value_id data = graph_view::output_of(n), sender = graph_view::output_of(n, 1);
    const value_type types[] = {into_.graph()[copier_.place(data)].type,
                                into_.graph()[copier_.place(sender)].type};
    attributes.clear();
    attributes.push_back(attribute_value::integer(edge_attribute, number));
    attributes.push_back(attribute_value::string("dtype", name_of(types[0].type)));
    for (std::uint32_t d = 0; d < types[0].shape.rank; ++d)
      attributes.push_back(
          attribute_value::dimension(stated_extent_names[d], types[0].shape.extents[d]));
    const node_id receive = into_.append_node({.op = kernels::receive.name,
                                               .domain = kernels::receive.domain,
                                               .attributes = attributes,
                                               .effects = kernels::receive.effects},
                                              {}, {types, 2});
    out_.homes.push_back(to);
    out_.messages.push_back({placed_.homes[index_of(id)], to, copier_.place(id), receive});
    copier_.place(data) = graph_view::output_of(into_.graph()[receive]);
    copier_.place(sender) = graph_view::output_of(into_.graph()[receive], 1);
    return {};
  }

  const placed_graph& placed_;
  graph_view g_;
  symbol_map symbols_;
  graph_builder into_;
  graph_copier copier_;
  table<char> is_read_;  // by value
  wired_program out_;
};

}  // namespace detail

/// Makes a node that receives for each message that somebody reads; all its readers share the node.
/// Errors: those of `validate`. O(size of the graph).
constexpr result<wired_program> insert_receives(const placed_graph& p) {
  const auto order = topological_order(p.workflow.view());
  if (!order) return order.error();
  return detail::program_wiring(p).run(*order);
}

}  // namespace wf
