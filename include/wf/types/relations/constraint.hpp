// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/types/relations/equation.hpp>

namespace wf::detail {

/// The relation between the shapes s0, s1, ... and the variables v0, v1, ... of a constraint.
enum class relation : std::uint8_t {
  equal_shapes,      ///< s0 = s1
  inserted,          ///< s0 is the extents v0, v1, ... with s1 in front of number `number`
  broadcast_shapes,  ///< s0 is the broadcast of s1, s2, ..., aligned on the right
  aligned,           ///< v0, v1, ... are ones followed by s0
  joined,            ///< s0 is the concatenation of s1, s2, ... along dimension `number`, plus
                     ///< `extra`
  alike,             ///< s0 and s1 are equal except for dimension `number`
  same_elements,     ///< s0 and s1 have the same number of elements
  broadcast,         ///< v0 is the broadcast of v1, v2, ...
  sum,               ///< v0 = v1 + v2 + ... + `number`
  product,           ///< the product of the first `number` variables, s0, equals that of the
                     ///< others, s1
  formula,           ///< v0 is formula `number` of the others
  // Demands of kernel rules: see types/relations/kernel.hpp.
  moved,        ///< the results' extents are a selection of the operands', by the shape rule
  ruled_type,   ///< the results' element type follows from the element type rule
  chosen_type,  ///< v0 is the first of v1, v2, ... that lies in the set `number`
  inference,    ///< `infer` accepts the operands and gives the results
};

/// A constraint that a node puts on types.
struct constraint {
  relation kind = relation::inference;  ///< selects the relation
  node_id node = node_id::none;         ///< the node whose operator demands it
  range variables;                      ///< v0, v1, ...: run of the pool of variables
  range shapes;                         ///< s0, s1, ...: run of the pool of shapes
  std::int64_t number = 0;              ///< parameter of the relation
  std::int64_t extra = 0;               ///< second parameter of the relation
  std::uint32_t stage = 0;              ///< progress of a constraint with several steps
  bool done = false;                    ///< true: nothing more can follow from it
};

/// The constraints of a graph and their propagation. A constraint of shapes waits until ranks are
/// known, and then becomes equalities and constraints of extents, which are examined again whenever
/// the knowledge about one of their variables grows.
class constraint_set {
 public:
  /// An empty set of constraints on the variables of `network`, which must outlive this object.
  constexpr explicit constraint_set(type_network& network)
      : network_(network), equations_(network) {}

  /// The constraint with an index; valid until the next `add`.
  constexpr constraint& operator[](std::uint32_t i) { return constraints_[i]; }
  /// Number of constraints.
  constexpr std::size_t size() const { return constraints_.size(); }
  /// The variables of a constraint; valid until the next `add`.
  constexpr view<variable> variables_of(const constraint& c) const {
    return {variables_.data() + c.variables.first, c.variables.count};
  }
  /// The shapes of a constraint; valid until the next `add`.
  constexpr view<shape_number> shapes_of(const constraint& c) const {
    return {shapes_.data() + c.shapes.first, c.shapes.count};
  }

  /// Adds a constraint and schedules it now, and again whenever the knowledge about its variables
  /// or about the ranks of its shapes grows.
  constexpr std::uint32_t add(relation kind, node_id node, view<shape_number> shapes,
                              view<variable> variables, std::int64_t number = 0,
                              std::int64_t extra = 0) {
    const auto i = static_cast<std::uint32_t>(constraints_.size());
    constraint c;
    c.kind = kind;
    c.node = node;
    c.shapes = {static_cast<std::uint32_t>(shapes_.size()),
                static_cast<std::uint32_t>(shapes.size())};
    c.variables = {static_cast<std::uint32_t>(variables_.size()),
                   static_cast<std::uint32_t>(variables.size())};
    c.number = number;
    c.extra = extra;
    for (shape_number s : shapes) {
      shapes_.push_back(s);
      types().watch(network_.rank_variable(s), i);
    }
    for (variable v : variables) {
      variables_.push_back(v);
      types().watch(v, i);
    }
    constraints_.push_back(c);
    if (kind == relation::inference) types().postpone(i);
    types().schedule(i);
    return i;
  }
  /// Demands s0 = s1.
  constexpr void add_equal(node_id node, shape_number a, shape_number b) {
    if (a == b) return;
    const shape_number both[] = {a, b};
    if (unite(network_.rank_variable(a), network_.rank_variable(b), node))
      add(relation::equal_shapes, node, both, {});
  }
  /// Adds a formula for a constraint `formula`; returns its index.
  constexpr std::int64_t add(extent_formula f) {
    formulas_.push_back(static_cast<extent_formula&&>(f));
    return static_cast<std::int64_t>(formulas_.size() - 1);
  }

  /// Propagates a constraint of a kind up to `formula`. Each conclusion is implied by the
  /// constraint, and more knowledge never implies less, so the order of constraints does not change
  /// the fixed point.
  constexpr void examine(std::uint32_t i) {
    const constraint c = constraints_[i];
    if (c.done) return;
    const bool done = c.kind == relation::equal_shapes       ? examine_equal(c, -1)
                      : c.kind == relation::inserted         ? examine_inserted(c)
                      : c.kind == relation::broadcast_shapes ? examine_broadcast_shapes(c, i)
                      : c.kind == relation::aligned          ? examine_aligned(c)
                      : c.kind == relation::joined           ? examine_joined(c)
                      : c.kind == relation::alike            ? examine_equal(c, c.number)
                      : c.kind == relation::same_elements    ? examine_elements(c)
                      : c.kind == relation::broadcast        ? examine_broadcast(c)
                      : c.kind == relation::sum ? equations_.sum(c.node, variables_of(c), c.number)
                      : c.kind == relation::product ? examine_product(c)
                                                    : examine_formula(c);
    constraints_[i].done = done;
  }

 private:
  // Each function returns true if nothing more can follow: satisfied or contradicted.

  constexpr bool examine_equal(const constraint& c, std::int64_t except) {
    const shape_number a = shapes_of(c)[0], b = shapes_of(c)[1];
    const std::uint32_t rank = network_.rank(a);
    if (rank == shape::unknown_rank) return false;
    for (std::uint32_t d = 0; d < rank; ++d)
      if (d != except) unite(network_.dimension(a, d), network_.dimension(b, d), c.node);
    return true;
  }

  constexpr bool examine_inserted(const constraint& c) {
    const shape_number whole = shapes_of(c)[0], part = shapes_of(c)[1];
    const std::uint32_t count = c.variables.count;
    const auto before = static_cast<std::uint32_t>(c.number);
    const variable w = network_.rank_variable(whole), p = network_.rank_variable(part);
    const std::int64_t ranks = (types().of(p).state << count) & every_rank;
    if (ranks == 0) {
      network_.contradict(c.node, errc::shape_mismatch, "a value has over 8 dimensions");
      return true;
    }
    if (!learn(w, {ranks, false}, c.node)) return true;
    if (!learn(p, {types().of(w).state >> count, false}, c.node)) return true;
    const std::uint32_t rank = network_.rank(whole);
    if (rank == shape::unknown_rank) return false;
    const std::uint32_t own = rank - count;
    for (std::uint32_t d = 0; d < rank; ++d)
      unite(d < before         ? variables_of(c)[d]
            : d < before + own ? network_.dimension(part, d - before)
                               : variables_of(c)[d - own],
            network_.dimension(whole, d), c.node);
    return true;
  }

  // --- broadcasting -----------------------------------------------------------------------------

  constexpr bool examine_broadcast_shapes(const constraint& c, std::uint32_t i) {
    const shape_number s = shapes_of(c)[0];
    if (!examine_largest_rank(c)) return true;
    if (network_.rank(s) == shape::unknown_rank) return false;
    if (c.stage == 0) {
      constraints_[i].stage = 1;
      expand_broadcast(c);
    }
    for (std::uint32_t k = 1; k < c.shapes.count; ++k)
      if (network_.rank(shapes_of(c)[k]) == shape::unknown_rank) return false;
    return true;
  }

  // The rank of s0 is the maximum of the others; false if that is impossible.
  constexpr bool examine_largest_rank(const constraint& c) {
    const variable whole = network_.rank_variable(shapes_of(c)[0]);
    std::int64_t any = 0;
    std::uint32_t least = 0;
    for (std::uint32_t k = 1; k < c.shapes.count; ++k) {
      any |= ranks(c, k);
      if (lowest(ranks(c, k)) > least) least = lowest(ranks(c, k));
    }
    if (!learn(whole, {any & (every_rank << least), false}, c.node)) return false;
    for (std::uint32_t k = 1; k < c.shapes.count; ++k) {
      // The largest possible rank of the other operands; below it this one may be smaller.
      std::int64_t others = 0;
      bool largest = true;
      for (std::uint32_t j = 1; j < c.shapes.count; ++j) {
        if (types().find(rank_of(c, j)) == types().find(rank_of(c, k))) continue;
        others |= ranks(c, j);
        largest = largest && highest(ranks(c, j)) <= lowest(ranks(c, k));
      }
      const std::int64_t possible = types().of(whole).state;
      const std::int64_t above = others & possible;
      const std::int64_t below = above == 0 ? 0 : (std::int64_t{1} << highest(above)) - 1;
      if (!learn(rank_of(c, k), {possible | below, false}, c.node)) return false;
      if (largest && !unite(rank_of(c, k), whole, c.node)) return false;
    }
    return true;
  }
  constexpr variable rank_of(const constraint& c, std::uint32_t k) const {
    return network_.rank_variable(shapes_of(c)[k]);
  }
  constexpr std::int64_t ranks(const constraint& c, std::uint32_t k) {
    return types().of(rank_of(c, k)).state;
  }
  static constexpr std::uint32_t lowest(std::int64_t bits) {
    std::uint32_t at = 0;
    while (((bits >> at) & 1) == 0) ++at;
    return at;
  }
  static constexpr std::uint32_t highest(std::int64_t bits) {
    std::uint32_t at = 0;
    while (bits >> (at + 1) != 0) ++at;
    return at;
  }

  // One constraint per dimension. An operand of unknown rank is represented by new extents, which
  // are 1 where it turns out to have no dimension.
  constexpr void expand_broadcast(const constraint& c) {
    const table<shape_number> shapes{shapes_of(c)};
    const std::uint32_t rank = network_.rank(shapes[0]);
    table<variable> first(shapes.size(), no_variable);
    for (std::size_t k = 1; k < shapes.size(); ++k) {
      if (network_.rank(shapes[k]) != shape::unknown_rank) continue;
      table<variable> own;
      for (std::uint32_t d = 0; d < rank; ++d) own.push_back(network_.add_extent());
      if (rank != 0) first[k] = own[0];
      add(relation::aligned, c.node, {&shapes[k], 1}, own);
    }
    for (std::uint32_t d = 0; d < rank; ++d) {
      table<variable> list{network_.dimension(shapes[0], d)};
      for (std::size_t k = 1; k < shapes.size(); ++k) {
        const std::uint32_t own = first[k] == no_variable ? network_.rank(shapes[k]) : rank;
        if (d + own < rank) continue;
        list.push_back(first[k] == no_variable ? network_.dimension(shapes[k], d + own - rank)
                                               : first[k] + d);
      }
      add(relation::broadcast, c.node, {}, list);
    }
  }

  constexpr bool examine_aligned(const constraint& c) {
    const shape_number s = shapes_of(c)[0];
    const std::uint32_t rank = network_.rank(s), count = c.variables.count;
    if (rank == shape::unknown_rank || rank > count) return rank != shape::unknown_rank;
    for (std::uint32_t d = 0; d < count; ++d) {
      if (d + rank < count)
        settle(variables_of(c)[d], extent(1), c.node);
      else
        unite(variables_of(c)[d], network_.dimension(s, d + rank - count), c.node);
    }
    return true;
  }

  constexpr bool examine_broadcast(const constraint& c) {
    const view<variable> v = variables_of(c);
    const variable whole = v[0];
    // An operand known not to be 1 equals the result; so does the only operand that may differ from
    // 1.
    variable only_one = no_variable;
    bool several = false;
    for (std::size_t k = 1; k < v.size(); ++k) {
      const extent e = types().extent_of(v[k]);
      if (e == extent(1)) continue;
      if (!e.is_unknown() && !unite(whole, v[k], c.node)) return true;
      several =
          several || (only_one != no_variable && types().find(only_one) != types().find(v[k]));
      only_one = v[k];
    }
    if (only_one == no_variable) return settle(whole, extent(1), c.node), true;
    if (!several) return unite(whole, only_one, c.node), true;
    // Each operand is 1 or equals the result.
    const knowledge of_whole = types().of(whole);
    if (of_whole.state != -1)
      for (std::size_t k = 1; k < v.size(); ++k)
        if (!learn(v[k], {of_whole.state, of_whole.state != 1}, c.node)) return true;
    // If each operand is 1 or one common extent, so is the result.
    std::int64_t common = -1;
    bool agree = true;
    for (std::size_t k = 1; k < v.size(); ++k) {
      const knowledge own = types().of(v[k]);
      if (own.state == 1) continue;
      agree = agree && own.state != -1 && (common == -1 || common == own.state);
      common = own.state;
    }
    if (agree && common != -1 && !learn(whole, {common, true}, c.node)) return true;
    bool open = !types().known(whole);
    for (std::size_t k = 1; k < v.size(); ++k) open = open || !types().known(v[k]);
    return !open;
  }

  // --- movement ---------------------------------------------------------------------------------

  constexpr bool examine_joined(const constraint& c) {
    const table<shape_number> shapes{shapes_of(c)};
    const std::uint32_t rank = network_.rank(shapes[0]);
    if (rank == shape::unknown_rank) return false;
    table<variable> lengths;
    for (std::uint32_t d = 0; d < rank; ++d)
      for (std::size_t k = 0; k < shapes.size(); ++k) {
        if (d == c.number)
          lengths.push_back(network_.dimension(shapes[k], d));
        else if (k != 0)
          unite(network_.dimension(shapes[0], d), network_.dimension(shapes[k], d), c.node);
      }
    add(relation::sum, c.node, {}, lengths, c.extra);
    return true;
  }

  constexpr bool examine_elements(const constraint& c) {
    const shape_number a = shapes_of(c)[0], b = shapes_of(c)[1];
    const std::uint32_t count_a = network_.rank(a), count_b = network_.rank(b);
    if (count_a == shape::unknown_rank || count_b == shape::unknown_rank) return false;
    table<variable> factors;
    for (std::uint32_t d = 0; d < count_a; ++d) factors.push_back(network_.dimension(a, d));
    for (std::uint32_t d = 0; d < count_b; ++d) factors.push_back(network_.dimension(b, d));
    const shape_number both[] = {a, b};
    add(relation::product, c.node, both, factors, count_a);
    return true;
  }

  constexpr bool examine_product(const constraint& c) {
    return equations_.product(c.node, variables_of(c), static_cast<std::size_t>(c.number),
                              shapes_of(c)[0], shapes_of(c)[1]);
  }
  constexpr bool examine_formula(const constraint& c) {
    return equations_.formula(c.node, variables_of(c),
                              formulas_[static_cast<std::size_t>(c.number)]);
  }

  constexpr type_variables& types() const { return network_.variables(); }
  constexpr bool learn(variable v, const knowledge& k, node_id by) {
    return network_.learn(v, k, by);
  }
  constexpr bool settle(variable v, extent e, node_id by) { return network_.settle(v, e, by); }
  constexpr bool unite(variable a, variable b, node_id by) { return network_.unite(a, b, by); }

  type_network& network_;
  extent_equations equations_;
  table<constraint> constraints_;
  table<variable> variables_;
  table<shape_number> shapes_;
  table<extent_formula> formulas_;
};

}  // namespace wf::detail
