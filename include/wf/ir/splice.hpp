// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/symbolic.hpp>
#include <wf/ir/builder.hpp>
#include <wf/ir/topology.hpp>

namespace wf {

/// What the symbols of one graph stand for in another: extents of that other graph. Symbols without
/// an entry stand for themselves.
class symbol_map {
 public:
  /// Lets a symbol stand for an extent; false if it stands for another one already.
  constexpr bool bind(symbol s, extent e) {
    for (const entry& known : entries_)
      if (known.name == s) return known.value == e;
    entries_.push_back({s, e});
    return true;
  }
  /// What a symbol stands for.
  constexpr extent operator[](symbol s) const {
    for (const entry& known : entries_)
      if (known.name == s) return known.value;
    return extent(s);
  }
  /// True if every symbol stands for itself.
  constexpr bool empty() const { return entries_.empty(); }

  /// The extent of `from` in terms of `into`, where a new polynomial is interned. Errors:
  /// `shape_mismatch` if it would be negative or no integer, those of formulas.
  constexpr result<extent> translate(extent e, const graph_view& from, graph& into) const {
    if (e.is_symbol()) return (*this)[e.name()];
    if (!e.is_derived()) return e;
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
  /// The type of a value of `from` in terms of `into`. Errors: as for an extent.
  constexpr result<value_type> translate(value_type t, const graph_view& from, graph& into) const {
    for (std::uint32_t i = 0; t.shape.has_rank() && i < t.shape.rank; ++i) {
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

/// Finds what the symbols of a graph stand for if its inputs, in order, are of the given types.
/// Errors, naming the input: `shape_mismatch` (also for a wrong number of operands, and where one
/// symbol would have two extents), `dtype_mismatch`.
constexpr result<symbol_map> match_inputs(const graph_view& g, view<value_type> operands) {
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
    for (std::uint32_t d = 0; fits && d < given.shape.rank; ++d) {
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

namespace detail {

/// Copies a graph into another that is being built.
class splicer {
 public:
  constexpr splicer(const graph_view& from, graph_builder& into, const symbol_map& symbols,
                    text_view prefix)
      : from_(from),
        into_(into),
        symbols_(symbols),
        prefix_(prefix),
        values_(from.values.size(), value_id::none),
        nodes_(from.nodes.size(), node_id::none) {}

  /// Where a value of `from` is in the graph that is being built.
  constexpr value_id& place(value_id id) { return values_[index_of(id)]; }
  /// Where a node of `from` is; none if it was not copied.
  constexpr node_id place(node_id id) const { return nodes_[index_of(id)]; }

  constexpr result<table<value_id>> run(view<value_id> operands) {
    const auto order = topological_order(from_);
    if (!order) return order.error();
    place_inputs(operands);
    for (node_id id : *order)
      if (error e = copy(id); e.code != errc::none) return e;
    for (const edge& e : from_.edges) into_.graph().add_edge(e.kind, place(e.from), place(e.to));
    return outputs();
  }
  /// Lets values of the graph that is being built stand for the inputs, in order.
  constexpr void place_inputs(view<value_id> operands) {
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < from_.values.size(); ++i)
      if (from_.values[i].producer == node_id::none) values_[i] = operands[at++];
  }
  /// Where the outputs are.
  constexpr table<value_id> outputs() const {
    table<value_id> places;
    for (const output& o : from_.outputs) places.push_back(values_[index_of(o.source)]);
    return places;
  }

  /// Copies a node whose operands are there.
  constexpr error copy(node_id id) {
    const node& n = from_[id];
    table<value_id> operands;
    for (value_id operand : from_.inputs_of(n)) operands.push_back(values_[index_of(operand)]);
    table<value_type> results;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const auto t =
          symbols_.translate(from_.values[n.outputs.first + k].type, from_, into_.graph());
      if (!t) return t.error();
      results.push_back(*t);
    }
    table<attribute_value> attributes;
    for (const attribute& a : from_.attributes_of(n)) {
      attributes.push_back({from_.text_of(a.name), a.kind, a.number, a.denominator, a.real,
                            from_.text_of(a.characters)});
      if (a.kind != attribute_kind::extent) continue;
      extent e;
      e.code = a.number;
      const auto translated = symbols_.translate(e, from_, into_.graph());
      if (!translated) return translated.error();
      attributes.back().number = translated->code;
    }
    table<cost_formula> costs;
    for (const declared_cost& c : from_.costs_of(n))
      costs.push_back({from_.text_of(c.metric), from_.text_of(c.formula)});
    text name;
    if (n.name.count != 0) name << prefix_ << from_.text_of(n.name);
    node_description d;
    d.op = from_.op_name(n);
    d.domain = from_.text_of(from_.operations[n.op].domain);
    d.hash = from_.operations[n.op].hash;
    d.attributes = attributes;
    d.costs = costs;
    d.name = name.view();
    d.effects = n.effects;
    d.peer = from_.text_of(n.peer);
    d.file = from_.text_of(n.source.file);
    d.line = n.source.line;
    d.column = n.source.column;
    nodes_[index_of(id)] = into_.add_node(d, operands, results);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      values_[n.outputs.first + k] = graph_view::output_of(into_.graph()[nodes_[index_of(id)]], k);
    return {};
  }

  const graph_view& from_;
  graph_builder& into_;
  const symbol_map& symbols_;
  text_view prefix_;
  table<value_id> values_;
  table<node_id> nodes_;
};

}  // namespace detail

/// Copies the nodes of a graph into another that is being built, in place of a call: `operands`
/// stand for its inputs in order, `symbols` (of `match_inputs`) for its symbols; names of nodes get
/// the prefix. Equal pure nodes merge with those that are there. Returns the values of its outputs
/// in order. Errors: `cyclic_graph`, those of extents. O(size of the graph).
constexpr result<table<value_id>> splice(const graph_view& from, graph_builder& into,
                                         view<value_id> operands, const symbol_map& symbols,
                                         text_view prefix = {}) {
  return detail::splicer(from, into, symbols, prefix).run(operands);
}

}  // namespace wf
