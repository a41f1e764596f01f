// SPDX-License-Identifier: BSL-1.0
#include <wf/run/network/materialise.hpp>

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <wf/capture/workflow.hpp>
#include <wf/run/plan/executable_kernels.hpp>

#include <random>

#include "../random_workflow.hpp"

namespace {

constexpr auto inverse_and_more = wf::workflow<"inverse_and_more">([](wf::scope& s) {
  auto A = s.input<"A", double, 64, 64>();
  auto B = s.let<"B">(inv(A));
  s.output<"B">(B);
  s.output<"square">(B * B);
  s.output<"A2">(A);
});

wf::process_table times() {
  wf::process_table out;
  return out.set("inverse", 5000, 4).set("matmul", 100, 16);
}

Eigen::MatrixXd draw(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Eigen::MatrixXd::NullaryExpr(64, 64, [&] { return uniform(random); });
}

}  // namespace

TEST_CASE("an inverse is computed by the network, in simulated time") {
  auto n = wf::materialise_tensors(inverse_and_more, times(), {8, 50, 0});
  REQUIRE(n);
  const Eigen::MatrixXd a = draw(1);
  const auto got = n->run({{"A", a}});
  REQUIRE(got);
  const Eigen::MatrixXd b = a.inverse();
  CHECK((got->outputs.at("B") - b).norm() < 1e-9 * b.norm());
  CHECK((got->outputs.at("square") - b * b).norm() < 1e-9 * b.norm() * b.norm());
  CHECK(got->outputs.at("A2") == a);
  const std::int64_t inverse = 5000 + 64 * 64 / 4, moved = 64 * 64 * 8 / 8 + 50;
  REQUIRE(got->times.size() == 3);
  CHECK(got->times[0] == inverse);
  CHECK(got->times[1] == inverse + moved + 100 + 64 * 64 / 16);
  CHECK(got->trace.makespan == got->times[1]);
  CHECK(got->trace.accounts[0].bytes_in == 64 * 64 * 8);
  CHECK(got->trace.accounts[0].peak_bytes >= 2 * 64 * 64 * 8);
  REQUIRE(got->trace.events.size() == 3);  // two runs and a transfer
}

TEST_CASE("a singular matrix ends the simulation with the operator's error") {
  auto n = wf::materialise_tensors(inverse_and_more, times());
  REQUIRE(n);
  Eigen::MatrixXd a = draw(2);
  a.row(17) = a.row(42);
  const auto got = n->run({{"A", a}});
  REQUIRE_FALSE(got);
  CHECK(got.error().code == wf::errc::numerical_failure);
}

TEST_CASE("a workflow without operators hands its inputs out") {
  wf::graph g("nothing");
  const wf::value_id x = g.add_input("x", {wf::dtype::f64, {}, wf::shape::of(2, 2)});
  g.add_output("y", x);
  auto n = wf::materialise_tensors(g, {});
  REQUIRE(n);
  const Eigen::MatrixXd given = Eigen::MatrixXd::Constant(2, 2, 3);
  const auto got = n->run({{"x", given}});
  REQUIRE(got);
  CHECK(got->outputs.at("y") == given);
}

TEST_CASE("what is wrong with arguments and times is an error") {
  auto n = wf::materialise_tensors(inverse_and_more, times());
  REQUIRE(n);
  CHECK(n->run({}).error().code == wf::errc::missing_argument);
  CHECK(n->run({{"A", Eigen::MatrixXd(2, 2)}}).error().code == wf::errc::argument_shape);
  wf::process_table few;
  few.set("matmul", 1);
  CHECK(wf::materialise_tensors(inverse_and_more, few).error().code == wf::errc::simulation_failed);
}

TEST_CASE("random workflows compute in a network as the executor does") {
  std::mt19937_64 random(11);
  int ran = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random, {.most_nodes = 12});
    const auto code = wf::executable_graph::prepare(w.graph.view());
    REQUIRE(code);
    const auto expected = (*code)(w.arguments);
    REQUIRE(expected);
    wf::process_table all;
    for (const wf::node& n : w.graph.view().nodes) all.set(w.graph.view().op_name(n), 3, 2);
    auto n = wf::materialise_tensors(w.graph.view(), all, {4, 2, 0});
    REQUIRE(n);
    const auto got = n->run(w.arguments);
    REQUIRE(got);
    ++ran;
    REQUIRE(got->outputs.size() == expected->size());
    CHECK(wf_test::difference(got->outputs, *expected, 1e-9) == "");
  }
  CHECK(ran == 150);
}
