// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/choice_graph.hpp>

namespace wf {

namespace detail {

// Copies the kept part of a choice graph: a node as soon as all classes that it reads have a value.
class choice_compaction {
 public:
  constexpr explicit choice_compaction(const choice_graph& from)
      : from_(from),
        all_(from.view()),
        out_(all_, nothing{}),
        homes_(all_.values.size(), value_id::none),
        nodes_(all_.nodes.size(), node_id::none) {}

  constexpr choice_graph run() {
    const table<value_id> inputs = out_.copy_inputs(all_);
    for (std::uint32_t i = 0; i < all_.values.size(); ++i)
      if (all_.values[i].producer == node_id::none) settle(i, inputs[i]);
    while (copy_ready()) {
    }
    for (std::uint32_t i = 0; i < all_.values.size(); ++i)
      homes_[i] = homes_[from_.class_of(static_cast<value_id>(i))];
    out_.copy_goals(all_, homes_, nodes_);
    copy_derivations();
    out_.growth_ = from_.growth_;
    out_.changes_.clear();
    return static_cast<choice_graph&&>(out_);
  }

 private:
  // One pass over the nodes; true if one was copied.
  constexpr bool copy_ready() {
    bool any = false;
    for (std::uint32_t i = 0; i < all_.nodes.size(); ++i) {
      if (!is_ready(i)) continue;
      copy(i);
      any = true;
    }
    return any;
  }
  constexpr bool is_ready(std::uint32_t i) const {
    if (nodes_[i] != node_id::none || !from_.is_kept(static_cast<node_id>(i))) return false;
    for (value_id operand : all_.inputs_of(all_.nodes[i]))
      if (homes_[from_.class_of(operand)] == value_id::none) return false;
    return true;
  }
  constexpr void copy(std::uint32_t i) {
    const node& n = all_.nodes[i];
    const bool ordered = i < from_.ordered_.size() && from_.ordered_[i] != 0;
    const node_id made = out_.copy_node(all_, n, homes_, ordered);
    nodes_[i] = made;
    if (from_.is_misfit(static_cast<node_id>(i))) out_.note_misfit(made);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      settle(n.outputs.first + k, graph_view::output_of(out_.builder_.graph()[made], k));
  }
  // Puts the copy of a value into its class; the first value copied receives the properties and the
  // name of the class.
  constexpr void settle(std::uint32_t value, value_id copy) {
    const std::uint32_t home = from_.class_of(static_cast<value_id>(value));
    if (homes_[home] != value_id::none) return out_.unite(homes_[home], copy);
    homes_[home] = copy;
    out_.assume(copy, from_.known_of(static_cast<value_id>(value)));
    const node_id was = all_.values[home].producer;
    const node_id is = out_.builder_.graph()[copy].producer;
    if (was == node_id::none || is == node_id::none) return;
    if (all_[was].name.count != 0 && out_.builder_.graph()[is].name.count == 0)
      out_.builder_.graph().set_name(is, all_.text_of(all_[was].name));
  }
  // Copies the derivations of nodes, including steps at dropped nodes.
  constexpr void copy_derivations() {
    table<node_id> sites = nodes_;
    for (std::uint32_t i = 0; i < sites.size(); ++i)  // an earlier node stands for a merged one
      if (from_.is_merged(static_cast<node_id>(i)))
        sites[i] = sites[index_of(from_.fates_[i].equal)];
    out_.derivations_.copy(from_.derivations_, nodes_, sites);
  }

  const choice_graph& from_;
  graph_view all_;
  choice_graph out_;
  table<value_id> homes_;  // by class
  table<node_id> nodes_;
};

}  // namespace detail

/// Removes nodes that are not kept and renumbers the others; returns `c` itself if no node was
/// dropped or merged. Every class with needed values must have a kept candidate that does not
/// depend on itself. O(size), or O(size · depth) if first candidates are not kept.
constexpr choice_graph without_dropped(choice_graph c) {
  if (c.is_compact()) return c;
  return detail::choice_compaction(c).run();
}

}  // namespace wf
