// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/choice_graph.hpp>
#include <wf/core/container/hash_index.hpp>

namespace wf {

/// Readable labels of a graph's values: their names, or else the terms that compute them
/// ("inverse(S)"). A long term, or one shared with another value (the attributes differ), becomes a
/// number ("%7"); `definition` shows the term behind it. Different values have different labels;
/// labelling is deterministic. The graph must outlive the labels. A graph that
/// `validate_references` refuses has numbers only.
class value_labels {
 public:
  /// Maximum length of a term as a label, in characters.
  static constexpr std::size_t longest = 40;

  /// Labels the values of a graph. O(values), for terms of bounded length.
  constexpr explicit value_labels(const graph_view& g) : value_labels(g, nullptr) {}
  /// Labels the classes of a choice graph: all values of a class share the label of its first
  /// value.
  constexpr explicit value_labels(const choice_graph& c) : value_labels(c.view(), &c) {}

  /// The label of a value; valid as long as this object.
  constexpr text_view of(value_id id) const { return labels_[home(id)].view(); }
  /// True if the node exists and the graph is valid enough to describe it.
  constexpr bool knows(node_id id) const { return told_ && index_of(id) < graph_.nodes.size(); }
  /// True if the label is a name from the graph, not a term or a number.
  constexpr bool is_named(value_id id) const { return named_[home(id)] != 0; }
  /// The term of a node over the labels of its operands: "matmul(H, P)". O(operands).
  constexpr text term(node_id id) const {
    if (!knows(id)) return text("@") << index_of(id);
    const node& n = graph_[id];
    text out(graph_.op_name(n));
    out << '(';
    bool first = true;
    for (value_id operand : graph_.inputs_of(n)) {
      if (!first) out << ", ";
      first = false;
      out << of(operand);
    }
    return out << ')';
  }
  /// A node as a definition: "S = add(%5, R)"; the term alone if it is the label. O(operands).
  constexpr text definition(node_id id) const {
    if (!knows(id)) return term(id);
    const node& n = graph_[id];
    const text right = term(id);
    const text_view left =
        n.outputs.count == 1 ? of(graph_view::output_of(n)) : graph_.text_of(n.name);
    if (left.empty() || left == right.view()) return right;
    return text(left) << " = " << right.view();
  }

 private:
  constexpr value_labels(const graph_view& g, const choice_graph* choices)
      : graph_(g),
        choices_(choices),
        told_(validate_references(g)),
        labels_(g.values.size()),
        named_(g.values.size()) {
    used_.reserve(g.values.size());
    if (told_) name_values();
    for (std::uint32_t i = 0; i < g.values.size(); ++i) offer(i, text() << '%' << i);
  }

  constexpr void name_values() {
    const graph_view& g = graph_;
    for (std::uint32_t i = 0; i < g.values.size(); ++i) offer(i, given_name(i));
    for (const output& o : g.outputs) offer(index_of(o.source), text(g.text_of(o.name)));
    for (std::size_t i = 0; i < labels_.size(); ++i) named_[i] = labels_[i].empty() ? 0 : 1;
    if (const auto order = detail::sorted_nodes(g); order)
      for (node_id id : *order) label_results(id);
  }

  constexpr std::uint32_t home(value_id id) const {
    return choices_ == nullptr ? index_of(id) : choices_->class_of(id);
  }

  // The name of the value or of its node, numbered if the node has several results.
  constexpr text given_name(std::uint32_t i) const {
    const value& v = graph_.values[i];
    if (v.name.count != 0) return text(graph_.text_of(v.name));
    if (v.producer == node_id::none || graph_[v.producer].name.count == 0) return {};
    return numbered(text(graph_.text_of(graph_[v.producer].name)), graph_[v.producer], i);
  }
  static constexpr text numbered(text label, const node& n, std::uint32_t i) {
    if (n.outputs.count > 1) label << '.' << i - n.outputs.first;
    return label;
  }

  constexpr void label_results(node_id id) {
    const node& n = graph_[id];
    for (std::uint32_t i = n.outputs.first; i < n.outputs.first + n.outputs.count; ++i) {
      if (home(static_cast<value_id>(i)) != i || !labels_[i].empty()) continue;
      const text label = numbered(term(id), n, i);
      if (label.size() <= longest) offer(i, label);
      offer(i, text() << '%' << i);
    }
  }

  // Labels a value's class unless it has a label, or the label is taken.
  constexpr void offer(std::uint32_t i, const text& label) {
    const std::uint32_t at = home(static_cast<value_id>(i));
    if (label.empty() || !labels_[at].empty()) return;
    const std::uint64_t hash = hash_text(label.view());
    const auto is_same = [&](std::uint32_t other) { return labels_[other] == label; };
    if (used_.find(hash, is_same) != hash_index::none) return;
    used_.insert(hash, at);
    labels_[at] = label;
  }

  graph_view graph_;
  const choice_graph* choices_;
  bool told_;                  // false: the graph was refused, so only numbers label it
  table<text> labels_;         // by value; for a choice graph by class representative
  table<std::uint8_t> named_;  // by value
  hash_index used_;            // of labelled values, by their labels
};

}  // namespace wf
