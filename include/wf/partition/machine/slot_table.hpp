// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/flow.hpp>
#include <wf/partition/machine/tags.hpp>
#include <wf/simulate/engine/fifo.hpp>

namespace wf::detail {

/// A node that can run in an execution.
struct runnable {
  std::uint32_t program = 0;  ///< of those of the machine's class
  std::uint32_t node = 0;     ///< of the program
  std::uint32_t tag = 0;      ///< the execution
};

/// What one machine has computed of one program, by value and execution.
///
/// A node runs once for an execution: when each value and event that it needs is there for this
/// execution or one that its path begins with, and at least one for no shorter path.
template <class Value>
class slot_table {
 public:
  constexpr slot_table() = default;
  /// For a program, by its number among those of its class; both must outlive it.
  constexpr slot_table(const program_flow& flow, const execution_tags& tags,
                       std::uint32_t program = 0)
      : flow_(&flow),
        tags_(&tags),
        program_(program),
        slots_(flow.size()),
        begun_(flow.program().nodes.size()) {}

  /// Fills a slot; false if it is filled. Nodes that can run because of it go behind those that
  /// are `ready`. O(readers · slots of their operands).
  constexpr bool fill(std::uint32_t what, std::uint32_t tag, Value v, fifo<runnable>& ready) {
    for (const slot& s : slots_[what])
      if (s.tag == tag) return false;
    slots_[what].push_back({tag, static_cast<Value&&>(v)});
    for (const std::uint32_t node : flow_->readers(what)) {
      consider(node, tag, ready);
      // What others need for a longer path may have waited for this.
      for (const std::uint32_t other : flow_->needs(node))
        if (other != what)
          for (std::size_t i = 0; i < slots_[other].size(); ++i)
            if (const std::uint32_t t = slots_[other][i].tag;
                t != tag && tags_->begins_with(t, tag))
              consider(node, t, ready);
    }
    return true;
  }
  /// Begins: nodes that need nothing can run in every execution.
  constexpr void start(fifo<runnable>& ready) {
    for (std::uint32_t i = 0; i < begun_.size(); ++i)
      if (flow_->needs(i).empty() && flow_->meaning_of(i) != meaning::receiving) {
        begun_[i].push_back(execution_tags::always);
        ready.push({program_, i, execution_tags::always});
      }
  }
  /// The value for an execution, or for the longest path that it begins with; null if there is
  /// none.
  constexpr const Value* find(std::uint32_t what, std::uint32_t tag) const {
    const slot* found = nullptr;
    for (const slot& s : slots_[what])
      if ((found == nullptr || tags_->length(s.tag) > tags_->length(found->tag)) &&
          tags_->begins_with(tag, s.tag))
        found = &s;
    return found == nullptr ? nullptr : &found->value;
  }
  /// The value of exactly this execution; null if there is none.
  constexpr const Value* find_exactly(std::uint32_t what, std::uint32_t tag) const {
    for (const slot& s : slots_[what])
      if (s.tag == tag) return &s.value;
    return nullptr;
  }
  /// True if a node waits, in an execution whose path begins with `tag`, for nothing but what a
  /// machine may have without it: `starts`, by value or event. O(slots · readers · their operands).
  constexpr bool waits_for_start(std::uint32_t tag, const table<char>& starts) const {
    for (std::uint32_t what = 0; what < slots_.size(); ++what)
      for (const slot& s : slots_[what])
        if (tags_->begins_with(s.tag, tag))
          for (const std::uint32_t node : flow_->readers(what))
            if (waits_for_start(node, s.tag, starts)) return true;
    return false;
  }
  /// Forgets all executions whose paths begin with `tag`; the others keep their order. O(slots).
  constexpr void forget(std::uint32_t tag) {
    const auto drop = [&](auto& all, auto tag_of) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (!tags_->begins_with(tag_of(all[i]), tag)) {
          if (kept != i) all[kept] = static_cast<decltype(all[i])&&>(all[i]);
          ++kept;
        }
      while (all.size() > kept) all.pop_back();
    };
    for (auto& of : slots_) drop(of, [](const slot& s) { return s.tag; });
    for (auto& of : begun_) drop(of, [](std::uint32_t t) { return t; });
  }
  /// Number of filled slots.
  constexpr std::size_t filled() const {
    std::size_t out = 0;
    for (const auto& of : slots_) out += of.size();
    return out;
  }

 private:
  struct slot {
    std::uint32_t tag = 0;
    Value value{};
  };

  constexpr bool waits_for_start(std::uint32_t node, std::uint32_t tag,
                                 const table<char>& starts) const {
    for (const std::uint32_t begun : begun_[node])
      if (begun == tag) return false;
    for (const std::uint32_t what : flow_->needs(node))
      if (starts[what] == 0 && find(what, tag) == nullptr) return false;
    return true;
  }
  constexpr void consider(std::uint32_t node, std::uint32_t tag, fifo<runnable>& ready) {
    for (const std::uint32_t begun : begun_[node])
      if (begun == tag) return;
    for (const std::uint32_t what : flow_->needs(node))
      if (find(what, tag) == nullptr) return;
    begun_[node].push_back(tag);
    ready.push({program_, node, tag});
  }

  const program_flow* flow_ = nullptr;
  const execution_tags* tags_ = nullptr;
  std::uint32_t program_ = 0;
  table<table<slot>> slots_;           // by value or event
  table<table<std::uint32_t>> begun_;  // by node: the executions in which it could run
};

}  // namespace wf::detail
