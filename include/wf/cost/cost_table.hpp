// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/compiled.hpp>
#include <wf/cost/polynomial_maximum.hpp>

namespace wf {

/// One cost in a table: a number, a polynomial or a maximum of polynomials, as far as it is known.
/// Unknown costs are counted, never taken as zero.
struct cost_figure {
  /// The known part; a lower bound if `unknown` is not 0.
  polynomial_maximum known;
  /// Number of nodes whose costs are unknown in part.
  std::uint32_t unknown = 0;
  /// False if the metric has no such figure, as the peak of a symbolic workflow.
  bool defined = true;

  /// True if it is one exact number.
  constexpr bool is_number() const {
    return defined && unknown == 0 && known.is_polynomial() && known.single().is_constant();
  }
  /// True if the known part is not zero.
  constexpr bool has_known() const { return !(known.is_polynomial() && known.single().is_zero()); }
  friend constexpr bool operator==(const cost_figure&, const cost_figure&) = default;
};

/// The costs of one node, or of all nodes of a domain.
struct cost_table_row {
  /// The node; `none` for a domain.
  node_id node = node_id::none;
  /// The node's label in messages, or the name of the domain.
  text name;
  /// One figure per metric, in the order of the metrics.
  table<cost_figure> figures;
};

/// The costs of a workflow by node, by domain and in total. `tabulate_costs` computes it;
/// `to_text`, `to_markdown` and `to_csv` (report/graph/cost_table.hpp) print it.
struct cost_table {
  /// The metrics; their texts must outlive the table.
  table<metric_spec> metrics;
  /// One row per node: its own cost; for a peak metric, the amount alive while it runs.
  table<cost_table_row> nodes;
  /// One row per domain, in the order of their first nodes: the combined cost of its nodes. For a
  /// critical path, the longest path where only nodes of the domain have a cost; for a peak metric,
  /// the largest amount alive while one of its nodes runs.
  table<cost_table_row> domains;
  /// The cost of the whole workflow, one figure per metric.
  table<cost_figure> totals;
};

namespace detail {

// A cost that is unknown or no polynomial counts as unknown; other faults are errors.
template <class Number>
constexpr error price_figures(const graph_view& g, const metric_spec& m, const registry& r,
                              table<cost_figure>& figures) {
  pricer<Number> prices(g, m, r);
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto price = prices.price(static_cast<node_id>(i));
    if (price)
      figures[i].known = polynomial_maximum(polynomial(*price));
    else if (price.error().code == errc::unknown_cost || price.error().code == errc::not_polynomial)
      figures[i].unknown = 1;
    else
      return price.error();
  }
  return {};
}

// Computes the column of one metric: figures of nodes first, then those of domains and the total.
class cost_column {
 public:
  constexpr cost_column(const graph_view& g, const metric_spec& m, const registry& r,
                        const table<std::uint32_t>& domain_of, std::size_t domains)
      : graph_(g),
        metric_(m),
        registry_(r),
        domain_of_(domain_of),
        nodes_(g.nodes.size()),
        domains_(domains) {}

  constexpr error run() {
    error e;
    if (metric_.rule == combination::measured)
      e = measure();
    else if (metric_.rule == combination::peak)
      e = sweep();
    else
      e = graph_.is_static() ? price_figures<rational>(graph_, metric_, registry_, nodes_)
                             : price_figures<polynomial>(graph_, metric_, registry_, nodes_);
    if (e.code != errc::none || metric_.rule == combination::measured ||
        metric_.rule == combination::peak)
      return e;
    for (std::uint32_t d = 0; d < domains_.size(); ++d)
      if (e = combine(domains_[d], d, false); e.code != errc::none) return e;
    return combine(total_, 0, true);
  }

  constexpr const cost_figure& of_node(std::size_t i) const { return nodes_[i]; }
  constexpr const cost_figure& of_domain(std::size_t i) const { return domains_[i]; }
  constexpr const cost_figure& total() const { return total_; }

 private:
  constexpr error too_large(errc code) const {
    return make_error(code, metric_.name,
                      code == errc::formula_limit
                          ? "too many polynomials of which none is always the largest"
                          : "an exact figure does not fit 128 bits");
  }

  // Combines the figures of the nodes of one domain, or of all nodes.
  constexpr error combine(cost_figure& out, std::uint32_t domain, bool all) const {
    const auto counts = [&](std::size_t i) { return all || domain_of_[i] == domain; };
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (counts(i)) out.unknown += nodes_[i].unknown;
    errc code = errc::none;
    if (metric_.rule != combination::critical_path) {
      for (std::size_t i = 0; i < nodes_.size() && code == errc::none; ++i)
        if (counts(i))
          code = metric_.rule == combination::maximum ? out.known.include(nodes_[i].known)
                                                      : out.known.add(nodes_[i].known.single());
      return code == errc::none ? error{} : too_large(code);
    }
    table<polynomial_maximum> path(nodes_.size());
    const auto extend = [&](node_id id, node_id before) {
      if (code == errc::none) code = path[index_of(id)].include(path[index_of(before)]);
    };
    const auto finish = [&](node_id id) -> error {
      polynomial_maximum& here = path[index_of(id)];
      if (code == errc::none && counts(index_of(id)))
        code = here.add(nodes_[index_of(id)].known.single());
      if (code == errc::none) code = out.known.include(here);
      return code == errc::none ? error{} : too_large(code);
    };
    return sweep_paths(graph_, extend, finish);
  }

  constexpr void mark(bool defined, std::uint32_t unknown) {
    for (cost_figure& f : nodes_) f.defined = defined, f.unknown = unknown;
    for (cost_figure& f : domains_) f.defined = defined, f.unknown = unknown;
    total_.defined = defined;
    total_.unknown = unknown;
  }

  constexpr error sweep() {
    if (!graph_.is_static()) return mark(false, 0), error{};
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    const auto alive = liveness_along(graph_, metric_, registry_, *order);
    if (!alive && alive.error().code == errc::unknown_cost) return mark(true, 1), error{};
    if (!alive) return alive.error();
    for (std::size_t k = 0; k < order->size(); ++k) {
      const std::size_t i = index_of((*order)[k]);
      nodes_[i].known = polynomial_maximum(polynomial(alive->alive[k]));
      if (const errc code = domains_[domain_of_[i]].known.include(nodes_[i].known);
          code != errc::none)
        return too_large(code);
    }
    total_.known = polynomial_maximum(polynomial(alive->peak));
    return {};
  }

  constexpr error measure() {
    mark(false, 0);
    if (!graph_.is_static()) return {};
    const auto value = price(graph_, metric_, registry_);
    if (!value && value.error().code != errc::unknown_cost) return value.error();
    total_.defined = true;
    total_.unknown = value ? 0 : 1;
    if (value) total_.known = polynomial_maximum(polynomial(*value));
    return {};
  }

  graph_view graph_;
  metric_spec metric_;
  const registry& registry_;
  const table<std::uint32_t>& domain_of_;
  table<cost_figure> nodes_, domains_;
  cost_figure total_;
};

constexpr result<cost_table> make_cost_table(const graph_view& workflow, view<metric_spec> metrics,
                                             const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  cost_table out;
  table<std::uint32_t> domain_of;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto id = static_cast<node_id>(i);
    out.nodes.push_back({id, g.label(id), {}});
    const text_view domain = g.text_of(g.operations[g.nodes[i].op].domain);
    std::uint32_t d = 0;
    while (d < out.domains.size() && out.domains[d].name.view() != domain) ++d;
    if (d == out.domains.size()) out.domains.push_back({node_id::none, text(domain), {}});
    domain_of.push_back(d);
  }
  for (const metric_spec& m : metrics) {
    cost_column column(g, m, r, domain_of, out.domains.size());
    if (error e = column.run(); e.code != errc::none) return e;
    out.metrics.push_back(m);
    for (std::size_t i = 0; i < out.nodes.size(); ++i)
      out.nodes[i].figures.push_back(column.of_node(i));
    for (std::size_t d = 0; d < out.domains.size(); ++d)
      out.domains[d].figures.push_back(column.of_domain(d));
    out.totals.push_back(column.total());
  }
  return out;
}
#ifdef WF_COMPILED
extern template struct compiled<&make_cost_table>;
#endif

}  // namespace detail

/// Prices a graph, static or symbolic, in several metrics: by node, by domain and in total. Unknown
/// costs are no errors but figures. Errors: those of `validate`, `unknown_operator`, those of
/// formulas, `overflow`, `formula_limit`. O(nodes · metrics).
constexpr result<cost_table> tabulate_costs(const graph_view& workflow, view<metric_spec> metrics,
                                            const registry& r) {
  return detail::call_compiled<&detail::make_cost_table>(workflow, metrics, r);
}

/// The same with the built-in registry.
constexpr result<cost_table> tabulate_costs(const graph_view& g, view<metric_spec> metrics) {
  return tabulate_costs(g, metrics, builtin_registry());
}

namespace detail {

constexpr void write_known(text& out, const polynomial_maximum& known, bool grouped) {
  const polynomial single = known.single();
  if (grouped && known.is_polynomial() && single.is_constant())
    if (const auto whole = to_int64(single.constant()); whole) {
      out.grouped(*whole);
      return;
    }
  out << to_text(known).view();
}

}  // namespace detail

/// Text such as "2,232", "2*M**3 + M", "unknown", "≥ 705 + unknown (1 node)"; "-" for a figure that
/// is not defined.
constexpr text to_text(const cost_figure& f) {
  if (!f.defined) return text("-");
  text out;
  if (f.unknown == 0) {
    detail::write_known(out, f.known, true);
    return out;
  }
  if (f.has_known()) {
    out << "≥ ";
    detail::write_known(out, f.known, true);
    out << " + ";
  }
  out << "unknown";
  if (f.has_known() || f.unknown > 1)
    out << " (" << f.unknown << (f.unknown == 1 ? " node)" : " nodes)");
  return out;
}

}  // namespace wf
