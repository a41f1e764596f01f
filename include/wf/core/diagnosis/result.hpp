// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <utility>

#include <wf/core/text/text.hpp>

namespace wf {

/// The `WF` error codes, stable across versions; docs/reference/errors.md has a section for each.
/// 1xx capture and types, 2xx formulas, 3xx registry and cost, 4xx graphs and their text, 5xx
/// selection and search, 6xx mapping and simulation, 7xx running, 8xx toolchains.
enum class errc : std::uint16_t {
  none = 0,                   ///< no error
  shape_mismatch = 101,       ///< operand shapes do not fit the operator
  dtype_mismatch = 102,       ///< operand element types do not fit the operator
  duplicate_name = 104,       ///< two inputs or two outputs share a name
  invalid_name = 105,         ///< a name is empty or has a character that names may not have
  foreign_handle = 106,       ///< a handle of one workflow is used in another one
  bad_attribute = 107,        ///< an attribute is missing or out of its range
  no_output = 108,            ///< a workflow has no output
  workflow_not_static = 109,  ///< a compile-time question was asked of a symbolic workflow
  budget_exceeded = 110,      ///< a cost lies over its budget
  not_traceable = 111,        ///< a traced function needs a value that is known at run time only
  equation_syntax = 112,      ///< an equation does not parse
  bad_equation = 113,         ///< an equation's indices or names do not fit together
  unbound_index = 114,        ///< an index of an equation is bound by nothing
  not_stratified = 115,       ///< a tensor depends on its own complement or total
  formula_syntax = 201,       ///< a formula does not parse
  unknown_symbol = 202,       ///< a formula names an unbound symbol
  division_by_zero = 203,     ///< a formula divides by zero
  overflow = 204,             ///< an exact number does not fit 128 bits (or the requested 64)
  not_polynomial = 205,       ///< a symbolic result has no polynomial form
  wrong_arity = 206,          ///< a function of the formula language has wrong arguments
  not_comparable = 207,       ///< two polynomials are not ordered over the whole domain
  unit_mismatch = 208,        ///< a unit is unknown or does not fit
  no_exact_value = 209,       ///< a value is not a rational number, or not the requested integer
  formula_limit = 210,        ///< a formula exceeds a limit of the evaluator (a sum too long)
  undecided = 211,            ///< bounds of a number that is no fraction do not decide a test
  unknown_operator = 301,     ///< no kernel is registered under an operator's name
  duplicate_kernel = 302,     ///< two kernels share a name and neither overrides
  bad_signature = 303,        ///< a kernel's signature does not parse or contradicts itself
  bad_registry_file = 304,    ///< a file of kernels does not parse or breaks its schema
  unknown_cost = 305,         ///< a cost that is declared unknown entered a sum
  bad_pattern = 306,          ///< a row of a table of call patterns is invalid
  no_adjoint = 307,           ///< a derivative is wanted of an operator that states no adjoint
  malformed_graph = 401,      ///< a graph breaks an invariant
  graph_syntax = 402,         ///< a graph's text form does not parse
  cyclic_graph = 403,         ///< a graph has a cycle
  bad_workflow_file = 404,    ///< a file in WfFormat breaks its schema or contradicts itself
  facts_syntax = 405,         ///< a text of facts does not parse
  bad_tensor_file = 406,      ///< a file of a tensor does not parse, or has or takes no such tensor
  outside_sandbox = 407,      ///< a path of a source or sink leads out of its folder
  infeasible = 501,           ///< no selection meets the limits
  search_limit = 502,         ///< a search stopped at a limit before it found a solution
  invalid_problem = 503,      ///< a problem breaks an invariant (a negative cost, an unknown class)
  proof_syntax = 504,         ///< the text form of a proof does not parse
  mapping_infeasible = 601,   ///< a workload fits no array of the requested kind
  simulation_failed = 602,    ///< a simulated network cannot proceed (deadlock, missing process)
  mapping_syntax = 603,       ///< the JSON form of a mapping does not parse
  fault_script_syntax = 606,  ///< a script of faults does not parse
  missing_argument = 701,     ///< a run lacks an argument
  unknown_argument = 702,     ///< a run has an argument the workflow does not know
  argument_shape = 703,       ///< an argument's shape or element type differs from the declared one
  not_executable = 704,       ///< an operator has no implementation in the executor
  numerical_failure = 705,    ///< an operator has no result (singular matrix, index out of range)
  argument_overlap = 706,     ///< an output of a run lies in the storage of another argument
  bad_implementation = 707,   ///< a function cannot implement the operator it is given for
  execution_stopped = 708,    ///< a run was stopped before its end
  not_converged = 709,        ///< a recursion did not reach its fixpoint within its bound
  transport_failed = 710,     ///< messages between processes cannot be carried
  malformed_message = 711,    ///< bytes of another process are no message
  step_mismatch = 801,     ///< a step of a toolchain returns another type than the next one takes
  duplicate_step = 802,    ///< two steps of a toolchain share a name
  unknown_step = 803,      ///< a toolchain has no step of that name
  not_droppable = 804,     ///< a step that changes the type of its stage cannot be left out
  foreign_stage = 805,     ///< no step of a toolchain takes a stage of that type
  empty_toolchain = 806,   ///< a toolchain has no step
  unversioned_step = 807,  ///< a step whose code has no version cannot be cached there
  cache_failed = 808,      ///< a store of cached stages cannot be used
  golden_mismatch = 809,   ///< a stage differs from its golden file
  lint_failed = 810,       ///< a lint found an error
  not_compiled = 811,      ///< no variant is compiled for these static arguments
  no_backend = 812,        ///< no back end can execute a workflow
  step_failed = 813,       ///< a step of a toolchain broke a checked invariant
  not_fingerprintable = 814,  ///< a type has no fingerprint
  cross_class = 901,          ///< an operation would need values of two classes of machines
  unresolved_class = 902,     ///< the class of the machines that a value is sent to is not known
  invalid_gate = 903,         ///< an operator cannot be a gate on the side on which it is to stand
  unguarded_message = 904,    ///< a message can pass by a gate
  contract_broken = 905,      ///< a program breaks a contract that its author registered
  ambiguous_role = 906,       ///< a role has a provider and slots, or a slot two bindings
  unbound_slot = 907,         ///< nothing is bound to a slot
  slot_mismatch = 908,        ///< what is bound to a slot does not fit, or has another role
  bootstrap_gap = 909,        ///< a bootstrap needs one that does not exist
  bootstrap_cycle = 910,      ///< bootstraps need each other
  lost_message = 911,         ///< a step that rewrites programs lost or made a message or an output
  unmatched_collection = 912,  ///< a value is collected from machines to which it was not sent
};

/// Position of an error in a text: 1-based line and column, 0-based offset. Line 0: no position.
struct text_position {
  std::uint32_t line = 0;    ///< 1-based; 0: no position
  std::uint32_t column = 0;  ///< 1-based
  std::uint32_t offset = 0;  ///< 0-based, in characters
  friend constexpr bool operator==(const text_position&, const text_position&) = default;
};

/// A typed error: the code, the node (or file, or kernel) concerned, one readable sentence, and the
/// position if it concerns a text.
struct error {
  errc code = errc::none;  ///< kind of the error; `none`: no error
  text subject;            ///< node, file or kernel concerned; may be empty
  text message;            ///< one readable sentence, without code and subject
  text_position where;     ///< position in a text, if any
  text step = {};          ///< path of the failing step of a toolchain ("run/select"), if any

  friend constexpr bool operator==(const error&, const error&) = default;
};

/// Builds an error; texts are copied.
constexpr error make_error(errc code, text_view subject, text_view message,
                           text_position where = {}) {
  return {code, text(subject), text(message), where};
}

/// Appends " (line 2, column 7)"; nothing if there is no position.
constexpr text& append_position(text& out, const text_position& where) {
  if (where.line == 0) return out;
  return out << " (line " << where.line << ", column " << where.column << ")";
}

/// The full message: "WF101 in 'conv2': inner dimensions differ: 3 vs 5 (line 2, column 7)"; for a
/// toolchain "WF101 in 'conv2' at step 'validate': ...".
constexpr text to_text(const error& e) {
  text out;
  out << "WF" << static_cast<std::uint16_t>(e.code);
  if (!e.subject.empty()) out << " in '" << e.subject.view() << "'";
  if (!e.step.empty()) out << " at step '" << e.step.view() << "'";
  out << ": " << e.message.view();
  return append_position(out, e.where);
}

/// The line of `source` that contains `where`, and below it a caret under the column.
constexpr text caret(text_view source, text_position where) {
  std::size_t first = where.offset < source.size() ? where.offset : source.size();
  while (first > 0 && source[first - 1] != '\n') --first;
  text out;
  out << "  " << source.part(first, source.find('\n', first) - first) << "\n  ";
  for (std::uint32_t i = 1; i < where.column; ++i) out << ' ';
  out << '^';
  return out;
}

/// Line and column of an offset in a text. O(offset).
constexpr text_position position_at(text_view source, std::size_t offset) {
  text_position p{1, 1, static_cast<std::uint32_t>(offset)};
  for (std::size_t i = 0; i < offset && i < source.size(); ++i) {
    if (source[i] == '\n') {
      ++p.line;
      p.column = 1;
    } else {
      ++p.column;
    }
  }
  return p;
}

/// Either a value or an error, at compile time and at run time. `T` is default constructible; with
/// an error the value is the default one and must not be used.
template <class T>
class [[nodiscard]] result {
 public:
  constexpr result() = default;
  /// A success with this value.
  constexpr result(T value) : value_(static_cast<T&&>(value)) {}
  /// A failure; its code must not be `errc::none`.
  constexpr result(wf::error failure) : error_(static_cast<wf::error&&>(failure)) {}

  /// True if there is a value.
  constexpr explicit operator bool() const { return error_.code == errc::none; }
  /// Same as `operator bool`, under the name in `std::expected`.
  constexpr bool has_value() const { return error_.code == errc::none; }
  /// The value; there must be one.
  constexpr T& operator*() & { return value_; }
  /// The value; there must be one.
  constexpr const T& operator*() const& { return value_; }
  /// The value as an rvalue; there must be one.
  constexpr T&& operator*() && { return static_cast<T&&>(value_); }
  /// Access to the value; there must be one.
  constexpr const T* operator->() const { return &value_; }
  /// Access to the value; there must be one.
  constexpr T* operator->() { return &value_; }
  /// The error; its code is `errc::none` if there is a value.
  constexpr const wf::error& error() const { return error_; }

 private:
  T value_{};
  wf::error error_{};
};

/// The value type of results without a value.
struct nothing {
  friend constexpr bool operator==(nothing, nothing) = default;
};

}  // namespace wf
