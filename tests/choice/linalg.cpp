// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/linalg.hpp>

#include <array>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/choice/growth.hpp>
#include <wf/pass/unroll.hpp>

#include "field.hpp"

namespace {

// Grows a graph and checks that every class has one value, whichever candidate computes it.
void check_classes(const wf::graph_view& g, std::uint64_t seed) {
  const auto grown = wf::grow(g, wf::transforms::linalg_transforms);
  REQUIRE(grown);
  const wf::graph_view all = grown->view();
  // Hands every candidate's value out under its number, so that loops can be unrolled.
  const auto registry = wf::builtin_registry();
  wf::graph_builder copy("copy");
  const wf::symbol_map symbols;
  wf::graph_copier copier(all, copy, symbols);
  REQUIRE(copier.copy_inputs().code == wf::errc::none);
  const auto order = wf::topological_order(all);
  REQUIRE(order);
  for (wf::node_id id : *order) REQUIRE(copier.copy(id).code == wf::errc::none);
  for (std::uint32_t i = 0; i < all.values.size(); ++i)
    copy.graph().add_output((wf::text() << "v" << i).view(),
                            copier.place(static_cast<wf::value_id>(i)));
  const auto flat = wf::unroll(copy.graph().view(), registry);
  REQUIRE(flat);
  REQUIRE(wf::validate(flat->view()));
  const auto computed = field::evaluate(flat->view(), seed);
  for (std::uint32_t i = 0; i < all.values.size(); ++i) {
    const auto id = static_cast<wf::value_id>(i);
    const std::uint32_t home = grown->class_of(id);
    const auto& mine = computed[wf::index_of(flat->view().outputs[i].source)];
    const auto& theirs = computed[wf::index_of(flat->view().outputs[home].source)];
    CAPTURE(i);
    CHECK(mine == theirs);
  }
}

constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});

constexpr wf::properties known_of(wf::text_view node_name) {
  const auto grown = wf::grow(kalman.graph(), wf::transforms::linalg_transforms);
  for (const wf::node& n : grown->view().nodes)
    if (grown->view().text_of(n.name) == node_name)
      return grown->type_of(grown->representative(wf::graph_view::output_of(n))).known;
  return {};
}

// H P H' is semidefinite by its form and R definite by declaration, so S is definite.
static_assert(known_of("S").has(wf::spd));

constexpr bool grows(const char* op) {
  const auto grown = wf::grow(kalman.graph(), wf::transforms::linalg_transforms);
  for (const wf::node& n : grown->view().nodes)
    if (grown->view().op_name(n) == op) return true;
  return false;
}
static_assert(grows("solve_right_cholesky") && grows("solve_right") && grows("inverse_cholesky") &&
              grows("find_pivot") && !grows("matmul_strassen"));

}  // namespace

TEST_CASE("every candidate of the Kalman gain computes the same") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    check_classes(kalman.graph(), seed);
  }
}

TEST_CASE("random products of matrices, transposes and inverses: all candidates are equal") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto captured = wf::capture("random", [&](wf::scope& s) {
      using any = wf::any<double>;
      std::vector<any> pool;
      std::vector<std::array<std::int64_t, 2>> shapes;
      const std::size_t inputs = 3 + random() % 3;
      for (std::size_t i = 0; i < inputs; ++i) {
        const auto r = static_cast<std::int64_t>(1 + random() % 4);
        const auto c = random() % 2 == 0 ? r : static_cast<std::int64_t>(1 + random() % 4);
        wf::properties known;
        if (r == c && random() % 2 == 0) known = wf::spd;
        pool.push_back(
            s.input<double>((wf::text() << "A" << i).view(), wf::shape::of(r, c), known));
        shapes.push_back({r, c});
      }
      for (int step = 0; step < 12; ++step) {
        const std::size_t a = random() % pool.size(), b = random() % pool.size();
        const auto kind = random() % 4;
        if (kind == 0 && shapes[a][0] == shapes[a][1] && a < inputs) {
          pool.push_back(s.let(inv(pool[a])));
          shapes.push_back(shapes[a]);
        } else if (kind == 1) {
          pool.push_back(s.let(trans(pool[a])));
          shapes.push_back({shapes[a][1], shapes[a][0]});
        } else if (kind == 2 && shapes[a] == shapes[b]) {
          pool.push_back(s.let(pool[a] + pool[b]));
          shapes.push_back(shapes[a]);
        } else if (shapes[a][1] == shapes[b][0]) {
          pool.push_back(s.let(matmul(pool[a], pool[b])));
          shapes.push_back({shapes[a][0], shapes[b][1]});
        }
      }
      s.output("last", pool.back());
      s.output("other", pool[random() % pool.size()]);
    });
    REQUIRE(captured);
    check_classes(captured->view(), seed);
  }
}

TEST_CASE("a chain of n matrices has all its parenthesisations") {
  for (std::int64_t n = 2; n <= 8; ++n) {
    const auto captured = wf::capture("chain", [&](wf::scope& s) {
      wf::any<double> x = s.input<double>("A0", wf::shape::of(2, 3));
      for (std::int64_t i = 1; i < n; ++i) {
        const auto a =
            s.input<double>((wf::text() << "A" << i).view(), wf::shape::of(i + 2, i + 3));
        x = s.let(matmul(x, a));
      }
      s.output("Y", x);
    });
    REQUIRE(captured);
    const auto grown = wf::grow(captured->view(), {&wf::transforms::chain_order, 1});
    REQUIRE(grown);
    // One product for each run of matrices and each split of it: (n³ - n) / 6.
    CHECK(grown->view().nodes.size() == static_cast<std::size_t>((n * n * n - n) / 6));
  }
}

TEST_CASE("Strassen's split is offered from 512 on, for even extents") {
  for (const std::int64_t size : {510, 512, 513, 600}) {
    const auto captured = wf::capture("square", [&](wf::scope& s) {
      const auto a = s.input<double>("A", wf::shape::of(size, size));
      s.output("Y", matmul(a, a));
    });
    REQUIRE(captured);
    const auto grown = wf::grow(captured->view(), wf::transforms::linalg_transforms);
    REQUIRE(grown);
    CHECK(grown->view().nodes.size() == (size == 512 || size == 600 ? 2U : 1U));
  }
}
