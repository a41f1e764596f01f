// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/form/parse.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/validate.hpp>

namespace wf {

/// Maximum nesting depth of calls.
inline constexpr std::uint32_t max_call_depth = 64;

/// True if a node calls a sub-workflow, whose text is its attribute `body`. References of the graph
/// must be in range.
constexpr bool is_call(const graph_view& g, const node& n) {
  return g.op_name(n) == "call" && g.find_attribute(n, "body") != nullptr;
}

/// True if a graph calls sub-workflows; false for one that `validate_references` rejects.
constexpr bool has_calls(const graph_view& g) {
  if (!validate_references(g)) return false;
  for (const node& n : g.nodes)
    if (is_call(g, n)) return true;
  return false;
}

namespace detail {

// Replaces every call of a graph by its body; calls within bodies stay.
class call_inliner {
 public:
  constexpr explicit call_inliner(const graph_view& g)
      : graph_(g), out_(g.text_of(g.name)), copy_(graph_, out_, symbols_) {}

  constexpr result<graph> run() {
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    if (error e = copy_.copy_inputs(); e.code != errc::none) return e;
    table<range> places(graph_.nodes.size());  // by node: the nodes that replace a call
    for (node_id id : *order) {
      const node& n = graph_[id];
      range& place = places[index_of(id)];
      place.first = static_cast<std::uint32_t>(out_.graph().view().nodes.size());
      if (error e = is_call(graph_, n) ? call(id) : copy_.copy(id); e.code != errc::none) return e;
      place.count = static_cast<std::uint32_t>(out_.graph().view().nodes.size()) - place.first;
      if (!is_call(graph_, n)) place = {index_of(copy_.place(id)), 1};
    }
    for (const edge& e : graph_.edges) copy(e, places[index_of(e.from)], places[index_of(e.to)]);
    const table<value_id> outputs = copy_.outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i)
      out_.graph().add_output(graph_.text_of(graph_.outputs[i].name), outputs[i]);
    return made_valid(out_.take());
  }

 private:
  // Applies an edge to every node that replaces a call.
  constexpr void copy(const edge& e, const range& from, const range& to) {
    for (std::uint32_t i = 0; i < from.count; ++i)
      for (std::uint32_t j = 0; j < to.count; ++j)
        out_.graph().add_edge(e.kind, static_cast<node_id>(from.first + i),
                              static_cast<node_id>(to.first + j));
  }

  constexpr error call(node_id id) {
    const node& n = graph_[id];
    const text label = graph_.label(id);
    const text_view body = graph_.text_of(graph_.find_attribute(n, "body")->characters);
    const auto callee = parse_graph(body);
    if (!callee) return inside(label.view(), callee.error());
    if (auto valid = validated(callee->view()); !valid) return inside(label.view(), valid.error());
    table<value_id> operands;
    table<value_type> types;
    for (value_id operand : graph_.inputs_of(n)) {
      operands.push_back(copy_.place(operand));
      types.push_back(out_.graph()[operands.back()].type);
    }
    const auto symbols = match_inputs(callee->view(), types);
    if (!symbols) return inside(label.view(), symbols.error());
    text prefix;
    if (n.name.count != 0) prefix << graph_.text_of(n.name) << '.';
    const auto outputs =
        splice(callee->view(), out_, operands, *symbols, prefix.view(), graph_.text_of(n.peer));
    if (!outputs) return inside(label.view(), outputs.error());
    if (outputs->size() != n.outputs.count)
      return make_error(errc::malformed_graph, label.view(),
                        (text() << "the call has " << n.outputs.count << " results, its body "
                                << outputs->size() << " outputs")
                            .view());
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_type wanted = graph_.values[n.outputs.first + k].type;
      const value_type& made = out_.graph()[(*outputs)[k]].type;
      if (made.type != wanted.type || made.shape.rank != wanted.shape.rank)
        return make_error(errc::malformed_graph, label.view(),
                          "the call's result has another type than its body's output");
      copy_.place(graph_view::output_of(n, k)) = (*outputs)[k];
    }
    return {};
  }

  // Reports an error of the body at the call.
  static constexpr error inside(text_view label, const error& e) {
    text message;
    message << "in the body of the call";
    if (!e.subject.empty()) message << ", '" << e.subject.view() << "'";
    message << ": " << e.message.view();
    return make_error(e.code, label, message.view(), e.where);
  }

  graph_view graph_;
  graph_builder out_;
  symbol_map symbols_;
  graph_copier copy_;
};

}  // namespace detail

/// Inlines every sub-workflow call, including nested ones. Names of inlined nodes are prefixed by
/// the call's name and a dot; nodes without a class of peers get that of the call. Equal pure nodes
/// of different calls merge within a class. Control edges of a call apply to all its nodes. Errors:
/// those of `validate`; naming the call, `graph_syntax` with the position in the body,
/// `shape_mismatch`, `dtype_mismatch`, `malformed_graph` (a body that does not fit, or calls nested
/// deeper than 64). O(size of the result) for each level of nesting.
constexpr result<graph> inline_calls(const graph_view& workflow) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  auto out = detail::call_inliner(g).run();
  for (std::uint32_t depth = 1; out && has_calls(out->view()); ++depth) {
    if (depth == max_call_depth)
      return make_error(errc::malformed_graph, g.text_of(g.name), "calls are nested too deeply");
    auto next = detail::call_inliner(out->view()).run();
    out = static_cast<result<graph>&&>(next);
  }
  return out;
}

}  // namespace wf
