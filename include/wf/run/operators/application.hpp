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
#include <wf/run/operators/tiles.hpp>
#include <wf/run/values/element.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/tensor.hpp>

namespace wf::compute {

/// One node of a graph and the tensors that it reads and writes: what the executor hands to the
/// implementation of an operator. The registry has inferred the results' shapes from the operands,
/// so ranks, extents and the number of operands are those of the operator's signature.
template <class Real>
class application {
 public:
  /// The node, and the tensors of all values of its graph, by their ids; both must outlive this.
  /// The node has at most `max_operands` operands and `max_results` results. `scratch` has as many
  /// elements as its operator asks for; `constants` are what `executable_operator::constants`
  /// wrote.
  application(const graph_view& g, const wf::node& n, const tensor_ref<Real>* values,
              Real* scratch = nullptr, std::int64_t scratch_size = 0,
              const Real* constants = nullptr)
      : graph_(g), node_(n), scratch_(scratch), scratch_size_(scratch_size), constants_(constants) {
    for (std::uint32_t k = 0; k < n.inputs.count; ++k)
      operands_[k] = values[index_of(g.inputs_of(n)[k])].view();
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) results_[k] = values[n.outputs.first + k];
  }

  /// The node's graph.
  const graph_view& graph() const { return graph_; }
  /// What is executed, a node of `graph`.
  const wf::node& node() const { return node_; }
  /// The number of operands.
  std::uint32_t operands() const { return node_.inputs.count; }
  /// The number of results.
  std::uint32_t results() const { return node_.outputs.count; }
  /// An operand.
  const tensor_view<Real>& in(std::uint32_t k = 0) const { return operands_[k]; }
  /// A result, whose elements are not initialised.
  const tensor_ref<Real>& out(std::uint32_t k = 0) const { return results_[k]; }
  /// Storage for what the operator computes on the way (`executable_operator::scratch`).
  Real* scratch() const { return scratch_; }
  /// How many elements that has.
  std::int64_t scratch_size() const { return scratch_size_; }
  /// What the node's attributes say, if its operator has `constants`.
  const Real* constants() const { return constants_; }
  /// The element type of an operand.
  dtype operand_type(std::uint32_t k = 0) const {
    return graph_[graph_.inputs_of(node_)[k]].type.type;
  }
  /// The element type of a result.
  dtype result_type(std::uint32_t k = 0) const {
    return graph_[graph_view::output_of(node_, k)].type.type;
  }

  /// True if the node has an attribute of that name.
  bool has(text_view name) const { return graph_.find_attribute(node_, name) != nullptr; }
  /// An integer attribute, or `otherwise`.
  std::int64_t integer(text_view name, std::int64_t otherwise) const {
    return graph_.integer_attribute(node_, name, otherwise);
  }
  /// An attribute that is a number of any kind, or `otherwise`.
  double real(text_view name, double otherwise) const {
    const attribute* a = graph_.find_attribute(node_, name);
    if (a == nullptr) return otherwise;
    if (a->kind == attribute_kind::real) return a->real;
    return static_cast<double>(a->number) / static_cast<double>(a->denominator);
  }
  /// An attribute that is a number of any kind as an integer, 0 without it; nothing if it is none
  /// or does not fit the type.
  template <class Integer>
  std::optional<Integer> whole(text_view name) const {
    const attribute* a = graph_.find_attribute(node_, name);
    if (a == nullptr) return Integer{0};
    if (a->kind == attribute_kind::real) return whole_of<Integer>(a->real);
    if (a->denominator == 0 || a->number % a->denominator != 0) return std::nullopt;
    return whole_of<Integer>(a->number / a->denominator);
  }
  /// A text attribute, or nothing.
  text_view characters(text_view name) const {
    const attribute* a = graph_.find_attribute(node_, name);
    return a == nullptr ? text_view() : graph_.text_of(a->characters);
  }
  /// The dimension of operand `k` that the attribute `axis` names, the first without it.
  std::uint32_t axis() const { return static_cast<std::uint32_t>(integer("axis", 0)); }

  /// The same node on elements of another type of the same size, which may stand for these: on the
  /// operands at `operands` if that is not null, one after the other as `copy_operands` writes
  /// them, and with results at `results` if that is not null.
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
  /// Writes the operands one after the other; where the next element would be.
  Real* copy_operands(Real* to) const {
    for (std::uint32_t k = 0; k < operands(); ++k) {
      copy(matrix(tensor_ref<Real>{in(k).shape, to, in(k).by_columns}), matrix(in(k)));
      to += in(k).size();
    }
    return to;
  }

  /// The same node on the magnitudes of its operands; operands and results lie in `storage`, which
  /// has as many elements as all of them.
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

  // Whose tensors are not known yet.
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

/// The same as `settle` of all elements of a tensor.
template <class Real>
bool settle(dtype type, const tensor_ref<Real>& t) {
  if (type == dtype_of<Real>) return true;
  const matrix_ref<Real> m = matrix(t);
  for (Eigen::Index r = 0; r < m.runs(); ++r)
    if (!settle(type, m.run(r), m.run_length())) return false;
  return true;
}

/// Computes the results of a node. Returns why it cannot, or nothing.
template <class Real>
using implementation = text (*)(const application<Real>&);

/// In which order matrices lie; other tensors always lie by rows, one element after the other.
enum class storage_order : std::uint8_t {
  rows,     ///< row-major: the elements of a row beside each other
  columns,  ///< column-major, as Eigen has them
  either,   ///< by rows or by columns, whichever
};

/// How the run-time executor computes an operator: of a built-in one a row in the table of its
/// family, of others what `executable_kernels` makes.
template <class Real>
struct executable_operator {
  /// The name, as in the registry.
  text_view name = {};
  /// What it computes.
  implementation<Real> run = nullptr;
  /// Why a node of static shapes cannot be executed although the registry accepts it, or nothing;
  /// null: there is no such reason.
  text_view (*fault)(const graph_view&, const node&) = nullptr;
  /// How many elements of scratch storage a node of static shapes needs; null: none.
  std::int64_t (*scratch)(const graph_view&, const node&) = nullptr;
  /// How its operands lie best: where there is memory for it those that lie another way are copied.
  /// It must take matrices in either order, at any distance: it asks `matrix` for them.
  storage_order operands = storage_order::rows;
  /// How its results lie best; by columns alone if it says so, else it must write them in either
  /// order, at any distance.
  storage_order results = storage_order::rows;
  /// Of an elementwise operator: what computes a part of the result, if its elements are floating.
  tile_kernel<Real> tile = nullptr;
  /// What that is in a sum.
  tile_role role = tile_role::other;
  /// The operands, a bit each, of which it is fastest where they and the results lie alike.
  std::uint32_t alike_operands = 0;
  /// Of an elementwise operator: writes the numbers that a node's attributes are, at most
  /// `max_tile_parameters`; null: it has none.
  void (*parameters)(const graph_view&, const node&, parameter_of<Real>*) = nullptr;
  /// Writes what the attributes of a node of static shapes say, once before all runs: as many
  /// elements as its first result has; null: nothing.
  void (*constants)(const graph_view&, const node&, Real*) = nullptr;

  /// True if it is fastest where operand `k` and the results lie alike.
  constexpr bool is_alike(std::uint32_t k) const { return (alike_operands >> k & 1) != 0; }
  /// The same operator, which takes and gives matrices in these orders.
  constexpr executable_operator<Real> in_order(storage_order of_operands,
                                               storage_order of_results) const {
    executable_operator<Real> out = *this;
    out.operands = of_operands, out.results = of_results;
    return out;
  }
};

/// The number of elements of all operands and results of a node of static shapes.
constexpr std::int64_t elements_of_node(const graph_view& g, const node& n) {
  std::int64_t sum = 0;
  for (value_id operand : g.inputs_of(n)) sum += g[operand].type.shape.elements();
  for (std::uint32_t k = 0; k < n.outputs.count; ++k)
    sum += g[graph_view::output_of(n, k)].type.shape.elements();
  return sum;
}

/// The scratch storage that `exact_sums` needs beside that of the operator itself: of integers
/// twice their operands and results.
constexpr std::int64_t exact_sums_scratch(const graph_view& g, const node& n) {
  return n.outputs.count != 0 && is_integer(g[graph_view::output_of(n)].type.type)
             ? elements_of_node(g, n)
             : 0;
}

namespace detail {

// Why an elementwise operator failed.
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

// What no magnitude of a tensor's elements exceeds: at most twice the largest, or that itself,
// which takes longer.
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
// True if no sum on the way is too large, by a bound of a function of such numbers.
template <class Integer, class Bound>
bool sums_fit(const application<Integer>& a, Bound bound) {
  constexpr std::uint64_t most = std::numeric_limits<Integer>::max();
  return bound(a, [](const auto& t) { return bound_of<false>(t); }) <= most ||
         bound(a, [](const auto& t) { return bound_of<true>(t); }) <= most;
}

// Computes the results modulo `Number`'s, in `results`, and compares them with those there are.
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

// Sums of integers in their own type. If no sum on the way can be too large, by a bound of their
// magnitudes, they are computed as they are; else modulo three numbers, and fit if the three
// remainders are those of the first.
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

// Sums of booleans as numbers, where they are.
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

/// Computes sums of products by `compute`, which takes an application of any type of elements.
/// Integers that are summed in floating numbers: it fails if the magnitudes of the terms of an
/// integer sum add up to more than these hold exactly, and then costs twice as much. Integers in
/// their own type: it fails if a result does not fit, and costs four times as much, without
/// vectors, where `bound`, of the magnitudes that sums on the way may have by those of the
/// operands, does not show that none is too large. Its scratch storage are the first
/// `exact_sums_scratch` elements; what `compute` needs itself comes after them. `add_up` adds up
/// the magnitudes, where `compute` would subtract some.
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
/// The same where `compute` adds them up itself.
template <class Real, class Bound, class Compute>
text exact_sums(const application<Real>& a, Bound bound, Compute compute) {
  return exact_sums(a, bound, compute, compute);
}

namespace detail {

// The bound of sums of `terms` products of an element of the first operand and one of the second,
// if there is one, to which an element of the third is added, if there is one.
template <auto Terms>
inline constexpr auto bound_of_products = [](const auto& a, auto largest) {
  std::uint64_t bound = bounded_product(magnitude(Eigen::Index{Terms(a)}), largest(a.in(0)));
  if (a.operands() > 1) bound = bounded_product(bound, largest(a.in(1)));
  if (a.operands() > 2) bound = bounded_sum(bound, largest(a.in(2)));
  return bound;
};
// How many terms a sum has.
inline constexpr auto one_term = [](const auto&) { return Eigen::Index{1}; };
inline constexpr auto last_extent = [](const auto& a) {
  return a.in().shape.rank == 0 ? Eigen::Index{1} : a.in().extent(a.in().shape.rank - 1);
};

// A row of the table of an operator that sums up products, of matrices in either order.
template <class Real, auto Run, auto Terms, auto AddUp = Run>
constexpr executable_operator<Real> sums(text_view name) {
  using enum storage_order;
  return executable_operator<Real>{name,
                                   [](const application<Real>& a) {
                                     return exact_sums(a, bound_of_products<Terms>, Run, AddUp);
                                   },
                                   nullptr, &exact_sums_scratch}
      .in_order(either, either);
}

// The rows of two tables.
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
// The rows of tables, which functions make, as one table that lies somewhere for good.
template <auto... Tables>
auto rows_of() {
  static constexpr auto all = joined<Tables...>();
  return view<typename decltype(all)::value_type>(all.data(), all.size());
}

}  // namespace detail

}  // namespace wf::compute
