// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/graph/view.hpp>

namespace wf {

/// How bad a finding is.
enum class severity : std::uint8_t {
  note,     ///< worth a look
  warning,  ///< most likely not what its author means
  error,    ///< must not go on
};

/// The name of a severity: "warning".
constexpr text_view name_of(severity s) {
  return s == severity::note ? "note" : s == severity::warning ? "warning" : "error";
}

/// What a lint looks for. `name_of` gives the stable name of a rule, `reason_of` why it exists.
enum class lint_rule : std::uint8_t {
  unused_input,             ///< an input that nothing reads and that is no output
  dead_node,                ///< a pure node that no output and no effect needs
  shadowed_name,            ///< one name for two different things
  unknown_operator,         ///< an operator without kernel
  unknown_cost,             ///< a node whose price in a metric that is asked for is unknown
  precision_round_trip,     ///< a narrowing cast that is widened again
  low_precision_sum,        ///< a long accumulation in too few digits
  integer_quotient,         ///< the quotient of integers as a floating-point number
  mixed_precision,          ///< operands of different precision
  cancellation,             ///< a variance as a difference of mean squares
  explicit_inverse,         ///< a product with an inverse instead of a solution
  overflowing_exponential,  ///< exponentials of what is not shifted by its maximum
  log_of_softmax,           ///< the logarithm of a probability that may underflow
  unguarded_domain,         ///< a root or logarithm of a difference, or a division by one
  malformed_graph,          ///< a graph that refers to what does not exist; never left out
};

/// How many rules there are.
inline constexpr std::size_t lint_rule_count = 15;

namespace detail {
struct lint_rule_row {
  text_view name;
  severity usual;
  text_view reason;
};
inline constexpr lint_rule_row lint_rule_rows[lint_rule_count] = {
    {"unused_input", severity::warning,
     "callers must provide what has no influence; often another input was meant"},
    {"dead_node", severity::warning,
     "it costs, and changes nothing; often an output was forgotten"},
    {"shadowed_name", severity::warning,
     "reports, messages and run-time arguments speak of names: one that stands for two things "
     "misleads"},
    {"unknown_operator", severity::warning, "it can neither be priced nor checked nor executed"},
    {"unknown_cost", severity::warning, "it makes every sum that it enters unknown, too"},
    {"precision_round_trip", severity::warning,
     "the digits that the narrow type drops do not come back; without the casts it is exact"},
    {"low_precision_sum", severity::warning,
     "each of n additions rounds, so the relative error is bounded by n times the unit roundoff of "
     "the element type only (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section "
     "4.2); sums in 16 bits also stop growing once an addend is below half a unit"},
    {"integer_quotient", severity::warning,
     "a division of integers drops the fraction before the conversion could keep it"},
    {"mixed_precision", severity::warning,
     "the result has the type of the wider operand but the digits of the narrower one; it is paid "
     "for in the wider one"},
    {"cancellation", severity::warning,
     "the mean of squares and the squared mean agree in most digits where the spread is small, so "
     "their difference has few left and may be negative (Chan, Golub, LeVeque, Algorithms for "
     "computing the sample variance, 1983)"},
    {"explicit_inverse", severity::warning,
     "solving a system needs a third of the operations and its backward error is small, that of a "
     "product with the inverse need not be (Higham, 2002, section 14.1)"},
    {"overflowing_exponential", severity::warning,
     "exp overflows for moderate operands (89 in f32, 11 in f16), though the quotient or logarithm "
     "is harmless; subtracting the maximum first changes nothing else"},
    {"log_of_softmax", severity::warning,
     "a small probability underflows to 0, whose logarithm is minus infinity; the logarithm of the "
     "normalised exponential can be formed without it"},
    {"unguarded_domain", severity::note,
     "rounding may make a difference of nearly equal numbers zero or negative, where the root, the "
     "logarithm or the quotient is none"},
    {"malformed_graph", severity::error,
     "nothing can be said of a graph whose parts refer to what is not there"}};
}  // namespace detail

/// The stable name of a rule: "unused_input".
constexpr text_view name_of(lint_rule r) {
  return detail::lint_rule_rows[static_cast<std::size_t>(r)].name;
}
/// Why a rule exists, in one sentence.
constexpr text_view reason_of(lint_rule r) {
  return detail::lint_rule_rows[static_cast<std::size_t>(r)].reason;
}
/// How bad a rule's findings are, unless options say otherwise.
constexpr severity severity_of(lint_rule r) {
  return detail::lint_rule_rows[static_cast<std::size_t>(r)].usual;
}

/// Some rules: `lint_rule_set(lint_rule::dead_node) | lint_rule::unused_input`.
struct lint_rule_set {
  /// Bit `r` is set if the rule of number `r` is in the set.
  std::uint32_t bits = 0;

  constexpr lint_rule_set() = default;
  /// One rule.
  constexpr lint_rule_set(lint_rule r) : bits(1u << static_cast<unsigned>(r)) {}
  /// Every rule.
  static constexpr lint_rule_set all() {
    lint_rule_set out;
    out.bits = (1u << lint_rule_count) - 1;
    return out;
  }
  /// True if the rule is in the set.
  constexpr bool has(lint_rule r) const { return ((bits >> static_cast<unsigned>(r)) & 1) != 0; }
  /// The rules of both.
  friend constexpr lint_rule_set operator|(lint_rule_set a, lint_rule_set b) {
    a.bits |= b.bits;
    return a;
  }
  friend constexpr bool operator==(lint_rule_set, lint_rule_set) = default;
};

/// Something that a lint found.
struct finding {
  wf::severity severity = severity::warning;  ///< how bad it is
  lint_rule rule = lint_rule::unused_input;   ///< the rule that found it
  node_id node = node_id::none;               ///< the node it is about; none: see `value`
  value_id value = value_id::none;            ///< the value it is about, if it is no node
  text subject;                               ///< the name of that node or value
  text message;                               ///< what is wrong, in one sentence
  text file;                                  ///< where the node was written: the file
  std::uint32_t line = 0;                     ///< the line in it, from 1; 0: unknown
  std::uint32_t column = 0;                   ///< the column, from 1

  friend constexpr bool operator==(const finding&, const finding&) = default;
};

/// What a lint found: about inputs in their order, then nodes in theirs, then outputs; of one node
/// in the order of the rules.
struct findings {
  text workflow;        ///< the name of the workflow
  table<finding> list;  ///< what was found

  /// True if nothing was found.
  constexpr bool empty() const { return list.empty(); }
  /// How many findings are at least as bad.
  constexpr std::size_t count(severity least) const {
    std::size_t n = 0;
    for (const finding& f : list)
      if (f.severity >= least) ++n;
    return n;
  }
  friend constexpr bool operator==(const findings&, const findings&) = default;
};

/// One line, as compilers write it: "model.cpp:12:3: warning: node 'h' ... [dead_node]"; without a
/// place in a program the name of the workflow comes first.
constexpr text to_text(const finding& f, text_view workflow) {
  text out;
  if (f.line != 0)
    out << f.file.view() << ':' << f.line << ':' << f.column;
  else if (!f.file.empty())
    out << f.file.view();
  else
    out << (workflow.empty() ? text_view("workflow") : workflow);
  return out << ": " << name_of(f.severity) << ": " << f.message.view() << " [" << name_of(f.rule)
             << ']';
}

/// A line for each finding.
constexpr text to_text(const findings& all) {
  text out;
  for (const finding& f : all.list) out << to_text(f, all.workflow.view()).view() << '\n';
  return out;
}

/// The first finding that is an error as `lint_failed`, with its line and column; an error of code
/// `none` if there is none: what a step returns that lets only clean workflows pass.
constexpr error error_of(const findings& all) {
  for (const finding& f : all.list) {
    if (f.severity != severity::error) continue;
    text message = f.message;
    message << " [" << name_of(f.rule) << ']';
    return make_error(errc::lint_failed, f.subject.view(), message.view(), {f.line, f.column, 0});
  }
  return {};
}

}  // namespace wf
