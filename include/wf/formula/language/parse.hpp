// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/core/text/text.hpp>
#include <wf/formula/language/code.hpp>
#include <wf/formula/language/operators.hpp>
#include <wf/formula/language/scanner.hpp>
#include <wf/formula/number/rational.hpp>

namespace wf {

/// Maximum nesting depth of parentheses, function calls, signs, powers and conditions in a formula:
/// enough for formulas written by hand, and far from the limits of the stack and of both compilers.
inline constexpr int max_formula_depth = 64;

/// Maximum length of a formula, in characters.
inline constexpr std::size_t max_formula_length = 1 << 20;

namespace detail {

/// A Pratt parser (precedence climbing) that emits postfix code. After an error, which the scanner
/// keeps, every function returns false. For its cost in constant evaluation see the scanner.
class formula_parser : formula_scanner {
 public:
  constexpr formula_parser(text_view source, text_position origin, formula& out)
      : formula_scanner(source, origin), out_(out) {
    out_.origin = origin;
  }

  /// Parses the whole text into the formula.
  constexpr bool run() {
    if (size_ > max_formula_length) return fail(errc::formula_syntax, 0, "the text is too long");
    out_.source << text_view(data_, size_);
    out_.code.reserve(size_ < 64 ? size_ : 64);
    advance(0);
    if (at_ == size_) return fail(errc::formula_syntax, 0, "the formula is empty");
    return expression(condition_power) && (at_ == size_ || unexpected());
  }

  using formula_scanner::failure;

 private:
  constexpr void emit(formula_op op, std::size_t operand, std::size_t offset) {
    out_.code.push_back(
        {op, static_cast<std::uint32_t>(operand), static_cast<std::uint32_t>(offset)});
  }

  /// Sets a jump's target to here. The preceding instruction is then not the only predecessor of
  /// the next.
  constexpr void land(std::size_t jump) {
    last_target_ = out_.code.size();
    out_.code[jump].operand = static_cast<std::uint32_t>(last_target_);
  }

  // ---- expressions -------------------------------------------------------------------------

  /// Parses operands joined by operators that bind at least as tightly as `least`.
  constexpr bool expression(int least) {
    if (++depth_ > max_formula_depth)
      return fail(errc::formula_syntax, at_, "the formula nests too deeply (at most 64 levels)");
    if (!operand(least)) return false;
    for (bool compared = false; at_ < size_;) {
      const char first = data_[at_];
      const unsigned char index = first > 0 ? static_cast<unsigned char>(first) : 0;
      const infix_operator& infix = at_ + 1 < size_ && data_[at_ + 1] == infixes.second[index]
                                        ? infixes.longer[index]
                                    : first == 'a' || first == 'o' ? word_operator()
                                                                   : infixes.single[index];
      if (infix.power < least || infix.power == no_operator) break;
      if (infix.power == comparison_power && compared) return chained();
      compared = infix.power == comparison_power;
      if (!(infix.power <= and_power ? lazy_operator(infix) : eager_operator(infix))) return false;
    }
    --depth_;
    return true;
  }

  constexpr bool eager_operator(const infix_operator& infix) {
    const std::size_t offset = at_;
    advance(infix.length);
    // All operators are left-associative except the power.
    if (!expression(infix.power == exponent_power ? exponent_power : infix.power + 1)) return false;
    emit(infix.op, 0, offset);
    return true;
  }

  /// `and`, `or` and the conditional operator evaluate their operands lazily.
  constexpr bool lazy_operator(const infix_operator& infix) {
    const std::size_t offset = at_, jump = out_.code.size();
    advance(infix.length);
    emit(infix.op, 0, offset);
    if (infix.op != formula_op::skip_if_false) {
      if (!expression(infix.power + 1)) return false;
      emit(formula_op::truth, 0, offset);
      land(jump);
      return true;
    }
    if (!expression(condition_power)) return false;
    if (at_ == size_ || data_[at_] != ':')
      return fail(errc::formula_syntax, at_, "expected ':' and the other value of the condition");
    const std::size_t other = out_.code.size();
    emit(formula_op::skip, 0, at_);
    advance(1);
    land(jump);
    if (!expression(condition_power)) return false;
    land(other);
    return true;
  }

  constexpr const infix_operator& word_operator() const {
    return is_word("and") ? and_operator : is_word("or") ? or_operator : infixes.single[0];
  }

  constexpr bool chained() {
    return fail(errc::formula_syntax, at_,
                "comparisons do not chain: write 'a < b and b < c' for 'a < b < c'");
  }

  // ---- operands ----------------------------------------------------------------------------

  constexpr bool operand(int least) {
    if (at_ == size_) return fail(errc::formula_syntax, at_, "expected a value, found the end");
    const unsigned kind = classes.of[static_cast<unsigned char>(data_[at_])];
    if (kind - 1u < 63u) return kind >= 54 ? number() : name(least);
    const std::size_t offset = at_;
    if (data_[at_] == '(') {
      advance(1);
      return expression(condition_power) && close(offset);
    }
    if (data_[at_] != '-' && data_[at_] != '+') return no_value();
    advance(1);
    if (!expression(sign_power)) return false;
    if (data_[offset] == '-') emit(formula_op::negate, 0, offset);
    return true;
  }

  constexpr bool close(std::size_t opened) {
    if (at_ == size_ || data_[at_] != ')') {
      if (at_ < size_ && data_[at_] != ',') return unexpected();
      text message("missing ')' for the '(' at column ");
      message << where(opened).column;
      return fail(errc::formula_syntax, at_, message.view());
    }
    advance(1);
    return true;
  }

  constexpr bool name(int least) {
    const word found = scan_word();
    advance(0);
    if (at_ < size_ && data_[at_] == '(' && !is_keyword(found.packed)) return call(found);
    for (std::size_t i = scopes_; i-- > 0;)
      if (scope_[i] == found.packed) return emit(formula_op::local, i, found.first), true;
    const formula_name* const names = out_.names.data();
    const std::size_t count = out_.names.size();
    std::size_t i = 0;
    while (i < count &&
           (names[i].packed != found.packed || (found.packed == 0 && !same_text(names[i], found))))
      ++i;
    if (i == count && !new_name(found)) return is_keyword(found.packed) && keyword(found, least);
    emit(formula_op::symbol, i, found.first);
    return true;
  }

  constexpr bool same_text(const formula_name& known, const word& found) const {
    return text_view(data_ + known.first, known.size) == text_of(found);
  }

  constexpr bool new_name(const word& found) {
    if (is_keyword(found.packed)) return false;
    if (data_[found.first + found.size - 1] == '.')
      return fail(errc::formula_syntax, found.first, "a name may not end with a dot");
    out_.names.push_back({found.packed, static_cast<std::uint32_t>(found.first),
                          static_cast<std::uint32_t>(found.size)});
    return true;
  }

  constexpr bool keyword(const word& found, int least) {
    if (found.packed != word_not) {
      text message("expected a value before '");
      message << text_of(found) << "'";
      return fail(errc::formula_syntax, found.first, message.view());
    }
    if (least > not_power)
      return fail(errc::formula_syntax, found.first,
                  "write parentheses around 'not' and its operand");
    if (!expression(not_power)) return false;
    emit(formula_op::logical_not, 0, found.first);
    return true;
  }

  // ---- calls -------------------------------------------------------------------------------

  constexpr bool call(const word& found) {
    const text_view wanted = text_of(found);
    if (const formula_function* const function = function_named(wanted))
      return function->op == formula_op::sum ? sum_call(*function, found)
                                             : plain_call(*function, found);
    table<text_view> known;
    for (const formula_function& function : formula_functions) known.push_back(function.name);
    return fail(errc::unknown_symbol, found.first,
                unknown_name_message("function", wanted, known).view());
  }

  constexpr bool plain_call(const formula_function& function, const word& found) {
    const std::size_t opened = at_++;
    std::uint32_t arguments = 0;
    advance(0);
    while (at_ < size_ && (data_[at_] != ')' || arguments != 0)) {
      if (!expression(condition_power)) return false;
      if (++arguments > 1 && arguments <= function.most_arguments)
        emit(function.op, 0, found.first);
      if (at_ == size_ || data_[at_] != ',') break;
      ++at_;
      advance(0);
    }
    if (!close(opened)) return false;
    if (arguments < function.least_arguments || arguments > function.most_arguments)
      return wrong_arity(function, found, arguments);
    if (function.most_arguments == 1) emit_unary(function.op, found.first);
    return true;
  }

  constexpr bool wrong_arity(const formula_function& function, const word& found,
                             std::uint32_t arguments) {
    text message;
    message << "'" << function.name << "' takes "
            << (function.most_arguments == any_number ? "at least " : "")
            << function.least_arguments
            << (function.least_arguments == 1 ? " argument, not " : " arguments, not ");
    if (arguments == any_number)
      message << "more";
    else
      message << arguments;
    return fail(errc::wrong_arity, found.first, message.view());
  }

  /// Rounding applied directly to a logarithm or root is one instruction, exact for irrational
  /// values.
  constexpr void emit_unary(formula_op op, std::size_t offset) {
    using enum formula_op;
    const bool rounds = op == ceil || op == floor;
    if (rounds && last_target_ != out_.code.size() && !out_.code.empty()) {
      formula_op& inner = out_.code.back().op;
      if (inner == log2 || inner == sqrt) {
        out_.code.back().offset = static_cast<std::uint32_t>(offset);
        inner = inner == log2 ? (op == ceil ? ceil_log2 : floor_log2)
                              : (op == ceil ? ceil_sqrt : floor_sqrt);
        return;
      }
    }
    emit(op, 0, offset);
  }

  /// Parses sum_over(variable, first, last, term).
  constexpr bool sum_call(const formula_function& function, const word& found) {
    const std::size_t opened = at_++;
    advance(0);
    const std::size_t variable_at = at_;
    const bool named = at_ < size_ && here() - 1u < 53u;
    const word variable = named ? scan_word() : word{};
    if (!named || variable.packed == 0 || is_keyword(variable.packed))
      return fail(
          errc::formula_syntax, variable_at,
          "the first argument of 'sum_over' is a variable of at most 10 letters and digits");
    advance(0);
    std::size_t jump = 0;
    for (std::uint32_t argument = 1; argument < 4; ++argument) {
      if (at_ < size_ && data_[at_] == ')') return wrong_arity(function, found, argument);
      if (at_ == size_ || data_[at_] != ',') return close(opened) && false;
      ++at_;
      advance(0);
      if (argument == 3) {
        jump = out_.code.size();
        emit(formula_op::sum, 0, found.first);
        scope_[scopes_++] = variable.packed;
      }
      if (!expression(condition_power)) return false;
    }
    --scopes_;
    land(jump);
    if (at_ < size_ && data_[at_] == ',') return wrong_arity(function, found, any_number);
    return close(opened);
  }

  // ---- numbers -----------------------------------------------------------------------------

  constexpr bool number() {
    const std::size_t first = at_;
    std::uint32_t value = 0;
    if (!scan_integer(value)) return literal();
    emit(formula_op::integer, value, first);
    advance(0);
    return true;
  }

  constexpr bool literal() {
    const std::size_t first = at_;
    rational value;
    if (!scan_number(value)) return false;
    emit(formula_op::constant, static_cast<std::uint32_t>(out_.constants.size()), first);
    out_.constants.push_back(value);
    advance(0);
    return true;
  }

  // ---- errors ------------------------------------------------------------------------------

  constexpr bool no_value() {
    text message("expected a value, found '");
    message << data_[at_] << "'";
    return fail(errc::formula_syntax, at_, message.view());
  }

  /// Reports a token after a complete expression that cannot continue it.
  constexpr bool unexpected() {
    const char c = data_[at_];
    text message;
    if (c == ')') {
      message << "this ')' closes nothing";
    } else if (c == '^') {
      message << "'^' is not an operator: a power is written '**'";
    } else if (c == '&' || c == '|' || c == '!') {
      message << "'" << c << "' is not an operator: write 'and', 'or', 'not' or '!='";
    } else if (c == '=') {
      message << "'=' is not an operator: equality is written '=='";
    } else {
      message << "expected an operator or the end, found '";
      message << (class_of(c) - 1u < 64u ? rest_of_word() : text_view(data_ + at_, 1)) << "'";
    }
    return fail(errc::formula_syntax, at_, message.view());
  }

  int depth_ = 0;
  std::size_t last_target_ = SIZE_MAX;
  formula& out_;
  std::size_t scopes_ = 0;  // number of enclosing sums, and their packed variables
  std::uint64_t scope_[max_formula_depth]{};
};

}  // namespace detail

/// Parses a formula.
///
/// The language, loosest first: `c ? a : b`; `or`; `and`; `not`; the comparisons `< <= > >= == !=`,
/// which do not chain; `+ -`; `* / // %`; signs; `**`, which groups to the right. As in Python,
/// `//` is floor division, `%` has the sign of the divisor, and -2**2 is -4. Truth is 1, falsehood
/// 0, and any number but 0 is true. Functions: `min`, `max` (two or more arguments), `ceil floor
/// round abs log2 log sqrt exp` (one), `pow` (two) and `sum_over(i, lo, hi, e)`, the sum of `e` for
/// i = lo, lo + 1, ..., hi. Names have letters, digits, underscores and, inside, dots.
///
/// Numbers are exact: `0.1` is 1/10 and `1e9` an integer. A unit may follow directly; the base
/// units are the byte (`B KiB MiB GiB KB MB GB`), the hertz (`Hz kHz MHz GHz`) and the nanosecond
/// (`ns us ms s`), so `8KiB` is 8192 and `2us` is 2000.
///
/// Errors: `formula_syntax`, `wrong_arity`, `unknown_symbol` (of a function), `unit_mismatch` and
/// `overflow` (of a literal), with their position; `origin` is the position of `source` in a larger
/// text. O(length), and O(length * distinct names) where there are many.
constexpr result<formula> parse_formula(text_view source, text_position origin = {1, 1, 0}) {
  result<formula> out;
  detail::formula_parser parser(source, origin, *out);
  if (!parser.run()) return parser.failure();
  return out;
}

}  // namespace wf
