// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/scope.hpp>
#include <wf/registry/domain/elementwise.hpp>

namespace wf {

/// The operation of an expression: a callable that selects the kernel for operand types, and
/// attributes. `fixed`: the attributes are part of the type, so that shapes are known at compile
/// time.
template <class T>
concept operation_tag = requires(const T& t, view<value_type> operands, attribute_value* out) {
  { T::fixed } -> std::convertible_to<bool>;
  { T::kernel(operands) } -> std::same_as<captured_kernel>;
  { t.attributes(out) } -> std::same_as<std::size_t>;
};

namespace detail {

/// Maximum number of attributes of an operation.
inline constexpr std::size_t max_attributes = 9;

/// The common scope of two operands; null if they belong to different workflows. A null scope is
/// compatible with every scope.
constexpr scope* common_owner(scope* a, scope* b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  return a == b ? a : nullptr;
}

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
  std::uint32_t count = 1;
  value_type types[max_results];
};

constexpr static_outcome outcome_of_inference(const result<inference>& inferred) {
  if (!inferred) return {};
  static_outcome out{true, inferred->count, {}};
  for (std::uint32_t r = 0; r < out.count; ++r) {
    value_type& t = out.types[r] = inferred->results[r];
    // A polynomial extent lives in a graph; at compile time it is unknown.
    for (std::uint32_t i = 0; t.shape.has_rank() && i < t.shape.rank; ++i)
      if (t.shape.extents[i].is_derived()) t.shape.extents[i] = extent();
  }
  return out;
}

// No local variable holds the inferred result: clang would evaluate its initialiser once more.
template <class Operation, class... Handle>
constexpr static_outcome outcome_of() {
  return outcome_of_inference(infer_static<Operation, Handle...>());
}

template <class Operation, class... Handle>
constexpr error failure_of() {
  return infer_static<Operation, Handle...>().error();
}

// The result of an operation on handle types, computed once per combination of types in a program.
// An ill-formed operation gives a value of unknown type, so that the error that `apply` reports
// stays the only one.
template <class Operation, class... Handle>
struct deduced {
  static constexpr static_outcome outcome = outcome_of<Operation, Handle...>();
  static constexpr bool ok = outcome.ok;
  static constexpr std::uint32_t count = outcome.count;
  static constexpr value_type type =
      ok ? outcome.types[0] : value_type{dtype::unknown, {}, shape::unknown()};
  using handle_type = decltype(handle_for<deduced>());
  static constexpr view<value_type> types() {
    return ok ? view<value_type>(outcome.types, count) : view<value_type>(&type, 1);
  }
};

// One result of an operation with several results.
template <class Deduced, std::size_t Result>
struct deduced_result {
  static constexpr value_type type = Deduced::outcome.types[Result];
  using handle_type = decltype(handle_for<deduced_result>());
};

// Reports an ill-formed operation when it is instantiated; an operand of unknown dtype was reported
// before.
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
  constexpr value_id emit(scope& s, const source_location& where) const {
    const attribute_value a = attribute_value::floating("value", value);
    return capture_of(s).apply(captured<kernels::constant>, {&a, 1}, {}, {&handle_type::type, 1},
                               where);
  }
};

// `expected`: the result types, as far as they are known at compile time.
template <class Operation>
constexpr value_id emit_operation(const Operation& operation, scope& s, view<value_id> operands,
                                  view<value_type> expected, const source_location& where) {
  graph_capture& to = capture_of(s);
  value_type types[max_operands];
  for (std::size_t i = 0; i < operands.size(); ++i) types[i] = to.type_of(operands[i]);
  attribute_value attributes[max_attributes];
  const std::size_t used = operation.attributes(attributes);
  return to.apply(Operation::kernel({types, operands.size()}), {attributes, used}, operands,
                  expected, where);
}

}  // namespace detail

/// The results of one operation, bound by `scope::let_each`: `auto [q, r] = s.let_each(...)`.
template <class Deduced>
class bound_results {
 public:
  /// The results of an operation, given the id of the first; created by the scope.
  constexpr bound_results(scope* owner, value_id first) : owner_(owner), first_(first) {}
  /// The handle of result `Index`.
  template <std::size_t Index>
  constexpr auto get() const {
    using handle_type = typename detail::deduced_result<Deduced, Index>::handle_type;
    return handle_type(owner_, static_cast<value_id>(index_of(first_) + Index));
  }

 private:
  scope* owner_;
  value_id first_;
};

/// The enclosing class of an expression; created by `apply`. Expressions of one and two operands,
/// by far the most frequent, have specialisations that compile fast.
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
    /// The result types known at compile time.
    using deduced = detail::deduced<Operation, typename Operand::handle_type>;
    /// The type of the handle that binding gives.
    using handle_type = typename deduced::handle_type;
    using check = detail::check_operation<Operation, typename Operand::handle_type>;
    static constexpr bool is_nullary = detail::is_nullary<Operand>;
    [[no_unique_address]] Operation operation;
    Operand operand;

    /// The scope of the operand.
    constexpr scope* owner() const { return operand.owner(); }
    /// Captures the operand, then the operation.
    constexpr value_id emit(scope& s, const source_location& where) const {
      const value_id id = operand.emit(s, where);
      if constexpr (!deduced::ok) return id;
      return detail::emit_operation(operation, s, {&id, 1}, deduced::types(), where);
    }
  };
};

/// An operation on two operands.
template <class Operation, class Left, class Right>
struct applied<Operation, Left, Right> {
  /// The expression: an operation and its operands, not captured before it is bound.
  struct expression {
    /// The result types known at compile time.
    using deduced =
        detail::deduced<Operation, typename Left::handle_type, typename Right::handle_type>;
    /// The type of the handle that binding gives.
    using handle_type = typename deduced::handle_type;
    using check =
        detail::check_operation<Operation, typename Left::handle_type, typename Right::handle_type>;
    static constexpr bool is_nullary = detail::is_nullary<Left> && detail::is_nullary<Right>;
    [[no_unique_address]] Operation operation;
    Left left;
    Right right;

    /// The scope of its operands; null if they belong to different workflows.
    constexpr scope* owner() const { return detail::common_owner(left.owner(), right.owner()); }
    /// Captures the operands, left first, then the operation.
    constexpr value_id emit(scope& s, const source_location& where) const {
      const value_id ids[2] = {left.emit(s, where), right.emit(s, where)};
      if constexpr (!deduced::ok) return ids[0];
      return detail::emit_operation(operation, s, {ids, 2}, deduced::types(), where);
    }
  };
};

namespace detail {

template <std::size_t Position, class Operand>
struct placed_operand {
  Operand operand;
};

template <class Positions, class... Operand>
struct operand_list;
template <std::size_t... Position, class... Operand>
struct operand_list<std::index_sequence<Position...>, Operand...>
    : placed_operand<Position, Operand>... {
  constexpr scope* owner() const {
    scope* found = nullptr;
    ((found = common_owner(found, placed_operand<Position, Operand>::operand.owner())), ...);
    return found;
  }
  constexpr void emit(scope& s, const source_location& where, value_id* out) const {
    ((out[Position] = placed_operand<Position, Operand>::operand.emit(s, where)), ...);
  }
};

}  // namespace detail

/// An operation on no operand, or on three or more.
template <class Operation, class... Operand>
struct applied {
  /// The expression: an operation and its operands, not captured before it is bound.
  struct expression {
    /// The result types known at compile time.
    using deduced = detail::deduced<Operation, typename Operand::handle_type...>;
    /// The type of the handle that binding gives.
    using handle_type = typename deduced::handle_type;
    /// Makes an ill-formed operation a compile error at the user's line.
    using check = detail::check_operation<Operation, typename Operand::handle_type...>;
    /// True if no operand belongs to a workflow: every scope can bind the expression.
    static constexpr bool is_nullary = (detail::is_nullary<Operand> && ...);
    /// The operation and its attributes.
    [[no_unique_address]] Operation operation;
    /// The operands, in order.
    detail::operand_list<std::index_sequence_for<Operand...>, Operand...> operands;

    /// The scope of its operands; null if they belong to different workflows.
    constexpr scope* owner() const { return operands.owner(); }
    /// Captures the operands, first to last, then the operation.
    constexpr value_id emit(scope& s, const source_location& where) const {
      value_id ids[sizeof...(Operand) + 1];
      operands.emit(s, where, ids);
      if constexpr (!deduced::ok && sizeof...(Operand) != 0) return ids[0];
      return detail::emit_operation(operation, s, {ids, sizeof...(Operand)}, deduced::types(),
                                    where);
    }
  };
};

/// The expression that applies an operation to operands; it is captured when it is bound. Compile
/// errors: WF101 (shapes), WF102 (element types), WF107 (attributes), naming the operator. The
/// location serves operations that are captured immediately (traced ones); expressions use the one
/// where they are bound.
template <operation_tag Operation, lazy_operand... Operand>
constexpr typename applied<Operation, Operand...>::expression apply_at(const source_location&,
                                                                       const Operation& operation,
                                                                       const Operand&... operands) {
  static_assert(sizeof...(Operand) <= max_operands, "WF101: an operator takes at most 8 operands");
  if constexpr (sizeof...(Operand) == 1 || sizeof...(Operand) == 2)
    return {operation, operands...};
  else
    return {operation, {{operands}...}};
}

/// Applies an operation without a source location.
template <operation_tag Operation, operand... Operand>
constexpr auto apply(const Operation& operation, const Operand&... operands) {
  return apply_at(source_location(), operation, operands...);
}

}  // namespace wf

/// Number of results in a structured binding.
template <class Deduced>
struct std::tuple_size<wf::bound_results<Deduced>>
    : std::integral_constant<std::size_t, Deduced::count> {};
/// The handle type of a result.
template <std::size_t Index, class Deduced>
struct std::tuple_element<Index, wf::bound_results<Deduced>> {
  /// The handle type itself.
  using type = typename wf::detail::deduced_result<Deduced, Index>::handle_type;
};
