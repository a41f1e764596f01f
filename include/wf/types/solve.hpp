// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/domain/builtin.hpp>
#include <wf/types/relations/kernel.hpp>
#include <wf/types/retype.hpp>

namespace wf {

/// Options of the type solver.
struct solve_options {
  /// By default two symbols that must be equal, or a symbol and a size, are a conflict; if true,
  /// one replaces the other.
  bool unify_symbols = false;
};

/// The inferred type of one value.
struct type_report {
  /// Its position in the graph's value table.
  value_id value = value_id::none;
  /// The type stated in the graph; unified symbols are replaced.
  value_type stated;
  /// The inferred type, as far as it follows.
  value_type solved;
  /// The nodes from which the inferred parts follow, ascending.
  table<node_id> from;

  /// True if a part of the type was inferred.
  constexpr bool is_inferred() const { return !from.empty(); }
  /// True if element type, rank and extents are all known.
  constexpr bool is_complete() const { return solved.is_complete(); }
};

/// The replacement of a unified symbol.
struct symbol_binding {
  symbol name;                   ///< the symbol, which no longer occurs in the solved graph
  extent value;                  ///< its replacement, in the solved graph
  node_id from = node_id::none;  ///< the node that demands the equality
};

/// A contradiction: a value with two types, or types that no operator admits.
struct type_conflict {
  node_id node = node_id::none;     ///< the node whose operator does not admit the types
  value_id value = value_id::none;  ///< the value with two types, or `none`
  error why;  ///< `shape_mismatch`, `dtype_mismatch`, or the error of a rule; the subject is the
              ///< node
};

/// A graph with all types that follow from the stated ones.
struct solution {
  /// The same graph, with the same ids and the inferred types.
  graph solved;
  /// One report for each value whose type was not fully stated, in the order of values.
  table<type_report> reports;
  /// The replacements of unified symbols, in the order in which they were found.
  table<symbol_binding> bindings;

  /// True if every type is known.
  constexpr bool is_complete() const {
    for (const type_report& r : reports)
      if (!r.is_complete()) return false;
    return true;
  }
};

namespace detail {

// Solves one graph; symbols count as different from one another.
class type_solver {
 public:
  constexpr type_solver(const graph_view& g, const registry& r)
      : graph_(g), network_(g), constraints_(network_), relations_(network_, constraints_, r) {}

  constexpr void run() {
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      relations_.derive(static_cast<node_id>(i));
    std::uint32_t next = 0;
    while (network_.variables().next(next)) relations_.examine(next);
  }
  constexpr type_network& network() { return network_; }

  /// The contradictions in the order of nodes.
  constexpr table<recorded_conflict> conflicts() const {
    const table<recorded_conflict>& found = network_.conflicts();
    table<std::uint32_t> first(graph_.nodes.size() + 1);  // offsets for a counting sort
    for (const recorded_conflict& c : found) ++first[index_of(c.node) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    table<recorded_conflict> sorted(found.size());
    for (const recorded_conflict& c : found) sorted[first[index_of(c.node)]++] = c;
    return sorted;
  }

  /// Writes the solved graph and the reports.
  constexpr void conclude(solution& out) {
    graph_retyper retyper(graph_);
    table<value_type> types;
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      type_report r = report(static_cast<value_id>(i), retyper.out());
      types.push_back(r.solved);
      if (r.is_inferred() || !r.is_complete()) out.reports.push_back(static_cast<type_report&&>(r));
    }
    table<extent> attributes(graph_.attributes.size());
    for (std::size_t i = 0; i < attributes.size(); ++i)
      if (graph_.attributes[i].kind == attribute_kind::extent)
        attributes[i].code = graph_.attributes[i].number;
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      if (relations_.states_shape(static_cast<node_id>(i)))
        complete(graph_.nodes[i], types, attributes);
    out.solved = retyper.run(types, attributes);
    if (validate(out.solved)) out.solved.mark_valid();
  }

 private:
  constexpr type_report report(value_id id, graph& into) {
    type_variables& types = network_.variables();
    type_report r;
    r.value = id;
    r.solved = r.stated = graph_[id].type;
    if (r.stated.type == dtype::unknown) {
      const variable v = network_.element_type(id);
      r.solved.type = types.dtype_of(v);
      if (types.known(v)) add(types.from(v), r.from);
    }
    const shape_number s = type_network::shape_of(id);
    const std::uint32_t rank = network_.rank(s);
    if (!r.stated.shape.has_rank() && rank != shape::unknown_rank) {
      add(types.from(network_.rank_variable(s)), r.from);
      r.solved.shape = {};
      for (std::uint32_t d = 0; d < rank; ++d) r.solved.shape.push_back(extent());
    }
    for (std::uint32_t d = 0; rank != shape::unknown_rank && d < rank; ++d) {
      const variable v = network_.dimension(s, d);
      if (!r.solved.shape[d].is_unknown() || !types.known(v)) continue;
      r.solved.shape.extents[d] = spelt(types.extent_of(v), into);
      add(types.from(v), r.from);
    }
    return r;
  }
  // Interns a canonical extent in a graph.
  constexpr extent spelt(extent e, graph& into) {
    if (!e.is_derived()) return e;
    const graph_view atoms = network_.atoms();
    return into.add_derived(atoms.text_of(atoms.derived[e.index()]));
  }
  static constexpr void add(node_id from, table<node_id>& list) {
    std::size_t at = 0;
    while (at < list.size() && list[at] < from) ++at;
    if (from == node_id::none || (at < list.size() && list[at] == from)) return;
    list.push_back(from);
    for (std::size_t i = list.size() - 1; i > at; --i) list[i] = list[i - 1];
    list[at] = from;
  }
  // Fills in unknown extent attributes that state the shape of a result.
  constexpr void complete(const node& n, const table<value_type>& types,
                          table<extent>& attributes) const {
    if (n.outputs.count == 0) return;
    const shape& s = types[n.outputs.first].shape;
    std::uint32_t d = 0;
    for (std::uint32_t k = 0; k < n.attributes.count && s.has_rank() && d < s.rank; ++k) {
      if (graph_.attributes_of(n)[k].kind != attribute_kind::extent) continue;
      extent& e = attributes[n.attributes.first + k];
      if (e.is_unknown()) e = s[d];
      ++d;
    }
  }

  graph_view graph_;
  type_network network_;
  constraint_set constraints_;
  kernel_relations relations_;
};

// Unifies the symbols that the contradictions of a solver force to be equal.
class symbol_unifier {
 public:
  constexpr symbol_unifier(type_network& network, const table<recorded_conflict>& conflicts)
      : network_(network) {
    for (const recorded_conflict& c : conflicts)
      if (!c.left.is_unknown() && !c.right.is_unknown()) unify(c.left, c.right, c.node);
  }

  /// The replacements: each a symbol, and an extent of the solver without replaced symbols.
  constexpr table<symbol_binding> take() {
    for (symbol_binding& b : bindings_) b.value = resolved(b.value);
    return static_cast<table<symbol_binding>&&>(bindings_);
  }

 private:
  constexpr extent resolved(extent e) const {
    for (std::size_t i = 0; i < bindings_.size() && e.is_symbol(); ++i)
      if (bindings_[i].name == e.name()) {
        e = bindings_[i].value;
        i = static_cast<std::size_t>(-1);  // start again from the first one
      }
    return e;
  }
  constexpr void unify(extent left, extent right, node_id from) {
    extent a = resolved(left), b = resolved(right);
    if (a == b || closed_) return;
    if (a.is_symbol() && b.is_symbol()) {
      // The alphabetically first symbol is kept.
      const bool keep_a = alphabetical(a.name()) < alphabetical(b.name());
      return bind(keep_a ? b.name() : a.name(), keep_a ? a : b, from);
    }
    if (b.is_symbol()) {
      const extent other = a;
      a = b, b = other;
    }
    if (a.is_symbol() && b.is_fixed()) return bind(a.name(), b, from);
    if (!bindings_.empty()) return;  // polynomials wait until their symbols are unified
    polynomial p, q;
    if (!network_.polynomial_of(a, p) || !network_.polynomial_of(b, q)) return;
    if (a.is_symbol()) {
      if (q.degree_in(a.name()) != 0) return;
      bind(a.name(), b, from);
    } else {
      solve(p, q, from);
    }
    closed_ = !bindings_.empty();
  }
  // Solves p = q, if it is linear in its only symbol.
  constexpr void solve(const polynomial& p, const polynomial& q, node_id from) {
    polynomial difference, factor, rest, value;
    if (subtract(p, q, difference) != errc::none) return;
    const table<symbol> symbols = symbols_of(difference);
    extent e;
    if (symbols.size() == 1 && difference.degree() == 1 &&
        coefficient_of(difference, symbols[0], 1, factor) == errc::none &&
        coefficient_of(difference, symbols[0], 0, rest) == errc::none &&
        negate(rest, rest) == errc::none && divide(rest, factor, value) == errc::none &&
        network_.extent_of(value, e))
      bind(symbols[0], e, from);
  }
  constexpr void bind(symbol name, extent value, node_id from) {
    bindings_.push_back({name, value, from});
  }

  type_network& network_;
  table<symbol_binding> bindings_;
  bool closed_ = false;
};

// Solves a graph; symbols that must be equal are unified and the graph is solved again, until none
// are left to unify: each round removes at least one symbol.
class unifying_solver {
 public:
  constexpr unifying_solver(const graph_view& g, const registry& r, const solve_options& options)
      : stated_(g), registry_(r), options_(options) {}

  constexpr error run() {
    if (auto fine = validate_references(stated_); !fine) return fine.error();
    for (;;) {
      const graph_view g = is_replaced_ ? graph_view(graph_) : stated_;
      type_solver solver(g, registry_);
      solver.run();
      const table<recorded_conflict> found = solver.conflicts();
      if (found.empty()) {
        solver.conclude(out_);
        out_.bindings = static_cast<table<symbol_binding>&&>(bindings_);
        return {};
      }
      table<symbol_binding> more;
      if (options_.unify_symbols) more = symbol_unifier(solver.network(), found).take();
      if (more.empty()) {
        for (const recorded_conflict& c : found) conflicts_.push_back({c.node, c.value, c.why});
        return {};
      }
      if (error e = replace(g, solver.network().atoms(), more); e.code != errc::none) return e;
    }
  }
  constexpr solution& out() { return out_; }
  constexpr table<type_conflict>& conflicts() { return conflicts_; }

 private:
  constexpr error replace(const graph_view& g, const graph_view& atoms,
                          const table<symbol_binding>& more) {
    graph_retyper retyper(g);
    symbol_map symbols;
    table<symbol_binding> added = more;
    for (symbol_binding& b : added) {
      if (b.value.is_derived())
        b.value = retyper.out().add_derived(atoms.text_of(atoms.derived[b.value.index()]));
      symbols.bind(b.name, b.value);
    }
    for (symbol_binding& b : bindings_) {
      const auto value = symbols.translate(b.value, g, retyper.out());
      if (!value) return value.error();
      b.value = *value;
    }
    bindings_.append(added);
    table<value_type> types;
    table<extent> attributes;
    if (error e = translate_extents(g, symbols, retyper.out(), types, attributes);
        e.code != errc::none)
      return e;
    graph next = retyper.run(types, attributes);
    graph_ = static_cast<graph&&>(next);
    is_replaced_ = true;
    return {};
  }

  graph_view stated_;
  const registry& registry_;
  solve_options options_;
  bool is_replaced_ = false;
  graph graph_;
  table<symbol_binding> bindings_;
  solution out_;
  table<type_conflict> conflicts_;
};

}  // namespace detail

/// Infers all types that follow from the stated ones, for inputs too, in both directions: unknown
/// element types, ranks and extents become known if single operators leave only one possibility.
/// Each node's kernel (or stated signature, or the body of a call) constrains the types of its
/// operands and results; the constraints are propagated to a fixed point, and a node with known
/// operands is checked by `infer`. Propagation terminates, since knowledge only grows and in few
/// steps per variable (see `type_variables`), and its result does not depend on the order of nodes,
/// since more knowledge never implies less. Stated types keep their spelling; properties and ids
/// stay; unknown extents in the attributes of `reshape` and similar operators become those of the
/// result. Symbols differ from each other and from sizes, and are never assumed to be 1, unless
/// they are unified.
///
/// The graph may have unknown types and cycles. Errors: those of `validate_references`; the first
/// conflict in the order of nodes: `shape_mismatch`, `dtype_mismatch`, or the error of a rule.
/// O(size of the graph · log) for shapes of bounded rank; with unification once per unified symbol.
constexpr result<solution> solve_types(const graph_view& g, const registry& r,
                                       const solve_options& options = {}) {
  detail::unifying_solver solver(g, r, options);
  if (error e = solver.run(); e.code != errc::none) return e;
  if (!solver.conflicts().empty()) return solver.conflicts()[0].why;
  return static_cast<solution&&>(solver.out());
}

/// The same with the built-in registry.
constexpr result<solution> solve_types(const graph_view& g, const solve_options& options = {}) {
  return solve_types(g, builtin_registry(), options);
}

namespace detail {
/// True if all types of a graph are complete, so that the solver has nothing to find.
constexpr bool has_complete_types(const graph_view& g) {
  for (const value& v : g.values)
    if (!v.type.is_complete()) return false;
  return true;
}
}  // namespace detail

/// Completes the types of a graph, as a pass. Errors: as for `solve_types`.
constexpr result<graph> complete_types(const graph_view& g, const registry& r,
                                       const solve_options& options = {}) {
  auto solved = solve_types(g, r, options);
  if (!solved) return solved.error();
  return static_cast<graph&&>(solved->solved);
}

/// All contradictions between the types of a graph, in the order of nodes; none if it can be
/// solved. The solver continues after a contradiction without it, so later ones may follow from
/// earlier ones. Errors: those of `validate_references`.
constexpr result<table<type_conflict>> find_type_conflicts(const graph_view& g, const registry& r,
                                                           const solve_options& options = {}) {
  detail::unifying_solver solver(g, r, options);
  if (error e = solver.run(); e.code != errc::none) return e;
  return static_cast<table<type_conflict>&&>(solver.conflicts());
}

/// The inferred types, one line per value, then one line per symbol:
///
///     'W': f64[5x3] from matmul 'h'
///     'x': f64[?x3] from matmul 'h', not complete
///     N = M from add#2
constexpr text to_text(const solution& s) {
  const graph_view g = s.solved;
  text out;
  const auto append = [&](node_id from, text_view separator) {
    out << separator << detail::label_of(g, from).view();
  };
  for (const type_report& r : s.reports) {
    out << detail::label_of(g, r.value).view() << ": " << detail::label_of(g, r.solved).view();
    for (std::size_t i = 0; i < r.from.size(); ++i) append(r.from[i], i == 0 ? " from " : ", ");
    out << (r.is_complete() ? "\n" : r.is_inferred() ? ", not complete\n" : " not complete\n");
  }
  for (const symbol_binding& b : s.bindings) {
    out << to_text(b.name).view() << " = " << detail::label_of(g, b.value).view();
    append(b.from, " from ");
    out << '\n';
  }
  return out;
}

}  // namespace wf
