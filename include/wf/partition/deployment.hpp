// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/complete.hpp>
#include <wf/partition/slots.hpp>

namespace wf {

/// What a machine of a class runs when it starts, before any message: to initialise parameters, to
/// announce itself.
struct bootstrap {
  text name;          ///< unique
  text role;          ///< the class of machines that runs it
  graph workflow;     ///< what it computes; without messages
  table<text> needs;  ///< bootstraps of any class that must be known, and of its class come before
};

/// One line of a passport: what a program was made of.
struct passport_entry {
  text key;    ///< such as "binding.aggregator.3"
  text value;  ///< such as "mean"
};

/// Everything that machines need to run a workflow together.
struct deployment {
  guarded_program program;         ///< the programs, their edges and their gates
  table<bootstrap> bootstraps;     ///< in an order in which they can run
  table<slot_binding> bindings;    ///< what is bound to slots
  table<passport_entry> passport;  ///< what it was made of
  digest128 identity;              ///< of all programs, edges, bootstraps and bindings

  /// The programs and their edges.
  constexpr const partitioned_program& parts() const { return program.parts(); }
};

namespace detail {

// Orders bootstraps so that each is behind those that it needs; depth first with three colours.
class bootstrap_order {
 public:
  constexpr explicit bootstrap_order(const table<bootstrap>& all)
      : all_(all), colours_(all.size()) {}

  constexpr error run() {
    for (std::uint32_t i = 0; i < all_.size(); ++i)
      for (std::uint32_t j = 0; j < i; ++j)
        if (all_[i].name == all_[j].name)
          return make_error(errc::duplicate_name, all_[i].name.view(),
                            "two bootstraps have this name");
    for (std::uint32_t i = 0; i < all_.size(); ++i)
      if (error e = visit(i); e.code != errc::none) return e;
    return {};
  }
  constexpr const table<std::uint32_t>& order() const { return order_; }

 private:
  enum colour : char { white, grey, black };

  constexpr error visit(std::uint32_t i) {
    if (colours_[i] == black) return {};
    path_.push_back(i);
    if (colours_[i] == grey) return cycle();
    colours_[i] = grey;
    for (const text& wanted : all_[i].needs) {
      std::uint32_t j = 0;
      while (j < all_.size() && !(all_[j].name == wanted)) ++j;
      if (j == all_.size())
        return make_error(errc::bootstrap_gap, all_[i].name.view(),
                          text() << "it needs '" << wanted << "', which does not exist");
      if (error e = visit(j); e.code != errc::none) return e;
    }
    path_.pop_back();
    colours_[i] = black;
    order_.push_back(i);
    return {};
  }
  // The path ends with the bootstrap at which it closes.
  constexpr error cycle() const {
    std::size_t first = 0;
    while (path_[first] != path_.back()) ++first;
    text sentence("bootstraps need each other: ");
    for (std::size_t k = first; k < path_.size(); ++k)
      sentence << (k == first ? "" : " -> ") << all_[path_[k]].name;
    return make_error(errc::bootstrap_cycle, all_[path_.back()].name.view(), sentence.view());
  }

  const table<bootstrap>& all_;
  table<char> colours_;
  table<std::uint32_t> path_;
  table<std::uint32_t> order_;
};

constexpr error check_bootstrap(const bootstrap& b, const partitioned_program& p,
                                const registry& kernels) {
  bool is_known = false;
  for (const partition& part : p.partitions) is_known = is_known || part.role == b.role;
  if (!is_known)
    return make_error(errc::unresolved_class, b.name.view(),
                      text() << "no program is for machines of its class '" << b.role << "'");
  if (const auto valid = validated(b.workflow.view()); !valid) return valid.error();
  const graph_view g = b.workflow.view();
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const meaning m = kernels.meaning_of(g.op_name(g.nodes[i]));
    if (m == meaning::sending || m == meaning::receiving)
      return make_error(errc::unguarded_message, g.label(static_cast<node_id>(i)).view(),
                        text() << "the bootstrap '" << b.name << "' has a message");
  }
  return {};
}

// The key of a program in a passport.
constexpr text passport_key(const partitioned_program& p, std::uint32_t program) {
  const std::uint32_t number = place_in_class(p, program) + 1;
  text key("program.");
  key << p.partitions[program].role;
  if (number > 1) key << '.' << number;
  return key;
}

// The slot of the node that reads a received value first behind its gates, or null.
constexpr const attribute* slot_behind(const graph_view& g, node_id receive,
                                       const registry& kernels) {
  const gate_chains chains(g, kernels);
  const table<node_id> chain = chains.behind(g, receive);
  const value_id head = graph_view::output_of(g[chain.empty() ? receive : chain[chain.size() - 1]]);
  for (const node& n : g.nodes)
    for (const value_id v : g.inputs_of(n))
      if (v == head)
        if (const attribute* a = g.find_attribute(n, slot_attribute); a != nullptr) return a;
  return nullptr;
}

}  // namespace detail

/// The deployment of a program: orders the bootstraps, and writes the passport. Its entries are
/// `compiled`, the version of the form; `program.<class>`, the name of each program, with ".2",
/// ".3", … behind it for the others of a class that has several;
/// `binding.<role>.<slot>`, the operator; and `receive.<edge>`, the slot that reads the message.
///
/// Errors: `duplicate_name`, `bootstrap_gap` and `bootstrap_cycle` for bootstraps; for one of them
/// `unresolved_class` without a program of its class, `unguarded_message` if it sends or receives,
/// and those of `validate`. O(size of the programs · edges + bootstraps²).
constexpr result<deployment> deploy(guarded_program program, const table<bootstrap>& bootstraps,
                                    const table<slot_binding>& bindings, const registry& kernels) {
  deployment out;
  detail::bootstrap_order order(bootstraps);
  if (error e = order.run(); e.code != errc::none) return e;
  const partitioned_program& p = program.parts();
  hasher128 identity('d');
  const auto note = [&](text key, text_view value) {
    identity.characters(key.view()).characters(value);
    out.passport.push_back({static_cast<text&&>(key), text(value)});
  };
  note(text("compiled"), "v1");
  for (std::uint32_t i = 0; i < p.partitions.size(); ++i)
    note(detail::passport_key(p, i), p.partitions[i].name.view());
  for (const slot_binding& b : bindings)
    note(text("binding.") << b.role << '.' << b.slot, b.kernel.view());
  for (std::uint32_t k = 0; k < p.edges.size(); ++k) {
    const wire_edge& e = p.edges[k];
    identity.word(e.from).word(e.to).word(static_cast<std::uint64_t>(e.transport)).word(e.batch);
    const attribute* const slot =
        detail::slot_behind(p.partitions[e.to].workflow.view(), e.receive, kernels);
    if (slot != nullptr) note(text("receive.") << k, (text() << slot->number).view());
  }
  for (const partition& part : p.partitions) {
    const digest128 d = digest(part.workflow.view());
    identity.word(d.high).word(d.low);
  }
  for (const std::uint32_t i : order.order()) {
    const bootstrap& b = bootstraps[i];
    if (error e = detail::check_bootstrap(b, p, kernels); e.code != errc::none) return e;
    const digest128 d = digest(b.workflow.view());
    identity.characters(b.name.view()).characters(b.role.view()).word(d.high).word(d.low);
    out.bootstraps.push_back(b);
  }
  out.bindings = bindings;
  out.identity = identity.value();
  out.program = static_cast<guarded_program&&>(program);
  return out;
}

}  // namespace wf
