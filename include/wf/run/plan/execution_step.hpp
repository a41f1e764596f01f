// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <wf/core/text/text.hpp>
#include <wf/ir/graph/node.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/tile_program.hpp>
#include <wf/run/operators/tiles.hpp>
#include <wf/run/values/tensor.hpp>

// The steps of an execution, and where the values lie that they compute.
namespace wf {

namespace detail {

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

// What a node runs instead of its operator's function: a workflow of its own.
template <class Real>
struct node_program {
  std::int64_t scratch = 0;  // elements of scratch storage that a run needs
  // Computes the results. Returns the reason of a failure, empty on success.
  std::function<text(const compute::application<Real>&, const std::stop_token&)> run;
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
  std::shared_ptr<const node_program<Real>> program_of_node;  // of a single node with a body
};

// A step whose tensors have addresses.
template <class Real>
struct bound_step {
  node_id last = node_id::none;
  const node_id* nodes = nullptr;                  // the fused nodes
  std::optional<compute::application<Real>> node;  // a single node, or
  const node_program<Real>* program_of_node = nullptr;
  std::vector<compute::tensor_view<Real>> operands;      // operands of the fused nodes
  std::optional<compute::detail::tile_run<Real>> tiles;  // the loop over tiles of the fused nodes
};

}  // namespace detail

}  // namespace wf
