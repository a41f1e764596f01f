// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/sort.hpp>
#include <wf/ir/topology.hpp>
#include <wf/ir/validate.hpp>
#include <wf/pass/laws.hpp>

namespace wf {

/// Which storage the values of a workflow lie in while it runs.
struct buffer_plan {
  /// The number of the buffer that holds a value, by value. A view lies in its operand's buffer,
  /// also one that repeats elements and so says more than the buffer holds.
  table<std::uint32_t> buffer_of;
  /// The size of a buffer, by buffer: that of the largest value, views apart, that it ever holds.
  table<std::int64_t> bytes;
  /// The operand that a result is written over, by value; none for most.
  table<value_id> overwrites;
  /// What all buffers need together: the run allocates them once, before it starts.
  std::int64_t peak_bytes = 0;
};

/// Which views lie in the storage of their operand.
enum class shared_views : std::uint8_t {
  all,         ///< every operator that is a view (`kernel_spec::is_view`)
  transposes,  ///< the transposed of matrices only; other views are copies
  parts,       ///< the transposed of matrices, and slices of them
};

/// What a buffer plan may do.
struct buffer_options {
  /// The order in which the nodes run, a topological one; empty: the stable topological order.
  view<node_id> order = {};
  /// True if the storage of inputs may be overwritten once they are read for the last time. Else it
  /// is the caller's and stays as it is.
  bool overwrite_inputs = false;
  /// Which views lie in their operand's storage; the others are copies with storage of their own.
  shared_views views = shared_views::all;
  /// By value, 1 for a matrix that is stored by columns; empty: all are stored by rows. A result
  /// overwrites only what is stored as it is.
  view<char> by_columns = {};
  /// Values whose storage stays as it is to the end, besides outputs.
  view<value_id> kept = {};
};

namespace detail {

/// A multiset of small numbers that finds the least one from some number on. Each is in O(log n).
class ordered_counts {
 public:
  /// Of numbers below `size`.
  constexpr explicit ordered_counts(std::size_t size) {
    while (leaves_ < size) leaves_ *= 2;
    count_.resize(2 * leaves_);
  }
  constexpr void add(std::size_t number) {
    for (std::size_t at = leaves_ + number; at != 0; at /= 2) ++count_[at];
  }
  constexpr void remove(std::size_t number) {
    for (std::size_t at = leaves_ + number; at != 0; at /= 2) --count_[at];
  }
  constexpr bool empty() const { return count_[1] == 0; }
  /// The least number that is at least `from`; false if there is none.
  constexpr bool find(std::size_t from, std::size_t& found) const {
    std::size_t at = leaves_ + from;
    if (from >= leaves_) return false;
    while (count_[at] == 0) {
      while (at % 2 == 1) at /= 2;  // from a right child up: nothing lies right of it below there
      if (at == 0) return false;
      ++at;
    }
    while (at < leaves_) at = count_[2 * at] != 0 ? 2 * at : 2 * at + 1;
    found = at - leaves_;
    return true;
  }
  /// The largest number; there must be one.
  constexpr std::size_t largest() const {
    std::size_t at = 1;
    while (at < leaves_) at = count_[2 * at + 1] != 0 ? 2 * at + 1 : 2 * at;
    return at - leaves_;
  }

 private:
  std::size_t leaves_ = 1;
  table<std::uint32_t> count_;  // a binary tree: those below each of its nodes
};

/// Sweeps along a schedule and hands out buffers.
class buffer_planner {
 public:
  constexpr buffer_planner(const graph_view& g, const buffer_options& options, const registry& r)
      : graph_(g), options_(options), kernels_(kernels_of(g, r)), free_(0) {}

  constexpr result<buffer_plan> run() {
    result<table<node_id>> order = schedule();
    if (!order) return order.error();
    order_.swap(*order);
    if (error e = measure(); e.code != errc::none) return e;
    read_signatures();
    find_homes();
    find_last_uses();
    rank_sizes();
    if (error e = sweep(); e.code != errc::none) return e;
    return static_cast<buffer_plan&&>(plan_);
  }

 private:
  static constexpr std::uint32_t never = 0xffffffff;

  constexpr result<table<node_id>> schedule() const {
    if (options_.order.empty()) return topological_order(graph_);
    table<node_id> order(options_.order);
    table<char> done(graph_.nodes.size());
    bool valid = order.size() == done.size();
    for (std::size_t i = 0; valid && i < order.size(); ++i) {
      valid = index_of(order[i]) < done.size() && done[index_of(order[i])] == 0;
      if (!valid) break;
      for (value_id operand : graph_.inputs_of(graph_[order[i]])) {
        const node_id from = graph_[operand].producer;
        valid = valid && (from == node_id::none || done[index_of(from)] != 0);
      }
      done[index_of(order[i])] = 1;
    }
    table<std::uint32_t> position(done.size());
    for (std::uint32_t i = 0; valid && i < order.size(); ++i) position[index_of(order[i])] = i;
    for (const edge& e : graph_.edges)
      valid = valid && position[index_of(e.from)] < position[index_of(e.to)];
    if (valid) return order;
    return make_error(errc::malformed_graph, graph_.text_of(graph_.name),
                      "the order is no topological one of all nodes");
  }

  constexpr error measure() {
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      const value_type& t = graph_.values[i].type;
      const text label = text() << '%' << i;
      std::int64_t size = 1;
      if (!t.shape.is_static())
        return make_error(errc::workflow_not_static, label.view(),
                          "a buffer plan needs static shapes: bind the symbols first");
      for (std::uint32_t d = 0; d < t.shape.rank; ++d)
        if (t.shape[d].size() == 0) size = 0;
      for (std::uint32_t d = 0; size != 0 && d < t.shape.rank; ++d)
        if (!checked_multiply(size, t.shape[d].size(), size))
          return make_error(errc::overflow, label.view(), "its size does not fit 63 bits");
      if (!checked_multiply(size, size_of(t.type), size))
        return make_error(errc::overflow, label.view(), "its size does not fit 63 bits");
      bytes_.push_back(size);
    }
    return {};
  }

  // By operator: which operands are handed through, in order.
  constexpr void read_signatures() {
    through_.resize(graph_.operations.size());
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      if (kernels_[i] == nullptr) continue;
      const auto s = parse_signature(kernels_[i]->signature);
      for (std::uint32_t p = 0; s && p < s->inputs; ++p)
        if (s->parameters[p].side == side::through) through_[i].push_back(p);
    }
  }

  // The value in whose storage a value lies: through views to the operand. Nodes come after what
  // they read.
  constexpr void find_homes() {
    home_.resize(graph_.values.size());
    for (std::uint32_t i = 0; i < home_.size(); ++i) home_[i] = static_cast<value_id>(i);
    for (node_id id : order_) {
      const node& n = graph_[id];
      if (!is_shared_view(n)) continue;
      for (std::uint32_t k = 0; k < n.outputs.count; ++k)
        home_[n.outputs.first + k] = home_[index_of(graph_.inputs_of(n)[0])];
    }
  }

  constexpr bool is_shared_view(const node& n) const {
    if (kernels_[n.op] == nullptr || !kernels_[n.op]->is_view || n.inputs.count == 0) return false;
    if (options_.views == shared_views::all) return true;
    const text_view op = graph_.op_name(n);
    const bool shared =
        op == "transpose" || (op == "slice" && options_.views == shared_views::parts);
    return shared && graph_[graph_.inputs_of(n)[0]].type.shape.rank == 2;
  }

  constexpr void find_last_uses() {
    last_.resize(graph_.values.size());
    for (std::uint32_t at = 0; at < order_.size(); ++at) {
      const node& n = graph_[order_[at]];
      for (std::uint32_t k = 0; k < n.outputs.count; ++k)
        last_[index_of(home_[n.outputs.first + k])] = at;
      for (value_id operand : graph_.inputs_of(n)) last_[index_of(home_[index_of(operand)])] = at;
    }
    table<char> read(graph_.values.size());
    for (value_id operand : graph_.operands) read[index_of(home_[index_of(operand)])] = 1;
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].producer == node_id::none &&
          (!options_.overwrite_inputs || read[i] == 0))
        last_[i] = never;
    for (const output& o : graph_.outputs) last_[index_of(home_[index_of(o.source)])] = never;
    for (value_id id : options_.kept) last_[index_of(home_[index_of(id)])] = never;
  }

  // The different sizes, ascending.
  constexpr void rank_sizes() {
    sizes_ = bytes_;
    stable_sort(sizes_, [](std::int64_t a, std::int64_t b) { return a < b; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      if (i == 0 || sizes_[i] != sizes_[kept - 1]) sizes_[kept++] = sizes_[i];
    sizes_.resize(kept);
    free_ = ordered_counts(kept);
    idle_.resize(kept);
  }
  constexpr std::size_t rank_of(std::int64_t size) const {
    std::size_t first = 0, end = sizes_.size();
    while (end - first > 1) {
      const std::size_t middle = (first + end) / 2;
      (sizes_[middle] <= size ? first : end) = middle;
    }
    return first;
  }

  constexpr error sweep() {
    plan_.buffer_of = table<std::uint32_t>(graph_.values.size(), never);
    plan_.overwrites = table<value_id>(graph_.values.size(), value_id::none);
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].producer == node_id::none) plan_.buffer_of[i] = new_buffer(bytes_[i]);
    for (std::uint32_t at = 0; at < order_.size(); ++at) {
      const node& n = graph_[order_[at]];
      for (std::uint32_t k = 0; k < n.outputs.count; ++k) find_overwritten(n, k, at);
      allot(n);
      release(n, at);
    }
    for (std::int64_t size : plan_.bytes)
      if (!checked_add(plan_.peak_bytes, size, plan_.peak_bytes))
        return make_error(errc::overflow, graph_.text_of(graph_.name),
                          "the sum of all buffers does not fit 63 bits");
    return {};
  }

  // --- overwriting ------------------------------------------------------------------------------

  // Lets result `k` of a node take over the storage of an operand that dies there.
  constexpr void find_overwritten(const node& n, std::uint32_t k, std::uint32_t at) {
    const std::uint32_t result = n.outputs.first + k;
    if (home_[result] != static_cast<value_id>(result)) return;
    const kernel_spec* kernel = kernels_[n.op];
    if (kernel == nullptr || n.effects == effect::external) return;
    const view<value_id> operands = graph_.inputs_of(n);
    const table<std::uint32_t>& through = through_[n.op];
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      const bool handed_on = k < through.size() && through[k] == i;
      const bool elementwise = kernel->laws.elementwise && n.outputs.count == 1;
      if (!handed_on && !elementwise && !(kernel->in_place && through.empty())) continue;
      if (!may_overwrite(n, result, operands[i], at)) continue;
      if (!is_read_alike(n, i, elementwise)) continue;
      plan_.overwrites[result] = operands[i];
      plan_.buffer_of[result] = plan_.buffer_of[index_of(home_of(operands[i]))];
      return;
    }
  }
  constexpr value_id home_of(value_id id) const { return home_[index_of(id)]; }

  constexpr bool may_overwrite(const node& n, std::uint32_t result, value_id operand,
                               std::uint32_t at) const {
    const value_type &from = graph_[operand].type, &to = graph_.values[result].type;
    if (last_[index_of(home_of(operand))] != at || size_of(from.type) != size_of(to.type) ||
        !(from.shape == to.shape) || !lies_alike(operand) ||
        is_by_columns(operand) != is_by_columns(static_cast<value_id>(result)))
      return false;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id taken = plan_.overwrites[n.outputs.first + k];
      if (taken != value_id::none && home_of(taken) == home_of(operand)) return false;
    }
    return true;
  }
  constexpr bool is_by_columns(value_id id) const {
    return !options_.by_columns.empty() && options_.by_columns[index_of(id)] != 0;
  }
  // True if a value's elements fill their storage in their order: it is no view, or only one of
  // another shape.
  constexpr bool lies_alike(value_id id) const {
    while (home_of(id) != id) {
      const node& n = graph_[graph_[id].producer];
      const text_view op = graph_.op_name(n);
      if (op != "reshape" && op != "after" && op != "barrier" && op != "check") return false;
      id = graph_.inputs_of(n)[0];
    }
    return true;
  }
  // True if no other operand that lies in the same storage is read in another order: elementwise
  // the same place is read before it is written; else there must be none.
  constexpr bool is_read_alike(const node& n, std::uint32_t operand, bool elementwise) const {
    const view<value_id> operands = graph_.inputs_of(n);
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      if (i == operand || home_of(operands[i]) != home_of(operands[operand])) continue;
      if (!elementwise || !lies_alike(operands[i]) ||
          !(graph_[operands[i]].type.shape == graph_[operands[operand]].type.shape))
        return false;
    }
    return true;
  }

  // --- buffers ----------------------------------------------------------------------------------

  constexpr std::uint32_t new_buffer(std::int64_t size) {
    plan_.bytes.push_back(size);
    return static_cast<std::uint32_t>(plan_.bytes.size() - 1);
  }
  // Buffers for the results that overwrite nothing, the largest first.
  constexpr void allot(const node& n) {
    table<std::uint32_t> results;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const std::uint32_t i = n.outputs.first + k;
      if (home_[i] != static_cast<value_id>(i))
        plan_.buffer_of[i] = plan_.buffer_of[index_of(home_[i])];
      else if (plan_.overwrites[i] == value_id::none)
        results.push_back(i);
    }
    while (!results.empty()) {
      std::size_t largest = 0;
      for (std::size_t i = 1; i < results.size(); ++i)
        if (bytes_[results[i]] > bytes_[results[largest]]) largest = i;
      plan_.buffer_of[results[largest]] = take(bytes_[results[largest]]);
      results[largest] = results.back();
      results.pop_back();
    }
  }
  // The smallest idle buffer that is large enough; else the largest, enlarged; else a new one.
  constexpr std::uint32_t take(std::int64_t size) {
    const std::size_t rank = rank_of(size);
    std::size_t found = 0;
    if (!free_.find(rank, found)) {
      if (free_.empty()) return new_buffer(size);
      found = free_.largest();
    }
    const std::uint32_t buffer = idle_[found].back();
    idle_[found].pop_back();
    free_.remove(found);
    if (plan_.bytes[buffer] < size) plan_.bytes[buffer] = size;
    return buffer;
  }
  constexpr void release(const node& n, std::uint32_t at) {
    for (value_id operand : graph_.inputs_of(n)) release(n, home_of(operand), at);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) release(n, home_[n.outputs.first + k], at);
  }
  constexpr void release(const node& n, value_id home, std::uint32_t at) {
    if (last_[index_of(home)] != at) return;
    last_[index_of(home)] = never;  // what is named twice is released once
    const std::uint32_t buffer = plan_.buffer_of[index_of(home)];
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id taken = plan_.overwrites[n.outputs.first + k];
      if (taken != value_id::none && home_of(taken) == home) return;
    }
    const std::size_t rank = rank_of(plan_.bytes[buffer]);
    idle_[rank].push_back(buffer);
    free_.add(rank);
  }

  graph_view graph_;
  buffer_options options_;
  table<const kernel_spec*> kernels_;    // by operator
  table<table<std::uint32_t>> through_;  // by operator
  table<node_id> order_;
  table<std::int64_t> bytes_;         // by value
  table<value_id> home_;              // by value
  table<std::uint32_t> last_;         // by home: the position of its last use, or never
  table<std::int64_t> sizes_;         // by rank
  ordered_counts free_;               // ranks of idle buffers
  table<table<std::uint32_t>> idle_;  // by rank
  buffer_plan plan_;
};

}  // namespace detail

/// Plans the storage of a static workflow: which buffer each value lies in, and which results are
/// written over an operand. Values that are alive at the same time never share a buffer, but for
/// views, which lie in their operand's, and results that overwrite. A value is alive from its node
/// to the last node of the order that reads it or a view of it; inputs from the beginning; outputs,
/// and inputs unless `overwrite_inputs`, to the end.
///
/// A result overwrites an operand that dies at its node, of the same shape and size of elements,
/// that lies in the storage in the order of its elements, as the result does, if the operator
/// - is elementwise (`law_set::elementwise`) with one result, and what else it reads of that
///   storage is the same elements at the same place;
/// - hands the operand `through`: the k-th such operand to the k-th result;
/// - or is declared `in_place`; in the last two cases nothing else is read of that storage.
///
/// Other results get buffers greedily along the order, larger results of a node first: the smallest
/// idle buffer that is large enough, else the largest idle one, enlarged, else a new one. What
/// kernels need for themselves while they run (the metric `scratch`) is not counted.
///
/// Errors: those of `validate`, `workflow_not_static`, `overflow`, `malformed_graph` for an order
/// that is none. O(n log n) in the size of the graph.
constexpr result<buffer_plan> plan_in_place(const graph_view& workflow,
                                            const buffer_options& options = {},
                                            const registry& kernels = builtin_registry()) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return detail::buffer_planner(g, options, kernels).run();
}

}  // namespace wf
