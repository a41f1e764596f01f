// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/node.hpp>
#include <wf/registry/dtype_lattice.hpp>

namespace wf::detail {

/// Index of a type variable: the element type or the rank of a value, or one of its extents.
using variable = std::uint32_t;
/// The absent variable.
inline constexpr variable no_variable = 0xffffffff;

/// The part of a type that a variable represents.
enum class type_part : std::uint8_t { element_type, rank, extent };

/// All ranks from 0 to `max_rank`, as bits.
inline constexpr std::int64_t every_rank = (std::int64_t{1} << (max_rank + 1)) - 1;
/// All element types, as bits of a `dtype_set`.
inline constexpr std::int64_t every_dtype = dtypes_where([](dtype) { return true; }).bits;

/// The knowledge about a variable. For an element type or a rank: the set of possible values as
/// bits, never empty. For an extent: its code (-1: unknown), or the alternative that it is 1 or
/// that code, which is the knowledge that broadcasting gives of an operand.
struct knowledge {
  std::int64_t state = -1;  ///< bits, or the code of an extent
  bool or_one = false;      ///< true: the extent may be 1 instead

  friend constexpr bool operator==(const knowledge&, const knowledge&) = default;
};

/// True if a single element type, rank or extent is left.
constexpr bool is_known(type_part part, const knowledge& k) {
  if (part == type_part::extent) return k.state != -1 && !k.or_one;
  return (k.state & (k.state - 1)) == 0;
}

/// The conjunction of two pieces of knowledge; false if they contradict. Symbols and derived
/// extents differ from every other extent, in particular from 1, as they do for `infer`.
constexpr bool meet(type_part part, const knowledge& a, const knowledge& b, knowledge& out) {
  if (part != type_part::extent) {
    out = {a.state & b.state, false};
    return out.state != 0;
  }
  if (a.state == -1 || b.state == -1) return out = a.state == -1 ? b : a, true;
  if (a.state == b.state) return out = {a.state, a.or_one && b.or_one}, true;
  const bool one = (a.or_one || a.state == 1) && (b.or_one || b.state == 1);
  out = {1, false};
  return one;
}

/// A contradiction between a node's demand on a variable and the knowledge about it.
struct clash {
  variable subject = no_variable;    ///< the variable, preferably one of a value
  knowledge known;                   ///< the previous knowledge
  node_id known_by = node_id::none;  ///< the node it came from; none: the graph states it
  knowledge demanded;                ///< the contradicting demand
};

/// Type variables in union-find classes, the knowledge about each class, and the constraints to
/// examine again when it grows.
///
/// Knowledge only grows, and in few steps: an element type can be narrowed at most 15 times, a rank
/// 8 times, an extent twice, and n variables can be united n - 1 times. Each step wakes the
/// watchers of the class that learns (of two classes without knowledge, the smaller one), so a
/// variable wakes its watchers O(log n) times: near-linear in total.
class type_variables {
 public:
  /// Adds a variable of a value (or of none), with initial knowledge.
  constexpr variable add(type_part part, value_id owner, std::uint32_t dimension, knowledge known,
                         node_id from = node_id::none) {
    const auto v = static_cast<variable>(cells_.size());
    cell c;
    c.parent = c.next = v;
    c.known = known;
    c.part = part;
    c.dimension = dimension;
    c.owner = owner;
    c.from = from;
    cells_.push_back(c);
    return v;
  }
  /// Number of variables.
  constexpr std::size_t size() const { return cells_.size(); }

  /// The representative of a variable's class.
  constexpr variable find(variable v) {
    while (cells_[v].parent != v) {
      cells_[v].parent = cells_[cells_[v].parent].parent;
      v = cells_[v].parent;
    }
    return v;
  }
  /// The knowledge about a variable.
  constexpr const knowledge& of(variable v) { return cells_[find(v)].known; }
  /// True if a variable is fixed to one value.
  constexpr bool known(variable v) { return is_known(cells_[v].part, of(v)); }
  /// The element type; `unknown` if it is not fixed.
  constexpr dtype dtype_of(variable v) {
    return known(v) ? static_cast<dtype>(lowest_bit(of(v).state)) : dtype::unknown;
  }
  /// The rank; `shape::unknown_rank` if it is not fixed.
  constexpr std::uint32_t rank_of(variable v) {
    return known(v) ? lowest_bit(of(v).state) : shape::unknown_rank;
  }
  /// The extent; unknown if it is not fixed.
  constexpr extent extent_of(variable v) {
    extent e;
    if (known(v)) e.code = of(v).state;
    return e;
  }

  /// The part of a type that a variable represents.
  constexpr type_part part(variable v) const { return cells_[v].part; }
  /// The value that the variable belongs to; none if it is internal to a node.
  constexpr value_id owner(variable v) const { return cells_[v].owner; }
  /// The dimension of an extent variable.
  constexpr std::uint32_t dimension(variable v) const { return cells_[v].dimension; }
  /// The node from which the latest knowledge came; none: the graph states it.
  constexpr node_id from(variable v) const { return cells_[v].from; }

  /// Adds knowledge from `by`; false, and sets `last_clash`, if it contradicts.
  constexpr bool learn(variable v, const knowledge& more, node_id by) {
    const variable root = find(v);
    knowledge both;
    if (!meet(cells_[root].part, cells_[root].known, more, both)) return note_clash(v, more);
    if (!(both == cells_[root].known)) update(root, both, by);
    return true;
  }
  /// Unites two variables because `by` demands it; false, and sets `last_clash`, if they
  /// contradict.
  constexpr bool unite(variable a, variable b, node_id by) {
    variable x = find(a), y = find(b);
    if (x == y) return true;
    knowledge both;
    if (!meet(cells_[x].part, cells_[x].known, cells_[y].known, both))
      return cells_[b].owner != value_id::none ? note_clash(b, cells_[x].known)
                                               : note_clash(a, cells_[y].known);
    if (cells_[x].size < cells_[y].size) {
      const variable larger = y;
      y = x, x = larger;
    }
    const bool x_learns = !(both == cells_[x].known), y_learns = !(both == cells_[y].known);
    if (x_learns) update(x, both, by);
    if (y_learns) update(y, both, by);
    if (!x_learns && !y_learns && !is_known(cells_[x].part, both)) wake(y);
    cells_[y].parent = x;
    cells_[x].size += cells_[y].size;
    const variable after = cells_[x].next;  // merges two rings into one
    cells_[x].next = cells_[y].next;
    cells_[y].next = after;
    return true;
  }
  /// The contradiction for which `learn` or `unite` returned false.
  constexpr const clash& last_clash() const { return clash_; }

  /// Schedules a constraint whenever the knowledge about a variable grows.
  constexpr void watch(variable v, std::uint32_t constraint) {
    watchers_.push_back({constraint, cells_[v].watchers});
    cells_[v].watchers = static_cast<std::uint32_t>(watchers_.size());
  }
  /// Adds a constraint to the agenda, unless it is on it.
  constexpr void schedule(std::uint32_t constraint) {
    grow(constraint);
    if (waiting_[constraint] != 0) return;
    waiting_[constraint] = 1;
    (is_late_[constraint] != 0 ? late_ : agenda_).items.push_back(constraint);
  }
  /// Marks a constraint, before it is scheduled, to come after all others.
  constexpr void postpone(std::uint32_t constraint) {
    grow(constraint);
    is_late_[constraint] = 1;
  }
  /// Takes the first constraint off the agenda; false if there is none.
  constexpr bool next(std::uint32_t& constraint) {
    if (!agenda_.take(constraint) && !late_.take(constraint)) return false;
    waiting_[constraint] = 0;
    return true;
  }

 private:
  struct cell {
    variable parent = 0;
    variable next = 0;  // links the members of the class in a ring
    std::uint32_t size = 1;
    std::uint32_t watchers = 0;  // index of the first one + 1; 0: none
    knowledge known;             // valid for representatives
    type_part part = type_part::element_type;
    std::uint32_t dimension = 0;
    value_id owner = value_id::none;
    node_id from = node_id::none;
  };
  struct queue {
    table<std::uint32_t> items;
    std::size_t first = 0;
    constexpr bool take(std::uint32_t& item) {
      if (first == items.size()) return false;
      item = items[first++];
      if (first == items.size()) {
        items.clear();
        first = 0;
      }
      return true;
    }
  };
  struct watcher {
    std::uint32_t constraint = 0;
    std::uint32_t next = 0;  // index of the next one + 1; 0: none
  };

  constexpr void grow(std::uint32_t constraint) {
    while (waiting_.size() <= constraint) {
      waiting_.push_back(0);
      is_late_.push_back(0);
    }
  }
  static constexpr std::uint32_t lowest_bit(std::int64_t bits) {
    std::uint32_t at = 0;
    while (((bits >> at) & 1) == 0) ++at;
    return at;
  }
  constexpr void update(variable root, const knowledge& known, node_id by) {
    cells_[root].known = known;
    variable v = root;
    do {
      cells_[v].from = by;
      v = cells_[v].next;
    } while (v != root);
    wake(root);
  }
  constexpr void wake(variable root) {
    variable v = root;
    do {
      for (std::uint32_t w = cells_[v].watchers; w != 0; w = watchers_[w - 1].next)
        schedule(watchers_[w - 1].constraint);
      v = cells_[v].next;
    } while (v != root);
  }
  constexpr bool note_clash(variable v, const knowledge& demanded) {
    clash_ = {v, cells_[find(v)].known, cells_[v].from, demanded};
    return false;
  }

  table<cell> cells_;
  table<watcher> watchers_;
  queue agenda_, late_;
  table<char> waiting_, is_late_;  // by constraint: 1 if on an agenda; if postponed
  clash clash_;
};

}  // namespace wf::detail
