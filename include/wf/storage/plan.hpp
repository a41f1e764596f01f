// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/registry/catalogue.hpp>
#include <wf/storage/place.hpp>
#include <wf/storage/schedule.hpp>

namespace wf {

/// A storage plan: the offset of every value of a workflow in one arena.
struct storage_plan {
  /// By value: the value that owns its storage, itself for most; see `storage_rule`.
  table<value_id> home;
  /// By value: the operand that it overwrites; none for most.
  table<value_id> overwrites;
  /// By value: the offset of its home, in bytes.
  table<std::int64_t> offset;
  /// By node: the offset of its scratch memory, in bytes; 0 if it needs none.
  table<std::int64_t> scratch_offset;
  /// The size of the arena in bytes.
  std::int64_t bytes = 0;
  /// By position in the order: the bytes in use while that node runs.
  table<std::int64_t> in_use;
  /// The peak of the bytes in use, the moment before the first node included: a lower bound on
  /// every plan of this order.
  std::int64_t most_in_use = 0;
};

/// Options of a storage plan.
struct storage_options {
  /// The execution order, a topological one; empty: the stable topological order.
  view<node_id> order = {};
  /// True if the storage of inputs may be reused after their last reader. Otherwise it belongs to
  /// the caller and keeps its content.
  bool overwrite_inputs = false;
  /// By node: its scratch memory in bytes; empty: none.
  view<std::int64_t> scratch = {};
  /// The size of every element in bytes; 0: the size of its type.
  std::int64_t element_bytes = 0;
};

namespace detail {

class storage_planner {
 public:
  constexpr storage_planner(const graph_view& g, const storage_options& options, const registry& r)
      : graph_(g), options_(options), rule_(g, r, options.element_bytes) {}

  constexpr result<storage_plan> run() {
    if (error e = find_order(); e.code != errc::none) return e;
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      bytes_.push_back(rule_.bytes_of(static_cast<value_id>(i)));
      if (bytes_[i] < 0) return size_fault(i);
    }
    storage_schedule_options how;
    how.inputs_end = options_.overwrite_inputs;
    schedule_ = schedule_storage(rule_, order_, how);
    measure();
    add_blocks();
    plan_.bytes = place_blocks(blocks_, plan_.most_in_use);
    if (plan_.bytes == INT64_MAX)
      return make_error(errc::overflow, graph_.text_of(graph_.name),
                        "the sum of all values does not fit 63 bits");
    finish();
    return static_cast<storage_plan&&>(plan_);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  constexpr error find_order() {
    order_ = options_.order;
    if (order_.size() != 0) return check_order(graph_, order_);
    auto sorted = topological_order(graph_);
    if (!sorted) return sorted.error();
    sorted_.swap(*sorted);
    order_ = sorted_;
    return {};
  }
  constexpr error size_fault(std::uint32_t i) const {
    const text label = text() << '%' << i;
    if (!graph_.values[i].type.shape.is_static())
      return make_error(errc::workflow_not_static, label.view(),
                        "a storage plan needs static shapes: bind the symbols first");
    return make_error(errc::overflow, label.view(), "its size does not fit 63 bits");
  }
  constexpr std::int64_t scratch_of(node_id id) const {
    return options_.scratch.size() == 0 ? 0 : options_.scratch[index_of(id)];
  }

  constexpr void measure() {
    table<std::int64_t> scratch;
    for (node_id id : order_) scratch.push_back(scratch_of(id));
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].producer == node_id::none)
        plan_.most_in_use = saturating_add(plan_.most_in_use, bytes_[i]);
    plan_.in_use = amounts_in_use(rule_, order_, schedule_, bytes_, scratch);
    for (std::size_t at = 0; at < plan_.in_use.size(); ++at)
      if (plan_.most_in_use < plan_.in_use[at]) plan_.most_in_use = plan_.in_use[at];
  }

  // One block for each home that overwrites nothing, shared by the results that overwrite it, and
  // one for each node with scratch memory. A moment is a position in the order.
  constexpr void add_blocks() {
    block_of_ = table<std::uint32_t>(graph_.values.size(), none);
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].producer == node_id::none) add_block(i, 0);
    scratch_block_ = table<std::uint32_t>(graph_.nodes.size(), none);
    for (std::uint32_t at = 0; at < order_.size(); ++at) {
      const node& n = graph_[order_[at]];
      for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
        const std::uint32_t i = n.outputs.first + k;
        if (!rule_.is_home(static_cast<value_id>(i))) continue;
        const value_id before = schedule_.overwrites[i];
        if (before == value_id::none) {
          add_block(i, at);
          continue;
        }
        block_of_[i] = block_of_[index_of(rule_.home_of(before))];
        blocks_[block_of_[i]].end = schedule_.last[i];
      }
      if (const std::int64_t bytes = scratch_of(order_[at]); bytes != 0) {
        scratch_block_[index_of(order_[at])] = static_cast<std::uint32_t>(blocks_.size());
        blocks_.push_back({at, at, bytes, 8, 0});
      }
    }
  }
  constexpr void add_block(std::uint32_t i, std::uint32_t begin) {
    block_of_[i] = static_cast<std::uint32_t>(blocks_.size());
    const std::int64_t alignment = rule_.bytes_of_element(static_cast<value_id>(i));
    blocks_.push_back({begin, schedule_.last[i], bytes_[i],
                       alignment < 1   ? 1
                       : alignment > 8 ? 8
                                       : alignment});
  }

  constexpr void finish() {
    plan_.scratch_offset.resize(graph_.nodes.size());
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      const value_id home = rule_.home_of(static_cast<value_id>(i));
      plan_.home.push_back(home);
      plan_.offset.push_back(blocks_[block_of_[index_of(home)]].offset);
    }
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      if (scratch_block_[i] != none) plan_.scratch_offset[i] = blocks_[scratch_block_[i]].offset;
    plan_.overwrites.swap(schedule_.overwrites);
  }

  graph_view graph_;
  storage_options options_;
  storage_rule rule_;
  table<node_id> sorted_;
  view<node_id> order_;
  table<std::int64_t> bytes_;  // by value
  storage_schedule schedule_;
  table<storage_block> blocks_;
  table<std::uint32_t> block_of_, scratch_block_;  // by home, by node
  storage_plan plan_;
};

}  // namespace detail

/// Plans the storage of a static workflow: an offset in one arena for each value with storage of
/// its own and for the scratch memory of nodes. Values in use at the same time share no byte,
/// except views, which lie in their operand, and results that overwrite one (`storage_rule`). A
/// value is in use from its node to the last node of the order that reads it or a view of it;
/// inputs from the beginning; outputs, and inputs unless `overwrite_inputs`, to the end. See
/// `place_blocks` for the distance from the least possible size.
///
/// Errors: those of `validate`; `workflow_not_static`, `overflow`, `malformed_graph` for an invalid
/// order. O(n · values in use at one moment).
constexpr result<storage_plan> plan_storage(const graph_view& workflow, const registry& kernels,
                                            const storage_options& options = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  return detail::storage_planner(*valid, options, kernels).run();
}

}  // namespace wf
