// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/text/symbol.hpp>
#include <wf/core/text/view.hpp>
#include <wf/formula/language/code.hpp>

namespace wf::detail {

/// Binding powers of operators, as in Python; the conditional operator is loosest, as in C.
enum binding_power : int {
  no_operator = 0,
  condition_power,
  or_power,
  and_power,
  not_power,
  comparison_power,
  sum_power,
  product_power,
  sign_power,
  exponent_power,
};

/// An operator between two operands, with its operation and its length in characters; without an
/// operator the power is `no_operator`.
struct infix_operator {
  formula_op op;
  int power;
  std::uint32_t length;
};

/// Infix operators by their first character: the operator of one character, and the longer one with
/// its second character.
struct infix_table {
  infix_operator single[128]{};
  infix_operator longer[128]{};
  char second[128]{};
};

constexpr infix_table make_infix_table() {
  using enum formula_op;
  infix_table out;
  out.single['*'] = {multiply, product_power, 1};
  out.single['/'] = {divide, product_power, 1};
  out.single['%'] = {modulo, product_power, 1};
  out.single['+'] = {add, sum_power, 1};
  out.single['-'] = {subtract, sum_power, 1};
  out.single['<'] = {less, comparison_power, 1};
  out.single['>'] = {greater, comparison_power, 1};
  out.single['?'] = {skip_if_false, condition_power, 1};
  out.longer['*'] = {power, exponent_power, 2};
  out.longer['/'] = {floor_divide, product_power, 2};
  out.longer['<'] = {less_equal, comparison_power, 2};
  out.longer['>'] = {greater_equal, comparison_power, 2};
  out.longer['='] = {equal, comparison_power, 2};
  out.longer['!'] = {not_equal, comparison_power, 2};
  out.second['*'] = '*';
  out.second['/'] = '/';
  for (const int c : {'<', '>', '=', '!'}) out.second[c] = '=';
  return out;
}

inline constexpr infix_table infixes = make_infix_table();

/// The operators that are words.
inline constexpr infix_operator and_operator{formula_op::and_skip, and_power, 3};
inline constexpr infix_operator or_operator{formula_op::or_skip, or_power, 2};

/// A function of the language, with the operation that it becomes.
struct formula_function {
  text_view name;
  formula_op op = formula_op::skip;
  std::uint32_t least_arguments = 1;
  std::uint32_t most_arguments = 1;
};

/// The `most_arguments` of a function without a limit.
inline constexpr std::uint32_t any_number = UINT32_MAX;

inline constexpr formula_function formula_functions[] = {
    {"min", formula_op::minimum, 2, any_number},
    {"max", formula_op::maximum, 2, any_number},
    {"ceil", formula_op::ceil},
    {"floor", formula_op::floor},
    {"round", formula_op::round},
    {"abs", formula_op::abs},
    {"log2", formula_op::log2},
    {"log", formula_op::log},
    {"sqrt", formula_op::sqrt},
    {"exp", formula_op::exp},
    {"pow", formula_op::power, 2, 2},
    {"sum_over", formula_op::sum, 4, 4},
};

/// The function with a name; none if there is no such function.
constexpr const formula_function* function_named(text_view name) {
  for (const formula_function& function : formula_functions)
    if (function.name == name) return &function;
  return nullptr;
}

/// The words that cannot be names, packed as symbols.
inline constexpr std::uint64_t word_not = make_symbol("not").packed;
inline constexpr std::uint64_t word_and = make_symbol("and").packed;
inline constexpr std::uint64_t word_or = make_symbol("or").packed;

/// True for a packed symbol that is one of these words.
constexpr bool is_keyword(std::uint64_t packed) {
  return packed == word_not || packed == word_and || packed == word_or;
}

}  // namespace wf::detail
