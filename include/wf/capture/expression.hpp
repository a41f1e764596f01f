// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/scope.hpp>
#include <wf/registry/elementwise.hpp>

namespace wf {

/// What an expression applies: a callable that picks the kernel for operand types, and attributes.
/// `fixed` says that attributes are part of the type, so that shapes are known while compiling.
template <class T>
concept operation_tag = requires(const T& t, view<value_type> operands, attribute_value* out) {
  { T::fixed } -> std::convertible_to<bool>;
  { T::kernel(operands) } -> std::same_as<captured_kernel>;
  { t.attributes(out) } -> std::same_as<std::size_t>;
};

namespace detail {

/// The most attributes an operation may have.
inline constexpr std::size_t max_attributes = 9;

// A kernel constant with the hash of its name.
template <const kernel_spec& Spec>
inline constexpr captured_kernel captured{&Spec, hash_text(Spec.name)};

template <class Operation, class... Handle>
constexpr result<inference> infer_static() {
  constexpr std::size_t count = sizeof...(Handle);
  value_type types[count == 0 ? 1 : count] = {Handle::type...};
  attribute_value attributes[max_attributes];
  std::size_t used = 0;
  if constexpr (Operation::fixed) {
    used = Operation{}.attributes(attributes);
  } else {
    for (value_type& t : types) t.shape = shape::unknown();
  }
  const captured_kernel k = Operation::kernel({types, count});
  return infer(*k.spec, {{types, count}, {attributes, used}});
}

struct static_outcome {
  bool ok = false;
  value_type type;
};

template <class Operation, class... Handle>
constexpr static_outcome outcome_of() {
  const auto inferred = infer_static<Operation, Handle...>();
  if (!inferred) return {};
  static_outcome out{true, inferred->results[0]};
  // A polynomial extent lives in a graph; while compiling it is just not known.
  if (out.type.shape.has_rank())
    for (std::uint32_t i = 0; i < out.type.shape.rank; ++i)
      if (out.type.shape.extents[i].is_derived()) out.type.shape.extents[i] = extent();
  return out;
}

template <class Operation, class... Handle>
constexpr error failure_of() {
  return infer_static<Operation, Handle...>().error();
}

// The result of an operation on handle types: computed once for each combination of types, however
// often it occurs in a program. An ill-formed operation gives a value of unknown type, so that the
// sentence that `apply` reports stays the only error.
template <class Operation, class... Handle>
struct deduced {
  static constexpr static_outcome outcome = outcome_of<Operation, Handle...>();
  static constexpr bool ok = outcome.ok;
  static constexpr value_type type =
      ok ? outcome.type : value_type{dtype::unknown, {}, shape::unknown()};
  using handle_type = decltype(handle_for<deduced>());
};

// Reports an ill-formed operation when it is instantiated; an operand of unknown dtype has been
// reported already.
template <bool Ok, class Operation, class... Handle>
struct operation_check {};
template <class Operation, class... Handle>
struct operation_check<false, Operation, Handle...>
    : report<diagnose<&failure_of<Operation, Handle...>>> {};

template <class Operation, class... Handle>
using check_operation = decltype(operation_check<deduced<Operation, Handle...>::ok ||
                                                     ((Handle::type.type == dtype::unknown) || ...),
                                                 Operation, Handle...>{});

// A number in an expression: a constant of the other operand's element type.
template <dtype Type>
struct scalar_literal {
  using handle_type = handle<Type, dims<>>;
  double value = 0;

  constexpr scope* owner() const { return nullptr; }
  constexpr value_id emit(scope& s, const site& where) const {
    const attribute_value a = attribute_value::floating("value", value);
    return s.apply(captured<kernels::constant>, {&a, 1}, {}, handle_type::type, where);
  }
};

template <class Operation>
constexpr value_id emit_operation(const Operation& operation, scope& s, view<value_id> operands,
                                  const value_type& expected, const site& where) {
  value_type types[2];
  for (std::size_t i = 0; i < operands.size(); ++i) types[i] = s.type_of(operands[i]);
  attribute_value attributes[max_attributes];
  const std::size_t used = operation.attributes(attributes);
  return s.apply(Operation::kernel({types, operands.size()}), {attributes, used}, operands,
                 expected, where);
}

}  // namespace detail

/// The home of an expression of one or two operands; `apply` makes them.
///
/// Expressions are classes nested in a template because argument-dependent lookup does not descend
/// into the template arguments of an enclosing class: its cost does not grow with the nesting.
template <class Operation, class... Operand>
struct applied;

/// An operation on one operand.
template <class Operation, class Operand>
struct applied<Operation, Operand> {
  /// The expression: an operation and its operand, not captured before it is bound.
  struct expression {
    /// What the compiler knows of the result.
    using deduced = detail::deduced<Operation, typename Operand::handle_type>;
    /// What binding it gives.
    using handle_type = typename deduced::handle_type;
    using check = detail::check_operation<Operation, typename Operand::handle_type>;
    [[no_unique_address]] Operation operation;
    Operand operand;

    /// The scope of its operand.
    constexpr scope* owner() const { return operand.owner(); }
    /// Captures operand and operation.
    constexpr value_id emit(scope& s, const site& where) const {
      const value_id id = operand.emit(s, where);
      if constexpr (!deduced::ok) return id;
      return detail::emit_operation(operation, s, {&id, 1}, handle_type::type, where);
    }
  };
};

/// An operation on two operands.
template <class Operation, class Left, class Right>
struct applied<Operation, Left, Right> {
  /// The expression: an operation and its operands, not captured before it is bound.
  struct expression {
    /// What the compiler knows of the result.
    using deduced =
        detail::deduced<Operation, typename Left::handle_type, typename Right::handle_type>;
    /// What binding it gives.
    using handle_type = typename deduced::handle_type;
    using check =
        detail::check_operation<Operation, typename Left::handle_type, typename Right::handle_type>;
    [[no_unique_address]] Operation operation;
    Left left;
    Right right;

    /// The scope of its operands; null if they belong to different workflows.
    constexpr scope* owner() const {
      scope* const a = left.owner();
      scope* const b = right.owner();
      if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
      return a == b ? a : nullptr;
    }
    /// Captures operands, left first, and operation.
    constexpr value_id emit(scope& s, const site& where) const {
      const value_id ids[2] = {left.emit(s, where), right.emit(s, where)};
      if constexpr (!deduced::ok) return ids[0];
      return detail::emit_operation(operation, s, {ids, 2}, handle_type::type, where);
    }
  };
};

/// The expression that applies an operation to operands; nothing is captured before it is bound.
/// Compile errors: WF101 (shapes), WF102 (element types), WF107 (attributes), naming the operator.
template <operation_tag Operation, operand... Operand>
constexpr typename applied<Operation, Operand...>::expression apply(const Operation& operation,
                                                                    const Operand&... operands) {
  return {operation, operands...};
}

}  // namespace wf
