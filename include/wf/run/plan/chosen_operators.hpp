// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

#include <wf/core/container/table.hpp>
#include <wf/cost/implementation_times.hpp>
#include <wf/ir/graph/view.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/operators/operators.hpp>
#include <wf/run/parallel/team.hpp>

namespace wf {

namespace detail {

// The implementations of the nodes of a static graph: the executor's own, or a library's where it
// takes less time on the threads of the current team (`implementation_times`).
template <class Real>
class chosen_operators {
 public:
  chosen_operators() = default;
  // The kernels must outlive this. A node that the library's implementation refuses, or whose times
  // are not known, has the executor's own.
  chosen_operators(const graph_view& g, const registry& kernels) {
    bool has_library = false;
    for (const operation& o : g.operations) {
      const text_view name = g.text_of(o.name);
      const kernel_spec* const k = kernels.find(name);
      own_.push_back(compute::find_operator<Real>(name, kernels));
      library_.push_back(k == nullptr ? nullptr : k->library.template of<Real>());
      has_library = has_library || library_.back() != nullptr;
    }
    if (has_library) choose(g, kernels);
  }

  // The implementation of a node's operator, owned by the registry or built in; null if there is
  // none. Nodes that were added to the graph since then have the executor's own.
  const compute::operator_implementation<Real>* of(const node& n) const {
    const bool by_library = n.outputs.count != 0 && n.outputs.first < by_library_.size() &&
                            by_library_[n.outputs.first] != 0;
    return by_library ? library_[n.op] : own_[n.op];
  }

 private:
  void choose(const graph_view& g, const registry& kernels) {
    by_library_.resize(g.values.size());
    implementation_pricer prices(g, static_cast<std::uint32_t>(compute::team::current().size()),
                                 kernels);
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      const node& n = g.nodes[i];
      const compute::operator_implementation<Real>* const library = library_[n.op];
      if (library == nullptr || own_[n.op] == nullptr || n.outputs.count == 0 ||
          (library->fault != nullptr && !library->fault(g, n).empty()))
        continue;
      const auto times = prices.price(static_cast<node_id>(i));
      by_library_[n.outputs.first] = times && times->is_by_library() ? 1 : 0;
    }
  }

  std::vector<const compute::operator_implementation<Real>*> own_, library_;  // by operation
  table<char> by_library_;  // by value: 1 for the first result of a node that a library computes
};

}  // namespace detail

}  // namespace wf
