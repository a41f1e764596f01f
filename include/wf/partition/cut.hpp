// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/text/hexadecimal.hpp>
#include <wf/ir/compare/digest.hpp>
#include <wf/partition/parts.hpp>

namespace wf {

/// A program for one class of machines.
struct partition {
  text name;       ///< of the workflow, the class and the digest of the program: "step_servers#0f…"
  text role;       ///< the class
  graph workflow;  ///< what its machines run
};

/// What a message carries.
enum class wire_transport : std::uint8_t {
  data,     ///< the value
  trigger,  ///< nothing: all readers only want to know that it came
};

/// A message from one program to another one, or to the same one on another machine.
struct wire_edge {
  std::uint32_t from = 0;                           ///< the sender, by partition
  std::uint32_t to = 0;                             ///< the receiver, by partition
  node_id send = node_id::none;                     ///< in the sender's program
  node_id receive = node_id::none;                  ///< in the receiver's program
  value_type type;                                  ///< of what is sent, in the sender's program
  wire_transport transport = wire_transport::data;  ///< as `analyse_edges` finds it
  /// As `analyse_edges` finds it: edges of a sender and a receiver that the same event fires have
  /// one batch. Without the analysis each edge has its own.
  std::uint32_t batch = 0;
};

/// A workflow as programs for classes of machines: one for each, or several that need nothing of
/// each other (`cut_options::split_disconnected`).
///
/// Invariants: every program is valid; their names are distinct; an edge's nodes carry its number
/// in the attribute `edge`, and no other nodes have that attribute; a sent value that nobody reads
/// has no edge.
struct partitioned_program {
  /// By class, the host's first; classes without work are left out. Those of one class are in the
  /// order of their first nodes.
  table<partition> partitions;
  table<wire_edge> edges;  ///< in the order of the workflow
};

/// How a workflow is cut.
struct cut_options {
  /// True: nodes of a class become a program of their own if no value and no order joins them to
  /// its others. Inputs join nothing, and each program has its own copy of nodes of no class.
  bool split_disconnected = false;
};

/// The classes that have programs, each once, in the order of the programs.
/// O(programs · classes).
constexpr table<text> classes_of(const partitioned_program& p) {
  table<text> out;
  for (const partition& part : p.partitions) {
    bool is_known = false;
    for (const text& role : out) is_known = is_known || role == part.role;
    if (!is_known) out.push_back(part.role);
  }
  return out;
}

namespace detail {

// How many programs of its class come before a program. O(programs).
constexpr std::uint32_t place_in_class(const partitioned_program& p, std::uint32_t program) {
  std::uint32_t place = 0;
  for (std::uint32_t i = 0; i < program; ++i)
    place += p.partitions[i].role == p.partitions[program].role ? 1 : 0;
  return place;
}

// Distinct names of programs, which follow their content.
class program_names {
 public:
  // A name of its own and the digest of the content: "M_servers#0f…". Equal programs of equal names
  // are numbered: "M#0f….2". Expected O(size of the program).
  constexpr text make(text_view base, const graph_view& g) {
    text name(base);
    name << '#';
    append_hexadecimal(name, digest(g).low, 16);
    const std::uint64_t hash = hash_text(name.view());
    const std::uint32_t known =
        index_.find(hash, [&](std::uint32_t i) { return used_[i].name == name; });
    if (known != hash_index::none) {
      name << '.' << ++used_[known].count;
      return name;
    }
    index_.insert(hash, static_cast<std::uint32_t>(used_.size()));
    used_.push_back({name, 1});
    return name;
  }
  // A name without its digest and number.
  static constexpr text_view base_of(text_view name) {
    std::size_t size = name.size();
    while (size > 0 && name[size - 1] != '#') --size;
    return size == 0 ? name : name.part(0, size - 1);
  }

 private:
  struct use {
    text name;
    std::uint32_t count = 0;
  };
  hash_index index_;
  table<use> used_;
};

// Cuts a wired program into programs for classes; see `cut`.
class program_cut {
 public:
  constexpr explicit program_cut(const wired_program& p)
      : wired_(p),
        g_(p.workflow.view()),
        programs_(g_.nodes.size(), none),
        programs_of_outputs_(g_.outputs.size(), none) {}

  constexpr result<partitioned_program> cut(view<node_id> order, const cut_options& options) {
    order_ = order;
    for (std::uint32_t c = 0; c < wired_.classes.size(); ++c)
      if (has_work(c)) add_class(c, options.split_disconnected);
    for (const wire_message& m : wired_.messages)
      out_.edges.push_back({programs_[index_of(m.send)],
                            programs_[index_of(m.receive)],
                            node_id::none,
                            node_id::none,
                            {},
                            wire_transport::data,
                            static_cast<std::uint32_t>(out_.edges.size())});
    for (std::uint32_t i = 0; i < classes_.size(); ++i)
      if (error e = copy_program(i); e.code != errc::none) return e;
    return static_cast<partitioned_program&&>(out_);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX, anywhere = placed_graph::anywhere, host = 0;

  constexpr bool has_work(std::uint32_t c) const {
    for (const std::uint32_t home : wired_.homes)
      if (home == c) return true;
    for (const output& o : g_.outputs)
      if (class_of(o.source) == c) return true;
    return false;
  }
  // The class whose machines have a value; the host's for values that every class has.
  constexpr std::uint32_t class_of(value_id id) const {
    const node_id from = g_[id].producer;
    if (from == node_id::none) return host;
    const std::uint32_t c = wired_.homes[index_of(from)];
    return c == anywhere ? host : c;
  }
  // Gives the nodes and outputs of a class to a program, or to one for each part. Outputs that are
  // inputs, or that every class has, are those of the first one.
  constexpr void add_class(std::uint32_t c, bool splits) {
    const auto first = static_cast<std::uint32_t>(classes_.size());
    for (std::uint32_t i = 0; i < programs_.size(); ++i)
      if (wired_.homes[i] == c) programs_[i] = first;
    for (std::uint32_t o = 0; o < g_.outputs.size(); ++o)
      if (class_of(g_.outputs[o].source) == c) programs_of_outputs_[o] = first;
    classes_.push_back(c);
    if (!splits) return;
    const class_parts parts(wired_, order_, needed_by(first), c);
    for (std::uint32_t i = 0; i < programs_.size(); ++i)
      if (wired_.homes[i] == c) programs_[i] += parts.of(static_cast<node_id>(i));
    for (std::uint32_t o = 0; o < g_.outputs.size(); ++o) {
      const node_id from = g_[g_.outputs[o].source].producer;
      if (programs_of_outputs_[o] == first && from != node_id::none &&
          parts.of(from) != class_parts::none)
        programs_of_outputs_[o] += parts.of(from);
    }
    for (std::uint32_t k = 1; k < parts.count(); ++k) classes_.push_back(c);
  }
  // True if the class of a program has others, which are beside it.
  constexpr bool is_part(std::uint32_t program) const {
    return (program > 0 && classes_[program - 1] == classes_[program]) ||
           (program + 1 < classes_.size() && classes_[program + 1] == classes_[program]);
  }

  constexpr error copy_program(std::uint32_t program) {
    out_.partitions.push_back({});
    partition& made = out_.partitions.back();
    const std::uint32_t c = classes_[program];
    made.role = wired_.classes[c];
    text name(g_.text_of(g_.name));
    if (c != host) name << '_' << made.role;
    const table<char> needed = needed_by(program);
    const text_view path = is_part(program) ? path_of(program) : text_view();
    if (!path.empty()) name << '_' << path;
    graph_builder into(name.view());
    const symbol_map symbols;
    graph_copier copier(g_, into, symbols, {}, duplicates::keep);
    for (std::uint32_t i = 0; i < g_.values.size(); ++i)
      if (g_.values[i].producer == node_id::none && needed[g_.nodes.size() + i] != 0)
        if (error e = copier.copy_input(static_cast<value_id>(i)); e.code != errc::none) return e;
    for (const node_id id : order_)
      if (needed[index_of(id)] != 0)
        if (error e = copier.copy(id); e.code != errc::none) return e;
    copier.copy_edges();
    for (std::uint32_t o = 0; o < g_.outputs.size(); ++o)
      if (programs_of_outputs_[o] == program)
        into.graph().add_output(g_.text_of(g_.outputs[o].name), copier.place(g_.outputs[o].source));
    note_messages(program, copier, into.graph());
    auto valid = validated(into.take());
    if (!valid) return valid.error();
    made.workflow = static_cast<graph&&>(*valid);
    made.name = names_.make(name.view(), made.workflow.view());
    return {};
  }
  constexpr void note_messages(std::uint32_t program, graph_copier& copier, const graph& made) {
    for (std::uint32_t k = 0; k < wired_.messages.size(); ++k) {
      const wire_message& m = wired_.messages[k];
      wire_edge& e = out_.edges[k];
      if (e.to == program) e.receive = copier.place(m.receive);
      if (e.from != program) continue;
      e.send = copier.place(m.send);
      e.type = made[copier.place(g_.inputs_of(g_[m.send])[0])].type;
    }
  }
  // The longest common prefix of the named nodes of a program; what receives has no name.
  constexpr text_view path_of(std::uint32_t program) const {
    text_view path;
    bool is_first = true;
    for (std::uint32_t i = 0; i < programs_.size(); ++i) {
      const text_view name = g_.text_of(g_.nodes[i].name);
      if (programs_[i] != program || name.empty()) continue;
      path = is_first ? name : common_path(path, name);
      is_first = false;
    }
    return path;
  }
  // What a program copies, by node: its nodes, and those of no class that it needs; and which
  // values it reads, by value after them.
  constexpr table<char> needed_by(std::uint32_t program) const {
    table<char> needed(g_.nodes.size() + g_.values.size());
    const auto values = g_.nodes.size();
    for (std::uint32_t o = 0; o < g_.outputs.size(); ++o)
      if (programs_of_outputs_[o] == program) needed[values + index_of(g_.outputs[o].source)] = 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t at = index_of(order_[i]);
      const node& n = g_.nodes[at];
      bool is_needed = programs_[at] == program;
      for (std::uint32_t k = 0; k < n.outputs.count && wired_.homes[at] == anywhere; ++k)
        is_needed = is_needed || needed[values + n.outputs.first + k] != 0;
      if (!is_needed) continue;
      needed[at] = 1;
      for (const value_id operand : g_.inputs_of(n)) needed[values + index_of(operand)] = 1;
    }
    return needed;
  }

  const wired_program& wired_;
  graph_view g_;
  view<node_id> order_;
  table<std::uint32_t> programs_;             // by node: the program that it is of, if of one class
  table<std::uint32_t> programs_of_outputs_;  // by output
  table<std::uint32_t> classes_;              // by program
  program_names names_;
  partitioned_program out_;
};

}  // namespace detail

/// Cuts a wired program into one for each class of machines: the nodes of the class, those of no
/// class whose results it reads, the inputs that it reads and the outputs that it has. Nothing
/// merges.
///
/// Where a class is split, the parts that need nothing of each other are programs of their own;
/// outputs that are inputs of the workflow, or results of nodes of no class, are those of the
/// host's first one. The name of a part has the longest common prefix of the names of its nodes as
/// well, by components between points: "step_servers_encoder.block#0f…"; nodes without a name do
/// not count. Equal parts of equal names have ".2", ".3", … behind the digest.
///
/// Errors: those of extents. O(programs · size of the graph).
constexpr result<partitioned_program> cut(const wired_program& p, const cut_options& options = {}) {
  const auto order = topological_order(p.workflow.view());
  if (!order) return order.error();
  return detail::program_cut(p).cut(*order, options);
}

}  // namespace wf
