// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <wf/cost/peak.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/fit.hpp>
#include <wf/run/operators/operation.hpp>
#include <wf/run/operators/tiles.hpp>
#include <wf/run/plan/layout.hpp>
#include <wf/run/values/matrix_argument.hpp>

// The decisions that the run-time executor makes before a run: the steps and the storage of values.
namespace wf {

namespace detail {

// Advice naming the executor that can hold the elements of this workflow, one of which has this
// type: the integer executors if all values are integers or booleans.
inline text_view instead_for(const graph_view& g, dtype type) {
  bool all_whole = true;
  dtype widest = type;
  for (const value& v : g.values) {
    const dtype d = v.type.type;
    all_whole = all_whole && (is_integer(d) || d == dtype::boolean);
    if (size_of(d) > size_of(widest)) widest = d;
  }
  if (all_whole && is_integer(type))
    return size_of(widest) <= 4 ? ": use wf::executable_graph_i32 or wf::executable_graph_i64"
                                : ": use wf::executable_graph_i64";
  if (is_integer(type) && !is_complex(widest)) return ": use wf::executable_graph";
  if (is_integer(type)) type = widest;
  if (type == dtype::f64) return ": use wf::executable_graph";
  if (type == dtype::c64) return ": use wf::executable_graph_c64";
  if (type == dtype::c128) return ": use wf::executable_graph_c128";
  return "";
}
template <class Real>
error unheld(const graph_view& g, text_view subject, dtype type) {
  return make_error(
      errc::not_executable, subject,
      (text() << "this executor, of " << name_of(dtype_of<Real>) << ", has no elements of type "
              << name_of(type) << instead_for(g, type))
          .view());
}
// The reason why a node cannot be executed, or no error.
template <class Real>
error execution_fault(const graph_view& g, node_id id,
                      const compute::executable_operator<Real>* known, const registry& kernels) {
  const node& n = g[id];
  const text label = g.label(id);
  if (is_rolled_loop(g, n))
    return make_error(errc::not_executable, label.view(), "a loop: unroll it first (wf::unroll)");
  for (std::uint32_t k = 0; k < n.inputs.count + n.outputs.count; ++k) {
    const value_id value = k < n.inputs.count
                               ? g.inputs_of(n)[k]
                               : static_cast<value_id>(n.outputs.first + k - n.inputs.count);
    const dtype d = g[value].type.type;
    if (!compute::holds<Real>(d)) return unheld<Real>(g, label.view(), d);
  }
  if (const kernel_spec* k = kernels.find(g.op_name(n)); k != nullptr)
    if (error e = find_misfit(g, id, *k); e.code != errc::none) return e;
  if (known == nullptr)
    return make_error(errc::not_executable, label.view(),
                      (text() << "nobody implemented " << g.op_name(n)
                              << ": give `execution_options::kernels` a registry with "
                                 "wf::executable_kernels of what wf::implement makes")
                          .view());
  if (known->fault != nullptr)
    if (const text_view fault = known->fault(g, n); !fault.empty())
      return make_error(errc::not_executable, label.view(), fault);
  return {};
}

// The storage of a value during a run.
struct storage_place {
  enum class room : std::uint8_t {
    nowhere,    // computed tile by tile in the step that reads it
    input,      // the caller's input matrix `index`
    output,     // the caller's output matrix `index`
    workspace,  // block `index` of the workspace
  };
  room where = room::nowhere;
  std::uint32_t index = 0;

  friend bool operator==(const storage_place&, const storage_place&) = default;
};

// One node, or several elementwise nodes fused into one loop over tiles.
template <class Real>
struct execution_step {
  node_id last = node_id::none;    // the results of this node are those of the step
  std::vector<node_id> nodes;      // the fused elementwise nodes, in order
  std::vector<value_id> operands;  // operands of the fused nodes
  std::vector<compute::tile_instruction<Real>> program;  // of fused nodes, else empty
  std::int64_t scratch = 0;                              // elements of scratch storage
  std::size_t scratch_first = 0;  // offset of the scratch storage in the workspace, in elements
  std::shared_ptr<const Real[]> constants;  // of a single node, from its attributes
};

// A step whose tensors have addresses.
template <class Real>
struct bound_step {
  node_id last = node_id::none;
  const node_id* nodes = nullptr;                        // the fused nodes
  std::optional<compute::application<Real>> node;        // a single node, or
  std::vector<compute::tensor_view<Real>> operands;      // operands of the fused nodes
  std::optional<compute::detail::tile_run<Real>> tiles;  // the loop over tiles of the fused nodes
};

// An executable static graph and the storage of its values.
template <class Real>
class execution_plan {
 public:
  using room = storage_place::room;

  // `share_buffers`: values share storage, and a run takes no more than `peak_memory` states;
  // `promised`: with the storage plan behind that price, node by node, however slow.
  static result<execution_plan<Real>> make(graph g, const registry& kernels, bool share_buffers,
                                           bool promised = false) {
    execution_plan<Real> out;
    out.original_ = static_cast<graph&&>(g);
    const graph_view v = out.original_.view();
    auto order = topological_order(v);
    if (!order) return order.error();
    std::vector<const compute::executable_operator<Real>*> operators;
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
    if (!share_buffers) {
      out.stored_ = layout_planner<Real>(out.original_, *order, kernels).run();
      if (error e = out.place(kernels, false, true); e.code != errc::none) return e;
      return out;
    }
    return out.shared(*order, kernels, promised);
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

  // The tensors of a workspace; those in the caller's matrices have no address yet.
  std::vector<compute::tensor_ref<Real>> values_in(Real* workspace) const {
    const graph_view g = stored_.g.view();
    std::vector<compute::tensor_ref<Real>> values;
    values.reserve(g.values.size());
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const value_id home = home_of(static_cast<value_id>(i));
      const storage_place& at = places_[index_of(home)];
      Real* const elements = at.where == room::workspace ? workspace + first_[at.index] : nullptr;
      const Eigen::Index stride =
          elements != nullptr && is_matrix(home) ? stride_in_workspace(home) : 0;
      values.push_back({g.values[i].type.shape, elements, stored_.by_columns[i] != 0, stride});
    }
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      if (const auto id = static_cast<value_id>(i); home_of(id) != id) see(id, values);
    return values;
  }

  // Computes the outputs from inputs whose shapes were checked. `values` are those of the
  // workspace.
  error run(wf::view<basic_input_matrix<Real>> inputs, wf::view<basic_output_matrix<Real>> outputs,
            Real* workspace, std::vector<compute::tensor_ref<Real>>& values) const {
    lay(inputs, outputs, values);
    for (const execution_step<Real>& s : steps_)
      if (error e = run_step(s, workspace + s.scratch_first, values.data()); e.code != errc::none)
        return e;
    hand_out(outputs, values);
    return {};
  }

  // Binds the steps to checked inputs and outputs; both, and `values`, must keep their addresses.
  std::vector<bound_step<Real>> bind(wf::view<basic_input_matrix<Real>> inputs,
                                     wf::view<basic_output_matrix<Real>> outputs, Real* workspace,
                                     std::vector<compute::tensor_ref<Real>>& values) const {
    lay(inputs, outputs, values);
    const graph_view g = stored_.g.view();
    std::vector<bound_step<Real>> out;
    for (const execution_step<Real>& s : steps_) {
      bound_step<Real>& b = out.emplace_back();
      b.last = s.last;
      if (s.program.empty()) {
        b.node.emplace(g, g[s.last], values.data(), workspace + s.scratch_first, s.scratch,
                       s.constants.get());
        continue;
      }
      b.nodes = s.nodes.data();
      for (value_id operand : s.operands) b.operands.push_back(values[index_of(operand)].view());
      b.tiles.emplace(values[g[s.last].outputs.first],
                      wf::view<compute::tensor_view<Real>>(b.operands.data(), b.operands.size()),
                      wf::view<compute::tile_instruction<Real>>(s.program),
                      workspace + s.scratch_first);
    }
    return out;
  }
  // The same as `run`, for bound steps.
  error run_bound(const std::vector<bound_step<Real>>& steps,
                  wf::view<basic_output_matrix<Real>> outputs,
                  const std::vector<compute::tensor_ref<Real>>& values) const {
    for (const bound_step<Real>& b : steps) {
      if (b.tiles) {
        if (error e = tile_failure(b.tiles->run(), b.nodes); e.code != errc::none) return e;
      } else if (error e = run_node(b.last, *b.node); e.code != errc::none) {
        return e;
      }
    }
    hand_out(outputs, values);
    return {};
  }

 private:
  static constexpr std::int64_t line = 64 / sizeof(Real);  // elements in a cache line

  // Alignment for elements of eight bytes, which functions of the user may request as scratch
  // storage.
  static constexpr std::int64_t least_alignment = sizeof(Real) < 8 ? 8 / sizeof(Real) : 1;

  struct callers_value {
    value_id value = value_id::none;
    storage_place place;
  };

  // Derives the address and stride of a view from its home.
  void see(value_id id, std::vector<compute::tensor_ref<Real>>& values) const {
    const compute::tensor_ref<Real>& home = values[index_of(home_of(id))];
    const storage_reading& r = stored_.readings[index_of(id)];
    compute::tensor_ref<Real>& t = values[index_of(id)];
    if (home.elements == nullptr) return;
    if (r.of_matrix) {
      const compute::matrix_ref<Real> m = compute::matrix(home);
      t.elements = m.elements + static_cast<Eigen::Index>(r.start[0]) * m.row_step() +
                   static_cast<Eigen::Index>(r.start[1]) * m.column_step();
      t.stride = m.stride;
    } else {
      t.elements = home.elements + r.first;
      t.stride = is_matrix(id) ? static_cast<Eigen::Index>(r.step[t.by_columns ? 1 : 0]) : 0;
    }
  }

  // Sets the addresses of the values in the caller's matrices, and of views of them.
  void lay(wf::view<basic_input_matrix<Real>> inputs, wf::view<basic_output_matrix<Real>> outputs,
           std::vector<compute::tensor_ref<Real>>& values) const {
    for (const callers_value& v : callers_) {
      compute::tensor_ref<Real>& t = values[index_of(v.value)];
      if (v.place.where == room::output) {
        lay(t, outputs[v.place.index].where());
      } else {
        // No result is placed in an input, so nothing writes through this pointer.
        const compute::matrix_view<Real>& m = inputs[v.place.index].where();
        lay(t, {const_cast<Real*>(m.elements), m.rows, m.columns, m.stride, m.by_columns});
      }
    }
    for (value_id id : callers_views_) see(id, values);
  }
  // Only matrices have a stride: vectors are columns, other tensors were checked to be contiguous.
  static void lay(compute::tensor_ref<Real>& t, const compute::matrix_ref<Real>& m) {
    t.elements = m.elements;
    t.stride = t.shape.rank == 2 ? m.stride : 0;
  }
  error too_large() const {
    return make_error(errc::not_executable, original_.text_of(view().name),
                      "its values need more memory than there is");
  }
  graph_view stored_view() const { return stored_.g.view(); }
  value_id home_of(value_id id) const { return stored_.home[index_of(id)]; }
  bool is_matrix(value_id id) const { return stored_.g[id].type.shape.rank == 2; }
  bool is_by_columns(value_id id) const { return stored_.by_columns[index_of(id)] != 0; }

  // --- places -----------------------------------------------------------------------------------

  // A run may take no more than `peak_memory` states for the workflow in this order, including the
  // inputs that are read in place, with all elements counted at the size of the largest. Returns
  // the fastest of four plans within that bound: with preferred storage orders, copies and padding;
  // without padding; with column-major matrices and only necessary copies; the storage plan itself,
  // node by node. If operators need more scratch storage than they state, no plan is sure to stay
  // within the bound.
  result<execution_plan<Real>> shared(const table<node_id>& order, const registry& kernels,
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
      execution_plan<Real> out;
      out.original_ = original_;
      out.stored_ = layout_planner<Real>(original_, order, kernels, how.aim).run();
      if (error e = out.place(kernels, true, how.roomy); e.code != errc::none) return e;
      const auto bytes = static_cast<std::int64_t>(out.elements_ * sizeof(Real));
      if (!promised || given + bytes <= promised->bytes) return out;
      if (!how.roomy && !can_follow) return out;
    }
    execution_plan<Real> out;
    out.original_ = original_;
    out.stored_ = layout_planner<Real>(original_, order, kernels, layout_aim::memory).run();
    out.follow(*promised);
    return out;
  }
  // True if no operator needs more scratch storage than it states.
  bool states_scratch(const registry& kernels) const {
    const auto stated = scratch_of_nodes(view(), kernels, peak_memory);
    for (std::uint32_t i = 0; stated && i < view().nodes.size(); ++i) {
      const node& n = view().nodes[i];
      const auto scratch = compute::find_operator<Real>(view().op_name(n), kernels)->scratch;
      const std::int64_t needed = scratch == nullptr ? 0 : scratch(view(), n);
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
    const storage_schedule schedule =
        schedule_storage(rule, stored_.order, how, [this](value_id result, value_id operand) {
          return is_by_columns(result) == is_by_columns(operand);
        });
    number_blocks(schedule.overwrites);
    make_steps(true);
    if (share) return measure();
    return measure_apart();
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
    if (!s.program.empty()) {
      std::int64_t slots = 0;
      for (const compute::tile_instruction<Real>& i : s.program)
        slots = std::max<std::int64_t>(slots, i.to + 1 - std::int64_t{compute::max_tile_inputs});
      return slots * compute::tile_length_of(g[graph_view::output_of(g[s.last])].type.shape);
    }
    const node& n = g[s.last];
    const auto scratch = stored_.operator_of(n).scratch;
    return scratch == nullptr ? 0 : scratch(g, n);
  }

  // --- steps ------------------------------------------------------------------------------------

  // Fuses consecutive elementwise nodes, each read by later nodes of the group only, into one step
  // if `joined`; otherwise each node is a step.
  void make_steps(bool joined) {
    const graph_view g = stored_view();
    table<std::uint32_t> readers(g.values.size());
    for (value_id operand : g.operands) ++readers[index_of(operand)];
    for (value_id id : stored_.outputs) ++readers[index_of(id)];
    std::vector<node_id> nodes;
    for (node_id id : stored_.order)
      if (stored_.is_executed(g[id])) nodes.push_back(id);
    while (!nodes.empty()) {
      std::size_t first = nodes.size() - 1;
      if (joined && is_tiled(g, nodes.back()))
        while (first > 0 && joins(g, nodes, first - 1, readers)) --first;
      steps_.push_back(step_of(g, nodes, first));
      for (std::size_t i = first; i + 1 < nodes.size(); ++i)
        places_[g[nodes[i]].outputs.first] = {};
      nodes.resize(first);
    }
    std::reverse(steps_.begin(), steps_.end());
  }
  bool is_tiled(const graph_view& g, node_id id) const {
    const node& n = g[id];
    return stored_.operator_of(n).tile != nullptr && n.outputs.count == 1 &&
           g.values[n.outputs.first].type.type == dtype_of<Real>;
  }
  // True if node `at` can be fused with the nodes after it.
  bool joins(const graph_view& g, const std::vector<node_id>& nodes, std::size_t at,
             const table<std::uint32_t>& readers) const {
    const value_id result = graph_view::output_of(g[nodes[at]]);
    const value_id last = graph_view::output_of(g[nodes.back()]);
    if (!is_tiled(g, nodes[at]) || !(g[result].type.shape == g[last].type.shape)) return false;
    if (g[nodes[at]].effects != effect::pure) return false;
    std::uint32_t inside = 0;
    for (std::size_t i = at + 1; i < nodes.size(); ++i)
      for (value_id operand : g.inputs_of(g[nodes[i]])) inside += operand == result ? 1 : 0;
    if (inside != readers[index_of(result)]) return false;
    const execution_step<Real> s = step_of(g, nodes, at);
    if (s.program.size() > compute::max_tile_inputs || s.operands.size() > compute::max_tile_inputs)
      return false;
    // Only element by element may the result overwrite an operand.
    for (value_id operand : s.operands)
      if (place_of(operand) == place_of(last) && !lie_alike(operand, last)) return false;
    return true;
  }
  bool lie_alike(value_id a, value_id b) const {
    return stored_.g[a].type.shape == stored_.g[b].type.shape &&
           is_by_columns(a) == is_by_columns(b) && stored_.is_part[index_of(a)] == 0;
  }

  // The step of the nodes from `first` on.
  execution_step<Real> step_of(const graph_view& g, const std::vector<node_id>& nodes,
                               std::size_t first) const {
    execution_step<Real> s;
    s.last = nodes.back();
    if (!is_tiled(g, nodes.back())) {
      const node& n = g[s.last];
      if (const auto write = stored_.operator_of(n).constants; write != nullptr) {
        const std::int64_t count = g[graph_view::output_of(n)].type.shape.elements();
        const std::shared_ptr<Real[]> numbers(new Real[static_cast<std::size_t>(count)]);
        write(g, n, numbers.get());
        s.constants = numbers;
      }
      return s;
    }
    std::vector<value_id> slots;  // the intermediate values, by slot
    for (std::size_t at = first; at < nodes.size(); ++at) {
      const node& n = g[nodes[at]];
      compute::tile_instruction<Real> i{stored_.operator_of(n).tile, n.inputs.count};
      i.role = stored_.operator_of(n).role;
      if (const auto read = stored_.operator_of(n).parameters; read != nullptr)
        read(g, n, i.parameters);
      for (std::uint32_t k = 0; k < n.inputs.count; ++k)
        i.from[k] = source_of(g.inputs_of(n)[k], s.operands, slots);
      // The last reader of a slot frees it.
      for (value_id& slot : slots)
        if (slot != value_id::none && !is_read_after(g, nodes, at, slot)) slot = value_id::none;
      std::size_t slot = 0;
      while (slot < slots.size() && slots[slot] != value_id::none) ++slot;
      if (at + 1 < nodes.size()) {
        if (slot == slots.size()) slots.push_back(value_id::none);
        slots[slot] = graph_view::output_of(n);
        i.to = static_cast<std::uint8_t>(compute::max_tile_inputs + slot);
      }
      s.program.push_back(i);
      s.nodes.push_back(nodes[at]);
    }
    return s;
  }
  static std::uint8_t source_of(value_id operand, std::vector<value_id>& operands,
                                const std::vector<value_id>& slots) {
    for (std::size_t k = 0; k < slots.size(); ++k)
      if (slots[k] == operand) return static_cast<std::uint8_t>(compute::max_tile_inputs + k);
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (operands[k] == operand) return static_cast<std::uint8_t>(k);
    operands.push_back(operand);
    return static_cast<std::uint8_t>(operands.size() - 1);
  }
  static bool is_read_after(const graph_view& g, const std::vector<node_id>& nodes, std::size_t at,
                            value_id value) {
    for (std::size_t i = at + 1; i < nodes.size(); ++i)
      for (value_id operand : g.inputs_of(g[nodes[i]]))
        if (operand == value) return true;
    return false;
  }

  // --- running ----------------------------------------------------------------------------------

  error run_step(const execution_step<Real>& s, Real* scratch,
                 const compute::tensor_ref<Real>* values) const {
    const graph_view g = stored_.g.view();
    const node& n = g[s.last];
    if (s.program.empty())
      return run_node(s.last, {g, n, values, scratch, s.scratch, s.constants.get()});
    compute::tensor_view<Real> operands[compute::max_tile_inputs];
    for (std::size_t k = 0; k < s.operands.size(); ++k)
      operands[k] = values[index_of(s.operands[k])].view();
    return tile_failure(compute::run_tiles(values[n.outputs.first], {operands, s.operands.size()},
                                           s.program, scratch),
                        s.nodes.data());
  }
  // The error of the instruction that failed, or none.
  error tile_failure(std::size_t failed, const node_id* nodes) const {
    if (failed == compute::all_computed) return {};
    const graph_view g = stored_.g.view();
    return failure(g, g[nodes[failed]], nodes[failed], compute::detail::unfit<Real>());
  }
  error run_node(node_id id, const compute::application<Real>& a) const {
    const graph_view& g = a.graph();
    const node& n = a.node();
    text why = stored_.operator_of(n).run(a);
    for (std::uint32_t k = 0; why.empty() && k < a.results(); ++k)
      if (!compute::settle(a.result_type(k), a.out(k)))
        why << "an element of the result does not exist or does not fit "
            << name_of(a.result_type(k));
    return why.empty() ? error() : failure(g, n, id, why);
  }
  // Copies the outputs that were not computed in place.
  void hand_out(wf::view<basic_output_matrix<Real>> outputs,
                const std::vector<compute::tensor_ref<Real>>& values) const {
    for (std::uint32_t k : copied_outputs_) {
      const compute::tensor_ref<Real>& from = values[index_of(stored_.outputs[k])];
      compute::copy(outputs[k].where(), as_given(from.view(), outputs[k].where()));
    }
  }
  error failure(const graph_view& g, const node& n, node_id id, const text& why) const {
    if (index_of(id) < view().nodes.size())
      return make_error(errc::numerical_failure, g.label(id).view(),
                        (text() << g.op_name(n) << " failed: " << why.view()).view());
    const value& input = g[g.inputs_of(n)[0]];
    return make_error(
        errc::argument_shape, g.text_of(input.name),
        (text() << "its elements are not all of type " << name_of(input.type.type)).view());
  }
  // A tensor as a matrix of the caller's shape: a vector as a column, others as a row or a column.
  static compute::matrix_view<Real> as_given(const compute::tensor_view<Real>& t,
                                             const compute::matrix_ref<Real>& to) {
    if (t.shape.rank == 2) return compute::matrix(t);
    return {t.elements, to.rows, to.columns, to.rows, true};
  }

  graph original_;
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
};

}  // namespace detail

}  // namespace wf
