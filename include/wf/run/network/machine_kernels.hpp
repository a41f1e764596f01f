// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <wf/partition/machine/run.hpp>
#include <wf/run/network/node_executable.hpp>

namespace wf {

namespace detail {

// Tensors of one shape along a new first dimension, in the layout of the executor: a matrix by its
// columns, and a tensor of higher rank as a row of its elements in row-major order.
inline void stack(const std::vector<const dynamic_matrix*>& parts, std::uint32_t rank,
                  dynamic_matrix& all) {
  using by_rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Index at = 0;
  for (const dynamic_matrix* part : parts) {
    if (rank < 2)
      all.row(at++) = part->transpose();
    else
      Eigen::Map<by_rows>(all.data() + part->size() * at++, part->rows(), part->cols()) = *part;
  }
}

}  // namespace detail

/// A tensor on a machine: its type and its elements, which copies share.
struct machine_tensor {
  /// The type, whose shape is fixed.
  value_type of;
  /// The elements, in the layout of `basic_dynamic_matrix`.
  std::shared_ptr<const dynamic_matrix> elements;
  /// Of the result of an operator: its operands, if it is a view of them.
  std::shared_ptr<const std::vector<machine_tensor>> viewed;
};

/// Computes the nodes of a deployment by the operators' implementations in the executor, on real
/// values: what `run_deployment<machine_tensor>` calls. Each node is prepared when it first runs,
/// and kept; all machines of a class share it.
///
///     wf::machine_kernels computing(d);
///     const auto report = wf::run_deployment<wf::machine_tensor>(d, kernels, script, roles, calls,
///                                                                computing);
///
/// Results are those of `executable_graph` for `without_messages`, to the bit, except for the last
/// bits of a product that reads a transposed matrix, whose order of summation depends on whether
/// the matrix is stored by rows or by columns: the executor chooses that for a whole workflow,
/// while a message and a result here are stored by columns. A transpose that a product reads on the
/// same machine is a view of the same matrix, as in the executor.
///
/// A callback of a user's own may compute some operators itself and pass the others on to this.
class machine_kernels {
 public:
  /// What machines hold.
  using value = machine_value<machine_tensor>;

  /// For a deployment, which must outlive it; `options` are those of the executor, with a user's
  /// implementations.
  explicit machine_kernels(const deployment& d, const execution_options& options = {})
      : options_(options) {
    for (const partition& p : d.parts().partitions) add(p.workflow.view());
    for (const bootstrap& b : d.bootstraps) add(b.workflow.view());
  }

  /// Computes the results of a node. Errors: those of `executable_graph::prepare`, among them
  /// `workflow_not_static` for symbolic shapes and `not_executable` for an operator without
  /// implementation; those of `executable_graph::run`, among them `numerical_failure`;
  /// `not_executable` for a node of another deployment or an operand without elements.
  error operator()(const graph_view& g, node_id id, view<const value*> operands,
                   table<value>& results, std::uint32_t) {
    code* made = nullptr;
    if (error e = find(g, id, made); e.code != errc::none) return e;
    if (made == nullptr) return collect(g, id, operands, results);
    std::vector<input_matrix> in;
    for (const lone_node::path& path : made->inputs) {
      const machine_tensor* x = &operands[path[0]]->datum;
      for (std::size_t k = 1; k < path.size() && x->viewed != nullptr; ++k)
        x = &(*x->viewed)[path[k]];
      if (x->elements == nullptr) return without_elements(g, id);
      in.emplace_back(*x->elements);
    }
    std::vector<output_matrix> out;
    for (std::uint32_t k = 0; k < results.size(); ++k) {
      const value_type& type = g[graph_view::output_of(g[id], k)].type;
      auto elements = std::make_shared<dynamic_matrix>(detail::given_rows(type.shape),
                                                       detail::given_columns(type.shape));
      out.emplace_back(*elements);
      results[k].datum = {type, std::move(elements), nullptr};
    }
    const auto done = made->executable.run({in.data(), in.size()}, {out.data(), out.size()});
    if (!done) return done.error();
    if (made->is_view) {
      std::vector<machine_tensor> viewed;
      for (const value* x : operands) viewed.push_back(x->datum);
      results[0].datum.viewed =
          std::make_shared<const std::vector<machine_tensor>>(std::move(viewed));
    }
    return {};
  }
  /// Number of nodes that have run so far.
  std::size_t prepared() const {
    std::size_t count = 0;
    for (const auto& [nodes, codes] : codes_)
      for (const auto& made : codes) count += made != nullptr ? 1 : 0;
    return count;
  }

 private:
  struct code {
    executable_graph executable;
    std::vector<lone_node::path> inputs;
    bool is_view = false;
  };
  using program_codes = std::vector<std::unique_ptr<code>>;  // by node

  void add(const graph_view& g) {
    if (!g.nodes.empty()) codes_[g.nodes.data()].resize(g.nodes.size());
  }
  static error without_elements(const graph_view& g, node_id id) {
    return make_error(errc::not_executable, g.label(id).view(), "an operand has no elements");
  }
  static error collect(const graph_view& g, node_id id, view<const value*> operands,
                       table<value>& results) {
    const value_type& one = g[g.inputs_of(g[id])[0]].type;
    const value_type& type = g[graph_view::output_of(g[id])].type;
    std::vector<const dynamic_matrix*> parts;
    for (const value* x : operands) {
      if (x->datum.elements == nullptr) return without_elements(g, id);
      parts.push_back(x->datum.elements.get());
    }
    auto all = std::make_shared<dynamic_matrix>(detail::given_rows(type.shape),
                                                detail::given_columns(type.shape));
    detail::stack(parts, one.shape.rank, *all);
    results[0].datum = {type, std::move(all), nullptr};
    return {};
  }
  const registry& kernels() const {
    return options_.kernels != nullptr ? *options_.kernels : builtin_;
  }
  // None of a node that collects: the executor knows no machines.
  error find(const graph_view& g, node_id id, code*& made) {
    const auto found = codes_.find(g.nodes.data());
    if (found == codes_.end())
      return make_error(errc::not_executable, "machine_kernels",
                        "the node is of no program of the deployment");
    std::unique_ptr<code>& kept = found->second[index_of(id)];
    if (kept == nullptr) {
      if (kernels().meaning_of(g.op_name(g[id])) == meaning::collection) return {};
      auto alone = node_alone(g, id, &kernels());
      if (!alone) return alone.error();
      auto executable = executable_graph::prepare(alone->workflow.view(), options_);
      if (!executable) return executable.error();
      const kernel_spec* const k = kernels().find(g.op_name(g[id]));
      kept = std::make_unique<code>(
          code{*std::move(executable), std::move(alone->inputs), k != nullptr && k->is_view});
    }
    made = kept.get();
    return {};
  }

  execution_options options_;
  registry builtin_ = builtin_registry();
  std::unordered_map<const node*, program_codes> codes_;  // by the address of a program's nodes
};

/// A call of the host with matrices as arguments, by the names of inputs; those that no program of
/// the host reads are left out. Errors: `argument_shape`. O(arguments · inputs).
inline result<machine_call<machine_tensor>> tensor_call(const deployment& d,
                                                        const named_matrices& arguments,
                                                        std::int64_t at = 0,
                                                        std::uint32_t machine = 0) {
  machine_call<machine_tensor> out{machine, at, {}};
  for (const partition& p : d.parts().partitions) {
    const graph_view g = p.workflow.view();
    if (p.role.view() != host_class) continue;
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const value& v = g.values[i];
      const auto given = arguments.find(std::string(g.text_of(v.name)));
      if (v.producer != node_id::none || v.type.type == dtype::peer || given == arguments.end())
        continue;
      bool is_stated = false;  // for another program of the host
      for (const auto& a : out.arguments)
        is_stated = is_stated || a.input.view() == g.text_of(v.name);
      if (is_stated) continue;
      auto elements = std::make_shared<const dynamic_matrix>(given->second);
      if (error e = detail::matrix_fault(g, g.text_of(v.name), static_cast<value_id>(i),
                                         input_matrix(*elements).where());
          e.code != errc::none)
        return e;
      out.arguments.push_back({text(g.text_of(v.name)), {v.type, std::move(elements), nullptr}});
    }
  }
  return out;
}

/// The outputs of a call, by name: those of the call and those that needed none. Outputs that did
/// not come are missing. Errors: `duplicate_name` for one that came more than once, because a value
/// was sent to several machines. O(outputs · log outputs).
inline result<named_matrices> tensor_outputs(const deployment& d,
                                             const machine_report<machine_tensor>& report,
                                             std::uint64_t call = 1) {
  named_matrices out;
  for (const machine_output<machine_tensor>& o : report.outputs) {
    if ((o.call != call && o.call != 0) || o.value.datum.elements == nullptr) continue;
    const graph_view g = d.parts().partitions[o.program].workflow.view();
    const text_view name = g.text_of(g.outputs[o.output].name);
    if (!out.emplace(std::string(name), *o.value.datum.elements).second)
      return make_error(errc::duplicate_name, name, "it came more than once");
  }
  return out;
}

}  // namespace wf
