// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/compare/match.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/form/text.hpp>

namespace wf {

/// The subject of a change between two graphs.
enum class change_kind : std::uint8_t {
  graph_renamed,   ///< the name of the workflow
  input_added,     ///< an input that the first graph lacks
  input_removed,   ///< an input that the second graph lacks
  input_changed,   ///< the type of an input
  node_added,      ///< a node that the first graph lacks
  node_removed,    ///< a node that the second graph lacks
  node_changed,    ///< operator, operands, attributes, costs, effect, peer or name of a node
  result_changed,  ///< the type or name of a node's result
  node_moved,      ///< the source location of a node; the computation is the same
  edge_added,      ///< a control or mutate edge that the first graph lacks
  edge_removed,    ///< a control or mutate edge that the second graph lacks
  output_added,    ///< an output that the first graph lacks
  output_removed,  ///< an output that the second graph lacks
  output_changed,  ///< the value of an output
  reordered,       ///< the order of inputs, nodes, edges or outputs, or the value ids
  refused,         ///< invalid references in a graph, which prevent a comparison
};

/// One change between two graphs, for messages.
struct graph_change {
  change_kind kind = change_kind::graph_renamed;  ///< the subject of the change
  node_id before = node_id::none;                 ///< the node in the first graph, or `none`
  node_id after = node_id::none;                  ///< the node in the second graph, or `none`
  text subject;  ///< its label in the first graph; in the second, if it is new
                 ///< there
  text message;  ///< the change, as "attribute k = 1 -> 2"; the content, if added or removed

  friend constexpr bool operator==(const graph_change&, const graph_change&) = default;
};

/// One change as one line without its end: "~ node S: operator: linalg.add -> linalg.sub". + marks
/// an addition, - a removal, ~ a change, ! a refused graph.
constexpr text to_text(const graph_change& c) {
  constexpr text_view beginnings[] = {"~ graph ",  "+ input ",  "- input ",    "~ input ",
                                      "+ node ",   "- node ",   "~ node ",     "~ node ",
                                      "~ node ",   "+ edge ",   "- edge ",     "+ output ",
                                      "- output ", "~ output ", "~ order of ", "! graph "};
  text out(beginnings[static_cast<int>(c.kind)]);
  out << c.subject.view();
  if (!c.message.empty()) out << ": " << c.message.view();
  return out;
}

/// The changes as text, one per line.
constexpr text to_text(view<graph_change> changes) {
  text out;
  for (const graph_change& c : changes) out << to_text(c).view() << '\n';
  return out;
}

namespace detail {

/// Lists the changes between two graphs under their matching.
class graph_difference {
 public:
  constexpr graph_difference(const graph_view& a, const graph_view& b)
      : a_(a), b_(b), compare_(a_, b_), match_(match_graphs(a, b)) {}

  constexpr table<graph_change> list() {
    const text_view name_a = a_.text_of(a_.name), name_b = b_.text_of(b_.name);
    if (name_a != name_b)
      add(change_kind::graph_renamed, quoted(a_, name_a),
          arrow("name", quoted(a_, name_a), quoted(b_, name_b)));
    inputs();
    for (std::uint32_t i = 0; i < a_.nodes.size(); ++i)
      if (match_.nodes[i] == node_id::none) whole_node(change_kind::node_removed, a_, i);
    for (std::uint32_t j = 0; j < b_.nodes.size(); ++j) {
      if (match_.nodes_back[j] == node_id::none) {
        whole_node(change_kind::node_added, b_, j);
      } else {
        nodes(match_.nodes_back[j], static_cast<node_id>(j));
      }
    }
    edges();
    outputs();
    order();
    return static_cast<table<graph_change>&&>(out_);
  }

 private:
  constexpr void add(change_kind kind, const text& subject, const text& message,
                     node_id before = node_id::none, node_id after = node_id::none) {
    out_.push_back({kind, before, after, subject, message});
  }

  // --- words ------------------------------------------------------------------------------------

  static constexpr text quoted(const graph_view& g, text_view t) {
    graph_writer w(g);
    w.string(t);
    return w.take();
  }
  // Unquoted if the text has no space, quote, backslash or control character, else in quotes.
  static constexpr text plain(const graph_view& g, text_view t) {
    for (char c : t)
      if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\\' || c == 127)
        return quoted(g, t);
    if (t.empty()) return quoted(g, t);
    return text(t);
  }
  template <class Part>
  static constexpr text written(const graph_view& g, const Part& part) {
    graph_writer w(g);
    w.write(part);
    return w.take();
  }
  static constexpr text node_label(const graph_view& g, node_id id) {
    return plain(g, g.label(id).view());
  }
  static constexpr text value_label(const graph_view& g, value_id id) {
    const value& v = g[id];
    if (v.name.count != 0 || v.producer == node_id::none) return plain(g, g.text_of(v.name));
    text out = node_label(g, v.producer);
    const range outputs = g[v.producer].outputs;
    if (outputs.count > 1) out << '.' << index_of(id) - outputs.first;
    return out;
  }
  static constexpr text operator_label(const graph_view& g, const node& n) {
    const operation& o = g.operations[n.op];
    text out;
    if (o.domain.count != 0) out << plain(g, g.text_of(o.domain)).view() << '.';
    return out << plain(g, g.text_of(o.name)).view(), out;
  }
  static constexpr text arrow(text_view what, const text& from, const text& to) {
    return text(what) << ": " << from.view() << " -> " << to.view();
  }

  // --- inputs and types -------------------------------------------------------------------------

  constexpr void inputs() {
    for (std::uint32_t i = 0; i < a_.values.size(); ++i)
      if (a_.values[i].producer == node_id::none && match_.values[i] == value_id::none)
        add(change_kind::input_removed, value_label(a_, static_cast<value_id>(i)),
            written(a_, a_.values[i].type));
    for (std::uint32_t j = 0; j < b_.values.size(); ++j) {
      if (b_.values[j].producer != node_id::none) continue;
      const value_id from = match_.values_back[j], to = static_cast<value_id>(j);
      if (from == value_id::none) {
        add(change_kind::input_added, value_label(b_, to), written(b_, b_[to].type));
      } else if (!compare_.same(a_[from].type, b_[to].type)) {
        types(change_kind::input_changed, value_label(a_, from), "", from, to);
      }
    }
  }
  constexpr text shape_text(const graph_view& g, const shape& s) const {
    const value_type bare{dtype::unknown, {}, s};
    return text(written(g, bare).view().part(name_of(dtype::unknown).size()));
  }
  constexpr void types(change_kind kind, const text& subject, text_view what, value_id from,
                       value_id to) {
    const node_id before = a_[from].producer, after = b_[to].producer;
    const value_type &a = a_[from].type, &b = b_[to].type;
    const auto report = [&](const char* part, const text& old_text, const text& new_text) {
      if (old_text == new_text) return;
      text message(what);
      add(kind, subject, message << arrow(part, old_text, new_text).view(), before, after);
    };
    report("element type", text(name_of(a.type)), text(name_of(b.type)));
    report("shape", shape_text(a_, a.shape), shape_text(b_, b.shape));
    report("properties", text("{") << to_text(a.known).view() << '}',
           text("{") << to_text(b.known).view() << '}');
  }

  // --- nodes ------------------------------------------------------------------------------------

  constexpr void whole_node(change_kind kind, const graph_view& g, std::uint32_t i) {
    const node& n = g.nodes[i];
    text message = operator_label(g, n);
    const char* separator = "(";
    for (value_id operand : g.inputs_of(n)) {
      message << separator << value_label(g, operand).view();
      separator = ", ";
    }
    message << (n.inputs.count == 0 ? "()" : ")");
    separator = " -> ";
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      message << separator << written(g, g.values[n.outputs.first + k].type).view();
      separator = ", ";
    }
    const auto id = static_cast<node_id>(i);
    const bool removed = kind == change_kind::node_removed;
    add(kind, node_label(g, id), message, removed ? id : node_id::none,
        removed ? node_id::none : id);
  }
  // Rendering is expensive in constant evaluation: only differences are rendered.
  constexpr void nodes(node_id from, node_id to) {
    const node &a = a_[from], &b = b_[to];
    using enum change_kind;
    names(node_changed, "name", a.name, b.name, from, to);
    const operation &old_op = a_.operations[a.op], &new_op = b_.operations[b.op];
    if (!compare_.same(old_op, new_op))
      node_change(from, to, arrow("operator", operator_label(a_, a), operator_label(b_, b)));
    operands(from, to);
    attributes(from, to);
    if (!compare_.same(a_.costs_of(a), b_.costs_of(b)))
      node_change(from, to,
                  arrow("costs", written(a_, a_.costs_of(a)), written(b_, b_.costs_of(b))));
    if (a.effects != b.effects)
      node_change(from, to, arrow("effect", text(name_of(a.effects)), text(name_of(b.effects))));
    names(node_changed, "peer", a.peer, b.peer, from, to);
    if (!compare_.same(a.location, b.location))
      node_change(from, to, arrow("source", written(a_, a.location), written(b_, b.location)),
                  node_moved);
    if (a.outputs.count != b.outputs.count)
      node_change(from, to, arrow("results", text() << a.outputs.count, text() << b.outputs.count));
    for (std::uint32_t k = 0; k < a.outputs.count && k < b.outputs.count; ++k) {
      const auto old_id = graph_view::output_of(a, k), new_id = graph_view::output_of(b, k);
      const value &old_value = a_[old_id], &new_value = b_[new_id];
      text what("result ");
      what << k << ": ";
      if (!compare_.same(old_value.type, new_value.type))
        types(result_changed, node_label(a_, from), what.view(), old_id, new_id);
      what << "name";
      names(result_changed, what.view(), old_value.name, new_value.name, from, to);
    }
  }
  constexpr void node_change(node_id from, node_id to, const text& message,
                             change_kind kind = change_kind::node_changed) {
    add(kind, node_label(a_, from), message, from, to);
  }
  constexpr void names(change_kind kind, text_view what, text_ref a, text_ref b, node_id from,
                       node_id to) {
    if (!compare_.same(a, b))
      node_change(from, to, arrow(what, quoted(a_, a_.text_of(a)), quoted(b_, b_.text_of(b))),
                  kind);
  }
  constexpr void operands(node_id from, node_id to) {
    const view<value_id> a = a_.inputs_of(a_[from]), b = b_.inputs_of(b_[to]);
    for (std::uint32_t k = 0; k < a.size() || k < b.size(); ++k) {
      text what("operand ");
      what << k;
      if (k >= a.size()) {
        what << " added: " << value_label(b_, b[k]).view();
      } else if (k >= b.size()) {
        what << " removed: " << value_label(a_, a[k]).view();
      } else if (match_.values[index_of(a[k])] == b[k]) {
        continue;
      } else {
        what = arrow(what.view(), value_label(a_, a[k]), value_label(b_, b[k]));
      }
      add(change_kind::node_changed, node_label(a_, from), what, from, to);
    }
  }
  constexpr void attributes(node_id from, node_id to) {
    const view<attribute> a = a_.attributes_of(a_[from]), b = b_.attributes_of(b_[to]);
    const std::size_t reported = out_.size();
    bool moved = a.size() != b.size();
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (k < b.size() && compare_.same(a[k], b[k])) continue;
      const attribute* now = b_.find_attribute(b_[to], a_.text_of(a[k].name));
      if (now == nullptr) {
        node_change(from, to, text("attribute removed: ") << written(a_, a[k]).view());
        continue;
      }
      moved = moved || k != static_cast<std::size_t>(now - b.data());
      if (compare_.same(a[k], *now)) continue;
      const text after = written(b_, *now);
      node_change(from, to,
                  text("attribute ") << written(a_, a[k]).view() << " -> "
                                     << after.view().part(name_size(a_, a[k])));
    }
    for (std::size_t k = 0; k < b.size(); ++k)
      if (!(k < a.size() && compare_.same(a[k], b[k])) &&
          a_.find_attribute(a_[from], b_.text_of(b[k].name)) == nullptr)
        node_change(from, to, text("attribute added: ") << written(b_, b[k]).view());
    if (moved && reported == out_.size())
      node_change(from, to, text("the attributes are in another order"));
  }
  // Length of "name = " as written.
  static constexpr std::size_t name_size(const graph_view& g, const attribute& a) {
    attribute bare = a;
    bare.kind = attribute_kind::integer;
    bare.number = 0;
    return written(g, bare).size() - 1;
  }

  // --- edges and outputs ------------------------------------------------------------------------

  static constexpr digest128 edge_key(edge_kind kind, node_id from, node_id to) {
    if (from == node_id::none || to == node_id::none) return {};
    return hasher128('E')
        .word(static_cast<std::uint64_t>(kind))
        .word(index_of(from))
        .word(index_of(to))
        .value();
  }
  constexpr text edge_label(const graph_view& g, const edge& e) const {
    text out(name_of(e.kind));
    return out << ' ' << node_label(g, e.from).view() << " -> " << node_label(g, e.to).view(), out;
  }
  constexpr void edges() {
    table<digest128> a, b;
    for (const edge& e : a_.edges)
      a.push_back(edge_key(e.kind, match_.nodes[index_of(e.from)], match_.nodes[index_of(e.to)]));
    for (const edge& e : b_.edges) b.push_back(edge_key(e.kind, e.from, e.to));
    edges_ = paired(a, b);
    for (std::uint32_t i = 0; i < a.size(); ++i)
      if (edges_[i] == 0) add(change_kind::edge_removed, edge_label(a_, a_.edges[i]), {});
    for (std::uint32_t j : left_over(edges_, b.size()))
      add(change_kind::edge_added, edge_label(b_, b_.edges[j]), {});
  }
  constexpr void outputs() {
    const auto keys = [](const graph_view& g) {
      table<digest128> out;
      for (const output& o : g.outputs)
        out.push_back(hasher128('y').characters(g.text_of(o.name)).value());
      return out;
    };
    outputs_ = paired(keys(a_), keys(b_));
    for (std::uint32_t i = 0; i < a_.outputs.size(); ++i) {
      const output& a = a_.outputs[i];
      const text name = plain(a_, a_.text_of(a.name)), value = value_label(a_, a.source);
      if (outputs_[i] == 0) {
        add(change_kind::output_removed, name, value);
      } else if (const output& b = b_.outputs[outputs_[i] - 1];
                 match_.values[index_of(a.source)] != b.source) {
        add(change_kind::output_changed, name, arrow("value", value, value_label(b_, b.source)));
      }
    }
    for (std::uint32_t j : left_over(outputs_, b_.outputs.size()))
      add(change_kind::output_added, plain(b_, b_.text_of(b_.outputs[j].name)),
          value_label(b_, b_.outputs[j].source));
  }
  // For each member of the first list the position of its partner in the second, counted from 1; 0:
  // none.
  static constexpr table<std::uint32_t> paired(const table<digest128>& a,
                                               const table<digest128>& b) {
    table<std::uint32_t> out(a.size());
    pair_equal_keys(a, b, [&](std::uint32_t i, std::uint32_t j) { out[i] = j + 1; });
    return out;
  }
  static constexpr table<std::uint32_t> left_over(const table<std::uint32_t>& pairs,
                                                  std::size_t size) {
    table<char> used(size);
    for (std::uint32_t j : pairs)
      if (j != 0) used[j - 1] = 1;
    table<std::uint32_t> out;
    for (std::uint32_t j = 0; j < size; ++j)
      if (used[j] == 0) out.push_back(j);
    return out;
  }

  // --- order ------------------------------------------------------------------------------------

  constexpr void order() {
    table<std::uint32_t> inputs, nodes;
    for (std::uint32_t i = 0; i < a_.values.size(); ++i)
      if (a_.values[i].producer == node_id::none) inputs.push_back(index_of(match_.values[i]) + 1);
    for (node_id id : match_.nodes) nodes.push_back(index_of(id) + 1);
    ascending("the inputs", inputs);
    ascending("the nodes", nodes);
    ascending("the edges", edges_);
    ascending("the outputs", outputs_);
    if (out_.empty())  // the graphs differ all the same
      add(change_kind::reordered, text("inputs among results"), {});
  }
  // Positions in the second graph, counted from 1, 0 for none: members of both graphs must be in
  // the same order.
  constexpr void ascending(const char* what, const table<std::uint32_t>& positions) {
    std::uint32_t last = 0;
    for (std::uint32_t p : positions) {
      if (p == 0) continue;
      if (p < last) return add(change_kind::reordered, text(what), {});
      last = p;
    }
  }

  graph_view a_, b_;
  graph_comparison compare_;
  graph_matching match_;
  table<graph_change> out_;
  table<std::uint32_t> edges_, outputs_;
};

}  // namespace detail

/// The changes that lead from one graph to another; none if and only if they are `same`
/// (ir/compare/same.hpp): removed, added and changed inputs, nodes, edges and outputs, and changes
/// of order. Nodes are paired by `match_graphs`, so that only the differences are listed, not
/// everything downstream of them. `node_moved` is separate, so that a reader may ignore source
/// locations. If `validate_references` refuses a graph, only that is reported. O(size of the
/// graphs) expected.
constexpr table<graph_change> diff(const graph_view& before, const graph_view& after) {
  table<graph_change> refused;
  for (const graph_view* g : {&before, &after})
    if (const auto fine = validate_references(*g); !fine)
      refused.push_back({change_kind::refused, node_id::none, node_id::none,
                         text(g == &before ? "before" : "after"), to_text(fine.error())});
  if (!refused.empty()) return refused;
  if (same(before, after)) return {};
  return detail::graph_difference(before, after).list();
}

}  // namespace wf
