// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/registry/catalogue.hpp>
#include <wf/storage/place.hpp>
#include <wf/storage/schedule.hpp>

namespace wf {

/// Where the values of a workflow lie while it runs: places in one block of storage.
struct storage_plan {
  /// By value: the value in whose storage it lies, itself for most; see `storage_rule`.
  table<value_id> home;
  /// By value: the operand that it is written over; none for most.
  table<value_id> overwrites;
  /// By value: where its home lies, in bytes.
  table<std::int64_t> offset;
  /// By node: where what it needs besides while it runs lies, in bytes.
  table<std::int64_t> scratch_offset;
  /// The bytes of the whole.
  std::int64_t bytes = 0;
  /// By position of the order: the bytes in use while that node runs.
  table<std::int64_t> in_use;
  /// The most bytes in use at one moment, that before the first node included: no plan of this
  /// order needs fewer.
  std::int64_t most_in_use = 0;
};

/// What a storage plan goes by.
struct storage_options {
  /// The order in which the nodes run, a topological one; empty: the stable topological order.
  view<node_id> order = {};
  /// True if the storage of inputs may be used again once they are read for the last time. Else it
  /// is the caller's and stays as it is.
  bool overwrite_inputs = false;
  /// By node: the bytes that it needs besides while it runs; empty: none.
  view<std::int64_t> scratch = {};
  /// What every element takes; 0: what its type takes.
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

  // A block for each home that overwrites nothing, which is also that of what overwrites it; and
  // one for each node that needs scratch. A moment is a position of the order.
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

/// Plans the storage of a static workflow: a place in one block for each value that has storage of
/// its own, and for what nodes need besides. Values that are in use at the same time never share a
/// byte, but for views, which lie in what they are views of, and results that overwrite
/// (`storage_rule`). A value is in use from its node to the last node of the order that reads it or
/// a view of it; inputs from the beginning; outputs, and inputs unless `overwrite_inputs`, to the
/// end. Inputs that stay lie at the beginning of the block. See `place_blocks` for how near the
/// least possible the plan is.
///
/// Errors: those of `validate`; `workflow_not_static`, `overflow`, `malformed_graph` for an order
/// that is none. O(n²) for up to 2,000 values and nodes with scratch, O(n · values in use at one
/// moment) beyond.
constexpr result<storage_plan> plan_storage(const graph_view& workflow, const registry& kernels,
                                            const storage_options& options = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  return detail::storage_planner(*valid, options, kernels).run();
}

}  // namespace wf
