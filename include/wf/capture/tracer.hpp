// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/functions/operators.hpp>
#include <wf/registry/domain/movement.hpp>

namespace wf {

class traced;
template <const kernel_spec& Solve>
class factored;

/// An operand of a traced operation: a traced value, a number, a handle or an expression, with the
/// line of the user's program that wrote it. Created only by implicit conversion.
class traced_operand {
 public:
  /// A traced value.
  constexpr traced_operand(const traced& value,
                           const source_location& where = source_location::current());
  /// A number; it takes the element type of the other operand.
  template <detail::arithmetic T>
  constexpr traced_operand(T number, const source_location& where = source_location::current())
      : number_(static_cast<double>(number)), where_(where) {}
  /// A handle or an expression, which is captured immediately.
  template <lazy_operand E>
  constexpr traced_operand(const E& expression,
                           const source_location& where = source_location::current())
      : owner_(expression.owner()), where_(where) {
    if (owner_ != nullptr) id_ = expression.emit(*owner_, where);
    foreign_ = owner_ == nullptr;
  }

 private:
  friend class traced;
  template <const kernel_spec& Solve>
  friend class factored;

  scope* owner_ = nullptr;
  value_id id_ = value_id::none;
  double number_ = 0;
  source_location where_;
  bool foreign_ = false;  // true: no number, yet without a scope
};

/// A symbolic value that looks like a matrix: the tracer passes it to a user's generic function.
/// Unlike an expression it has one C++ type for all values, so that `x = A * x + b` in a loop,
/// containers and helper functions work, and every operation is captured when it is evaluated.
/// Shapes and element types are checked by value; the first mismatch is the error of the capture.
/// Methods have Eigen's names. It has no elements and no truth value: WF111.
class traced {
 public:
  /// The type itself: binding a traced value gives a traced value.
  using handle_type = traced;
  /// Unknown: the C++ type carries neither element type nor shape.
  static constexpr value_type type{dtype::unknown, {}, shape::unknown()};

  /// A value of no workflow, for later assignment.
  constexpr traced() = default;
  /// A value of a scope; created by the tracer.
  constexpr traced(scope* owner, value_id id) : owner_(owner), id_(id) {}
  /// Captures an expression of handles.
  template <lazy_operand E>
  constexpr traced(const E& expression, const source_location& where = source_location::current())
      : owner_(expression.owner()) {
    if (owner_ != nullptr) id_ = expression.emit(*owner_, where);
  }

  /// The id of the value; captures nothing.
  constexpr value_id emit(scope&, const source_location&) const { return id_; }
  /// The scope that owns the value; null for a default one.
  constexpr scope* owner() const { return owner_; }
  /// The value's id in its scope.
  constexpr value_id id() const { return id_; }
  /// Element type, shape and properties, as far as the capture knows them.
  constexpr value_type known() const {
    return owner_ != nullptr ? detail::capture_of(*owner_).type_of(id_) : type;
  }

  /// Number of rows: the first extent, 1 for a scalar. If it is symbolic: 0, and `not_traceable` as
  /// the error of the capture.
  constexpr std::int64_t rows() const { return size_of(0); }
  /// Number of columns: the second extent, 1 for scalars and vectors; errors as for `rows`.
  constexpr std::int64_t cols() const { return size_of(1); }
  /// Number of elements; errors as for `rows`.
  constexpr std::int64_t size() const {
    std::int64_t all = 1;
    for (std::uint32_t d = 0; d < known().shape.rank && known().shape.has_rank(); ++d)
      all *= size_of(d);
    return all;
  }

  /// a + b, elementwise with broadcasting.
  friend constexpr traced operator+(const traced_operand& a, const traced_operand& b) {
    return binary(detail::plain_<kernels::add>::kernel, a, b);
  }
  /// a - b, elementwise with broadcasting.
  friend constexpr traced operator-(const traced_operand& a, const traced_operand& b) {
    return binary(detail::plain_<kernels::subtract>::kernel, a, b);
  }
  /// a * b: the matrix product, or matrix times vector; elementwise if one is a scalar or both are
  /// vectors.
  friend constexpr traced operator*(const traced_operand& a, const traced_operand& b) {
    return binary(detail::product_::kernel, a, b);
  }
  /// a / b, elementwise with broadcasting.
  friend constexpr traced operator/(const traced_operand& a, const traced_operand& b) {
    return binary(detail::plain_<kernels::divide>::kernel, a, b);
  }
  /// -a.
  friend constexpr traced operator-(const traced_operand& a) {
    return unary(detail::plain_<kernels::negate>::kernel, a);
  }
  /// a = a + b.
  constexpr traced& operator+=(const traced_operand& b) {
    return *this = binary(detail::plain_<kernels::add>::kernel, {*this, b.where_}, b);
  }
  /// a = a - b.
  constexpr traced& operator-=(const traced_operand& b) {
    return *this = binary(detail::plain_<kernels::subtract>::kernel, {*this, b.where_}, b);
  }
  /// a = a * b.
  constexpr traced& operator*=(const traced_operand& b) {
    return *this = binary(detail::product_::kernel, {*this, b.where_}, b);
  }
  /// a = a / b.
  constexpr traced& operator/=(const traced_operand& b) {
    return *this = binary(detail::plain_<kernels::divide>::kernel, {*this, b.where_}, b);
  }

  /// The transpose of the last two dimensions.
  constexpr traced transpose(const source_location& where = source_location::current()) const {
    return unary(detail::plain_<kernels::transpose>::kernel, {*this, where});
  }
  /// The inverse of a square matrix; the reciprocal of a scalar.
  constexpr traced inverse(const source_location& where = source_location::current()) const {
    return unary(detail::inverse_::kernel, {*this, where});
  }
  /// The elementwise product.
  constexpr traced cwiseProduct(const traced_operand& b) const {
    return binary(detail::plain_<kernels::multiply>::kernel, {*this, b.where_}, b);
  }
  /// The elementwise quotient.
  constexpr traced cwiseQuotient(const traced_operand& b) const {
    return binary(detail::plain_<kernels::divide>::kernel, {*this, b.where_}, b);
  }
  /// The sum of all elements.
  constexpr traced sum(const source_location& where = source_location::current()) const {
    return unary(detail::plain_<kernels::reduce_sum>::kernel, {*this, where});
  }
  /// The mean of all elements.
  constexpr traced mean(const source_location& where = source_location::current()) const {
    return unary(detail::plain_<kernels::reduce_mean>::kernel, {*this, where});
  }
  /// The largest element.
  constexpr traced maxCoeff(const source_location& where = source_location::current()) const {
    return unary(detail::plain_<kernels::reduce_max>::kernel, {*this, where});
  }
  /// The inner product of two vectors.
  constexpr traced dot(const traced_operand& b) const { return cwiseProduct(b).sum(b.where_); }
  /// The sum of the squares of the elements.
  constexpr traced squaredNorm(const source_location& where = source_location::current()) const {
    return cwiseProduct({*this, where}).sum(where);
  }
  /// The value itself: there is nothing to evaluate.
  constexpr traced eval() const { return *this; }
  /// The value itself: traced values do not alias.
  constexpr traced& noalias() { return *this; }

  /// The Cholesky factorisation of a symmetric positive definite matrix.
  constexpr factored<kernels::solve_cholesky> llt() const;
  /// The LU factorisation of a square matrix.
  constexpr factored<kernels::solve> lu() const;
  /// `lu` under Eigen's name for partial pivoting.
  constexpr factored<kernels::solve> partialPivLu() const;
  /// The QR factorisation of a matrix of full rank with at least as many rows as columns; solves
  /// least-squares problems.
  constexpr factored<kernels::least_squares> householderQr() const;

  /// Never well-formed: a traced value has no truth value (WF111).
  template <class Bool = bool>
    requires std::same_as<Bool, bool>
  constexpr explicit operator Bool() const {
    return refuse<Bool, Bool>();
  }
  /// Never well-formed: a traced value has no elements (WF111).
  template <std::integral... Index>
  constexpr traced operator()(Index...) const {
    return refuse<traced, std::index_sequence_for<Index...>>();
  }
  /// Never well-formed, as `operator()`: a traced value has no elements (WF111).
  template <std::integral Index>
  constexpr traced operator[](Index) const {
    return refuse<traced, Index>();
  }
  /// Never well-formed: a comparison has no truth value while tracing (WF111).
  template <std::convertible_to<traced_operand> T>
  friend constexpr bool operator<(const traced&, const T&) {
    return refuse<bool, T>();
  }
  /// Never well-formed: a comparison has no truth value while tracing (WF111).
  template <std::convertible_to<traced_operand> T>
  friend constexpr bool operator>(const traced&, const T&) {
    return refuse<bool, T>();
  }
  /// Never well-formed: a comparison has no truth value while tracing (WF111).
  template <std::convertible_to<traced_operand> T>
  friend constexpr bool operator<=(const traced&, const T&) {
    return refuse<bool, T>();
  }
  /// Never well-formed: a comparison has no truth value while tracing (WF111).
  template <std::convertible_to<traced_operand> T>
  friend constexpr bool operator>=(const traced&, const T&) {
    return refuse<bool, T>();
  }
  /// Never well-formed: a comparison has no truth value while tracing (WF111).
  template <std::convertible_to<traced_operand> T>
  friend constexpr bool operator==(const traced&, const T&) {
    return refuse<bool, T>();
  }

 private:
  friend class traced_operand;
  template <const kernel_spec& Solve>
  friend class factored;

  // Depends on the template arguments, so that only an actual use is an error.
  template <class...>
  static constexpr fixed_string refusal = "WF111: while tracing there are no";
  template <class Result, class... Dependent>
  static constexpr Result refuse() {
    (void)sizeof(report<ill_formed<"traced value", refusal<Dependent...>,
                                   "elements and no truth values: a branch",
                                   "needs an operator such as where">>);
    return Result();
  }

  constexpr std::int64_t size_of(std::uint32_t dimension) const {
    const shape s = known().shape;
    if (s.has_rank() && dimension >= s.rank) return 1;
    if (s.has_rank() && s[dimension].is_fixed()) return s[dimension].size();
    if (owner_ != nullptr)
      detail::capture_of(*owner_).fail(
          make_error(errc::not_traceable, "",
                     "the traced function asks for the size of a symbolic dimension"));
    return 0;
  }

  // The value id of an operand; a number is captured as a constant of the other operand's type.
  static constexpr value_id capture(scope& s, const traced_operand& x, dtype type) {
    if (x.owner_ != nullptr) return x.id_;
    const attribute_value a = attribute_value::floating("value", x.number_);
    const value_type scalar{type, {}, shape::of()};
    return detail::capture_of(s).apply(detail::captured<kernels::constant>, {&a, 1}, {},
                                       {&scalar, 1}, x.where_);
  }
  static constexpr dtype element_type(const traced_operand& x, const traced_operand& other) {
    const traced_operand& typed = x.owner_ != nullptr ? x : other;
    return detail::capture_of(*typed.owner_).type_of(typed.id_).type;
  }

  // A plain function, since clang instantiates members of a class too late for its own friends.
  using kernel_choice = captured_kernel (*)(view<value_type>);
  static constexpr traced emit(kernel_choice choose, scope& s, view<value_id> ids,
                               const source_location& where) {
    detail::graph_capture& to = detail::capture_of(s);
    value_type types[2];
    for (std::size_t i = 0; i < ids.size(); ++i) types[i] = to.type_of(ids[i]);
    return {&s, to.apply(choose({types, ids.size()}), {}, ids, {}, where)};
  }
  static constexpr traced binary(kernel_choice choose, const traced_operand& a,
                                 const traced_operand& b) {
    scope* const s = detail::common_owner(a.owner_, b.owner_);
    if (s == nullptr || a.foreign_ || b.foreign_) return foreign(a, b);
    const dtype type = element_type(a, b);
    const value_id left = capture(*s, a, type);
    const value_id ids[2] = {left, capture(*s, b, type)};
    return emit(choose, *s, {ids, 2}, b.where_);
  }
  static constexpr traced unary(kernel_choice choose, const traced_operand& a) {
    if (a.owner_ == nullptr) return foreign(a, a);
    return emit(choose, *a.owner_, {&a.id_, 1}, a.where_);
  }
  // Handles unassigned operands and operands of two workflows.
  static constexpr traced foreign(const traced_operand& a, const traced_operand& b) {
    scope* const s = a.owner_ != nullptr ? a.owner_ : b.owner_;
    if (s != nullptr) detail::capture_of(*s).fail_foreign(b.where_);
    return {};
  }

  scope* owner_ = nullptr;
  value_id id_ = value_id::none;
};

constexpr traced_operand::traced_operand(const traced& value, const source_location& where)
    : owner_(value.owner_), id_(value.id_), where_(where), foreign_(value.owner_ == nullptr) {}

/// A factorised traced matrix for solving: the result of `llt()`, `lu()`, `partialPivLu()` and
/// `householderQr()`.
template <const kernel_spec& Solve>
class factored {
 public:
  /// The factorisation of a matrix; created by `traced`.
  constexpr explicit factored(const traced& matrix) : matrix_(matrix) {}
  /// X with A·X = b, or with the least norm of A·X - b if the factorisation is QR.
  constexpr traced solve(const traced_operand& b) const {
    return traced::binary(detail::plain_<Solve>::kernel, {matrix_, b.where_}, b);
  }

 private:
  traced matrix_;
};

constexpr factored<kernels::solve_cholesky> traced::llt() const {
  return factored<kernels::solve_cholesky>(*this);
}
constexpr factored<kernels::solve> traced::lu() const { return factored<kernels::solve>(*this); }
constexpr factored<kernels::solve> traced::partialPivLu() const { return lu(); }
constexpr factored<kernels::least_squares> traced::householderQr() const {
  return factored<kernels::least_squares>(*this);
}

/// Captures an operation with a traced operand immediately: all functions on operands accept traced
/// values too. `result_of` gives further results.
template <operation_tag Operation, operand... Operand>
  requires(std::same_as<Operand, traced> || ...)
constexpr traced apply_at(const source_location& where, const Operation& operation,
                          const Operand&... operands) {
  static_assert(sizeof...(Operand) <= max_operands, "WF101: an operator takes at most 8 operands");
  scope* owner = nullptr;
  ((owner = owner == nullptr ? operands.owner() : owner), ...);
  if (owner == nullptr) return {};
  if (((operands.owner() != owner && operands.owner() != nullptr) || ...)) {
    detail::capture_of(*owner).fail_foreign(where);
    return {};
  }
  const value_id ids[] = {operands.emit(*owner, where)...};
  return {owner, detail::emit_operation(operation, *owner, {ids, sizeof...(Operand)}, {}, where)};
}

/// Result `k` of the operation whose first result is given.
constexpr traced result_of(const traced& first, std::uint32_t k) {
  return {first.owner(), static_cast<value_id>(index_of(first.id()) + k)};
}

/// Several traced values, for structured bindings: the results of an operation (`results_of`) or
/// the outputs of a sub-workflow.
template <std::size_t Count>
class traced_results {
 public:
  /// Values of a scope, in order; `none` for those that are missing.
  constexpr traced_results(scope* owner, view<value_id> ids) {
    for (std::size_t i = 0; i < Count; ++i)
      values_[i] = {owner, i < ids.size() ? ids[i] : value_id::none};
  }
  /// Value `Index`.
  template <std::size_t Index>
  constexpr traced get() const {
    return values_[Index];
  }

 private:
  traced values_[Count];
};

/// Binds the results of an operation in a generic function, whose operands are traced values or
/// expressions: `auto [there, from, request] = wf::results_of<3>(wf::send(x, servers))`. What
/// `scope::let_each` does where a scope is at hand. Compile error: WF111 for another number of
/// results than an expression has (of a traced operation it is not known while compiling), and for
/// an operation without operands, which no workflow owns.
template <std::size_t Count, operand E>
constexpr auto results_of(const E& first,
                          const source_location& where = source_location::current()) {
  if constexpr (std::same_as<E, traced>) {
    value_id ids[Count];
    for (std::uint32_t k = 0; k < Count; ++k) ids[k] = result_of(first, k).id();
    return traced_results<Count>(first.owner(), {ids, Count});
  } else {
    static_assert(!E::is_nullary,
                  "WF111: an operation without operands is of no workflow: use scope::let_each");
    static_assert(E::deduced::count == Count,
                  "WF111: results_of states another number of results than the operation has");
    return first.owner()->let_each(first, where);
  }
}

}  // namespace wf

/// Number of results in a structured binding.
template <std::size_t Count>
struct std::tuple_size<wf::traced_results<Count>> : std::integral_constant<std::size_t, Count> {};
/// Every result is a traced value.
template <std::size_t Index, std::size_t Count>
struct std::tuple_element<Index, wf::traced_results<Count>> {
  /// The type of `get<Index>()`.
  using type = wf::traced;
};
