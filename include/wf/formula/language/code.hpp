// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/core/text/text.hpp>
#include <wf/formula/number/rational.hpp>

namespace wf {

/// Opcodes of formulas. A formula is postfix code: operands push a value, operators replace their
/// operands by the result, skips jump forward.
enum class formula_op : std::uint8_t {
  integer,        ///< pushes `operand` itself
  constant,       ///< pushes `constants[operand]`
  symbol,         ///< pushes the value of `names[operand]`
  local,          ///< pushes the variable of enclosing sum number `operand`; 0 is the outermost
  add,            ///< a + b
  subtract,       ///< a - b
  multiply,       ///< a * b
  divide,         ///< a / b
  floor_divide,   ///< floor(a / b)
  modulo,         ///< a - b * floor(a / b)
  power,          ///< a ** b
  less,           ///< 1 if a < b, else 0
  less_equal,     ///< 1 if a <= b, else 0
  greater,        ///< 1 if a > b, else 0
  greater_equal,  ///< 1 if a >= b, else 0
  equal,          ///< 1 if a == b, else 0
  not_equal,      ///< 1 if a != b, else 0
  minimum,        ///< the minimum of a and b
  maximum,        ///< the maximum of a and b
  negate,         ///< the negative of a
  logical_not,    ///< 1 if a is 0, else 0
  truth,          ///< 0 if a is 0, else 1
  ceil,           ///< the smallest integer that is at least a
  floor,          ///< the largest integer that is at most a
  round,          ///< the nearest integer, ties to even
  abs,            ///< the absolute value
  log2,           ///< the logarithm to base 2
  log,            ///< the natural logarithm
  sqrt,           ///< the square root
  exp,            ///< the exponential
  ceil_log2,      ///< ceil(log2(a)), exact also where log2(a) is irrational
  floor_log2,     ///< floor(log2(a)), exact also where log2(a) is irrational
  ceil_sqrt,      ///< ceil(sqrt(a)), exact also where sqrt(a) is irrational
  floor_sqrt,     ///< floor(sqrt(a)), exact also where sqrt(a) is irrational
  and_skip,       ///< if the top is 0, jumps to `operand` with 0 on the stack, else pops it
  or_skip,        ///< if the top is not 0, jumps to `operand` with 1 on the stack, else pops it
  skip_if_false,  ///< pops the condition; if it is 0, jumps to `operand`
  skip,           ///< jumps to `operand`
  sum,            ///< pops two bounds and pushes the sum, over them, of the code up to `operand`
};

/// One instruction of a formula. (No member initialisers, here and in `formula_name`: a table of
/// trivial records needs no constructor calls in constant evaluation.)
struct formula_instruction {
  /// The operation.
  formula_op op;
  /// A number, an index or a jump target, depending on `op`.
  std::uint32_t operand;
  /// Position for error messages: offset in characters from the start of the source text.
  std::uint32_t offset;
  friend constexpr bool operator==(const formula_instruction&,
                                   const formula_instruction&) = default;
};

/// One distinct symbol of a formula.
struct formula_name {
  /// The name packed as a symbol; 0 if it is too long for one or has a dot.
  std::uint64_t packed;
  /// Offset in characters of its first occurrence in the source text.
  std::uint32_t first;
  /// Length of the name in characters.
  std::uint32_t size;
  friend constexpr bool operator==(const formula_name&, const formula_name&) = default;
};

/// A parsed formula as input of evaluation; the owner of the tables must outlive it.
struct formula_view {
  /// The postfix code.
  view<formula_instruction> code;
  /// The literals that are not small integers.
  view<rational> constants;
  /// The distinct symbols in the order of their first use.
  view<formula_name> names;
  /// The text that was parsed.
  text_view source;
  /// The position of `source` in the enclosing text.
  text_position origin{1, 1, 0};

  /// The name of symbol number `index`.
  constexpr text_view name(std::size_t index) const {
    return source.part(names[index].first, names[index].size);
  }
  /// The position in the enclosing text of an offset of `source`. O(offset).
  constexpr text_position where(std::size_t offset) const;
};

/// A parsed formula; a regular value, as `parse_formula` returns it.
struct formula {
  /// The postfix code.
  table<formula_instruction> code;
  /// The literals that are not small integers.
  table<rational> constants;
  /// The distinct symbols in the order of their first use.
  table<formula_name> names;
  /// The text that was parsed.
  text source;
  /// The position of `source` in the enclosing text.
  text_position origin{1, 1, 0};

  /// The view for evaluation, valid as long as this formula.
  constexpr operator formula_view() const {
    return {view<formula_instruction>(code.data(), code.size()),
            view<rational>(constants.data(), constants.size()),
            view<formula_name>(names.data(), names.size()), text_view(source.data(), source.size()),
            origin};
  }
  friend constexpr bool operator==(const formula&, const formula&) = default;
};

/// A formula of known size as a literal type, for `constexpr` variables.
template <std::size_t Code, std::size_t Constants, std::size_t Names, std::size_t Source>
struct frozen_formula {
  /// The postfix code.
  frozen_table<formula_instruction, Code> code;
  /// The literals that are not small integers.
  frozen_table<rational, Constants> constants;
  /// The distinct symbols in the order of their first use.
  frozen_table<formula_name, Names> names;
  /// The characters of the text that was parsed.
  frozen_table<char, Source> source;

  /// The view for evaluation, valid as long as this object.
  constexpr operator formula_view() const {
    return {view<formula_instruction>(code.data(), Code),
            view<rational>(constants.data(), Constants), view<formula_name>(names.data(), Names),
            text_view(source.data(), Source)};
  }
};

namespace detail {

/// Maps a position in an inner text to the outer text in which it starts at `origin`.
constexpr text_position shifted(text_position origin, text_position inner) {
  return {origin.line + inner.line - 1,
          inner.line == 1 ? origin.column + inner.column - 1 : inner.column,
          origin.offset + inner.offset};
}

template <class T, std::size_t N>
constexpr frozen_table<T, N> freeze(view<T> records) {
  frozen_table<T, N> out;
  for (std::size_t i = 0; i < N; ++i) out[i] = records[i];
  return out;
}

}  // namespace detail

constexpr text_position formula_view::where(std::size_t offset) const {
  return detail::shifted(origin, position_at(source, offset));
}

}  // namespace wf
