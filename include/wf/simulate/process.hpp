// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <wf/core/text/text.hpp>

namespace wf {

/// The role of a message for its receiver.
enum class usage : std::uint8_t {
  data,   ///< an operand value
  order,  ///< the sender is finished; no payload
};

/// An operand or a completion signal in transit to a process.
struct message {
  /// Index of the sending process.
  std::uint32_t from = 0;
  usage use = usage::data;  ///< operand or ordering signal
  std::int64_t bytes = 0;   ///< payload size; 0 for a signal

  friend constexpr bool operator==(const message&, const message&) = default;
};

/// The life cycle of a process; states are passed in this order.
enum class process_state : std::uint8_t {
  waiting,  ///< messages are missing
  ready,    ///< has all messages, waits for resources
  running,  ///< holds its resources
  done,     ///< finished, output sent
};

/// The enumerator's name; "unknown" for any other value.
constexpr text_view name_of(process_state s) {
  switch (s) {
    case process_state::waiting:
      return "waiting";
    case process_state::ready:
      return "ready";
    case process_state::running:
      return "running";
    case process_state::done:
      return "done";
  }
  return "unknown";
}

/// Resource usage of a process. Times are in the simulation's unit.
struct resource_account {
  /// Time from the arrival of the last message to the start.
  std::int64_t queued = 0;
  /// Time from start to finish.
  std::int64_t ran = 0;
  std::int64_t bytes_in = 0;   ///< bytes received
  std::int64_t bytes_out = 0;  ///< bytes sent

  friend constexpr bool operator==(const resource_account&, const resource_account&) = default;
};

/// A process of a discrete-event simulation. Times are integers in the simulation's unit.
///
/// - `expected(usage)`: the number of messages of that usage it needs before it can run.
/// - `update(message, now)`: receives a message; true if the process becomes ready by it.
/// - `start(now)`: starts with the granted resources and returns the finish time.
/// - `generate_output(now, emit)`: finishes; calls `emit(bytes)` once with the size of the message
///   to each reader.
/// - `account()`: its resource usage.
template <class P>
concept simulation_process = requires(P& p, const P& c, const message& m, std::int64_t now) {
  { c.expected(usage::data) } -> std::same_as<std::uint32_t>;
  { c.state() } -> std::same_as<process_state>;
  { p.update(m, now) } -> std::same_as<bool>;
  { p.start(now) } -> std::same_as<std::int64_t>;
  p.generate_output(now, [](std::int64_t) {});
  { c.account() } -> std::convertible_to<const resource_account&>;
};

/// The process of an operator that runs once, for a fixed time, as soon as all its operands are
/// there.
class task_process {
 public:
  constexpr task_process() = default;
  /// A task that needs `operands` data messages and `signals` ordering messages, runs for `service`
  /// units of time and produces `bytes` bytes. It is ready at once if it needs no message.
  constexpr task_process(std::uint32_t operands, std::uint32_t signals, std::int64_t service,
                         std::int64_t bytes)
      : expected_{operands, signals},
        state_(operands + signals == 0 ? process_state::ready : process_state::waiting),
        service_(service),
        bytes_(bytes) {}

  /// Number of messages of that usage it needs before it can run.
  constexpr std::uint32_t expected(usage use) const { return expected_[static_cast<int>(use)]; }
  /// Number of messages of that usage received so far.
  constexpr std::uint32_t received(usage use) const { return received_[static_cast<int>(use)]; }
  /// Its current state.
  constexpr process_state state() const { return state_; }
  /// Its resource usage so far; complete once the state is `done`.
  constexpr const resource_account& account() const { return account_; }

  /// Receives a message; true if it was the last one missing, so the task becomes ready. O(1).
  constexpr bool update(const message& m, std::int64_t now) {
    ++received_[static_cast<int>(m.use)];
    account_.bytes_in += m.bytes;
    if (state_ != process_state::waiting || received_[0] < expected_[0] ||
        received_[1] < expected_[1])
      return false;
    state_ = process_state::ready;
    ready_since_ = now;
    return true;
  }
  /// Starts at `now` and returns the finish time `now + service`.
  constexpr std::int64_t start(std::int64_t now) {
    state_ = process_state::running;
    account_.queued = now - ready_since_;
    account_.ran = service_;
    return now + service_;
  }
  /// Finishes the task and calls `emit` once with the size of its result in bytes.
  template <class Emit>
  constexpr void generate_output(std::int64_t, Emit&& emit) {
    state_ = process_state::done;
    account_.bytes_out += bytes_;
    emit(bytes_);
  }

 private:
  std::uint32_t expected_[2] = {0, 0};
  std::uint32_t received_[2] = {0, 0};
  process_state state_ = process_state::ready;
  std::int64_t service_ = 0;
  std::int64_t bytes_ = 0;
  std::int64_t ready_since_ = 0;
  resource_account account_;
};

static_assert(simulation_process<task_process>);

}  // namespace wf
