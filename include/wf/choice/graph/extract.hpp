// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/choice_graph.hpp>
#include <wf/core/compiled.hpp>
#include <wf/ir/graph/validate.hpp>

namespace wf {

/// One result of a node with several results.
struct node_result {
  /// Index in the graph's node table.
  std::uint32_t node = 0;
  /// Index among the results of the node.
  std::uint32_t output = 0;
};

/// The classes of a choice graph that nodes compute, numbered 0, 1, ... in the order of their first
/// values, and the class of each node: the numbering of selection problems.
///
/// Candidate k of such a problem is node k. A node with several results is paid once although it is
/// a candidate for several classes: it has its own class beyond `count`, and each of its results is
/// a further candidate of cost 0 that needs that class.
struct class_numbers {
  /// By value: the number of its class, or `none` for an input.
  table<std::uint32_t> of_value;
  /// By value: the first value of its class, to which operands refer.
  table<value_id> home;
  /// Number of classes.
  std::uint32_t count = 0;
  /// The additional candidates, after those of the nodes.
  table<node_result> results;
  /// Marks an input, which has no class.
  static constexpr std::uint32_t none = 0xffffffff;

  /// The node of a candidate in a graph of `nodes` nodes; `none` if there is no such candidate.
  constexpr std::uint32_t node_of(std::uint32_t candidate, std::size_t nodes) const {
    if (candidate < nodes) return candidate;
    return candidate - nodes < results.size() ? results[candidate - nodes].node : none;
  }
};

namespace detail {

// Numbers the classes of the candidates `g`; `home` maps each value to the first of its class.
// O(values).
constexpr class_numbers number_classes(const graph_view& g, view<value_id> home) {
  class_numbers out;
  out.home = table<value_id>(home);
  out.of_value = table<std::uint32_t>(g.values.size(), class_numbers::none);
  // A class with an input is that input: it is free and needs no candidate.
  table<char> free(g.values.size());
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == node_id::none) free[index_of(home[i])] = 1;
  for (std::uint32_t i = 0; i < g.values.size(); ++i) {
    const std::uint32_t root = index_of(home[i]);
    if (free[root] != 0) continue;
    out.of_value[i] = root == i ? out.count++ : out.of_value[root];
  }
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
    for (std::uint32_t k = 0; g.nodes[i].outputs.count > 1 && k < g.nodes[i].outputs.count; ++k)
      if (out.of_value[g.nodes[i].outputs.first + k] != class_numbers::none)
        out.results.push_back({i, k});
  return out;
}

}  // namespace detail

/// Numbers the classes of a choice graph for a selection problem. O(values).
constexpr class_numbers number_classes(const choice_graph& c) {
  table<value_id> home;
  for (std::uint32_t i = 0; i < c.view().values.size(); ++i)
    home.push_back(c.representative(static_cast<value_id>(i)));
  return detail::number_classes(c.view(), home);
}

namespace detail {

// Checks that the numbering of classes belongs to these candidates. O(values).
constexpr error check_numbers(const graph_view& g, const class_numbers& classes) {
  bool fits = classes.of_value.size() == g.values.size() && classes.home.size() == g.values.size();
  for (std::uint32_t number : classes.of_value)
    fits = fits && (number == class_numbers::none || number < classes.count);
  for (value_id home : classes.home) fits = fits && index_of(home) < g.values.size();
  for (const node_result& r : classes.results)
    fits = fits && r.node < g.nodes.size() && r.output < g.nodes[r.node].outputs.count;
  if (fits) return {};
  return make_error(errc::invalid_problem, g.text_of(g.name),
                    "the numbers of its classes are those of other alternatives");
}
constexpr error check_numbers(const choice_graph& c, const class_numbers& classes) {
  return c.failure().code != errc::none ? c.failure() : check_numbers(c.view(), classes);
}

class extractor {
 public:
  constexpr extractor(const graph_view& candidates, const class_numbers& classes,
                      view<std::uint32_t> chosen)
      : from_(candidates),
        classes_(classes),
        chosen_(chosen),
        out_(from_.text_of(from_.name)),
        done_(from_.values.size(), value_id::none),
        made_(from_.nodes.size(), node_id::none) {}

  constexpr result<graph> run() {
    for (std::uint32_t i = 0; i < from_.values.size(); ++i)
      if (from_.values[i].producer == node_id::none)
        made_of(static_cast<value_id>(i)) =
            out_.add_input(from_.text_of(from_.values[i].name), type_of(from_.values[i].type));
    for (const output& o : from_.outputs) {
      if (error e = reach(o.source); e.code != errc::none) return e;
      out_.add_output(from_.text_of(o.name), made_of(o.source));
    }
    if (error e = reach_effects(); e.code != errc::none) return e;
    if (error e = copy_edges(); e.code != errc::none) return e;
    return made_valid(static_cast<graph&&>(out_));
  }

 private:
  // Nodes with effects belong to every selection.
  constexpr error reach_effects() {
    for (std::uint32_t i = 0; i < from_.nodes.size(); ++i) {
      const node& n = from_.nodes[i];
      if (n.effects == effect::pure || made_[i] != node_id::none) continue;
      for (value_id operand : from_.inputs_of(n))
        if (error e = reach(operand); e.code != errc::none) return e;
      emit(n, i);
    }
    return {};
  }
  // An edge orders the nodes that compute its values; without such a node in the selection there is
  // nothing to order.
  constexpr error copy_edges() {
    if (from_.edges.empty()) return {};
    for (const edge& e : from_.edges) {
      const node_id from = stand_in(e.from), to = stand_in(e.to);
      if (from != node_id::none && to != node_id::none && from != to)
        out_.add_edge(e.kind, from, to);
    }
    if (const auto order = topological_order(out_.view()); !order) return order.error();
    return {};
  }
  // The node of the extracted graph that replaces a node of the workflow.
  constexpr node_id stand_in(node_id id) {
    if (made_[index_of(id)] != node_id::none) return made_[index_of(id)];
    const node& n = from_[id];
    if (n.outputs.count == 0) return node_id::none;
    const value_id at = made_of(graph_view::output_of(n));
    return at == value_id::none ? node_id::none : out_[at].producer;
  }

  // Emits operands before their node, left to right, without recursion: expressions may be deep.
  constexpr error reach(value_id wanted) {
    table<value_id> pending{wanted};
    std::size_t steps = 0;
    while (!pending.empty()) {
      const value_id id = pending.back();
      if (made_of(id) != value_id::none) {
        pending.pop_back();
        continue;
      }
      if (++steps > 4 * (from_.nodes.size() + from_.operands.size()) + 4)
        return make_error(errc::cyclic_graph, "selection", "the chosen candidates form a cycle");
      const std::uint32_t candidate = chosen_node(id);
      if (candidate == class_numbers::none)
        return make_error(errc::invalid_problem, "selection", "a needed class has no candidate");
      const node& n = from_.nodes[candidate];
      bool ready = true;
      const view<value_id> operands = from_.inputs_of(n);
      for (std::size_t k = operands.size(); k-- > 0;) {
        if (made_of(operands[k]) != value_id::none) continue;
        pending.push_back(operands[k]);
        ready = false;
      }
      if (ready) emit(n, candidate);
    }
    return {};
  }
  // The chosen node for a value; `none` if its class needs none.
  constexpr std::uint32_t chosen_node(value_id id) const {
    const std::uint32_t number = classes_.of_value[index_of(id)];
    if (number == class_numbers::none) return number;
    return classes_.node_of(chosen_[number], from_.nodes.size());
  }

  constexpr void emit(const node& n, std::uint32_t number) {
    table<value_id> inputs;
    for (value_id operand : from_.inputs_of(n)) inputs.push_back(made_of(operand));
    table<value_type> results;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id home = home_of(graph_view::output_of(n, k));
      value_type t = type_of(from_.values[n.outputs.first + k].type);
      t.known = t.known | from_[home].type.known;
      results.push_back(t);
    }
    table<attribute_value> attributes = attribute_values(from_, n);
    for (attribute_value& a : attributes)
      if (a.kind == attribute_kind::extent) a.number = extent_of(a.number).code;
    const table<cost_formula> costs = cost_formulas(from_, n);
    node_description d = description_of(from_, n, attributes, costs);
    d.name = from_.text_of(name_of_class(n));
    const node_id id = out_.add_node(d, inputs, results);
    made_[number] = id;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id result = graph_view::output_of(n, k);
      if (n.outputs.count == 1 || chosen_node(result) == number)
        made_of(result) = graph_view::output_of(out_[id], k);
    }
  }

  // The user's name stays with the value, whichever candidate computes it.
  constexpr text_ref name_of_class(const node& n) const {
    if (n.name.count != 0 || n.outputs.count == 0) return n.name;
    const node_id first = from_[home_of(graph_view::output_of(n))].producer;
    return first == node_id::none ? text_ref{} : from_[first].name;
  }

  // Renumbers a derived extent for the extracted graph, which has its own table of them.
  constexpr extent extent_of(std::int64_t code) {
    extent e;
    e.code = code;
    return e.is_derived() ? out_.add_derived(from_.text_of(from_.derived[e.index()])) : e;
  }
  constexpr value_type type_of(value_type t) {
    for (std::uint32_t i = 0; i < t.shape.rank; ++i)
      if (t.shape.extents[i].is_derived()) t.shape.extents[i] = extent_of(t.shape.extents[i].code);
    return t;
  }

  constexpr value_id home_of(value_id id) const { return classes_.home[index_of(id)]; }
  // The value of the extracted graph for a class; `none` if it has none yet.
  constexpr value_id& made_of(value_id id) { return done_[index_of(home_of(id))]; }

  graph_view from_;
  const class_numbers& classes_;
  view<std::uint32_t> chosen_;
  graph out_;
  table<value_id> done_;  // by first value of a class
  table<node_id> made_;   // by node
};

constexpr result<graph> extract(const graph_view& candidates, const class_numbers& classes,
                                view<std::uint32_t> chosen) {
  if (error e = check_numbers(candidates, classes); e.code != errc::none) return e;
  if (chosen.size() < classes.count)
    return make_error(errc::invalid_problem, candidates.text_of(candidates.name),
                      "a selection has a candidate for each class");
  return extractor(candidates, classes, chosen).run();
}
constexpr result<graph> extract_from(const choice_graph& c, const class_numbers& classes,
                                     view<std::uint32_t> chosen) {
  if (c.failure().code != errc::none) return c.failure();
  return extract(c.view(), classes, chosen);
}
#ifdef WF_COMPILED
extern template struct compiled<&extract_from>;
#endif

}  // namespace detail

/// The workflow of a selection: `chosen[k]` is the candidate for class k (see `class_numbers`), or
/// any number beyond the candidates where the class is not needed. Names stay with their values;
/// nodes with effects and edges are kept. Errors: those of the workflow (`choice_graph::failure`),
/// `cyclic_graph`, `invalid_problem` for a needed class without a candidate and for numbers of
/// another choice graph. O(nodes + operands).
constexpr result<graph> extract(const choice_graph& c, const class_numbers& classes,
                                view<std::uint32_t> chosen) {
  return detail::call_compiled<&detail::extract_from>(c, classes, chosen);
}

}  // namespace wf
