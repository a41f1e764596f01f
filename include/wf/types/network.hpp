// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/graph.hpp>
#include <wf/lint/label.hpp>
#include <wf/registry/dimension.hpp>
#include <wf/types/variables.hpp>

namespace wf::detail {

/// Index of a shape: value i has shape i, shapes internal to nodes follow.
using shape_number = std::uint32_t;

/// A contradiction found at a node.
struct recorded_conflict {
  node_id node = node_id::none;     ///< the node whose operator does not admit the types
  value_id value = value_id::none;  ///< the value with two types, or `none`
  error why;                        ///< the error; its subject is the node
  extent left;                      ///< the first of two different extents; else unknown
  extent right;                     ///< the second of two different extents; else unknown
};

/// The types of a graph as variables: for each value an element type, a rank and, once that is
/// known, its extents. Derived extents are renumbered by their canonical polynomials, so that equal
/// ones have equal codes.
class type_network {
 public:
  /// Creates the variables of a graph with references in range, with the knowledge its types state.
  /// O(size).
  constexpr explicit type_network(const graph_view& g) : graph_(g), broken_(g.nodes.size()) {
    for (text_ref d : g.derived) canonical_.push_back(canonical(g.text_of(d)));
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const value_type& t = g.values[i].type;
      const knowledge type{t.type == dtype::unknown ? every_dtype : only(t.type).bits};
      element_types_.push_back(
          variables_.add(type_part::element_type, static_cast<value_id>(i), 0, type));
      add_shape(static_cast<value_id>(i), t.shape);
    }
  }

  /// The graph whose types are solved.
  constexpr const graph_view& graph() const { return graph_; }
  /// The variables of all values and nodes.
  constexpr type_variables& variables() { return variables_; }
  /// The graph that holds the polynomials of derived extents, for `infer`.
  constexpr wf::graph& atoms() { return atoms_; }
  /// The contradictions in the order in which they were found.
  constexpr const table<recorded_conflict>& conflicts() const { return conflicts_; }

  /// The variable of a value's element type.
  constexpr variable element_type(value_id id) const { return element_types_[index_of(id)]; }
  /// The shape of a value: the same number.
  static constexpr shape_number shape_of(value_id id) { return index_of(id); }
  /// Adds a shape of unknown rank.
  constexpr shape_number add_shape() { return add_shape(value_id::none, shape::unknown()); }
  /// The variable of a shape's rank.
  constexpr variable rank_variable(shape_number s) const { return shapes_[s].rank; }
  /// The rank of a shape; `shape::unknown_rank` while it is not fixed.
  constexpr std::uint32_t rank(shape_number s) { return variables_.rank_of(shapes_[s].rank); }
  /// The variable of a dimension of a shape with known rank.
  constexpr variable dimension(shape_number s, std::uint32_t d) {
    if (shapes_[s].first == no_variable) {
      shapes_[s].first = static_cast<variable>(variables_.size());
      const std::uint32_t count = rank(s);
      for (std::uint32_t i = 0; i < count; ++i)
        variables_.add(type_part::extent, shapes_[s].owner, i, {});
    }
    return shapes_[s].first + d;
  }
  /// The shape as far as it is known; unknown extents stay unknown.
  constexpr shape known_shape(shape_number s) {
    const std::uint32_t count = rank(s);
    if (count == shape::unknown_rank) return shape::unknown();
    shape out;
    for (std::uint32_t d = 0; d < count; ++d) out.push_back(variables_.extent_of(dimension(s, d)));
    return out;
  }
  /// Adds an extent internal to a node.
  constexpr variable add_extent(extent e = {}, node_id by = node_id::none) {
    return variables_.add(type_part::extent, value_id::none, 0, {e.code, false}, by);
  }

  /// The canonical form of an extent of the graph.
  constexpr extent canonical(extent e) const {
    return e.is_derived() && e.index() < canonical_.size() ? canonical_[e.index()] : e;
  }
  /// The polynomial of a known canonical extent; false if its text does not parse.
  constexpr bool polynomial_of(extent e, polynomial& out) const {
    const graph_view g = atoms_.view();
    return wf::detail::polynomial_of(e, &g, out);
  }
  /// The canonical extent of a polynomial; false for a constant that is negative, not an integer,
  /// or too large.
  constexpr bool extent_of(const polynomial& p, extent& out) {
    if (p.is_constant()) {
      const auto size = to_int64(p.constant());
      if (size) out = extent(*size);
      return size && *size >= 0;
    }
    const text canonical = to_text(p);
    const symbol s = make_symbol(canonical.view());
    out = s ? extent(s) : atoms_.add_derived(canonical.view());
    return true;
  }

  /// Adds knowledge that a node demands; false, with a recorded conflict, on a contradiction.
  constexpr bool learn(variable v, const knowledge& more, node_id by) {
    return variables_.learn(v, more, by) || contradict(by);
  }
  /// Fixes an extent; false, with a recorded conflict, on a contradiction.
  constexpr bool settle(variable v, extent e, node_id by) { return learn(v, {e.code, false}, by); }
  /// Unites two variables because a node demands it; false, with a recorded conflict, if they
  /// differ.
  constexpr bool unite(variable a, variable b, node_id by) {
    return variables_.unite(a, b, by) || contradict(by);
  }
  /// Records a conflict with a given sentence; returns false.
  constexpr bool contradict(node_id node, errc code, text_view sentence,
                            value_id value = value_id::none) {
    broken_[index_of(node)] = 1;
    conflicts_.push_back(
        {node, value, make_error(code, graph_.label(node).view(), sentence), {}, {}});
    return false;
  }
  /// True if a node has a conflict.
  constexpr bool is_broken(node_id node) const { return broken_[index_of(node)] != 0; }

  /// A shape in words, as far as it is known: "3x5".
  constexpr text label(const shape& s) const { return label_of(atoms_.view(), s); }

 private:
  struct shape_variables {
    variable rank = no_variable;
    variable first = no_variable;  // the first extent variable, once they exist
    value_id owner = value_id::none;
  };

  constexpr shape_number add_shape(value_id owner, const shape& stated) {
    const bool known = stated.has_rank();
    shape_variables s;
    s.owner = owner;
    s.rank = variables_.add(type_part::rank, owner, 0,
                            {known ? std::int64_t{1} << stated.rank : every_rank, false});
    if (known) s.first = static_cast<variable>(variables_.size());
    for (std::uint32_t d = 0; known && d < stated.rank; ++d)
      variables_.add(type_part::extent, owner, d, {canonical(stated[d]).code, false});
    shapes_.push_back(s);
    return static_cast<shape_number>(shapes_.size() - 1);
  }
  constexpr extent canonical(text_view polynomial_text) {
    const auto parsed = parse_polynomial(polynomial_text);
    extent e;
    return parsed && extent_of(*parsed, e) ? e : atoms_.add_derived(polynomial_text);
  }

  constexpr bool contradict(node_id node) {
    const clash c = variables_.last_clash();
    const bool extents = variables_.part(c.subject) == type_part::extent;
    contradict(node,
               variables_.part(c.subject) == type_part::element_type ? errc::dtype_mismatch
                                                                     : errc::shape_mismatch,
               sentence(c, node).view(), variables_.owner(c.subject));
    if (extents) conflicts_.back().left.code = c.known.state;
    if (extents) conflicts_.back().right.code = c.demanded.state;
    return false;
  }
  // A conflict in words: "'W' is 3x5 by matmul 'h' but 4x5 by input".
  constexpr text sentence(const clash& c, node_id node) {
    const value_id owner = variables_.owner(c.subject);
    if (owner == value_id::none)
      return text() << "one extent is both " << words(c.subject, c.demanded).view() << " and "
                    << words(c.subject, c.known).view();
    text out;
    out << label_of(graph_, owner).view() << words(c.subject, c.demanded).view() << " by "
        << label_of(graph_, node).view() << " but" << words(c.subject, c.known).view().part(3);
    if (c.known_by != node_id::none) return out << " by " << label_of(graph_, c.known_by).view();
    return out << (graph_[owner].producer == node_id::none ? " by input" : " as stated");
  }
  // Knowledge in words: " is 3x5", " is f32", " is of rank 2".
  constexpr text words(variable subject, const knowledge& k) {
    const type_part part = variables_.part(subject);
    text out;
    if (part == type_part::element_type) return out << " is " << names(k.state).view();
    if (part == type_part::rank) return out << " is of rank " << numbers(k.state).view();
    const value_id owner = variables_.owner(subject);
    extent e;
    e.code = k.state;
    const graph_view atoms = atoms_;
    text extent_words = label_of(atoms, e);
    if (k.or_one) extent_words = text() << "(1 or " << extent_words.view() << ')';
    if (owner == value_id::none) return extent_words;
    const shape s = known_shape(shape_of(owner));
    out << " is ";
    for (std::uint32_t d = 0; d < s.rank; ++d) {
      if (d != 0) out << 'x';
      if (d == variables_.dimension(subject))
        out << extent_words.view();
      else
        out << label_of(atoms, s[d]).view();
    }
    return out;
  }
  static constexpr text names(std::int64_t dtypes) {
    const dtype_set set{static_cast<std::uint32_t>(dtypes)};
    if (!name_of(set).empty()) return text(name_of(set));
    text out;
    for (std::size_t i = 1; i < dtype_count; ++i)
      if (set.contains(static_cast<dtype>(i)))
        out << (out.empty() ? "" : " or ") << name_of(static_cast<dtype>(i));
    return out;
  }
  static constexpr text numbers(std::int64_t ranks) {
    text out;
    for (std::uint32_t r = 0; r <= max_rank; ++r) {
      if (((ranks >> r) & 1) == 0) continue;
      if (r < max_rank && ranks >> r == every_rank >> r)
        return out << (out.empty() ? "" : " or ") << r << " or more";
      out << (out.empty() ? "" : " or ") << r;
    }
    return out;
  }

  graph_view graph_;
  type_variables variables_;
  table<variable> element_types_;  // by value
  table<shape_variables> shapes_;
  table<extent> canonical_;  // by derived extent of the graph
  wf::graph atoms_;
  table<recorded_conflict> conflicts_;
  table<char> broken_;  // by node
};

}  // namespace wf::detail
