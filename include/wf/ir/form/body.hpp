// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/form/parse.hpp>
#include <wf/ir/graph/copy.hpp>

namespace wf {

/// An error in the body of a node as one of the node.
constexpr error in_body_of(text_view label, const error& e) {
  text message;
  message << "in its body";
  if (!e.subject.empty()) message << ", '" << e.subject.view() << "'";
  message << ": " << e.message.view();
  return make_error(e.code, label, message.view(), e.where);
}

/// The workflow in the attribute `body` of a node, with the types of the node's operands: its
/// inputs are the operands in order, its outputs the first results of the node. References of the
/// graph must be in range. Names of outputs get a prefix. Errors, naming the node:
/// `malformed_graph` without that attribute, or if the outputs are not as many as the results but
/// two, of the types of the last operands; `graph_syntax` with the position in the body; those of
/// `validate`; `shape_mismatch` and `dtype_mismatch` for operands that the inputs do not take.
/// O(size of the body).
constexpr result<graph> body_of(const graph_view& g, node_id id, text_view prefix = {}) {
  if (const auto fine = validate_references(g); !fine) return fine.error();
  if (index_of(id) >= g.nodes.size())
    return detail::malformed(g.text_of(g.name), "a node does not exist");
  const node& n = g[id];
  const text name_of_node = g.label(id);
  const text_view label = name_of_node.view();
  const auto inside = [&](const error& e) { return in_body_of(label, e); };
  const attribute* const source = g.find_attribute(n, "body");
  if (source == nullptr || source->kind != attribute_kind::string)
    return make_error(errc::malformed_graph, label, "it has no workflow as its body");
  const auto body = parse_graph(g.text_of(source->characters));
  if (!body) return inside(body.error());
  graph_builder into(body->view().text_of(body->view().name));
  table<value_type> types;
  for (value_id operand : g.inputs_of(n)) {
    const auto type = symbol_map().translate(g[operand].type, g, into.graph());
    if (!type) return inside(type.error());
    types.push_back(*type);
  }
  const auto symbols = match_inputs(body->view(), types);
  if (!symbols) return inside(symbols.error());
  table<value_id> operands;
  for (const value& v : body->view().values) {
    if (v.producer != node_id::none) continue;
    value_type type = types[operands.size()];
    // What is known of the first value need not hold for those that replace it.
    if (operands.size() + body->view().outputs.size() >= types.size()) type.known = v.type.known;
    operands.push_back(into.graph().add_input(body->view().text_of(v.name), type));
  }
  const auto outputs = splice(body->view(), into, operands, *symbols);
  if (!outputs) return inside(outputs.error());
  if (n.outputs.count != outputs->size() + 2)
    return make_error(errc::malformed_graph, label,
                      (text() << "it has " << n.outputs.count << " results, its body "
                              << outputs->size() << " outputs: results are those, the number of "
                              << "runs, and whether they converged")
                          .view());
  for (std::size_t k = 0; k < outputs->size(); ++k) {
    const value_type& made = into.graph()[(*outputs)[k]].type;
    const std::size_t at = types.size() - outputs->size() + k;
    if (outputs->size() > types.size() || made.type != types[at].type ||
        !(made.shape == types[at].shape))
      return make_error(
          errc::malformed_graph, label,
          (text() << "output " << k << " of its body is not of the type of the operand that it "
                  << "replaces")
              .view());
    const text name = text() << prefix << body->view().text_of(body->view().outputs[k].name);
    into.graph().add_output(name.view(), (*outputs)[k]);
  }
  return detail::made_valid(into.take());
}

}  // namespace wf
