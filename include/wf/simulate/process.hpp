// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <wf/core/text/text.hpp>

namespace wf {

/// What a message is to the process that receives it.
enum class usage : std::uint8_t {
  data,   ///< an operand
  order,  ///< the sender is finished; no payload
};

/// A datum or a signal on its way to a process.
struct message {
  /// The sending process.
  std::uint32_t from = 0;
  usage use = usage::data;  ///< what the receiver does with it
  std::int64_t bytes = 0;   ///< the length of its payload

  friend constexpr bool operator==(const message&, const message&) = default;
};

/// Where a process is in its life.
enum class process_state : std::uint8_t {
  waiting,  ///< for messages
  ready,    ///< has all messages, needs resources
  running,  ///< holds its resources
  done,     ///< has sent its output
};

/// The name of a state.
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

/// What a process used up.
struct resource_account {
  /// Time between having all messages and starting.
  std::int64_t queued = 0;
  /// Time between start and finish.
  std::int64_t ran = 0;
  std::int64_t bytes_in = 0;   ///< bytes received
  std::int64_t bytes_out = 0;  ///< bytes put out

  friend constexpr bool operator==(const resource_account&, const resource_account&) = default;
};

/// A process of a simulation.
///
/// - `expected(usage)`: how many messages of that usage it needs before it can run.
/// - `update(message, now)`: takes a message; true if it has just become ready.
/// - `start(now)`: takes its resources as granted and returns when it will be finished.
/// - `generate_output(now, emit)`: is finished; calls `emit(bytes)` once for what it sends to each
///   reader.
/// - `account()`: what it used up.
template <class P>
concept simulation_process = requires(P& p, const P& c, const message& m, std::int64_t now) {
  { c.expected(usage::data) } -> std::same_as<std::uint32_t>;
  { c.state() } -> std::same_as<process_state>;
  { p.update(m, now) } -> std::same_as<bool>;
  { p.start(now) } -> std::same_as<std::int64_t>;
  p.generate_output(now, [](std::int64_t) {});
  { c.account() } -> std::convertible_to<const resource_account&>;
};

/// The process of an operator that runs once, for a known time, when all its operands are there.
class task_process {
 public:
  constexpr task_process() = default;
  /// A task that needs so many operands and signals, runs for `service` and puts out `bytes`.
  constexpr task_process(std::uint32_t operands, std::uint32_t signals, std::int64_t service,
                         std::int64_t bytes)
      : expected_{operands, signals},
        state_(operands + signals == 0 ? process_state::ready : process_state::waiting),
        service_(service),
        bytes_(bytes) {}

  /// How many messages of a usage it needs.
  constexpr std::uint32_t expected(usage use) const { return expected_[static_cast<int>(use)]; }
  /// How many it has.
  constexpr std::uint32_t received(usage use) const { return received_[static_cast<int>(use)]; }
  /// Where it is.
  constexpr process_state state() const { return state_; }
  /// What it used up.
  constexpr const resource_account& account() const { return account_; }

  /// Takes a message. True if it was the last one it needed.
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
  /// Starts; returns when it will be finished.
  constexpr std::int64_t start(std::int64_t now) {
    state_ = process_state::running;
    account_.queued = now - ready_since_;
    account_.ran = service_;
    return now + service_;
  }
  /// Is finished: emits the size of its result.
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
