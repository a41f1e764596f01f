// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/ir/type/dtype.hpp>
#include <wf/ir/type/properties.hpp>
#include <wf/ir/type/shape.hpp>

namespace wf {

/// The identity of a node: its position in the graph's node table.
enum class node_id : std::uint32_t { none = 0xffffffff };
/// The identity of a value: its position in the graph's value table.
enum class value_id : std::uint32_t { none = 0xffffffff };

/// Position of a node id in the node table.
constexpr std::uint32_t index_of(node_id id) { return static_cast<std::uint32_t>(id); }
/// Position of a value id in the value table.
constexpr std::uint32_t index_of(value_id id) { return static_cast<std::uint32_t>(id); }

/// Characters in the graph's pool; empty means "none".
using text_ref = range;

/// The type of an operand or result: element type, shape and known properties.
struct value_type {
  /// The element type, `unknown` before inference.
  dtype type = dtype::unknown;
  /// Properties known to hold of a matrix value.
  properties known;
  /// The extents, outermost first.
  wf::shape shape;

  /// True if element type, rank and every extent are known; symbolic extents count as known.
  constexpr bool is_complete() const {
    if (type == dtype::unknown || shape.rank > max_rank) return false;
    for (std::uint32_t d = 0; d < shape.rank; ++d)
      if (shape.extents[d].is_unknown()) return false;
    return true;
  }
  friend constexpr bool operator==(const value_type&, const value_type&) = default;
};

/// A type for messages: "f64[6x6] spd".
constexpr text to_text(const value_type& t) {
  text out;
  out << name_of(t.type) << '[' << to_text(t.shape).view() << ']';
  if (!t.known.empty()) out << ' ' << to_text(t.known).view();
  return out;
}

/// An operator's name in a graph. It is interned once, so that nodes compare operators by a small
/// number, and hashed, so that graphs compare with each other and with the registry without
/// comparing characters.
struct operation {
  std::uint64_t hash = 0;  ///< `hash_text(name)`
  text_ref name;           ///< e.g. "matmul"
  text_ref domain;         ///< e.g. "linalg"
};

/// Side effects of a node.
enum class effect : std::uint8_t {
  pure,      ///< none: the node may be merged, reordered or dropped
  stateful,  ///< reads or writes state of its own
  external,  ///< acts on the outside world
};

/// The name of an effect, as in the text form.
constexpr text_view name_of(effect e) {
  return e == effect::pure ? "pure" : e == effect::stateful ? "stateful" : "external";
}

/// The kind of an attribute's value.
enum class attribute_kind : std::uint8_t {
  integer,   ///< `number`
  rational,  ///< `number` / `denominator`
  real,      ///< a double, in the member of that name
  string,    ///< `characters`
  extent,    ///< an extent in `number` (its code)
};

/// A named parameter of a node, such as stride = 2.
struct attribute {
  /// The attribute's name, unique within its node; may be empty.
  text_ref name;
  /// Selects the members that hold the value.
  attribute_kind kind = attribute_kind::integer;
  /// The integer, the numerator, or the code of an extent.
  std::int64_t number = 0;
  /// The denominator of a rational; positive.
  std::int64_t denominator = 1;
  /// The value of a real attribute.
  double real = 0;
  /// The value of a string attribute.
  text_ref characters;
};

/// A cost that the workflow's author declares for one node, overriding the registry: a formula over
/// the node's symbols, or "unknown".
struct declared_cost {
  /// The metric's name, such as "flops".
  text_ref metric;
  /// The formula over the graph's symbols, or "unknown".
  text_ref formula;
};

/// The source location of a node in the user's program, or its position in a text of equations.
/// Line 0: unknown.
struct source_location_ref {
  /// The source file, spelled as the compiler reports it.
  text_ref file;
  /// The line, from 1; 0: unknown.
  std::uint32_t line = 0;
  /// The column, from 1.
  std::uint32_t column = 0;
};

/// One operation applied to values. All ranges point into the graph's tables.
struct node {
  std::uint32_t op = 0;  ///< index into the graph's operations
  /// Side effects; only pure nodes merge.
  wf::effect effects = effect::pure;
  text_ref name;     ///< the user's name, may be empty
  text_ref peer;     ///< the class of peers that runs it, empty for all
  range inputs;      ///< operands: run of `graph::operands`
  range outputs;     ///< results: run of `graph::values`
  range attributes;  ///< run of `graph::attributes`
  range costs;       ///< run of `graph::costs`
  /// Where the node was written.
  source_location_ref location;
};

/// A datum that flows: a graph input (no producer) or a result of a node.
struct value {
  /// Element type, shape and known properties.
  value_type type;
  text_ref name;                     ///< required and unique for inputs, optional for others
  node_id producer = node_id::none;  ///< `none` for an input of the graph
};

/// The meaning of an edge between two nodes. Data edges are not stored: they follow from operands.
enum class edge_kind : std::uint8_t {
  data,     ///< `to` reads a result of `from`
  control,  ///< `to` runs after `from`
  mutate,   ///< `to` overwrites what `from` reads or wrote, so runs after it
};

/// The name of an edge kind, as in the text form.
constexpr text_view name_of(edge_kind k) {
  return k == edge_kind::data ? "data" : k == edge_kind::control ? "control" : "mutate";
}

/// An ordering constraint between two nodes without a payload.
struct edge {
  /// `control` or `mutate`; stored edges are never `data`.
  edge_kind kind = edge_kind::control;
  /// The node that runs first.
  node_id from = node_id::none;
  /// The node that runs after `from`.
  node_id to = node_id::none;

  friend constexpr bool operator==(const edge&, const edge&) = default;
};

/// A named result of the workflow.
struct output {
  /// The output's name, unique among the outputs.
  text_ref name;
  /// The value that is returned: a graph input or a node's result.
  value_id source = value_id::none;
};

}  // namespace wf
