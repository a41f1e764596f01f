// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash_index.hpp>
#include <wf/cost/peak.hpp>
#include <wf/lint/precision.hpp>
#include <wf/rewrite/dead.hpp>
#include <wf/rewrite/inline.hpp>

namespace wf {

/// The default metrics in which a lint requires prices.
inline constexpr metric_spec lint_metrics[] = {flops_::spec};

/// Options of a lint: rules, severities and thresholds.
struct lint_options {
  /// The disabled rules.
  lint_rule_set off = {};
  /// The rules whose findings are errors.
  lint_rule_set errors = {};
  /// Raises every warning to an error.
  bool warnings_as_errors = false;
  /// The minimum severity of kept findings, after raising.
  severity least = severity::note;
  /// The metrics in which every node must have a price; measured metrics apply to whole graphs and
  /// are skipped.
  view<metric_spec> metrics = lint_metrics;
  /// Accumulations whose bound on the relative error is 1 / tolerance or more are reported: with 8
  /// those of 256 terms in f16, 32 in bf16, 2,097,152 in f32. Positive.
  std::int64_t tolerance = 8;
};

namespace detail {

// Finds names again; the first entry of a name is kept.
class name_index {
 public:
  constexpr explicit name_index(std::size_t names) {
    index_.reserve(names);
    names_.reserve(names);
  }
  /// The number under which a name was first added; a new name is added under `number`.
  constexpr std::uint32_t find_or_add(text_view name, std::uint32_t number) {
    const std::uint64_t hash = hash_text(name);
    const std::uint32_t known =
        index_.find(hash, [&](std::uint32_t i) { return names_[i].name == name; });
    if (known != hash_index::none) return names_[known].number;
    index_.insert(hash, static_cast<std::uint32_t>(names_.size()));
    names_.push_back({name, number});
    return number;
  }

 private:
  struct entry {
    text_view name;
    std::uint32_t number = 0;
  };
  table<entry> names_;
  hash_index index_;
};

constexpr bool has_complete_types(const graph_view& g, const node& n) {
  for (value_id id : g.inputs_of(n))
    if (!g[id].type.is_complete()) return false;
  for (std::uint32_t k = 0; k < n.outputs.count; ++k)
    if (!g.values[n.outputs.first + k].type.is_complete()) return false;
  return true;
}

// For each node the metrics in which its price is unknown, in words. Nodes without complete types
// have no price, and nodes without a kernel are reported as such.
template <class Number>
constexpr table<text> unknown_prices(const graph_view& g, const registry& r,
                                     view<metric_spec> metrics) {
  table<text> unknown(g.nodes.size());
  for (const metric_spec& m : metrics) {
    if (m.rule == combination::measured || m.name == "qubits") continue;
    // The storage of values follows from their types; a node's additional storage may not.
    const bool storage = m.rule == combination::peak && counts_storage(m);
    pricer<Number> prices(g, storage ? metric_spec{"scratch", "B"} : m, r);
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      if (!has_complete_types(g, g.nodes[i])) continue;
      const errc code = prices.price(static_cast<node_id>(i)).error().code;
      if (code == errc::unknown_cost || code == errc::unknown_symbol)
        unknown[i] << (unknown[i].empty() ? "" : ", ") << m.name;
    }
  }
  return unknown;
}

class linter {
 public:
  constexpr linter(const graph_view& g, const registry& r, const lint_options& options)
      : graph_(g),
        registry_(r),
        options_(options),
        precision_(g, r, options.tolerance > 0 ? options.tolerance : 1) {
    out_.workflow = text(g.text_of(g.name));
  }

  constexpr findings run() {
    find_readers();
    if (const auto order = topological_order(graph_)) live_ = live_nodes(graph_, *order);
    if (graph_.is_static())
      unknown_ = unknown_prices<rational>(graph_, registry_, options_.metrics);
    else
      unknown_ = unknown_prices<polynomial>(graph_, registry_, options_.metrics);
    name_index names(graph_.nodes.size() + graph_.values.size());
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].producer == node_id::none) {
        unused_input(static_cast<value_id>(i));
        shadowed_input(static_cast<value_id>(i), names);
      }
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      const auto id = static_cast<node_id>(i);
      dead_node(id);
      shadowed_node(id, names);
      cost(id);
      for (const precision_hit& hit : precision_.examine(id)) {
        finding f = about(id, hit.rule, hit.message);
        f.severity = hit.severity;
        add(static_cast<finding&&>(f));
      }
    }
    shadowed_outputs();
    return static_cast<findings&&>(out_);
  }

 private:
  constexpr void add(finding f) {
    if (options_.off.has(f.rule)) return;
    if (options_.errors.has(f.rule) ||
        (options_.warnings_as_errors && f.severity == severity::warning))
      f.severity = severity::error;
    if (f.severity >= options_.least) out_.list.push_back(static_cast<finding&&>(f));
  }
  constexpr finding about(node_id id, lint_rule rule, const text& message) const {
    const node& n = graph_[id];
    finding f;
    f.severity = severity_of(rule);
    f.rule = rule;
    f.node = id;
    f.subject = graph_.label(id);
    f.message = message;
    f.file = text(graph_.text_of(n.location.file));
    f.line = n.location.line;
    f.column = n.location.column;
    return f;
  }
  constexpr finding about(value_id id, text_view subject, lint_rule rule,
                          const text& message) const {
    finding f;
    if (graph_[id].producer != node_id::none) f = about(graph_[id].producer, rule, message);
    f.severity = severity_of(rule);
    f.rule = rule;
    f.node = node_id::none;
    f.value = id;
    f.subject = text(subject);
    f.message = message;
    return f;
  }

  // --- what is not needed -----------------------------------------------------------------------

  constexpr void find_readers() {
    is_read_.resize(graph_.values.size());
    for (value_id id : graph_.operands) is_read_[index_of(id)] = 1;
    for (const output& o : graph_.outputs) is_read_[index_of(o.source)] = 1;
  }
  constexpr void unused_input(value_id id) {
    if (is_read_[index_of(id)] != 0) return;
    const text_view name = graph_.text_of(graph_[id].name);
    add(about(id, name, lint_rule::unused_input,
              text() << "nothing reads the input '" << name << '\''));
  }
  constexpr void dead_node(node_id id) {
    if (live_.empty() || live_[index_of(id)] != 0) return;
    const node& n = graph_[id];
    bool read = false;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      read = read || is_read_[n.outputs.first + k] != 0;
    text message = text() << label_of(graph_, id).view() << " is dead: ";
    message << (read ? "only dead nodes read its results" : "nothing reads its results");
    add(about(id, lint_rule::dead_node, message));
  }

  // --- names ------------------------------------------------------------------------------------

  // Values are identified by their numbers, nodes by their numbers plus the number of values.
  constexpr text who(std::uint32_t number) const {
    const bool is_node = number >= graph_.values.size();
    const node_id id = is_node ? static_cast<node_id>(number - graph_.values.size())
                               : graph_.values[number].producer;
    if (id == node_id::none) return text("an input");
    return text() << (is_node ? "" : "a result of ") << graph_.op_name(graph_[id]) << '#'
                  << index_of(id);
  }
  constexpr void shadowed_input(value_id id, name_index& names) {
    const text_view name = graph_.text_of(graph_[id].name);
    if (!name.empty()) names.find_or_add(name, index_of(id));
  }
  // A node may share its name with its own results.
  constexpr void shadowed_node(node_id id, name_index& names) {
    const node& n = graph_[id];
    const auto own = static_cast<std::uint32_t>(graph_.values.size() + index_of(id));
    if (n.name.count != 0) {
      const std::uint32_t first = names.find_or_add(graph_.text_of(n.name), own);
      if (first != own) clash(about(id, lint_rule::shadowed_name, text()), "node", n.name, first);
    }
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const text_ref name = graph_.values[n.outputs.first + k].name;
      if (name.count == 0) continue;
      const std::uint32_t first = names.find_or_add(graph_.text_of(name), n.outputs.first + k);
      if (first != n.outputs.first + k && first != own)
        clash(about(graph_view::output_of(n, k), graph_.text_of(name), lint_rule::shadowed_name,
                    text()),
              "result", name, first);
    }
  }
  constexpr void clash(finding f, text_view what, text_ref name, std::uint32_t first) {
    f.message << "the " << what << " '" << graph_.text_of(name) << "' has the name of "
              << who(first).view();
    add(static_cast<finding&&>(f));
  }
  // An output may share the name of an input or node only if it is that input or a result of that
  // node.
  constexpr void shadowed_outputs() {
    name_index names(graph_.nodes.size() + graph_.values.size() + graph_.outputs.size());
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (const text_ref name = graph_.values[i].name; name.count != 0)
        names.find_or_add(graph_.text_of(name), i);
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      if (const text_ref name = graph_.nodes[i].name; name.count != 0)
        names.find_or_add(graph_.text_of(name),
                          static_cast<std::uint32_t>(graph_.values.size() + i));
    for (const output& o : graph_.outputs) {
      const text_view name = graph_.text_of(o.name);
      constexpr std::uint32_t nobody = 0xffffffff;
      const std::uint32_t first = names.find_or_add(name, nobody);
      if (first == nobody || first == index_of(o.source)) continue;
      const node_id from = graph_[o.source].producer;
      if (from != node_id::none && first == graph_.values.size() + index_of(from)) continue;
      add(about(o.source, name, lint_rule::shadowed_name,
                text() << "the output '" << name << "' is " << label_of(graph_, o.source).view()
                       << ", but has the name of " << who(first).view()));
    }
  }

  // --- prices -----------------------------------------------------------------------------------

  constexpr void cost(node_id id) {
    const node& n = graph_[id];
    const text_view op = graph_.op_name(n);
    if (registry_.find(op) == nullptr && !is_opaque(graph_, n) && !is_call(graph_, n))
      add(about(
          id, lint_rule::unknown_operator,
          text() << "no kernel is registered for the operator of " << label_of(graph_, id).view()));
    if (!unknown_[index_of(id)].empty())
      add(about(id, lint_rule::unknown_cost,
                text() << "the price of " << label_of(graph_, id).view() << " is not known in "
                       << unknown_[index_of(id)].view()));
  }

  graph_view graph_;
  const registry& registry_;
  lint_options options_;
  precision_rules precision_;
  findings out_;
  table<char> is_read_;  // by value
  table<char> live_;     // by node; empty if there is a cycle
  table<text> unknown_;  // by node
};

}  // namespace detail

/// Reports suspicious parts of a workflow: see `lint_rule` for the rules and their reasons. Values
/// of unknown type reduce the findings (call `solve_types` first); for a graph that
/// `validate_references` refuses only that is reported, whatever the options. The findings are
/// deterministic, in the order of inputs, nodes, outputs.
/// O(size of the graph · (1 + metrics)).
constexpr findings lint(const graph_view& g, const registry& r, const lint_options& options = {}) {
  const auto fine = validate_references(g);
  if (fine) return detail::linter(g, r, options).run();
  findings out;
  finding f;
  f.severity = severity::error;
  f.rule = lint_rule::malformed_graph;
  f.subject = fine.error().subject;
  f.message = fine.error().message;
  out.list.push_back(static_cast<finding&&>(f));
  return out;
}

/// `lint` with the built-in registry.
constexpr findings lint(const graph_view& g, const lint_options& options = {}) {
  return lint(g, builtin_registry(), options);
}

}  // namespace wf
