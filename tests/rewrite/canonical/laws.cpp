// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/canonical/laws.hpp>

#include "../pass_properties.hpp"

namespace {

using wf::algebra;
using wf::dtype;

constexpr wf::law_set laws(wf::text_view op, dtype type, algebra allowed = algebra::exact) {
  const wf::registry kernels = wf::builtin_registry();
  return wf::laws_of(*kernels.find(op), type, allowed);
}

static_assert(laws("add", dtype::f64).commutative);
static_assert(!laws("add", dtype::f64).associative);
static_assert(laws("add", dtype::f64, algebra::real).associative);
static_assert(!laws("add", dtype::i32).associative);  // overflow depends on the grouping
static_assert(!laws("maximum", dtype::f32).commutative);
static_assert(laws("maximum", dtype::f32).idempotent);
static_assert(laws("maximum", dtype::f32, algebra::real).commutative);
static_assert(laws("maximum", dtype::i8).commutative);
// Regrouped differences of unsigned numbers may become negative.
static_assert(!laws("add", dtype::u32, algebra::real).associative);
static_assert(laws("add", dtype::u32, algebra::real).commutative);
static_assert(!laws("multiply", dtype::u8, algebra::real).distributes("subtract"));
static_assert(laws("logical_or", dtype::boolean).associative);
static_assert(laws("logical_or", dtype::boolean).distributes("logical_and"));
static_assert(!laws("multiply", dtype::f64).distributes("add"));
static_assert(laws("multiply", dtype::f64, algebra::real).distributes("add"));
static_assert(laws("negate", dtype::f64).involution);
static_assert(laws("transpose", dtype::c128).inverse == "transpose");
static_assert(!laws("reciprocal", dtype::f64).involution);
static_assert(!laws("inverse", dtype::f64).involution);
static_assert(laws("inverse", dtype::f64, algebra::real).inverse == "inverse");
static_assert(laws("exp", dtype::f64).inverse.empty());
static_assert(laws("hadamard", dtype::qubit).involution);
static_assert(laws("phase_s", dtype::qubit).inverse == "phase_s_inverse");
static_assert(laws("exp", dtype::f64).elementwise);

}  // namespace

TEST_CASE("exact algebra allows no law that real algebra does not") {
  const wf::registry kernels = wf::builtin_registry();
  for (const wf::kernel_spec* k : kernels.kernels())
    for (std::size_t d = 1; d < wf::dtype_count; ++d) {
      const wf::law_set exact = wf::laws_of(*k, static_cast<dtype>(d), algebra::exact);
      const wf::law_set real = wf::laws_of(*k, static_cast<dtype>(d), algebra::real);
      INFO(std::string(k->name));
      CHECK(real.commutative == k->laws.commutative);
      CHECK((!exact.commutative || real.commutative));
      CHECK((!exact.associative || real.associative));
      CHECK((!exact.idempotent || real.idempotent));
      CHECK((!exact.involution || real.involution));
      CHECK((exact.inverse.empty() || exact.inverse == real.inverse));
      CHECK(exact.elementwise == real.elementwise);
    }
}

TEST_CASE("the elements a node works on are those that limit what laws hold") {
  const wf::graph graph = wf_test::graph_of(R"(wf.graph 1 "g"
input "p" : bool[3]
input "x" : f32[3]
input "i" : i64[3]
node control.where(%0, %1, %1) -> f32[3]
node elementwise.less(%2, %2) -> bool[3]
node elementwise.logical_not(%0) -> bool[3]
)");
  const wf::graph_view g = graph.view();
  CHECK(wf::detail::element_type(g, g.nodes[0]) == dtype::f32);
  CHECK(wf::detail::element_type(g, g.nodes[1]) == dtype::i64);
  CHECK(wf::detail::element_type(g, g.nodes[2]) == dtype::boolean);
  const wf::registry kernels = wf::builtin_registry();
  const auto all = wf::detail::kernels_of(g, kernels);
  REQUIRE(all.size() == 3);
  CHECK(all[g.nodes[0].op] == kernels.find("where"));
  CHECK_FALSE(wf::detail::laws_of(g, g.nodes[0], nullptr, algebra::real).elementwise);
}
