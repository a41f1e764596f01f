// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <wf/core/text.hpp>
#include <wf/registry/infer.hpp>
#include <wf/run/element.hpp>
#include <wf/run/scalar.hpp>
#include <wf/run/tensor.hpp>
#include <wf/run/tiles.hpp>

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
  /// A text attribute, or nothing.
  text_view characters(text_view name) const {
    const attribute* a = graph_.find_attribute(node_, name);
    return a == nullptr ? text_view() : graph_.text_of(a->characters);
  }
  /// The dimension of operand `k` that the attribute `axis` names, the first without it.
  std::uint32_t axis() const { return static_cast<std::uint32_t>(integer("axis", 0)); }

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
  graph_view graph_;
  const wf::node& node_;
  Real* scratch_;
  std::int64_t scratch_size_;
  const Real* constants_;
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
  void (*parameters)(const graph_view&, const node&, Real*) = nullptr;
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

/// Computes sums of products by `compute`. Integers are summed in doubles: it fails if the
/// magnitudes of the terms of an integer sum add up to more than doubles hold exactly, and then
/// costs twice as much. Its scratch storage are the first `exact_sums_scratch` elements; what
/// `compute` needs itself comes after them. `add_up` adds up the magnitudes, where `compute` would
/// subtract some.
template <class Real, class Compute, class AddUp>
text exact_sums(const application<Real>& a, Compute compute, AddUp add_up) {
  if (a.results() == 0 || !is_integer(a.result_type())) return compute(a);
  const application<Real> magnitudes =
      a.of_magnitudes(a.scratch());  // before an operand is overwritten
  if (text why = add_up(magnitudes); !why.empty()) return why;
  const matrix_view<Real> bound = matrix(magnitudes.out().view());
  for (Eigen::Index r = 0; r < bound.runs(); ++r)
    for (Eigen::Index i = 0; i < bound.run_length(); ++i)
      if (!(real_part(bound.run(r)[i]) <= max_exact_integer<Real>))
        return sizeof(Real) == 8 ? "an integer sum exceeds 2^53" : "an integer sum exceeds 2^24";
  return compute(a);
}
/// The same where `compute` adds them up itself.
template <class Real, class Compute>
text exact_sums(const application<Real>& a, Compute compute) {
  return exact_sums(a, compute, compute);
}

namespace detail {

// A row of the table of an operator that sums up products, of matrices in either order.
template <class Real, implementation<Real> Run>
constexpr executable_operator<Real> sums(text_view name) {
  using enum storage_order;
  return executable_operator<Real>{name,
                                   [](const application<Real>& a) { return exact_sums(a, Run); },
                                   nullptr, &exact_sums_scratch}
      .in_order(either, either);
}

}  // namespace detail

}  // namespace wf::compute
