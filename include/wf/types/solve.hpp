// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/domain/builtin.hpp>
#include <wf/types/relations/kernel.hpp>
#include <wf/types/retype.hpp>

namespace wf {

/// How types are solved.
struct solve_options {
  /// Two symbols that must be equal, or a symbol and a size, are a conflict; with this, one stands
  /// for the other.
  bool unify_symbols = false;
};

/// What was found out about the type of one value.
struct type_report {
  /// Its position in the graph's value table.
  value_id value = value_id::none;
  /// Its type as the graph states it; symbols that were unified are replaced.
  value_type stated;
  /// Its type as far as it follows.
  value_type solved;
  /// The nodes from which what was not stated follows, ascending.
  table<node_id> from;

  /// True if something was found out.
  constexpr bool is_inferred() const { return !from.empty(); }
  /// True if nothing is left to find out.
  constexpr bool is_complete() const { return solved.is_complete(); }
};

/// A symbol that stands for an extent of the solved graph.
struct symbol_binding {
  symbol name;                   ///< the symbol, which the solved graph does not have
  extent value;                  ///< what it stands for, in the solved graph
  node_id from = node_id::none;  ///< the node that demands it
};

/// Two types that one value would have, or types that fit no node.
struct type_conflict {
  node_id node = node_id::none;     ///< the node whose operator the types do not fit
  value_id value = value_id::none;  ///< the value that would have two types, if it is one
  error why;  ///< `shape_mismatch`, `dtype_mismatch`, or what a rule says; the subject is the node
};

/// A graph with all the types that follow from those it states.
struct solution {
  /// The same graph, by the same ids, with the types that were found.
  graph solved;
  /// One report for each value whose type was not stated in full, in the order of values.
  table<type_report> reports;
  /// What symbols stand for, if they may be unified, in the order in which that was found.
  table<symbol_binding> bindings;

  /// True if every type is known.
  constexpr bool is_complete() const {
    for (const type_report& r : reports)
      if (!r.is_complete()) return false;
    return true;
  }
};

namespace detail {

// Solves one graph, symbols being different from one another.
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
    table<std::uint32_t> first(graph_.nodes.size() + 1);  // a counting sort
    for (const recorded_conflict& c : found) ++first[index_of(c.node) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    table<recorded_conflict> sorted(found.size());
    for (const recorded_conflict& c : found) sorted[first[index_of(c.node)]++] = c;
    return sorted;
  }

  /// The graph with what was found, and the reports.
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
  // A canonical extent in a graph.
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
  // Extent attributes that state the shape of a result, where they are not known.
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

// Lets symbols stand for what they must be equal to, as far as the contradictions of a solver say.
class symbol_unifier {
 public:
  constexpr symbol_unifier(type_network& network, const table<recorded_conflict>& conflicts)
      : network_(network) {
    for (const recorded_conflict& c : conflicts)
      if (!c.left.is_unknown() && !c.right.is_unknown()) unify(c.left, c.right, c.node);
  }

  /// What was found: a symbol, and an extent of the solver in which none of the symbols occurs.
  constexpr table<symbol_binding> take() {
    for (symbol_binding& b : bindings_) b.value = resolved(b.value);
    return static_cast<table<symbol_binding>&&>(bindings_);
  }

 private:
  constexpr extent resolved(extent e) const {
    for (std::size_t i = 0; i < bindings_.size() && e.is_symbol(); ++i)
      if (bindings_[i].name == e.name()) {
        e = bindings_[i].value;
        i = static_cast<std::size_t>(-1);  // from the first one again
      }
    return e;
  }
  constexpr void unify(extent left, extent right, node_id from) {
    extent a = resolved(left), b = resolved(right);
    if (a == b || closed_) return;
    if (a.is_symbol() && b.is_symbol()) {
      // The symbol that comes first in the alphabet stays.
      const bool keep_a = alphabetical(a.name()) < alphabetical(b.name());
      return bind(keep_a ? b.name() : a.name(), keep_a ? a : b, from);
    }
    if (b.is_symbol()) {
      const extent other = a;
      a = b, b = other;
    }
    if (a.is_symbol() && b.is_fixed()) return bind(a.name(), b, from);
    if (!bindings_.empty()) return;  // polynomials wait until what they are made of is settled
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
  // p = q, if that is linear in the only symbol there is.
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

// Solves a graph; symbols that must be equal are unified and the graph is solved anew, until there
// is nothing to unify: each time there is a symbol less.
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

/// Finds all types that follow from those a graph states, inputs included, in both directions:
/// element types, ranks and extents that are unknown become known where only one is possible as far
/// as single operators say. Each node's kernel (or stated signature, or the body of a call) demands
/// something of the types of its operands and results; what that implies is drawn until nothing
/// changes, and a node whose operands are known is checked by `infer`. That ends, since knowledge
/// only grows and of each variable in few steps (see `type_variables`), and it ends in the same
/// place whatever the order of nodes, since more knowledge never implies less. What is stated stays
/// as it is spelt, properties stay, ids stay; unknown extents in the attributes of `reshape` and
/// the like become those of the result. Symbols differ from each other and from sizes, and are
/// never taken to be 1, unless they are unified.
///
/// The graph may have unknown types, also a cycle. Errors: those of `validate_references`; the
/// first conflict in the order of nodes: `shape_mismatch`, `dtype_mismatch`, or what a rule says.
/// O(size of the graph · log) for shapes of bounded rank; with unification that for each symbol
/// that is unified.
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

/// The graph with all types that follow, as a pass. Errors: as `solve_types`.
constexpr result<graph> complete_types(const graph_view& g, const registry& r,
                                       const solve_options& options = {}) {
  auto solved = solve_types(g, r, options);
  if (!solved) return solved.error();
  return static_cast<graph&&>(solved->solved);
}

/// All contradictions between the types of a graph, in the order of nodes; none if it can be
/// solved. After one that is found the solver goes on without it, so later ones may follow from
/// earlier ones. Errors: those of `validate_references`.
constexpr result<table<type_conflict>> find_type_conflicts(const graph_view& g, const registry& r,
                                                           const solve_options& options = {}) {
  detail::unifying_solver solver(g, r, options);
  if (error e = solver.run(); e.code != errc::none) return e;
  return static_cast<table<type_conflict>&&>(solver.conflicts());
}

/// What was found out, a line a value, then a line a symbol:
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
