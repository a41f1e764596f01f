// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/compare/same.hpp>
#include <wf/partition/cut.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

namespace detail {

// Rewrites the programs of the classes; see `rewrite_programs`.
class program_rewriting {
 public:
  constexpr program_rewriting(partitioned_program& p, const registry& kernels)
      : p_(p), kernels_(kernels) {
    for (wire_edge& e : p.edges) e.send = e.receive = node_id::none;
  }

  template <class Rewrite>
  constexpr error run(Rewrite& rewrite) {
    for (std::uint32_t i = 0; i < p_.partitions.size(); ++i)
      if (error e = rewrite_one(i, rewrite); e.code != errc::none) return e;
    for (std::uint32_t k = 0; k < p_.edges.size(); ++k)
      if (error e = check_ends(k); e.code != errc::none) return e;
    return {};
  }

 private:
  static constexpr error lost(const partition& part, const text& sentence) {
    return make_error(errc::lost_message, part.name.view(), sentence.view());
  }
  // A message is sent and received, and is received as what it is sent as.
  constexpr error check_ends(std::uint32_t k) const {
    const wire_edge& e = p_.edges[k];
    if (e.send == node_id::none)
      return lost(p_.partitions[e.from], text() << "the message " << k << " is sent no longer");
    if (e.receive == node_id::none)
      return lost(p_.partitions[e.to], text() << "the message " << k << " is received no longer");
    const graph_view from = p_.partitions[e.from].workflow.view(),
                     to = p_.partitions[e.to].workflow.view();
    const value_id received = graph_view::output_of(to[e.receive]);
    if (graph_comparison(from, to).same_but_properties(e.type, to[received].type)) return {};
    return lost(p_.partitions[e.to],
                text() << "the message " << k << " is received as another type than is sent");
  }

  template <class Rewrite>
  constexpr error rewrite_one(std::uint32_t i, Rewrite& rewrite) {
    partition& part = p_.partitions[i];
    result<graph> made = rewrite(static_cast<const partition&>(part));
    if (!made) return made.error();
    auto valid = validated(static_cast<graph&&>(*made));
    if (!valid) return valid.error();
    const graph_view before = part.workflow.view(), after = valid->view();
    if (error e = compare_outputs(part, before, after); e.code != errc::none) return e;
    if (error e = compare_inputs(part, before, after); e.code != errc::none) return e;
    const std::size_t unread = unread_messages(before);
    for (std::uint32_t n = 0; n < after.nodes.size(); ++n)
      if (error e = find_message(i, after, static_cast<node_id>(n)); e.code != errc::none) return e;
    if (unread_messages(after) != unread)
      return lost(part, text("other messages that nobody reads are sent"));
    part.workflow = static_cast<graph&&>(*valid);
    const text base(program_names::base_of(part.name.view()));
    part.name = names_.make(base.view(), part.workflow.view());
    return {};
  }
  static constexpr error compare_outputs(const partition& part, const graph_view& before,
                                         const graph_view& after) {
    const graph_comparison types(before, after);  // a rewriting may learn or lose properties
    bool same = before.outputs.size() == after.outputs.size();
    for (std::size_t k = 0; same && k < before.outputs.size(); ++k) {
      const value_type &a = before[before.outputs[k].source].type,
                       &b = after[after.outputs[k].source].type;
      same = before.text_of(before.outputs[k].name) == after.text_of(after.outputs[k].name) &&
             types.same_but_properties(a, b);
    }
    return same ? error() : lost(part, text("it has other outputs than before"));
  }
  // What is not read may go.
  static constexpr error compare_inputs(const partition& part, const graph_view& before,
                                        const graph_view& after) {
    const graph_comparison types(before, after);
    for (const value& v : after.values) {
      if (v.producer != node_id::none) continue;
      bool is_known = false;
      for (const value& w : before.values)
        is_known = is_known || (w.producer == node_id::none &&
                                before.text_of(w.name) == after.text_of(v.name) &&
                                types.same_but_properties(w.type, v.type));
      if (!is_known)
        return lost(part, text() << "it has a new input '" << after.text_of(v.name) << '\'');
    }
    return {};
  }
  constexpr std::size_t unread_messages(const graph_view& g) const {
    std::size_t count = 0;
    for (const node& n : g.nodes)
      count += kernels_.meaning_of(g.op_name(n)) == meaning::sending &&
                       g.find_attribute(n, edge_attribute) == nullptr
                   ? 1
                   : 0;
    return count;
  }
  constexpr error find_message(std::uint32_t i, const graph_view& g, node_id id) {
    const partition& part = p_.partitions[i];
    const text_view stated = g.text_of(g[id].peer);
    if (!stated.empty() && stated != part.role.view())
      return make_error(errc::cross_class, g.label(id).view(),
                        text() << "it states the class '" << stated << "' in a program of '"
                               << part.role << '\'');
    const attribute* const number = g.find_attribute(g[id], edge_attribute);
    const meaning m = kernels_.meaning_of(g.op_name(g[id]));
    if (number == nullptr) {
      if (m != meaning::receiving) return {};
      return lost(part, text() << g.label(id) << " receives no message");
    }
    const auto k = static_cast<std::size_t>(number->number);
    const bool sends = m == meaning::sending, receives = m == meaning::receiving;
    if (k >= p_.edges.size() || (sends ? p_.edges[k].from : p_.edges[k].to) != i ||
        !(sends || receives))
      return lost(part, text() << g.label(id) << " is an end of a message of another program");
    node_id& end = sends ? p_.edges[k].send : p_.edges[k].receive;
    if (end != node_id::none) return lost(part, text() << "the message " << k << " is there twice");
    end = id;
    if (sends) p_.edges[k].type = g[g.inputs_of(g[id])[0]].type;
    return {};
  }

  partitioned_program& p_;
  const registry& kernels_;
  program_names names_;
};

}  // namespace detail

/// Rewrites the program of each class by itself: `rewrite(const partition&)` returns a `graph`, or
/// an error that is passed on. So each program is optimised like any workflow: messages and gates
/// have effects, and stay. A program must keep its messages, its outputs and the class of its
/// nodes; inputs that it no longer reads may go. Names of programs follow their content.
///
/// Errors: those of `rewrite` and of `validate`; `lost_message`, naming the program, if it lost,
/// doubled or made a message, an output or an input, or retyped one; `cross_class` for a node that
/// states another class. O(size of the programs), beyond `rewrite`.
template <class Rewrite>
constexpr result<partitioned_program> rewrite_programs(partitioned_program p,
                                                       const registry& kernels, Rewrite&& rewrite) {
  if (error e = detail::program_rewriting(p, kernels).run(rewrite); e.code != errc::none) return e;
  return p;
}

}  // namespace wf
