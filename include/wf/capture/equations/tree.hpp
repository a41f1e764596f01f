// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/graph.hpp>

namespace wf {

/// The kind of a node of a parsed equation.
enum class equation_kind : std::uint8_t {
  number,      ///< a literal
  symbol,      ///< a symbolic constant: `'Central'`
  reference,   ///< a name, possibly with indices: `A[i,j]`
  call,        ///< an operator applied to arguments: `relu(X)`; or a relation: `Parent(x,y)`
  sum,         ///< a + b
  difference,  ///< a - b
  product,     ///< a b, or a * b
  quotient,    ///< a / b
  negation,    ///< minus a
  reduction,   ///< `reduce(max, k) a`
  complement,  ///< `!R(i)`: 1 where the relation does not hold
  comparison,  ///< `[i < j]`: 1 where the comparison holds
};

/// The kind of an entry of an index list.
enum class index_kind : std::uint8_t {
  axis,     ///< a named index, perhaps shifted: `i`, `i+1`
  number,   ///< one position: `0`
  symbol,   ///< one position by its symbol: `'Central'`
  slice,    ///< positions from `first` to before `last`: `0:2`, `::2`
  initial,  ///< the first position of an axis of steps: `t=0`
};

/// An entry of an index list; texts refer into the source.
struct index_term {
  /// Selects the members that are used.
  index_kind kind = index_kind::axis;
  bool streams = false;  ///< `*t`: the axis is stepped through, not stored
  bool dotted = false;   ///< `q.`: the axis that a normalising operator works along
  bool has_first = false, has_last = false;  ///< bounds that a slice states
  text_view name;          ///< the axis; the characters of a symbol; the text of a slice
  std::int64_t shift = 0;  ///< what is added to the index; the position of a number or initial
  std::int64_t first = 0, last = 0, step = 1;  ///< of a slice, in elements
  std::uint32_t offset = 0;                    ///< start in the source, in characters
  /// True for a name without anything else.
  constexpr bool is_plain() const {
    return kind == index_kind::axis && !streams && !dotted && shift == 0;
  }
};

/// A node of a parsed equation; texts refer into the source.
struct equation_node {
  /// Selects the members that are used.
  equation_kind kind = equation_kind::number;
  /// The name of a reference, the operator of a call, reduction or comparison, or the characters of
  /// a symbol.
  text_view name;
  /// The value of a literal.
  double number = 0;
  /// True if a reference has an index list, even an empty one: `s[]`.
  bool labelled = false;
  range children;            ///< operands: run of `equation_program::children`
  range indices;             ///< indices: run of `equation_program::indices`
  range attributes;          ///< a call's attributes: run of `equation_program::attributes`
  std::uint32_t offset = 0;  ///< start in the source, in characters
};

/// The effect of a statement on the workflow.
enum class equation_statement_kind : std::uint8_t {
  input,       ///< declares an input
  definition,  ///< defines a name
  exported,    ///< makes a name an output
  opaque,      ///< declares an opaque function
  axis,        ///< says how far an index runs: `axis i = 10`, or `axis i : Node`
};

/// How a definition combines the values of its right side over the indices that are not on its
/// left.
enum class projection : std::uint8_t {
  plain,    ///< `=`: a sum, or "for some" where the left side is Boolean
  sum,      ///< `+=`: all values are added
  maximum,  ///< `max=`
  minimum,  ///< `min=`
  mean,     ///< `avg=`
};

/// The sign of a projection: "=", "+=", "max=".
constexpr text_view sign_of(projection p) {
  constexpr text_view signs[] = {"=", "+=", "max=", "min=", "avg="};
  return signs[static_cast<std::size_t>(p)];
}

/// A statement of an equation program; texts refer into the source.
struct equation_statement {
  /// Selects the members that are used.
  equation_statement_kind kind = equation_statement_kind::definition;
  /// The name that is declared, defined or exported.
  text_view name;
  /// True if the left side of a definition has indices.
  bool labelled = false;
  /// True if they stand in parentheses: the left side is Boolean.
  bool boolean = false;
  /// The sign of a definition.
  wf::projection projection = wf::projection::plain;
  range indices;             ///< the indices of the left side
  std::uint32_t root = 0;    ///< the right side of a definition: index into `nodes`
  value_type type;           ///< the type of an input; of an axis its shape, one extent
  text_view function;        ///< the name of an opaque function: `module.fn`; the relation that
                             ///< lists the positions of an axis
  text_view signature;       ///< operands and results of the function, as in the signature of a
                             ///< kernel
  range costs;               ///< its costs: run of `equation_program::costs`
  bool pure = false;         ///< true if the function has no side effects
  std::uint32_t offset = 0;  ///< start in the source, in characters
};

/// A parsed equation program, as flat tables. Texts refer into the source.
struct equation_program {
  table<equation_statement> statements;  ///< in source order
  table<equation_node> nodes;            ///< children before parents
  table<std::uint32_t> children;         ///< indices into `nodes`
  table<index_term> indices;             ///< of references, reductions and left sides
  table<attribute_value> attributes;     ///< attributes of calls
  table<cost_formula> costs;             ///< costs of opaque functions
};

}  // namespace wf
