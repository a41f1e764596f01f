// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/canonical/order.hpp>

#include "../pass_properties.hpp"

namespace {

// Copies a graph and brings the nodes of the copy in order.
class copied {
 public:
  explicit copied(const wf::graph_view& g)
      : kernels_(wf::builtin_registry()), rewriter_(g, kernels_), order_(rewriter_) {
    REQUIRE(rewriter_.start().code == wf::errc::none);
    for (wf::node_id id : rewriter_.order()) REQUIRE(rewriter_.copy(id).code == wf::errc::none);
  }
  // The value of an output, by name.
  wf::value_id operator[](wf::text_view name) {
    const wf::graph_view& g = rewriter_.source();
    for (const wf::output& o : g.outputs)
      if (g.text_of(o.name) == name) return rewriter_.place(o.source);
    return wf::value_id::none;
  }
  wf::detail::canonical_order& order() { return order_; }

 private:
  wf::registry kernels_;
  wf::detail::graph_rewriter rewriter_;
  wf::detail::canonical_order order_;
};

}  // namespace

TEST_CASE("the order does not depend on the order of insertion") {
  const std::uint64_t seed = 20261214;
  CAPTURE(seed);
  wf_test::random_source random(seed);
  for (int round = 0; round < 40; ++round) {
    const wf::graph a = wf_test::redundant_workflow(random);
    const wf::graph b =
        wf_test::put_together(wf_test::disguised(wf_test::take_apart(a.view()), random));
    copied x(a.view()), y(b.view());
    for (const wf::output& o : a.view().outputs) {
      const wf::text_view name = a.view().text_of(o.name);
      CHECK(x.order().digest_of(x[name]) == y.order().digest_of(y[name]));
      for (const wf::output& p : a.view().outputs) {
        const wf::text_view other = a.view().text_of(p.name);
        CHECK(x.order().before(x[name], x[other]) == y.order().before(y[name], y[other]));
        CHECK_FALSE((x.order().before(x[name], x[other]) && x.order().before(x[other], x[name])));
      }
    }
  }
}

TEST_CASE("numbers come last, and what computes the same has no order") {
  const wf::graph g = wf_test::graph_of(R"(wf.graph 1 "g"
input "x" : f64[3]
node elementwise.constant() [value = 1] -> f64[]
node movement.broadcast_to(%1) [d0 = dim 3] -> f64[3]
node elementwise.exp(%0) -> f64[3]
node elementwise.exp(%0) named "other" -> f64[3]
node elementwise.exp(%0) peer "p" -> f64[3]
output "x" = %0
output "one" = %2
output "a" = %3
output "b" = %4
output "c" = %5
)");
  copied made(g.view());
  for (wf::text_view name : {"x", "a", "b", "c"}) {
    CHECK(made.order().before(made[name], made["one"]));
    CHECK_FALSE(made.order().before(made["one"], made[name]));
  }
  CHECK_FALSE(made.order().before(made["a"], made["b"]));
  CHECK_FALSE(made.order().before(made["b"], made["a"]));
  CHECK(made.order().before(made["a"], made["c"]) != made.order().before(made["c"], made["a"]));
}
