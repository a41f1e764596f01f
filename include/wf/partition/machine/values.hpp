// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/graph/node.hpp>
#include <wf/simulate/fault/history.hpp>

namespace wf {

/// A value on a machine: a datum, or machines if the element type is `peer`.
template <class Datum>
struct machine_value {
  Datum datum{};                  ///< what the operator computes
  table<std::uint32_t> machines;  ///< by their numbers in the script
};

/// The value of an input of the workflow.
template <class Datum>
struct machine_argument {
  text input;     ///< its name
  Datum datum{};  ///< its value
};

/// A call of the host: one execution of the workflow.
template <class Datum>
struct machine_call {
  std::uint32_t machine = 0;                 ///< which is of the host's class
  std::int64_t at = 0;                       ///< time since the start of the run, in nanoseconds
  table<machine_argument<Datum>> arguments;  ///< of the inputs that are not machines
};

/// What an output of a program was on one machine in one execution.
template <class Datum>
struct machine_output {
  std::uint32_t program = 0;   ///< index of the program
  std::uint32_t output = 0;    ///< index of its output
  std::uint32_t machine = 0;   ///< which computed it
  std::uint64_t call = 0;      ///< number of the call from 1; 0: none was needed
  table<std::uint64_t> path;   ///< steps of the execution (see `execution_tags`)
  machine_value<Datum> value;  ///< what was computed
  std::int64_t time = 0;       ///< on the machine's clock, in nanoseconds
};

/// Why an effect did not happen in an execution.
struct machine_failure {
  std::uint32_t machine = 0;  ///< where
  /// The machine to which a message was to go; `machine` if the failure is of no message, or a
  /// deadline was over before a message to several machines, or to none, was sent.
  std::uint32_t other = 0;
  std::uint32_t program = none;  ///< index of the program; `none`: it is that of a bootstrap
  node_id node = node_id::none;  ///< of the program: what failed
  std::uint64_t call = 0;        ///< number of the call; 0: none
  fault::reason why = fault::reason::none;  ///< `none`: the operator failed, with `failure`
  error failure;                            ///< of the operator
  static constexpr std::uint32_t none = UINT32_MAX;  ///< no program
};

/// Which call a message was sent in.
struct machine_send {
  std::uint64_t ticket = 0;  ///< of the message: `fault::record::request` of `offered`
  std::uint64_t call = 0;    ///< number of the call from 1; 0: none was needed
};

/// How messages are carried.
struct machine_options {
  std::uint32_t retries = 63;  ///< attempts of a message after the first
  /// Time that a message without a deadline has, in nanoseconds.
  std::int64_t budget_ns = 60'000'000'000;
  bool collects = true;      ///< whether what finished calls have left is forgotten
  bool keeps_sends = false;  ///< whether the call of each message is kept: 16 bytes for each
};

}  // namespace wf
