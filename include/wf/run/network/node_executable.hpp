// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include <wf/ir/graph/copy.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/plan/executable.hpp>

namespace wf {

/// A node as a workflow of its own. Its inputs are "x0", "x1", ..., its outputs the node's results
/// "y0", "y1", ....
struct lone_node {
  /// Where an input comes from: the number of the node's operand; if that is a view, the number of
  /// the view's operand, and so on.
  using path = std::vector<std::uint32_t>;

  graph workflow;            ///< the node, and the views that it reads
  std::vector<path> inputs;  ///< where "x0", "x1", ... come from
};

namespace detail {

class node_isolation {
 public:
  node_isolation(const graph_view& g, const registry* views)
      : g_(g), views_(views), alone_("node"), copier_(g, alone_, symbols_) {}

  result<lone_node> run(node_id id) {
    if (error e = add_operands(id); e.code != errc::none) return e;
    if (error e = copier_.copy(id); e.code != errc::none) return e;
    for (std::uint32_t k = 0; k < g_[id].outputs.count; ++k)
      alone_.graph().add_output((text() << "y" << k).view(),
                                copier_.place(graph_view::output_of(g_[id], k)));
    out_.workflow = alone_.take();
    return static_cast<lone_node&&>(out_);
  }

 private:
  bool is_view(value_id v) const {
    const node_id from = g_[v].producer;
    if (views_ == nullptr || from == node_id::none || g_[from].effects != effect::pure)
      return false;
    const kernel_spec* const k = views_->find(g_.op_name(g_[from]));
    return k != nullptr && k->is_view && g_[from].outputs.count == 1;
  }
  error add_operands(node_id id) {
    const view<value_id> operands = g_.inputs_of(g_[id]);
    for (std::uint32_t k = 0; k < operands.size(); ++k) {
      const value_id v = operands[k];
      if (copier_.place(v) != value_id::none) continue;
      path_.push_back(k);
      if (is_view(v)) {
        if (error e = add_operands(g_[v].producer); e.code != errc::none) return e;
        if (error e = copier_.copy(g_[v].producer); e.code != errc::none) return e;
      } else {
        copier_.place(v) =
            alone_.graph().add_input((text() << "x" << out_.inputs.size()).view(), g_[v].type);
        out_.inputs.push_back(path_);
      }
      path_.pop_back();
    }
    return {};
  }

  const graph_view& g_;
  const registry* views_;
  graph_builder alone_;
  symbol_map symbols_;
  graph_copier copier_;
  lone_node out_;
  lone_node::path path_;
};

}  // namespace detail

/// A node alone: its distinct operands, in their order, are the inputs. With a registry of `views`,
/// operands that are views (`kernel_spec::is_view`), such as a transpose, are computed again from
/// what they view, so that the executor sees them as such. Errors: those of `validate` and of
/// `graph_copier::copy`; `malformed_graph` for a node that does not exist. O(size of the graph).
inline result<lone_node> node_alone(const graph_view& g, node_id id,
                                    const registry* views = nullptr) {
  const auto valid = validated(g);
  if (!valid) return valid.error();
  if (index_of(id) >= valid->nodes.size())
    return detail::malformed(valid->text_of(valid->name), "the node does not exist");
  return detail::node_isolation(*valid, views).run(id);
}

/// `node_alone` without views in the executor. Errors: those of `node_alone` and of
/// `executable_graph::prepare`.
inline result<executable_graph> prepare_node(const graph_view& g, node_id id,
                                             const execution_options& options = {}) {
  const auto alone = node_alone(g, id);
  if (!alone) return alone.error();
  return executable_graph::prepare(alone->workflow.view(), options);
}

}  // namespace wf
