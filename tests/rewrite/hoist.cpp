// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/hoist.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/dynamic.hpp>

#include "../repeated.hpp"

namespace {

// Bodies with parts that do not vary: products, views of them, constants, all of a result.
constexpr const char* hoisted[] = {
    "input A : f64[n,n]; input B : f64[n,n]; input x_ : f64[n]; x = 0.1 * (A B x_); export x",
    "input A : f64[n,n]; input x_ : f64[n]; x = 0.1 * (trans(A) A x_) + 0.1 * (A x_); export x",
    "input A : f64[n,n]; input x_ : f64[n]; S = tanh(A); x = trans(S) x_ + sum(S, axis = 0);"
    "export x",
    "input b : f64[n]; input x_ : f64[n]; x = square(b); export x",
    "input b : f64[n]; input x_ : f64[n]; x = exp(b) + 0.5 * x_; export x",
    "input A : f64[n,n]; input X_ : f64[n,n]; input y_ : f64[n];"
    "X = 0.1 * tanh(trans(A) A); y = X_ y_; export X; export y"};

}  // namespace

TEST_CASE("what does not vary is computed once, and the results are the same") {
  std::mt19937_64 random(8);
  MESSAGE("seed 8");
  const wf::registry kernels = wf::builtin_registry();
  std::uniform_real_distribution<double> number(-1, 1);
  for (const char* text : hoisted)
    for (std::int64_t rounds : {1, 2, 40}) {
      CAPTURE(text);
      CAPTURE(rounds);
      const wf::graph g = repeated::once(text, 4, {rounds});
      const auto made = wf::hoist_invariants(g.view(), kernels);
      REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
      CHECK(wf::validate(made->view()));
      CHECK(made->view().nodes.size() > 1);
      // As cheap as where the runs are written out and equal nodes merge.
      const wf::graph all = repeated::written_out(g.view(), rounds);
      CHECK(*wf::price(made->view(), wf::flops) == *wf::price(all.view(), wf::flops));
      wf::named_matrices at;
      for (const wf::value& v : wf::detail::inputs_of(g.view())) {
        wf::dynamic_matrix m(wf::detail::given_rows(v.type.shape),
                             wf::detail::given_columns(v.type.shape));
        for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = number(random);
        at[std::string(g.view().text_of(v.name))] = m;
      }
      const auto before = wf::run_dynamic(g.view(), at), after = wf::run_dynamic(made->view(), at);
      REQUIRE(before);
      REQUIRE_MESSAGE(after, std::string(wf::to_text(after.error()).view()));
      for (const auto& [name, m] : *before)
        CHECK((m - after->at(name)).cwiseAbs().maxCoeff() <= 1e-13);
      // Nothing is left to move.
      const auto again = wf::hoist_invariants(made->view(), kernels);
      REQUIRE(again);
      CHECK(wf::same(again->view(), made->view()));
    }
}

TEST_CASE("what varies stays, and so does a node that would have too many operands") {
  const wf::registry kernels = wf::builtin_registry();
  for (const char* text : {repeated::bodies[1], repeated::bodies[3], repeated::bodies[8]}) {
    const wf::graph g = repeated::once(text, 3, {5});
    const auto made = wf::hoist_invariants(g.view(), kernels);
    REQUIRE(made);
    CHECK(wf::same(made->view(), g.view()));
  }
  // Four products that are read, beside five operands.
  const wf::graph wide = repeated::once(
      "input a : f64[n]; input b : f64[n]; input c : f64[n]; input d : f64[n]; input x_ : f64[n];"
      "p = square(a); q = square(b); r = square(c); s = square(d);"
      "x = minimum(x_ + a, p) + maximum(x_ + b, q) + minimum(x_ + c, r) + maximum(x_ + d, s);"
      "export x",
      3, {5});
  const auto made = wf::hoist_invariants(wide.view(), kernels);
  REQUIRE(made);
  CHECK(wf::same(made->view(), wide.view()));
}
