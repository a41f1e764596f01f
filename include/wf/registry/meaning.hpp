// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/text/view.hpp>

namespace wf {

/// The mathematical meaning of an operator, for rules that match several nodes: the producer of an
/// operand, the consumer of a result. A rule recognizes operators by their meaning and their laws,
/// never by name, so a user's operator that states a meaning is treated like the built-in one. Each
/// enumerator states the operands and attributes; `x` and `y` are elements of the first and second
/// operand, which broadcast.
enum class meaning : std::uint8_t {
  other,  ///< no meaning that a rule asks for
  // Elementwise.
  constant,        ///< one number, in the attribute `value`
  addition,        ///< x + y
  subtraction,     ///< x - y
  multiplication,  ///< x y
  division,        ///< x / y
  negation,        ///< the negative of x
  magnitude,       ///< |x|
  square,          ///< x x
  square_root,     ///< the root of x, which must not be negative
  exponential,     ///< e to the power x
  power,           ///< x to the power y
  logarithm,       ///< the natural logarithm of x, which must be positive
  conjunction,     ///< x and y
  disjunction,     ///< x or y
  complement,      ///< not x
  choice,          ///< three operands: the second where the first holds, else the third
  conversion,      ///< x in the element type that `dtype` states
  probability,     ///< a value in [0, 1] computed by exponentials of the first operand; it may
                   ///< underflow to 0
  // Movement of elements.
  identity,       ///< the first operand itself
  copy,           ///< the operand in its own storage
  reshape,        ///< the same elements in the shape d0, d1, ...
  repetition,     ///< the operand broadcast to the shape d0, d1, ...
  permutation,    ///< dimension i is dimension p<i> of the operand
  transposition,  ///< the last two dimensions swapped
  rearrangement,  ///< dimensions permuted by the text `equation`: "ij->ji"
  slice,          ///< `length` elements of dimension `axis`, from index `start`
  padding,        ///< `before` and `after` zeros around the elements of dimension `axis`
  concatenation,  ///< the operands concatenated along dimension `axis`
  parts,          ///< equal parts of dimension `axis`, one per result
  // Reductions along the dimension `axis`, or over all elements.
  total,    ///< their sum
  mean,     ///< their mean
  largest,  ///< their maximum
  // Matrices.
  product,  ///< the product of two matrices, or of a matrix and a vector
  inverse,  ///< the inverse of a matrix without a structure that makes it cheap
  // Machines.
  sending,     ///< the first operand to the machines of the second one; the first result is the
               ///< value there, the second one its sender, the third one the request's number here
  receiving,   ///< no operand; the value that arrives, and its sender
  membership,  ///< the machines of the operand, as members of the class in the attribute `class`
  admission,   ///< the first operand and the second one, the machine that sent it; or nothing, and
               ///< what depends on them does not run
  permission,  ///< those machines of the second operand that the first one may be sent to
  expiry,      ///< a trigger if the first operand can be sent to the machines of the second one in
               ///< time, by the attribute `deadline_budget` (nanoseconds); else nothing
  arrival,     ///< a trigger when the operand is there; its elements are not read
  collection,  ///< the first operand as each machine of the second one has it, along a new first
               ///< dimension in their order
};

/// The name of a meaning in kernel files; empty for `other`.
constexpr text_view name_of(meaning m) {
  constexpr const char* names[] = {"",
                                   "constant",
                                   "addition",
                                   "subtraction",
                                   "multiplication",
                                   "division",
                                   "negation",
                                   "magnitude",
                                   "square",
                                   "square_root",
                                   "exponential",
                                   "power",
                                   "logarithm",
                                   "conjunction",
                                   "disjunction",
                                   "complement",
                                   "choice",
                                   "conversion",
                                   "probability",
                                   "identity",
                                   "copy",
                                   "reshape",
                                   "repetition",
                                   "permutation",
                                   "transposition",
                                   "rearrangement",
                                   "slice",
                                   "padding",
                                   "concatenation",
                                   "parts",
                                   "total",
                                   "mean",
                                   "largest",
                                   "product",
                                   "inverse",
                                   "sending",
                                   "receiving",
                                   "membership",
                                   "admission",
                                   "permission",
                                   "expiry",
                                   "arrival",
                                   "collection"};
  return names[static_cast<std::size_t>(m)];
}

/// Number of meanings, `other` included.
inline constexpr std::size_t meaning_count = static_cast<std::size_t>(meaning::collection) + 1;

/// Number of operands of a meaning: exact, except for `identity`, `concatenation` and
/// `probability`, where it is the minimum. A kernel with another number is refused.
constexpr std::uint32_t operands_of(meaning m) {
  switch (m) {
    case meaning::other:
    case meaning::constant:
    case meaning::receiving:
      return 0;
    case meaning::addition:
    case meaning::subtraction:
    case meaning::multiplication:
    case meaning::division:
    case meaning::power:
    case meaning::conjunction:
    case meaning::disjunction:
    case meaning::product:
    case meaning::sending:
    case meaning::admission:
    case meaning::permission:
    case meaning::expiry:
    case meaning::collection:
      return 2;
    case meaning::choice:
      return 3;
    default:
      return 1;
  }
}

/// True if an operator of a meaning may have this number of operands and results, or from these
/// numbers on.
constexpr bool has_arity(meaning m, std::size_t operands, std::size_t results,
                         bool more_operands = false, bool more_results = false) {
  if (m == meaning::other) return true;
  const std::uint32_t least = operands_of(m);
  const bool is_open =
      m == meaning::identity || m == meaning::concatenation || m == meaning::probability;
  const std::size_t made = m == meaning::sending                                ? 3
                           : m == meaning::receiving || m == meaning::admission ? 2
                                                                                : 1;
  return (is_open ? operands >= least : operands == least && !more_operands) &&
         (m == meaning::parts ? results > 0 : results == made && !more_results);
}

}  // namespace wf
