// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/select/checkpoint/problem.hpp>

namespace wf::detail {

/// Writes the workflow of a choice: the early part, then the late part, where each node that runs
/// again does so just before what reads it first in the block.
class checkpoint_writer {
 public:
  constexpr checkpoint_writer(const checkpoint_parts& parts, const checkpoint_problem& problem,
                              const selection& s)
      : parts_(parts),
        problem_(problem),
        selected_(s),
        graph_(parts.graph()),
        into_(graph_.text_of(graph_.name)),
        copier_(graph_, into_, symbols_, {}, duplicates::keep),
        done_(graph_.nodes.size()) {}
  checkpoint_writer(const checkpoint_writer&) = delete;
  checkpoint_writer& operator=(const checkpoint_writer&) = delete;

  constexpr result<graph> run() {
    if (error e = copier_.copy_inputs(); e.code != errc::none) return e;
    std::size_t late = 0;
    for (const node_id id : parts_.order()) {
      if (parts_.is_late(id)) {
        block_ = problem_.block_of(late++);
        for (value_id operand : graph_.inputs_of(graph_[id]))
          if (error e = need(operand); e.code != errc::none) return e;
      }
      if (error e = copier_.copy(id); e.code != errc::none) return e;
      last_ = copier_.place(id);
    }
    copier_.copy_edges();
    copier_.copy_outputs();
    return made_valid(into_.take());
  }
  /// Number of runs of nodes that ran before.
  constexpr std::uint32_t repeated() const { return repeated_; }

 private:
  constexpr error need(value_id id) {
    if (!parts_.may_end(id) || !problem_.runs_again(selected_, id, block_)) return {};
    const node_id made = graph_[id].producer;
    if (done_[index_of(made)] == block_ + 1) return {};
    done_[index_of(made)] = block_ + 1;
    const node& n = graph_[made];
    bool changes = parts_.rule().is_home(id);
    for (value_id operand : graph_.inputs_of(n)) {
      if (error e = need(operand); e.code != errc::none) return e;
      if (parts_.may_end(operand))
        changes = changes || problem_.runs_again(selected_, operand, block_);
    }
    if (!changes) return {};  // a view of what is there
    table<value_id> before;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      before.push_back(copier_.place(graph_view::output_of(n, k)));
    if (error e = copier_.copy(made); e.code != errc::none) return e;
    // Nodes that follow others over such an edge are not merged with those that do not.
    if (last_ != node_id::none)
      into_.graph().add_edge(edge_kind::control, last_, copier_.place(made));
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      if (const value_id out = graph_view::output_of(n, k);
          !parts_.may_end(out) || !problem_.runs_again(selected_, out, block_))
        copier_.place(out) = before[k];
    ++repeated_;
    return {};
  }

  const checkpoint_parts& parts_;
  const checkpoint_problem& problem_;
  const selection& selected_;
  graph_view graph_;
  graph_builder into_;
  symbol_map symbols_;
  graph_copier copier_;
  table<std::uint32_t> done_;  // by node: 1 + the block in which it ran again last
  node_id last_ = node_id::none;
  std::uint32_t block_ = 0, repeated_ = 0;
};

}  // namespace wf::detail
