// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/graph/view.hpp>

namespace wf {

/// The severity of a finding, in ascending order.
enum class severity : std::uint8_t {
  note,     ///< worth a look
  warning,  ///< probably not intended
  error,    ///< must be fixed before the workflow is used
};

/// The name of a severity: "warning".
constexpr text_view name_of(severity s) {
  return s == severity::note ? "note" : s == severity::warning ? "warning" : "error";
}

/// The rules of the lint. `name_of` gives the stable name of a rule, `reason_of` its rationale.
enum class lint_rule : std::uint8_t {
  unused_input,             ///< an input that is neither read nor an output
  dead_node,                ///< a pure node that no output and no effect depends on
  shadowed_name,            ///< one name for two different entities
  unknown_operator,         ///< an operator without a kernel
  unknown_cost,             ///< a node with an unknown price in a requested metric
  precision_round_trip,     ///< a narrowing cast followed by a widening one
  low_precision_sum,        ///< a long accumulation with too few digits
  integer_quotient,         ///< a quotient of integers converted to floating point
  mixed_precision,          ///< operands of different precision
  cancellation,             ///< a variance computed as a difference of mean squares
  explicit_inverse,         ///< a product with an inverse instead of a solve
  overflowing_exponential,  ///< exponentials of values not shifted by their maximum
  log_of_softmax,           ///< the logarithm of a probability that may underflow
  unguarded_domain,         ///< a root or logarithm of a difference, or a division by one
  malformed_graph,          ///< a graph with invalid references; never left out
};

/// Number of rules.
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
/// The rationale of a rule, in one sentence.
constexpr text_view reason_of(lint_rule r) {
  return detail::lint_rule_rows[static_cast<std::size_t>(r)].reason;
}
/// The default severity of a rule's findings.
constexpr severity severity_of(lint_rule r) {
  return detail::lint_rule_rows[static_cast<std::size_t>(r)].usual;
}

/// A set of rules: `lint_rule_set(lint_rule::dead_node) | lint_rule::unused_input`.
struct lint_rule_set {
  /// Bit `r` is set if rule number `r` is in the set.
  std::uint32_t bits = 0;

  constexpr lint_rule_set() = default;
  /// The set of one rule.
  constexpr lint_rule_set(lint_rule r) : bits(1u << static_cast<unsigned>(r)) {}
  /// The set of all rules.
  static constexpr lint_rule_set all() {
    lint_rule_set out;
    out.bits = (1u << lint_rule_count) - 1;
    return out;
  }
  /// True if the set contains the rule.
  constexpr bool has(lint_rule r) const { return ((bits >> static_cast<unsigned>(r)) & 1) != 0; }
  /// The union of two sets.
  friend constexpr lint_rule_set operator|(lint_rule_set a, lint_rule_set b) {
    a.bits |= b.bits;
    return a;
  }
  friend constexpr bool operator==(lint_rule_set, lint_rule_set) = default;
};

/// One finding of a lint.
struct finding {
  wf::severity severity = severity::warning;  ///< its severity after the options are applied
  lint_rule rule = lint_rule::unused_input;   ///< the rule that it violates
  node_id node = node_id::none;               ///< the node concerned; none: see `value`
  value_id value = value_id::none;            ///< the value concerned, if it is not a node
  text subject;                               ///< the name of the node or value
  text message;                               ///< the problem, in one sentence
  text file;                                  ///< the source file of the node
  std::uint32_t line = 0;                     ///< the line, from 1; 0: unknown
  std::uint32_t column = 0;                   ///< the source column, from 1

  friend constexpr bool operator==(const finding&, const finding&) = default;
};

/// The findings of a lint: first about inputs, then nodes, then outputs, each in order; about one
/// node in the order of the rules.
struct findings {
  text workflow;        ///< the name of the linted workflow
  table<finding> list;  ///< the findings, in order

  /// True if there is no finding.
  constexpr bool empty() const { return list.empty(); }
  /// Number of findings of at least that severity.
  constexpr std::size_t count(severity least) const {
    std::size_t n = 0;
    for (const finding& f : list)
      if (f.severity >= least) ++n;
    return n;
  }
  friend constexpr bool operator==(const findings&, const findings&) = default;
};

/// One finding as a line, in the form of compiler messages: "model.cpp:12:3: warning: node 'h' ...
/// [dead_node]"; without a source location it begins with the name of the workflow.
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

/// The findings as text, one per line.
constexpr text to_text(const findings& all) {
  text out;
  for (const finding& f : all.list) out << to_text(f, all.workflow.view()).view() << '\n';
  return out;
}

/// The first finding of severity error, as `lint_failed` with its line and column; an error of code
/// `none` if there is none. The result of steps that admit only clean workflows.
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
