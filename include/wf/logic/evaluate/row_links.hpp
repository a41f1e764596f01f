// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/strata.hpp>
#include <wf/registry/domain/elementwise.hpp>

namespace wf::logic::detail {

/// How a recursive rule moves entries of one tensor of at most two positions to another: to other
/// columns of the same row, by the pairs (y, z) of a link, or to other rows as a whole, by pairs
/// (y, x). With H(x,z) = H(x,y) E(y,z) the pairs of E move within rows, with H(x,z) = E(x,y) H(y,z)
/// they move rows.
struct row_link {
  std::uint32_t from = 0, to = 0;  ///< numbers of row tensors
  bool moves_rows = false;
  std::uint32_t pairs =
      none;  ///< number of the rule that computes the pairs; `none`: each to itself
};

/// A recursion whose rules are all such moves.
struct row_recursion {
  table<std::uint32_t> tensors;  ///< by row tensor: the program's tensor; `none`: between two moves
  table<std::uint32_t> like;     ///< by row tensor: a program's tensor with the columns of it, and
  table<std::uint32_t> rows_like;  ///< one with its rows; `none`: there is one row
  table<row_link> links;
  text multiplication;  ///< the operator by which values take the weights of pairs; "": none
  bool valid = false;
};

/// Recognises recursions by rows in a stratum. The rules of links are added to the program.
class row_recognition {
 public:
  constexpr row_recognition(stratified_program& p, const stratum& s)
      : strata_(p), program_(p.program), stratum_(s) {}

  constexpr row_recursion run() {
    const bool extreme = stratum_.recursion == recursion::extreme;
    for (std::uint32_t i = 0; i < stratum_.tensors.count; ++i) {
      const std::uint32_t t = strata_.tensors[stratum_.tensors.first + i];
      const tensor_info& info = program_.tensors[t];
      const tensor_info& first = program_.tensors[strata_.tensors[stratum_.tensors.first]];
      if (info.rank == 0 || info.rank > 2 || info.boolean == extreme) return {};
      if (info.projection != first.projection || !(info.combining.view() == first.combining.view()))
        return {};
      out_.tensors.push_back(t);
      out_.like.push_back(t);
      out_.rows_like.push_back(info.rank == 2 ? t : none);
    }
    const std::uint32_t count = stratum_.rules.count;
    for (std::uint32_t i = 0; i < count; ++i)
      if (!classify(strata_.rules[stratum_.rules.first + i])) return {};
    out_.valid = true;
    return static_cast<row_recursion&&>(out_);
  }

 private:
  static constexpr std::uint32_t left = 1, right = 2;  // sides of a rule, as bits

  constexpr std::uint32_t place_of(std::uint32_t tensor) const {
    for (std::uint32_t i = 0; i < out_.tensors.size(); ++i)
      if (out_.tensors[i] == tensor) return i;
    return none;
  }
  // The variable at a position of an atom, if it stands there as it is; else `none`.
  constexpr std::uint32_t variable(const atom& a, std::uint32_t position) const {
    const term& t = program_.terms[a.terms.first + position];
    return t.is_plain() ? t.variable : none;
  }

  // Adds the links of a rule; true for a rule that does not recur. False if it is no move.
  constexpr bool classify(std::uint32_t number) {
    const rule r = program_.rules[number];
    std::uint32_t recursive = none;
    for (std::uint32_t k = 0; k < r.joins.count; ++k) {
      if (place_of(program_.atoms[r.joins.first + k].tensor) == none) continue;
      if (recursive != none) return false;
      recursive = k;
    }
    if (recursive == none) return true;
    const atom& read = program_.atoms[r.joins.first + recursive];
    if (read.terms.count != r.head.terms.count) return false;
    const std::uint32_t last = r.head.terms.count - 1;
    const std::uint32_t z = variable(r.head, last), y = variable(read, last);
    const std::uint32_t x = last == 1 ? variable(r.head, 0) : none,
                        u = last == 1 ? variable(read, 0) : none;
    if (z == none || y == none) return false;
    if (last == 1 && (x == none || u == none || x == z || u == y || x == y || u == z)) return false;
    // The ends of the two sides; the rest of the rule may hang on either, never on both.
    sides_ = table<std::uint32_t>(r.variables.count);
    sides_[z] |= right;
    sides_[y] |= right;
    if (last == 1) sides_[x] |= left, sides_[u] |= left;
    spread(r, recursive);
    for (const std::uint32_t s : sides_)
      if (s == (left | right)) return false;
    const bool moves_left = last == 1 && x != u, moves_right = z != y;
    if (!moves_left && uses_side(r, recursive, left)) return false;
    if (!moves_right && uses_side(r, recursive, right)) return false;
    if ((moves_left && !(is_joined(r, recursive, x) && is_joined(r, recursive, u))) ||
        (moves_right && !(is_joined(r, recursive, z) && is_joined(r, recursive, y))))
      return false;
    return link(number, recursive, {x, u}, {z, y}, moves_left, moves_right);
  }
  // True if a join beside the recursive one binds a variable.
  constexpr bool is_joined(const rule& r, std::uint32_t recursive, std::uint32_t v) const {
    for (std::uint32_t k = 0; k < r.joins.count; ++k)
      for (const term& t : program_.terms_of(program_.atoms[r.joins.first + k]))
        if (k != recursive && t.kind == term_kind::variable && t.variable == v) return true;
    return false;
  }

  constexpr std::uint32_t side_of(const atom& a) const {
    std::uint32_t s = 0;
    for (const term& t : program_.terms_of(a))
      if (t.kind == term_kind::variable) s |= sides_[t.variable];
    return s;
  }
  constexpr void give(const atom& a, std::uint32_t s) {
    for (const term& t : program_.terms_of(a))
      if (t.kind == term_kind::variable) sides_[t.variable] |= s;
  }
  constexpr std::uint32_t side_of(std::uint32_t scalar) const {
    if (scalar == none) return 0;
    const scalar_node& n = program_.scalars[scalar];
    const rule& r = *rule_;
    std::uint32_t s = 0;
    if (n.reads_variable()) s = sides_[n.index];
    if (n.kind == scalar_kind::joined) s = side_of(program_.atoms[r.joins.first + n.index]);
    if (n.kind == scalar_kind::looked_up) s = side_of(program_.atoms[r.lookups.first + n.index]);
    return s | side_of(n.left) | side_of(n.right) | side_of(n.other);
  }
  constexpr void give(std::uint32_t scalar, std::uint32_t s) {
    if (scalar == none) return;
    const scalar_node& n = program_.scalars[scalar];
    if (n.reads_variable()) sides_[n.index] |= s;
    if (n.kind == scalar_kind::joined) give(program_.atoms[rule_->joins.first + n.index], s);
    if (n.kind == scalar_kind::looked_up) give(program_.atoms[rule_->lookups.first + n.index], s);
    give(n.left, s);
    give(n.right, s);
    give(n.other, s);
  }
  // Variables that stand together are on the same side.
  constexpr void spread(const rule& r, std::uint32_t recursive) {
    rule_ = &r;
    for (bool changed = true; changed;) {
      const table<std::uint32_t> before = sides_;
      for (const range part : {r.joins, r.negations, r.lookups})
        for (std::uint32_t i = 0; i < part.count; ++i)
          if (const std::uint32_t a = part.first + i; a != r.joins.first + recursive)
            give(program_.atoms[a], side_of(program_.atoms[a]));
      for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
        const comparison& c = program_.comparisons[r.comparisons.first + i];
        const std::uint32_t s = side_of(c.left) | side_of(c.right);
        give(c.left, s);
        give(c.right, s);
      }
      changed = !(before == sides_);
    }
  }
  // What is on no side belongs to the right one.
  constexpr bool is_on(std::uint32_t sides, std::uint32_t side) const {
    return sides == side || (sides == 0 && side == right);
  }
  constexpr bool uses_side(const rule& r, std::uint32_t recursive, std::uint32_t side) const {
    for (const range part : {r.joins, r.negations, r.lookups})
      for (std::uint32_t i = 0; i < part.count; ++i)
        if (const std::uint32_t a = part.first + i; a != r.joins.first + recursive)
          if (is_on(side_of(program_.atoms[a]), side)) return true;
    for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
      const comparison& c = program_.comparisons[r.comparisons.first + i];
      if (is_on(side_of(c.left) | side_of(c.right), side)) return true;
    }
    return false;
  }

  struct ends {
    std::uint32_t to = none, from = none;  // variables
  };
  constexpr bool link(std::uint32_t number, std::uint32_t recursive, ends rows, ends columns,
                      bool moves_left, bool moves_right) {
    const rule r = program_.rules[number];
    const atom read = program_.atoms[r.joins.first + recursive];
    const bool valued = !program_.tensors[read.tensor].boolean;
    std::uint32_t rest = none;
    if (valued && !without(r.value, recursive, rest)) return false;
    const std::uint32_t rest_side = side_of(rest);
    if (rest_side == (left | right) || (rest_side == left && !moves_left) ||
        (rest_side == right && !moves_right))
      return false;  // the addend belongs to one move
    const std::uint32_t from = place_of(read.tensor), to = place_of(r.head.tensor);
    std::uint32_t middle = to;
    if (moves_left && moves_right) {
      middle = static_cast<std::uint32_t>(out_.tensors.size());
      out_.tensors.push_back(none);
      out_.like.push_back(out_.like[from]);
      out_.rows_like.push_back(out_.rows_like[to]);
    }
    const bool left_has_rest = moves_left && (rest_side == left || !moves_right);
    if (moves_left)
      out_.links.push_back(
          {from, middle, true, pairs(number, recursive, rows, left, left_has_rest ? rest : none)});
    if (moves_right)
      out_.links.push_back({moves_left ? middle : from, to, false,
                            pairs(number, recursive, columns, right, left_has_rest ? none : rest)});
    if (!moves_left && !moves_right) out_.links.push_back({from, to, true, none});
    return moves_left || moves_right || rest == none;
  }

  // The value of a rule without that of its recursive join, which is an addend, or a factor of
  // another multiplication: false if it is none. `rest` becomes `none` for the neutral number.
  constexpr bool without(std::uint32_t scalar, std::uint32_t join, std::uint32_t& rest) {
    rest = none;
    if (scalar == none) return false;
    const scalar_node n = program_.scalars[scalar];
    if (n.kind == scalar_kind::joined) return n.index == join;
    if (!multiplies(n)) return false;
    std::uint32_t other = none;
    if (reads(n.left, join) && !reads(n.right, join)) {
      if (!without(n.left, join, other)) return false;
      rest = combined(n, other, n.right);
      return true;
    }
    if (!reads(n.right, join) || reads(n.left, join) || n.kind == scalar_kind::difference ||
        !without(n.right, join, other))
      return false;
    rest = combined(n, n.left, other);
    return true;
  }
  // True for a node of the one multiplication that all rules have.
  constexpr bool multiplies(const scalar_node& n) {
    text_view by;
    if (n.kind == scalar_kind::sum || n.kind == scalar_kind::difference) by = kernels::add.name;
    if (n.kind == scalar_kind::function && n.scales) by = n.name.view();
    if (by.empty()) return false;
    if (out_.multiplication.empty()) out_.multiplication = text(by);
    return out_.multiplication.view() == by;
  }
  constexpr bool reads(std::uint32_t scalar, std::uint32_t join) const {
    if (scalar == none) return false;
    const scalar_node& n = program_.scalars[scalar];
    return (n.kind == scalar_kind::joined && n.index == join) || reads(n.left, join) ||
           reads(n.right, join) || reads(n.other, join);
  }
  // `like` of a and b, of which one may be missing.
  constexpr std::uint32_t combined(const scalar_node& like, std::uint32_t a, std::uint32_t b) {
    if (b == none) return a;
    if (a == none && like.kind != scalar_kind::difference) return b;
    scalar_node n = like;
    if (a == none) n.kind = scalar_kind::negation;
    n.left = a != none ? a : b;
    n.right = a != none ? b : none;
    program_.scalars.push_back(n);
    return static_cast<std::uint32_t>(program_.scalars.size() - 1);
  }

  // Adds the rule that computes the pairs (from, to) of one side, with their values.
  constexpr std::uint32_t pairs(std::uint32_t number, std::uint32_t recursive, ends e,
                                std::uint32_t side, std::uint32_t value) {
    const rule r = program_.rules[number];
    rule made;
    made.projection = r.projection;
    made.variables = r.variables;
    table<std::uint32_t> joins(r.joins.count, none), lookups(r.lookups.count, none), unread;
    made.joins = atoms_on(side, r.joins, r.joins.first + recursive, joins);
    made.negations = atoms_on(side, r.negations, none, unread);
    made.lookups = atoms_on(side, r.lookups, none, lookups);
    made.comparisons.first = static_cast<std::uint32_t>(program_.comparisons.size());
    for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
      comparison c = program_.comparisons[r.comparisons.first + i];
      if (!is_on(side_of(c.left) | side_of(c.right), side)) continue;
      c.left = renumbered(c.left, joins, lookups);
      c.right = renumbered(c.right, joins, lookups);
      program_.comparisons.push_back(c);
      ++made.comparisons.count;
    }
    made.value = value == none ? none : renumbered(value, joins, lookups);
    made.head.offset = r.head.offset;
    made.head.tensor = pair_tensor(r, e);
    made.head.terms.first = static_cast<std::uint32_t>(program_.terms.size());
    made.head.terms.count = 2;
    for (const std::uint32_t v : {e.from, e.to}) {
      term t;
      t.variable = v;
      program_.terms.push_back(t);
    }
    program_.rules.push_back(made);
    return static_cast<std::uint32_t>(program_.rules.size() - 1);
  }
  constexpr std::uint32_t pair_tensor(const rule& r, ends e) {
    tensor_info t;
    t.name = program_.tensors[r.head.tensor].name;
    t.boolean = program_.tensors[r.head.tensor].boolean;
    t.projection = r.projection;
    t.combining = program_.tensors[r.head.tensor].combining;
    t.zero = program_.tensors[r.head.tensor].zero;
    t.defined = t.temporary = t.ranked = true;
    t.rank = 2;
    t.axes = {static_cast<std::uint32_t>(program_.axes_of.size()), 2};
    for (const std::uint32_t v : {e.from, e.to})
      program_.axes_of.push_back(program_.axis_of_variable[r.variables.first + v]);
    program_.tensors.push_back(static_cast<tensor_info&&>(t));
    return static_cast<std::uint32_t>(program_.tensors.size() - 1);
  }
  // Copies the atoms of one side behind the others; `numbers` gets their new places.
  constexpr range atoms_on(std::uint32_t side, range part, std::uint32_t except,
                           table<std::uint32_t>& numbers) {
    range out{static_cast<std::uint32_t>(program_.atoms.size()), 0};
    for (std::uint32_t i = 0; i < part.count; ++i) {
      const atom a = program_.atoms[part.first + i];
      if (part.first + i == except || !is_on(side_of(a), side)) continue;
      if (i < numbers.size()) numbers[i] = out.count;
      program_.atoms.push_back(a);
      ++out.count;
    }
    return out;
  }
  constexpr std::uint32_t renumbered(std::uint32_t scalar, const table<std::uint32_t>& joins,
                                     const table<std::uint32_t>& lookups) {
    if (scalar == none) return none;
    scalar_node n = program_.scalars[scalar];
    if (n.kind == scalar_kind::joined) n.index = joins[n.index];
    if (n.kind == scalar_kind::looked_up) n.index = lookups[n.index];
    n.left = renumbered(n.left, joins, lookups);
    n.right = renumbered(n.right, joins, lookups);
    n.other = renumbered(n.other, joins, lookups);
    program_.scalars.push_back(n);
    return static_cast<std::uint32_t>(program_.scalars.size() - 1);
  }

  stratified_program& strata_;
  tensor_program& program_;
  const stratum& stratum_;
  const rule* rule_ = nullptr;
  table<std::uint32_t> sides_;  // by variable
  row_recursion out_;
};

}  // namespace wf::logic::detail
