// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/combine.hpp>
#include <wf/cost/in_use.hpp>

namespace wf {

namespace detail {

/// The bytes that a body needs while it runs beside its operands: those of its values, where its
/// outputs are kept until the next run has replaced them. Errors: those of `peak_cost`.
constexpr result<std::int64_t> scratch_of_body(const graph_view& body, const registry& r) {
  auto peak = peak_of(body, {"peak_memory", "B", combination::peak}, r);
  if (!peak) return peak;
  for (const value& v : body.values)
    if (v.producer == node_id::none) *peak -= v.type.shape.elements() * size_of(v.type.type);
  return peak;
}

/// The number of runs of the body of a node of a static graph, at most. Errors: `bad_attribute` for
/// one that is not known or is negative, those of formulas.
constexpr result<std::int64_t> runs_of_body(const graph_view& g, node_id id, const kernel_spec& k) {
  const text label = g.label(id);
  const auto parsed = parse_signature(k.signature);
  if (!parsed) return parsed.error();
  const auto count = parse_formula(k.repeats);
  if (!count) return count.error();
  const auto most = evaluate(*count, node_symbols(g, g[id], *parsed));
  if (!most) return most.error();
  const auto whole = to_int64(*most);
  if (whole && *whole >= 0) return *whole;
  return make_error(
      errc::bad_attribute, label.view(),
      (text() << "how often it runs its body, '" << k.repeats << "', is no natural number").view());
}

/// The price of one run of a body by the metric's rule; of scratch memory, `scratch_of_body`.
/// Errors: as `price`; `not_comparable` for peaks of symbolic shapes, and for critical paths as a
/// polynomial.
template <class Number>
constexpr result<Number> price_of_body(const graph_view& body, const metric_spec& m,
                                       const registry& r) {
  if (m.rule == combination::peak || m.name == "scratch") {
    if (!body.is_static())
      return make_error(errc::not_comparable, m.name,
                        "the peak of a body has no formula: bind the symbols first");
    const auto amount = m.name == "scratch" ? scratch_of_body(body, r) : peak_of(body, m, r);
    if (!amount) return amount.error();
    return Number(*amount);
  }
  if constexpr (!std::is_same_v<Number, polynomial>) {
    return combined_price<Number>(body, m, r);
  } else {
    if (m.rule == combination::sum || body.nodes.size() < 2) return total_price<Number>(body, m, r);
    return make_error(errc::not_comparable, m.name,
                      "the longest path of a body is a maximum of polynomials of the symbols");
  }
}

}  // namespace detail

template <class Number>
constexpr result<Number> pricer<Number>::repeated(const prepared_kernel& k, node_id id) {
  const node& n = graph_[id];
  const text label = graph_.label(id);
  Number total(0), runs(1);
  if (k.has_formula || metric_.otherwise != missing_cost::unknown) {
    auto own = compute(k, id);
    if (!own) return own;
    total = static_cast<Number&&>(*own);
  }
  const auto body = body_of(graph_, id);
  if (!body) return body.error();
  auto once = detail::price_of_body<Number>(body->view(), metric_, registry_);
  if (!once) return in_body_of(label.view(), once.error());
  if (metric_.adds_up()) {
    const auto count = parse_formula(k.spec->repeats);
    if (!count) return count.error();
    auto most = named(
        id, evaluate_as(*count, node_symbols(graph_, n, k.parsed, registry_.caches().second)));
    if (!most) return most;
    runs = static_cast<Number&&>(*most);
  }
  errc code = multiply(*once, runs, *once);
  if (code == errc::none) code = add(total, *once, total);
  if (code == errc::none) return total;
  return make_error(code, label.view(), "its cost does not fit 128 bits");
}

}  // namespace wf
