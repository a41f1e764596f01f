// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/price.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/partition/place.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/domain/wire.hpp>
#include <wf/registry/times/host_link.hpp>
#include <wf/select/select.hpp>

namespace wf {

/// A class of machines on which nodes may run; one machine stands for it here.
struct machine_class {
  text name;                       ///< "@self" for the host's
  std::int64_t cost_per_unit = 1;  ///< of a node: for each unit of the metric, at least 0
  std::int64_t memory = -1;        ///< bytes for all results and what is received; -1: no limit
  table<text> operators;           ///< what it can run; empty: everything
};

/// A link from one class to another one; without a link no message can be sent.
struct machine_link {
  text from;                     ///< class of the sender
  text to;                       ///< class of the receiver
  std::int64_t per_message = 0;  ///< cost of a message, at least 0
  std::int64_t per_byte = 0;     ///< cost of each of its bytes, at least 0
};

/// A measured link between two classes in picoseconds, for a park whose metric is `execution_time`
/// and whose classes cost 1,000 for each nanosecond; a byte costs at least one.
constexpr machine_link in_picoseconds(text_view from, text_view to, const host_link& l) {
  constexpr std::int64_t second = 1'000'000'000'000;
  return {text(from), text(to), 1000 * l.latency_ns,
          l.bytes_per_second == 0 ? 0 : detail::ceil_div(second, l.bytes_per_second)};
}

/// Where nodes may run, and what that costs. All costs are of one unit, such as picoseconds.
struct machine_park {
  table<machine_class> classes;  ///< one of them the host's
  table<machine_link> links;     ///< between them
  /// What nodes cost is the price in this metric times the class's cost for each unit.
  metric_spec metric = flops;
  /// The outputs of the workflow must be on the host.
  bool outputs_on_host = true;
};

/// A workflow whose nodes have classes, chosen so that the cost is minimal.
struct class_assignment {
  graph workflow;                ///< with the class of each node stated, and with messages
  table<std::uint32_t> classes;  ///< by node of the given workflow: index of the class, or `none`
  std::int64_t cost = 0;         ///< of all nodes and messages
  std::int64_t bound = 0;        ///< the proven lower bound on the cost of every assignment
  search_status status = search_status::proven;  ///< `proven`: the cost is minimal
  selection_problem problem;  ///< what was solved: a class of candidates for each node
  selection_result choice;    ///< its solution, with the reason of each rejected candidate
  /// Which node (of the given workflow) and class each candidate stands for; `node_id::none` for
  /// the copy of a value on a class.
  struct candidate {
    node_id node = node_id::none;  ///< of the given workflow
    std::uint32_t machines = 0;    ///< index of the class
  };
  table<candidate> candidates;  ///< by candidate of the problem

  /// The class of a node that needs none: it runs wherever its results are read.
  static constexpr std::uint32_t none = UINT32_MAX;
};

namespace detail {

// Chooses the classes of nodes; see `assign_classes`.
class class_chooser {
 public:
  constexpr class_chooser(const graph_view& g, const machine_park& park, const registry& kernels)
      : g_(g), park_(park), kernels_(kernels), prices_(g, park.metric, kernels) {}

  constexpr error state(view<node_id> order) {
    order_ = order;
    if (error e = check_park(); e.code != errc::none) return e;
    if (!g_.is_static())
      return make_error(errc::workflow_not_static, g_.text_of(g_.name),
                        "its shapes are symbolic: bind the symbols first");
    find_fixed();
    add_metrics();
    numbers_ = table<std::uint32_t>(g_.nodes.size(), none);
    first_ = table<std::uint32_t>(g_.nodes.size() * classes(), no_candidate);
    copies_ = table<std::uint32_t>(g_.values.size() * classes(), none);
    for (const node_id id : order_)
      if (!floats_freely_[index_of(id)]) numbers_[index_of(id)] = out_.problem.add_class();
    // Which copies of values are needed is known before candidates refer to them.
    for (const node_id id : order_)
      if (!floats_freely_[index_of(id)])
        for (std::uint32_t c = 0; c < classes(); ++c)
          if (allows(id, c))
            for (const value_id v : g_.inputs_of(g_[id])) need_copy(v, c);
    if (park_.outputs_on_host)
      for (const output& o : g_.outputs) need_copy(o.source, host_);
    for (const node_id id : order_)
      if (!floats_freely_[index_of(id)])
        if (error e = add_node(id); e.code != errc::none) return e;
    if (error e = add_copies(); e.code != errc::none) return e;
    for (const edge& e : g_.edges) keep_together(e);
    if (park_.outputs_on_host)
      for (const output& o : g_.outputs)
        if (const std::uint32_t k = copies_[copy_place(o.source, host_)]; k != none)
          out_.problem.add_root(k);
    out_.problem.objective = minimise_metric(0);
    return {};
  }
  constexpr bool is_trivial() const { return out_.problem.classes == 0; }
  constexpr class_assignment& out() { return out_; }

  // Reads the solution, and writes the workflow with its messages.
  constexpr error finish(selection_result solved) {
    out_.choice = static_cast<selection_result&&>(solved);
    out_.status = out_.choice.status;
    if (!is_trivial()) {
      out_.cost = out_.choice.objective[0];
      out_.bound = out_.choice.bound[0];
    }
    out_.classes = table<std::uint32_t>(g_.nodes.size(), none);
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      if (numbers_[i] != none)
        out_.classes[i] = out_.candidates[out_.choice.best.chosen[numbers_[i]]].machines;
    return write();
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  constexpr std::uint32_t classes() const {
    return static_cast<std::uint32_t>(park_.classes.size());
  }
  constexpr std::uint32_t class_named(text_view name) const {
    for (std::uint32_t c = 0; c < classes(); ++c)
      if (park_.classes[c].name.view() == name) return c;
    return none;
  }
  constexpr std::size_t copy_place(value_id v, std::uint32_t c) const {
    return index_of(v) * std::size_t{classes()} + c;
  }
  constexpr const machine_link* link(std::uint32_t from, std::uint32_t to) const {
    for (const machine_link& l : park_.links)
      if (l.from == park_.classes[from].name && l.to == park_.classes[to].name) return &l;
    return nullptr;
  }

  constexpr error check_park() {
    host_ = class_named(host_class);
    const auto refuse = [](text_view subject, text_view sentence) {
      return make_error(errc::unresolved_class, subject, sentence);
    };
    if (host_ == none) return refuse(host_class, "the host's class is not among the machines");
    for (std::uint32_t c = 0; c < classes(); ++c) {
      const machine_class& m = park_.classes[c];
      if (class_named(m.name.view()) != c)
        return refuse(m.name.view(), "two classes are called so");
      if (m.cost_per_unit < 0) return refuse(m.name.view(), "a cost is negative");
    }
    for (const machine_link& l : park_.links) {
      if (class_named(l.from.view()) == none) return refuse(l.from.view(), "no class is called so");
      if (class_named(l.to.view()) == none) return refuse(l.to.view(), "no class is called so");
      if (l.per_message < 0 || l.per_byte < 0) return refuse(l.from.view(), "a cost is negative");
    }
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) {
      const node& n = g_.nodes[i];
      const text_view peer = g_.text_of(n.peer);
      if (!peer.empty() && class_named(peer) == none)
        return refuse(g_.label(static_cast<node_id>(i)).view(),
                      text() << "its class '" << peer << "' is not among the machines");
      if (kernels_.meaning_of(g_.op_name(n)) == meaning::sending)
        return refuse(g_.label(static_cast<node_id>(i)).view(),
                      "it sends: classes are assigned to a workflow without messages");
    }
    return {};
  }
  // Nodes that depend on no input, state no class and have no effect run wherever they are read.
  constexpr void find_fixed() {
    floats_freely_ = table<char>(g_.nodes.size());
    for (const node_id id : order_) {
      const node& n = g_[id];
      bool is_free = n.effects == effect::pure && n.peer.count == 0;
      for (const value_id v : g_.inputs_of(n)) {
        const node_id from = g_[v].producer;
        is_free = is_free && (from == node_id::none ? g_[v].type.type == dtype::peer
                                                    : floats_freely_[index_of(from)] != 0);
      }
      floats_freely_[index_of(id)] = is_free ? 1 : 0;
    }
  }
  constexpr void add_metrics() {
    out_.problem.add_metric("cost");
    memory_ = table<std::uint32_t>(classes(), no_metric);
    for (std::uint32_t c = 0; c < classes(); ++c) {
      if (park_.classes[c].memory < 0) continue;
      memory_[c] = out_.problem.add_metric((text("memory of ") << park_.classes[c].name).view());
      out_.problem.add_limit(memory_[c], park_.classes[c].memory);
    }
  }
  constexpr bool allows(node_id id, std::uint32_t c) const {
    const node& n = g_[id];
    const text_view peer = g_.text_of(n.peer);
    if (!peer.empty()) return park_.classes[c].name.view() == peer;
    if (n.effects != effect::pure) return c == host_;
    const table<text>& known = park_.classes[c].operators;
    for (const text& op : known)
      if (op.view() == g_.op_name(n)) return true;
    return known.empty();
  }
  // A value that some node needs on a class, unless every class has it.
  constexpr void need_copy(value_id v, std::uint32_t c) {
    const node_id from = g_[v].producer;
    if (from == node_id::none ? g_[v].type.type == dtype::peer || c == host_
                              : floats_freely_[index_of(from)] != 0)
      return;
    std::uint32_t& k = copies_[copy_place(v, c)];
    if (k == none) k = out_.problem.add_class();
  }
  constexpr table<std::int64_t> row(std::int64_t cost) const {
    table<std::int64_t> out(out_.problem.metrics.size());
    out[0] = cost;
    return out;
  }
  // -1 if it does not fit 63 bits.
  constexpr std::int64_t bytes_of(value_id v) const {
    std::int64_t bytes = 0;
    const value_type& t = g_[v].type;
    const std::int64_t elements = t.shape.elements();
    return elements >= 0 && checked_multiply(elements, size_of(t.type), bytes) ? bytes : -1;
  }
  constexpr error overflow(node_id id) const {
    return make_error(errc::overflow, g_.label(id).view(), "its cost does not fit 64 bits");
  }

  constexpr error add_node(node_id id) {
    const node& n = g_[id];
    const auto price = prices_.price(id);
    if (!price) return price.error();
    const auto units = to_int64(*price);
    if (!units) return units.error();
    std::int64_t bytes = 0;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const std::int64_t of_one = bytes_of(graph_view::output_of(n, k));
      if (of_one < 0 || !checked_add(bytes, of_one, bytes)) return overflow(id);
    }
    bool is_possible = false;
    for (std::uint32_t c = 0; c < classes(); ++c) {
      if (!allows(id, c)) continue;
      is_possible = true;
      std::int64_t cost = 0;
      if (!checked_multiply(*units, park_.classes[c].cost_per_unit, cost)) return overflow(id);
      table<std::int64_t> costs = row(cost);
      if (memory_[c] != no_metric) costs[memory_[c]] = bytes;
      table<std::uint32_t> needs;
      for (const value_id v : g_.inputs_of(n))
        if (const std::uint32_t k = copies_[copy_place(v, c)]; k != none) needs.push_back(k);
      first_[index_of(id) * std::size_t{classes()} + c] =
          out_.problem.add_candidate(numbers_[index_of(id)], needs, costs);
      out_.candidates.push_back({id, c});
    }
    if (!is_possible)
      return make_error(errc::unresolved_class, g_.label(id).view(),
                        "no class of machines has its operator");
    out_.problem.add_root(numbers_[index_of(id)]);
    return {};
  }
  // A copy of a value on a class costs nothing where it is computed, and a message elsewhere.
  constexpr error add_copies() {
    for (std::uint32_t i = 0; i < g_.values.size(); ++i)
      for (std::uint32_t c = 0; c < classes(); ++c) {
        const auto v = static_cast<value_id>(i);
        const std::uint32_t k = copies_[copy_place(v, c)];
        if (k == none) continue;
        const node_id from = g_[v].producer;
        if (from == node_id::none) {
          if (error e = add_input_copy(v, c, k); e.code != errc::none) return e;
          continue;
        }
        const std::uint32_t copy = out_.problem.add_candidate(k, {}, row(0));
        out_.candidates.push_back({node_id::none, c});
        for (std::uint32_t h = 0; h < classes(); ++h) {
          const std::uint32_t home = first_[index_of(from) * std::size_t{classes()} + h];
          if (home == no_candidate || h == c) continue;
          auto costs = message(v, h, c);
          if (!costs) return costs.error();
          if (costs->empty())
            out_.problem.exclude_pair(home, copy);
          else
            out_.problem.add_pair(home, copy, *costs);
        }
      }
    return {};
  }
  constexpr error add_input_copy(value_id v, std::uint32_t c, std::uint32_t k) {
    auto costs = message(v, host_, c);
    if (!costs) return costs.error();
    if (costs->empty()) return {};  // a class without a candidate: nothing that needs it can run
    out_.problem.add_candidate(k, {}, *costs);
    out_.candidates.push_back({node_id::none, c});
    return {};
  }
  // The costs of a message; empty without a link.
  constexpr result<table<std::int64_t>> message(value_id v, std::uint32_t from,
                                                std::uint32_t to) const {
    const machine_link* const l = link(from, to);
    if (l == nullptr) return table<std::int64_t>();
    const std::int64_t bytes = bytes_of(v);
    std::int64_t cost = 0;
    if (bytes < 0 || !checked_multiply(bytes, l->per_byte, cost) ||
        !checked_add(cost, l->per_message, cost))
      return make_error(errc::overflow, g_.text_of(g_[v].name),
                        "a message's cost does not fit 64 bits");
    table<std::int64_t> costs = row(cost);
    if (memory_[to] != no_metric) costs[memory_[to]] = bytes;
    return costs;
  }
  // A node that must run after another one is of its class: no message orders them.
  constexpr void keep_together(const edge& e) {
    for (std::uint32_t a = 0; a < classes(); ++a)
      for (std::uint32_t b = 0; b < classes(); ++b) {
        const std::uint32_t first = first_[index_of(e.from) * std::size_t{classes()} + a],
                            second = first_[index_of(e.to) * std::size_t{classes()} + b];
        if (a != b && e.from != e.to && first != no_candidate && second != no_candidate)
          out_.problem.exclude_pair(first, second);
      }
  }

  // --- the workflow ---

  constexpr error write() {
    graph_builder into(g_.text_of(g_.name));
    const symbol_map symbols;
    graph_copier copier(g_, into, symbols, {}, duplicates::keep);
    if (error e = copier.copy_inputs(); e.code != errc::none) return e;
    machines_ = table<value_id>(classes(), value_id::none);
    placed_ = table<value_id>(copies_.size(), value_id::none);
    for (const node_id id : order_) {
      const std::uint32_t c = out_.classes[index_of(id)];
      table<value_id> kept;
      for (const value_id v : g_.inputs_of(g_[id])) {
        kept.push_back(copier.place(v));
        if (c != none) copier.place(v) = on_class(v, c, copier, into);
      }
      if (c != none) copier.set_peer(park_.classes[c].name.view());
      const error e = copier.copy(id);
      copier.set_peer({});
      if (e.code != errc::none) return e;
      // From the last to the first, since an operand may come twice.
      for (std::size_t k = kept.size(); k-- > 0;) copier.place(g_.inputs_of(g_[id])[k]) = kept[k];
    }
    copier.copy_edges();
    for (const output& o : g_.outputs)
      into.graph().add_output(g_.text_of(o.name), park_.outputs_on_host
                                                      ? on_class(o.source, host_, copier, into)
                                                      : copier.place(o.source));
    auto made = validated(into.take());
    if (!made) return made.error();
    out_.workflow = static_cast<graph&&>(*made);
    return {};
  }
  // A value as a class has it; a message is made when it first needs one.
  constexpr value_id on_class(value_id v, std::uint32_t c, graph_copier& copier,
                              graph_builder& into) {
    const node_id from = g_[v].producer;
    if (copies_[copy_place(v, c)] == none) return copier.place(v);
    const std::uint32_t home = from == node_id::none ? host_ : out_.classes[index_of(from)];
    if (home == c) return copier.place(v);
    value_id& made = placed_[copy_place(v, c)];
    if (made != value_id::none) return made;
    const value_id operands[] = {copier.place(v), machines_of(c, into)};
    const value_type results[] = {
        into.graph()[operands[0]].type, {dtype::peer, {}, {}}, {dtype::u64, {}, {}}};
    const node_id send = into.append_node({.op = kernels::send.name,
                                           .domain = kernels::send.domain,
                                           .effects = kernels::send.effects,
                                           .peer = park_.classes[home].name.view()},
                                          {operands, 2}, {results, 3});
    return made = graph_view::output_of(into.graph()[send]);
  }
  // The list of the machines of a class: an input with its name, if there is none yet; that of the
  // host is an input "host".
  constexpr value_id machines_of(std::uint32_t c, graph_builder& into) {
    value_id& list = machines_[c];
    if (list != value_id::none) return list;
    const text_view name = c == host_ ? text_view("host") : park_.classes[c].name.view();
    const graph_view g = into.graph().view();
    for (std::uint32_t i = 0; i < g.values.size() && list == value_id::none; ++i)
      if (g.values[i].producer == node_id::none && g.text_of(g.values[i].name) == name &&
          g.values[i].type.type == dtype::peer)
        list = static_cast<value_id>(i);
    const value_type one{dtype::peer, {}, shape::of(1)};
    if (list == value_id::none) list = into.graph().add_input(name, one);
    if (c != host_) return list;
    const attribute_value host = attribute_value::string("class", host_class);
    const value_type type = into.graph()[list].type;
    const node_id member = into.append_node({.op = kernels::as_class.name,
                                             .domain = kernels::as_class.domain,
                                             .attributes = {&host, 1}},
                                            {&list, 1}, {&type, 1});
    return list = graph_view::output_of(into.graph()[member]);
  }

  const graph_view& g_;
  const machine_park& park_;
  const registry& kernels_;
  pricer<rational> prices_;
  view<node_id> order_;
  std::uint32_t host_ = none;
  table<char> floats_freely_;     // by node
  table<std::uint32_t> memory_;   // by class: the metric of its memory
  table<std::uint32_t> numbers_;  // by node: its class of candidates
  table<std::uint32_t> first_;    // by node and class: the candidate
  table<std::uint32_t> copies_;   // by value and class: the class of the copy's candidate
  table<value_id> machines_;      // by class: the list in the new workflow
  table<value_id> placed_;        // by value and class, in the new workflow
  class_assignment out_;
};

}  // namespace detail

/// Chooses the class of machines of every node that states none, so that the cost is minimal, and
/// puts messages where values cross: a node costs what its class takes for it, a value that is
/// needed on another class one message, however many nodes there read it. A node with an effect and
/// without a class is of the host; what depends on no input runs wherever it is read, for nothing.
/// The choice is a selection with pair costs (`select`), so that its status says whether it is
/// proven, and the result keeps the reason of each alternative.
///
/// A class's limit of memory is on the bytes of all that it computes and receives, without reuse.
///
/// Errors: `unresolved_class` for classes and links that do not fit each other or the workflow, for
/// a node that no class can run, and for a workflow with messages; `workflow_not_static`; those of
/// `validate`, of `pricer::price` and of `select` (`infeasible` for limits that cannot hold).
template <class Callback = keep_going>
constexpr result<class_assignment> assign_classes(const graph_view& workflow,
                                                  const machine_park& park,
                                                  const registry& kernels = builtin_registry(),
                                                  const search_limits& limits = {},
                                                  Callback&& callback = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const auto order = topological_order(*valid);
  if (!order) return order.error();
  detail::class_chooser chooser(*valid, park, kernels);
  if (error e = chooser.state(*order); e.code != errc::none) return e;
  selection_result solved;
  if (!chooser.is_trivial()) {
    auto found = select(chooser.out().problem, limits, callback);
    if (!found) return found.error();
    solved = static_cast<selection_result&&>(*found);
  }
  if (error e = chooser.finish(static_cast<selection_result&&>(solved)); e.code != errc::none)
    return e;
  return static_cast<class_assignment&&>(chooser.out());
}

/// Why each node is where it is: its class and cost, and of each other class what the cheapest
/// assignment with the node there would cost at least. `workflow` and `park` are those that were
/// given. O(nodes · rejected candidates).
constexpr text explain(const class_assignment& a, const graph_view& workflow,
                       const machine_park& park) {
  text out;
  out << "cost ";
  out.grouped(a.cost) << ", " << to_text(a.status);
  if (a.status != search_status::proven) {
    out << ", at least ";
    out.grouped(a.bound);
  }
  out << '\n';
  if (!validate_references(workflow)) return out;
  for (std::uint32_t i = 0; i < workflow.nodes.size() && i < a.classes.size(); ++i) {
    const auto id = static_cast<node_id>(i);
    out << workflow.label(id) << ": ";
    if (a.classes[i] == class_assignment::none) {
      out << "wherever it is read\n";
      continue;
    }
    out << park.classes[a.classes[i]].name << '\n';
    for (const rejection& r : a.choice.rejected)
      if (a.candidates[r.candidate].node == id)
        out << "  not " << park.classes[a.candidates[r.candidate].machines].name << ": "
            << to_text(a.problem, r) << '\n';
  }
  return out;
}

}  // namespace wf
