// SPDX-License-Identifier: BSL-1.0
#include <wf/select/checkpoint/checkpoint.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/compare/digest.hpp>
#include <wf/rewrite/common.hpp>
#include <wf/run/plan/executable.hpp>

#include "networks.hpp"

namespace {

using wf::checkpoint_plan;

std::int64_t bytes_of(const wf::graph_view& g) { return *wf::price(g, wf::peak_memory); }
std::int64_t flops_of(const wf::graph_view& g) { return *wf::price(g, wf::flops); }

wf::result<checkpoint_plan> within(const wf::graph& g, std::int64_t bytes) {
  wf::checkpoint_request wanted;
  wanted.most_bytes = bytes;
  wanted.search.max_steps = 100'000;
  return wf::checkpoint(g.view(), wanted);
}

// The workflow without its edges, in which equal nodes are merged.
wf::graph merged(const wf::graph_view& g) {
  wf::graph_builder into(g.text_of(g.name));
  wf::symbol_map symbols;
  wf::graph_copier copier(g, into, symbols, {}, wf::duplicates::keep);
  REQUIRE(copier.copy_inputs().code == wf::errc::none);
  const auto order = wf::topological_order(g);
  for (const wf::node_id id : *order) REQUIRE(copier.copy(id).code == wf::errc::none);
  copier.copy_outputs();
  return *wf::merge_common(into.take().view());
}

// The outputs of a workflow for inputs of a seed, and the bytes of its workspace.
struct run_of {
  std::vector<std::vector<double>> outputs;
  std::int64_t bytes = 0;
};
run_of run(const wf::graph_view& g, unsigned seed) {
  const auto made = wf::executable_graph::prepare(g);
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error())));
  std::mt19937_64 random(seed);
  run_of out;
  std::vector<Eigen::MatrixXd> given;
  std::vector<wf::input_matrix> inputs;
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none) {
      Eigen::MatrixXd m(v.type.shape[0].size(), v.type.shape[1].size());
      for (Eigen::Index i = 0; i < m.size(); ++i)
        m(i) = static_cast<double>(random() % 2001) / 4000 - 0.25;
      given.push_back(m);
    }
  for (const Eigen::MatrixXd& m : given) {
    inputs.push_back(m);
    out.bytes += 8 * m.size();
  }
  std::vector<Eigen::MatrixXd> results;
  for (const wf::output& o : g.outputs) {
    const wf::shape& s = g[o.source].type.shape;
    results.emplace_back(s.rank < 1 ? 1 : s[0].size(), s.rank < 2 ? 1 : s[1].size());
  }
  std::vector<wf::output_matrix> outputs(results.begin(), results.end());
  REQUIRE(made->run({inputs.data(), inputs.size()}, {outputs.data(), outputs.size()}));
  for (const Eigen::MatrixXd& m : results) out.outputs.emplace_back(m.data(), m.data() + m.size());
  out.bytes += static_cast<std::int64_t>(made->workspace_bytes());
  return out;
}

}  // namespace

TEST_CASE("a chain of layers needs less than half of the memory for less than a third more work") {
  const wf::graph g = wf_test::chain_of_layers(24);
  const std::int64_t before = bytes_of(g.view()), work = flops_of(g.view());
  CHECK(before > 100'000);
  std::int64_t last = 0;
  for (const int sixteenths : {16, 14, 11, 9, 7}) {
    CAPTURE(sixteenths);
    const auto made = within(g, before * sixteenths / 16);
    REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error())));
    CHECK(made->before_bytes == before);
    CHECK(made->peak_bytes == bytes_of(made->workflow.view()));
    CHECK(made->peak_bytes <= before * sixteenths / 16);
    CHECK(made->extra == flops_of(made->workflow.view()) - work);
    CHECK(made->least_extra <= made->extra);
    CHECK(made->extra >= last);
    CHECK((made->repeated == 0) == (sixteenths == 16));
    CHECK(made->proven_optimal == (sixteenths == 16));
    last = made->extra;
  }
  CHECK(last < work / 3);
}

TEST_CASE("random networks keep to a limit, compute the same, and are the same when merged") {
  std::mt19937_64 random(12);
  int shorter = 0, refused = 0;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::random_network(random, 4 + static_cast<int>(random() % 8));
    const std::int64_t before = bytes_of(g.view());
    const std::int64_t limit = before * static_cast<std::int64_t>(70 + random() % 30) / 100;
    const auto made = within(g, limit);
    if (!made) {
      REQUIRE_MESSAGE(made.error().code == wf::errc::infeasible,
                      std::string(wf::to_text(made.error())));
      ++refused;
      continue;
    }
    ++shorter;
    REQUIRE(wf::validate(made->workflow.view()));
    REQUIRE(bytes_of(made->workflow.view()) == made->peak_bytes);
    REQUIRE(made->peak_bytes <= limit);
    REQUIRE(made->extra == flops_of(made->workflow.view()) - flops_of(g.view()));
    REQUIRE(made->least_extra <= made->extra);
    REQUIRE(made->workflow.view().nodes.size() == g.view().nodes.size() + made->repeated);
    // Runs that are repeated stay where equal nodes are merged, and only because of their edges.
    REQUIRE(wf::merge_common(made->workflow.view())->view().nodes.size() ==
            wf::merge_common(g.view())->view().nodes.size() + made->repeated);
    REQUIRE(wf::digest(merged(made->workflow.view()).view()) ==
            wf::digest(merged(g.view()).view()));
    const run_of whole = run(g.view(), 5), again = run(made->workflow.view(), 5);
    REQUIRE(whole.outputs.size() == again.outputs.size());
    for (std::size_t k = 0; k < whole.outputs.size(); ++k)
      for (std::size_t i = 0; i < whole.outputs[k].size(); ++i)
        REQUIRE(again.outputs[k][i] == doctest::Approx(whole.outputs[k][i]).epsilon(1e-12));
    REQUIRE(again.bytes <= made->peak_bytes);
  }
  CHECK(shorter > 12);
  CHECK(refused > 3);
}

TEST_CASE("what a plan adds is bounded by the least that any choice adds") {
  // By enumeration: each early value that the late part reads is kept or computed again.
  std::mt19937_64 random(13);
  int compared = 0, possible = 0, as_good = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::random_network(random, 3 + static_cast<int>(random() % 4));
    const std::int64_t before = bytes_of(g.view());
    const std::int64_t limit = before * static_cast<std::int64_t>(70 + random() % 30) / 100;
    wf::checkpoint_request wanted;
    wanted.most_bytes = limit;
    const wf::registry kernels = wf::builtin_registry();
    wf::detail::checkpoint_parts parts(g.view(), wanted, kernels);
    REQUIRE(parts.find().code == wf::errc::none);
    const wf::detail::checkpoint_problem problem(parts, 1);
    const wf::selection_problem& p = problem.problem;
    std::vector<std::vector<std::uint32_t>> of_class(p.classes);
    for (std::uint32_t n = 0; n < p.candidates.size(); ++n)
      of_class[p.candidates[n].owner].push_back(n);
    std::uint64_t choices = 1;
    for (const auto& list : of_class) choices *= std::max<std::size_t>(list.size(), 1);
    if (choices > 20'000) continue;
    std::int64_t least = INT64_MAX;
    for (std::uint64_t c = 0; c < choices; ++c) {
      wf::selection s;
      std::uint64_t rest = c;
      for (const auto& list : of_class) {
        s.chosen.push_back(list.empty() ? wf::no_candidate : list[rest % list.size()]);
        rest /= std::max<std::size_t>(list.size(), 1);
      }
      wf::detail::checkpoint_writer writer(parts, problem, s);
      const auto made = writer.run();
      REQUIRE(made);
      if (bytes_of(made->view()) <= limit)
        least = std::min(least, flops_of(made->view()) - flops_of(g.view()));
    }
    const auto made = within(g, limit);
    possible += least != INT64_MAX;
    if (!made) continue;
    REQUIRE(made->least_extra <= least);
    as_good += made->extra <= least;
    ++compared;
    REQUIRE(made->proven_optimal == (made->extra == made->least_extra));
  }
  CHECK(possible > 10);
  CHECK(compared >= possible);
  CHECK(10 * as_good >= 9 * compared);  // it is no search over all of them
}

TEST_CASE("a choice that meets the bound is proven") {
  // exp(X) and exp(Q) are the only large values; the gradient finds one and computes the other one.
  const wf::graph g = wf_test::with_gradient(
      "input X : f64[64, 8]\ninput Q : f64[64, 8]\ninput W : f64[8]\nY = square(exp(X) W)\n"
      "Z = square(exp(Q) W)\nloss = sum(Y) + sum(Z)\nexport loss\n");
  const std::int64_t before = bytes_of(g.view());
  const auto made = within(g, before - 4000);
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error())));
  CHECK(made->peak_bytes < before);
  CHECK(made->extra > 0);
  CHECK(made->proven_optimal);
}

TEST_CASE("errors say what cannot be done") {
  const wf::graph g = wf_test::chain_of_layers(6);
  const auto small = within(g, 7000);
  REQUIRE_FALSE(small);
  CHECK(small.error().code == wf::errc::infeasible);
  CHECK(std::string(small.error().message.view()).find("over the limit of 7000 bytes") !=
        std::string::npos);
  const auto none = within(g, 0);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == wf::errc::infeasible);
  wf::checkpoint_request wanted{.most_bytes = 20'000, .late = "slope_"};
  CHECK(wf::checkpoint(g.view(), wanted).error().code == wf::errc::unknown_argument);
  wanted = {.most_bytes = 20'000, .metric = wf::peak_memory};
  CHECK(wf::checkpoint(g.view(), wanted).error().code == wf::errc::not_comparable);
  // The caller may stop it.
  wanted = {.most_bytes = 20'000};
  const auto stopped = wf::checkpoint(g.view(), wanted, wf::builtin_registry(),
                                      [](const wf::search_progress&) { return false; });
  if (!stopped) CHECK(stopped.error().code != wf::errc::none);
}
