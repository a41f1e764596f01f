// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <source_location>
#include <utility>

#include <wf/ir/graph/node.hpp>

namespace wf {

class scope;

/// A shape as a type: one extent code per dimension (see `extent`), so that names stay short.
template <std::int64_t... Codes>
struct dims {
 private:
  static constexpr shape make() {
    shape s;
    ((s.extents[s.rank++].code = Codes), ...);
    return s;
  }

 public:
  /// The shape as a value.
  static constexpr shape value = make();
};

/// The shape of a handle whose extents are known by value only, for loops over changing shapes.
struct any_shape {
  /// The unknown shape.
  static constexpr shape value = shape::unknown();
};

/// A location in the user's C++ source; see `text_position` for a parsed text.
using source_location = std::source_location;

/// True for types that can be operands of an expression: handles and expressions.
template <class T>
concept operand = requires(const T& t, scope& s, const source_location& where) {
  typename T::handle_type;
  { t.emit(s, where) } -> std::same_as<value_id>;
  { t.owner() } -> std::same_as<scope*>;
};

namespace detail {
// True for an operand that needs no value of a workflow, so that every scope can bind it.
template <class T>
inline constexpr bool is_nullary = false;
template <class T>
  requires requires { T::is_nullary; }
inline constexpr bool is_nullary<T> = T::is_nullary;

// The value of a handle in a scope; the scope keeps an error if the handle belongs to another one.
template <class Handle>
constexpr value_id value_in(scope& s, const Handle& h, const source_location& where);
}  // namespace detail

class traced;

/// True for operands that are captured only when they are bound: all except traced values.
template <class T>
concept lazy_operand = operand<T> && !std::same_as<T, traced>;

/// A value of a workflow under capture. The *type* carries what the compiler checks (dtype, shape,
/// properties), the *value* carries identity: a value id and its scope. Cheap to copy.
template <dtype Type, class Shape, std::uint32_t Properties = 0>
class handle {
 public:
  /// The type itself: an expression's `handle_type` is the type that binding it gives.
  using handle_type = handle;
  /// The element type, shape and properties.
  static constexpr value_type type{Type, {Properties}, Shape::value};

  /// A handle of no workflow, for later assignment.
  constexpr handle() = default;
  /// The handle of a value of a scope; created by the scope.
  constexpr handle(scope* owner, value_id id) : owner_(owner), id_(id) {}
  /// Binds an expression of exactly this type: `x = relu(x * w + b)` in a loop.
  template <operand E>
    requires std::same_as<typename E::handle_type, handle> && (!std::same_as<E, handle>)
  constexpr handle(const E& expression, const source_location& where = source_location::current())
      : owner_(expression.owner()), id_(expression.emit(*owner_, where)) {}
  /// Drops the static shape: any operand of the dtype converts to a handle of any shape.
  template <operand E>
    requires std::same_as<Shape, any_shape> && (Properties == 0) &&
                 (E::handle_type::type.type == Type) &&
                 (!std::same_as<typename E::handle_type, handle>)
  constexpr handle(const E& expression, const source_location& where = source_location::current())
      : owner_(expression.owner()), id_(expression.emit(*owner_, where)) {}

  /// The value's id in the scope that owns it; any other scope keeps the error `foreign_handle`.
  constexpr value_id emit(scope& s, const source_location& where) const {
    return owner_ == &s ? id_ : detail::value_in(s, *this, where);
  }
  /// The scope that owns the value; null for a default handle.
  constexpr scope* owner() const { return owner_; }
  /// The value's id in its scope.
  constexpr value_id id() const { return id_; }

 private:
  scope* owner_ = nullptr;
  value_id id_ = value_id::none;
};

/// A handle whose shape is known by value only: `wf::dynamic_handle<float> x = ...; for (...) x =
/// relu(x * w);`.
template <class T>
using dynamic_handle = handle<dtype_of<T>, any_shape>;

namespace detail {

template <class Deduced, std::size_t... Dimension>
handle<Deduced::type.type, dims<Deduced::type.shape.extents[Dimension].code...>,
       Deduced::type.known.bits>
    handle_with_rank(std::index_sequence<Dimension...>);

// The handle type of `Deduced::type`, a constant value_type.
template <class Deduced>
constexpr auto handle_for() {
  if constexpr (Deduced::type.shape.has_rank())
    return decltype(handle_with_rank<Deduced>(
        std::make_index_sequence<Deduced::type.shape.rank>{})){};
  else
    return handle<Deduced::type.type, any_shape>{};
}

}  // namespace detail

}  // namespace wf
