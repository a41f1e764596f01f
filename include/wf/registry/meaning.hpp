// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/text/view.hpp>

namespace wf {

/// What an operator computes, as far as rules that look at several nodes have to know it: what
/// makes an operand, what a result goes to. A rule knows operators by this and by their laws, never
/// by their names, so an operator of the user's that states a meaning is read as the built-in one.
/// Operands and attributes are those that the enumerator tells; `x`, `y` are elements of the first
/// and second operand, which broadcast.
enum class meaning : std::uint8_t {
  other,  ///< something that no rule asks for
  // Element by element.
  constant,        ///< one number, in the attribute `value`
  addition,        ///< x + y
  subtraction,     ///< x - y
  multiplication,  ///< x y
  division,        ///< x / y
  negation,        ///< the opposite of x
  magnitude,       ///< |x|
  square,          ///< x x
  square_root,     ///< the root of x, which must not be negative
  exponential,     ///< e to the power of x
  logarithm,       ///< the natural logarithm of x, which must be positive
  conjunction,     ///< x and y
  disjunction,     ///< x or y
  complement,      ///< not x
  choice,          ///< of three operands the second where x holds, the third where it does not
  conversion,      ///< x in the element type that `dtype` states
  probability,     ///< between 0 and 1, by exponentials of the operand: it may become 0
  // Movement of elements.
  identity,       ///< the first operand itself
  copy,           ///< the operand in storage of its own
  reshape,        ///< the same elements in the shape d0, d1, ...
  repetition,     ///< the operand, as it broadcasts to the shape d0, d1, ...
  permutation,    ///< dimension i is dimension p<i> of the operand
  transposition,  ///< the last two dimensions change places
  rearrangement,  ///< dimensions as the text `equation` says: "ij->ji"
  slice,          ///< `length` elements of dimension `axis` from `start` on
  padding,        ///< `before` and `after` zeros around the elements of dimension `axis`
  concatenation,  ///< the operands behind one another along dimension `axis`
  parts,          ///< equal parts of dimension `axis`, as many as there are results
  // Many elements to one, along the dimension `axis`, or all of them.
  total,    ///< their sum
  mean,     ///< their mean
  largest,  ///< the largest one
  // Matrices.
  product,  ///< the product of matrices, or of a matrix and a vector
  inverse,  ///< the inverse of a matrix without structure that makes it cheap
};

/// The name of a meaning, as files of kernels spell it; none for `other`.
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
                                   "inverse"};
  return names[static_cast<std::size_t>(m)];
}

/// How many meanings there are, `other` included.
inline constexpr std::size_t meaning_count = static_cast<std::size_t>(meaning::inverse) + 1;

/// How many operands an operator of a meaning takes, at least (and exactly, but for `identity` and
/// `concatenation`): a kernel that takes others is refused.
constexpr std::uint32_t operands_of(meaning m) {
  switch (m) {
    case meaning::other:
    case meaning::constant:
      return 0;
    case meaning::addition:
    case meaning::subtraction:
    case meaning::multiplication:
    case meaning::division:
    case meaning::conjunction:
    case meaning::disjunction:
    case meaning::concatenation:
    case meaning::product:
      return 2;
    case meaning::choice:
      return 3;
    default:
      return 1;
  }
}

/// True if an operator of a meaning takes that many operands and gives that many results.
constexpr bool has_arity(meaning m, std::size_t operands, std::size_t results) {
  if (m == meaning::other) return true;
  const std::uint32_t least = operands_of(m);
  const bool is_open = m == meaning::identity || m == meaning::concatenation;
  return (is_open ? operands >= least : operands == least) &&
         (m == meaning::parts ? results > 0 : results == 1);
}

}  // namespace wf
