// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/slot_table.hpp>

namespace wf::detail {

/// What a node that collects has on its machine.
template <class Value>
struct joined_values {
  /// The execution that the values of all machines begin with: that of the result.
  std::uint32_t tag = execution_tags::always;
  /// By machine of the list, in its order; empty as long as one is missing, or if the result is
  /// there.
  table<const Value*> parts;
  /// False if the value did not come from machines of the list.
  bool is_of_list = true;
};

/// Joins the values that a node collects, when one of an execution has come. A list of several
/// machines was a step of its path, which the result's has no longer. O(machines · slots of the
/// value).
template <class Value>
constexpr joined_values<Value> join(const slot_table<Value>& slots, execution_tags& tags,
                                    std::uint32_t value, std::uint32_t result, std::uint32_t tag,
                                    view<std::uint32_t> machines) {
  joined_values<Value> out;
  out.tag = tag;
  if (machines.size() > 1) {
    const std::uint64_t step = tag == execution_tags::always ? 0 : tags.last_step(tag);
    out.is_of_list = false;
    for (const std::uint32_t q : machines)
      out.is_of_list = out.is_of_list || step == execution_tags::step_to(q);
    if (!out.is_of_list) return out;
    out.tag = tags.before(tag);
  }
  if (slots.find_exactly(result, out.tag) != nullptr) return out;
  for (const std::uint32_t q : machines) {
    const Value* const part =
        machines.size() > 1
            ? slots.find_exactly(value, tags.extend(out.tag, execution_tags::step_to(q)))
            : slots.find(value, tag);
    if (part == nullptr) {
      out.parts.clear();
      return out;
    }
    out.parts.push_back(part);
  }
  return out;
}

}  // namespace wf::detail
