// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/capture/equations/tree.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/text/text.hpp>
#include <wf/core/text/text_store.hpp>

namespace wf::logic {

/// No entry of a table.
inline constexpr std::uint32_t none = UINT32_MAX;

/// A tensor of a program. A Boolean one is a relation: the set of positions where it holds. Of a
/// numeric one the positions that are absent hold the zero of its sign: 0, or for `min=` and `max=`
/// the infinity that changes nothing.
struct tensor_info {
  text name;                     ///< as written; "#1", ... for values of nested expressions
  bool boolean = false;          ///< a relation
  bool defined = false;          ///< has rules; false: an input
  bool exported = false;         ///< is among the results of a run
  bool temporary = false;        ///< the value of a nested expression
  bool sealed = false;           ///< has rules, and takes no facts beside them
  std::uint32_t part_of = none;  ///< of a temporary: the tensor whose equation has the expression
  bool stepped = false;          ///< has a value for each step of the program's axis of steps
  std::int64_t produced = 0;  ///< of a stepped tensor: the step that its rules compute, where t is
                              ///< the present one; what they read of earlier ones is final
  bool ranked = false;        ///< the rank is known: the tensor was met with its indices
  std::uint32_t rank = 0;     ///< number of positions
  range axes;                 ///< by position: run of `tensor_program::axes_of`
  wf::projection projection = wf::projection::plain;  ///< of its rules
  text combining;                                     ///< the operator of `projection::combined`
  bool idempotent = false;   ///< that operator is: a value changes by nothing that is in it
  double zero = 0;           ///< its neutral number
  std::uint32_t offset = 0;  ///< where it was first met, in characters of the source
};

/// A set of positions that are compared with each other: all of them count the same things.
struct axis_info {
  text name;                     ///< an index that runs along it
  std::int64_t extent = -1;      ///< declared number of positions; -1: none
  std::uint32_t members = none;  ///< a relation of rank 1 that lists its positions; `none`: those
                                 ///< that occur
};

/// What a term of an atom is.
enum class term_kind : std::uint8_t {
  variable,  ///< scale · variable + shift
  constant,  ///< the position `shift`
  symbol,    ///< the position of a symbol
};

/// An entry of the index list of an atom or a head.
struct term {
  /// Selects the members that are used.
  term_kind kind = term_kind::variable;
  std::uint32_t variable = 0;  ///< number within the rule
  std::int64_t scale = 1;      ///< positive
  std::int64_t shift = 0;      ///< added to the variable; or the constant
  text symbol;                 ///< the characters of a symbol
  /// True for a variable as it is.
  constexpr bool is_plain() const {
    return kind == term_kind::variable && scale == 1 && shift == 0;
  }
};

/// An occurrence of a tensor in a rule.
struct atom {
  std::uint32_t tensor = 0;  ///< index into `tensor_program::tensors`
  range terms;               ///< run of `tensor_program::terms`
  std::int64_t step = 0;     ///< of a stepped tensor: relative to the step that is computed
  std::uint32_t offset = 0;  ///< in the source, in characters
};

/// What a node of a scalar expression computes.
enum class scalar_kind : std::uint8_t {
  number,      ///< a constant of the program
  variable,    ///< the position that variable `index` stands for
  joined,      ///< the value of join `index` of the rule
  looked_up,   ///< the value of lookup `index` of the rule; its tensor's zero where it is absent
  sum,         ///< left + right
  difference,  ///< left - right
  product,     ///< left · right
  quotient,    ///< left / right
  negation,    ///< -left
  power,       ///< left to the power of right
  choice,      ///< right if left is not 0, else other
  parity,      ///< 1 if variable `index` is even or odd as `number` is, else 0
  function,    ///< the operator `name` of one to three operands, element by element
  symbol,      ///< the position of the symbol `name` on the axis of variable `index`
};

/// A node of a scalar expression, evaluated for one binding of a rule's variables.
struct scalar_node {
  /// Selects the members that are used.
  scalar_kind kind = scalar_kind::number;
  double number = 0;        ///< the value of a constant
  std::uint32_t index = 0;  ///< number of a variable, join or lookup, within the rule
  /// Operands: indices into `tensor_program::scalars`.
  std::uint32_t left = none, right = none, other = none;
  text name;               ///< of a function or symbol
  range attributes;        ///< of a function: run of `tensor_program::attributes`
  bool monotone = false;   ///< of a function: it grows with each operand
  bool selective = false;  ///< of a function: it gives one of its operands
  bool scales = false;  ///< of a function of two operands: the multiplication of a semiring whose
                        ///< addition is the projection of the rule

  /// True if it reads the position of a variable, whose number is `index`.
  constexpr bool reads_variable() const {
    return kind == scalar_kind::variable || kind == scalar_kind::symbol ||
           kind == scalar_kind::parity;
  }
};

/// How the left side of a comparison relates to the right one where the comparison holds.
enum class comparison_sign : std::uint8_t {
  less,           ///< `[i < j]`
  less_equal,     ///< `[i <= j]`
  greater,        ///< `[i > j]`
  greater_equal,  ///< `[i >= j]`
  equal,          ///< `[i == j]`
  different,      ///< `[i != j]`
};

/// A comparison of two scalar expressions.
struct comparison {
  comparison_sign sign = comparison_sign::less;  ///< what must hold
  std::uint32_t left = 0, right = 0;             ///< indices into `tensor_program::scalars`
};

/// One additive term of the definition of a tensor: for all bindings of the variables by which the
/// joined atoms hold, the negated ones do not and the comparisons hold, the value is contributed to
/// the head. Order of variables: of appearance.
struct rule {
  atom head;  ///< the entry that the rule contributes to
  /// How contributions to one position of the head are combined.
  wf::projection projection = wf::projection::plain;
  range joins;        ///< runs of `tensor_program::atoms`
  range negations;    ///< atoms that must not hold
  range lookups;      ///< atoms whose values are read where they stand, 0 where they are absent
  range comparisons;  ///< run of `tensor_program::comparisons`
  range variables;    ///< their names: run of `tensor_program::variables`
  std::uint32_t value = none;    ///< scalar expression; `none`: 1, or 0 under `min=` and `max=`
  bool initial = false;          ///< defines the first step of a stepped tensor
  std::uint32_t part_of = none;  ///< the tensor whose temperature counts; `none`: that of the head
  std::uint32_t iteration = none;  ///< the iteration whose temperature counts; `none`: the present
                                   ///< one
};

/// A tensor whose entries the program states.
struct tensor_literal {
  std::uint32_t tensor = 0;     ///< its number
  table<std::int64_t> extents;  ///< by position
  table<double> values;         ///< in row-major order
};

/// A file that a program names: a source of an input, or where a result goes.
struct tensor_file {
  text path;                 ///< as the program has it
  std::uint32_t tensor = 0;  ///< number of the tensor
  std::uint64_t top = 0;     ///< of a result: only the so many greatest values of each row; 0: all
};

/// A program of equations as flat tables: rules over tensors whose positions have axes. Attributes
/// of functions refer into the source.
struct tensor_program {
  table<tensor_info> tensors;  ///< by number: as atoms refer to them
  table<rule> rules;           ///< in source order, those of nested expressions before their user
  table<atom> atoms;           ///< of joins, negations and lookups
  table<term> terms;           ///< of heads and atoms
  table<scalar_node> scalars;  ///< operands before their users
  table<comparison> comparisons;  ///< what the bindings of a rule must fulfil
  table<text> variables;  ///< names, rule by rule; a variable's number counts from its rule's first
  /// By variable of `variables`, and by position of a tensor: index into `axes`.
  table<std::uint32_t> axis_of_variable, axes_of;
  table<axis_info> axes;              ///< each with a position or variable at least
  table<attribute_value> attributes;  ///< of functions
  table<tensor_literal> literals;     ///< constants that equations write out
  table<tensor_file> sources;         ///< files of inputs: `T[i] = "path"`
  table<tensor_file> sinks;           ///< files of results: `"path" = T[i]`
  text_store made;                    ///< texts that no source spells

  /// The terms of an atom.
  constexpr view<term> terms_of(const atom& a) const {
    return view<term>(terms).part(a.terms.first, a.terms.count);
  }
  /// True if the terms of an atom are variables as they are, each another one. O(terms²).
  constexpr bool has_plain_variables(const atom& a) const {
    for (std::uint32_t c = 0; c < a.terms.count; ++c) {
      const term& t = terms[a.terms.first + c];
      if (!t.is_plain()) return false;
      for (std::uint32_t other = 0; other < c; ++other)
        if (terms[a.terms.first + other].variable == t.variable) return false;
    }
    return true;
  }
  /// The tensor whose temperature counts for a tensor: itself, or that whose part it is.
  constexpr std::uint32_t owner_of(std::uint32_t tensor) const {
    const std::uint32_t owner = tensors[tensor].part_of;
    return owner != none ? owner : tensor;
  }
  /// The tensor whose temperature counts in a rule.
  constexpr std::uint32_t owner_of(const rule& r) const {
    return r.part_of != none ? r.part_of : owner_of(r.head.tensor);
  }
  /// The sign of the rules of a tensor: "max=", "gcd=".
  constexpr text sign_of(const tensor_info& t) const {
    if (t.projection == projection::combined) return text() << t.combining.view() << '=';
    return text(wf::sign_of(t.projection));
  }
  /// True if `matches(node)` holds for a node of a scalar expression, which may be `none`.
  /// O(size of the expression).
  template <class Match>
  constexpr bool any_scalar(std::uint32_t root, const Match& matches) const {
    if (root == none) return false;
    const scalar_node& n = scalars[root];
    return matches(n) || any_scalar(n.left, matches) || any_scalar(n.right, matches) ||
           any_scalar(n.other, matches);
  }
  /// The number of a tensor by its name, or `none`. O(tensors).
  constexpr std::uint32_t find(text_view name) const {
    for (std::uint32_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].name.view() == name) return i;
    return none;
  }
};

}  // namespace wf::logic
