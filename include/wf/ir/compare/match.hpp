// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/compare/digest.hpp>

namespace wf {

/// A partial one-to-one matching of the nodes and values of two graphs.
struct graph_matching {
  table<node_id> nodes;         ///< by node of the first graph: its partner in the second, or
                                ///< `none`
  table<node_id> nodes_back;    ///< by node of the second graph: its partner in the first, or
                                ///< `none`
  table<value_id> values;       ///< by value of the first graph: its partner in the second, or
                                ///< `none`
  table<value_id> values_back;  ///< by value of the second graph: its partner in the first, or
                                ///< `none`
};

namespace detail {

/// Pairs the members of two lists with equal keys, in the order of the lists; key 0 means no key.
/// `pair(i, j)` is called once for each pair. O(keys) expected.
template <class Pair>
constexpr void pair_equal_keys(const table<digest128>& a, const table<digest128>& b,
                               const Pair& pair) {
  std::size_t capacity = 8;
  while (capacity < 2 * a.size()) capacity *= 2;
  table<std::uint32_t> first(capacity), last(capacity),
      next(a.size());  // all counted from 1; 0: none
  constexpr std::uint32_t used_up = 0xffffffff;
  const auto slot_of = [&](const digest128& key) {
    std::size_t at = key.low & (capacity - 1);
    while (first[at] != 0 && a[last[at] - 1] != key) at = (at + 1) & (capacity - 1);
    return at;
  };
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    if (a[i] == digest128{}) continue;
    const std::size_t at = slot_of(a[i]);
    if (first[at] == 0) {
      first[at] = i + 1;
    } else {
      next[last[at] - 1] = i + 1;
    }
    last[at] = i + 1;
  }
  for (std::uint32_t j = 0; j < b.size(); ++j) {
    if (b[j] == digest128{}) continue;
    const std::size_t at = slot_of(b[j]);
    const std::uint32_t i = first[at];
    if (i == 0 || i == used_up) continue;
    first[at] = next[i - 1] == 0 ? used_up : next[i - 1];
    pair(i - 1, j);
  }
}

/// Maximum number of rounds in which matched nodes match their neighbours.
inline constexpr std::size_t max_match_rounds = 32;

/// Matches the nodes and values of two graphs, the most certain pairs first.
class graph_matcher {
 public:
  constexpr graph_matcher(const graph_view& a, const graph_view& b)
      : a_(a), b_(b), in_a_(a), in_b_(b) {
    out_.nodes = table<node_id>(a.nodes.size(), node_id::none);
    out_.nodes_back = table<node_id>(b.nodes.size(), node_id::none);
    out_.values = table<value_id>(a.values.size(), value_id::none);
    out_.values_back = table<value_id>(b.values.size(), value_id::none);
  }

  constexpr graph_matching match() {
    match_inputs();
    const table<digest128> local_a = in_a_.local(), local_b = in_b_.local();
    const table<digest128> up_a = in_a_.with_sources(local_a), up_b = in_b_.with_sources(local_b);
    const table<digest128> down_a = in_a_.with_users(local_a), down_b = in_b_.with_users(local_b);
    const table<digest128> named_a = names(a_), named_b = names(b_);
    pair(both(both(up_a, down_a), named_a), both(both(up_b, down_b), named_b));
    if (!is_complete()) pair(both(up_a, named_a), both(up_b, named_b));
    if (!is_complete()) pair(up_a, up_b);
    if (!is_complete()) pair(named_a, named_b);
    if (!is_complete()) pair(down_a, down_b);
    pair_neighbours();
    if (!is_complete()) pair(local_a, local_b);
    pair_neighbours();
    if (!is_complete()) pair(operators(a_), operators(b_));
    pair_neighbours();
    with_operator_ = false;
    pair_neighbours();
    return static_cast<graph_matching&&>(out_);
  }

 private:
  constexpr void match_inputs() {
    const auto keys = [](const graph_view& g) {
      table<digest128> out(g.values.size());
      for (std::uint32_t i = 0; i < out.size(); ++i)
        if (g.values[i].producer == node_id::none)
          out[i] = hasher128('i').characters(g.text_of(g.values[i].name)).value();
      return out;
    };
    pair_equal_keys(keys(a_), keys(b_),
                    [&](std::uint32_t i, std::uint32_t j) { match_values(i, j); });
  }
  constexpr void match_values(std::uint32_t i, std::uint32_t j) {
    out_.values[i] = static_cast<value_id>(j);
    out_.values_back[j] = static_cast<value_id>(i);
  }
  // True if one graph has no node left to pair.
  constexpr bool is_complete() const {
    return matched_ == a_.nodes.size() || matched_ == b_.nodes.size();
  }
  // Pairs the unmatched nodes with equal keys.
  constexpr void pair(table<digest128> a, table<digest128> b) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (out_.nodes[i] != node_id::none) a[i] = {};
    for (std::size_t j = 0; j < b.size(); ++j)
      if (out_.nodes_back[j] != node_id::none) b[j] = {};
    pair_equal_keys(a, b, [&](std::uint32_t i, std::uint32_t j) {
      out_.nodes[i] = static_cast<node_id>(j);
      out_.nodes_back[j] = static_cast<node_id>(i);
      ++matched_;
      const range from = a_.nodes[i].outputs, to = b_.nodes[j].outputs;
      for (std::uint32_t k = 0; k < from.count && k < to.count; ++k)
        match_values(from.first + k, to.first + k);
    });
  }

  // Pairs the neighbours of matched nodes until no new pair is found.
  constexpr void pair_neighbours() {
    for (std::size_t round = 0; round < max_match_rounds && !is_complete(); ++round) {
      const std::size_t before = matched_;
      pair(by_source(a_, &out_.values), by_source(b_, nullptr));
      pair(by_user(a_, true), by_user(b_, false));
      if (before == matched_) break;
    }
  }

  // --- keys -------------------------------------------------------------------------------------

  static constexpr table<digest128> both(const table<digest128>& a, const table<digest128>& b) {
    table<digest128> out;
    out.reserve(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      out.push_back(hasher128('b').fold(a[i]).fold(b[i]).value());
    return out;
  }
  // The name of a node or of its first result.
  static constexpr table<digest128> names(const graph_view& g) {
    table<digest128> out;
    out.reserve(g.nodes.size());
    for (const node& n : g.nodes) {
      text_view name = g.text_of(n.name);
      if (name.empty() && n.outputs.count != 0) name = g.text_of(g.values[n.outputs.first].name);
      out.push_back(name.empty() ? digest128{} : hasher128('N').characters(name).value());
    }
    return out;
  }
  constexpr hasher128 operator_of(const graph_view& g, const node& n) const {
    hasher128 d('O');
    d.word(n.outputs.count);
    if (!with_operator_) return d;
    d.word(g.operations[n.op].hash).characters(g.text_of(g.operations[n.op].domain));
    return d;
  }
  constexpr table<digest128> operators(const graph_view& g) const {
    table<digest128> out;
    out.reserve(g.nodes.size());
    for (const node& n : g.nodes) out.push_back(operator_of(g, n).word(n.inputs.count).value());
    return out;
  }
  // The operator and the first matched operand, by its id in the second graph.
  constexpr table<digest128> by_source(const graph_view& g,
                                       const table<value_id>* to_second) const {
    table<digest128> out(g.nodes.size());
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      std::uint64_t position = 0;
      for (value_id operand : g.inputs_of(g.nodes[i])) {
        ++position;
        const value_id known = to_second != nullptr ? (*to_second)[index_of(operand)] : operand;
        if (known == value_id::none || out_.values_back[index_of(known)] == value_id::none)
          continue;
        out[i] = operator_of(g, g.nodes[i]).word(index_of(known)).word(position).value();
        break;
      }
    }
    return out;
  }
  // The operator and the first output, or operand of a matched node, that the node computes.
  constexpr table<digest128> by_user(const graph_view& g, bool first_graph) const {
    table<digest128> out(g.nodes.size());
    const auto use = [&](value_id used, const digest128& by) {
      const node_id from = g[used].producer;
      if (from == node_id::none || out[index_of(from)] != digest128{}) return;
      const std::uint64_t position = index_of(used) - g[from].outputs.first;
      out[index_of(from)] = operator_of(g, g[from]).word(position).fold(by).value();
    };
    for (const output& o : g.outputs)
      use(o.source, hasher128('y').characters(g.text_of(o.name)).value());
    for (std::uint32_t j = 0; j < out_.nodes_back.size(); ++j) {
      if (out_.nodes_back[j] == node_id::none) continue;
      const std::uint32_t user = first_graph ? index_of(out_.nodes_back[j]) : j;
      std::uint64_t position = 0;
      for (value_id operand : g.inputs_of(g.nodes[user])) use(operand, {j, position++});
    }
    return out;
  }

  graph_view a_, b_;
  graph_structure in_a_, in_b_;
  graph_matching out_;
  std::size_t matched_ = 0;
  bool with_operator_ = true;  // true: neighbours are paired only if their operators are equal
};

}  // namespace detail

/// Matches the nodes and values of two graphs, in this order: inputs by name; nodes equal in all
/// sources and all users; equal in one of them; by the name of the node or of its first result;
/// neighbours of matched nodes with the same operator; any two nodes with the same operator;
/// finally neighbours with different operators. So an inserted, removed or changed node leaves all
/// others matched. Equal graphs are matched id by id. Indistinguishable nodes are matched in the
/// order of their ids. If `validate_references` refuses one of the graphs, nothing is matched.
/// O(size of the graphs) expected.
constexpr graph_matching match_graphs(const graph_view& before, const graph_view& after) {
  if (!validate_references(before) || !validate_references(after))
    return {table<node_id>(before.nodes.size(), node_id::none),
            table<node_id>(after.nodes.size(), node_id::none),
            table<value_id>(before.values.size(), value_id::none),
            table<value_id>(after.values.size(), value_id::none)};
  return detail::graph_matcher(before, after).match();
}

}  // namespace wf
