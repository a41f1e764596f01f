// SPDX-License-Identifier: BSL-1.0
#include <wf/run/network/node_executable.hpp>

#include <doctest/doctest.h>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace {

constexpr auto square = wf::workflow<"square">([](wf::scope& s) {
  auto A = s.input<"A", double, 2, 3>();
  s.output<"y">(A * trans(A));
});
constexpr auto twice = wf::workflow<"twice">([](wf::scope& s) {
  auto A = s.input<"A", double, 2, 2>();
  s.output<"y">(A + A);
});
constexpr wf::node_id last(const wf::graph_view& g) { return g[g.outputs[0].source].producer; }

}  // namespace

TEST_CASE("a node alone has its operands as inputs, and its results as outputs") {
  const wf::graph_view g = square;
  const auto alone = wf::node_alone(g, last(g));
  REQUIRE(alone);
  CHECK(alone->workflow.view().nodes.size() == 1);
  REQUIRE(alone->inputs.size() == 2);
  CHECK(alone->inputs[1] == wf::lone_node::path{1});
  const auto code = wf::prepare_node(g, last(g));
  REQUIRE(code);
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(2, 3), t = a.transpose();
  CHECK(((*code)({{"x0", a}, {"x1", t}})->at("y0") - a * t).norm() < 1e-12);
}
TEST_CASE("an operand that occurs twice is one input") {
  const wf::graph_view g = twice;
  CHECK(wf::node_alone(g, last(g))->inputs.size() == 1);
}
TEST_CASE("a view that the node reads can be computed again") {
  const wf::registry kernels = wf::builtin_registry();
  const wf::graph_view g = square;
  const auto alone = wf::node_alone(g, last(g), &kernels);
  REQUIRE(alone);
  CHECK(alone->workflow.view().nodes.size() == 2);
  // The transpose reads what the product reads as well.
  REQUIRE(alone->inputs.size() == 1);
  CHECK(alone->inputs[0] == wf::lone_node::path{0});
}
