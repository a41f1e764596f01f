// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/symbolic_cost.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/rewrite/bind.hpp>
#include <wf/select/every_size/bernstein.hpp>
#include <wf/select/every_size/piecewise_plan.hpp>
#include <wf/select/optimise.hpp>

namespace wf {

/// Options of `optimise_piecewise`; the defaults are the built-in ones.
struct piecewise_options {
  /// As for `optimise`.
  optimise_options each;
  /// The maximum number of sizes decided one by one, where no polynomials decide (peaks, critical
  /// paths, rounding).
  std::uint32_t max_single_sizes = 10'000;
};

namespace detail {

template <class Callback>
class piecewise_solver {
 public:
  constexpr piecewise_solver(const graph_view& workflow, const symbol_domain& range,
                             const objective& o, view<limit> limits, const registry& kernels,
                             const piecewise_options& options, Callback& watch)
      : workflow_(workflow),
        objective_(o),
        limits_(limits),
        kernels_(kernels),
        options_(options),
        watch_(watch),
        metrics_(metrics_of(o, limits)) {
    out_.range = range;
  }

  constexpr result<piecewise_plan> run() {
    if (error e = prepare(); e.code != errc::none) return e;
    table<symbol_domain> waiting{out_.range};
    while (!waiting.empty()) {
      const symbol_domain at = waiting.back();
      waiting.pop_back();
      std::int64_t cut = at.high;
      const error e = at.low == at.high ? solve_size(at.low)
                      : by_size_        ? (cut = at.low, error{})
                                        : solve_interval(at, cut);
      if (e.code != errc::none) return e;
      if (cut == at.high) continue;
      waiting.push_back({at.name, cut + 1, at.high});
      waiting.push_back({at.name, at.low, cut});
    }
    for (plan_piece& piece : out_.pieces)
      if (error e = finish(piece); e.code != errc::none) return e;
    return static_cast<piecewise_plan&&>(out_);
  }

 private:
  // The cost polynomials of a metric, by node, and their Bernstein form.
  struct column {
    table<polynomial> costs;
    bernstein_form form;
  };
  struct optimum {
    bool known = false;
    bool feasible = true;
    std::int64_t value = 0;
    table<std::uint32_t> chosen;
  };

  constexpr error prepare() {
    const symbol_domain& range = out_.range;
    if (range.low > range.high || !range.name || range.low < 0)
      return make_error(errc::not_comparable, to_text(range.name).view(),
                        "the range is empty or negative, or has no symbol");
    const symbol_size first{range.name, range.low};
    const auto bound = bind_symbols(workflow_, view<symbol_size>(&first, 1));
    if (!bound) return bound.error();
    if (!bound->view().is_static())
      return make_error(
          errc::workflow_not_static, workflow_.text_of(workflow_.name),
          (text("it has symbols besides ") << to_text(range.name).view() << ": bind all but one")
              .view());
    auto grown = grow_choices(workflow_, kernels_, options_.each, watch_);
    if (!grown) return grown.error();
    out_.from = static_cast<priced_choices&&>(*grown);
    nodes_ = out_.from.choices.view().nodes.size();
    by_size_ = aggregation_of(metrics_[0]) != aggregation::sum;
    columns_.resize(metrics_.size());
    for (std::size_t m = 0; m < metrics_.size() && !by_size_; ++m)
      if (error e = price_column(m); e.code != errc::none) return e;
    return {};
  }

  // Costs that are no polynomials (a logarithm, a rounding, an estimate) are decided by single
  // sizes.
  constexpr error price_column(std::size_t m) {
    if (aggregation_of(metrics_[m]) == aggregation::measured) return {};
    if (metrics_[m].is_estimate) {
      by_size_ = true;
      return {};
    }
    const graph_view g = out_.from.choices.view();
    pricer<polynomial> prices(g, metrics_[m], kernels_);
    for (std::uint32_t i = 0; i < nodes_; ++i) {
      auto price = prices.price(static_cast<node_id>(i));
      if (!price && price.error().code == errc::not_polynomial) {
        by_size_ = true;
        return {};
      }
      if (!price) return price.error();
      columns_[m].costs.push_back(static_cast<polynomial&&>(*price));
    }
    return {};
  }

  // --- one size --------------------------------------------------------------------------------

  constexpr result<graph> choices_at(std::int64_t size) const {
    const symbol_size bound{out_.range.name, size};
    return bind_symbols(out_.from.choices.view(), view<symbol_size>(&bound, 1));
  }

  // Measures a complete selection at one size.
  struct size_measure {
    const piecewise_solver& solver;
    std::int64_t size;

    constexpr std::int64_t operator()(const selection_problem&, const selection& s,
                                      std::uint32_t metric) const {
      return solver.measured(s.chosen, metric, size);
    }
  };
  constexpr std::int64_t measured(const table<std::uint32_t>& chosen, std::size_t metric,
                                  std::int64_t size) const {
    const auto plan = extract(out_.from.choices, out_.from.classes, chosen);
    if (!plan) return -1;
    const symbol_size size_of_symbol{out_.range.name, size};
    const auto bound = bind_symbols(*plan, view<symbol_size>(&size_of_symbol, 1));
    if (!bound) return -1;
    const auto value = price(bound->view(), metrics_[metric], kernels_);
    return value ? *value : -1;
  }

  constexpr error solve_size(std::int64_t size) {
    if (out_.single_sizes++ >= options_.max_single_sizes)
      return make_error(errc::search_limit, to_text(out_.range.name).view(),
                        (text() << "more than " << options_.max_single_sizes
                                << " sizes need a decision each: narrow the range")
                            .view());
    const auto bound = choices_at(size);
    if (!bound) return bound.error();
    table<std::int64_t> costs(nodes_ * metrics_.size());
    for (std::size_t m = 0; m < metrics_.size(); ++m)
      if (auto done = add_costs(costs, bound->view(), metrics_[m], m, metrics_.size(), kernels_);
          !done)
        return done.error();
    out_.from.problem =
        make_problem(out_.from.choices.view(), out_.from.classes, metrics_, limits_, costs);
    ++out_.solved;
    auto best = select(out_.from.problem, options_.each.search, watch_, size_measure{*this, size});
    if (!best) {
      if (best.error().code != errc::infeasible) return best.error();
      append({size, size, errc::infeasible, {}, {}, false, {}});
      return {};
    }
    if (!best->proven()) return unproven(size, size);
    table<std::uint32_t>& chosen = best->best.chosen;
    if (const table<std::uint32_t>* last = last_choice();
        last != nullptr && is_as_good(*last, costs, size, best->objective[0]))
      chosen = *last;
    append({size, size, errc::none, {}, chosen, false, {}});
    return {};
  }

  // True if a choice meets the limits at a size and reaches the optimum there.
  constexpr bool is_as_good(const table<std::uint32_t>& chosen, const table<std::int64_t>& costs,
                            std::int64_t size, std::int64_t value) const {
    const auto total = [&](std::size_t m) {
      const aggregation kind = aggregation_of(metrics_[m]);
      if (kind == aggregation::measured) return measured(chosen, m, size);
      std::int64_t sum = 0;
      for (const std::uint32_t n : chosen) {
        if (n >= nodes_) continue;
        const std::int64_t cost = costs[n * metrics_.size() + m];
        sum = kind == aggregation::sum ? saturating_add(sum, cost) : cost > sum ? cost : sum;
      }
      return sum;
    };
    if (total(0) != value) return false;
    for (const limit& l : limits_) {
      const std::int64_t used = total(metric_number(metrics_, l.metric));
      if (used < 0 || used > l.maximum) return false;
    }
    return true;
  }

  constexpr error unproven(std::int64_t low, std::int64_t high) const {
    return make_error(
        errc::search_limit, to_text(out_.range.name).view(),
        (text("the search limit ended the proof for the sizes ") << low << " to " << high).view());
  }

  // --- one interval ----------------------------------------------------------------------------
  //
  // A plan is optimal at every size of an interval if it is optimal for each Bernstein coefficient
  // of the costs: at any size, its cost is a convex combination of the optima, and the cost of any
  // other plan is the same combination of values that are no smaller. Limits use, for each
  // candidate, a lower bound over the interval, which admits at least the plans that some size
  // admits.

  constexpr error solve_interval(const symbol_domain& at, std::int64_t& cut) {
    cut = at.low + (at.high - at.low) / 2;
    if (columns_[0].form.assign(columns_[0].costs, at) != errc::none) return {};
    for (std::size_t i = 0; i < nodes_; ++i)
      for (std::uint32_t k = 0; k <= columns_[0].form.degree(); ++k)
        if (columns_[0].form.coefficient(i, k) < 0) return {};
    fill_relaxed(at);
    table<optimum> optima(columns_[0].form.degree() + 1);
    const auto last = static_cast<std::uint32_t>(optima.size() - 1);
    for (const std::uint32_t k : {0U, last}) {
      bool provable = true;
      if (error e = solve_coefficient(optima[k], k, at, provable); e.code != errc::none) return e;
      if (!provable) return {};
      if (optima[k].feasible) continue;
      append({at.low, at.high, errc::infeasible, {}, {}, false, {}});
      cut = at.high;
      return {};
    }
    table<const table<std::uint32_t>*> candidates;
    if (const table<std::uint32_t>* before = last_choice()) candidates.push_back(before);
    candidates.push_back(&optima[0].chosen);
    if (last != 0) candidates.push_back(&optima[last].chosen);
    for (const table<std::uint32_t>* candidate : candidates) {
      bool holds = true;
      if (error e = is_optimal(*candidate, optima, at, holds); e.code != errc::none) return e;
      if (!holds) continue;
      const table<std::uint32_t> chosen = *candidate;
      append({at.low, at.high, errc::none, {}, chosen, false, {}});
      cut = at.high;
      return {};
    }
    choose_cut(optima[0].chosen, optima[last].chosen, at, cut);
    return {};
  }

  // The relaxed problem: the objective, filled in for each coefficient, and one metric for each
  // limit that polynomials decide.
  constexpr void fill_relaxed(const symbol_domain& at) {
    table<metric_spec> metrics{metrics_[0]};
    table<limit> kept;
    table<std::size_t> sources;
    table<text> names;
    names.reserve(limits_.size());
    for (const limit& l : limits_) {
      const std::size_t m = metric_number(metrics_, l.metric);
      if (aggregation_of(metrics_[m]) == aggregation::measured) continue;
      names.push_back(text("limit ") << sources.size());
      metric_spec own = metrics_[m];
      own.name = names.back().view();
      metrics.push_back(own);
      kept.push_back({own, l.maximum});
      sources.push_back(m);
    }
    width_ = metrics.size();
    table<std::int64_t> costs(nodes_ * width_);
    for (std::size_t c = 0; c < sources.size(); ++c) {
      bernstein_form form;
      if (form.assign(columns_[sources[c]].costs, at) != errc::none)
        continue;  // 0 is a valid
                   // bound
      for (std::size_t i = 0; i < nodes_; ++i)
        costs[i * width_ + c + 1] = form.least(i) > 0 ? form.least(i) : 0;
    }
    out_.from.problem =
        make_problem(out_.from.choices.view(), out_.from.classes, metrics, kept, costs);
  }

  // Solves the relaxed problem for one coefficient; `provable` is false if its numbers overflow.
  constexpr error solve_coefficient(optimum& o, std::uint32_t k, const symbol_domain& at,
                                    bool& provable) {
    if (o.known) return {};
    o.known = true;
    for (std::size_t i = 0; i < nodes_; ++i)
      out_.from.problem.costs[i * width_] = columns_[0].form.coefficient(i, k);
    ++out_.solved;
    auto best = select(out_.from.problem, options_.each.search, watch_);
    if (!best) {
      if (best.error().code == errc::overflow) return provable = false, error{};
      if (best.error().code != errc::infeasible) return best.error();
      o.feasible = false;
      return {};
    }
    if (!best->proven()) return unproven(at.low, at.high);
    o.value = best->objective[0];
    o.chosen.swap(best->best.chosen);
    return {};
  }

  constexpr error is_optimal(const table<std::uint32_t>& chosen, table<optimum>& optima,
                             const symbol_domain& at, bool& holds) {
    const auto last = static_cast<std::uint32_t>(optima.size() - 1);
    holds = coefficient_of_choice(chosen, 0) == optima[0].value &&
            coefficient_of_choice(chosen, last) == optima[last].value &&
            first_violation(chosen, at) > at.high;
    for (std::uint32_t k = 1; k < last && holds; ++k) {
      if (error e = solve_coefficient(optima[k], k, at, holds); e.code != errc::none) return e;
      holds = holds && coefficient_of_choice(chosen, k) == optima[k].value;
    }
    return {};
  }

  constexpr std::int64_t coefficient_of_choice(const table<std::uint32_t>& chosen,
                                               std::uint32_t k) const {
    std::int64_t sum = 0;
    for (const std::uint32_t n : chosen)
      if (n < nodes_) sum = saturating_add(sum, columns_[0].form.coefficient(n, k));
    return sum;
  }

  constexpr bool total_of(const table<std::uint32_t>& chosen, std::size_t m,
                          polynomial& total) const {
    for (const std::uint32_t n : chosen)
      if (n < nodes_ && accumulate(total, columns_[m].costs[n]) != errc::none) return false;
    return true;
  }

  // The first size of an interval at which a choice breaks a limit; `at.high + 1` if none does.
  constexpr std::int64_t first_violation(const table<std::uint32_t>& chosen,
                                         const symbol_domain& at) const {
    std::int64_t first = at.high + 1;
    for (const limit& l : limits_) {
      const std::size_t m = metric_number(metrics_, l.metric);
      const aggregation kind = aggregation_of(metrics_[m]);
      if (kind == aggregation::measured) {
        for (std::int64_t size = at.low; size < first; ++size) {
          const std::int64_t used = measured(chosen, m, size);
          if (used < 0 || used > l.maximum) first = size;
        }
        continue;
      }
      table<polynomial> bounded;
      polynomial total;
      if (kind == aggregation::sum) {
        if (!total_of(chosen, m, total)) return at.low;
        bounded.push_back(total);
      } else {
        for (const std::uint32_t n : chosen)
          if (n < nodes_) bounded.push_back(columns_[m].costs[n]);
      }
      for (const polynomial& p : bounded) {
        const auto runs = crossovers(p, polynomial(l.maximum), at);
        if (!runs) return at.low;
        for (const sign_interval& run : *runs)
          if (run.sign > 0 && run.low < first) first = run.low;
      }
    }
    return first;
  }

  // Cuts where the plans that are best at the two ends cross over, or where the first one breaks a
  // limit; otherwise in the middle.
  constexpr void choose_cut(const table<std::uint32_t>& left, const table<std::uint32_t>& right,
                            const symbol_domain& at, std::int64_t& cut) const {
    const std::int64_t violation = first_violation(left, at);
    if (violation > at.low && violation <= at.high) {
      cut = violation - 1;
      return;
    }
    polynomial first, second;
    if (!total_of(left, 0, first) || !total_of(right, 0, second)) return;
    const auto runs = crossovers(first, second, at);
    if (!runs || runs->empty() || (*runs)[0].sign > 0) return;
    std::size_t i = 0;
    while (i + 1 < runs->size() && (*runs)[i + 1].sign <= 0) ++i;
    if ((*runs)[i].high < at.high) cut = (*runs)[i].high;
  }

  // --- pieces ----------------------------------------------------------------------------------

  constexpr const table<std::uint32_t>* last_choice() const {
    if (out_.pieces.empty() || out_.pieces.back().failure != errc::none) return nullptr;
    return &out_.pieces.back().candidates;
  }
  constexpr void append(plan_piece piece) {
    if (!out_.pieces.empty() && out_.pieces.back().failure == piece.failure &&
        out_.pieces.back().candidates == piece.candidates)
      out_.pieces.back().high = piece.high;
    else
      out_.pieces.push_back(static_cast<plan_piece&&>(piece));
  }
  constexpr error finish(plan_piece& piece) const {
    if (piece.failure != errc::none) return {};
    auto chosen = extract(out_.from.choices, out_.from.classes, piece.candidates);
    if (!chosen) return chosen.error();
    piece.chosen = static_cast<graph&&>(*chosen);
    piece.has_value = !by_size_ && total_of(piece.candidates, 0, piece.value);
    return {};
  }

  graph_view workflow_;
  objective objective_;
  view<limit> limits_;
  const registry& kernels_;
  piecewise_options options_;
  Callback& watch_;
  table<metric_spec> metrics_;
  piecewise_plan out_;
  std::size_t nodes_ = 0;
  std::size_t width_ = 1;  // row length of the relaxed problem's costs
  bool by_size_ = false;
  table<column> columns_;
};

}  // namespace detail

/// Optimises a workflow for every size of its one symbol in a range: partitions the range into
/// pieces, each with the plan that is optimal, within the limits, at every integer in it.
///
/// Nothing is sampled. If costs are polynomials of the size (metrics that are sums; limits also on
/// maxima), a plan is proven for a whole interval at once, by proving it for each Bernstein
/// coefficient of the costs on that interval. An interval without such a proof is cut where the
/// plans at its ends cross over, down to single sizes. Objectives that are no sums of polynomials
/// (peaks, critical paths, rounded costs) are decided size by size; limits on them are checked size
/// by size. Among equally good plans the one of the smaller sizes stays, so pieces are as long as
/// possible from the left.
///
/// The alternatives are those of the symbolic workflow, the same for all sizes: a transform that
/// needs a known size (`strassen_split`) does not apply. Errors: those of `optimise`;
/// `workflow_not_static` if there is another symbol, `not_comparable` for an empty range,
/// `search_limit` if a proof did not end or too many sizes need a decision of their own. Also runs
/// in constant evaluation, for small workflows. `callback` sees every search and may stop it, which
/// ends the whole with `search_limit`.
template <class Callback = keep_going>
constexpr result<piecewise_plan> optimise_piecewise(const graph_view& workflow,
                                                    const symbol_domain& range, const objective& o,
                                                    view<limit> limits, const registry& kernels,
                                                    const piecewise_options& options = {},
                                                    Callback&& callback = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  return detail::piecewise_solver<std::remove_reference_t<Callback>>(*valid, range, o, limits,
                                                                     kernels, options, callback)
      .run();
}

/// The same with the built-in registry: `optimise_piecewise(w.graph(), symbol_range("M", 1, 4096),
/// minimise(flops), peak_memory <= 8_MiB)`.
template <std::same_as<limit>... Limit>
constexpr result<piecewise_plan> optimise_piecewise(const graph_view& workflow,
                                                    const symbol_domain& range, const objective& o,
                                                    const Limit&... limits) {
  const limit list[] = {limits..., limit{}};
  return optimise_piecewise(workflow, range, o, {list, sizeof...(Limit)}, builtin_registry());
}

}  // namespace wf
