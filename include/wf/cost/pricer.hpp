// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <wf/cost/metric.hpp>
#include <wf/cost/symbols.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/ir/form/body.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace wf {

namespace detail {

// Message for a kernel without a formula in a metric without a fallback.
constexpr text unstated_cost(const metric_spec& m, text_view kernel) {
  text what("is not known");
  if (m.is_estimate)
    what << ": state it among the costs of kernel '" << kernel
         << "', or take a registry with measured times";
  return what;
}

// The price of one run of a body: combine.hpp.
template <class Number>
constexpr result<Number> price_of_body(const graph_view& body, const metric_spec& m,
                                       const registry& r);

}  // namespace detail

/// Prices nodes of one graph in one metric. Parses each operator's signature and formula once, and
/// reuses the price of an equal node. `Number` is `rational` for static graphs, `enclosure` for
/// bounds on prices that are no rational numbers, `polynomial` for symbolic graphs.
template <class Number>
class pricer {
 public:
  /// Prices `g` with the kernels of `r` in `m`; both must outlive this object.
  constexpr pricer(const graph_view& g, const metric_spec& m, const registry& r)
      : graph_(g), registry_(r), metric_(m), fault_(validate_references(g).error()) {
    kernels_.resize(g.operations.size());
  }

  /// The cost of one node by itself: its declared cost, else its kernel's formula, else the
  /// metric's fallback; of a kernel that `repeats` a body, with that of all its runs. As a
  /// `rational`, a value that is no rational number is rounded up to a whole unit, as decided by
  /// its bounds (`enclose`). Errors: those of `validate_references`, `unknown_operator`,
  /// `unknown_cost`, those of formulas.
  constexpr result<Number> price(node_id id) {
    if (fault_.code != errc::none) return fault_;
    const node& n = graph_[id];
    for (const declared_cost& c : graph_.costs_of(n))
      if (graph_.text_of(c.metric) == metric_.name) return declared(id, graph_.text_of(c.formula));
    auto entry = kernel_of(n);
    if (!entry) {
      if (is_opaque(graph_, n)) return opaque(id);
      return entry.error();
    }
    prepared_kernel& k = kernels_[n.op];
    // A cost that an opaque function does not declare is unknown, also where its code is
    // registered.
    if (!k.has_formula && is_opaque(graph_, n)) return opaque(id);
    if (k.last != node_id::none && same_types(graph_[k.last], n)) return k.price;
    if (!k.spec->repeats.empty()) return repeated(k, id);
    auto made = compute(k, id);
    if (made && n.attributes.count == 0 && n.costs.count == 0) {
      k.last = id;
      k.price = *made;
    }
    return made;
  }

  /// The kernel of a node of the graph. Errors: those of `validate_references`, `unknown_operator`,
  /// `bad_signature`, formula errors.
  constexpr result<const kernel_spec*> kernel_of(const node& n) {
    if (fault_.code != errc::none) return fault_;
    prepared_kernel& k = kernels_[n.op];
    if (k.spec == nullptr) {
      if (error e = prepare(k, n); e.code != errc::none) return e;
    }
    return k.spec;
  }

 private:
  struct prepared_kernel {
    const kernel_spec* spec = nullptr;
    signature parsed;
    formula cost;
    bool has_formula = false;
    bool is_free = false;  // the formula is "0"
    formula faster;        // the lower of `cost` and of a library's; no code if there is none
    formula special;       // for elements of `special_to`, if that is not empty
    text_view special_to;
    node_id last = node_id::none;
    Number price{0};
  };

  constexpr error prepare(prepared_kernel& k, const node& n) {
    const kernel_spec* spec = registry_.find(graph_.op_name(n));
    if (spec == nullptr)
      return make_error(errc::unknown_operator, graph_.op_name(n),
                        "no kernel of this name is registered");
    auto parsed = parse_signature(spec->signature);
    if (!parsed) return parsed.error();
    text_view by_library;
    for (const kernel_cost& entry : spec->costs) {
      if (entry.metric == nullptr) break;
      const cost_formula c = entry.text();
      const priced_metric named = priced_metric::of(c.metric);
      if (spec->library && c.metric == metric_.by_library) by_library = c.formula;
      if (!(named.metric == metric_.name)) continue;
      auto cost = parse_formula(c.formula);
      if (!cost)
        return make_error(cost.error().code, spec->name, cost.error().message.view(),
                          cost.error().where);
      if (!named.elements.empty()) {
        k.special = static_cast<formula&&>(*cost);
        k.special_to = named.elements;
        continue;
      }
      k.cost = static_cast<formula&&>(*cost);
      k.has_formula = true;
      k.is_free = c.formula == "0";
    }
    if (k.has_formula && !by_library.empty()) {
      const text both = text() << "min(" << k.cost.source.view() << ", " << by_library << ')';
      auto lower = parse_formula(both.view());
      if (!lower)
        return make_error(lower.error().code, spec->name, lower.error().message.view(),
                          lower.error().where);
      k.faster = static_cast<formula&&>(*lower);
    }
    k.parsed = static_cast<signature&&>(*parsed);
    k.spec = spec;
    return {};
  }
  // A library may implement the kernel for some element types only.
  constexpr bool is_by_library(const prepared_kernel& k, const node& n) const {
    return !k.faster.code.empty() && n.outputs.count != 0 &&
           k.spec->library.cover(graph_[graph_view::output_of(n)].type.type);
  }

  constexpr bool same_types(const node& a, const node& b) const {
    if (a.inputs.count != b.inputs.count || b.attributes.count != 0) return false;
    const view<value_id> left = graph_.inputs_of(a), right = graph_.inputs_of(b);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const value_type& s = graph_[left[i]].type;
      const value_type& t = graph_[right[i]].type;
      if (left[i] != right[i] && !(s.type == t.type && s.shape == t.shape)) return false;
    }
    return true;
  }

  constexpr result<Number> declared(node_id id, text_view source) {
    if (source == "unknown") return unknown(id, "is declared unknown");
    const auto parsed = parse_formula(source);
    if (!parsed) return parsed.error();
    const node& n = graph_[id];
    if (const auto entry = kernel_of(n))
      return rounded(named(id, evaluate_as(*parsed, node_symbols(graph_, n, kernels_[n.op].parsed,
                                                                 registry_.caches().second))));
    const auto own = opaque_signature(n);
    if (!own) return own.error();
    return named(id, evaluate_as(*parsed, node_symbols(graph_, n, *own)));
  }

  // Unregistered nodes state their own signature and costs. Costs that they do not state are
  // unknown, except the storage of their operands and results.
  constexpr result<signature> opaque_signature(const node& n) const {
    const attribute* a = graph_.find_attribute(n, "signature");
    if (a == nullptr) return signature{};
    return parse_signature(graph_.text_of(a->characters));
  }
  constexpr result<Number> opaque(node_id id) {
    const node& n = graph_[id];
    if (metric_.otherwise != missing_cost::operand_bytes &&
        metric_.otherwise != missing_cost::result_bytes &&
        metric_.otherwise != missing_cost::all_bytes)
      return unknown(id, "is not declared");
    const auto own = opaque_signature(n);
    if (!own) return own.error();
    return storage(node_symbols(graph_, n, *own), *own);
  }

  constexpr result<Number> compute(const prepared_kernel& k, node_id id) {
    if (!k.special_to.empty() && touches(graph_[id], k.special_to)) {
      const node_symbols symbols(graph_, graph_[id], k.parsed, registry_.caches().second);
      return rounded(named(id, evaluate_as(k.special, symbols)));
    }
    if (k.is_free) return Number(0);
    if (!k.has_formula) {
      if (metric_.otherwise == missing_cost::zero || k.spec->is_view) return Number(0);
      if (metric_.otherwise == missing_cost::unknown)
        return unknown(id, detail::unstated_cost(metric_, k.spec->name).view());
      if (metric_.otherwise == missing_cost::unknown_of_qubits) {
        if (touches(graph_[id], "qubit")) return unknown(id, "is not known");
        return Number(0);
      }
    }
    const node_symbols symbols(graph_, graph_[id], k.parsed, registry_.caches().second);
    if (k.has_formula)
      return rounded(
          named(id, evaluate_as(is_by_library(k, graph_[id]) ? k.faster : k.cost, symbols)));
    return storage(symbols, k.parsed);
  }

  constexpr result<Number> rounded(result<Number> price) const {
    if constexpr (std::is_same_v<Number, rational>)
      if (metric_.is_estimate && price) (void)ceil(*price, *price);
    return price;
  }

  // What a node states, and what the runs of its body cost.
  constexpr result<Number> repeated(const prepared_kernel& k, node_id id) {
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

  // True if an operand or a result has elements of a dtype or class of dtypes.
  constexpr bool touches(const node& n, text_view elements) const {
    bool any = false;
    for (value_id operand : graph_.inputs_of(n))
      any = any || satisfies(graph_[operand].type.type, elements);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      any = any || satisfies(graph_.values[n.outputs.first + k].type.type, elements);
    return any;
  }

  // The bytes of operands and of results, whichever the metric counts.
  constexpr result<Number> storage(const node_symbols& symbols, const signature& s) const {
    Number total(0);
    if (metric_.otherwise != missing_cost::result_bytes)
      for (std::uint32_t i = 0; i < s.inputs; ++i)
        if (error e = add_bytes(symbols, s.parameters[i].name, total); e.code != errc::none)
          return e;
    if (metric_.otherwise != missing_cost::operand_bytes)
      for (std::size_t i = s.inputs; i < s.parameters.size(); ++i)
        if (error e = add_bytes(symbols, s.parameters[i].name, total); e.code != errc::none)
          return e;
    return total;
  }

  static constexpr error add_bytes(const node_symbols& symbols, text_view parameter,
                                   Number& total) {
    text name;
    name << parameter << ".bytes";
    Number storage(0);
    if (!symbols(name.view(), storage))
      return make_error(errc::unknown_symbol, name.view(), "the storage is not known");
    if (const errc code = add(total, storage, total); code != errc::none)
      return make_error(code, name.view(), "the exact sum does not fit 128 bits");
    return {};
  }

  static constexpr result<Number> evaluate_as(const formula& f, const node_symbols& symbols) {
    if constexpr (std::same_as<Number, rational>) {
      auto exact = evaluate(f, symbols);
      if (exact || exact.error().code != errc::no_exact_value) return exact;
      return detail::evaluate_rounded_up(f, symbols);
    } else if constexpr (std::same_as<Number, enclosure>) {
      return detail::evaluate_as<Number>(f, symbols);
    } else {
      return evaluate_symbolic(f, symbols);
    }
  }

  constexpr result<Number> named(node_id id, result<Number> r) const {
    if (r) return r;
    return make_error(r.error().code, graph_.label(id).view(), r.error().message.view(),
                      r.error().where);
  }
  constexpr error unknown(node_id id, text_view what) const {
    return make_error(errc::unknown_cost, graph_.label(id).view(),
                      (text() << "its cost in " << metric_.name << " " << what).view());
  }

  graph_view graph_;
  const registry& registry_;
  metric_spec metric_;
  table<prepared_kernel> kernels_;
  error fault_;  // of the graph
};

}  // namespace wf
