// SPDX-License-Identifier: BSL-1.0
#include <wf/storage/rule.hpp>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>

#include "replay.hpp"

namespace {

wf::graph graph_of(wf::text_view source) {
  const auto g = wf::parse_graph(source);
  REQUIRE(g);
  return *g;
}
// By value: true if it shares the storage of another one.
std::vector<bool> shared(wf::text_view source) {
  const wf::graph g = graph_of(source);
  const wf::storage_rule rule(g.view(), storage_tests::kernels());
  std::vector<bool> out;
  for (std::uint32_t i = 0; i < g.view().values.size(); ++i)
    out.push_back(!rule.is_home(wf::value_id{i}));
  return out;
}
using flags = std::vector<bool>;

// The element of its home to which an element of a view refers, through the views in between.
std::int64_t element_of_home(const wf::graph_view& g, wf::value_id home, wf::value_id id,
                             std::int64_t e) {
  while (id != home) {
    const wf::node& n = g[g[id].producer];
    e = storage_tests::element_of_view(g, n, wf::index_of(id) - n.outputs.first, e);
    id = g.inputs_of(n)[0];
  }
  return e;
}

}  // namespace

TEST_CASE("what a reading says of a view's elements is where they are, and can be read there") {
  std::mt19937_64 random(20270303);
  std::size_t seen = 0, of_matrices = 0, copies = 0, strided = 0;
  for (int round = 0; round < 4000; ++round) {
    const wf::graph made = storage_tests::random_graph(random, 1 + random() % 14);
    const wf::graph_view g = made.view();
    CAPTURE(round);
    INFO(std::string(wf::to_text(g).view()));
    const wf::storage_rule rule(g, storage_tests::kernels());
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const wf::value_id id{i}, home = rule.home_of(id);
      CAPTURE(i);
      const wf::shape s = g[id].type.shape, of_home = g[home].type.shape;
      REQUIRE(rule.home_of(home) == home);
      if (rule.is_home(id)) {
        const wf::node_id by = g[id].producer;
        copies +=
            by != wf::node_id::none && storage_tests::kernels().find(g.op_name(g[by]))->is_view;
        continue;
      }
      ++seen;
      const wf::storage_reading& r = rule.reading_of(id);
      REQUIRE(r.of_matrix == (of_home.rank == 2));
      bool whole = s == of_home || !r.of_matrix;
      for (std::int64_t e = 0; e < s.elements(); ++e) {
        const std::int64_t there = element_of_home(g, home, id, e);
        const storage_tests::index_list at = storage_tests::unravel(s, e);
        std::int64_t told = r.first;
        if (r.of_matrix) {
          std::int64_t place[2] = {r.start[0], r.start[1]};
          for (std::size_t d = 0; d < 2; ++d) place[r.axis[d]] += at[d];
          told = place[0] * of_home[1].size() + place[1];
        } else {
          for (std::size_t d = 0; d < s.rank; ++d) told += at[d] * r.step[d];
        }
        REQUIRE(told == there);
        whole = whole && told == e;
      }
      whole = whole && s.elements() == of_home.elements();
      if (r.is_whole) REQUIRE(whole);
      // A matrix has rows or columns of consecutive elements; other values are in row-major order.
      if (r.of_matrix) {
        ++of_matrices;
        REQUIRE(r.axis[0] != r.axis[1]);
      } else if (s.rank == 2) {
        REQUIRE((r.step[0] == 1 || r.step[1] == 1));
        const std::uint32_t run = r.step[1] == 1 ? 1 : 0;
        REQUIRE(r.step[1 - run] >= s[run].size());
        strided += r.step[1 - run] > s[run].size();
      } else {
        std::int64_t next = 1;
        for (std::size_t d = s.rank; d-- > 0; next *= s[d].size()) REQUIRE(r.step[d] == next);
      }
    }
  }
  CHECK(seen > 4000);
  CHECK(of_matrices > 2000);
  CHECK(copies > 500);
  CHECK(strided > 5);
}

TEST_CASE("of a matrix transposes and parts are views, other shapes are copies") {
  CHECK(shared(R"(wf.graph 1 "g"
input "x" : f64[4, 3]
node linalg.transpose(%0) -> f64[3, 4]
node movement.slice(%1) [axis = 0, start = 1, length = 2] -> f64[2, 4]
node movement.reshape(%0) [d0 = dim 12] -> f64[12]
node movement.reshape(%0) [d0 = dim 4, d1 = dim 3] -> f64[4, 3]
node control.after(%2, %0) -> f64[2, 4]
node tensor.rearrange(%0) [equation = "ij->ji"] -> f64[3, 4]
node own.border(%0) -> f64[4, 1], f64[4, 1]
node own.blind(%0) -> f64[4, 3]
node movement.broadcast_to(%0) [d0 = dim 2, d1 = dim 4, d2 = dim 3] -> f64[2, 4, 3]
output "y" = %1
)") == flags{false, true, true, false, true, true, true, true, true, false, false});
}

TEST_CASE(
    "of what lies in row-major order all that is in this order are views, and matrices in it") {
  CHECK(shared(R"(wf.graph 1 "g"
input "x" : f64[2, 4, 3]
node movement.reshape(%0) [d0 = dim 8, d1 = dim 3] -> f64[8, 3]
node linalg.transpose(%1) -> f64[3, 8]
node movement.reshape(%1) [d0 = dim 24] -> f64[24]
node movement.reshape(%2) [d0 = dim 24] -> f64[24]
node own.page(%0) [at = 1] -> f64[4, 3]
node movement.slice(%0) [axis = 0, start = 1, length = 1] -> f64[1, 4, 3]
node movement.slice(%0) [axis = 1, start = 1, length = 2] -> f64[2, 2, 3]
node linalg.transpose(%0) -> f64[2, 3, 4]
node tensor.rearrange(%0) [equation = "ijk->kij"] -> f64[3, 2, 4]
node movement.split(%0) [axis = 0] -> f64[1, 4, 3], f64[1, 4, 3]
node movement.split(%0) [axis = 1] -> f64[2, 2, 3], f64[2, 2, 3]
output "y" = %1
)") == flags{false, true, true, true, false, true, true, false, false, false, true, true, false,
             false});
}

TEST_CASE("qubits cannot be copied: every view lies where they are") {
  CHECK(shared(R"(wf.graph 1 "g"
input "q" : qubit[2, 3]
node movement.reshape(%0) [d0 = dim 6] -> qubit[6]
node movement.slice(%1) [axis = 0, start = 1, length = 2] -> qubit[2]
output "y" = %1
)") == flags{false, true, true});
}

TEST_CASE("views of values that come later in the table, and views in a circle") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2, 2)};
  const wf::value_id x = g.add_input("x", t);
  const wf::node_id a = g.add_node({.op = "transpose"}, {&x, 1}, {&t, 1});
  const wf::node_id b = g.add_node({.op = "transpose"}, {&x, 1}, {&t, 1});
  const wf::value_id of_a = wf::graph_view::output_of(g[a]), of_b = wf::graph_view::output_of(g[b]);
  g.set_operand(0, of_b);  // a reads the result of b
  CHECK(wf::storage_rule(g.view(), storage_tests::kernels()).home_of(of_a) == x);
  g.set_operand(1, of_a);  // and b that of a
  const wf::storage_rule circle(g.view(), storage_tests::kernels());
  CHECK((circle.is_home(of_a) || circle.is_home(of_b)));
}
