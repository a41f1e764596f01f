// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <wf/ir/graph/view.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/plan/execution_step.hpp>

// What a placement of storage is asked for, and the prepared bodies of the nodes of a graph.
namespace wf {

namespace detail {

// What a storage placement must provide for.
struct storage_request {
  bool share_buffers = true;  // values share storage, and a run takes no more than `peak_memory`
                              // states, unless steps run at the same time
  bool promised = false;      // with the storage plan behind that price, node by node, however slow
  bool concurrent = false;    // steps run at the same time, and what may, shares no storage
  std::size_t most_bytes = SIZE_MAX;  // if that takes more than this, steps wait for storage
};

// Prepares the body of a node of a valid graph.
template <class Real>
using body_maker = result<std::shared_ptr<const node_program<Real>>> (*)(const graph_view&, node_id,
                                                                         const registry&,
                                                                         const storage_request&);

// The prepared bodies of a graph's nodes.
template <class Real>
class node_bodies {
 public:
  static result<node_bodies<Real>> make(const graph_view& g, const registry& kernels,
                                        const storage_request& request,
                                        body_maker<Real> make_body) {
    node_bodies<Real> out;
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      if (!kernels.repeats(g.op_name(g.nodes[i]))) continue;
      const auto id = static_cast<node_id>(i);
      if (make_body == nullptr)
        return make_error(errc::not_executable, g.label(id).view(), "nobody prepares its body");
      auto made = make_body(g, id, kernels, request);
      if (!made) return made.error();
      out.bodies_.resize(g.nodes.size());
      out.bodies_[i] = *made;
    }
    return out;
  }
  // The body of a node; null if it has none.
  std::shared_ptr<const node_program<Real>> of(node_id id) const {
    return index_of(id) < bodies_.size() ? bodies_[index_of(id)] : nullptr;
  }

 private:
  std::vector<std::shared_ptr<const node_program<Real>>> bodies_;  // empty, or by node
};

}  // namespace detail

}  // namespace wf
