// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/cut.hpp>

namespace wf {

/// The machines of an input whose elements are machines, by name.
struct machine_list {
  text input;            ///< an input of the workflow
  table<text> machines;  ///< peers of the script
};

/// The inputs of programs whose elements are machines, each once, in the order of the programs: for
/// each, either its name is a class of machines, or a `machine_list` states them.
/// O(values of the programs · such inputs).
constexpr table<text> machine_inputs(const partitioned_program& p) {
  table<text> out;
  for (const partition& part : p.partitions) {
    const graph_view g = part.workflow.view();
    for (const value& v : g.values) {
      if (v.producer != node_id::none || v.type.type != dtype::peer) continue;
      bool is_known = false;
      for (const text& name : out) is_known = is_known || name.view() == g.text_of(v.name);
      if (!is_known) out.push_back(text(g.text_of(v.name)));
    }
  }
  return out;
}

namespace detail {

/// Refuses an input of machines that has none, by its class or by a list, and a list that no
/// program reads: both would be messages that silently go nowhere. A list may be empty. `roles` has
/// the class of each machine.
constexpr error check_lists(const partitioned_program& p, view<text> roles,
                            view<machine_list> lists) {
  const table<text> inputs = machine_inputs(p);
  for (const text& input : inputs) {
    bool is_known = false;
    for (const text& role : roles) is_known = is_known || role == input;
    for (const machine_list& l : lists) is_known = is_known || l.input == input;
    if (!is_known)
      return make_error(errc::simulation_failed, input.view(),
                        "no machine is of the class with the name of this input, and no list "
                        "states its machines");
  }
  for (const machine_list& l : lists) {
    bool is_known = false;
    for (const text& input : inputs) is_known = is_known || l.input == input;
    if (!is_known)
      return make_error(errc::simulation_failed, l.input.view(),
                        "a list states machines of this input, but no program has it");
  }
  return {};
}

}  // namespace detail

}  // namespace wf
