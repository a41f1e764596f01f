// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/compiled.hpp>
#include <wf/report/graph/cost_table.hpp>
#include <wf/select/optimise.hpp>

namespace wf {

namespace detail {

// The transforms that led to a candidate, the last one first: "[b from term, by a]".
constexpr void explain_origin(text& out, const plan& p, node_id id, const value_labels& labels,
                              view<transform> transforms) {
  const table<derivation_step> steps = p.from.choices.derivation_of(id);
  if (steps.empty()) return;
  out << '[';
  for (std::size_t i = 0; i < steps.size(); ++i) {
    out << (i == 0 ? "" : ", by ") << origin_name(transforms, steps[i].by);
    if (i + 1 == steps.size()) continue;
    out << " from ";
    if (steps[i].at == node_id::none)
      out << "a candidate that was dropped";
    else
      out << labels.term(steps[i].at).view();
  }
  out << ']';
}

// The limits that cut the growth short, if any.
constexpr void explain_growth(text& out, const growth_outcome& g) {
  if (g.status != growth_status::saturated)
    out << "growth: " << to_text(g.status) << " after " << g.steps << " steps\n";
  if (g.beam_width != 0)
    out << "beam: at most " << g.beam_width << " candidates a class, " << g.dropped << " dropped\n";
  if (g.cuts == 0) return;
  out << "left out by limits on proposals:";
  std::uint32_t bit = 0;
  for (const proposal_limit_row& row : proposal_limit_rows)
    if ((g.cuts >> bit++ & 1U) != 0) out << ' ' << row.name << " = " << g.proposals.*row.limit;
  out << '\n';
}

constexpr void explain_rejection(text& out, const plan& p, const rejection& r,
                                 const value_labels& labels, view<transform> transforms) {
  const auto node_of = [&](std::uint32_t candidate) {
    return static_cast<node_id>(
        p.from.classes.node_of(candidate, p.from.choices.view().nodes.size()));
  };
  const node_id id = node_of(r.candidate);
  out << "      not " << labels.term(id).view();
  if (p.from.choices.origin_of(id) != origin_id::captured) out << ' ';
  explain_origin(out, p, id, labels, transforms);
  out << ": ";
  if (r.kind == rejection_kind::dominated)
    out << labels.term(node_of(r.by)).view() << " does the same at no more cost";
  else
    out << to_text(p.from.problem, r).view();
  out << '\n';
}

constexpr void explain_class(text& out, const plan& p, std::uint32_t number,
                             const value_labels& labels, view<transform> transforms) {
  const std::size_t nodes = p.from.choices.view().nodes.size();
  const std::uint32_t candidate = p.selected.best.chosen[number];
  const std::uint32_t node = p.from.classes.node_of(candidate, nodes);
  if (node == class_numbers::none) return;
  // One of several results is described with its node, unless it had other candidates.
  bool told = candidate < nodes;
  for (const rejection& r : p.selected.rejected)
    told = told || p.from.problem.candidates[r.candidate].owner == number;
  if (!told) return;
  const auto id = static_cast<node_id>(node);
  out << "  " << labels.definition(id).view();
  if (p.from.choices.origin_of(id) != origin_id::captured) out << "   ";
  explain_origin(out, p, id, labels, transforms);
  out << '\n';
  for (const rejection& r : p.selected.rejected)
    if (p.from.problem.candidates[r.candidate].owner == number)
      explain_rejection(out, p, r, labels, transforms);
}

constexpr result<text> explain_plan(const plan& p, view<metric_spec> metrics,
                                    const registry& kernels, view<transform> transforms) {
  const graph_view g = p.chosen.view();
  text out;
  out << "plan for '" << g.text_of(g.name) << "': " << p.from.problem.metrics[0].name.view()
      << " = ";
  out.grouped(p.value);
  if (p.proven_optimal) {
    out << (p.from.choices.growth().dropped == 0 ? ", proven optimal among its alternatives\n"
                                                 : ", proven optimal among the candidates kept\n");
  } else {
    const ratio gap = gap_between(p.value, p.bound);
    out << ", bound ";
    out.grouped(p.bound) << ", gap "
                         << (gap.denominator == 0 ? int128{0}
                                                  : int128{gap.numerator} * 1000 / gap.denominator)
                         << " per mille (" << to_text(p.selected.status) << ")\n";
  }
  const graph_view all = p.from.choices.view();
  const value_labels labels(p.from.choices);
  out << "search: " << p.from.classes.count << " classes, " << all.nodes.size() << " candidates, "
      << p.selected.counters.nodes << " states expanded, " << p.selected.counters.pruned
      << " pruned\n";
  explain_growth(out, p.from.choices.growth());
  out << "choices:\n";
  for (std::uint32_t number = 0; number < p.selected.best.chosen.size(); ++number)
    explain_class(out, p, number, labels, transforms);
  const auto costs = tabulate_costs(g, metrics, kernels);
  if (!costs) return costs.error();
  out << "costs:\n" << to_text(*costs, g).view();
  return out;
}
#ifdef WF_COMPILED
extern template struct compiled<&explain_plan>;
#endif

}  // namespace detail

/// Explains a plan: objective, proof, the chosen variant of every value with each rejected one and
/// the reason, and a table of costs in `metrics`. `transforms` are those with which the plan was
/// grown. Errors: those of `tabulate_costs`.
constexpr result<text> explain(const plan& p, view<metric_spec> metrics, const registry& kernels,
                               view<transform> transforms = builtin_transforms()) {
  return detail::call_compiled<&detail::explain_plan>(p, metrics, kernels, transforms);
}

}  // namespace wf
