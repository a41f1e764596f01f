// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <wf/cost/peak.hpp>
#include <wf/ir/graph/graph.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/plan/concurrent_storage.hpp>
#include <wf/run/plan/executability.hpp>
#include <wf/run/plan/execution_step.hpp>
#include <wf/run/plan/layout.hpp>
#include <wf/run/plan/node_bodies.hpp>
#include <wf/run/plan/step_accesses.hpp>
#include <wf/run/plan/step_fusion.hpp>

// The decisions that the run-time executor makes before a run: the steps and the storage of values.
namespace wf {

namespace detail {

// A static graph, its steps and the storage of its values.
template <class Real>
class storage_placement {
 public:
  using room = storage_place::room;

  static result<storage_placement<Real>> make(graph g, const registry& kernels,
                                              const storage_request& request,
                                              body_maker<Real> make_body = nullptr) {
    storage_placement<Real> out;
    out.original_ = static_cast<graph&&>(g);
    const graph_view v = out.original_.view();
    auto order = topological_order(v);
    if (!order) return order.error();
    std::vector<const compute::operator_implementation<Real>*> operators;
    for (const operation& o : v.operations)
      operators.push_back(compute::find_operator<Real>(v.text_of(o.name), kernels));
    for (node_id id : *order)
      if (error e = execution_fault(v, id, operators[v[id].op], kernels); e.code != errc::none)
        return e;
    // Also the values that no node reads, such as inputs that are outputs.
    for (const value& each : v.values)
      if ((is_number(each.type.type) || each.type.type == dtype::boolean) &&
          !compute::holds<Real>(each.type.type))
        return unheld<Real>(v, v.text_of(v.name), each.type.type);
    for (const value& each : v.values)
      if (each.type.shape.elements() < 0 || each.type.shape.elements() > INT64_MAX / 32)
        return out.too_large();
    auto bodies = node_bodies<Real>::make(v, kernels, request, make_body);
    if (!bodies) return bodies.error();
    out.bodies_ = static_cast<node_bodies<Real>&&>(*bodies);
    if (!request.share_buffers) {
      out.is_concurrent_ = request.concurrent;
      out.stored_ = layout_planner<Real>(out.original_, *order, kernels).run();
      if (error e = out.place(kernels, false, true); e.code != errc::none) return e;
      return out;
    }
    if (request.concurrent) {
      storage_placement<Real> apart;
      apart.original_ = out.original_;
      apart.bodies_ = out.bodies_;
      apart.is_concurrent_ = true;
      apart.stored_ = layout_planner<Real>(out.original_, *order, kernels).run();
      const error e = apart.place(kernels, true, true);
      if (e.code == errc::none && apart.elements_ <= request.most_bytes / sizeof(Real))
        return apart;
    }
    return out.shared(*order, kernels, request.promised);
  }

  // The original workflow.
  graph_view view() const { return original_.view(); }
  // The workflow as executed, with its copies.
  const stored_graph<Real>& stored() const { return stored_; }
  // Storage of a value, by its home.
  const storage_place& place_of(value_id id) const {
    return places_[index_of(stored_.home[index_of(id)])];
  }
  // The steps, in order of execution.
  const std::vector<execution_step<Real>>& steps() const { return steps_; }
  // Size of a workspace in elements.
  std::size_t elements() const { return elements_; }
  // Offset in the workspace of a home that lies there, in elements.
  std::size_t offset_of(value_id home) const { return first_[places_[index_of(home)].index]; }
  // Leading dimension of a matrix in the workspace, in elements. With padding, columns or rows of
  // at least 32 elements begin at cache lines, at a stride that is no multiple of 512 bytes: eight
  // of those would fill a set of the cache.
  Eigen::Index stride_in_workspace(value_id home) const {
    const shape& s = stored_.g[home].type.shape;
    const Eigen::Index run = static_cast<Eigen::Index>(s[is_by_columns(home) ? 0 : 1].size());
    constexpr Eigen::Index small = 32;
    if (!is_roomy_ || run < small || !may_be_strided(home)) return run;
    const Eigen::Index padded = (run + line - 1) / line * line;
    return padded % (8 * line) == 0 ? padded + line : padded;
  }

  // What the steps read and write, in the order of the steps, in elements: the workspace is space
  // 0, the k-th output 1 + k. The caller's inputs are never written.
  table<storage_access> accesses() const {
    table<storage_access> out;
    each_access(stored_, steps_, [&](std::uint32_t step, value_id home, bool is_written) {
      const storage_place& at = places_[index_of(home)];
      if (at.where == room::output) out.push_back({step, 1 + at.index, 0, 1, is_written});
      if (at.where == room::workspace)
        out.push_back({step, 0, offset_of(home),
                       offset_of(home) + static_cast<std::size_t>(elements_in_workspace(home)),
                       is_written});
    });
    for (std::uint32_t step = 0; step < steps_.size(); ++step) {
      const execution_step<Real>& s = steps_[step];
      const std::size_t end = s.scratch_first + static_cast<std::size_t>(s.scratch);
      out.push_back({step, 0, s.scratch_first, end, true});
    }
    // Each step reads and writes before the next one does.
    detail::stable_sort(
        out, [](const storage_access& a, const storage_access& b) { return a.step < b.step; });
    return out;
  }
  // A value in a matrix of the caller.
  struct callers_value {
    value_id value = value_id::none;
    storage_place place;
  };
  // The homes in the caller's matrices.
  const std::vector<callers_value>& callers() const { return callers_; }
  // The views into the caller's matrices.
  const std::vector<value_id>& callers_views() const { return callers_views_; }
  // The outputs that are not computed in place.
  const std::vector<std::uint32_t>& copied_outputs() const { return copied_outputs_; }

 private:
  static constexpr std::int64_t line = 64 / sizeof(Real);  // elements in a cache line

  // Alignment for elements of eight bytes, which functions of the user may request as scratch
  // storage.
  static constexpr std::int64_t least_alignment = sizeof(Real) < 8 ? 8 / sizeof(Real) : 1;

  error too_large() const {
    return make_error(errc::not_executable, original_.text_of(view().name),
                      "its values need more memory than there is");
  }
  graph_view stored_view() const { return stored_.g.view(); }
  value_id home_of(value_id id) const { return stored_.home[index_of(id)]; }
  bool is_matrix(value_id id) const { return stored_.g[id].type.shape.rank == 2; }
  bool is_by_columns(value_id id) const { return stored_.by_columns[index_of(id)] != 0; }
  void make_steps(bool joined) {
    steps_ = step_fusion<Real>(stored_, places_).run(joined);
    for (execution_step<Real>& s : steps_) s.program_of_node = bodies_.of(s.last);
  }

  // A run may take no more than `peak_memory` states for the workflow in this order, including the
  // inputs that are read in place, with all elements counted at the size of the largest. Returns
  // the fastest of four plans within that bound: with preferred storage orders, copies and padding;
  // without padding; with column-major matrices and only necessary copies; the storage plan itself,
  // node by node. If operators need more scratch storage than they state, no plan is sure to stay
  // within the bound.
  result<storage_placement<Real>> shared(const table<node_id>& order, const registry& kernels,
                                         bool only) {
    const auto promised = storage_along(view(), kernels, order, sizeof(Real));
    const std::int64_t given = bytes_given();
    const bool can_follow = promised && states_scratch(kernels);
    struct attempt {
      layout_aim aim;
      bool roomy;
    };
    constexpr attempt attempts[] = {
        {layout_aim::speed, true}, {layout_aim::speed, false}, {layout_aim::memory, false}};
    for (const attempt& how : attempts) {
      if (only && can_follow) break;
      storage_placement<Real> out;
      out.original_ = original_;
      out.bodies_ = bodies_;
      out.stored_ = layout_planner<Real>(original_, order, kernels, how.aim).run();
      if (error e = out.place(kernels, true, how.roomy); e.code != errc::none) return e;
      const auto bytes = static_cast<std::int64_t>(out.elements_ * sizeof(Real));
      if (!promised || given + bytes <= promised->bytes) return out;
      if (!how.roomy && !can_follow) return out;
    }
    storage_placement<Real> out;
    out.original_ = original_;
    out.bodies_ = bodies_;
    out.stored_ = layout_planner<Real>(original_, order, kernels, layout_aim::memory).run();
    out.follow(*promised);
    return out;
  }
  // True if no operator needs more scratch storage than it states.
  bool states_scratch(const registry& kernels) const {
    const auto stated = scratch_of_nodes(view(), kernels, peak_memory);
    const chosen_operators<Real> operators(view(), kernels);
    for (std::uint32_t i = 0; stated && i < view().nodes.size(); ++i) {
      const node& n = view().nodes[i];
      const auto scratch = operators.of(n)->scratch;
      const auto body = bodies_.of(static_cast<node_id>(i));
      const std::int64_t own = scratch == nullptr ? 0 : scratch(view(), n);
      const std::int64_t needed = body ? body->scratch : own;
      if (needed > ((*stated)[i] + static_cast<std::int64_t>(sizeof(Real)) - 1) /
                       static_cast<std::int64_t>(sizeof(Real)))
        return false;
    }
    return static_cast<bool>(stated);
  }
  // Bytes of the inputs that are read in place.
  std::int64_t bytes_given() const {
    std::int64_t bytes = 0;
    for (const value& each : view().values)
      if (each.producer == node_id::none && each.type.type == dtype_of<Real>)
        bytes += each.type.shape.elements() * static_cast<std::int64_t>(sizeof(Real));
    return bytes;
  }

  error place(const registry& kernels, bool share, bool roomy) {
    const graph_view g = stored_view();
    is_roomy_ = roomy;
    const storage_rule rule(g, kernels, sizeof(Real));
    storage_schedule_options how;
    how.kept = stored_.outputs;
    how.overwrites = share;
    const auto readers = is_concurrent_ ? count_readers(stored_) : table<std::uint32_t>();
    const storage_schedule schedule =
        schedule_storage(rule, stored_.order, how, [&](value_id result, value_id operand) {
          // What is written over an operand would wait for the other readers of it.
          if (is_concurrent_ && readers[index_of(home_of(operand))] > 1) return false;
          return is_by_columns(result) == is_by_columns(operand);
        });
    number_blocks(schedule.overwrites);
    make_steps(true);
    if (!share) return measure_apart();
    return is_concurrent_ ? measure_concurrently() : measure();
  }
  // Assigns offsets so that storage adds no dependence between steps.
  error measure_concurrently() {
    const graph_view g = stored_view();
    table<storage_access> touched;  // each place as a space of one element
    table<concurrent_block> blocks(g.values.size());
    table<block_use> uses;
    each_access(stored_, steps_, [&](std::uint32_t step, value_id home, bool is_written) {
      const storage_place& at = places_[index_of(home)];
      const auto values = static_cast<std::uint32_t>(g.values.size());
      if (at.where == room::output) touched.push_back({step, values + at.index, 0, 1, is_written});
      if (at.where != room::workspace) return;
      touched.push_back({step, at.index, 0, 1, is_written});
      uses.push_back({step, at.index});
      const std::int64_t size = elements_in_workspace(home);
      if (blocks[at.index].size < size) blocks[at.index].size = size;
    });
    for (const value_id id : stored_.outputs)
      if (place_of(id).where == room::workspace) blocks[place_of(id).index].is_kept = true;
    for (std::uint32_t step = 0; step < steps_.size(); ++step) {
      steps_[step].scratch = scratch_of(g, steps_[step]);
      uses.push_back({step, static_cast<std::uint32_t>(blocks.size())});
      blocks.push_back({steps_[step].scratch});
    }
    for (const concurrent_block& b : blocks)
      if (b.size > INT64_MAX / 32) return too_large();
    const table<step_dependence> dependences = dependences_of(stored_, steps_, touched);
    const std::int64_t size =
        place_concurrently(steps_.size(), dependences, blocks, uses, alignment());
    if (size > INT64_MAX / 32) return too_large();
    elements_ = static_cast<std::size_t>(size);
    first_.resize(g.values.size());
    for (std::size_t i = 0; i < first_.size(); ++i)
      first_[i] = static_cast<std::size_t>(blocks[i].first);
    for (std::size_t step = 0; step < steps_.size(); ++step)
      steps_[step].scratch_first = static_cast<std::size_t>(blocks[first_.size() + step].first);
    return {};
  }
  // Gives every value its own storage.
  error measure_apart() {
    const graph_view g = stored_view();
    std::int64_t total = 0;
    const auto add = [&](std::int64_t size) {
      const auto first = static_cast<std::size_t>(total);
      total = size > INT64_MAX / 32 - total ? INT64_MAX / 32 + 1
                                            : total + (size + line - 1) / line * line;
      return first;
    };
    first_.resize(g.values.size());
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      if (places_[i].where == room::workspace && home_of(value_id{i}) == value_id{i})
        first_[i] = add(elements_in_workspace(value_id{i}));
    std::int64_t scratch = 0;
    for (execution_step<Real>& s : steps_) {
      s.scratch = scratch_of(g, s);
      s.scratch_first = static_cast<std::size_t>(total);
      if (is_concurrent_)
        add(s.scratch);
      else
        scratch = std::max(scratch, s.scratch);
    }
    add(scratch);
    if (total > INT64_MAX / 32) return too_large();
    elements_ = static_cast<std::size_t>(total);
    return {};
  }
  // One block per home; a result written over an operand takes the block of the operand.
  void number_blocks(const table<value_id>& overwrites) {
    const graph_view g = stored_view();
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      places_.push_back(storage_place{room::workspace, i});
    for (node_id id : stored_.order)
      for (std::uint32_t i = g[id].outputs.first; i < g[id].outputs.first + g[id].outputs.count;
           ++i)
        if (overwrites[i] != value_id::none) places_[i] = place_of(overwrites[i]);
    find_strided(overwrites);
    place_callers(overwrites);
  }
  // The offsets of the promised storage plan, one step per node. Copies of inputs lie behind them.
  void follow(const storage_plan& promised) {
    const graph_view g = stored_view();
    table<value_id> overwrites = promised.overwrites;
    overwrites.resize(g.values.size());
    for (std::size_t i = promised.overwrites.size(); i < overwrites.size(); ++i)
      overwrites[i] = value_id::none;
    number_blocks(overwrites);
    make_steps(false);
    // Inputs lie in the caller's matrices, so values above them move down.
    const auto moved = [&](std::int64_t offset) {
      std::int64_t below = 0;
      for (std::uint32_t i = 0; i < view().values.size(); ++i)
        if (view().values[i].producer == node_id::none && promised.offset[i] < offset)
          below += bytes_of(static_cast<value_id>(i));
      return static_cast<std::size_t>(offset - below) / sizeof(Real);
    };
    std::int64_t bytes = promised.bytes;
    for (std::uint32_t i = 0; i < view().values.size(); ++i)
      if (view().values[i].producer == node_id::none) bytes -= bytes_of(static_cast<value_id>(i));
    elements_ = static_cast<std::size_t>(bytes) / sizeof(Real);
    first_.resize(g.values.size());
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      if (home_of(static_cast<value_id>(i)) != value_id{i} || places_[i].where != room::workspace)
        continue;
      if (i < promised.offset.size()) {
        first_[places_[i].index] = moved(promised.offset[i]);
        continue;
      }
      first_[places_[i].index] = elements_;
      elements_ += static_cast<std::size_t>(elements_in_workspace(static_cast<value_id>(i)));
    }
    for (execution_step<Real>& s : steps_) {
      s.scratch = scratch_of(g, s);
      if (s.scratch != 0) s.scratch_first = moved(promised.scratch_offset[index_of(s.last)]);
    }
  }
  std::int64_t bytes_of(value_id id) const {
    return view()[id].type.shape.elements() * static_cast<std::int64_t>(sizeof(Real));
  }

  // Inputs lie in the caller's matrices. An output is computed in the caller's matrix if its layout
  // allows, and so is the chain of values that it is written over.
  void place_callers(const table<value_id>& overwrites) {
    const graph_view g = stored_view();
    std::uint32_t inputs = 0;
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      if (g.values[i].producer == node_id::none) places_[i] = {room::input, inputs++};
    for (std::uint32_t k = 0; k < stored_.outputs.size(); ++k) {
      const value_id source = stored_.outputs[k];
      if (!lies_as_output(source)) {
        copied_outputs_.push_back(k);
        continue;
      }
      for (value_id at = home_of(source);;) {
        places_[index_of(at)] = {room::output, k};
        const value_id before = overwrites[index_of(at)];
        if (before == value_id::none || !may_lie_outside(home_of(before))) break;
        at = home_of(before);
      }
    }
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const auto id = static_cast<value_id>(i);
      const storage_place& at = place_of(id);
      if (at.where != room::input && at.where != room::output) continue;
      if (home_of(id) == id)
        callers_.push_back({id, at});
      else
        callers_views_.push_back(id);
    }
  }
  bool lies_as_output(value_id source) const {
    return (!is_matrix(source) || is_by_columns(source)) &&
           stored_.is_part[index_of(source)] == 0 && may_lie_outside(home_of(source));
  }
  // True for a value that allows any stride and is not yet placed in a matrix of the caller.
  bool may_lie_outside(value_id home) const {
    return places_[index_of(home)].where == room::workspace &&
           (!is_matrix(home) || may_be_strided(home));
  }
  // Computed matrices that allow any stride. A result written over another matrix has its stride.
  void find_strided(const table<value_id>& overwrites) {
    const graph_view g = stored_view();
    may_be_strided_.resize(g.values.size());
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const auto id = static_cast<value_id>(i);
      if (home_of(id) != id || !is_matrix(id) || g[id].producer == node_id::none) continue;
      may_be_strided_[i] =
          stored_.operator_of(g[g[id].producer]).results != compute::storage_order::rows &&
                  stored_.read_plainly[i] == 0
              ? 1
              : 0;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < g.values.size(); ++i) {
        if (overwrites[i] == value_id::none) continue;
        char &mine = may_be_strided_[i], &other = may_be_strided_[index_of(home_of(overwrites[i]))];
        changed = changed || mine != other;
        if (mine != other) mine = other = 0;
      }
    }
  }
  bool may_be_strided(value_id home) const { return may_be_strided_[index_of(home)] != 0; }

  // Assigns offsets to blocks and scratch storage; live ranges are counted in steps. With padding,
  // everything begins at a cache line: the grouping of a sum, and so its last digit, depends on the
  // address within the line.
  error measure() {
    const graph_view g = stored_view();
    table<storage_block> blocks;
    table<std::uint32_t> of_home(g.values.size(), UINT32_MAX);
    const auto use = [&](value_id id, std::uint32_t at) {
      const storage_place& place = place_of(id);
      if (place.where != room::workspace) return;
      std::uint32_t& block = of_home[place.index];
      if (block == UINT32_MAX) {
        block = static_cast<std::uint32_t>(blocks.size());
        blocks.push_back({at, at, 0, alignment(), 0});
      }
      blocks[block].end = at;
      const std::int64_t size = elements_in_workspace(home_of(id));
      if (blocks[block].bytes < size) blocks[block].bytes = size;
    };
    table<std::uint32_t> scratch;
    for (std::uint32_t at = 0; at < steps_.size(); ++at) {
      execution_step<Real>& s = steps_[at];
      const node& n = g[s.last];
      for (std::uint32_t k = 0; k < n.outputs.count; ++k) use(graph_view::output_of(n, k), at);
      for (value_id operand : s.program.empty() ? g.inputs_of(n) : wf::view<value_id>(s.operands))
        use(operand, at);
      s.scratch = scratch_of(g, s);
      scratch.push_back(static_cast<std::uint32_t>(blocks.size()));
      blocks.push_back({at, at, s.scratch, alignment(), 0});
    }
    for (value_id id : stored_.outputs) use(id, UINT32_MAX);
    return place_all(blocks, of_home, scratch);
  }
  error place_all(table<storage_block>& blocks, const table<std::uint32_t>& of_home,
                  const table<std::uint32_t>& scratch) {
    for (const storage_block& b : blocks)
      if (b.bytes > INT64_MAX / 32) return too_large();
    const std::int64_t size = place_blocks(blocks, 0);
    if (size > INT64_MAX / 32) return too_large();
    elements_ = static_cast<std::size_t>(size);
    first_.resize(of_home.size());
    for (std::size_t i = 0; i < first_.size(); ++i)
      if (of_home[i] != UINT32_MAX) first_[i] = static_cast<std::size_t>(blocks[of_home[i]].offset);
    for (std::size_t at = 0; at < steps_.size(); ++at)
      steps_[at].scratch_first = static_cast<std::size_t>(blocks[scratch[at]].offset);
    return {};
  }
  std::int64_t alignment() const { return is_roomy_ ? line : least_alignment; }
  std::int64_t elements_in_workspace(value_id home) const {
    const shape& s = stored_.g[home].type.shape;
    return s.rank != 2 ? s.elements()
                       : stride_in_workspace(home) * s[is_by_columns(home) ? 1 : 0].size();
  }
  std::int64_t scratch_of(const graph_view& g, const execution_step<Real>& s) const {
    if (!s.program.empty())
      return compute::tile_scratch<Real>(s.program, g[graph_view::output_of(g[s.last])].type.shape);
    if (s.program_of_node) return s.program_of_node->scratch;
    const node& n = g[s.last];
    const auto scratch = stored_.operator_of(n).scratch;
    return scratch == nullptr ? 0 : scratch(g, n);
  }

  graph original_;
  node_bodies<Real> bodies_;  // of `original_`
  stored_graph<Real> stored_;
  std::vector<storage_place> places_;  // by home
  std::vector<char> may_be_strided_;   // by home
  std::vector<execution_step<Real>> steps_;
  std::vector<callers_value> callers_;
  std::vector<value_id> callers_views_;  // views into the caller's matrices
  std::vector<std::uint32_t> copied_outputs_;
  std::vector<std::size_t> first_;  // by block
  std::size_t elements_ = 0;
  bool is_roomy_ = false;
  bool is_concurrent_ = false;
};

}  // namespace detail

}  // namespace wf
