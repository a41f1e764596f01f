// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/compare/same.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/registry/meanings.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

/// The class of the machine that calls a workflow.
inline constexpr text_view host_class = "@self";

/// The attribute of a message's nodes with its number.
inline constexpr text_view edge_attribute = "edge";

/// A workflow of which each node runs on a class of machines.
///
/// Invariants: the graph is valid; `homes` and `receivers` have an entry for each node, a class or
/// `anywhere`; every operand of a node is of its class, or of none, and so is every node that must
/// run before it.
struct placed_graph {
  /// No class of its own: a pure node that needs nothing of any machine runs wherever its results
  /// are read.
  static constexpr std::uint32_t anywhere = UINT32_MAX;

  graph workflow;                  ///< the workflow itself
  table<text> classes;             ///< names of the classes; the first is that of the host, "@self"
  table<std::uint32_t> homes;      ///< by node: the class that runs it
  table<std::uint32_t> receivers;  ///< by node: the class that it sends to, of a message's node
};

namespace detail {

// Infers classes; see `place`.
class class_inference {
 public:
  constexpr class_inference(const graph_view& g, const registry& kernels)
      : g_(g), meanings_(meanings_of(g, kernels)) {
    classes_.push_back(text(host_class));
    homes_ = table<std::uint32_t>(g.nodes.size(), anywhere);
    receivers_ = table<std::uint32_t>(g.nodes.size(), anywhere);
    places_ = table<std::uint32_t>(g.values.size(), anywhere);
    members_ = table<std::uint32_t>(g.values.size(), anywhere);
    for (const meaning m : meanings_) collects_ = collects_ || m == meaning::collection;
    if (!collects_) return;
    tracks_ = table<track>(g.values.size());
    for (std::uint32_t i = 0; i < g.values.size(); ++i) tracks_[i].list = static_cast<value_id>(i);
    forks_.push_back({});
  }

  constexpr error infer(view<node_id> order) {
    for (std::uint32_t i = 0; i < g_.values.size(); ++i) {
      const value& v = g_.values[i];
      if (v.producer != node_id::none) continue;
      // A machine knows its peers: they are no value of the host.
      if (v.type.type == dtype::peer)
        members_[i] = class_named(g_.text_of(v.name));
      else
        places_[i] = host;
    }
    for (const node_id id : order)
      if (error e = infer(id); e.code != errc::none) return e;
    for (const edge& e : g_.edges) {
      const std::uint32_t from = homes_[index_of(e.from)], to = homes_[index_of(e.to)];
      if (from != to && from != anywhere && to != anywhere)
        return crossing(e.to, to, from, "must run after an operation");
    }
    return {};
  }
  constexpr placed_graph take(graph workflow) {
    placed_graph out;
    out.workflow = static_cast<graph&&>(workflow);
    out.classes.swap(classes_);
    out.homes.swap(homes_);
    out.receivers.swap(receivers_);
    return out;
  }

 private:
  static constexpr std::uint32_t anywhere = placed_graph::anywhere, host = 0;
  // A list of several machines to which a value was sent, and the way before it.
  struct fork {
    value_id list = value_id::none;
    std::uint32_t before = 0;
    std::uint32_t length = 0;
  };
  struct track {
    std::uint32_t way = 0;           // the fork that the value passed last; 0: none
    std::uint32_t owner = 0;         // the fork whose machine has it; 0: one that is no part of any
    value_id list = value_id::none;  // itself, or the list that it restates
    std::uint32_t machine = 0;       // of a sender: the fork that it is a machine of, or 0
  };

  constexpr std::uint32_t class_named(text_view name) {
    for (std::uint32_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].view() == name) return c;
    classes_.push_back(text(name));
    return static_cast<std::uint32_t>(classes_.size() - 1);
  }
  constexpr error crossing(node_id id, std::uint32_t own, std::uint32_t other,
                           text_view what) const {
    return make_error(errc::cross_class, g_.label(id).view(),
                      text() << "it runs on '" << classes_[own] << "', but " << what << " of '"
                             << classes_[other] << "': only a message leads from one to the other");
  }

  constexpr error infer(node_id id) {
    const node& n = g_[id];
    const text_view stated = g_.text_of(n.peer);
    std::uint32_t home = stated.empty() ? anywhere : class_named(stated);
    for (const value_id operand : g_.inputs_of(n)) {
      const std::uint32_t from = places_[index_of(operand)];
      if (from == anywhere || from == home) continue;
      if (home != anywhere) return crossing(id, home, from, "reads a value");
      home = from;
    }
    if (home == anywhere && n.effects != effect::pure) home = host;
    homes_[index_of(id)] = home;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) places_[n.outputs.first + k] = home;
    const meaning m = meanings_[n.op];
    if (m == meaning::receiving || g_.find_attribute(n, edge_attribute) != nullptr)
      return malformed(g_.label(id).view(),
                       "a workflow has no node that receives and no number of a message: "
                       "cutting it makes them");
    if (collects_)
      if (error e = follow(id, m); e.code != errc::none) return e;
    if (m == meaning::sending) return infer_receiver(id);
    return infer_members(id, m);
  }
  // Which lists of several machines its results have gone to, and who has them. Only `collection`
  // leads back.
  constexpr error follow(node_id id, meaning m) {
    const node& n = g_[id];
    const view<value_id> operands = g_.inputs_of(n);
    track here;
    for (const value_id v : operands) {
      const track& t = tracks_[index_of(v)];
      if (forks_[t.way].length > forks_[here.way].length) here.way = t.way;
      if (t.owner != 0) here.owner = t.owner;
    }
    const bool restates = m == meaning::membership || m == meaning::permission;
    if (restates && !operands.empty()) {
      const track& of = tracks_[index_of(operands[operands.size() - 1])];
      here.list = of.list;
      here.machine = of.machine;
    }
    if ((m == meaning::sending || m == meaning::collection) && n.inputs.count == 2) {
      const shape& machines = g_[operands[1]].type.shape;
      const bool forks = machines.rank != 0 && machines[0] != extent(1);
      if (m == meaning::sending) return follow_message(n, here, forks);
      if (forks)
        if (error e = leave(id, here); e.code != errc::none) return e;
    }
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      track& made = tracks_[n.outputs.first + k];
      made = here;
      if (!restates) made.list = graph_view::output_of(n, k);
    }
    return {};
  }
  constexpr error follow_message(const node& n, const track& here, bool forks) {
    const track& to = tracks_[index_of(g_.inputs_of(n)[1])];
    track there = here;
    there.owner = to.machine;
    if (forks) {
      forks_.push_back({to.list, here.way, forks_[here.way].length + 1});
      there.way = there.owner = static_cast<std::uint32_t>(forks_.size() - 1);
    }
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      track& made = tracks_[n.outputs.first + k];
      made = k < 2 ? there : here;
      made.list = graph_view::output_of(n, k);
      made.machine = k == 1 ? here.owner : 0;
    }
    return {};
  }
  // The way of what is collected is that before the list.
  constexpr error leave(node_id id, track& here) const {
    const fork& last = forks_[here.way];
    const char* problem = nullptr;
    if (here.way == 0)
      problem = "what it collects was sent to no list of machines";
    else if (last.list != tracks_[index_of(g_.inputs_of(g_[id])[1])].list)
      problem = "what it collects was sent to another list of machines last";
    else if (here.owner == here.way)
      problem = "it runs on each machine of the list, and each has a value of its own alone";
    if (problem != nullptr)
      return make_error(errc::unmatched_collection, g_.label(id).view(), problem);
    here.way = last.before;
    return {};
  }
  // What is sent is a value of the receivers, and so is its sender; the number of the request stays
  // here.
  constexpr error infer_receiver(node_id id) {
    const node& n = g_[id];
    if (n.inputs.count != 2 || n.outputs.count != 3)
      return make_error(errc::shape_mismatch, g_.label(id).view(),
                        "a message takes a value and machines, and has three results");
    const value_type &sent = g_[g_.inputs_of(n)[0]].type,
                     &there = g_[graph_view::output_of(n)].type;
    if (!graph_comparison(g_, g_).same_but_properties(sent, there))
      return make_error(
          sent.type != there.type ? errc::dtype_mismatch : errc::shape_mismatch,
          g_.label(id).view(),
          text() << "it sends " << to_text(sent) << ", but its first result is " << to_text(there));
    const std::uint32_t to = members_[index_of(g_.inputs_of(n)[1])];
    if (to == anywhere)
      return make_error(errc::unresolved_class, g_.label(id).view(),
                        "the class of the machines that it sends to is not known");
    receivers_[index_of(id)] = to;
    places_[n.outputs.first] = places_[n.outputs.first + 1] = to;
    members_[n.outputs.first] = members_[index_of(g_.inputs_of(n)[0])];
    members_[n.outputs.first + 1] = homes_[index_of(id)];
    return {};
  }
  // Machines that a node returns are of the class of those that it takes; of an operator that knows
  // machines by itself, of its own class.
  constexpr error infer_members(node_id id, meaning m) {
    const node& n = g_[id];
    std::uint32_t members = anywhere;
    if (const attribute* a = g_.find_attribute(n, "class");
        a != nullptr && m == meaning::membership)
      members = class_named(g_.text_of(a->characters));
    else
      for (const value_id operand : g_.inputs_of(n)) {
        const std::uint32_t of = members_[index_of(operand)];
        if (of == anywhere || of == members) continue;
        if (members != anywhere)
          return make_error(errc::unresolved_class, g_.label(id).view(),
                            text() << "it mixes machines of '" << classes_[members] << "' and '"
                                   << classes_[of] << "'");
        members = of;
      }
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      if (g_.values[n.outputs.first + k].type.type == dtype::peer)
        members_[n.outputs.first + k] = members == anywhere ? homes_[index_of(id)] : members;
    return {};
  }

  const graph_view& g_;
  table<meaning> meanings_;  // by operation
  bool collects_ = false;    // whether some operator collects
  table<text> classes_;
  table<std::uint32_t> homes_;      // by node
  table<std::uint32_t> receivers_;  // by node
  table<std::uint32_t> places_;     // by value: the class that has it
  table<std::uint32_t> members_;    // by value: the class of the machines in it
  table<track> tracks_;             // by value, if some operator collects
  table<fork> forks_;               // the first one stands for none
};

}  // namespace detail

/// Finds the class of machines on which each node runs.
///
/// The class that a node states (`node::peer`) holds. Inputs of the workflow are values of the
/// host, whose class is "@self"; inputs with machines as elements are known to every machine, and
/// their machines form a class with the input's name. A node runs where its operands are; a message
/// (`meaning::sending`) leads to the class of the machines that it is sent to; its first result is
/// a value there, and so is its second one, a machine of the sender's class. Operators pass on the
/// class of machines that go through them, and `membership` states another one. A pure node without
/// operands of a class runs wherever its results are read; one with an effect on the host.
///
/// Errors: those of `validate`; `malformed_graph` for a node that receives, or that has the number
/// of a message, which only cutting makes; `shape_mismatch` for a message that does not have two
/// operands and three results; `dtype_mismatch` and `shape_mismatch` for one whose first result is
/// of another type than what it sends; `cross_class` for a node that would need values of two
/// classes, or must run after a node of another one; `unresolved_class` for a message to machines
/// of no class or of two; `unmatched_collection` for a node that collects from other machines than
/// those of the last list of several to which its operand was sent. O(nodes · operands + classes).
constexpr result<placed_graph> place(graph workflow, const registry& kernels) {
  auto valid = validated(static_cast<graph&&>(workflow));
  if (!valid) return valid.error();
  const graph_view g = valid->view();
  const auto order = topological_order(g);
  if (!order) return order.error();
  detail::class_inference inference(g, kernels);
  if (error e = inference.infer(*order); e.code != errc::none) return e;
  return inference.take(static_cast<graph&&>(*valid));
}
/// The same of a view.
constexpr result<placed_graph> place(const graph_view& workflow, const registry& kernels) {
  if (const auto valid = validate_references(workflow); !valid) return valid.error();
  return place(graph(workflow), kernels);
}

}  // namespace wf
