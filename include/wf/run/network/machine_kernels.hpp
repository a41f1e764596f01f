// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include <wf/partition/machine/run.hpp>
#include <wf/run/network/node_executable.hpp>
#include <wf/run/network/tensor_process.hpp>

namespace wf {

/// Computes the nodes of a deployment by the operators' implementations in the executor, on real
/// values: what `run_deployment<tensor_value>` calls. Each node is prepared when it first runs, and
/// kept; all machines of a class share it.
///
///     wf::machine_kernels computing(d);
///     const auto report = wf::run_deployment<wf::tensor_value>(d, kernels, script, roles, calls,
///                                                              computing);
///
/// A callback of a user's own may compute some operators itself and pass the others on to this.
class machine_kernels {
 public:
  /// What machines hold.
  using value = machine_value<tensor_value>;

  /// For a deployment, which must outlive it; `options` are those of the executor, with a user's
  /// implementations.
  explicit machine_kernels(const deployment& d, const execution_options& options = {})
      : options_(options) {
    for (const partition& p : d.program.parts().partitions) add(p.workflow.view());
    for (const bootstrap& b : d.bootstraps) add(b.workflow.view());
  }

  /// Computes the results of a node. Errors: those of `executable_graph::prepare`, among them
  /// `workflow_not_static` for symbolic shapes and `not_executable` for an operator without
  /// implementation; those of `executable_graph::run`, among them `numerical_failure`;
  /// `not_executable` for a node of another deployment or an operand without elements.
  error operator()(const graph_view& g, node_id id, view<const value*> operands,
                   table<value>& results, std::uint32_t) {
    const executable_graph* code = nullptr;
    if (error e = find(g, id, code); e.code != errc::none) return e;
    const view<value_id> read = g.inputs_of(g[id]);
    std::vector<input_matrix> in;
    for (std::size_t k = 0; k < read.size(); ++k) {
      bool is_first = true;  // an operand that occurs twice is one input
      for (std::size_t other = 0; other < k; ++other)
        is_first = is_first && read[other] != read[k];
      if (!is_first) continue;
      if (operands[k]->datum.elements == nullptr)
        return make_error(errc::not_executable, g.label(id).view(), "an operand has no elements");
      in.emplace_back(*operands[k]->datum.elements);
    }
    std::vector<output_matrix> out;
    for (std::uint32_t k = 0; k < results.size(); ++k) {
      const value_type& type = g[graph_view::output_of(g[id], k)].type;
      auto made = std::make_shared<dynamic_matrix>(detail::given_rows(type.shape),
                                                   detail::given_columns(type.shape));
      out.emplace_back(*made);
      results[k].datum = {type, static_cast<decltype(made)&&>(made)};
    }
    const auto done = code->run({in.data(), in.size()}, {out.data(), out.size()});
    return done ? error() : done.error();
  }
  /// Number of nodes that have run so far.
  std::size_t prepared() const {
    std::size_t count = 0;
    for (const auto& [nodes, codes] : codes_)
      for (const auto& code : codes) count += code != nullptr ? 1 : 0;
    return count;
  }

 private:
  // Graphs are told apart by their nodes' address.
  using program_codes = std::vector<std::unique_ptr<executable_graph>>;  // by node

  void add(const graph_view& g) {
    if (!g.nodes.empty()) codes_[g.nodes.data()].resize(g.nodes.size());
  }
  error find(const graph_view& g, node_id id, const executable_graph*& code) {
    const auto found = codes_.find(g.nodes.data());
    if (found == codes_.end())
      return make_error(errc::not_executable, g.label(id).view(),
                        "it is of no program of the deployment");
    std::unique_ptr<executable_graph>& kept = found->second[index_of(id)];
    if (kept == nullptr) {
      auto made = prepare_node(g, id, options_);
      if (!made) return made.error();
      kept = std::make_unique<executable_graph>(*static_cast<decltype(made)&&>(made));
    }
    code = kept.get();
    return {};
  }

  execution_options options_;
  std::unordered_map<const node*, program_codes> codes_;
};

}  // namespace wf
