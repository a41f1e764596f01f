// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/rewrite.hpp>

#include <doctest/doctest.h>

#include <wf/run/dynamic.hpp>

#include "../run/random_workflow.hpp"
#include "pass_properties.hpp"

// --- definitions of pass_properties.hpp ----------------------------------------------------------

namespace wf_test {

run_outcome execute(const wf::graph_view& g, const named_elements& arguments) {
  wf::named_matrices given;
  for (const wf::value& v : inputs_of(g)) {
    const std::string name(g.text_of(v.name));
    const std::vector<double>& elements = arguments.at(name);
    const wf::shape& s = v.type.shape;
    const auto count = static_cast<Eigen::Index>(elements.size());
    if (s.rank == 2)
      given[name] = Eigen::Map<const wf::compute::detail::row_major<double>>(
          elements.data(), static_cast<Eigen::Index>(s[0].size()),
          static_cast<Eigen::Index>(s[1].size()));
    else if (s.rank > 2)
      given[name] = Eigen::Map<const Eigen::RowVectorXd>(elements.data(), count);
    else
      given[name] = Eigen::Map<const Eigen::VectorXd>(elements.data(), count);
  }
  const auto made = wf::run_dynamic(g, given);
  run_outcome out;
  if (!made) {
    out.failure = std::string(wf::to_text(made.error()).view());
    return out;
  }
  for (const auto& [name, m] : *made) {
    const wf::compute::detail::row_major<double> rows = m;
    out.outputs[name].assign(rows.data(), rows.data() + rows.size());
  }
  return out;
}

executable_workflow random_executable(random_source& random, bool small_types) {
  random_workflow_options options;
  options.single_precision = small_types;
  const random_workflow made = make_random_workflow(random, options);
  executable_workflow out{made.graph, {}};
  for (const auto& [name, m] : made.arguments) {
    const wf::compute::detail::row_major<double> rows = m;
    out.arguments[name].assign(rows.data(), rows.data() + rows.size());
  }
  return out;
}

}  // namespace wf_test

// --- the rewriter -------------------------------------------------------------------------------

namespace {

// A graph in which every node is copied.
wf::result<wf::graph> copied(const wf::graph_view& g) {
  const wf::registry kernels = wf::builtin_registry();
  wf::detail::graph_rewriter rewriter(g, kernels);
  if (wf::error e = rewriter.start(); e.code != wf::errc::none) return e;
  for (wf::node_id id : rewriter.order())
    if (wf::error e = rewriter.copy(id); e.code != wf::errc::none) return e;
  CHECK_FALSE(rewriter.has_changed());
  return rewriter.finish();
}

TEST_CASE("copying every node changes nothing") {
  const auto counts =
      wf_test::check_pass([](const wf::graph_view& g) { return copied(g); }, 20261215, 30);
  CHECK(counts.changed == 0);
  wf_test::check_odd_graphs([](const wf::graph_view& g) { return copied(g); }, 20261216, 100);
}

TEST_CASE("results are replaced, and what is no longer read goes") {
  const wf::graph source = wf_test::graph_of(R"(wf.graph 1 "g"
input "x" : f64[3]
node elementwise.constant() [value = 0.1] -> f32[]
node movement.broadcast_to(%1) [d0 = dim 3] -> f32[3]
node elementwise.exp(%0) -> f64[3]
node elementwise.log(%3) named "l" -> f64[3]
node elementwise.sin(%0) -> f64[3]
node elementwise.cos(%4) peer "p" -> f64[3]
node elementwise.tan(%4) cost [flops = "1"] -> f64[3]
edge control @2 -> @4
output "y" = %6
output "z" = %7
)");
  const wf::graph_view g = source.view();
  const wf::registry kernels = wf::builtin_registry();
  wf::detail::graph_rewriter r(g, kernels);
  REQUIRE(r.start().code == wf::errc::none);
  const auto id = [](std::uint32_t i) { return static_cast<wf::node_id>(i); };
  CHECK(r.is_free(id(3)));
  CHECK_FALSE(r.is_free(id(2)));  // it has an order edge
  CHECK_FALSE(r.is_free(id(6)));  // it declares a cost
  for (std::uint32_t i = 0; i < 4; ++i) REQUIRE(r.copy(id(i)).code == wf::errc::none);
  const auto place = [&](std::uint32_t value) { return r.place(static_cast<wf::value_id>(value)); };
  CHECK(r.fill_of(place(2)).is(static_cast<double>(0.1f)));
  CHECK_FALSE(r.fill_of(place(3)).known);
  CHECK(r.bypassable(place(4), id(4), wf::hash_text("log")) != wf::node_id::none);
  CHECK(r.bypassable(place(4), id(5), wf::hash_text("log")) == wf::node_id::none);
  CHECK(r.bypassable(place(3), id(4), wf::hash_text("exp")) == wf::node_id::none);
  CHECK(r.bypassable(place(0), id(4)) == wf::node_id::none);
  REQUIRE(r.copy(id(4)).code == wf::errc::none);
  CHECK_FALSE(r.replace(static_cast<wf::value_id>(6), place(2)));  // another element type
  CHECK_FALSE(r.has_changed());
  REQUIRE(r.replace(static_cast<wf::value_id>(6), place(0)));
  CHECK(r.has_changed());
  REQUIRE(r.copy(id(6)).code == wf::errc::none);
  const auto made = r.finish();
  REQUIRE(made);
  const wf::graph_view m = made->view();
  REQUIRE(wf::validate(m));
  CHECK(m[m.outputs[0].source].producer == wf::node_id::none);
  // The constants and the sine had no readers before; the order edge keeps its nodes.
  CHECK(m.nodes.size() == 6);
  REQUIRE(m.edges.size() == 1);
}

}  // namespace
