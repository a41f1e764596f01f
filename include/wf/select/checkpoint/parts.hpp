// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/cost.hpp>
#include <wf/search/control.hpp>
#include <wf/storage/rule.hpp>

namespace wf {

/// What `checkpoint` must achieve.
struct checkpoint_request {
  /// The largest `peak_memory` of the workflow, in bytes.
  std::int64_t most_bytes = 0;
  /// What the names of the outputs begin with that are computed last, such as those of `gradient`.
  text_view late = "grad_";
  /// The metric, a sum, whose increase by what runs again is to be small.
  metric_spec metric = flops;
  /// Limits of each of some dozen searches.
  search_limits search = {.max_steps = 10'000'000};
};

namespace detail {

/// The parts of a valid graph for `checkpoint`: what runs first, what runs last, and what need not
/// be kept between them.
class checkpoint_parts {
 public:
  constexpr checkpoint_parts(const graph_view& g, const checkpoint_request& wanted,
                             const registry& kernels)
      : graph_(g), wanted_(wanted), kernels_(kernels), rule_(graph_, kernels) {}
  // The rule refers to another member.
  checkpoint_parts(const checkpoint_parts&) = delete;
  checkpoint_parts& operator=(const checkpoint_parts&) = delete;

  /// Finds the parts, or says what is wrong.
  constexpr error find() {
    auto order = topological_order(graph_);
    if (!order) return order.error();
    if (error e = find_late(); e.code != errc::none) return e;
    for (const bool late : {false, true})
      for (const node_id id : *order)
        if (is_late(id) == late) order_.push_back(id), late_nodes_ += late ? 1 : 0;
    auto rows = price_nodes(graph_, view<metric_spec>(&wanted_.metric, 1), kernels_);
    if (!rows) return rows.error();
    for (const cost_row& row : *rows) prices_.push_back(row.costs[0]);
    find_readers();
    if (error e = find_free(); e.code != errc::none) return e;
    return find_late_bytes();
  }

  constexpr const graph_view& graph() const { return graph_; }
  constexpr const storage_rule& rule() const { return rule_; }
  /// All nodes: the early part, then the late one.
  constexpr view<node_id> order() const { return order_; }
  constexpr std::size_t late_nodes() const { return late_nodes_; }
  constexpr bool is_late(node_id id) const { return late_[index_of(id)] != 0; }
  /// True for an early value that only a result keeps in storage.
  constexpr bool may_end(value_id id) const {
    const node_id made = graph_[id].producer;
    return made != node_id::none && !is_late(made) && free_[index_of(id)] == 0;
  }
  /// True for a value whose only reader overwrites it: computed again, it takes no more storage
  /// than what that node gives.
  constexpr bool is_overwritten(value_id id) const {
    const node_id reader = only_reader_[index_of(id)];
    if (reader == node_id::none) return false;
    const node& n = graph_[reader];
    const view<value_id> operands = graph_.inputs_of(n);
    for (std::uint32_t i = 0; i < operands.size(); ++i)
      for (std::uint32_t k = 0; k < n.outputs.count; ++k)
        if (operands[i] == id && rule_.may_overwrite(n, k, i)) return true;
    return false;
  }
  /// True for a node that may run twice.
  constexpr bool may_run_again(node_id id) const {
    return graph_[id].effects == effect::pure && has_edge_[index_of(id)] == 0;
  }
  /// What a node costs.
  constexpr std::int64_t price_of(node_id id) const { return prices_[index_of(id)]; }
  /// Bytes of what is in storage anyway: inputs, and early outputs.
  constexpr std::int64_t fixed_bytes() const { return fixed_; }
  /// Bytes that late values and scratch memory take, at most, while some of the late nodes run,
  /// which are counted from 0.
  constexpr std::int64_t late_bytes(std::size_t first, std::size_t last) const {
    const std::size_t early = order_.size() - late_nodes_;
    std::int64_t most = 0;
    for (std::size_t i = early + first; i < early + last; ++i)
      if (late_bytes_[i] > most) most = late_bytes_[i];
    return most;
  }

 private:
  // The early part: what other outputs, effects and edges need.
  constexpr error find_late() {
    late_ = table<char>(graph_.nodes.size(), 1);
    has_edge_.resize(graph_.nodes.size());
    for (const edge& e : graph_.edges) has_edge_[index_of(e.from)] = has_edge_[index_of(e.to)] = 1;
    bool any = false;
    const incoming_edges edges(graph_);
    table<node_id> waiting;
    const auto need = [&](node_id id) {
      if (id == node_id::none || !is_late(id)) return;
      late_[index_of(id)] = 0;
      waiting.push_back(id);
    };
    for (const output& o : graph_.outputs) {
      if (graph_.text_of(o.name).starts_with(wanted_.late))
        any = true;
      else
        need(graph_[o.source].producer);
    }
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      if (graph_.nodes[i].effects != effect::pure) need(static_cast<node_id>(i));
    while (!waiting.empty()) {
      const node_id id = waiting.back();
      waiting.pop_back();
      for (value_id operand : graph_.inputs_of(graph_[id])) need(graph_[operand].producer);
      for (const edge& e : edges.of(id)) need(e.from);
    }
    if (any) return {};
    return make_error(
        errc::unknown_argument, graph_.text_of(graph_.name),
        (text() << "no output has a name that begins with '" << wanted_.late << "'").view());
  }
  constexpr void find_readers() {
    only_reader_ = table<node_id>(graph_.values.size(), node_id::none);
    table<char> often(graph_.values.size());
    const auto read = [&](value_id id, node_id by) {
      node_id& known = only_reader_[index_of(id)];
      if (often[index_of(id)] != 0 && known != by) known = node_id::none;
      if (often[index_of(id)] == 0) known = by;
      often[index_of(id)] = 1;
    };
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      for (value_id operand : graph_.inputs_of(graph_.nodes[i]))
        read(operand, static_cast<node_id>(i));
    for (const output& o : graph_.outputs) read(o.source, node_id::none);
  }
  // Values that are in storage anyway, and what lies in them.
  constexpr error find_free() {
    table<char> in_use(graph_.values.size());
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      if (graph_.values[i].producer == node_id::none) in_use[i] = 1;
      if (rule_.bytes_of(static_cast<value_id>(i)) < 0)
        return make_error(errc::workflow_not_static, graph_.text_of(graph_.name),
                          "its sizes must be known: bind the symbols first");
    }
    for (const output& o : graph_.outputs)
      if (const node_id made = graph_[o.source].producer; made == node_id::none || !is_late(made))
        in_use[index_of(rule_.home_of(o.source))] = 1;
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      free_.push_back(in_use[index_of(rule_.home_of(static_cast<value_id>(i)))]);
      if (in_use[i] != 0) fixed_ = saturating_add(fixed_, rule_.bytes_of(static_cast<value_id>(i)));
    }
    return {};
  }

  constexpr error find_late_bytes() {
    const auto scratch = scratch_of_nodes(graph_, kernels_, peak_memory);
    if (!scratch) return scratch.error();
    table<std::int64_t> bytes, beside;
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      const node_id made = graph_.values[i].producer;
      const bool counts = made != node_id::none && is_late(made);
      bytes.push_back(counts ? rule_.bytes_of(static_cast<value_id>(i)) : 0);
    }
    for (const node_id id : order_) beside.push_back((*scratch)[index_of(id)]);
    late_bytes_ = amounts_in_use(rule_, order_, schedule_storage(rule_, order_), bytes, beside);
    return {};
  }

  graph_view graph_;
  const checkpoint_request& wanted_;
  const registry& kernels_;
  storage_rule rule_;
  table<node_id> order_;
  std::size_t late_nodes_ = 0;
  table<char> late_, has_edge_;  // by node
  table<char> free_;             // by value
  table<node_id> only_reader_;   // by value; none if there are several
  table<std::int64_t> prices_;   // by node
  std::int64_t fixed_ = 0;
  table<std::int64_t> late_bytes_;  // by position in the order
};

}  // namespace detail
}  // namespace wf
