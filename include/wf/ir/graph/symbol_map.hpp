// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/language/symbolic.hpp>
#include <wf/ir/graph/graph.hpp>
#include <wf/ir/graph/references.hpp>

namespace wf {

/// Maps the symbols of one graph to extents of another graph. Symbols without an entry map to
/// themselves.
class symbol_map {
 public:
  /// Maps a symbol to an extent; false if it maps to another extent already.
  constexpr bool bind(symbol s, extent e) {
    for (const entry& known : entries_)
      if (known.name == s) return known.value == e;
    entries_.push_back({s, e});
    return true;
  }
  /// The extent of a symbol; without an entry the symbol itself.
  constexpr extent operator[](symbol s) const {
    for (const entry& known : entries_)
      if (known.name == s) return known.value;
    return extent(s);
  }
  /// True if every symbol maps to itself.
  constexpr bool empty() const { return entries_.empty(); }

  /// Rewrites an extent of `from` as an extent of `into`, where a new polynomial is interned.
  /// Errors: `shape_mismatch` if it would be negative or not an integer, `malformed_graph` if it is
  /// not an extent of `from`, those of formulas.
  constexpr result<extent> translate(extent e, const graph_view& from, graph& into) const {
    if (e.is_symbol()) return (*this)[e.name()];
    if (!e.is_derived()) return e;
    if (e.index() >= from.derived.size() ||
        !detail::inside(from.derived[e.index()], from.characters.size()))
      return detail::malformed("graph", "a derived extent does not exist");
    const text_view source = from.text_of(from.derived[e.index()]);
    if (entries_.empty()) return into.add_derived(source);
    const auto parsed = parse_formula(source);
    if (!parsed) return parsed.error();
    auto value = evaluate_symbolic(*parsed, lookup{*this, into});
    if (!value) return value.error();
    if (value->is_constant()) {
      const auto size = to_int64(value->constant());
      if (size && *size >= 0) return extent(*size);
      return make_error(errc::shape_mismatch, source,
                        (text() << "the extent would be " << to_text(*value).view()).view());
    }
    const text canonical = to_text(*value);
    if (const symbol s = make_symbol(canonical.view())) return extent(s);
    return into.add_derived(canonical.view());
  }
  /// Rewrites the extents of a value type of `from` as extents of `into`. Errors: as for an extent.
  constexpr result<value_type> translate(value_type t, const graph_view& from, graph& into) const {
    for (std::uint32_t i = 0; i < max_rank && t.shape.has_rank() && i < t.shape.rank; ++i) {
      const auto e = translate(t.shape.extents[i], from, into);
      if (!e) return e.error();
      t.shape.extents[i] = *e;
    }
    return t;
  }

 private:
  struct entry {
    symbol name;
    extent value;
  };
  struct lookup {
    const symbol_map& map;
    const graph& into;
    constexpr bool operator()(text_view name, polynomial& out) const {
      const symbol s = make_symbol(name);
      if (!s) return false;
      const extent e = map[s];
      if (e.is_fixed()) return out = polynomial(e.size()), true;
      if (e.is_symbol()) return out = polynomial(e.name()), true;
      const graph_view g = into.view();
      if (!e.is_derived() || e.index() >= g.derived.size()) return false;
      auto value = parse_polynomial(g.text_of(g.derived[e.index()]));
      if (!value) return false;
      out = static_cast<polynomial&&>(*value);
      return true;
    }
  };

  table<entry> entries_;
};

/// Binds the symbols of a graph to the extents of given input types, in the order of the inputs.
/// Derived extents of inputs are not compared. Errors: those of `validate_references`; naming the
/// input: `shape_mismatch` (also for a wrong number of operands, and if one symbol would have two
/// extents), `dtype_mismatch`.
constexpr result<symbol_map> match_inputs(const graph_view& g, view<value_type> operands) {
  if (auto fine = validate_references(g); !fine) return fine.error();
  symbol_map symbols;
  std::size_t at = 0;
  for (const value& v : g.values) {
    if (v.producer != node_id::none) continue;
    const text_view name = g.text_of(v.name);
    if (at == operands.size())
      return make_error(errc::shape_mismatch, name, "there is no operand for this input");
    const value_type& given = operands[at++];
    if (given.type != v.type.type)
      return make_error(errc::dtype_mismatch, name,
                        (text() << "the input is " << name_of(v.type.type) << ", the operand "
                                << name_of(given.type))
                            .view());
    bool fits = given.shape.has_rank() && given.shape.rank == v.type.shape.rank;
    for (std::uint32_t d = 0; fits && d < max_rank && d < given.shape.rank; ++d) {
      const extent wanted = v.type.shape[d];
      if (wanted.is_symbol())
        fits = symbols.bind(wanted.name(), given.shape[d]);
      else
        fits = wanted.is_derived() || wanted == given.shape[d];
    }
    if (!fits)
      return make_error(errc::shape_mismatch, name,
                        (text() << "the input is " << to_text(v.type.shape).view()
                                << ", the operand " << to_text(given.shape).view())
                            .view());
  }
  if (at != operands.size())
    return make_error(errc::shape_mismatch, g.text_of(g.name),
                      (text() << "takes " << at << " operands, not " << operands.size()).view());
  return symbols;
}

}  // namespace wf
