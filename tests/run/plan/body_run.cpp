// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/body_run.hpp>

#include <random>
#include <stop_token>
#include <string>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/registry.hpp>
#include <wf/rewrite/bind.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/run/plan/executable.hpp>

#include "../../repeated.hpp"
#include "../allocations.hpp"
#include "../uniform_arguments.hpp"

namespace {

// Follows the definition: runs the body, and compares.
struct outcome {
  wf::named_matrices carried;
  std::int64_t runs = 0;
  bool converged = false;
};
outcome defined(const wf::graph_view& g, wf::named_matrices arguments, std::int64_t most,
                double tolerance) {
  const wf::graph body = *wf::body_of(g, wf::node_id{0});
  const auto once = wf::executable_graph::prepare(body.view());
  REQUIRE(once);
  std::vector<std::string> inputs;
  for (const wf::value& v : wf::detail::inputs_of(body.view()))
    inputs.push_back(std::string(body.view().text_of(v.name)));
  outcome out;
  const std::size_t carried = body.view().outputs.size(), first = inputs.size() - carried;
  for (std::size_t k = 0; k < carried; ++k)
    out.carried[std::string(body.view().text_of(body.view().outputs[k].name))] =
        arguments[inputs[first + k]];
  while (out.runs < most && !out.converged) {
    const auto made = (*once)(arguments);
    REQUIRE(made);
    ++out.runs;
    out.converged = true;
    for (std::size_t k = 0; k < carried; ++k) {
      const std::string name(body.view().text_of(body.view().outputs[k].name));
      const wf::dynamic_matrix &now = made->at(name), &old = arguments[inputs[first + k]];
      for (Eigen::Index i = 0; i < now.size(); ++i) {
        const double gap = std::abs(now.data()[i] - old.data()[i]);
        out.converged = out.converged && gap <= tolerance * std::max(1.0, std::abs(now.data()[i]));
      }
      arguments[inputs[first + k]] = out.carried[name] = now;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("a node runs its body until it does not change, whatever the plan of its storage") {
  const std::uint64_t seed = 20261130;
  MESSAGE("seed 20261130");
  std::mt19937_64 random(seed);
  int converged = 0, others = 0;
  for (const char* text : repeated::bodies)
    for (std::int64_t n : {1, 3, 8})
      for (std::int64_t most : {0, 1, 2, 3, 200})
        for (bool share : {true, false}) {
          CAPTURE(text);
          CAPTURE(n);
          CAPTURE(most);
          CAPTURE(share);
          const double tolerance = random() % 3 == 0 ? 0 : 1e-9;
          const wf::graph g = repeated::once(text, n, {most, tolerance});
          const auto arguments = wf_test::uniform_arguments(g.view(), random, -1, 1);
          const outcome wanted = defined(g.view(), arguments, most, tolerance);
          wf::execution_options options;
          options.share_buffers = share;
          const auto made = wf::executable_graph::prepare(g.view(), options);
          REQUIRE(made);
          const auto results = (*made)(arguments);
          REQUIRE(results);
          CHECK(results->at("runs")(0, 0) == static_cast<double>(wanted.runs));
          CHECK(results->at("converged")(0, 0) == (wanted.converged ? 1 : 0));
          for (const auto& [name, m] : wanted.carried)
            CHECK((results->at(name) - m).cwiseAbs().maxCoeff() <= 1e-12);
          (wanted.converged ? converged : others) += 1;
          // No more storage than the price says, where every element takes eight bytes.
          if (!share) continue;
          const auto promised = wf::storage_along(g.view(), wf::builtin_registry(),
                                                  *wf::topological_order(g.view()), sizeof(double));
          REQUIRE(promised);
          std::int64_t given = 0;
          for (const wf::value& v : wf::detail::inputs_of(g.view()))
            given += v.type.shape.elements() * 8;
          CHECK(given + static_cast<std::int64_t>(made->workspace_bytes()) <= promised->bytes);
        }
  CHECK(converged > 50);
  CHECK(others > 50);
}

TEST_CASE("operands may be views, and results lie in matrices of the caller with gaps") {
  const auto body = wf::equations("body", repeated::bodies[2]);
  wf::detail::graph_capture to("g");
  const wf::value_id whole = to.add_input("W", {wf::dtype::f64, {}, wf::shape::of(4, 8)});
  const auto part = [&](std::int64_t start) {
    const wf::attribute_value a[] = {wf::attribute_value::integer("axis", 1),
                                     wf::attribute_value::integer("start", start),
                                     wf::attribute_value::integer("length", 4)};
    return to.apply(wf::detail::captured<wf::kernels::slice>, a, {&whole, 1}, {}, {});
  };
  const wf::value_id both[] = {part(0), part(4)};
  const auto made = wf::detail::add_fixpoint(to, "loop", body->view(), {5}, both, {});
  to.add_output("X", made[0]);
  const auto g = to.finish();
  REQUIRE(g);
  const auto run = wf::executable_graph::prepare(g->view());
  REQUIRE(run);
  std::mt19937_64 random(5);
  const wf::dynamic_matrix W = wf_test::uniform_arguments(g->view(), random, -1, 1)["W"];
  wf::dynamic_matrix out = wf::dynamic_matrix::Zero(9, 4), X = W.rightCols(4);
  const wf::input_matrix inputs[] = {W};
  const wf::output_matrix outputs[] = {out.block(2, 0, 4, 4)};
  REQUIRE(run->run(inputs, outputs));
  const wf::dynamic_matrix A = W.leftCols(4);
  for (int i = 0; i < 5; ++i) X = (0.5 * ((A * X).array().tanh().matrix() + A.transpose())).eval();
  CHECK((out.block(2, 0, 4, 4) - X).cwiseAbs().maxCoeff() <= 1e-14);
  CHECK(out.topRows(2).isZero());
  CHECK(out.bottomRows(3).isZero());
}

TEST_CASE("after the first run nothing is allocated, and a bound run computes the same") {
  const wf::graph g = repeated::once(repeated::bodies[6], 4, {20});
  const auto made = wf::executable_graph::prepare(g.view());
  REQUIRE(made);
  std::mt19937_64 random(6);
  auto arguments = wf_test::uniform_arguments(g.view(), random, -1, 1);
  std::vector<wf::input_matrix> inputs;
  for (const wf::value& v : wf::detail::inputs_of(g.view()))
    inputs.push_back(arguments[std::string(g.view().text_of(v.name))]);
  wf::dynamic_matrix X(4, 4), y(4, 1), runs(1, 1), converged(1, 1);
  const wf::output_matrix outputs[] = {X, y, runs, converged};
  REQUIRE(made->run(inputs, outputs));
  const wf::dynamic_matrix first = X;
  const std::size_t before = wf_test::allocations;
  REQUIRE(made->run(inputs, outputs));
  CHECK(wf_test::allocations == before);
  CHECK(X == first);
  const auto bound = made->bind(inputs, outputs);
  REQUIRE(bound);
  X.setZero();
  REQUIRE(bound->run());
  CHECK(X == first);
}

TEST_CASE("bodies may have bodies") {
  // The square root of each of three numbers, by a loop within a loop that does it twice.
  const auto newton = wf::equations("newton",
                                    "input a : f64[n]; input x : f64[n];"
                                    "y = 0.5 * (x + a / x); export y");
  wf::detail::graph_capture outer("twice");
  const wf::value_type vector{wf::dtype::f64, {}, wf::shape::of(3)};
  const wf::value_id x = outer.add_input("x", vector);
  const wf::value_id one[] = {x, x};
  const auto root = wf::detail::add_fixpoint(outer, "root", newton->view(), {50}, one, {});
  outer.add_output("y", root[0]);
  const auto body = outer.finish();
  REQUIRE(body);
  wf::detail::graph_capture to("fourth_root");
  const wf::value_id given = to.add_input("x", vector);
  const auto made = wf::detail::add_fixpoint(to, "loop", body->view(), {2}, {&given, 1}, {});
  to.add_output("y", made[0]);
  const auto g = to.finish();
  REQUIRE(g);
  CHECK(*wf::price(g->view(), wf::flops) == 2 * 50 * 9);
  const auto run = wf::executable_graph::prepare(g->view());
  REQUIRE(run);
  const auto results = (*run)({{"x", Eigen::Vector3d(16, 81, 2)}});
  REQUIRE(results);
  CHECK((results->at("y") - Eigen::Vector3d(2, 3, std::pow(2, 0.25))).cwiseAbs().maxCoeff() <=
        1e-14);
}

TEST_CASE("a failure in a body names the round and its node, and a run can be stopped") {
  const auto body = wf::equations("body", "input X : f64[3,3]; L = cholesky(X); export L");
  wf::detail::graph_capture to("g");
  const wf::value_id x = to.add_input("X", {wf::dtype::f64, {}, wf::shape::of(3, 3)});
  const auto made = wf::detail::add_fixpoint(to, "loop", body->view(), {7}, {&x, 1}, {});
  to.add_output("L", made[0]);
  const auto g = to.finish();
  REQUIRE(g);
  const auto run = wf::executable_graph::prepare(g->view());
  REQUIRE(run);
  const Eigen::Matrix3d negative = -Eigen::Matrix3d::Identity();
  const auto failed = (*run)({{"X", negative}});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == wf::errc::numerical_failure);
  CHECK(failed.error().subject.view() == "loop");
  const std::string why(failed.error().message.view());
  CHECK(why.find("in round 1, ") != std::string::npos);
  CHECK(why.find("cholesky") != std::string::npos);
  wf::dynamic_matrix L(3, 3);
  const wf::dynamic_matrix X = Eigen::Matrix3d::Identity();
  const wf::input_matrix inputs[] = {X};
  const wf::output_matrix outputs[] = {L};
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = run->run(inputs, outputs, stop.get_token());
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == wf::errc::execution_stopped);
}

TEST_CASE("a body that cannot be executed is an error of the node") {
  const auto body = wf::equations("body",
                                  "opaque f = \"mine.f\", \"x[n] -> y[n]\", pure;"
                                  "input x : f64[n]; y = f(x); export y");
  REQUIRE(body);
  wf::detail::graph_capture to("g");
  const wf::value_id x = to.add_input("x", {wf::dtype::f64, {}, wf::shape::of(3)});
  const auto made = wf::detail::add_fixpoint(to, "loop", body->view(), {7}, {&x, 1}, {});
  to.add_output("y", made[0]);
  const auto run = wf::executable_graph::prepare(to.finish()->view());
  REQUIRE_FALSE(run);
  CHECK(run.error().code == wf::errc::not_executable);
  CHECK(run.error().subject.view() == "loop");
}
