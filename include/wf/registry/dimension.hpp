// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/language/symbolic.hpp>
#include <wf/registry/kernel.hpp>

namespace wf {

/// The symbols of a signature, bound to extents of a node's operands.
class bound_dimensions {
 public:
  /// Maximum number of symbols of a signature.
  static constexpr std::size_t capacity = 16;

  /// The extent of a symbol, or null if it is not bound. O(symbols).
  constexpr const extent* find(text_view name) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (names_[i] == name) return &extents_[i];
    return nullptr;
  }
  /// Binds a symbol, or rebinds it. False if `capacity` symbols are bound already.
  constexpr bool bind(text_view name, extent e) {
    std::size_t i = 0;
    while (i < count_ && !(names_[i] == name)) ++i;
    if (i == capacity) return false;
    if (i == count_) ++count_;
    names_[i] = name;
    extents_[i] = e;
    return true;
  }
  /// Binds an optional dimension that no operand has: formulas see 1. As `bind`.
  constexpr bool bind_absent(text_view name) {
    if (!bind(name, extent(1))) return false;
    std::size_t i = 0;
    while (!(names_[i] == name)) ++i;
    absent_ |= std::uint32_t{1} << i;
    return true;
  }
  /// Binds the symbols of a parameter's pattern that are not bound yet to the last extents of a
  /// shape; nothing if the shape has no rank or too few dimensions. The caller compares the others.
  constexpr void bind_pattern(view<text_view> pattern, const parameter& p, const shape& s) {
    if (!s.has_rank()) return;
    const bool lacks = p.lacks_optional(s.rank);
    const std::size_t present = pattern.size() - (lacks ? 1 : 0);
    if (s.rank < present) return;
    std::size_t at = s.rank - present;
    for (std::size_t d = 0; d < pattern.size(); ++d) {
      const bool is_absent = lacks && d == p.optional;
      if (find(pattern[d]) == nullptr && is_symbol(pattern[d])) {
        if (is_absent)
          bind_absent(pattern[d]);
        else
          bind(pattern[d], s[at]);
      }
      at += is_absent ? 0 : 1;
    }
  }
  /// True if a dimension is a symbol: letters, digits and underscores, not starting with a digit.
  static constexpr bool is_symbol(text_view dimension) {
    for (char c : dimension)
      if (detail::symbol_code(c) == 0) return false;
    return !dimension.empty() && (dimension[0] < '0' || dimension[0] > '9');
  }
  /// True if `bind_absent` bound the symbol. O(symbols).
  constexpr bool is_absent(text_view name) const {
    if (absent_ == 0) return false;
    for (std::size_t i = 0; i < count_; ++i)
      if (names_[i] == name) return (absent_ >> i & 1) != 0;
    return false;
  }
  /// Number of bound symbols.
  constexpr std::size_t size() const { return count_; }
  /// The name of symbol number `i`, in the order of binding.
  constexpr text_view name(std::size_t i) const { return names_[i]; }
  /// The extent of symbol number `i`, in the order of binding.
  constexpr extent value(std::size_t i) const { return extents_[i]; }

 private:
  text_view names_[capacity];
  extent extents_[capacity];
  std::size_t count_ = 0;
  std::uint32_t absent_ = 0;  // by bit: the symbol is an absent dimension
};

namespace detail {

constexpr extent fixed_dimension(text_view digits) {
  std::int64_t number = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return {};
    number = number * 10 + (c - '0');
  }
  return number;
}

// The polynomial of an extent; false if it is unknown, or derived without a graph.
constexpr bool polynomial_of(extent e, const graph_view* graph, polynomial& out) {
  if (e.is_fixed()) return out = polynomial(e.size()), true;
  if (e.is_symbol()) return out = polynomial(e.name()), true;
  if (!e.is_derived() || graph == nullptr || e.index() >= graph->derived.size()) return false;
  auto parsed = parse_polynomial(graph->text_of(graph->derived[e.index()]));
  if (!parsed) return false;
  out = static_cast<polynomial&&>(*parsed);
  return true;
}

// The declared default of an attribute that a node does not state; false if there is none.
constexpr bool default_of(const signature* s, text_view name, rational& out) {
  const attribute_declaration* a = s == nullptr ? nullptr : s->find_attribute(name);
  if (a == nullptr || a->default_value.empty() || a->kind == "string") return false;
  if (std::int64_t number = 0; integer_in(a->default_value, number))
    return out = rational(number), true;
  const auto parsed = parse_formula(a->default_value);
  if (!parsed) return false;
  const auto value = evaluate(*parsed, view<binding>());
  return value ? (out = *value, true) : false;
}

// Lookup of the names in a dimension's formula: symbols of the signature and integer attributes.
struct dimension_lookup {
  const bound_dimensions& bindings;
  const rule_input& in;

  constexpr bool operator()(text_view name, rational& out) const {
    if (const extent* bound = bindings.find(name))
      return bound->is_fixed() ? (out = rational(bound->size()), true) : false;
    const attribute_value* a = in.find(name);
    if (a == nullptr) return default_of(in.declared, name, out);
    if (a->kind != attribute_kind::integer) return false;
    out = rational(a->number);
    return true;
  }
  constexpr bool operator()(text_view name, polynomial& out) const {
    if (const extent* bound = bindings.find(name)) return polynomial_of(*bound, in.graph, out);
    rational number;
    if (!(*this)(name, number)) return false;
    out = polynomial(number);
    return true;
  }
};

constexpr result<extent> extent_of(const rational& value, text_view dimension) {
  const auto size = to_int64(value);
  if (size && *size >= 0) return extent(*size);
  return make_error(
      errc::shape_mismatch, dimension,
      (text() << "the extent " << dimension << " would be " << to_text(value).view()).view());
}

constexpr result<extent> dimension_of(text_view dimension, const bound_dimensions& bindings,
                                      const rule_input& in, table<text>& derived) {
  if (const extent* bound = bindings.find(dimension)) return *bound;
  if (dimension[0] >= '0' && dimension[0] <= '9')
    if (const extent fixed = fixed_dimension(dimension); fixed.is_fixed()) return fixed;
  const auto parsed = parse_formula(dimension);
  if (!parsed) return parsed.error();
  bool fixed = true;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    if (bindings.value(i).is_unknown()) return extent();
    fixed = fixed && bindings.value(i).is_fixed();
  }
  const dimension_lookup lookup{bindings, in};
  if (fixed) {
    const auto value = evaluate(*parsed, lookup);
    if (!value) return value.error();
    return extent_of(*value, dimension);
  }
  const auto value = evaluate_symbolic(*parsed, lookup);
  if (!value) return value.error();
  if (value->is_constant()) return extent_of(value->constant(), dimension);
  const text canonical = to_text(*value);
  if (const symbol s = make_symbol(canonical.view())) return extent(s);
  derived.push_back(canonical);
  return extent::derived(static_cast<std::uint32_t>(derived.size() - 1));
}

}  // namespace detail

}  // namespace wf
