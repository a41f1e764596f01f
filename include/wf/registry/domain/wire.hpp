// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/shape_rule.hpp>

namespace wf::kernels {

// Messages between machines. A workflow contains `send`, `signal`, `collect` and `as_class` only:
// `receive` is made when the workflow is cut into a program for each class of machines, and gates
// guard the messages of such a program (wf/partition/).

/// Sends a value to one machine or to each of a list. The first result is the value as the receiver
/// has it, on machines of the receivers' class; the second one, also there, the machine that sent
/// it; the third one is the number of the request, here. The attribute `deadline_budget` is the
/// time that it has after what causes it, in nanoseconds.
inline constexpr kernel_spec send{
    .name = "send",
    .domain = "wire",
    .meaning = meaning::sending,
    .signature = "A: any [...], to: peer [P?] -> C[...], from: peer [], request: u64 []",
    .costs = {{"flops", "0"},
              {"messages", "to"},
              {"bytes_read", "A.bytes*to"},
              {"bytes_written", "0"},
              {"bytes", "A.bytes*to"},
              {"wire_bytes", "A.bytes*to"},
              {"memory", "0"}},
    .effects = effect::external,
    .summary = "sends a value to machines"};

/// Receives a value that another machine sends: shape in the extent attributes d0, d1, ..., element
/// type in `dtype` (default f32); and the machine that sent it. The cost of the message counts at
/// the sender.
inline constexpr kernel_spec receive{.name = "receive",
                                     .domain = "wire",
                                     .meaning = meaning::receiving,
                                     .signature = "-> C[...], from: peer []",
                                     .costs = {{"flops", "0"},
                                               {"messages", "0"},
                                               {"bytes_read", "0"},
                                               {"bytes_written", "C.bytes"},
                                               {"bytes", "C.bytes"}},
                                     .result_shape = &detail::stated_shape,
                                     .result_dtype = &detail::stated_dtype,
                                     .effects = effect::external,
                                     .summary = "receives a value from a machine"};

/// The same machines, as members of the class in the attribute `class`: what is sent to them runs
/// on machines of that class.
inline constexpr kernel_spec as_class{.name = "as_class",
                                      .domain = "wire",
                                      .meaning = meaning::membership,
                                      .signature = "to: peer [P?] -> C: peer [P?]",
                                      .costs = {{"flops", "0"}, {"operations", "0"}},
                                      .is_view = true,
                                      .reading = &read_flat,
                                      .summary = "machines as members of a class"};

/// Tells that a value is there; its elements are not read, so that they need not be sent.
inline constexpr kernel_spec signal{.name = "signal",
                                    .domain = "wire",
                                    .meaning = meaning::arrival,
                                    .signature = "A: any [...] -> go: trigger []",
                                    .costs = {{"flops", "0"}, {"operations", "0"}, {"bytes", "0"}},
                                    .summary = "tells that a value is there"};

/// Joins what has become of a value that was sent to a list of machines: the operand as it came
/// from each of them, along a new first dimension, in their order.
inline constexpr kernel_spec collect{.name = "collect",
                                     .domain = "wire",
                                     .meaning = meaning::collection,
                                     .signature = "A: any [...], of: peer [P] -> C[...]",
                                     .costs = {{"flops", "0"},
                                               {"operations", "0"},
                                               {"bytes_read", "A.bytes*P"},
                                               {"bytes_written", "C.bytes"},
                                               {"bytes", "A.bytes*P+C.bytes"}},
                                     .result_shape = &detail::collected_shape,
                                     .summary = "a value from each of a list of machines"};

namespace detail {
// A gate on a received value: it and its sender pass, or what depends on them does not run.
constexpr kernel_spec receiving_gate(text_view name, text_view summary) {
  return {.name = name,
          .domain = "wire",
          .meaning = meaning::admission,
          .signature = "A: any [...], from: peer [] -> C[...], sender: peer []",
          .costs = {{"flops", "0"}, {"operations", "0"}, {"bytes", "0"}},
          .effects = effect::stateful,
          .summary = summary};
}
// A gate before a message: it leaves out machines to which nothing may be sent now.
constexpr kernel_spec sending_gate(text_view name, text_view summary) {
  return {.name = name,
          .domain = "wire",
          .meaning = meaning::permission,
          .signature = "A: any [...], to: peer [P?] -> permitted: peer [P?]",
          .costs = {{"flops", "0"}, {"operations", "0"}, {"bytes", "0"}},
          .effects = effect::stateful,
          .summary = summary};
}
}  // namespace detail

/// Lets each message pass once: a copy of one that was accepted ends here.
inline constexpr kernel_spec dedup_gate_rx =
    detail::receiving_gate("dedup_gate_rx", "drops copies of messages that were accepted");
/// Drops messages of machines that the policy excludes, or that are down.
inline constexpr kernel_spec peer_health_gate_rx = detail::receiving_gate(
    "peer_health_gate_rx", "drops messages of machines that are excluded or down");
/// Drops messages of a machine until the wait after a failure is over.
inline constexpr kernel_spec backoff_gate_rx = detail::receiving_gate(
    "backoff_gate_rx", "drops messages of machines in their wait after a failure");
/// Leaves out machines that the policy excludes, or that are down.
inline constexpr kernel_spec peer_health_gate_tx =
    detail::sending_gate("peer_health_gate_tx", "leaves out machines that are excluded or down");
/// Leaves out machines until their wait after a failure is over.
inline constexpr kernel_spec backoff_gate_tx =
    detail::sending_gate("backoff_gate_tx", "leaves out machines in their wait after a failure");

/// Lets a message begin if it is otherwise ready before its deadline: the start of what causes it,
/// and the attribute `deadline_budget` in nanoseconds. The message must run after it.
inline constexpr kernel_spec deadline_check{
    .name = "deadline_check",
    .domain = "wire",
    .meaning = meaning::expiry,
    .signature = "A: any [...], to: peer [P?], deadline_budget = 0 -> go: trigger []",
    .costs = {{"flops", "0"}, {"operations", "0"}, {"bytes", "0"}},
    .effects = effect::stateful,
    .summary = "lets a message begin before its deadline only"};

/// Every kernel of the domain.
inline constexpr const kernel_spec* wire_domain[] = {&send,
                                                     &receive,
                                                     &as_class,
                                                     &signal,
                                                     &collect,
                                                     &dedup_gate_rx,
                                                     &peer_health_gate_rx,
                                                     &backoff_gate_rx,
                                                     &peer_health_gate_tx,
                                                     &backoff_gate_tx,
                                                     &deadline_check};

}  // namespace wf::kernels
