// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include <wf/ir/graph/graph.hpp>
#include <wf/run/plan/chosen_operators.hpp>
#include <wf/storage/rule.hpp>

// Storage orders of the matrices of a graph, and the copies that they need.
namespace wf {

namespace detail {

/// Trade-off of a layout between speed and memory.
enum class layout_aim : std::uint8_t {
  speed,   ///< operators get their preferred order, by copies if needed
  memory,  ///< all matrices column-major, copies only where an operator takes nothing else
};

/// The executed form of a graph: each value has a storage order that its readers and writers
/// accept, with copies where they disagree.
///
/// Inputs and outputs that are matrices are column-major, as in Eigen. A view reads the storage of
/// its home, given by `storage_rule`; other values are computed. Operators read matrices in either
/// order; if one is faster on rows and speed is the aim, a `copy` is added before its first reader.
/// An input whose element type is not `Real` is copied at the start, since its elements must be
/// rounded or checked.
template <class Real>
struct stored_graph {
  graph g;                 ///< original nodes and values, then the copies
  table<node_id> order;    ///< execution order of the nodes
  table<char> by_columns;  ///< by value: 1 for a column-major matrix
  table<value_id> home;  ///< by value: the value that owns its storage, itself unless it is a view
  table<char> is_part;   ///< by value: 1 for a view of part of its home, or a matrix in a tensor
  table<value_id> outputs;                ///< by output: the value that is returned
  table<char> read_plainly;               ///< by home: 1 if a reader needs contiguous elements
  chosen_operators<Real> operators;       ///< the implementations of the nodes
  std::vector<storage_reading> readings;  ///< by value: how a view reads its home

  /// True if a node needs column-major operands; any stride will do.
  bool takes_columns(const node& n) const {
    return operator_of(n).operands == compute::storage_order::columns;
  }
  /// True if a node is fastest on row-major operands. Elementwise operators take
  /// either order unless the result has rank above 2.
  bool takes_rows(const node& n) const {
    const compute::operator_implementation<Real>& o = operator_of(n);
    return o.operands == compute::storage_order::rows ||
           (o.tile != nullptr && g[graph_view::output_of(n)].type.shape.rank > 2);
  }
  /// The implementation of a node's operator, owned by the registry or built in.
  const compute::operator_implementation<Real>& operator_of(const node& n) const {
    return *operators.of(n);
  }
  /// True if a node only reinterprets stored elements.
  bool is_view(const node& n) const {
    return n.outputs.count != 0 && home[n.outputs.first] != graph_view::output_of(n);
  }
  /// True if a node is executed: not a view, or a view with side effects.
  bool is_executed(const node& n) const { return !is_view(n) || n.effects != effect::pure; }
};

/// Chooses storage orders and inserts copies. O(size of the graph).
template <class Real>
class layout_planner {
 public:
  /// Takes a static graph whose nodes the registry can execute, and an order of its nodes. The
  /// registry must outlive the planner.
  layout_planner(graph g, view<node_id> order, const registry& kernels,
                 layout_aim aim = layout_aim::speed)
      : order_(order), kernels_(kernels), aim_(aim) {
    out_.g = static_cast<graph&&>(g);
    for (const output& o : out_.g.view().outputs) out_.outputs.push_back(o.source);
    original_nodes_ = out_.g.view().nodes.size();
  }

  /// Plans the layout; may be called once.
  stored_graph<Real> run() {
    copy_inputs();
    find_operators();
    start_order();
    find_homes();
    collect_wishes();
    choose_orders();
    out_.read_plainly.resize(view().values.size());
    add_copies();
    return static_cast<stored_graph<Real>&&>(out_);
  }

 private:
  graph_view view() const { return out_.g.view(); }
  const value_type& type_of(value_id id) const { return out_.g[id].type; }
  bool is_matrix(value_id id) const { return type_of(id).shape.rank == 2; }
  bool is_input(value_id id) const { return out_.g[id].producer == node_id::none; }
  value_id home_of(value_id id) const { return out_.home[index_of(id)]; }
  bool is_flipped(value_id id) const { return flipped_[index_of(id)] != 0; }
  const storage_reading& reading_of(value_id id) const { return out_.readings[index_of(id)]; }
  bool is_view(node_id id) const { return out_.is_view(out_.g[id]); }
  bool is_by_columns(value_id id) const { return out_.by_columns[index_of(id)] != 0; }

  value_id add_copy(value_id of) {
    const value_type type = type_of(of);
    const node_id made =
        out_.g.add_node({.op = "copy", .domain = "movement"}, {&of, 1}, {&type, 1});
    return graph_view::output_of(out_.g[made]);
  }

  void copy_inputs() {
    const std::size_t values = view().values.size(), operands = view().operands.size();
    table<value_id> instead(values);
    for (std::uint32_t i = 0; i < values; ++i) {
      const auto id = static_cast<value_id>(i);
      instead[i] = is_input(id) && type_of(id).type != dtype_of<Real> ? add_copy(id) : id;
    }
    for (std::uint32_t place = 0; place < operands; ++place)
      out_.g.set_operand(place, instead[index_of(view().operands[place])]);
    for (value_id& o : out_.outputs) o = instead[index_of(o)];
  }

  // Copies may add the operator `copy`.
  void find_operators() {
    out_.g.intern_operation("copy", "movement");
    out_.operators = chosen_operators<Real>(view(), kernels_);
  }

  // Copies of inputs come first, then constants, so that neighbours in a formula stay neighbours.
  void start_order() {
    const graph_view g = view();
    const auto is_early = [&](node_id id) {
      return aim_ == layout_aim::speed && g[id].inputs.count == 0 &&
             g[id].effects == effect::pure && g.edges.empty();
    };
    for (std::size_t i = original_nodes_; i < g.nodes.size(); ++i)
      out_.order.push_back(static_cast<node_id>(i));
    for (node_id id : order_)
      if (is_early(id)) out_.order.push_back(id);
    for (node_id id : order_)
      if (!is_early(id)) out_.order.push_back(id);
  }

  void find_homes() {
    const graph_view g = view();
    const storage_rule rule(g, kernels_);
    flipped_.resize(g.values.size());
    out_.is_part.resize(g.values.size());
    out_.readings.resize(g.values.size());
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const auto id = static_cast<value_id>(i);
      out_.home.push_back(rule.home_of(id));
      if (rule.is_home(id)) continue;
      const storage_reading& r = out_.readings[i] = rule.reading_of(id);
      flipped_[i] = r.of_matrix && r.axis[0] == 1 ? 1 : 0;
      const bool all = g[id].type.shape.elements() == g[rule.home_of(id)].type.shape.elements();
      out_.is_part[i] = !all || (!r.of_matrix && is_matrix(id)) ? 1 : 0;
    }
  }

  // --- orders -----------------------------------------------------------------------------------

  enum class wish : std::uint8_t { none, rows, columns };

  // The first wish for the order of a home counts.
  void ask(value_id id, wish w) {
    if (!is_matrix(home_of(id)) || w == wish::none) return;
    wish& asked = wishes_[index_of(home_of(id))];
    if (asked != wish::none) return;
    asked = is_flipped(id) ? (w == wish::rows ? wish::columns : wish::rows) : w;
  }
  // Outputs ask first, then readers in reverse order, so that a node knows the wish for its result
  // when it passes it on to its operands.
  void collect_wishes() {
    const graph_view g = view();
    wishes_.resize(g.values.size());
    for (value_id id : out_.outputs) ask(id, wish::columns);
    for (std::size_t at = out_.order.size(); at-- > 0;) {
      const node& n = g[out_.order[at]];
      if (is_view(out_.order[at])) continue;
      for (std::uint32_t k = 0; k < n.inputs.count; ++k) {
        const value_id operand = g.inputs_of(n)[k];
        if (out_.takes_rows(n))
          ask(operand, wish::rows);
        else if (out_.takes_columns(n))
          ask(operand, wish::columns);
        else if (should_lie_alike(n, k))
          ask(operand, wishes_[n.outputs.first]);
      }
    }
  }
  // True if an operator is fastest if operand `k` and its results have the same order. For
  // elementwise operators, broadcast operands do not matter.
  bool should_lie_alike(const node& n, std::uint32_t k) const {
    const compute::operator_implementation<Real>& o = out_.operator_of(n);
    const value_id operand = view().inputs_of(n)[k];
    if (!o.is_alike(k) || n.outputs.count == 0 || !is_matrix(operand)) return false;
    return o.tile == nullptr || type_of(operand).shape == type_of(graph_view::output_of(n)).shape;
  }

  void choose_orders() {
    const graph_view g = view();
    out_.by_columns.resize(g.values.size());
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      if (const auto id = static_cast<value_id>(i); is_matrix(id) && is_input(id))
        out_.by_columns[i] = 1;
    for (node_id id : out_.order) {
      const node& n = g[id];
      if (is_view(id)) continue;
      for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
        const std::uint32_t result = n.outputs.first + k;
        if (g.values[result].type.shape.rank == 2)
          out_.by_columns[result] = is_written_by_columns(n, result) ? 1 : 0;
      }
    }
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const value_id home = out_.home[i];
      if (index_of(home) == i) continue;
      const storage_reading& r = out_.readings[i];
      const bool columns = r.of_matrix ? is_by_columns(home) != (flipped_[i] != 0)
                                       : is_matrix(static_cast<value_id>(i)) && r.step[1] != 1;
      out_.by_columns[i] = columns ? 1 : 0;
    }
  }
  bool is_written_by_columns(const node& n, std::uint32_t result) const {
    using enum compute::storage_order;
    if (aim_ == layout_aim::memory) return true;
    const compute::storage_order o = out_.operator_of(n).results;
    if (o != either) return o == columns;
    if (wishes_[result] != wish::none) return wishes_[result] == wish::columns;
    for (std::uint32_t k = 0; k < n.inputs.count; ++k)
      if (const value_id operand = view().inputs_of(n)[k]; should_lie_alike(n, k))
        return is_by_columns(home_of(operand)) != is_flipped(operand);
    return true;
  }

  // --- copies -----------------------------------------------------------------------------------

  // A node that needs rows or columns and gets the other order reads a copy, made before the first
  // such reader.
  void add_copies() {
    const std::size_t values = view().values.size();
    table<value_id> copies(values, value_id::none), columns(values, value_id::none);  // by value
    table<node_id> order;
    for (node_id id : out_.order) {
      const node n = out_.g[id];
      const bool rows = aim_ == layout_aim::speed && out_.takes_rows(n);
      if (!is_view(id) && (rows || out_.takes_columns(n))) {
        for (std::uint32_t place = n.inputs.first; place < n.inputs.first + n.inputs.count; ++place)
          if (const value_id operand = view().operands[place]; is_matrix(operand))
            out_.g.set_operand(
                place, rows ? plain(operand, copies, order) : in_columns(operand, columns, order));
      }
      order.push_back(id);
    }
    out_.order.swap(order);
  }
  value_id plain(value_id operand, table<value_id>& copies, table<node_id>& order) {
    const value_id home = home_of(operand);
    if (!is_matrix(home) && reading_of(operand).step[0] == type_of(operand).shape[1].size() &&
        !is_by_columns(operand))
      return operand;
    if (!is_by_columns(operand) && !is_input(home) && out_.is_part[index_of(operand)] == 0) {
      out_.read_plainly[index_of(home)] = 1;
      return operand;
    }
    return copy_of(operand, copies, order, false);
  }
  value_id in_columns(value_id operand, table<value_id>& copies, table<node_id>& order) {
    return is_by_columns(operand) ? operand : copy_of(operand, copies, order, true);
  }
  value_id copy_of(value_id operand, table<value_id>& copies, table<node_id>& order,
                   bool by_columns) {
    value_id& copied = copies[index_of(operand)];
    if (copied == value_id::none) {
      copied = add_copy(operand);
      order.push_back(out_.g[copied].producer);
      out_.by_columns.push_back(by_columns ? 1 : 0);
      out_.home.push_back(copied);
      out_.is_part.push_back(0);
      out_.read_plainly.push_back(by_columns ? 0 : 1);
      out_.readings.push_back({});
    }
    return copied;
  }

  wf::view<node_id> order_;
  const registry& kernels_;
  layout_aim aim_;
  std::size_t original_nodes_ = 0;
  table<char> flipped_;  // by value: 1 if it is a transposed view of its home
  std::vector<wish> wishes_;
  stored_graph<Real> out_;
};

}  // namespace detail

}  // namespace wf
