// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/text/fixed_string.hpp>

namespace wf {

struct graph_view;
class registry;
template <class T>
class result;

/// How the costs of nodes combine to the cost of a graph.
enum class combination : std::uint8_t {
  sum,      ///< they add up
  maximum,  ///< the largest one counts
  peak,  ///< what is alive at the same time adds up, along the order of capture (see `peak_cost`);
         ///< the largest moment counts
  critical_path,  ///< costs add up along the edges; the longest path counts
  measured,       ///< a function tells the cost of a whole graph
};

/// What a node costs in a metric for which its kernel states no formula.
enum class missing_cost : std::uint8_t {
  unknown,            ///< nobody knows: an error, never a silent zero
  zero,               ///< nothing
  operand_bytes,      ///< what it reads
  result_bytes,       ///< what it writes
  all_bytes,          ///< both
  unknown_of_qubits,  ///< of a node that reads or makes qubits unknown, of others nothing
};

/// Tells the cost of a whole graph, for metrics of the rule `measured`.
using measure_function = result<std::int64_t> (*)(const graph_view&, const registry&);

/// A metric as a value: what the algorithms take.
struct metric_spec {
  /// The name that formulas and messages use: "flops".
  text_view name;
  /// The unit of a figure: "flop", "B".
  text_view unit;
  /// How nodes' costs combine.
  combination rule = combination::sum;
  /// The cost of a node whose kernel states no formula.
  missing_cost otherwise = missing_cost::zero;
  /// The function, if the rule is `measured`.
  measure_function measure = nullptr;
  /// True if formulas are estimates: what they say of a node is rounded up to whole units.
  bool is_estimate = false;

  /// Metrics are the same if their names are.
  friend constexpr bool operator==(const metric_spec& a, const metric_spec& b) {
    return a.name == b.name;
  }
};

/// A limit on a metric: `flops <= 2'000`.
struct limit {
  /// What is limited.
  metric_spec metric;
  /// The largest value allowed, in the unit of the metric.
  std::int64_t maximum = 0;
};

/// A metric as a type, so that costs of static workflows are computed once per metric. Users
/// declare their own: `inline constexpr wf::metric<"messages", "message"> messages;` and price it
/// by formulas in kernels or by declared costs. For the rule `peak` a node's price is what its
/// first result holds while it is alive.
template <fixed_string Name, fixed_string Unit, combination Rule = combination::sum,
          missing_cost Otherwise = missing_cost::zero, bool IsEstimate = false>
struct metric {
  /// The metric as a value.
  static constexpr metric_spec spec{Name.view(), Unit.view(), Rule, Otherwise, nullptr, IsEstimate};
  /// Converts to `spec`, so that the metric is passed as one.
  constexpr operator metric_spec() const { return spec; }
  /// The limit that this metric is at most `maximum`, in its unit.
  friend constexpr limit operator<=(metric, std::int64_t maximum) { return {spec, maximum}; }
};

/// True for metrics as types.
template <class T>
concept metric_type = requires {
  { T::spec.name } -> std::convertible_to<text_view>;
  { T::spec.rule } -> std::convertible_to<combination>;
};

// The built-in metrics have types of their own, so that symbols that name them stay short.

/// Floating-point operations; a multiply-add is two.
struct flops_ : metric<"flops", "flop", combination::sum, missing_cost::unknown> {};
/// Floating-point operations; a multiply-add is two.
inline constexpr flops_ flops;
/// Multiply-accumulate operations.
struct macs_ : metric<"macs", "MAC"> {};
/// Multiply-accumulate operations.
inline constexpr macs_ macs;
/// Elementary operations as accelerator papers count them: a MAC, an element of a pooling window,
/// an operand element of an elementwise operation.
struct operations_ : metric<"operations", "op"> {};
/// Elementary operations as accelerator papers count them: a MAC, an element of a pooling window,
/// an operand element of an elementwise operation.
inline constexpr operations_ operations;
/// Bytes of operands that nodes read, views excepted.
struct bytes_read_ : metric<"bytes_read", "B", combination::sum, missing_cost::operand_bytes> {};
/// Bytes of operands that nodes read, views excepted.
inline constexpr bytes_read_ bytes_read;
/// Bytes of results that nodes write, views excepted.
struct bytes_written_ : metric<"bytes_written", "B", combination::sum, missing_cost::result_bytes> {
};
/// Bytes of results that nodes write, views excepted.
inline constexpr bytes_written_ bytes_written;
/// Bytes read and written.
struct bytes_ : metric<"bytes", "B", combination::sum, missing_cost::all_bytes> {};
/// Bytes read and written.
inline constexpr bytes_ bytes;
/// Bytes allocated for results if none were ever released.
struct memory_ : metric<"memory", "B", combination::sum, missing_cost::result_bytes> {};
/// Bytes allocated for results if none were ever released.
inline constexpr memory_ memory;
/// The largest number of bytes alive at one moment of the order of capture, inputs included.
struct peak_memory_ : metric<"peak_memory", "B", combination::peak, missing_cost::result_bytes> {};
/// The largest number of bytes alive at one moment of the order of capture, inputs included; see
/// `along_best_order` for the least that any order needs.
inline constexpr peak_memory_ peak_memory;
/// The largest number of qubits alive at one moment of the order of capture.
struct qubits_ : metric<"qubits", "qubit", combination::peak, missing_cost::zero> {};
/// The largest number of qubits alive at one moment of the order of capture.
inline constexpr qubits_ qubits;
/// Elementary quantum gates.
struct gates_ : metric<"gates", "gate"> {};
/// Elementary quantum gates.
inline constexpr gates_ gates;
/// T gates (and their inverses), which dominate the cost of fault-tolerant circuits.
struct t_count_ : metric<"t_count", "T gate"> {};
/// T gates (and their inverses), which dominate the cost of fault-tolerant circuits.
inline constexpr t_count_ t_count;
/// Doubly controlled NOT gates.
struct toffolis_ : metric<"toffolis", "gate"> {};
/// Doubly controlled NOT gates.
inline constexpr toffolis_ toffolis;
/// Controlled NOT gates.
struct cnots_ : metric<"cnots", "gate"> {};
/// Controlled NOT gates.
inline constexpr cnots_ cnots;
/// Rotations of the phase by an arbitrary angle, controlled ones included.
struct rotations_ : metric<"rotations", "gate"> {};
/// Rotations of the phase by an arbitrary angle, controlled ones included.
inline constexpr rotations_ rotations;
/// Layers of quantum gates: the longest path, a kernel's formula being its own layers.
struct depth_
    : metric<"depth", "layer", combination::critical_path, missing_cost::unknown_of_qubits> {};
/// Layers of quantum gates: the longest path, a kernel's formula being its own layers.
inline constexpr depth_ depth;
/// The time of the longest path, as nodes declare theirs.
struct latency_ : metric<"latency", "ns", combination::critical_path, missing_cost::unknown> {};
/// The time of the longest path, as nodes declare theirs.
inline constexpr latency_ latency;
/// The time of one node after the other on one core of a machine, as a table of its kernels states
/// it: see `host_times`. A kernel without a time is an error. Who wants a figure all the same says
/// which, in a copy: `metric_spec m = execution_time; m.otherwise = missing_cost::all_bytes;`.
struct execution_time_
    : metric<"execution_time", "ns", combination::sum, missing_cost::unknown, true> {};
/// The time of one node after the other on one core of a machine, as a table of its kernels states
/// it: see `host_times`. A kernel without a time is an error.
inline constexpr execution_time_ execution_time;
/// Energy, as nodes declare theirs.
struct energy_ : metric<"energy", "pJ", combination::sum, missing_cost::unknown> {};
/// Energy, as nodes declare theirs.
inline constexpr energy_ energy;
/// Messages sent to peers.
struct messages_ : metric<"messages", "message"> {};
/// Messages sent to peers.
inline constexpr messages_ messages;

}  // namespace wf
