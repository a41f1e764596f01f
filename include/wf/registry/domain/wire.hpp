// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/shape_rule.hpp>

namespace wf::kernels {

// Messages between machines. A workflow contains `send` and `as_class` only: `receive` is made when
// the workflow is cut into a program for each class of machines (wf/partition/).

/// Sends a value to one machine or to each of a list. The first result is the value as the receiver
/// has it, on machines of the receivers' class; the second one is the number of the request, here.
inline constexpr kernel_spec send{
    .name = "send",
    .domain = "wire",
    .meaning = meaning::sending,
    .signature = "A: any [...], to: peer [P?] -> C[...], request: u64 []",
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
/// type in `dtype` (default f32). The cost of the message counts at the sender.
inline constexpr kernel_spec receive{
    .name = "receive",
    .domain = "wire",
    .meaning = meaning::receiving,
    .signature = "-> C[...]",
    .costs = {{"flops", "0"}, {"messages", "0"}, {"bytes_read", "0"}, {"bytes", "C.bytes"}},
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

/// Every kernel of the domain.
inline constexpr const kernel_spec* wire_domain[] = {&send, &receive, &as_class};

}  // namespace wf::kernels
