// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/quantum.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>

namespace {

// The price of one node on operands of the given shapes.
std::int64_t priced(const wf::kernel_spec& k, const wf::metric_spec& m,
                    std::vector<wf::shape> shapes, std::vector<wf::attribute_value> attributes = {},
                    std::vector<wf::dtype> types = {}) {
  wf::graph g("one");
  std::vector<wf::value_type> operands;
  std::vector<wf::value_id> ids;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    operands.push_back({i < types.size() ? types[i] : wf::dtype::f64, {}, shapes[i]});
    ids.push_back(g.add_input((wf::text() << "x" << i).view(), operands.back()));
  }
  const auto made =
      wf::infer(k, {{operands.data(), operands.size()}, {attributes.data(), attributes.size()}});
  REQUIRE(made);
  wf::node_description d;
  d.op = k.name;
  d.domain = k.domain;
  d.attributes = {attributes.data(), attributes.size()};
  const wf::node_id n = g.add_node(d, {ids.data(), ids.size()}, made->types());
  g.add_output("y", wf::graph_view::output_of(g[n]));
  const auto total = wf::price(g.view(), m);
  REQUIRE(total);
  return *total;
}

using wf::shape;

}  // namespace

TEST_CASE("the Fourier transform's gates by counting its circuit") {
  for (std::int64_t n = 1; n < 12; ++n) {
    std::int64_t gates = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      ++gates;                                           // a Hadamard
      for (std::int64_t j = i + 1; j < n; ++j) ++gates;  // a controlled phase
    }
    for (std::int64_t i = 0; i < n / 2; ++i) ++gates;  // a swap
    CHECK(priced(wf::kernels::quantum_fourier, wf::gates, {shape::of(n)}, {}, {wf::dtype::qubit}) ==
          gates);
    CHECK(priced(wf::kernels::measure, wf::gates, {shape::of(n)}, {}, {wf::dtype::qubit}) == n);
    CHECK(priced(wf::kernels::hadamard, wf::qubits, {shape::of(n)}, {}, {wf::dtype::qubit}) == n);
  }
}
