// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/text_store.hpp>
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
  power,       ///< `a ** b`, of reals
  choice,      ///< `case { c -> a; default -> b }`: conditions and values in turn, then perhaps a
               ///< default, which is 0 otherwise; the first condition that is not 0 counts
  parity,      ///< `even(i)`, `odd(i)`: 1 at the even or odd positions of its index, else 0
  string,      ///< `"text"`
  absent,      ///< `none`
  list,        ///< `[1, 2]`
  dictionary,  ///< `{"k": 1}`: keys and values in turn
  keyword,     ///< an argument of a call by its name that is no attribute: `mask = M[i]`
  entry,       ///< an entry of an index list as an argument of a relation: `R(*t, 0:2)`
};

/// What a kind of node is called in messages: "a sum".
constexpr text_view name_of(equation_kind kind) {
  constexpr text_view names[] = {"a number",
                                 "a symbol",
                                 "a reference",
                                 "a call",
                                 "a sum",
                                 "a difference",
                                 "a product",
                                 "a quotient",
                                 "a negation",
                                 "a reduction",
                                 "a complement",
                                 "a comparison",
                                 "a power",
                                 "a choice",
                                 "an index function",
                                 "a string",
                                 "none",
                                 "a list",
                                 "a dictionary",
                                 "an argument by name",
                                 "an index that is more than a name"};
  return names[static_cast<std::size_t>(kind)];
}

/// The kind of an entry of an index list.
enum class index_kind : std::uint8_t {
  axis,     ///< a named index, perhaps shifted: `i`, `i+1`
  number,   ///< one position: `0`
  slice,    ///< positions from `first` to before `last`: `0:2`, `::2`
  symbol,   ///< one position by its symbol: `'Central'`
  initial,  ///< the first position of an axis of steps: `t=0`
  rest,     ///< `...`: all leading dimensions, in the definition of an operator
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
  /// The name of a reference or argument, the operator of a call, reduction, comparison or parity,
  /// or the characters of a symbol or string.
  text_view name;
  /// The value of a literal.
  double number = 0;
  /// True if a reference has an index list, even an empty one: `s[]`.
  bool labelled = false;
  range children;            ///< operands: run of `equation_program::children`; a call has those
                             ///< by name last
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
  source,      ///< reads a name from a file: `T[i] = "path"`
  sink,        ///< writes an expression to a file: `"path" = T[i]`
  parameter,   ///< declares an input without its shape: `param n : f64`
  repetition,  ///< says how a name that is defined by itself begins and ends: `repeat x = b until
               ///< 100, 1e-9`
};

/// How a definition combines the values of its right side over the indices that are not on its
/// left.
enum class projection : std::uint8_t {
  plain,     ///< `=`: a sum, or "for some" where the left side is Boolean
  sum,       ///< `+=`: values that differ in these indices are added
  maximum,   ///< `max=`
  minimum,   ///< `min=`
  mean,      ///< `avg=`
  combined,  ///< `gcd=`: by an operator of two operands, which the statement names
};

/// The sign of a projection: "=", "+=", "max="; "" for that of an operator.
constexpr text_view sign_of(projection p) {
  constexpr text_view signs[] = {"=", "+=", "max=", "min=", "avg=", ""};
  return signs[static_cast<std::size_t>(p)];
}

/// What a projection does with the values that it combines: "sum", "max".
constexpr text_view name_of(projection p) {
  constexpr text_view names[] = {"sum", "sum", "max", "min", "mean", "fold"};
  return names[static_cast<std::size_t>(p)];
}

/// True for `max=` and `min=`: of several values one stays.
constexpr bool is_extreme(projection p) {
  return p == projection::maximum || p == projection::minimum;
}

/// True for a projection under which the terms of a sum are contributions of their own.
constexpr bool adds_terms(projection p) {
  return p == projection::plain || p == projection::sum || p == projection::mean;
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
  /// True if the values of all definitions of the name are added, even those that `max=` or `avg=`
  /// project; otherwise these combine by their sign.
  bool adds = false;
  range indices;           ///< the indices of the left side
  std::uint32_t root = 0;  ///< the right side of a definition or sink: index into `nodes`
  text_view path;          ///< the file of a source or sink
  value_type type;         ///< the type of an input or parameter; of an axis its shape, one extent;
                           ///< of a repetition likewise the number of rounds
  double tolerance = 0;    ///< of a repetition
  text_view function;      ///< the name of an opaque function: `module.fn`; the relation that
                           ///< lists the positions of an axis; the first value of a repetition;
                           ///< the operator that combines: `gcd=`
  text_view signature;     ///< operands and results of the function, as in the signature of a
                           ///< kernel
  range costs;             ///< its costs: run of `equation_program::costs`
  bool pure = false;       ///< true if the function has no side effects
  std::uint32_t offset = 0;  ///< start in the source, in characters
};

/// A parsed equation program, as flat tables. Texts refer into the source, or to what `made` owns.
struct equation_program {
  table<equation_statement> statements;  ///< in source order
  table<equation_node> nodes;            ///< children before parents
  table<std::uint32_t> children;         ///< indices into `nodes`
  table<index_term> indices;             ///< of references, reductions and left sides
  table<attribute_value> attributes;     ///< attributes of calls
  table<cost_formula> costs;             ///< costs of opaque functions
  text_store made;                       ///< names that no source spells, and imported texts
};

}  // namespace wf
