// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/executability.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/core/diagnosis/result.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/run/operators/operators.hpp>

namespace {

using wf::dtype, wf::shape;

// A graph of one operator on one input.
wf::graph one(const char* op, dtype type) {
  wf::graph g("g");
  const wf::value_type t{type, {}, shape::of(3, 3)};
  const wf::value_id a = g.add_input("a", t);
  const wf::node_id n = g.add_node({.op = op}, {&a, 1}, {&t, 1});
  g.add_output("b", wf::graph_view::output_of(g[n]));
  return g;
}
template <class Real>
std::string fault(const char* op, dtype type) {
  const wf::graph g = one(op, type);
  const wf::registry kernels = wf::builtin_registry();
  const auto* const known = wf::compute::find_operator<Real>(op, kernels);
  const wf::error e = wf::detail::execution_fault<Real>(g.view(), wf::node_id{0}, known, kernels);
  if (e.code == wf::errc::none) return "";
  CHECK(e.code == wf::errc::not_executable);
  return std::string(wf::to_text(e));
}

}  // namespace

TEST_CASE("a node is executable, or the reason names the executor that could") {
  CHECK(fault<double>("negate", dtype::f64) == "");
  CHECK(fault<double>("nobody", dtype::f64).find("nobody implemented nobody") != std::string::npos);
  CHECK(fault<double>("negate", dtype::c128).find("wf::executable_graph_c128") !=
        std::string::npos);
  CHECK(fault<float>("negate", dtype::f64).find(": use wf::executable_graph") != std::string::npos);
}
