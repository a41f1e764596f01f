// SPDX-License-Identifier: BSL-1.0
#include <wf/run/network/machine_kernels.hpp>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/partition/toolchain.hpp>
#include <wf/partition/without_messages.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/select/optimise.hpp>

#include "../../partition/scattered.hpp"
#include "../../sanitized.hpp"
#include "../random_workflow.hpp"

namespace {

constexpr std::int64_t ms = 1'000'000;
// A machine of each class, and calls of the workflow with these arguments.
struct machines_and_calls {
  wf::fault::script script;
  std::vector<wf::machine_role> roles;
  std::vector<wf::machine_call<wf::machine_tensor>> calls;

  machines_and_calls(const wf::deployment& d, const wf::named_matrices& arguments) {
    script.name = wf::text("machines");
    script.delay_ns = {0, 5 * ms};
    for (const wf::text& role : wf::classes_of(d.parts())) {
      script.peers.push_back(role);
      roles.push_back({role, role});
    }
    auto call = wf::tensor_call(d, arguments);
    REQUIRE(call);
    calls.push_back(*std::move(call));
  }
  void add_faults() {
    for (const auto effect : {wf::fault::rule_effect::drop, wf::fault::rule_effect::duplicate,
                              wf::fault::rule_effect::delay}) {
      wf::fault::rule r;
      r.effect = effect;
      r.probability = 0.2;
      r.delay_ns = {0, 20 * ms};
      script.rules.push_back(r);
    }
  }
  wf::result<wf::machine_report<wf::machine_tensor>> run(const wf::deployment& d,
                                                         wf::machine_kernels& computing) const {
    wf::machine_run_options options;
    for (const wf::text& input : wf::machine_inputs(d.parts()))
      if (input == "host") options.lists.push_back({input, {wf::text("@self")}});
    return wf::run_deployment<wf::machine_tensor>(d, wf::builtin_registry(), script,
                                                  {roles.data(), roles.size()},
                                                  {calls.data(), calls.size()}, computing, options);
  }
};

wf::result<wf::deployment> deployed(const wf::graph& g, bool splits = false) {
  wf::deployment_settings s;
  s.cutting.split_disconnected = splits;
  s.per_hop_budget = 100'000 * ms;
  return wf::deployment_toolchain(s)(g);
}

// True if some matrix is transposed: the order of sums may then depend on where it is stored.
bool transposes(const wf::graph_view& g) {
  for (const wf::node& n : g.nodes)
    if (g.op_name(n) == wf::text_view("transpose")) return true;
  return false;
}
// True if all elements of all outputs have the same bits.
bool same_bits(const wf::named_matrices& a, const wf::named_matrices& b) {
  bool same = a.size() == b.size();
  for (const auto& [name, x] : a) {
    const auto y = b.find(name);
    same = same && y != b.end() && x.rows() == y->second.rows() && x.cols() == y->second.cols() &&
           std::memcmp(x.data(), y->second.data(),
                       static_cast<std::size_t>(x.size()) * sizeof(double)) == 0;
  }
  return same;
}

}  // namespace

TEST_CASE("machines compute what the executor does, to the bit, also under faults") {
  std::mt19937_64 random(5);
  std::size_t messages = 0, exact = 0;
  const int count = wf_test::sanitized ? 15 : 60;
  for (int i = 0; i < count; ++i) {
    CAPTURE(i);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random, {.most_nodes = 14});
    const auto g = wf_test::scattered(w.graph, random);
    REQUIRE_MESSAGE(g, (g ? std::string() : std::string(wf::to_text(g.error()).view())));
    const auto alone = wf::without_messages(*g);
    REQUIRE(alone);
    const auto expected = wf::run_dynamic(alone->view(), w.arguments);
    REQUIRE(expected);
    const auto d = deployed(*g, i % 2 == 0);
    REQUIRE_MESSAGE(d, (d ? std::string() : std::string(wf::to_text(d.error()).view())));
    machines_and_calls m(*d, w.arguments);
    // Inputs that several programs of the host read are stated once.
    REQUIRE(m.calls[0].arguments.size() <= w.arguments.size());
    m.script.seed = static_cast<std::uint64_t>(i) + 1;
    wf::machine_kernels computing(*d);
    for (const bool has_faults : {false, true}) {
      CAPTURE(has_faults);
      if (has_faults) m.add_faults();
      const auto r = m.run(*d, computing);
      REQUIRE(r);
      REQUIRE(r->failure.code == wf::errc::none);
      REQUIRE(r->run.broken.invariant == 0);
      REQUIRE(r->failures.empty());
      const auto outputs = wf::tensor_outputs(*d, *r);
      REQUIRE(outputs);
      const wf::named_matrices& got = *outputs;
      CHECK(wf_test::difference(got, *expected, 1e-9) == "");
      if (!transposes(g->view())) {
        ++exact;
        CHECK(same_bits(got, *expected));
      }
      for (const std::uint64_t n : r->received) messages += n;
    }
  }
  CHECK(exact >= static_cast<std::size_t>(count));  // half of them
  CHECK(messages > 100);
}

namespace {

// Tensors of all ranks, on each of three machines, and what comes of them.
constexpr auto collecting = wf::workflow<"collecting">([](wf::scope& s) {
  auto x = s.input<"x", double>();
  auto v = s.input<"v", double, 4>();
  auto A = s.input<"A", double, 2, 3>();
  auto workers = s.input<"workers", wf::peer, 3>();
  auto [a, from_a, m] = s.let_each(wf::send(x, workers));
  auto [b, from_b, n] = s.let_each(wf::send(v, workers));
  auto [c, from_c, k] = s.let_each(wf::send(A, workers));
  auto [ra, by_a, i] = s.let_each(wf::send(a * a, from_a));
  auto [rb, by_b, j] = s.let_each(wf::send(b + b, from_b));
  auto [rc, by_c, l] = s.let_each(wf::send(trans(c), from_c));
  auto matrices = s.let(wf::collect(rc, workers));
  s.output<"scalars">(wf::collect(ra, workers));
  s.output<"vectors">(wf::collect(rb, workers));
  s.output<"matrices">(matrices);
  s.output<"mean">(wf::mean<0>(matrices));
  // Tensors within tensors.
  auto [d, from_d, o] = s.let_each(wf::send(matrices, workers));
  auto [rd, by_d, p] = s.let_each(wf::send(-d, from_d));
  s.output<"tensors">(wf::collect(rd, workers));
});

}  // namespace

TEST_CASE("tensors of every rank are collected as the executor repeats them, to the bit") {
  const auto d = deployed(wf::graph(collecting));
  REQUIRE_MESSAGE(d, (d ? std::string() : std::string(wf::to_text(d.error()).view())));
  const wf::named_matrices arguments = {{"x", Eigen::MatrixXd::Constant(1, 1, 0.3)},
                                        {"v", Eigen::Vector4d(1, 2, 3, 4.5)},
                                        {"A", Eigen::MatrixXd{{1, 2, 3}, {4, 5, 6.25}}}};
  const auto alone = wf::without_messages(collecting.graph());
  REQUIRE(alone);
  const auto expected = wf::run_dynamic(alone->view(), arguments);
  REQUIRE(expected);
  machines_and_calls m(*d, arguments);
  for (const char* name : {"second", "third"}) {
    m.script.peers.push_back(wf::text(name));
    m.roles.push_back({wf::text(name), wf::text("workers")});
  }
  m.add_faults();
  wf::machine_kernels computing(*d);
  const auto r = wf::run_deployment<wf::machine_tensor>(
      *d, wf::builtin_registry(), m.script, {m.roles.data(), m.roles.size()},
      {m.calls.data(), m.calls.size()}, computing);
  REQUIRE_MESSAGE(r, (r ? std::string() : std::string(wf::to_text(r.error()).view())));
  CHECK(r->failures.empty());
  const auto outputs = wf::tensor_outputs(*d, *r);
  REQUIRE(outputs);
  CHECK(outputs->size() == 5);
  CHECK(same_bits(*outputs, *expected));
}

TEST_CASE("machines whose programs were optimised compute what the executor does") {
  const wf::registry kernels = wf::builtin_registry();
  std::mt19937_64 random(6);
  std::size_t changed = 0;
  const auto optimised = [&](const wf::partition& part) -> wf::result<wf::graph> {
    wf::optimise_options options;
    options.growth.max_nodes = 400;
    options.search.max_nodes = 200;
    auto made = wf::optimise(part.workflow.view(), wf::minimise(wf::flops), {}, kernels, options);
    if (!made) return made.error();
    changed += wf::same(made->chosen, part.workflow) ? 0 : 1;
    return static_cast<wf::graph&&>(made->chosen);
  };
  for (int i = 0; i < (wf_test::sanitized ? 5 : 20); ++i) {
    CAPTURE(i);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random, {.most_nodes = 14});
    const auto g = wf_test::scattered(w.graph, random);
    REQUIRE(g);
    const auto alone = wf::without_messages(*g);
    REQUIRE(alone);
    const auto expected = wf::run_dynamic(alone->view(), w.arguments);
    REQUIRE(expected);
    wf::deployment_settings s;
    s.per_hop_budget = 100'000 * ms;
    const auto d = wf::deployment_toolchain(s).insert_before<"validate_runtime_complete">(
        wf::rewrite_step<"optimise_programs">(optimised, kernels))(*g);
    REQUIRE_MESSAGE(d, (d ? std::string() : std::string(wf::to_text(d.error()).view())));
    machines_and_calls m(*d, w.arguments);
    m.add_faults();
    wf::machine_kernels computing(*d);
    const auto r = m.run(*d, computing);
    REQUIRE(r);
    CHECK(r->failures.empty());
    const auto outputs = wf::tensor_outputs(*d, *r);
    REQUIRE(outputs);
    CHECK(wf_test::difference(*outputs, *expected, 1e-9) == "");
  }
  CHECK(changed > 5);
}

namespace {

constexpr auto inverting = wf::workflow<"inverting">([](wf::scope& s) {
  auto A = s.input<"A", double, 2, 2>();
  auto servers = s.input<"servers", wf::peer, 1>();
  auto [there, host, request] = s.let_each(wf::send(A, servers));
  auto [back, server, number] = s.let_each(wf::send(inv(there), host));
  s.output<"B">(back);
});

}  // namespace

TEST_CASE("each node is prepared once, for all executions") {
  const auto d = deployed(wf::graph(inverting));
  REQUIRE(d);
  const Eigen::Matrix2d A{{2, 1}, {1, 3}};
  machines_and_calls m(*d, {{"A", A}});
  m.calls.push_back(*wf::tensor_call(*d, {{"A", 2 * A}}, ms));
  wf::machine_kernels computing(*d);
  const auto r = m.run(*d, computing);
  REQUIRE(r);
  CHECK(computing.prepared() == 1);
  CHECK((wf::tensor_outputs(*d, *r, 1)->at("B") * A).isIdentity(1e-12));
  CHECK((wf::tensor_outputs(*d, *r, 2)->at("B") * A * 2).isIdentity(1e-12));
}
TEST_CASE("the error of an operator is a failure of the run's report") {
  const auto d = deployed(wf::graph(inverting));
  machines_and_calls m(*d, {{"A", Eigen::Matrix2d::Zero()}});
  wf::machine_kernels computing(*d);
  const auto r = m.run(*d, computing);
  REQUIRE(r);
  CHECK(r->outputs.empty());
  REQUIRE(r->failures.size() == 1);
  CHECK(r->failures[0].failure.code == wf::errc::numerical_failure);
  // Another deployment is not the one that was given.
  const auto other = deployed(wf::graph(inverting));
  const auto foreign = m.run(*other, computing);
  REQUIRE(foreign);
  REQUIRE(foreign->failures.size() == 1);
  CHECK(foreign->failures[0].failure.code == wf::errc::not_executable);
}
TEST_CASE("matrices of a call must fit, and outputs must have come once") {
  const auto d = deployed(wf::graph(inverting));
  CHECK(wf::tensor_call(*d, {{"A", Eigen::Matrix3d::Zero()}}).error().code ==
        wf::errc::argument_shape);
  wf::machine_report<wf::machine_tensor> report;
  CHECK(wf::tensor_outputs(*d, report)->empty());
  wf::machine_output<wf::machine_tensor> one;
  one.call = 1;
  one.value.datum.elements = std::make_shared<wf::dynamic_matrix>(2, 2);
  report.outputs.push_back(one);
  report.outputs.push_back(one);
  CHECK(wf::tensor_outputs(*d, report).error().code == wf::errc::duplicate_name);
}
