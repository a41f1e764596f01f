// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/select/checkpoint/parts.hpp>
#include <wf/select/problem.hpp>

namespace wf::detail {

/// The selection problem of what is kept and what runs again. The late part is divided into blocks
/// of consecutive nodes. In each, an early value is carried on from the block before it, or its
/// node runs again on what is there then [Checkmate: Jain et al. 2020]. A metric for each block
/// has the bytes of the early values in it.
class checkpoint_problem {
 public:
  /// `relaxed`: only what is carried on counts, so that every workflow has a selection of no more
  /// bytes and the same price.
  constexpr checkpoint_problem(const checkpoint_parts& parts, std::uint32_t blocks,
                               bool relaxed = false)
      : parts_(parts),
        blocks_(blocks),
        relaxed_(relaxed),
        class_of_(parts.graph().values.size() * blocks, none),
        class_of_node_(parts.graph().nodes.size() * blocks, none) {
    problem.add_metric("extra");
    for (std::uint32_t b = 0; b < blocks; ++b) problem.add_metric("block");
    problem.objective = minimise_metric(0);
    const graph_view& g = parts.graph();
    const std::size_t early = parts.order().size() - parts.late_nodes();
    for (std::size_t i = 0; i < parts.late_nodes(); ++i)
      for (value_id operand : g.inputs_of(g[parts.order()[early + i]]))
        if (parts.may_end(operand)) problem.add_root(class_of(operand, block_of(i)));
    for (std::size_t i = 0; i < classes_.size(); ++i)
      if (classes_[i].value != value_id::none) add_candidates(classes_[i]);
  }

  /// The block of a late node, which are counted from 0.
  constexpr std::uint32_t block_of(std::size_t late) const {
    return static_cast<std::uint32_t>(late * blocks_ / parts_.late_nodes());
  }
  /// Limits each block to what so many bytes leave beside what else is in storage in it.
  constexpr void limit(std::int64_t bytes) {
    problem.limits = {};
    std::size_t first = 0;
    for (std::uint32_t b = 0; b < blocks_; ++b) {
      std::size_t last = first;
      while (last < parts_.late_nodes() && block_of(last) == b) ++last;
      const std::int64_t other = relaxed_ ? 0 : parts_.late_bytes(first, last);
      problem.add_limit(1 + b, bytes - saturating_add(parts_.fixed_bytes(), other));
      first = last;
    }
  }
  /// Prices the bytes in each block instead of limiting them: 2^(quarters / 4) of the metric each,
  /// or about that.
  constexpr void weigh(int quarters) {
    problem.limits = {};
    const int size = quarters < 0 ? -quarters : quarters;
    const std::int64_t weight = (std::int64_t{4} + size % 4) << size / 4;
    problem.objective.terms = {};
    problem.objective.terms.push_back({0, quarters < 0 ? weight : 4});
    for (std::uint32_t b = 0; b < blocks_; ++b)
      problem.objective.terms.push_back({1 + b, quarters < 0 ? 4 : weight});
  }
  /// True if the node of an early value runs again in a block.
  constexpr bool runs_again(const selection& s, value_id id, std::uint32_t block) const {
    const std::uint32_t c = class_of_[index_of(id) * blocks_ + block];
    if (c == none || s.chosen[c] == no_candidate) return false;
    const view<std::uint32_t> needs = problem.children_of(s.chosen[c]);
    return !needs.empty() && classes_[needs[0]].value == value_id::none;
  }
  /// Number of values that are kept for the first block.
  constexpr std::uint32_t kept(const selection& s) const {
    std::uint32_t count = 0;
    for (std::uint32_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].value != value_id::none && s.chosen[c] != no_candidate)
        count += problem.children_of(s.chosen[c]).empty() ? 1U : 0U;
    return count;
  }

  selection_problem problem;

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct place {
    value_id value = value_id::none;  // none: that of a node
    std::uint32_t block = 0;
  };

  constexpr std::uint32_t class_of(value_id id, std::uint32_t block) {
    std::uint32_t& known = class_of_[index_of(id) * blocks_ + block];
    if (known == none) {
      known = problem.add_class();
      classes_.push_back({id, block});
    }
    return known;
  }
  constexpr void add_candidates(place at) {
    const graph_view& g = parts_.graph();
    const std::uint32_t c = class_of(at.value, at.block);
    const bool own = parts_.rule().is_home(at.value);
    table<std::int64_t> row(blocks_ + 1);
    if (own) row[1 + at.block] = parts_.rule().bytes_of(at.value);
    const node_id made = g[at.value].producer;
    const bool again = parts_.may_run_again(made);
    if (own || !again) {
      table<std::uint32_t> before;
      if (at.block != 0) before.push_back(class_of(at.value, at.block - 1));
      problem.add_candidate(c, before, row);
    }
    if (!again) return;
    std::uint32_t& runs = class_of_node_[index_of(made) * blocks_ + at.block];
    if (runs == none) {
      runs = problem.add_class();
      classes_.push_back({value_id::none, at.block});
      table<std::uint32_t> operands;
      for (value_id operand : g.inputs_of(g[made]))
        if (parts_.may_end(operand)) operands.push_back(class_of(operand, at.block));
      table<std::int64_t> price(blocks_ + 1);
      price[0] = parts_.price_of(made);
      problem.add_candidate(runs, operands, price);
    }
    const std::uint32_t needs[] = {runs};
    if (relaxed_ || parts_.is_overwritten(at.value)) row[1 + at.block] = 0;
    problem.add_candidate(c, needs, row);
  }

  const checkpoint_parts& parts_;
  std::uint32_t blocks_;
  bool relaxed_;
  table<std::uint32_t> class_of_, class_of_node_;  // by value or node, and block
  table<place> classes_;
};

}  // namespace wf::detail
