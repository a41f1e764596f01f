// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/classes.hpp>
#include <wf/choice/graph/derivation.hpp>
#include <wf/choice/growth/control.hpp>
#include <wf/cost/cost.hpp>
#include <wf/ir/graph/copy.hpp>

namespace wf {

namespace detail {
class choice_compaction;
}

/// A change of a class: a new candidate or new known properties.
struct class_change {
  /// The changed class: the smallest number of a value in it.
  std::uint32_t home = 0;
  /// True if `unite` or `assume` caused the change directly, false if it is a consequence.
  bool direct = true;
};

/// A graph with alternatives, an e-graph: values that are equal for every input form a class, and
/// each node that computes a value of a class is a candidate for it. Transforms add candidates;
/// nothing is rewritten, so nothing is lost. Equal nodes are stored once, so their readers share
/// alternatives.
///
/// Invariants, after every call: operands are the first values of their classes, so that the nodes
/// are in a topological order, also where a class contains itself through its candidates; and nodes
/// of the same operator on the same classes have the same classes (congruence). Of two nodes that
/// become equal by a union the later one is dropped.
///
/// The nodes live in an ordinary graph with the workflow's outputs and edges, so tools for graphs
/// (views, prices, text) apply to candidates. Nodes with effects have no alternatives, and every
/// selection contains them. Nodes ordered by edges are never dropped.
class choice_graph {
 public:
  constexpr choice_graph() = default;
  /// Starts with a workflow whose nodes are the only candidates. An invalid workflow gives an empty
  /// graph and its error in `failure`. O(nodes).
  constexpr explicit choice_graph(const graph_view& given) : choice_graph(validated(given)) {}

  /// The error of the workflow; its code is `none` if it was valid.
  constexpr const error& failure() const { return failure_; }
  /// The candidates as a valid graph.
  constexpr graph_view view() const { return builder_.graph().view().sealed(); }
  /// Number of nodes, dropped and merged ones included.
  constexpr std::uint32_t size() const { return derivations_.size(); }
  /// The class of a value: the smallest number of a value in it. O(1).
  constexpr std::uint32_t class_of(value_id id) const { return classes_.of(index_of(id)); }
  /// The first value of a class, which represents it in operands.
  constexpr value_id representative(value_id id) const {
    return static_cast<value_id>(class_of(id));
  }
  /// The type of a value; properties of a class are those of its representative.
  constexpr const value_type& type_of(value_id id) const { return builder_.graph()[id].type; }
  /// The operands of a node: the first values of the classes that it reads. Valid until the graph
  /// changes.
  constexpr wf::view<value_id> inputs_of(node_id id) const {
    return builder_.graph().inputs_of(builder_.graph()[id]);
  }
  /// The first result of a node.
  constexpr value_id result_of(node_id id) const {
    return graph_view::output_of(builder_.graph()[id]);
  }
  /// The node that computes a value; none for an input.
  constexpr node_id producer_of(value_id id) const { return builder_.graph()[id].producer; }
  /// The hash of a node's operator (see `operation`); 0 for a misfit.
  constexpr std::uint64_t op_hash(node_id id) const {
    if (is_misfit(id)) return 0;
    return builder_.graph().operation_of(builder_.graph()[id]).hash;
  }
  /// True if a node has effects.
  constexpr bool is_effect(node_id id) const {
    return builder_.graph()[id].effects != effect::pure;
  }
  /// True if a node applies kernel `k` and is no misfit.
  constexpr bool applies(node_id id, const kernel_spec& k) const {
    if (is_misfit(id)) return false;
    const graph& g = builder_.graph();
    return g.text_of(g.operation_of(g[id]).name) == k.name;
  }
  /// The known properties of a class; for complex elements only those that do not rely on an order
  /// (see `without_order`).
  constexpr properties known_of(value_id id) const {
    const value_type& type = type_of(representative(id));
    return is_complex(type.type) ? without_order(type.known) : type.known;
  }
  /// The nodes that compute a value of the class of `id`, in the order in which they were added; an
  /// input has none. While a transform runs, it sees only nodes of its node's class of peers, here
  /// and in `readers_of` and `find`, and the nodes that it adds are of that class: machines do not
  /// share results. A transform that inspects classes other than those of its node's operands must
  /// `watch` them. O(values of the class).
  constexpr table<node_id> candidates_of(value_id id) const {
    table<node_id> found;
    for (std::uint32_t v = class_of(id); v != value_classes::none; v = classes_.next_member(v)) {
      const node_id producer = producer_of(static_cast<value_id>(v));
      if (producer != node_id::none && is_kept(producer) && is_beside(producer))
        found.push_back(producer);
    }
    return found;
  }
  /// True if the class of `id` has at least two candidates.
  constexpr bool has_choice(value_id id) const { return candidates_of(id).size() > 1; }
  /// True if a value of the class of `id` is an output of the workflow. O(outputs).
  constexpr bool is_output(value_id id) const {
    for (const output& o : view().outputs)
      if (class_of(o.source) == class_of(id)) return true;
    return false;
  }
  /// The nodes that read the class of `id`; a node that reads it twice may be listed twice.
  /// O(readers).
  constexpr table<node_id> readers_of(value_id id) const {
    table<node_id> found;
    for (std::uint32_t e = classes_.first_dependent(class_of(id)); e != value_classes::none;) {
      const value_classes::dependent d = classes_.dependent_at(e);
      e = d.next;
      if (is_kept(d.node) && reads(d.node, representative(id)) && is_beside(d.node))
        found.push_back(d.node);
    }
    return found;
  }

  /// The node that applies a kernel without attributes to the classes of at most eight values, or
  /// none. O(operands) expected.
  constexpr node_id find(const kernel_spec& k, wf::view<value_id> operands) const {
    value_id inputs[max_operands];
    if (operands.size() > max_operands) return node_id::none;
    for (std::size_t i = 0; i < operands.size(); ++i) inputs[i] = representative(operands[i]);
    return found_node(k, {inputs, operands.size()});
  }

  /// The transform that made a node, or `captured`.
  constexpr origin_id origin_of(node_id id) const { return derivations_.origin_of(id); }
  /// The derivation of a node, last step first; empty for a node of the workflow. O(steps).
  constexpr table<derivation_step> derivation_of(node_id id) const {
    return derivations_.steps_of(id);
  }
  /// Sets the transform that adds the following nodes, and the candidate at which it runs.
  constexpr void set_origin(origin_id origin, node_id asked = node_id{0}) {
    origin_ = origin;
    asked_ = asked;
  }
  /// True if the running transform made this node.
  constexpr bool made_by_asked(node_id id) const {
    return origin_ != origin_id::captured && origin_of(id) == origin_;
  }
  /// Number of steps of the running transform in a node's derivation; bounds the recursion of a
  /// transform that applies to its own results. O(steps).
  constexpr std::uint32_t times_derived(node_id id) const {
    return derivations_.times(id, origin_);
  }
  /// The limits on what the transforms propose.
  constexpr const proposal_limits& limits() const { return growth_.proposals; }
  /// True if a limit admits an amount; otherwise notes that it left something out, so a transform
  /// asks only about what it would propose.
  constexpr bool admits(std::uint32_t proposal_limits::* limit, std::uint64_t amount) {
    if (amount <= growth_.proposals.*limit) return true;
    note_cut(limit);
    return false;
  }
  /// Notes that a limit left something out.
  constexpr void note_cut(std::uint32_t proposal_limits::* limit) { growth_.cuts |= bit_of(limit); }
  /// True if it is noted that a limit left something out.
  constexpr bool has_cut(std::uint32_t proposal_limits::* limit) const {
    return (growth_.cuts & bit_of(limit)) != 0;
  }
  /// Lets the transforms run again at the current node when the class of `id` has a new candidate
  /// or new known properties. Not needed for the node's own operands.
  constexpr void watch(value_id id) { classes_.add_dependent(class_of(id), asked_); }

  /// Adds a node on the representatives of its operands, with the result type inferred from the
  /// kernel, or finds the equal existing node; the result starts its own class. Errors: those of
  /// `infer`; `malformed_graph` for more than eight operands or an operand that does not exist.
  /// O(operands).
  constexpr result<value_id> add(const kernel_spec& k, wf::view<value_id> operands,
                                 wf::view<attribute_value> attributes = {}) {
    value_id inputs[max_operands];
    value_type types[max_operands];
    if (operands.size() > max_operands)
      return detail::malformed(k.name, "a transform gives it more than eight operands");
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (index_of(operands[i]) >= builder_.graph().number_of_values())
        return detail::malformed(k.name, "a transform gives it an operand that does not exist");
      inputs[i] = representative(operands[i]);
      types[i] = type_of(inputs[i]);
    }
    const graph_view g = view();
    if (attributes.empty()) {
      const node_id equal = found_node(k, {inputs, operands.size()});
      if (equal != node_id::none) {
        const value_id first = graph_view::output_of(builder_.graph()[equal]);
        if (k.result_properties != nullptr)
          assume(first, k.result_properties({{types, operands.size()}, attributes, &g}));
        return first;
      }
    }
    auto made = infer(k, signature_of(k), {{types, operands.size()}, attributes, &g});
    if (!made) return made.error();
    for (std::uint32_t i = 0; i < made->count; ++i) intern_extents(made->results[i], made->derived);
    node_description d;
    d.op = k.name;
    d.domain = k.domain;
    d.attributes = attributes;
    text peer;
    if (has_peers_) peer << peer_of_asked();  // a copy: the pool that it lies in may grow
    d.peer = peer.view();
    const node_id id = builder_.add_node(d, {inputs, operands.size()}, made->types());
    const value_id first = graph_view::output_of(builder_.graph()[id]);
    if (!note_node(id))
      for (std::uint32_t i = 0; i < made->count; ++i)
        assume(graph_view::output_of(builder_.graph()[id], i), made->results[i].known);
    return first;
  }

  /// Unites two values that are equal for every input: the class with the smaller number absorbs
  /// the other and has the known properties of both. Nodes that read them may become equal and are
  /// united in turn (congruence closure). O(readers and members of the absorbed classes).
  constexpr void unite(value_id a, value_id b) {
    merge(a, b, true);
    unite_equal();
  }

  /// Adds known properties to a class, which must hold for every input.
  constexpr void assume(value_id id, properties known) {
    const value_id home = representative(id);
    const properties before = type_of(home).known;
    if ((before | known) == before) return;
    builder_.graph().assume(home, known);
    note_change(index_of(home), true);
  }

  /// True unless the node was merged into an equal earlier one or the beam dropped it.
  constexpr bool is_kept(node_id id) const {
    return index_of(id) >= fates_.size() || fates_[index_of(id)].kind == fate_kind::kept;
  }
  /// True if the node was merged into an equal earlier one.
  constexpr bool is_merged(node_id id) const {
    return index_of(id) < fates_.size() && fates_[index_of(id)].kind == fate_kind::merged;
  }
  /// True if an edge orders the node or it has effects: such a node is never dropped.
  constexpr bool is_fixed(node_id id) const {
    return builder_.graph()[id].effects != effect::pure ||
           (!ordered_.empty() && index_of(id) < ordered_.size() && ordered_[index_of(id)] != 0);
  }
  /// Statistics of its growth; see `grow`.
  constexpr const growth_outcome& growth() const { return growth_; }

  // The following members serve the growth.

  /// Changes since `forget_changes` of classes with dependents; a class may be listed repeatedly.
  constexpr const table<class_change>& changes() const { return changes_; }
  /// Empties `changes`.
  constexpr void forget_changes() { changes_.clear(); }
  /// The classes with their members and dependents.
  constexpr const value_classes& classes() const { return classes_; }
  /// Drops a candidate or readmits it. Fixed and merged nodes stay as they are.
  constexpr void keep(node_id id, bool kept) {
    if (is_fixed(id) || is_merged(id) || is_kept(id) == kept) return;
    set_fate(id, {kept ? fate_kind::kept : fate_kind::dropped, id});
  }
  /// The parsed signature of a kernel; valid until the next call.
  constexpr const signature& signature_of(const kernel_spec& k) {
    for (const parsed_signature& p : signatures_)
      if (p.kernel == k.name) return p.parsed;
    auto parsed = parse_signature(k.signature);
    signatures_.push_back({k.name, *static_cast<result<signature>&&>(parsed)});
    return signatures_.back().parsed;
  }
  /// True if a node of the workflow does not fit its operator's kernel: it has no alternatives, and
  /// transforms do not recognize it.
  constexpr bool is_misfit(node_id id) const {
    return index_of(id) < misfits_.size() && misfits_[index_of(id)] != 0;
  }
  /// Marks a node as a misfit.
  constexpr void note_misfit(node_id id) {
    if (misfits_.size() <= index_of(id)) misfits_.resize(index_of(id) + 1);
    misfits_[index_of(id)] = 1;
  }
  /// Stores the statistics of the growth.
  constexpr void note_growth(const growth_outcome& outcome) { growth_ = outcome; }
  /// True if no node was ever dropped or merged.
  constexpr bool is_compact() const { return fates_.empty(); }

 private:
  struct pair_of_values {
    value_id first = value_id::none;
    value_id second = value_id::none;
  };
  enum class fate_kind : std::uint8_t { kept, merged, dropped };
  struct fate {
    fate_kind kind = fate_kind::kept;
    node_id equal = node_id::none;  // for a merged node: the node that represents it
  };

  constexpr explicit choice_graph(const result<graph_view>& workflow) {
    if (workflow)
      *this = choice_graph(*workflow, *topological_order(*workflow));
    else
      failure_ = workflow.error();
  }
  // From a valid workflow, in a topological order.
  constexpr choice_graph(const graph_view& workflow, const table<node_id>& order)
      : choice_graph(workflow, nothing{}) {
    table<value_id> copied = copy_inputs(workflow);
    table<node_id> nodes(workflow.nodes.size());
    table<char> ordered(workflow.edges.empty() ? 0 : workflow.nodes.size());
    for (const edge& e : workflow.edges) ordered[index_of(e.from)] = ordered[index_of(e.to)] = 1;
    for (node_id id : order) {
      const node& n = workflow[id];
      const bool fixed = !ordered.empty() && ordered[index_of(id)] != 0;
      const node_id made = copy_node(workflow, n, copied, fixed);
      for (std::uint32_t k = 0; k < n.outputs.count; ++k)
        copied[n.outputs.first + k] = graph_view::output_of(builder_.graph()[made], k);
      nodes[index_of(id)] = made;
    }
    copy_goals(workflow, copied, nodes);
    unite_equal();
  }
  constexpr choice_graph(const graph_view& from, nothing) : builder_(from.text_of(from.name)) {
    for (text_ref d : from.derived) builder_.graph().add_derived(from.text_of(d));
  }

  static constexpr std::uint32_t bit_of(std::uint32_t proposal_limits::* limit) {
    std::uint32_t row = 0;
    while (proposal_limit_rows[row].limit != limit) ++row;
    return 1U << row;
  }
  constexpr node_id found_node(const kernel_spec& k, wf::view<value_id> inputs) const {
    const node_id found = builder_.find_node(k.name, inputs, peer_of_asked());
    return found == node_id::none || is_misfit(found) ? node_id::none : found;
  }
  // The class of peers of the node at which a transform runs; empty outside transforms.
  constexpr text_view peer_of_asked() const {
    const graph& g = builder_.graph();
    return has_peers_ && origin_ != origin_id::captured ? g.text_of(g[asked_].peer) : text_view{};
  }
  constexpr bool is_beside(node_id id) const {
    if (!has_peers_ || origin_ == origin_id::captured) return true;
    const graph& g = builder_.graph();
    return g.text_of(g[id].peer) == g.text_of(g[asked_].peer);
  }
  constexpr bool reads(node_id id, value_id home) const {
    for (value_id operand : inputs_of(id))
      if (operand == home) return true;
    return false;
  }
  constexpr void note_change(std::uint32_t home, bool direct) {
    if (classes_.first_dependent(home) != value_classes::none) changes_.push_back({home, direct});
  }

  constexpr void unite_equal() {
    while (!equal_.empty()) {
      const pair_of_values next = equal_.back();
      equal_.pop_back();
      merge(next.first, next.second, false);
    }
  }
  constexpr void merge(value_id a, value_id b, bool direct) {
    const std::uint32_t left = class_of(a), right = class_of(b);
    if (left == right) return;
    const std::uint32_t first = left < right ? left : right, second = left < right ? right : left;
    std::uint32_t reader = classes_.first_dependent(second);
    classes_.absorb(first, second);
    const properties known = type_of(static_cast<value_id>(second)).known;
    if (!known.empty()) builder_.graph().assume(static_cast<value_id>(first), known);
    note_change(first, direct);
    // The dependents of the absorbed class now end the list of the merged class.
    while (reader != value_classes::none) {
      const value_classes::dependent d = classes_.dependent_at(reader);
      if (!is_merged(d.node)) reread(d.node);
      reader = d.next;
    }
  }
  // Updates a node's operands to their merged classes; it may then equal another node.
  constexpr void reread(node_id id) {
    const node& n = builder_.graph()[id];
    bool changed = false;
    for (std::uint32_t i = 0; i < n.inputs.count; ++i) {
      const value_id read = inputs_of(id)[i], home = representative(read);
      if (home == read) continue;
      builder_.graph().set_operand(n.inputs.first + i, home);
      changed = true;
    }
    if (changed && n.effects == effect::pure) find_equal(id);
  }
  // Results of equal nodes are equal; the later node is merged.
  constexpr void find_equal(node_id id) {
    const node_id other = builder_.find_again(id);
    if (other == id) return;
    const node& n = builder_.graph()[id];
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      equal_.push_back(
          {graph_view::output_of(n, k), graph_view::output_of(builder_.graph()[other], k)});
    const node_id later = index_of(other) < index_of(id) ? id : other;
    if (is_fixed(later)) return;
    const node_id earlier = later == id ? other : id;
    set_fate(later, {fate_kind::merged, earlier});
    keep_name(later, earlier);
  }
  constexpr void keep_name(node_id from, node_id to) {
    const graph& g = builder_.graph();
    if (g[from].name.count == 0 || g[to].name.count != 0) return;
    const text name(g.text_of(g[from].name));
    builder_.graph().set_name(to, name.view());
  }
  constexpr void set_fate(node_id id, fate f) {
    if (fates_.size() <= index_of(id)) fates_.resize(builder_.graph().view().nodes.size());
    fates_[index_of(id)] = f;
  }

  // True if the node is new.
  constexpr bool note_node(node_id id) {
    if (index_of(id) < size()) return false;
    const node& n = builder_.graph()[id];
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) classes_.add();
    for (value_id operand : inputs_of(id)) classes_.add_dependent(class_of(operand), id);
    derivations_.add(origin_, asked_);
    return true;
  }
  constexpr void intern_extents(value_type& t, const table<text>& derived) {
    for (std::uint32_t i = 0; i < t.shape.rank; ++i)
      if (t.shape.extents[i].is_derived())
        t.shape.extents[i] =
            builder_.graph().add_derived(derived[t.shape.extents[i].index()].view());
  }

  constexpr table<value_id> copy_inputs(const graph_view& from) {
    table<value_id> copied(from.values.size());
    for (std::uint32_t i = 0; i < from.values.size(); ++i)
      if (from.values[i].producer == node_id::none) {
        copied[i] =
            builder_.graph().add_input(from.text_of(from.values[i].name), from.values[i].type);
        classes_.add();
      }
    return copied;
  }
  constexpr node_id copy_node(const graph_view& from, const node& n, const table<value_id>& copied,
                              bool ordered) {
    table<value_id> inputs;
    for (value_id operand : from.inputs_of(n)) inputs.push_back(copied[index_of(operand)]);
    table<value_type> results;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      results.push_back(from.values[n.outputs.first + k].type);
    const table<attribute_value> attributes = attribute_values(from, n);
    const table<cost_formula> costs = cost_formulas(from, n);
    const node_description d = description_of(from, n, attributes, costs);
    has_peers_ = has_peers_ || n.peer.count != 0;
    const node_id id =
        ordered ? builder_.append_node(d, inputs, results) : builder_.add_node(d, inputs, results);
    note_node(id);
    if (!ordered) return id;
    ordered_.resize(index_of(id) + 1);
    ordered_[index_of(id)] = 1;
    if (n.effects == effect::pure) find_equal(id);
    return id;
  }
  // Outputs, and edges between copied nodes.
  constexpr void copy_goals(const graph_view& from, const table<value_id>& copied,
                            const table<node_id>& nodes) {
    for (const edge& e : from.edges)
      builder_.graph().add_edge(e.kind, nodes[index_of(e.from)], nodes[index_of(e.to)]);
    for (const output& o : from.outputs)
      builder_.graph().add_output(from.text_of(o.name), copied[index_of(o.source)]);
  }

  struct parsed_signature {
    text_view kernel;
    signature parsed;
  };

  graph_builder builder_;
  value_classes classes_;
  derivations derivations_;
  table<fate> fates_;            // by node; those beyond are kept
  table<char> ordered_;          // by node: whether an edge touches it; empty without edges
  table<char> misfits_;          // by node; those beyond fit
  table<class_change> changes_;  // since `forget_changes`
  table<pair_of_values> equal_;  // pairs found equal, still to be united
  table<parsed_signature> signatures_;
  origin_id origin_ = origin_id::captured;
  node_id asked_{0};
  bool has_peers_ = false;  // true if a node has a class of peers
  growth_outcome growth_;
  error failure_;  // of the workflow

  friend class detail::choice_compaction;
};

}  // namespace wf
