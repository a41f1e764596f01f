// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/flow.hpp>
#include <wf/partition/machine/tags.hpp>
#include <wf/simulate/engine/fifo.hpp>

namespace wf::detail {

/// What one machine has computed, by value and execution, and the nodes that can run because of it.
///
/// A node runs once for an execution: when each value and event that it needs is there for this
/// execution or one that its path begins with, and at least one for no shorter path.
template <class Value>
class slot_table {
 public:
  /// A node that can run.
  struct task {
    std::uint32_t node = 0;
    std::uint32_t tag = 0;
  };

  constexpr slot_table() = default;
  /// For a program; both must outlive it.
  constexpr slot_table(const program_flow& flow, const execution_tags& tags)
      : flow_(&flow), tags_(&tags), slots_(flow.size()), begun_(flow.program().nodes.size()) {}

  /// Fills a slot; false if it is filled. O(readers · slots of their operands).
  constexpr bool fill(std::uint32_t what, std::uint32_t tag, Value v) {
    for (const slot& s : slots_[what])
      if (s.tag == tag) return false;
    slots_[what].push_back({tag, static_cast<Value&&>(v)});
    for (const std::uint32_t node : flow_->readers(what)) {
      consider(node, tag);
      // What others need for a longer path may have waited for this.
      for (const std::uint32_t other : flow_->needs(node))
        if (other != what)
          for (std::size_t i = 0; i < slots_[other].size(); ++i)
            if (const std::uint32_t t = slots_[other][i].tag;
                t != tag && tags_->begins_with(t, tag))
              consider(node, t);
    }
    return true;
  }
  /// Begins: nodes that need nothing can run in every execution.
  constexpr void start() {
    for (std::uint32_t i = 0; i < begun_.size(); ++i)
      if (flow_->needs(i).empty() && flow_->meaning_of(i) != meaning::receiving) {
        begun_[i].push_back(execution_tags::always);
        ready_.push({i, execution_tags::always});
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
  /// Nodes that can run, in the order in which they could.
  constexpr fifo<task>& ready() { return ready_; }
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

  constexpr void consider(std::uint32_t node, std::uint32_t tag) {
    for (const std::uint32_t begun : begun_[node])
      if (begun == tag) return;
    for (const std::uint32_t what : flow_->needs(node))
      if (find(what, tag) == nullptr) return;
    begun_[node].push_back(tag);
    ready_.push({node, tag});
  }

  const program_flow* flow_ = nullptr;
  const execution_tags* tags_ = nullptr;
  table<table<slot>> slots_;           // by value or event
  table<table<std::uint32_t>> begun_;  // by node: the executions in which it could run
  fifo<task> ready_;
};

}  // namespace wf::detail
