// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/text/fixed_string.hpp>

namespace wf {

struct graph_view;
class registry;
template <class T>
class result;

/// Rule by which costs of nodes combine to the cost of a graph.
enum class combination : std::uint8_t {
  sum,      ///< sum over the nodes
  maximum,  ///< maximum over the nodes
  peak,     ///< largest amount alive at one moment, along the order of capture (see `peak_cost`)
  critical_path,  ///< longest path, where the costs of nodes add up along edges
  measured,       ///< a function computes the cost of a whole graph
};

/// Cost of a node in a metric for which its kernel states no formula.
enum class missing_cost : std::uint8_t {
  unknown,            ///< an error, never a silent zero
  zero,               ///< nothing
  operand_bytes,      ///< the storage of the node's operands, in bytes
  result_bytes,       ///< the storage of the node's results, in bytes
  all_bytes,          ///< the storage of both, in bytes
  unknown_of_qubits,  ///< unknown for a node with qubits as operands or results, else 0
};

/// Computes the cost of a whole graph, for metrics of the rule `measured`.
using measure_function = result<std::int64_t> (*)(const graph_view&, const registry&);

/// A metric as a value, as the algorithms take it.
struct metric_spec {
  /// The name in formulas and messages: "flops".
  text_view name;
  /// The unit of costs: "flop", "B".
  text_view unit;
  /// Rule by which costs of nodes combine.
  combination rule = combination::sum;
  /// The cost of a node whose kernel states no formula.
  missing_cost otherwise = missing_cost::zero;
  /// The function for the rule `measured`; null for other rules.
  measure_function measure = nullptr;
  /// True if formulas are estimates: the price of a node is rounded up to whole units.
  bool is_estimate = false;
  /// The cost in this metric of a library's implementation, by name: where a kernel has one
  /// (`kernel_spec::library`) and states this cost, the lower of the two counts. Empty: there is
  /// none.
  text_view by_library = {};

  /// True if an operator that runs a body again and again costs that of all its runs: no amount in
  /// use, and no largest price.
  constexpr bool adds_up() const {
    return (rule == combination::sum || rule == combination::critical_path) && name != "scratch";
  }
  /// Metrics are identified by their names.
  friend constexpr bool operator==(const metric_spec& a, const metric_spec& b) {
    return a.name == b.name;
  }
};

/// A limit on a metric: `flops <= 2'000`.
struct limit {
  /// The metric that is limited.
  metric_spec metric;
  /// The largest value allowed, in the unit of the metric.
  std::int64_t maximum = 0;
};

/// A metric as a type, so that costs of static workflows are computed once per metric. Users
/// declare their own, `inline constexpr wf::metric<"messages", "message"> messages;`, and price
/// them by formulas in kernels or by declared costs. For the rule `peak` the price of a node is the
/// amount that its first result occupies while it is alive.
template <fixed_string Name, fixed_string Unit, combination Rule = combination::sum,
          missing_cost Otherwise = missing_cost::zero, bool IsEstimate = false,
          fixed_string ByLibrary = "">
struct metric {
  /// The metric as a value.
  static constexpr metric_spec spec{Name.view(), Unit.view(),     Rule, Otherwise, nullptr,
                                    IsEstimate,  ByLibrary.view()};
  /// Converts to `spec`, so that functions on `metric_spec` accept the metric.
  constexpr operator metric_spec() const { return spec; }
  /// The limit `metric <= maximum`, in the metric's unit.
  friend constexpr limit operator<=(metric, std::int64_t maximum) { return {spec, maximum}; }
};

/// True for metrics declared as types.
template <class T>
concept metric_type = requires {
  { T::spec.name } -> std::convertible_to<text_view>;
  { T::spec.rule } -> std::convertible_to<combination>;
};

// Each built-in metric has its own type, which keeps mangled names short.

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
/// Bytes allocated for results if none is ever released.
struct memory_ : metric<"memory", "B", combination::sum, missing_cost::result_bytes> {};
/// Bytes allocated for results if none is ever released.
inline constexpr memory_ memory;
/// Largest number of bytes alive at one moment of the order of capture, inputs included.
struct peak_memory_ : metric<"peak_memory", "B", combination::peak, missing_cost::result_bytes> {};
/// Largest number of bytes alive at one moment of the order of capture, inputs included;
/// `along_best_order` gives the minimum over all orders.
inline constexpr peak_memory_ peak_memory;
/// Largest number of qubits alive at one moment of the order of capture.
struct qubits_ : metric<"qubits", "qubit", combination::peak, missing_cost::zero> {};
/// Largest number of qubits alive at one moment of the order of capture.
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
/// Phase rotations by an arbitrary angle, controlled ones included.
struct rotations_ : metric<"rotations", "gate"> {};
/// Phase rotations by an arbitrary angle, controlled ones included.
inline constexpr rotations_ rotations;
/// Layers of quantum gates on the longest path; a kernel's formula gives its own layers.
struct depth_
    : metric<"depth", "layer", combination::critical_path, missing_cost::unknown_of_qubits> {};
/// Layers of quantum gates on the longest path; a kernel's formula gives its own layers.
inline constexpr depth_ depth;
/// Time of the longest path in ns, from the latencies that nodes declare.
struct latency_ : metric<"latency", "ns", combination::critical_path, missing_cost::unknown> {};
/// Time of the longest path in ns, from the latencies that nodes declare.
inline constexpr latency_ latency;
/// Time of sequential execution on one core of a machine in ns, from a table of kernel times: see
/// `host_times`. A kernel without a time is an error; a copy may set a fallback: `metric_spec m =
/// execution_time; m.otherwise = missing_cost::all_bytes;`. Where a library computes a node in less
/// time, the time is the library's.
struct execution_time_ : metric<"execution_time", "ns", combination::sum, missing_cost::unknown,
                                true, "library_time"> {};
/// Time of sequential execution on one core of a machine in ns, from a table of kernel times: see
/// `host_times`. A kernel without a time is an error.
inline constexpr execution_time_ execution_time;
/// Energy in pJ, from the energies that nodes declare.
struct energy_ : metric<"energy", "pJ", combination::sum, missing_cost::unknown> {};
/// Energy in pJ, from the energies that nodes declare.
inline constexpr energy_ energy;
/// Messages sent to peers.
struct messages_ : metric<"messages", "message"> {};
/// Messages sent to peers.
inline constexpr messages_ messages;

}  // namespace wf
