// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/ir/graph/node.hpp>

namespace wf {

/// The division of an operand among the parts of an operator that is split along its two axes.
/// Along an axis that the operand does not follow, every part needs a copy.
enum class operand_split : std::uint8_t {
  by_second,  ///< follows the second axis: the activations of a convolution or product
  by_first,   ///< follows the first axis: an activation in the place of weights
  by_both,    ///< follows both: elementwise operands, pooling
};

/// One operator of the mapping problem, described by its figures for one sample. Units: counts and
/// bytes.
struct workload_operator {
  /// Name in messages and reports.
  text label;
  /// Multiply-accumulates.
  std::int64_t macs = 0;
  /// Number of elementwise operations (add, compare, exponential, …).
  std::int64_t elementwise = 0;
  /// Bytes of constant operands, the same for all samples, read from DRAM.
  std::int64_t weight_bytes = 0;
  /// Bytes of operands that no operator of the workload produces, read from DRAM.
  std::int64_t input_bytes = 0;
  /// Bytes of the result.
  std::int64_t output_bytes = 0;
  /// Scratch bytes, besides operands and result, while it runs undivided; a part needs its share of
  /// them (`cycle_model`).
  std::int64_t scratch_bytes = 0;
  /// Extent of the first axis of parallelism: output channels; columns of a product.
  std::int64_t first_axis = 1;
  /// Extent of the second axis of parallelism for one sample: output pixels; rows of a product.
  std::int64_t second_axis = 1;
  /// The split of the operands from DRAM.
  operand_split input_split = operand_split::by_second;
  /// True if it only renames data (reshape): no time, no memory, no PEs.
  bool is_view = false;
  /// True if the result is an output of the workload: it is written to DRAM.
  bool is_output = false;
  /// The graph node it was built from; `none`: not from a graph.
  node_id node = node_id::none;
  /// Operator name in the registry, such as "matmul": predictors may price operators of equal
  /// figures differently by it. Empty: unknown.
  text kernel;
  /// Shape of its (first) result for one sample, for predictors likewise.
  shape result;

  friend constexpr bool operator==(const workload_operator&, const workload_operator&) = default;
};

/// In place of an operator index: the result overwrites no other one.
inline constexpr std::uint32_t overwrites_nothing = UINT32_MAX;

/// A dependency: `to` reads `bytes` (for one sample) of the result of `from`. Zero bytes:
/// precedence only.
struct workload_edge {
  std::uint32_t from = 0;  ///< producing operator
  std::uint32_t to = 0;    ///< reading operator, with a larger index than the producer
  std::int64_t bytes = 0;  ///< bytes read, for one sample
  operand_split split = operand_split::by_second;  ///< split of the operand at the reader
  /// True if the reader's result may be written over it, given that this is its last use: see
  /// `overwriting` for the other conditions.
  bool may_overwrite = false;

  friend constexpr bool operator==(const workload_edge&, const workload_edge&) = default;
};

/// A mapping problem: operators in topological order and the data dependencies between them.
/// `batch` samples are processed together: the batch multiplies all counts and bytes but the
/// weights, and extends the second axis.
struct workload {
  text name;                           ///< name in messages
  std::int64_t batch = 1;              ///< number of samples processed together
  table<workload_operator> operators;  ///< in topological order
  table<workload_edge> edges;          ///< in any order

  /// Appends an operator, which must come after its producers, and returns its index.
  constexpr std::uint32_t add(workload_operator o) {
    operators.push_back(static_cast<workload_operator&&>(o));
    return static_cast<std::uint32_t>(operators.size() - 1);
  }
  /// Adds an edge: `to` reads `bytes` of the result of `from`, and may overwrite it if
  /// `may_overwrite`.
  constexpr void connect(std::uint32_t from, std::uint32_t to, std::int64_t bytes,
                         operand_split split = operand_split::by_second,
                         bool may_overwrite = false) {
    edges.push_back({from, to, bytes, split, may_overwrite});
  }
  friend constexpr bool operator==(const workload&, const workload&) = default;
};

/// One operator with the batch applied: the input of a cost predictor.
struct operator_load {
  std::int64_t macs = 0;           ///< number of multiply-accumulates
  std::int64_t elementwise = 0;    ///< number of elementwise operations
  std::int64_t weight_bytes = 0;   ///< bytes of constant operands
  std::int64_t output_bytes = 0;   ///< bytes of the result
  std::int64_t scratch_bytes = 0;  ///< scratch bytes while it runs undivided
  std::int64_t first_axis = 1;     ///< extent of the first axis
  std::int64_t second_axis = 1;    ///< extent of the second axis
  /// Bytes of operands produced by other operators, by `operand_split`.
  std::int64_t made_bytes[3] = {0, 0, 0};
  /// Bytes of operands read from DRAM, weights excluded, by `operand_split`.
  std::int64_t fetched_bytes[3] = {0, 0, 0};
  /// Bytes of the result written to DRAM.
  std::int64_t stored_bytes = 0;
  text kernel;   ///< operator name; empty: unknown
  shape result;  ///< result shape for one sample, if known

  friend constexpr bool operator==(const operator_load& a, const operator_load& b) {
    for (int i = 0; i < 3; ++i)
      if (a.made_bytes[i] != b.made_bytes[i] || a.fetched_bytes[i] != b.fetched_bytes[i])
        return false;
    return a.macs == b.macs && a.elementwise == b.elementwise && a.weight_bytes == b.weight_bytes &&
           a.output_bytes == b.output_bytes && a.scratch_bytes == b.scratch_bytes &&
           a.first_axis == b.first_axis && a.second_axis == b.second_axis &&
           a.stored_bytes == b.stored_bytes && a.kernel == b.kernel && a.result == b.result;
  }
};

/// Largest count or size in a workload, with the batch applied: 2^52, so that the cycle model's
/// products and the sums over all operators stay far inside 128 and 64 bits.
inline constexpr std::int64_t max_workload_figure = std::int64_t{1} << 52;

namespace detail {

constexpr bool scale_figure(std::int64_t& figure, std::int64_t batch) {
  return checked_multiply(figure, batch, figure) && figure <= max_workload_figure;
}

constexpr bool figures_are_valid(const workload_operator& o, std::int64_t batch) {
  std::int64_t figures[] = {o.macs,         o.elementwise,   o.input_bytes,
                            o.output_bytes, o.scratch_bytes, o.second_axis};
  for (std::int64_t& f : figures)
    if (f < 0 || !scale_figure(f, batch)) return false;
  return o.weight_bytes >= 0 && o.weight_bytes <= max_workload_figure && o.first_axis >= 1 &&
         o.first_axis <= max_workload_figure && o.second_axis >= 1;
}

}  // namespace detail

/// Checks a workload. Errors: `invalid_problem`, naming the operator or workload, if there is no
/// operator or more than 100,000, a count or size is negative, an axis or the batch is below 1, or
/// an edge does not run from an earlier to a later operator; `overflow` if a figure, with the batch
/// applied, is above `max_workload_figure`. O(operators + edges).
constexpr result<nothing> validate(const workload& w) {
  if (w.operators.empty())
    return make_error(errc::invalid_problem, w.name, "a workload needs at least one operator");
  if (w.operators.size() > 100'000)
    return make_error(errc::invalid_problem, w.name,
                      "a workload may have at most 100000 operators");
  if (w.batch < 1) return make_error(errc::invalid_problem, w.name, "the batch must be at least 1");
  for (const workload_operator& o : w.operators) {
    if (o.macs < 0 || o.elementwise < 0 || o.weight_bytes < 0 || o.input_bytes < 0 ||
        o.output_bytes < 0 || o.scratch_bytes < 0 || o.first_axis < 1 || o.second_axis < 1)
      return make_error(errc::invalid_problem, o.label,
                        "counts and sizes must not be negative, axes at least 1");
    if (!detail::figures_are_valid(o, w.batch))
      return make_error(errc::overflow, o.label, "a count or size is above 2^52");
  }
  for (const workload_edge& e : w.edges) {
    if (e.to >= w.operators.size() || e.from >= e.to)
      return make_error(errc::invalid_problem, w.name,
                        text() << "edge " << e.from << " -> " << e.to
                               << " does not run from an earlier to a later operator");
    std::int64_t bytes = e.bytes;
    if (bytes < 0)
      return make_error(errc::invalid_problem, w.operators[e.to].label,
                        "an edge carries a negative number of bytes");
    if (!detail::scale_figure(bytes, w.batch))
      return make_error(errc::overflow, w.operators[e.to].label,
                        "an edge carries above 2^52 bytes");
  }
  return nothing{};
}

}  // namespace wf
