// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/core/text/text.hpp>
#include <wf/formula/language/code.hpp>
#include <wf/formula/language/domain.hpp>
#include <wf/formula/language/operators.hpp>
#include <wf/formula/number/enclosure.hpp>
#include <wf/formula/number/rational.hpp>
#include <wf/formula/polynomial/polynomial.hpp>
#include <wf/formula/polynomial/summation.hpp>

namespace wf {

/// A symbol's name with its value.
struct binding {
  /// The symbol's name as formulas write it.
  text_view name;
  /// The value of the symbol.
  rational value;
};

/// A callable that finds the value of a symbol: `lookup(name, out)` is false if there is none. If
/// it also has `known()`, a `table<text_view>` of all names, messages for an unknown symbol suggest
/// the nearest.
template <class Lookup, class Number>
concept symbol_lookup = requires(const Lookup& lookup, text_view name, Number& out) {
  { lookup(name, out) } -> std::same_as<bool>;
};

/// Maximum number of instructions, in total, that sums without a closed form may execute in one
/// evaluation. It is the same at compile time and at run time, so that both give the same answer,
/// and keeps constant evaluation within the compilers' default limits.
inline constexpr std::uint32_t max_sum_instructions = 40000;

/// A lookup in a list of bindings. O(bindings) per symbol.
class binding_lookup {
 public:
  /// Looks up in `bindings`, which must outlive this object.
  constexpr explicit binding_lookup(view<binding> bindings) : bindings_(bindings) {}

  /// Finds the value of `name`.
  template <class Number>
  constexpr bool operator()(text_view name, Number& out) const {
    const binding* const candidates = bindings_.data();
    const std::size_t count = bindings_.size();
    std::size_t i = 0;
    while (i < count && !(candidates[i].name == name)) ++i;
    return i < count && (out = Number(candidates[i].value), true);
  }
  /// The names of all bindings.
  constexpr table<text_view> known() const {
    table<text_view> names;
    for (const binding& candidate : bindings_) names.push_back(candidate.name);
    return names;
  }

 private:
  view<binding> bindings_;
};

namespace detail {

/// The resolved value of a formula's symbol.
template <class Number>
struct symbol_value {
  Number value;
  bool known = false;
};

/// The values of the distinct symbols of a formula, each looked up once. A symbol without a value
/// is an error only where it is used.
template <class Number, class Lookup>
constexpr table<symbol_value<Number>> resolve_symbols(const formula_view& source,
                                                      const Lookup& lookup) {
  table<symbol_value<Number>> out(source.names.size());
  for (std::size_t i = 0; i < source.names.size(); ++i)
    out[i].known = lookup(source.name(i), out[i].value);
  return out;
}

/// Executes the code of a formula over a number domain; one machine serves exact numbers and
/// polynomials alike. Symbols are resolved outside, so that it compiles once for all lookups. It
/// runs in constant evaluation, where clang counts statements and calls but not expressions; the
/// functions that see every instruction are written accordingly.
template <class Number>
class formula_machine {
 public:
  constexpr formula_machine(const formula_view& source, table<symbol_value<Number>>&& symbols)
      : source_(source),
        symbols_(static_cast<table<symbol_value<Number>>&&>(symbols)),
        code_(source.code.data()) {
    if (source.code.size() > longest_small) stack_.reserve(source.code.size());
  }

  /// Evaluates the whole formula and leaves its value at *stack().
  constexpr errc run() {
    return execute(0, static_cast<std::uint32_t>(source_.code.size()), stack());
  }

  /// The error of `run`; `known` are the available symbols, if the lookup lists them.
  constexpr error explain(const table<text_view>& known) const;

  /// The stack slot of the first operand.
  constexpr Number* stack() { return source_.code.size() > longest_small ? stack_.data() : small_; }

  /// Evaluates the term of a sum with its variable as a symbol within the bounds, inside the
  /// enclosing sums, and stores the closed form of the sum in *top.
  constexpr errc closed_sum(std::uint32_t first, std::uint32_t last, const polynomial& low,
                            const polynomial& high, Number* top) {
    const std::size_t slot = locals_.size(), depth = ranges_.size();
    const symbol variable = bound_variable(slot);
    if (!closed_form_holds(low, high, ranges_)) return errc::not_polynomial;
    ranges_.push_back({variable, low, high});
    locals_.push_back(Number(variable));
    errc code = execute(first, last, top);
    locals_.resize(slot);  // after an error inner ones may remain
    ranges_.resize(depth);
    if (code == errc::none) code = sum_polynomial(*top, variable, low, high, *top);
    return code;
  }

  table<Number> locals_;     // the values of the variables of the enclosing sums
  table<sum_range> ranges_;  // bounds of those that are symbols

 private:
  // m nested sums hold 2m bounds with 3m instructions, other operators at most one value per two;
  // so n instructions need at most (2n + 1) / 3 slots.
  static constexpr std::size_t longest_small = 7;
  static constexpr std::size_t small_stack = 5;

  constexpr errc fail(errc code, std::uint32_t at) {
    if (failure_ == errc::none) failed_at_ = at;
    return failure_ = code;
  }

  /// Executes the instructions [at, last) and stores their one value in *top.
  constexpr errc execute(std::uint32_t at, std::uint32_t last, Number* top) {
    for (; at < last; ++at) {
      const formula_instruction step = code_[at];
      const errc code = step.op <= formula_op::local     ? push(step, *top++)
                        : step.op <= formula_op::maximum ? (--top, binary(step.op, top[-1], *top))
                        : step.op <= formula_op::floor_sqrt ? unary(step.op, top[-1])
                        : step.op == formula_op::sum        ? (--top, sum(at, top - 1))
                                                            : jump(step, top, at);
      if (code != errc::none) return fail(code, at);
      if (step.op == formula_op::sum) at = step.operand - 1;
    }
    return errc::none;
  }

  constexpr errc push(const formula_instruction& step, Number& top) {
    if (step.op == formula_op::symbol) {
      top = symbols_[step.operand].value;
      return symbols_[step.operand].known ? errc::none : errc::unknown_symbol;
    }
    // Separate statements: g++ 12 releases the temporaries of a conditional expression wrongly
    // while compiling.
    if (step.op == formula_op::integer) {
      top = Number(step.operand);
    } else if (step.op == formula_op::constant) {
      top = Number(source_.constants[step.operand]);
    } else {
      top = locals_[step.operand];
    }
    return errc::none;
  }

  constexpr errc binary(formula_op op, Number& a, const Number& b) {
    using enum formula_op;
    return op == multiply       ? wf::multiply(a, b, a)
           : op == add          ? wf::add(a, b, a)
           : op == subtract     ? wf::subtract(a, b, a)
           : op == divide       ? wf::quotient(a, b, a)
           : op == floor_divide ? wf::floor_divide(a, b, a)
           : op == modulo       ? wf::modulo(a, b, a)
           : op == power        ? wf::power(a, b, a)
                                : comparison(op, a, b);
  }

  constexpr errc comparison(formula_op op, Number& a, const Number& b) {
    using enum formula_op;
    int sign = 0;
    if constexpr (std::same_as<Number, enclosure>)
      if (op == minimum || op == maximum) return wf::extreme(op == maximum, a, b, a);
    const errc code = wf::compare(a, b, sign);
    if (op == minimum || op == maximum) {
      if ((op == minimum) == (sign > 0)) a = b;
      return code;
    }
    const bool holds = op == less            ? sign < 0
                       : op == less_equal    ? sign <= 0
                       : op == greater       ? sign > 0
                       : op == greater_equal ? sign >= 0
                       : op == equal         ? sign == 0
                                             : sign != 0;
    a = Number(holds ? 1 : 0);
    return code;
  }

  constexpr errc truth_of(const Number& a, bool& out) {
    int sign = 0;
    const errc code = wf::compare(a, Number(0), sign);
    out = sign != 0;
    return code;
  }

  constexpr errc unary(formula_op op, Number& a) {
    if (op == formula_op::negate) return wf::negate(a, a);
    if (op != formula_op::logical_not && op != formula_op::truth) return wf::apply(op, a, a);
    bool holds = false;
    const errc code = truth_of(a, holds);
    a = Number(holds == (op == formula_op::truth) ? 1 : 0);
    return code;
  }

  constexpr errc jump(const formula_instruction& step, Number*& top, std::uint32_t& at) {
    bool taken = true;
    if (step.op != formula_op::skip) {
      bool holds = false;
      if (const errc code = truth_of(*--top, holds); code != errc::none) return code;
      taken = holds == (step.op == formula_op::or_skip);
      if (taken && step.op != formula_op::skip_if_false) *top++ = Number(holds ? 1 : 0);
    }
    if (taken) at = step.operand - 1;
    return errc::none;
  }

  /// Sums the code after `at` over the bounds at top[0] and top[1]; the sum replaces top[0].
  constexpr errc sum(std::uint32_t at, Number* top) {
    const std::uint32_t last = code_[at].operand;
    rational low, high, length;
    const bool known = known_value(top[0], low) && known_value(top[1], high);
    if (known) {
      if (!low.is_integer() || !high.is_integer()) return errc::wrong_arity;
      if (high < low) return *top = Number(0), errc::none;
      if (wf::subtract(high, low, length) != errc::none) return errc::overflow;
      if (length.numerator < 16) return add_terms(at, low.numerator, high.numerator, top);
    }
    errc code = errc::none;
    if constexpr (std::same_as<Number, polynomial>) {
      code = closed_sum(at + 1, last, top[0], top[1], top + 2);
      if (code == errc::none) top[0] = static_cast<polynomial&&>(top[2]);
    } else {
      code = lifted_sum(at + 1, last, top);
    }
    if (code == errc::none || !known) return code;
    failure_ = errc::none;  // continues without the closed form
    return add_terms(at, low.numerator, high.numerator, top);
  }

  constexpr errc add_terms(std::uint32_t at, int128 low, int128 high, Number* top) {
    const std::uint32_t last = code_[at].operand;
    *top = Number(0);
    locals_.push_back(Number(0));
    for (int128 k = low; k <= high; ++k) {
      work_ += last - at;
      if (work_ > max_sum_instructions) return errc::formula_limit;
      locals_.back() = Number(k);
      if (const errc code = execute(at + 1, last, top + 1); code != errc::none) return code;
      if (const errc code = wf::add(*top, top[1], *top); code != errc::none) return code;
    }
    locals_.pop_back();
    return errc::none;
  }

  /// Evaluates the term as a polynomial in the variable and sums that; the sum replaces top[0].
  constexpr errc lifted_sum(std::uint32_t first, std::uint32_t last, Number* top) {
    table<symbol_value<polynomial>> lifted;
    bool fractions = true;
    const auto lift = [&fractions](const Number& value) {
      rational fraction;
      fractions = fractions && known_value(value, fraction);
      return polynomial(fraction);
    };
    for (const symbol_value<Number>& s : symbols_) lifted.push_back({lift(s.value), s.known});
    formula_machine<polynomial> machine(source_,
                                        static_cast<table<symbol_value<polynomial>>&&>(lifted));
    for (const Number& value : locals_) machine.locals_.push_back(lift(value));
    if (!fractions) return errc::not_polynomial;
    polynomial* const sum = machine.stack();
    const errc code = machine.closed_sum(first, last, lift(top[0]), lift(top[1]), sum);
    if (code != errc::none) return code;
    rational value;
    if (!known_value(*sum, value)) return errc::not_polynomial;
    top[0] = Number(value);
    return code;
  }

  const formula_view& source_;
  table<symbol_value<Number>> symbols_;
  const formula_instruction* code_;
  Number small_[small_stack]{};
  table<Number> stack_;  // used if small_ does not suffice
  errc failure_ = errc::none;
  std::uint32_t failed_at_ = 0;  // index of the instruction
  std::uint32_t work_ = 0;       // instructions executed by sums term by term
};

/// The name of an operation in messages.
constexpr text_view operation_name(formula_op op) {
  using enum formula_op;
  constexpr text_view names[] = {
      "number", "number", "symbol", "variable", "+",     "-",   "*",    "/",   "//",      "%",
      "**",     "<",      "<=",     ">",        ">=",    "==",  "!=",   "min", "max",     "-",
      "not",    "and/or", "ceil",   "floor",    "round", "abs", "log2", "log", "sqrt",    "exp",
      "ceil",   "floor",  "ceil",   "floor",    "and",   "or",  "?",    ":",   "sum_over"};
  return names[static_cast<std::size_t>(op)];
}

constexpr text evaluation_message(errc code, formula_op op, bool encloses) {
  text out;
  const text_view name = operation_name(op);
  if (code == errc::division_by_zero) {
    out << "division by zero in '" << name << "'";
  } else if (code == errc::overflow) {
    out << "the exact result of '" << name << "' does not fit 128 bits";
  } else if (code == errc::undecided) {
    out << "the operands of '" << name << "' are no fractions, and their bounds do not decide it";
  } else if (code == errc::no_exact_value && encloses) {
    out << "the result of '" << name << "' is not a real number";
  } else if (code == errc::no_exact_value) {
    out << "the result of '" << name << "' is not a rational number";
    if (op == formula_op::log2 || op == formula_op::sqrt)
      out << "; 'ceil(" << name << "(...))' and 'floor(" << name << "(...))' are exact";
  } else if (code == errc::not_polynomial) {
    out << "the result of '" << name << "' is not a polynomial in the symbols";
  } else if (code == errc::wrong_arity) {
    out << "the bounds of 'sum_over' must be integers";
  } else if (op == formula_op::sum) {
    out << "'sum_over' has no closed form here and too many terms to add one by one";
  } else {
    out << "the result of '" << name
        << "' has too many symbols in a term (12), too high an exponent (15), or too many terms";
  }
  return out;
}

template <class Number>
constexpr error formula_machine<Number>::explain(const table<text_view>& known) const {
  const formula_instruction& step = code_[failed_at_];
  const text_position where = source_.where(step.offset);
  if (failure_ != errc::unknown_symbol)
    return make_error(failure_, "",
                      evaluation_message(failure_, step.op, std::same_as<Number, enclosure>).view(),
                      where);
  const text_view name = source_.name(step.operand);
  text message = unknown_name_message("symbol", name, known);
  if (function_named(name) != nullptr)
    message << " (the function is written '" << name << "(...)')";
  return make_error(failure_, "", message.view(), where);
}

/// Evaluates a formula over a number domain; all public functions call it.
template <class Number, class Lookup>
constexpr result<Number> evaluate_as(const formula_view& source, const Lookup& lookup) {
  formula_machine<Number> machine(source, resolve_symbols<Number>(source, lookup));
  if (machine.run() == errc::none) return static_cast<Number&&>(*machine.stack());
  table<text_view> known;
  if constexpr (requires { lookup.known(); }) known = lookup.known();
  return machine.explain(known);
}

/// Rounds up a formula's value that is no fraction, from its bounds. Symbols are looked up as
/// fractions, so that callers need no second kind of lookup. Errors: `undecided`, and those of the
/// formula.
template <class Lookup>
constexpr result<rational> evaluate_rounded_up(const formula_view& source, const Lookup& lookup) {
  const table<symbol_value<rational>> known = resolve_symbols<rational>(source, lookup);
  table<symbol_value<enclosure>> symbols(known.size());
  for (std::size_t i = 0; i < known.size(); ++i)
    symbols[i] = {enclosure(known[i].value), known[i].known};
  formula_machine<enclosure> machine(source, static_cast<decltype(symbols)&&>(symbols));
  if (machine.run() != errc::none) return machine.explain({});
  enclosure& value = *machine.stack();
  if (const errc code = apply(formula_op::ceil, value, value); code != errc::none)
    return make_error(code, "", "the bounds of the value do not tell the next integer");
  return value.exact;
}

}  // namespace detail

/// The exact value of a formula.
///
/// Evaluation is lazy: the branch not taken by a condition, and the right side of a decided `and`
/// or `or`, may contain anything. Irrational functions have a value only where it is rational:
/// sqrt(16), log2(8), log(1), exp(0), 8 ** (1/3). But `ceil(log2(e))`, `floor(log2(e))`,
/// `ceil(sqrt(e))` and `floor(sqrt(e))`, written directly so, are exact for every e. A sum uses a
/// closed form if its term is a polynomial in the variable.
///
/// Errors, with the position of the operation: `unknown_symbol` (with the nearest known name),
/// `division_by_zero`, `overflow` (a result, or a sum over the common denominator, does not fit 128
/// bits), `no_exact_value`, `wrong_arity` (a sum over bounds that are not integers),
/// `formula_limit` (a sum without closed form is too long). O(instructions * lookup).
template <symbol_lookup<rational> Lookup>
constexpr result<rational> evaluate(const formula_view& source, const Lookup& lookup) {
  return detail::evaluate_as<rational>(source, lookup);
}

/// The exact value of a formula for a list of bindings. Errors as with a lookup; a symbol without a
/// binding is `unknown_symbol`.
constexpr result<rational> evaluate(const formula_view& source, view<binding> bindings = {}) {
  return evaluate(source, binding_lookup(bindings));
}

}  // namespace wf
