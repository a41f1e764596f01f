// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/slot_table.hpp>

namespace wf::detail {

/// What caused an execution on a machine.
struct execution_context {
  std::uint32_t tag = 0;        ///< the execution
  std::int64_t began = 0;       ///< on the machine's clock, in nanoseconds
  std::int64_t remaining = -1;  ///< the rest of the budget of the message; -1: none brought one
};

/// One machine in one life: what it has computed of each program of its class, what caused that,
/// and which nodes can run.
template <class Value>
struct machine_site {
  text role;                          ///< its class
  table<std::uint32_t> programs;      ///< of its class
  table<slot_table<Value>> slots;     ///< by program of its class
  table<execution_context> contexts;  ///< of executions that began here
  fifo<runnable> ready;               ///< in the order in which they could run
  bool is_busy = false;               ///< a node runs that takes time
  runnable running;                   ///< that node
  std::uint64_t turn = 0;             ///< its number, never the same again

  /// Begins a life, with the flows of all programs; these and the tags must outlive it.
  constexpr void begin(const table<program_flow>& flows, const execution_tags& tags) {
    slots.clear();
    for (std::uint32_t k = 0; k < programs.size(); ++k)
      slots.push_back(slot_table<Value>(flows[programs[k]], tags, k));
    contexts.clear();
    ready = {};
    is_busy = false;
  }
  /// Notes the cause of an execution, unless it is known.
  constexpr void cause(const execution_context& c) {
    for (const execution_context& known : contexts)
      if (known.tag == c.tag) return;
    contexts.push_back(c);
  }
  /// The context of an execution: that of the longest path that it begins with, or none, which
  /// begins now.
  constexpr execution_context context_of(std::uint32_t tag, std::int64_t now,
                                         const execution_tags& tags) const {
    execution_context found{execution_tags::always, now, -1};
    for (const execution_context& c : contexts)
      if (tags.begins_with(tag, c.tag) && tags.length(c.tag) >= tags.length(found.tag)) found = c;
    return found;
  }
  /// True if a node runs or can run in an execution whose path begins with `tag`.
  constexpr bool has_work(std::uint32_t tag, const execution_tags& tags) const {
    if (is_busy && tags.begins_with(running.tag, tag)) return true;
    for (std::size_t i = 0; i < ready.size(); ++i)
      if (tags.begins_with(ready[i].tag, tag)) return true;
    return false;
  }
  /// Forgets all executions whose paths begin with `tag`; the others keep their order. O(slots).
  constexpr void forget(std::uint32_t tag, const execution_tags& tags) {
    for (slot_table<Value>& s : slots) s.forget(tag);
    std::size_t kept = 0;
    for (const execution_context& c : contexts)
      if (!tags.begins_with(c.tag, tag)) contexts[kept++] = c;
    while (contexts.size() > kept) contexts.pop_back();
  }
  /// Number of filled slots.
  constexpr std::size_t filled() const {
    std::size_t out = 0;
    for (const slot_table<Value>& s : slots) out += s.filled();
    return out;
  }
};

}  // namespace wf::detail
