// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg.hpp>

#include <random>
#include <utility>

#include <doctest/doctest.h>

#include <wf/rewrite/unroll.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/select/every_size/piecewise.hpp>
#include <wf/select/optimise.hpp>
#include <wf/static.hpp>

#include "../matrices.hpp"
#include "linalg/applied.hpp"

namespace {

using namespace applied;
using wf::dynamic_matrix;

constexpr auto chain = wf::workflow<"chain">([](wf::scope& s) {
  auto a = s.input<"A", double, 4, "M">();
  auto b = s.input<"B", double, "M", 16>();
  auto c = s.input<"C", double, 16, 8>();
  s.output<"D">(a * b * c);
});

}  // namespace

TEST_CASE("operators give the same however their matrices lie, of every size") {
  std::mt19937_64 random(23);
  struct task {
    const char* op;
    std::vector<shape> in, out;
    bool definite = false;  // the first square operand
  };
  std::size_t ran = 0;
  for (const auto& [m, n] : {std::pair{0, 0}, {0, 3}, {1, 1}, {1, 5}, {6, 1}, {7, 4}, {40, 33}}) {
    const shape square = shape::of(m, m), wide = shape::of(m, n), tall = shape::of(n, m);
    const shape rows = shape::of(m), columns = shape::of(n), scalar = shape::of();
    const task tasks[] = {{"matmul", {tall, wide}, {shape::of(n, n)}},
                          {"matvec", {wide, columns}, {rows}},
                          {"outer", {rows, columns}, {wide}},
                          {"trace", {square}, {scalar}},
                          {"identity_like", {square}, {square}},
                          {"inverse", {square}, {square}, true},
                          {"inverse_cholesky", {square}, {square}, true},
                          {"inverse_symmetric", {square}, {square}, true},
                          {"cholesky", {square}, {square}, true},
                          {"lu", {square}, {square, rows}, true},
                          {"ldl_factor", {square}, {square, rows}, true},
                          {"solve", {square, wide}, {wide}, true},
                          {"solve_cholesky", {square, wide}, {wide}, true},
                          {"solve", {square, rows}, {rows}, true},
                          {"solve_cholesky", {square, rows}, {rows}, true},
                          {"solve_symmetric", {square, wide}, {wide}, true},
                          {"solve_symmetric", {square, rows}, {rows}, true},
                          {"solve_right", {tall, square}, {tall}, true},
                          {"solve_right_cholesky", {tall, square}, {tall}, true},
                          {"solve_triangular", {square, wide}, {wide}, true}};
    for (const task& t : tasks) {
      CAPTURE(t.op);
      CAPTURE(m);
      CAPTURE(n);
      std::vector<tensor> in;
      for (const shape& s : t.in) {
        tensor& x = in.emplace_back(apply::random_tensor(s, random));
        if (!t.definite || !(s == square)) continue;
        const tensor half = x;
        apply::for_each_index(s, [&](const auto& i) {
          double& e = x.elements[static_cast<std::size_t>(i[0] * m + i[1])];
          e = half.at(i) + half.at({i[1], i[0]}) + (i[0] == i[1] ? 3.0 * m : 0.0);
        });
      }
      std::vector<wf::value_type> out;
      for (const shape& s : t.out) out.push_back({out.empty() ? dtype::f64 : dtype::i64, {}, s});
      std::vector<wf::properties> known;
      if (t.op == wf::text_view("solve_triangular"))
        known.push_back(n % 2 == 0 ? wf::properties(wf::lower_triangular)
                                   : wf::properties(wf::upper_triangular));
      const auto expected = run(t.op, in, out, {}, known);
      REQUIRE(expected.why == "");
      for (unsigned bits = 0; bits < 16; ++bits) {
        const apply::layout lies{bits % 8, bits < 8 ? 0 : 5};
        const auto made =
            apply::run(compute::linalg_operators<double>(), t.op, in, out, {}, known, lies);
        REQUIRE(made.why == "");
        for (std::size_t r = 0; r < out.size(); ++r)
          for (std::size_t i = 0; i < made.results[r].elements.size(); ++i)
            CHECK(made.results[r].elements[i] ==
                  doctest::Approx(expected.results[r].elements[i]).epsilon(1e-11));
        ++ran;
      }
    }
  }
  CHECK(ran == 7 * 20 * 16);
}

TEST_CASE("row 10: plans run at the size of their arguments") {
  // 128 M + 1024 flops from the left, 320 M from the right.
  const auto plans =
      wf::optimise_piecewise(chain.graph(), wf::symbol_range("M", 1, 64), wf::minimise(wf::flops));
  REQUIRE(plans);
  std::mt19937_64 random(10);
  for (const Eigen::Index size : {1, 2, 5, 6, 7, 64}) {
    CAPTURE(size);
    const dynamic_matrix a = matrices::random(4, size, random),
                         b = matrices::random(size, 16, random),
                         c = matrices::random(16, 8, random);
    const auto plan = plans->bound_for(size);
    REQUIRE(plan);
    const wf::graph_view g = plan->view();
    const bool from_the_left = g[wf::graph_view::output_of(g.nodes[0])].type.shape[0].size() == 4;
    CHECK((from_the_left || size == 4) == (size >= 6));
    const auto made = wf::run_dynamic(g, {{"A", a}, {"B", b}, {"C", c}});
    REQUIRE(made);
    CHECK((made->at("D") - a * b * c).norm() < 1e-12);
    // The symbolic plan of a piece is executable.
    const auto symbolic =
        wf::run_dynamic(plans->plan_for(size)->chosen.view(), {{"A", a}, {"B", b}, {"C", c}});
    REQUIRE(symbolic);
    CHECK(symbolic->at("D") == made->at("D"));
  }
}
