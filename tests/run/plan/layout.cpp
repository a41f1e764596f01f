// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/layout.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/graph/topology.hpp>
#include <wf/registry/domain/builtin.hpp>

#include "../graph_writer.hpp"

namespace {

using wf::dtype, wf::shape, wf::value_id;

struct writer : wf_test::graph_writer {
  wf::detail::stored_graph<double> stored(const std::vector<value_id>& outputs) {
    put_out(outputs);
    const auto order = wf::topological_order(g.view());
    static const wf::registry kernels = wf::builtin_registry();
    return wf::detail::layout_planner<double>(g, *order, kernels).run();
  }
};

bool by_columns(const wf::detail::stored_graph<double>& s, value_id id) {
  return s.by_columns[wf::index_of(id)] != 0;
}
// The operators in order of execution.
std::string executed(const wf::detail::stored_graph<double>& s) {
  std::string out;
  const wf::graph_view g = s.g.view();
  for (wf::node_id id : s.order)
    if (s.is_executed(g[id]))
      out += std::string(out.empty() ? "" : " ") + std::string(g.op_name(g[id]));
  return out;
}

const shape wide = shape::of(2, 3), tall = shape::of(3, 2), square = shape::of(2, 2);

}  // namespace

TEST_CASE("linear algebra needs no copies, and transposes are views") {
  writer w;
  const value_id a = w.input(wide), b = w.input(wide);
  const value_id t = w.add("transpose", {a}, tall), c = w.add("matmul", {b, t}, square);
  const value_id back = w.add("transpose", {t}, wide), x = w.add("solve", {c, back}, wide);
  const auto s = w.stored({x, t});
  CHECK(executed(s) == "matmul solve");
  CHECK(by_columns(s, a));
  CHECK_FALSE(by_columns(s, t));
  CHECK(by_columns(s, back));
  CHECK(s.home[wf::index_of(back)] == a);
  CHECK(by_columns(s, c));
  CHECK(by_columns(s, x));
  CHECK(s.outputs[0] == x);
}

TEST_CASE("what takes rows reads copies of what lies otherwise, each made once") {
  writer w;
  const value_id a = w.input(wide);
  const value_id soft = w.add("softmax", {a}, wide), sum = w.add("sum", {a}, shape::of());
  const value_id c =
      w.add("cholesky", {w.add("matmul", {a, w.add("transpose", {a}, tall)}, square)}, square);
  const value_id of_c = w.add("softmax", {c}, square);
  const value_id flipped = w.add("softmax", {w.add("transpose", {c}, square)}, square);
  const value_id again = w.add("softmax", {soft}, wide);
  const auto s = w.stored({sum, of_c, flipped, again});
  // Only those copies of c that are needed in the other order; none of values written by rows.
  CHECK(executed(s) == "copy softmax sum matmul cholesky copy softmax softmax softmax");
  CHECK(by_columns(s, c));
  CHECK_FALSE(by_columns(s, soft));
  CHECK(s.read_plainly[wf::index_of(c)] == 1);
  CHECK(s.read_plainly[wf::index_of(soft)] == 1);
}

TEST_CASE("results lie as their readers like them") {
  writer w;
  const value_id a = w.input(square), b = w.input(square);
  const value_id to_rows = w.add("matmul", {a, b}, square);
  const value_id handed = w.add("negate", {w.add("abs", {to_rows}, square)}, square);
  const value_id rows = w.add("softmax", {handed}, square);
  const value_id turned = w.add("matmul", {b, a}, square);
  const value_id out = w.add("transpose", {turned}, square);
  const value_id middle = w.add("matmul", {a, a}, square);
  const value_id like = w.add("negate", {w.add("transpose", {middle}, square)}, square);
  const value_id end = w.add("trace", {w.add("matmul", {like, b}, square)}, shape::of());
  const auto s = w.stored({rows, out, end});
  CHECK_FALSE(by_columns(s, to_rows));
  CHECK_FALSE(by_columns(s, handed));
  CHECK_FALSE(by_columns(s, turned));  // so that its transpose is stored by columns
  CHECK(by_columns(s, out));
  CHECK(by_columns(s, middle));
  CHECK_FALSE(by_columns(s, like));  // like its operand
  CHECK(executed(s).find("copy") == std::string::npos);
}

TEST_CASE("inputs whose elements must be rounded are copied at the start, for outputs too") {
  writer w;
  const value_id a = w.input(wide, dtype::f32), b = w.input(wide),
                 unread = w.input(wide, dtype::i64);
  const value_id sum = w.add("add", {w.add("negate", {b}, wide), b}, wide);
  const value_id c = w.add("softmax", {a}, wide, dtype::f32);
  const auto s = w.stored({sum, c, a, unread});
  // An output is stored by columns, which softmax does not accept.
  CHECK(executed(s) == "copy copy negate add copy softmax");
  const wf::graph_view g = s.g.view();
  CHECK(g.inputs_of(g[g[s.outputs[2]].producer])[0] == a);
  CHECK(g.inputs_of(g[g[s.outputs[3]].producer])[0] == unread);
  const value_id read = g.inputs_of(g[g[c].producer])[0];
  CHECK(g.inputs_of(g[g[read].producer])[0] == s.outputs[2]);
  CHECK_FALSE(by_columns(s, c));
}

TEST_CASE("slices of matrices are views, and what takes rows reads copies of them") {
  writer w;
  const value_id a = w.input(shape::of(4, 2));
  const value_id part =
      w.add("slice", {a}, square, dtype::f64, {wf::attribute_value::integer("start", 1)});
  const value_id product = w.add("matmul", {part, part}, square);
  const value_id of_product = w.add("slice", {product}, shape::of(1, 2));
  const value_id turned = w.add("transpose", {of_product}, shape::of(2, 1));
  const value_id soft = w.add("softmax", {of_product}, shape::of(1, 2));
  const auto s = w.stored({turned, soft});
  CHECK(executed(s) == "matmul copy softmax");
  CHECK(s.home[wf::index_of(part)] == a);
  CHECK(s.home[wf::index_of(turned)] == product);
  CHECK(s.is_part[wf::index_of(turned)] == 1);
  CHECK(s.is_part[wf::index_of(product)] == 0);
  CHECK(by_columns(s, turned) != by_columns(s, of_product));
}

TEST_CASE("constants come first, elementwise operators of tensors take rows") {
  writer w;
  const value_id a = w.input(wide), t = w.input(shape::of(4, 2, 3));
  const value_id negated = w.add("negate", {a}, wide);
  const value_id two = w.add("constant", {}, shape::of());
  const value_id product = w.add("multiply", {negated, two}, wide);
  const value_id all = w.add("add", {t, a}, shape::of(4, 2, 3));
  const auto s = w.stored({product, all});
  CHECK(executed(s) == "constant negate multiply copy add");
  CHECK_FALSE(by_columns(s, all));
}
