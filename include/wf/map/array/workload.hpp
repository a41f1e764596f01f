// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/ir/graph/node.hpp>

namespace wf {

/// How an operand is shared out when an operator is split along its two axes. Along an axis that it
/// does not follow, every part needs a copy.
enum class operand_split : std::uint8_t {
  by_second,  ///< follows the second axis: the activations of a convolution or product
  by_first,   ///< follows the first axis: an activation in the place of weights
  by_both,    ///< follows both: elementwise operands, pooling
};

/// One operator of the problem of mapping, by its figures for one sample. Units: counts and bytes.
struct workload_operator {
  /// The name by which messages and reports call it.
  text label;
  /// Multiply-accumulates.
  std::int64_t macs = 0;
  /// Elementwise operations (add, compare, exponential, …).
  std::int64_t elementwise = 0;
  /// Bytes of constant operands, the same for all samples, read from DRAM.
  std::int64_t weight_bytes = 0;
  /// Bytes of operands that no operator of the workload makes, read from DRAM.
  std::int64_t input_bytes = 0;
  /// Bytes of the result.
  std::int64_t output_bytes = 0;
  /// Bytes that it needs besides operands and result while it runs undivided; a part of it needs
  /// its share of them (`cycle_model`).
  std::int64_t scratch_bytes = 0;
  /// The extent of the first axis of parallelism: output channels; columns of a product.
  std::int64_t first_axis = 1;
  /// The extent of the second axis for one sample: output pixels; rows of a product.
  std::int64_t second_axis = 1;
  /// How the operands from DRAM are shared out.
  operand_split input_split = operand_split::by_second;
  /// True if it only renames data (reshape): no time, no memory, no PEs.
  bool is_view = false;
  /// True if the result is handed out: it is written to DRAM.
  bool is_output = false;
  /// The node of the graph it came from.
  node_id node = node_id::none;
  /// The name of its operator in the registry, "matmul": for predictors, which may price it unlike
  /// another of the same figures. Empty: nothing but figures is known.
  text kernel;
  /// The shape of its (first) result for one sample, for predictors likewise.
  shape result;

  friend constexpr bool operator==(const workload_operator&, const workload_operator&) = default;
};

/// Of an operator whose result is written over no other one.
inline constexpr std::uint32_t overwrites_nothing = UINT32_MAX;

/// `to` reads `bytes` (for one sample) of the result of `from`. No bytes: an ordering alone.
struct workload_edge {
  std::uint32_t from = 0;                          ///< the producer
  std::uint32_t to = 0;                            ///< the reader, later than the producer
  std::int64_t bytes = 0;                          ///< for one sample
  operand_split split = operand_split::by_second;  ///< how the reader shares it out
  /// True if the reader's result may be written over it, should it be read for the last time there:
  /// see `overwriting` for what else has to hold.
  bool may_overwrite = false;

  friend constexpr bool operator==(const workload_edge&, const workload_edge&) = default;
};

/// What is to be mapped: operators in topological order, and who reads whose result. `batch`
/// samples go through together: they multiply everything but the weights, and extend the second
/// axis.
struct workload {
  text name;                           ///< for messages
  std::int64_t batch = 1;              ///< samples that go through together
  table<workload_operator> operators;  ///< in topological order
  table<workload_edge> edges;          ///< in any order

  /// Appends an operator and returns its index.
  constexpr std::uint32_t add(workload_operator o) {
    operators.push_back(static_cast<workload_operator&&>(o));
    return static_cast<std::uint32_t>(operators.size() - 1);
  }
  /// Lets `to` read `bytes` of the result of `from`, and perhaps be written over them.
  constexpr void connect(std::uint32_t from, std::uint32_t to, std::int64_t bytes,
                         operand_split split = operand_split::by_second,
                         bool may_overwrite = false) {
    edges.push_back({from, to, bytes, split, may_overwrite});
  }
  friend constexpr bool operator==(const workload&, const workload&) = default;
};

/// One operator with the batch applied: what a cost predictor sees.
struct operator_load {
  std::int64_t macs = 0;           ///< multiply-accumulates
  std::int64_t elementwise = 0;    ///< elementwise operations
  std::int64_t weight_bytes = 0;   ///< bytes of constant operands
  std::int64_t output_bytes = 0;   ///< bytes of the result
  std::int64_t scratch_bytes = 0;  ///< bytes needed besides while it runs undivided
  std::int64_t first_axis = 1;     ///< extent of the first axis
  std::int64_t second_axis = 1;    ///< extent of the second axis
  /// Bytes that other operators made, by `operand_split`.
  std::int64_t made_bytes[3] = {0, 0, 0};
  /// Bytes that come from DRAM besides the weights, by `operand_split`.
  std::int64_t fetched_bytes[3] = {0, 0, 0};
  /// Bytes of the result that go to DRAM.
  std::int64_t stored_bytes = 0;
  text kernel;   ///< the name of the operator, if it is known
  shape result;  ///< the shape of its result for one sample, if it is known

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

/// The largest count or size a workload may state, with the batch applied: 2^52, so that the cycle
/// model's products and the sums over all operators stay far inside 128 and 64 bits.
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

/// Checks a workload: `invalid_problem`, naming the operator, if there is none, a count is
/// negative, an axis or the batch is below 1, an edge does not run from an earlier to a later
/// operator; `overflow` if a figure times the batch is above `max_workload_figure`. O(operators +
/// edges).
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
