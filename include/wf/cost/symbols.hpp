// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/catalogue.hpp>
#include <wf/registry/infer.hpp>

namespace wf {

/// The names that a cost formula may use, for one node: symbols of the kernel's signature (`M`); a
/// parameter for its number of elements (`A`), its storage in bytes (`A.bytes`), and its number of
/// elements if they are integers, else 0 (`A.integers`), each the sum over a pack; the name for the
/// number of a pack's values; numeric attributes (`stride`), as stated by the node or with the
/// default of the signature; in costs, also the bytes of the machine's second-level cache
/// (`second_cache`). Serves exact numbers and polynomials alike.
class node_symbols {
 public:
  /// The symbols of a node; all referenced objects must outlive this one. An operand of fewer
  /// dimensions than its pattern binds no symbols. `second_cache` is in bytes; 0: the symbol is
  /// unknown.
  constexpr node_symbols(const graph_view& g, const node& n, const signature& s,
                         std::int64_t second_cache = 0)
      : graph_(g), node_(n), signature_(s), second_cache_(second_cache) {
    if (!s.takes(n.inputs.count) || !s.gives(n.outputs.count)) return;
    for (std::uint32_t i = 0; i < s.parameters.size(); ++i) bind(i);
    for (std::uint32_t pack : {s.operand_pack, s.result_pack})
      if (pack != parameter::none && s.find_attribute(s.parameters[pack].count) == nullptr)
        dimensions_.bind(s.parameters[pack].count, extent(std::int64_t{values_of(pack).count}));
  }

  /// The value of a symbol as `rational`, `enclosure` or `polynomial`; false if it is unknown, or
  /// symbolic where a number is requested.
  template <class Number>
  constexpr bool operator()(text_view name, Number& out) const {
    return find(name, out);
  }

  /// All names, as candidates for messages.
  constexpr table<text_view> known() const {
    table<text_view> names;
    for (std::size_t i = 0; i < dimensions_.size(); ++i) names.push_back(dimensions_.name(i));
    for (const parameter& p : signature_.parameters) names.push_back(p.name);
    for (const attribute& a : graph_.attributes_of(node_)) names.push_back(graph_.text_of(a.name));
    for (const attribute_declaration& a : signature_.attributes)
      if (graph_.find_attribute(node_, a.name) == nullptr) names.push_back(a.name);
    if (second_cache_ != 0) names.push_back(second_cache_symbol);
    return names;
  }

 private:
  // The positions of a parameter's values among the operands or results; none if the node has
  // another number of these than the kernel.
  constexpr range values_of(std::uint32_t p) const {
    const bool operand = p < signature_.inputs;
    const std::uint32_t count = operand ? node_.inputs.count : node_.outputs.count;
    if (!(operand ? signature_.takes(count) : signature_.gives(count))) return {};
    return signature_.values_of(p, count);
  }
  constexpr value_id value_at(std::uint32_t p, std::uint32_t at) const {
    return p < signature_.inputs ? graph_.inputs_of(node_)[at] : graph_view::output_of(node_, at);
  }

  constexpr void bind(std::uint32_t i) {
    const parameter& p = signature_.parameters[i];
    if (p.dimensions.count == 0) return;
    const range own = values_of(i);
    if (own.count == 0) return;
    dimensions_.bind_pattern(signature_.dimensions_of(p), p,
                             graph_[value_at(i, own.first)].type.shape);
  }

  template <class Number>
  constexpr bool find(text_view name, Number& out) const {
    if (const extent* e = dimensions_.find(name)) return number_of(*e, out);
    for (std::uint32_t i = 0; i < signature_.parameters.size(); ++i) {
      const text_view parameter = signature_.parameters[i].name;
      if (!name.starts_with(parameter)) continue;
      const text_view suffix = name.part(parameter.size());
      if (suffix.empty()) return sum(i, out, [](dtype) { return 1; });
      if (suffix == ".bytes") return sum(i, out, [](dtype d) { return size_of(d); });
      if (suffix == ".integers") return sum(i, out, [](dtype d) { return is_integer(d) ? 1 : 0; });
    }
    if (from_attribute(name, out)) return true;
    if (second_cache_ == 0 || !(name == second_cache_symbol)) return false;
    return out = Number(second_cache_), true;
  }

  template <class Number>
  constexpr bool number_of(extent e, Number& out) const {
    if (!e.is_fixed()) return false;
    out = Number(e.size());
    return true;
  }
  constexpr bool number_of(extent e, polynomial& out) const {
    return detail::polynomial_of(e, &graph_, out);
  }

  // The elements of a parameter's values, each `factor(dtype)` times; false if there are none.
  template <class Number, class Factor>
  constexpr bool sum(std::uint32_t p, Number& out, Factor factor) const {
    const range own = values_of(p);
    for (std::uint32_t k = 0; k < own.count; ++k) {
      const value_id id = value_at(p, own.first + k);
      Number one(0);
      if (!elements(id, factor(graph_[id].type.type), one)) return false;
      if (k == 0)
        out = static_cast<Number&&>(one);
      else if (add(out, one, out) != errc::none)
        return false;
    }
    return own.count != 0;
  }
  template <class Number>
  constexpr bool elements(value_id id, std::int64_t factor, Number& out) const {
    const shape& s = graph_[id].type.shape;
    if (!s.has_rank()) return false;
    if (const std::int64_t n = s.elements(); n >= 0) {
      std::int64_t product = 0;
      if (checked_multiply(n, factor, product)) return out = Number(product), true;
    }
    Number product(factor);
    for (std::uint32_t d = 0; d < s.rank; ++d) {
      Number extent_value(0);
      if (!number_of(s[d], extent_value)) return false;
      if (multiply(product, extent_value, product) != errc::none) return false;
    }
    out = static_cast<Number&&>(product);
    return true;
  }

  template <class Number>
  constexpr bool from_attribute(text_view name, Number& out) const {
    const attribute* a = graph_.find_attribute(node_, name);
    if (a == nullptr) return from_default(name, out);
    if (a->kind == attribute_kind::integer) return out = Number(a->number), true;
    if (a->kind == attribute_kind::rational) {
      const auto ratio = make_rational(a->number, a->denominator);
      return ratio ? (out = Number(*ratio), true) : false;
    }
    if (a->kind != attribute_kind::extent) return false;
    extent e;
    e.code = a->number;
    return number_of(e, out);
  }

  template <class Number>
  constexpr bool from_default(text_view name, Number& out) const {
    rational number(0);
    return detail::default_of(&signature_, name, number) ? (out = Number(number), true) : false;
  }

  const graph_view& graph_;
  const node& node_;
  const signature& signature_;
  std::int64_t second_cache_;
  bound_dimensions dimensions_;
};

}  // namespace wf
