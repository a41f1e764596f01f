// SPDX-License-Identifier: BSL-1.0
#include <wf/types/relations/rule.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../solved.hpp"

namespace {

using wf_test::list, wf_test::nothing, wf_test::one_node, wf_test::one_solved;

constexpr bool solves(wf::text_view source, std::uint32_t value, const wf::shape& wanted) {
  const auto g = wf::parse_graph(source);
  const auto s = wf::solve_types(*g);
  return s && s->solved.view().values[value].type.shape == wanted;
}
static_assert(
    solves("wf.graph 1 \"g\"\ninput \"x\" : f64[...]\nnode sum(%0) [axis = 1] -> f64[4, 5]\n", 0,
           wf::shape::of(4, wf::extent(), 5)));
static_assert(solves("wf.graph 1 \"g\"\ninput \"x\" : f64[?]\nnode split(%0) -> f64[3], f64[?]\n",
                     0, wf::shape::of(6)));
static_assert(
    solves("wf.graph 1 \"g\"\ninput \"x\" : f64[M]\ninput \"y\" : f64[?]\n"
           "node concat(%0, %1) -> f64[M + 2]\n",
           1, wf::shape::of(2)));
static_assert(wf::detail::states_shape(wf::kernels::reshape) &&
              !wf::detail::states_shape(wf::kernels::permute));

}  // namespace

TEST_CASE("reductions, permutations and other movement") {
  CHECK(one_solved("sum", {"unknown[4, ?, 5]"}, {"f32[?, ?]"}, "axis = 1") ==
        list{"f32[4x?x5]", "f32[4x5]"});
  CHECK(one_solved("sum", {nothing}, {"f32[4, 5]"}, "axis = 1") == list{"f32[4x?x5]", "f32[4x5]"});
  CHECK(one_solved("mean", {nothing}, {"f64[...]"}) == list{"f64[?]", "f64[scalar]"});
  CHECK(one_solved("arg_max", {"f64[4, ?]"}, {"unknown[7]"}, "axis = 0") ==
        list{"f64[4x7]", "i64[7]"});
  CHECK(one_solved("transpose", {nothing}, {"f64[2, M, 4]"}) == list{"f64[2x4xM]", "f64[2xMx4]"});
  CHECK(one_solved("permute", {nothing}, {"f64[2, 3, 4]"}, "p0 = 2, p1 = 0, p2 = 1") ==
        list{"f64[3x4x2]", "f64[2x3x4]"});
  CHECK(one_solved("slice", {"f64[?, 9]"}, {"f64[5, ?]"}, "axis = 1, start = 2, length = dim N") ==
        list{"f64[5x9]", "f64[5xN]"});
  CHECK(one_solved("slice", {"f64[?, 9]"}, {"f64[5, ?]"}, "axis = 1") ==
        list{"f64[5x9]", "f64[5x9]"});
  CHECK(one_solved("positions", {"f64[4, ?]"}, {"unknown[7]"}, "axis = 1") ==
        list{"f64[4x7]", "i64[7]"});
  CHECK(one_solved("gather", {"f64[9, ?]", "i64[2, 3]"}, {"unknown[?, ?, 7]"}) ==
        list{"f64[9x7]", "i64[2x3]", "f64[2x3x7]"});
  CHECK(one_solved("gather", {"f64[4, 9]", nothing}, {"unknown[4, 2, 3]"}, "axis = 1") ==
        list{"f64[4x9]", "unknown[2x3]", "f64[4x2x3]"});
  CHECK(one_solved("scatter_add", {nothing, "i64[2]", "f64[?, 7]"}, {"unknown[9, ?]"}) ==
        list{"f64[9x7]", "i64[2]", "f64[2x7]", "f64[9x7]"});
  CHECK(one_solved("update_slice", {nothing, "f64[2, ?]", nothing}, {"unknown[9, 7]"}) ==
        list{"f64[9x7]", "f64[2x7]", "i64[scalar]", "f64[9x7]"});
  CHECK(one_solved("rearrange", {"f64[?, 3, ?]"}, {"f64[4, ?]"}, "equation = \"iij->ji\"") ==
        list{"f64[3x3x4]", "f64[4x3]"});
  CHECK(one_solved("einsum", {"f64[?, K]", nothing}, {"unknown[5, 2]"},
                   "equation = \"ij,jk->ki\", points = 1") ==
        list{"f64[2xK]", "f64[Kx5]", "f64[5x2]"});
  CHECK(one_solved("after", {nothing, "f64[3]"}, {"i8[2]"}) == list{"i8[2]", "f64[3]", "i8[2]"});
  CHECK(one_solved("cnot", {nothing, "qubit[?, 2]"}, {"qubit[3, ?]", nothing}) ==
        list{"qubit[3x2]", "qubit[3x2]", "qubit[3x2]", "qubit[3x2]"});
}

TEST_CASE("sums, parts, elements and windows") {
  CHECK(one_solved("concat", {"f64[2, 3]", nothing}, {"unknown[?, 7]"}, "axis = 1") ==
        list{"f64[2x3]", "f64[2x4]", "f64[2x7]"});
  CHECK(one_solved("concat", {"f64[M]", "f64[2]", "f64[?]"}, {"f64[M + 5]"}) ==
        list{"f64[M]", "f64[2]", "f64[3]", "f64[(M + 5)]"});
  CHECK(one_solved("concat", {"f64[M]", "f64[N]"}, {nothing}) ==
        list{"f64[M]", "f64[N]", "f64[(M + N)]"});
  CHECK(one_solved("pad", {"f64[?, 2]"}, {"f64[9, ?]"}, "before = 1, after = 2") ==
        list{"f64[6x2]", "f64[9x2]"});
  CHECK(one_solved("split", {nothing}, {"f64[3, ?]", "unknown[?, 2]"}) ==
        list{"f64[6x2]", "f64[3x2]", "f64[3x2]"});
  CHECK(one_solved("split", {"f64[4*M]"}, {nothing, nothing, nothing, nothing}, "parts = 4")[4] ==
        "f64[M]");
  CHECK(one_solved("reshape", {"f64[?, 4]"}, {nothing}, "d0 = dim 6, d1 = dim 2") ==
        list{"f64[3x4]", "f64[6x2]"});
  CHECK(one_solved("reshape", {"f64[M, 6]"}, {nothing}, "d0 = dim ?, d1 = dim M") ==
        list{"f64[Mx6]", "f64[6xM]"});
  CHECK(one_solved("conv2d", {"f64[1, 3, 8, 8]", "f64[?, ?, 3, 3]"}, {"f64[?, 16, ?, ?]"},
                   "stride = 2, padding = 1") ==
        list{"f64[1x3x8x8]", "f64[16x3x3x3]", "f64[1x16x4x4]"});
  CHECK(one_solved("conv2d", {"f64[1, 3, ?, H]", "f64[4, 3, 3, 3]"}, {"f64[?, ?, 6, ?]"}) ==
        list{"f64[1x3x8xH]", "f64[4x3x3x3]", "f64[1x4x6x(H - 2)]"});
  CHECK(one_solved("max_pool2d", {"f64[1, 1, ?, ?]"}, {"f64[1, 1, 4, 4]"},
                   "window = 2, stride = 2") == list{"f64[1x1x?x?]", "f64[1x1x4x4]"});
}

TEST_CASE("a stated shape is broadcast to") {
  CHECK(one_solved("broadcast_to", {"f64[?, ?]"}, {nothing}, "d0 = dim 4, d1 = dim 3") ==
        list{"f64[?x?]", "f64[4x3]"});
  CHECK(one_solved("broadcast_to", {"f64[?, 2]"}, {nothing}, "d0 = dim 1, d1 = dim ?") ==
        list{"f64[1x2]", "f64[1x2]"});
}

TEST_CASE("stated shapes complete themselves") {
  CHECK(one_solved("prepare", {}, {nothing}, "d0 = dim 2, d1 = dim N") == list{"qubit[2xN]"});
  const auto s = wf::solve_types(wf_test::graph_with(
      one_node("reshape", {"f64[6]"}, {"unknown[...]"}, "d0 = dim 2, d1 = dim ?")));
  REQUIRE(s);
  const wf::graph_view g = s->solved;
  CHECK(g.attributes[1].number == 3);
}

TEST_CASE("what a rule refuses is a conflict, also before all is known") {
  CHECK(one_solved("sum", {"f64[?, ?]"}, {nothing}, "axis = 2")[0] ==
        "WF107 in 'sum#0': axis 2 of a value of 2 dimensions");
  CHECK(one_solved("permute", {"f64[?, ?]"}, {nothing}, "p0 = 1, p1 = 1")[0] ==
        "WF107 in 'permute#0': p0, p1, ... are no permutation of the dimensions");
  CHECK(one_solved("transpose", {"f64[?]"}, {nothing})[0] ==
        "WF101 in 'transpose#0': needs a matrix, not ?");
  CHECK(one_solved("concat", {"f64[?]", "f64[?]"}, {nothing}, "axis = 1")[0] ==
        "WF101 in 'concat#0': 'x0' is of rank 2 or more by concat#0 but of rank 1 by input");
  CHECK(one_solved("pad", {nothing}, {nothing}, "axis = 8")[0] ==
        "WF107 in 'pad#0': there is no dimension 8");
  CHECK(one_solved("gather", {"f64[3]", "i64[2, 2]"}, {"f64[?]"})[0] ==
        "WF101 in 'gather#0': 'gather#0' is of rank 2 by gather#0 but of rank 1 as stated");
  CHECK(one_solved("einsum", {"f64[2, 3]", "f64[4, 5]"}, {nothing},
                   "equation = \"ij,jk->ik\", points = 1")[0] ==
        "WF101 in 'einsum#0': 'x1' is 3x5 by einsum#0 but 4x5 by input");
  CHECK(one_solved("slice", {"f64[4]"}, {nothing}, "start = 2, length = 3")[0] ==
        "WF101 in 'slice#0': the elements do not suffice: 4 vs 3");
  CHECK(one_solved("reshape", {"f64[6]"}, {nothing}, "d0 = dim 4, d1 = dim ?")[0] ==
        "WF101 in 'reshape#0': 'reshape#0' can have no extent in dimension 1 (4x?)");
}
