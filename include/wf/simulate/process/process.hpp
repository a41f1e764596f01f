// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/graph/node.hpp>

namespace wf {

/// The role of an input for its process.
enum class usage : std::uint8_t {
  data,   ///< an operand value
  order,  ///< the sender is finished; the value is of no interest
};

/// An input that a process expects.
struct expected_input {
  text name;                ///< for error messages
  usage use = usage::data;  ///< operand, or signal of an order
  /// The type that a datum must have; an unknown element type or extent, and a symbolic extent, is
  /// not checked, and of a type with unknown element type neither is the rank.
  value_type type;
};

/// The properties of a type of data that the network needs. Specialise it for a type of your own:
/// `bytes` is its size on a link and in memory, `type` its element type and shape, or none; with
/// `typed` = false, no datum has a type.
template <class Datum>
struct datum_traits {
  /// No datum has a type.
  static constexpr bool typed = false;
  /// Size on a link and in memory.
  static constexpr std::int64_t bytes(const Datum&) {
    return static_cast<std::int64_t>(sizeof(Datum));
  }
  /// No type: nothing is checked.
  static constexpr value_type type(const Datum&) { return {}; }
};
/// A datum that states its own size in bytes.
template <class Datum>
concept sized_datum = requires(const Datum& d) {
  { d.bytes() } -> std::convertible_to<std::int64_t>;
};
/// A datum that states its own type.
template <class Datum>
concept typed_datum = requires(const Datum& d) {
  { d.type() } -> std::convertible_to<value_type>;
};
/// Data that state their own size, and perhaps their type.
template <sized_datum Datum>
struct datum_traits<Datum> {
  /// Whether a datum can have a type.
  static constexpr bool typed = typed_datum<Datum>;
  /// The datum's own size.
  static constexpr std::int64_t bytes(const Datum& d) { return d.bytes(); }
  /// The datum's own type, or none.
  static constexpr value_type type(const Datum& d) {
    if constexpr (typed_datum<Datum>)
      return d.type();
    else
      return {};
  }
};

/// True if no datum of a type has a type that its receiver could check.
template <class Datum>
inline constexpr bool is_untyped = requires { requires !datum_traits<Datum>::typed; };

/// A datum that is only a size, for networks that simulate times and compute nothing.
struct payload {
  std::int64_t size = 0;  ///< in bytes

  /// The size, in bytes.
  constexpr std::int64_t bytes() const { return size; }
  friend constexpr bool operator==(const payload&, const payload&) = default;
};

/// A process: a class with state that takes data at its inputs, runs for a time on a resource, and
/// emits data at its outputs; again and again. Times are in ticks.
///
/// - `datum`: the type of its data.
/// - `inputs()`: what it expects, in order; `outputs()`: how many outputs it has.
/// - `update(input, datum, now)`: takes one datum. True: it can run. In a round, until it has run,
///   it is given at most one datum of each input, in the order of arrival, inputs in their order;
///   of an input with a fixed rate (`rated_process`), as many as that.
///   If every input has given one and it cannot run, the round ends without a run.
/// - `work(now)`: what it asks of its resource: ticks of a slot, or work on shared cores.
/// - `generate_output(now, emit)`: the run is over; `emit(output, datum)` any number of times.
///
/// A process without inputs runs once, at tick 0. With `wake(now)`, which is asked at the start and
/// after each run, a process also becomes able to run at that tick by itself; `sim::never`: no
/// more. Errors that its functions return end the simulation.
template <class P>
concept process = requires(P& p, const P& c, typename P::datum d, std::uint32_t i, std::int64_t now,
                           void (*emit)(std::uint32_t, typename P::datum)) {
  { c.inputs() } -> std::convertible_to<view<expected_input>>;
  { c.outputs() } -> std::convertible_to<std::uint32_t>;
  { p.update(i, static_cast<typename P::datum&&>(d), now) } -> std::same_as<result<bool>>;
  { c.work(now) } -> std::convertible_to<std::int64_t>;
  { p.generate_output(now, emit) } -> std::same_as<result<nothing>>;
};

/// A process that becomes able to run by itself.
template <class P>
concept waking_process = process<P> && requires(P& p, std::int64_t now) {
  { p.wake(now) } -> std::convertible_to<std::int64_t>;
};

/// A process that takes and emits the same numbers of data in every run: its consumption and
/// production rates. `consumes(input)` is how many data of an input a round takes, and with all of
/// them the process can run, not before; `produces(output)` is how many it emits. 0: not fixed.
/// A network keeps it to the rates that it states, and `check_dataflow` decides by them, before a
/// run, whether a network deadlocks.
template <class P>
concept rated_process = process<P> && requires(const P& c, std::uint32_t i) {
  { c.consumes(i) } -> std::convertible_to<std::uint32_t>;
  { c.produces(i) } -> std::convertible_to<std::uint32_t>;
};

/// The number of data of an input that a run of a process takes; 0: not fixed.
template <class P>
constexpr std::uint32_t consumption_rate(const P& p, std::uint32_t input) {
  if constexpr (rated_process<P>)
    return p.consumes(input);
  else
    return 0;
}
/// The number of data that a run of a process emits at an output; 0: not fixed.
template <class P>
constexpr std::uint32_t production_rate(const P& p, std::uint32_t output) {
  if constexpr (rated_process<P>)
    return p.produces(output);
  else
    return 0;
}

/// The life cycle of a process in a network.
enum class process_state : std::uint8_t {
  waiting,  ///< data are missing
  blocked,  ///< can run, but an output has no room
  ready,    ///< waits for its resource
  running,  ///< holds its resource
};

/// The enumerator's name; "unknown" for any other value.
constexpr text_view name_of(process_state s) {
  switch (s) {
    case process_state::waiting:
      return "waiting";
    case process_state::blocked:
      return "blocked";
    case process_state::ready:
      return "ready";
    case process_state::running:
      return "running";
  }
  return "unknown";
}

/// The resources that a process used over all its runs. Times are in ticks.
struct resource_account {
  std::int64_t queued = 0;     ///< total time from being able to run to the start
  std::int64_t ran = 0;        ///< total time from start to finish
  std::int64_t bytes_in = 0;   ///< bytes received
  std::int64_t bytes_out = 0;  ///< bytes sent
  /// Most bytes at one time: data that wait at its inputs or are being used, and the outputs of a
  /// run at its end.
  std::int64_t peak_bytes = 0;
  std::uint64_t runs = 0;  ///< number of runs

  friend constexpr bool operator==(const resource_account&, const resource_account&) = default;
};

/// A process that has one datum of each input and runs for a fixed time, with outputs of fixed
/// sizes: an operator that computes nothing.
class task_process {
 public:
  /// The type of its data.
  using datum = payload;

  constexpr task_process() = default;
  /// A task that expects the inputs, works for `work` and emits one datum of each size.
  constexpr task_process(table<expected_input> inputs, std::int64_t work,
                         table<std::int64_t> output_bytes)
      : inputs_(static_cast<table<expected_input>&&>(inputs)),
        outputs_(static_cast<table<std::int64_t>&&>(output_bytes)),
        work_(work) {}

  /// What it expects, in order.
  constexpr view<expected_input> inputs() const { return inputs_; }
  /// Number of its outputs.
  constexpr std::uint32_t outputs() const { return static_cast<std::uint32_t>(outputs_.size()); }
  /// Takes a datum; true if it can run. Errors: none.
  constexpr result<bool> update(std::uint32_t, payload, std::int64_t) {
    return ++received_ == inputs_.size();
  }
  /// What a run asks of its resource, in ticks or work.
  constexpr std::int64_t work(std::int64_t) const {
    // The end of the run will need them: in a large network they are in no cache.
    if (!std::is_constant_evaluated()) __builtin_prefetch(outputs_.data());
    return work_;
  }
  /// One datum of each input.
  constexpr std::uint32_t consumes(std::uint32_t) const { return 1; }
  /// One datum at each output.
  constexpr std::uint32_t produces(std::uint32_t) const { return 1; }
  /// Ends a run: calls `emit(output, datum)`. Errors: none.
  template <class Emit>
  constexpr result<nothing> generate_output(std::int64_t, Emit&& emit) {
    received_ = 0;
    for (std::uint32_t k = 0; k < outputs_.size(); ++k) emit(k, payload{outputs_[k]});
    return nothing{};
  }

 private:
  table<expected_input> inputs_;
  table<std::int64_t> outputs_;
  std::int64_t work_ = 0;
  std::size_t received_ = 0;
};

static_assert(rated_process<task_process>);

}  // namespace wf
