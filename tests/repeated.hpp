// SPDX-License-Identifier: BSL-1.0
#pragma once

// Nodes that run a body again and again, and the same workflows with the runs written out.
#include <cstdint>
#include <string>
#include <vector>

#include <wf/capture/equations/equations.hpp>
#include <wf/capture/fixpoint.hpp>
#include <wf/ir/form/body.hpp>

namespace repeated {

/// Bodies whose values stay of moderate size, over matrices of size n and vectors of size n.
inline constexpr const char* bodies[] = {
    "input A : f64[n,n]; input b : f64[n]; input x_ : f64[n]; x = b - 0.2 * (A x_); export x",
    "input A : f64[n,n]; input x_ : f64[n]; x[i] = tanh(A[i,j] x_[j]); export x",
    "input A : f64[n,n]; input X_ : f64[n,n]; X = 0.5 * (tanh(A X_) + trans(A)); export X",
    "input A : f64[n,n]; input X_ : f64[n,n]; X = trans(X_); export X",
    "input A : f64[n,n]; input X_ : f64[n,n]; X = minimum(A, X_); export X",
    "input b : f64[n]; input x_ : f64[n]; x = b; export x",
    "input A : f64[n,n]; input b : f64[n]; input X_ : f64[n,n]; input y_ : f64[n];"
    "X = 0.3 * (trans(A) A tanh(X_)); y[i] = tanh(X_[i,j] y_[j] + b[i]); export X; export y",
    "input A : f64[n,n]; input y_ : f64[n]; input z_ : f64[n];"
    "y = sin(z_); z[i] = cos(A[i,j] y_[j]); export y; export z",
    "input T_ : f64[2,n,n]; T = tanh(T_); export T",
    "input s_ : f64[]; s = 0.5 * (s_ + 2 / s_); export s",
};

/// A graph with one such node on inputs of the names of the body's, without the underscore for
/// carried ones ("x0"). Outputs: the body's, "runs" and "converged".
inline wf::graph once(const char* body, std::int64_t n, const wf::until& end) {
  const auto made = wf::equations("body", body);
  wf::detail::graph_capture to("repeated");
  std::vector<wf::value_id> operands;
  const wf::graph_view b = made->view();
  for (const wf::value& v : b.values) {
    if (v.producer != wf::node_id::none) continue;
    wf::value_type type = v.type;
    for (std::uint32_t d = 0; d < type.shape.rank; ++d)
      if (type.shape[d].is_symbol()) type.shape.extents[d] = wf::extent(n);
    operands.push_back(to.add_input(b.text_of(v.name), type));
  }
  const auto results =
      wf::detail::add_fixpoint(to, "loop", b, end, {operands.data(), operands.size()}, {});
  for (std::size_t k = 0; k < b.outputs.size(); ++k)
    to.add_output(b.text_of(b.outputs[k].name), results[k]);
  to.add_output("runs", results[b.outputs.size()]);
  to.add_output("converged", results[b.outputs.size() + 1]);
  return *to.finish();
}

/// The workflow of so many runs of the body of `g`, written out. Outputs as the body's.
inline wf::graph written_out(const wf::graph_view& g, std::int64_t runs) {
  const wf::graph body = *wf::body_of(g, wf::node_id{0});
  wf::graph_builder into("written_out");
  std::vector<wf::value_id> operands;
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none)
      operands.push_back(into.graph().add_input(g.text_of(v.name), v.type));
  const std::size_t carried = body.view().outputs.size();
  for (std::int64_t run = 0; run < runs; ++run) {
    const wf::symbol_map none;
    const auto made = wf::splice(body.view(), into, {operands.data(), operands.size()}, none);
    for (std::size_t k = 0; k < carried; ++k) operands[operands.size() - carried + k] = (*made)[k];
  }
  for (std::size_t k = 0; k < carried; ++k)
    into.graph().add_output(body.view().text_of(body.view().outputs[k].name),
                            operands[operands.size() - carried + k]);
  return into.take();
}

}  // namespace repeated
