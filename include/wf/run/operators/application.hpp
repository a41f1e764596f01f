// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include <wf/core/text/text.hpp>
#include <wf/registry/infer.hpp>
#include <wf/run/operators/integer_arithmetic.hpp>
#include <wf/run/operators/tile_program.hpp>
#include <wf/run/values/element.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/tensor.hpp>

namespace wf::compute {

/// One node of a graph with the tensors that it reads and writes, as an operator's implementation
/// receives it. The registry inferred the shapes of the results, so ranks, extents and the number
/// of operands agree with the operator's signature.
template <class Real>
class application {
 public:
  /// Takes the node, and the tensors of all values of its graph, by id; graph data and node must
  /// outlive this. The node has at most `max_operands` operands and `max_results` results.
  /// `scratch` has the elements that its operator requests; `constants` are those that
  /// `operator_implementation::constants` wrote.
  application(const graph_view& g, const wf::node& n, const tensor_ref<Real>* values,
              Real* scratch = nullptr, std::int64_t scratch_size = 0,
              const Real* constants = nullptr)
      : graph_(g), node_(n), scratch_(scratch), scratch_size_(scratch_size), constants_(constants) {
    for (std::uint32_t k = 0; k < n.inputs.count; ++k)
      operands_[k] = values[index_of(g.inputs_of(n)[k])].view();
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) results_[k] = values[n.outputs.first + k];
  }

  /// The graph of the node.
  const graph_view& graph() const { return graph_; }
  /// The executed node, which belongs to `graph`.
  const wf::node& node() const { return node_; }
  /// Number of operands.
  std::uint32_t operands() const { return node_.inputs.count; }
  /// Number of results.
  std::uint32_t results() const { return node_.outputs.count; }
  /// Operand number k; unchecked.
  const tensor_view<Real>& in(std::uint32_t k = 0) const { return operands_[k]; }
  /// Result number k, not initialised; unchecked.
  const tensor_ref<Real>& out(std::uint32_t k = 0) const { return results_[k]; }
  /// Storage for intermediate values (`operator_implementation::scratch`).
  Real* scratch() const { return scratch_; }
  /// Size of the scratch storage in elements.
  std::int64_t scratch_size() const { return scratch_size_; }
  /// Elements computed from the attributes before the run; null if the operator has no `constants`.
  const Real* constants() const { return constants_; }
  /// Element type of operand k in the graph.
  dtype operand_type(std::uint32_t k = 0) const {
    return graph_[graph_.inputs_of(node_)[k]].type.type;
  }
  /// Element type of result k in the graph.
  dtype result_type(std::uint32_t k = 0) const {
    return graph_[graph_view::output_of(node_, k)].type.type;
  }

  /// True if the node has an attribute of that name.
  bool has(text_view name) const { return graph_.find_attribute(node_, name) != nullptr; }
  /// Value of an integer attribute; `otherwise` if absent.
  std::int64_t integer(text_view name, std::int64_t otherwise) const {
    return graph_.integer_attribute(node_, name, otherwise);
  }
  /// Value of a numeric attribute of any kind; `otherwise` if absent.
  double real(text_view name, double otherwise) const {
    return graph_.real_attribute(node_, name, otherwise);
  }
  /// Value of a numeric attribute of any kind as an integer; 0 if absent, nothing if it is not
  /// integral or does not fit the type.
  template <class Integer>
  std::optional<Integer> whole(text_view name) const {
    const attribute* a = graph_.find_attribute(node_, name);
    if (a == nullptr) return Integer{0};
    if (a->kind == attribute_kind::real) return whole_of<Integer>(a->real);
    if (a->denominator == 0 || a->number % a->denominator != 0) return std::nullopt;
    return whole_of<Integer>(a->number / a->denominator);
  }
  /// Value of a text attribute; empty if absent.
  text_view characters(text_view name) const {
    const attribute* a = graph_.find_attribute(node_, name);
    return a == nullptr ? text_view() : graph_.text_of(a->characters);
  }
  /// The dimension of operand `k` that the attribute `axis` names; 0 if absent.
  std::uint32_t axis() const { return static_cast<std::uint32_t>(integer("axis", 0)); }

  /// The same node on another element type of the same size that reinterprets this one. If
  /// `operands` is not null, the operands are there, consecutive, as `copy_operands` writes them;
  /// if `results` is not null, the results are written there.
  template <class Other>
  application<Other> on(Other* operands = nullptr, Other* results = nullptr) const {
    static_assert(sizeof(Other) == sizeof(Real) && alignof(Other) == alignof(Real));
    application<Other> out(graph_, node_, reinterpret_cast<Other*>(scratch_), scratch_size_);
    for (std::uint32_t k = 0; k < node_.inputs.count; ++k) {
      const tensor_view<Real>& t = operands_[k];
      if (operands == nullptr) {
        out.operands_[k] = {t.shape, reinterpret_cast<const Other*>(t.elements), t.by_columns,
                            t.stride};
        continue;
      }
      out.operands_[k] = {t.shape, operands, t.by_columns};
      operands += t.size();
    }
    for (std::uint32_t k = 0; k < node_.outputs.count; ++k) {
      const tensor_ref<Real>& t = results_[k];
      if (results == nullptr) {
        out.results_[k] = {t.shape, reinterpret_cast<Other*>(t.elements), t.by_columns, t.stride};
        continue;
      }
      out.results_[k] = {t.shape, results, t.by_columns};
      results += t.view().size();
    }
    return out;
  }
  /// Copies the operands to consecutive storage; returns its end.
  Real* copy_operands(Real* to) const {
    for (std::uint32_t k = 0; k < operands(); ++k) {
      copy(matrix(tensor_ref<Real>{in(k).shape, to, in(k).by_columns}), matrix(in(k)));
      to += in(k).size();
    }
    return to;
  }

  /// The same node on the magnitudes of its operands; copies of the operands, and the results, lie
  /// in `storage`, which has as many elements as all of them.
  application<Real> of_magnitudes(Real* storage) const {
    application<Real> out = *this;
    for (std::uint32_t k = 0; k < operands(); ++k) {
      const matrix_view<Real> from = matrix(in(k));
      const tensor_ref<Real> copied{in(k).shape, storage, in(k).by_columns};
      const matrix_ref<Real> to = matrix(copied);
      for (Eigen::Index r = 0; r < from.runs(); ++r)
        for (Eigen::Index i = 0; i < from.run_length(); ++i)
          to.run(r)[i] = std::abs(from.run(r)[i]);
      out.operands_[k] = copied.view();
      storage += in(k).size();
    }
    for (std::uint32_t k = 0; k < results(); ++k) {
      out.results_[k] = {results_[k].shape, storage, results_[k].by_columns};
      storage += results_[k].view().size();
    }
    return out;
  }

 private:
  template <class>
  friend class application;

  // Leaves the tensors unset.
  application(const graph_view& g, const wf::node& n, Real* scratch, std::int64_t scratch_size)
      : graph_(g), node_(n), scratch_(scratch), scratch_size_(scratch_size) {}

  graph_view graph_;
  const wf::node& node_;
  Real* scratch_;
  std::int64_t scratch_size_;
  const Real* constants_ = nullptr;
  tensor_view<Real> operands_[max_operands];
  tensor_ref<Real> results_[max_results];
};

/// Applies `settle` to all elements of a tensor.
template <class Real>
bool settle(dtype type, const tensor_ref<Real>& t) {
  if (type == dtype_of<Real>) return true;
  const matrix_ref<Real> m = matrix(t);
  for (Eigen::Index r = 0; r < m.runs(); ++r)
    if (!settle(type, m.run(r), m.run_length())) return false;
  return true;
}

/// Computes the results of a node. Returns the reason of a failure, empty on success.
template <class Real>
using operator_function = text (*)(const application<Real>&);

/// Storage order of matrices; other tensors are always row-major and contiguous.
enum class storage_order : std::uint8_t {
  rows,     ///< row-major: the elements of a row are consecutive
  columns,  ///< column-major, as in Eigen
  either,   ///< row-major or column-major
};

/// Implementation of an operator in the run-time executor: a row in the table of its family if
/// built in, otherwise made by `executable_kernels`.
template <class Real>
struct operator_implementation {
  /// Name of the operator, as in the registry.
  text_view name = {};
  /// Computes the results.
  operator_function<Real> run = nullptr;
  /// Reason why a node of static shapes cannot be executed although the registry accepts it, or an
  /// empty text; null: there is none.
  text_view (*fault)(const graph_view&, const node&) = nullptr;
  /// Elements of scratch storage for a node of static shapes; null: none.
  std::int64_t (*scratch)(const graph_view&, const node&) = nullptr;
  /// Preferred order of operands: if memory allows, operands in another order are copied. With
  /// `rows` or `either` the operator must still accept matrices in either order with any stride,
  /// through `matrix`.
  storage_order operands = storage_order::rows;
  /// Preferred order of results. With `columns` they are column-major; with `either` it must write
  /// both orders; strides are arbitrary.
  storage_order results = storage_order::rows;
  /// For an elementwise operator: computes a tile of the result, if its elements are floating.
  tile_kernel<Real> tile = nullptr;
  /// Role of the kernel in a sum, for fusion.
  tile_role role = tile_role::other;
  /// Bit k is set if the operator is fastest when operand k and the results have the same order.
  std::uint32_t alike_operands = 0;
  /// For an elementwise operator: writes the numeric attributes of a node, at most
  /// `max_tile_parameters`; null: it has none.
  void (*parameters)(const graph_view&, const node&, parameter_of<Real>*) = nullptr;
  /// Writes elements that depend on the attributes of a node of static shapes only, once before all
  /// runs: as many as its first result has; null: none.
  void (*constants)(const graph_view&, const node&, Real*) = nullptr;

  /// True if the operator is fastest when operand `k` and the results have the same order.
  constexpr bool is_alike(std::uint32_t k) const { return (alike_operands >> k & 1) != 0; }
  /// A copy of the operator with these preferred orders.
  constexpr operator_implementation<Real> in_order(storage_order of_operands,
                                                   storage_order of_results) const {
    operator_implementation<Real> out = *this;
    out.operands = of_operands, out.results = of_results;
    return out;
  }
};

/// Number of elements of all operands and results of a node of static shapes.
constexpr std::int64_t elements_of_node(const graph_view& g, const node& n) {
  std::int64_t sum = 0;
  for (value_id operand : g.inputs_of(n)) sum += g[operand].type.shape.elements();
  for (std::uint32_t k = 0; k < n.outputs.count; ++k)
    sum += g[graph_view::output_of(n, k)].type.shape.elements();
  return sum;
}

/// Elements of scratch storage that `exact_sums` needs in addition to the operator's own: for
/// integers those of all operands and results.
constexpr std::int64_t exact_sums_scratch(const graph_view& g, const node& n) {
  return n.outputs.count != 0 && is_integer(g[graph_view::output_of(n)].type.type)
             ? elements_of_node(g, n)
             : 0;
}

namespace detail {

// Reasons of failure of elementwise operators and of sums.
template <class Real>
text unfit() {
  return text() << "an element of the result does not exist or does not fit "
                << name_of(dtype_of<Real>);
}
template <class Real>
text sum_exceeds() {
  if constexpr (is_field_scalar<Real>)
    return sizeof(magnitude_of<Real>) == 8 ? "an integer sum exceeds 2^53"
                                           : "an integer sum exceeds 2^24";
  else
    return text() << "a sum does not fit " << name_of(dtype_of<Real>);
}

// An upper bound on the magnitudes of a tensor's elements: at most twice the largest, or the
// largest itself if `Exactly`, which takes longer.
template <bool Exactly, class Integer>
std::uint64_t bound_of(const tensor_view<Integer>& t) {
  const auto of_run = [](const Integer* from, Eigen::Index count) {
    return Exactly ? largest_magnitude(from, count) : magnitude_bound(from, count);
  };
  const matrix_view<Integer> m = matrix(t);
  if (m.stride == m.run_length()) return of_run(m.elements, m.rows * m.columns);
  std::uint64_t out = 0;
  for (Eigen::Index r = 0; r < m.runs(); ++r) out = std::max(out, of_run(m.run(r), m.run_length()));
  return out;
}
// True if no partial sum can overflow, by a bound that `bound` derives from the operands' bounds.
template <class Integer, class Bound>
bool sums_fit(const application<Integer>& a, Bound bound) {
  constexpr std::uint64_t most = std::numeric_limits<Integer>::max();
  return bound(a, [](const auto& t) { return bound_of<false>(t); }) <= most ||
         bound(a, [](const auto& t) { return bound_of<true>(t); }) <= most;
}

// Computes the results with remainders of modulus `Number` in `results`, and compares them with the
// integer results.
template <int Number, class Integer, class Compute>
bool has_remainders(const application<Integer>& a, Integer* operands, Integer* results,
                    Compute compute) {
  using element = remainder<Integer, Number>;
  const application<element> proof =
      a.on(reinterpret_cast<element*>(operands), reinterpret_cast<element*>(results));
  if (!compute(proof).empty()) return false;
  const auto made = elements_of(a.out());
  const auto proved = elements_of(proof.out());
  for (Eigen::Index i = 0; i < a.out().view().size(); ++i)
    if (!(element(made[i]) == proved[i])) return false;
  return true;
}

// Sums of integers in their own type. If a bound on magnitudes shows that no partial sum overflows,
// they are computed directly; otherwise with three moduli, and they fit if the remainders agree.
template <class Integer, class Bound, class Compute>
text sums_of_integers(const application<Integer>& a, Bound bound, Compute compute) {
  if (sums_fit(a, bound)) return compute(a);
  if (!is_integer(a.result_type())) return sum_exceeds<Integer>();  // more booleans than integers
  Integer* const operands = a.scratch();
  Integer* const results = a.copy_operands(operands);  // before an operand is overwritten
  using element = remainder<Integer, 0>;
  if (text why = compute(a.on(reinterpret_cast<element*>(operands))); !why.empty()) return why;
  const bool fits = has_remainders<1>(a, operands, results, compute) &&
                    has_remainders<2>(a, operands, results, compute);
  return fits ? text() : sum_exceeds<Integer>();
}

// Sums of booleans as numbers, in their own storage.
template <class Compute>
text sums_of_booleans(const application<bool>& a, Compute compute) {
  static_assert(sizeof(bool) == sizeof(truth));
  const application<truth> numbers = a.on<truth>();
  if (text why = compute(numbers); !why.empty()) return why;
  const auto made = elements_of(numbers.out());
  for (Eigen::Index i = 0; i < numbers.out().view().size(); ++i)
    if (made[i].representative() > 1) return sum_exceeds<bool>();
  return {};
}

}  // namespace detail

/// Computes sums of products by `compute`, which takes an application of any element type. Integers
/// in a floating executor: fails if the magnitudes of the terms of an integer sum add up to more
/// than the floating type holds exactly; this check doubles the cost. Integers in their own type:
/// fails if a result does not fit. `bound` bounds partial sums by the magnitudes of the operands;
/// if it does not exclude overflow, the cost is fourfold, and not vectorised. The scratch storage
/// is the first `exact_sums_scratch` elements; that of `compute` follows. `add_up` sums the
/// magnitudes, if `compute` would subtract some. Returns the reason of a failure, empty on success.
template <class Real, class Bound, class Compute, class AddUp>
text exact_sums(const application<Real>& a, Bound bound, Compute compute, AddUp add_up) {
  if constexpr (std::is_same_v<Real, bool>) {
    return detail::sums_of_booleans(a, compute);
  } else if constexpr (!is_field_scalar<Real>) {
    return detail::sums_of_integers(a, bound, compute);
  } else {
    if (a.results() == 0 || !is_integer(a.result_type())) return compute(a);
    const application<Real> magnitudes =
        a.of_magnitudes(a.scratch());  // before an operand is overwritten
    if (text why = add_up(magnitudes); !why.empty()) return why;
    const matrix_view<Real> sums = matrix(magnitudes.out().view());
    for (Eigen::Index r = 0; r < sums.runs(); ++r)
      for (Eigen::Index i = 0; i < sums.run_length(); ++i)
        if (!(real_part(sums.run(r)[i]) <= max_exact_integer<Real>))
          return detail::sum_exceeds<Real>();
    return compute(a);
  }
}
/// The same if `compute` itself sums the magnitudes.
template <class Real, class Bound, class Compute>
text exact_sums(const application<Real>& a, Bound bound, Compute compute) {
  return exact_sums(a, bound, compute, compute);
}

namespace detail {

// Bound of sums of `Terms` products of elements of the first and, if present, the second operand,
// plus an element of the third, if present.
template <auto Terms>
inline constexpr auto bound_of_products = [](const auto& a, auto largest) {
  std::uint64_t bound = bounded_product(magnitude(Eigen::Index{Terms(a)}), largest(a.in(0)));
  if (a.operands() > 1) bound = bounded_product(bound, largest(a.in(1)));
  if (a.operands() > 2) bound = bounded_sum(bound, largest(a.in(2)));
  return bound;
};
// Numbers of terms per sum.
inline constexpr auto one_term = [](const auto&) { return Eigen::Index{1}; };
inline constexpr auto last_extent = [](const auto& a) {
  return a.in().shape.rank == 0 ? Eigen::Index{1} : a.in().extent(a.in().shape.rank - 1);
};

// Table row of an operator that computes sums of products, on matrices in either order.
template <class Real, auto Run, auto Terms, auto AddUp = Run>
constexpr operator_implementation<Real> sums(text_view name) {
  using enum storage_order;
  return operator_implementation<Real>{name,
                                       [](const application<Real>& a) {
                                         return exact_sums(a, bound_of_products<Terms>, Run, AddUp);
                                       },
                                       nullptr, &exact_sums_scratch}
      .in_order(either, either);
}

// Concatenates two tables.
template <class Row, std::size_t N, std::size_t M>
constexpr std::array<Row, N + M> joined(const std::array<Row, N>& a, const std::array<Row, M>& b) {
  std::array<Row, N + M> out{};
  std::copy(a.begin(), a.end(), out.begin());
  std::copy(b.begin(), b.end(), out.begin() + N);
  return out;
}
template <auto First, auto... More>
constexpr auto joined() {
  if constexpr (sizeof...(More) == 0)
    return First();
  else
    return joined(First(), joined<More...>());
}
// Concatenates the tables that functions return into one table of static lifetime.
template <auto... Tables>
auto rows_of() {
  static constexpr auto all = joined<Tables...>();
  return view<typename decltype(all)::value_type>(all.data(), all.size());
}

}  // namespace detail

}  // namespace wf::compute
