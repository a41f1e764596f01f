// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/core/text/text.hpp>
#include <wf/formula/language/code.hpp>
#include <wf/formula/number/function.hpp>
#include <wf/formula/number/rational.hpp>

namespace wf {

/// Maximum nesting depth of parentheses, function calls, signs, powers and conditions in a formula:
/// enough for formulas written by hand, and far from the limits of the stack and of both compilers.
inline constexpr int max_formula_depth = 64;

/// Maximum length of a formula, in characters.
inline constexpr std::size_t max_formula_length = 1 << 20;

namespace detail {

/// Character classes of the scanner: 0 none, 1 to 63 the code of a character of a name (54 to 63
/// the digits), 64 a dot, 128 a space.
struct character_classes {
  unsigned char of[256]{};
};

constexpr character_classes classify_characters() {
  character_classes out;
  for (int c = 0; c < 128; ++c)
    out.of[c] = static_cast<unsigned char>(symbol_code(static_cast<char>(c)));
  out.of[static_cast<int>('.')] = 64;
  for (const char space : {' ', '\t', '\n', '\r'}) out.of[static_cast<int>(space)] = 128;
  return out;
}

inline constexpr character_classes classes = classify_characters();

inline constexpr std::uint64_t word_not = make_symbol("not").packed;
inline constexpr std::uint64_t word_and = make_symbol("and").packed;
inline constexpr std::uint64_t word_or = make_symbol("or").packed;

constexpr unsigned class_of(char c) { return classes.of[static_cast<unsigned char>(c)]; }

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

struct formula_function {
  text_view name;
  formula_op op = formula_op::skip;
  std::uint32_t least_arguments = 1;
  std::uint32_t most_arguments = 1;
};

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

struct formula_unit {
  text_view name;
  std::int64_t factor = 1;
};

/// The base units are the byte, the hertz and the nanosecond, as in wf/core/units.hpp.
inline constexpr formula_unit formula_units[] = {
    {"B", 1},      {"KiB", 1 << 10}, {"MiB", 1 << 20},    {"GiB", 1 << 30},
    {"KB", 1000},  {"MB", 1000000},  {"GB", 1000000000},  {"Hz", 1},
    {"kHz", 1000}, {"MHz", 1000000}, {"GHz", 1000000000}, {"ns", 1},
    {"us", 1000},  {"ms", 1000000},  {"s", 1000000000},
};

/// A Pratt parser (precedence climbing) that emits postfix code. After an error, which the members
/// hold, every function returns false.
///
/// It runs in constant evaluation, where clang counts statements and calls but not expressions; the
/// functions that see every token are written accordingly.
class formula_parser {
 public:
  constexpr formula_parser(text_view source, position origin, formula& out)
      : data_(source.data()), size_(source.size()), out_(out) {
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

  constexpr error failure() const {
    return make_error(code_, "", message_.view(), where(failed_at_));
  }

 private:
  struct word {
    std::size_t first;
    std::size_t size;
    std::uint64_t packed;  // 0 if the word does not fit a symbol
  };

  constexpr position where(std::size_t offset) const {
    return shifted(out_.origin, position_at(text_view(data_, size_), offset));
  }

  constexpr bool fail(errc code, std::size_t offset, text_view message) {
    if (code_ == errc::none) {
      code_ = code;
      failed_at_ = offset;
      message_ = text(message);
    }
    return false;
  }

  constexpr text_view text_of(const word& found) const { return {data_ + found.first, found.size}; }

  /// The class of the current character, which must exist.
  constexpr unsigned here() const { return classes.of[static_cast<unsigned char>(data_[at_])]; }

  /// Advances by `count` characters and skips the following spaces.
  constexpr void advance(std::size_t count) {
    for (at_ += count; at_ < size_ && classes.of[static_cast<unsigned char>(data_[at_])] == 128;)
      ++at_;
  }

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

  static constexpr infix_operator and_operator{formula_op::and_skip, and_power, 3};
  static constexpr infix_operator or_operator{formula_op::or_skip, or_power, 2};

  constexpr const infix_operator& word_operator() const {
    return is_word("and") ? and_operator : is_word("or") ? or_operator : infixes.single[0];
  }

  constexpr bool is_word(text_view wanted) const {
    const std::size_t end = at_ + wanted.size();
    return text_view(data_ + at_, size_ - at_).starts_with(wanted) &&
           (end == size_ || classes.of[static_cast<unsigned char>(data_[end])] - 1u >= 64u);
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

  constexpr word scan_word() {
    word out{at_, 0, 0};
    unsigned seen = 0, code = 0;
    while (at_ < size_ && (code = classes.of[static_cast<unsigned char>(data_[at_])]) - 1u < 64u)
      out.packed |= out.size < max_symbol_length ? std::uint64_t{code} << (6 * out.size) : 0,
          seen |= code, ++out.size, ++at_;
    if ((seen & 64) != 0 || out.size > max_symbol_length) out.packed = 0;
    return out;
  }

  constexpr bool name(int least) {
    const word found = scan_word();
    advance(0);
    if (at_ < size_ && data_[at_] == '(' && !is_keyword(found)) return call(found);
    for (std::size_t i = scopes_; i-- > 0;)
      if (scope_[i] == found.packed) return emit(formula_op::local, i, found.first), true;
    const formula_name* const names = out_.names.data();
    const std::size_t count = out_.names.size();
    std::size_t i = 0;
    while (i < count &&
           (names[i].packed != found.packed || (found.packed == 0 && !same_text(names[i], found))))
      ++i;
    if (i == count && !new_name(found)) return is_keyword(found) && keyword(found, least);
    emit(formula_op::symbol, i, found.first);
    return true;
  }

  constexpr bool same_text(const formula_name& known, const word& found) const {
    return text_view(data_ + known.first, known.size) == text_of(found);
  }

  constexpr bool new_name(const word& found) {
    if (is_keyword(found)) return false;
    if (data_[found.first + found.size - 1] == '.')
      return fail(errc::formula_syntax, found.first, "a name may not end with a dot");
    out_.names.push_back({found.packed, static_cast<std::uint32_t>(found.first),
                          static_cast<std::uint32_t>(found.size)});
    return true;
  }

  constexpr bool is_keyword(const word& found) const {
    return found.packed == word_not || found.packed == word_and || found.packed == word_or;
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
    for (const formula_function& function : formula_functions)
      if (function.name == wanted)
        return function.op == formula_op::sum ? sum_call(function, found)
                                              : plain_call(function, found);
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
    if (!named || variable.packed == 0 || is_keyword(variable))
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
    unsigned kind = 0;
    while (at_ < size_ && (kind = classes.of[static_cast<unsigned char>(data_[at_])]) - 54u < 10u)
      value = value * 10 + (kind - 54u), ++at_;
    if (at_ - first >= 10 || (at_ < size_ && kind - 1u < 64u)) return at_ = first, long_number();
    emit(formula_op::integer, value, first);
    advance(0);
    return true;
  }

  constexpr bool long_number() {
    const std::size_t first = at_;
    int128 mantissa = 0;
    int exponent = 0;
    if (!digits(mantissa)) return too_large(first);
    if (at_ < size_ && data_[at_] == '.') {
      const std::size_t point = at_++;
      if (!digits(mantissa)) return too_large(first);
      if (at_ == point + 1)
        return fail(errc::formula_syntax, point, "expected digits after the point");
      exponent = -static_cast<int>(at_ - point - 1);
    }
    if (at_ < size_ && (data_[at_] == 'e' || data_[at_] == 'E') && exponent_follows()) {
      const bool negative = data_[++at_] == '-';
      if (negative || data_[at_] == '+') ++at_;
      int128 written = 0;
      if (!digits(written) || written > 9999) return too_large(first);
      exponent += negative ? -static_cast<int>(written) : static_cast<int>(written);
    }
    rational value(mantissa), scale;
    if (mantissa != 0 && (power(rational(10), rational(exponent), scale) != errc::none ||
                          multiply(value, scale, value) != errc::none))
      return too_large(first);
    if (!suffix(first, value)) return false;
    emit(formula_op::constant, static_cast<std::uint32_t>(out_.constants.size()), first);
    out_.constants.push_back(value);
    advance(0);
    return true;
  }

  /// Appends the decimal digits at the current position to `value`; false on overflow.
  constexpr bool digits(int128& value) {
    bool fits = true;
    for (; at_ < size_ && here() - 54u < 10u; ++at_)
      fits = fits && checked_multiply(value, int128{10}, value) &&
             checked_add(value, static_cast<int128>(here() - 54u), value);
    return fits;
  }

  constexpr bool exponent_follows() const {
    std::size_t digit = at_ + 1;
    if (digit < size_ && (data_[digit] == '+' || data_[digit] == '-')) ++digit;
    return digit < size_ && class_of(data_[digit]) - 54u < 10u;
  }

  constexpr bool too_large(std::size_t first) {
    return fail(errc::overflow, first, "the number does not fit 128 bits exactly");
  }

  constexpr bool suffix(std::size_t first, rational& value) {
    if (at_ == size_ || here() - 1u >= 64u) return true;
    const std::size_t offset = at_;
    const word found = scan_word();
    const text_view wanted = text_of(found);
    for (const formula_unit& unit : formula_units)
      if (unit.name == wanted)
        return multiply(value, rational(unit.factor), value) == errc::none || too_large(first);
    table<text_view> known;
    for (const formula_unit& unit : formula_units) known.push_back(unit.name);
    text message = unknown_name_message("unit", wanted, known);
    message << " (a product is written with '*')";
    return fail(errc::unit_mismatch, offset, message.view());
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

  constexpr text_view rest_of_word() const {
    std::size_t end = at_;
    while (end < size_ && class_of(data_[end]) - 1u < 64u) ++end;
    return {data_ + at_, end - at_};
  }

  const char* data_;
  std::size_t size_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::size_t last_target_ = SIZE_MAX;
  formula& out_;
  std::size_t scopes_ = 0;  // number of enclosing sums, and their packed variables
  std::uint64_t scope_[max_formula_depth]{};
  errc code_ = errc::none;
  std::size_t failed_at_ = 0;
  text message_;
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
constexpr result<formula> parse_formula(text_view source, position origin = {1, 1, 0}) {
  result<formula> out;
  detail::formula_parser parser(source, origin, *out);
  if (!parser.run()) return parser.failure();
  return out;
}

}  // namespace wf
