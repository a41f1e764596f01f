// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/contraction.hpp>

#include <doctest/doctest.h>

namespace {

using wf::detail::tensor_lowering, wf::detail::tensor_value;

tensor_value input(wf::detail::graph_capture& s, wf::text_view name, const wf::shape& shape,
                   std::initializer_list<wf::text_view> labels) {
  tensor_value v;
  v.id = s.add_input(name, {wf::dtype::f64, {}, shape});
  v.labelled = true;
  for (wf::text_view l : labels) v.labels.push_back(l);
  return v;
}
wf::table<wf::text_view> names(std::initializer_list<wf::text_view> list) {
  return wf::table<wf::text_view>(list);
}
bool has_labels(const tensor_value& v, std::initializer_list<wf::text_view> wanted) {
  if (v.labels.size() != wanted.size()) return false;
  std::size_t i = 0;
  for (wf::text_view l : wanted)
    if (!(v.labels[i++] == l)) return false;
  return true;
}

}  // namespace

TEST_CASE("a contraction keeps what is needed, and its labels name its dimensions") {
  wf::detail::graph_capture s("s");
  tensor_lowering t(s);
  const tensor_value a = input(s, "a", wf::shape::of(2, 3, 4), {"i", "j", "k"});
  const tensor_value b = input(s, "b", wf::shape::of(4, 3, 5), {"k", "j", "l"});
  for (const auto& needed : {names({"i", "l"}), names({"i", "j", "l"}), names({"l"}),
                             names({"k", "i", "j", "l"}), names({})}) {
    const tensor_value c = t.contract(a, b, needed, {});
    const wf::shape shape = s.type_of(c.id).shape;
    REQUIRE(shape.rank == c.labels.size());
    for (std::uint32_t d = 0; d < shape.rank; ++d) {
      const wf::text_view l = c.labels[d];
      CHECK(shape[d] == wf::extent(l == "i" ? 2 : l == "j" ? 3 : l == "k" ? 4 : 5));
    }
    // An index of only one operand remains until it is projected out.
    tensor_value p = c;
    t.project(p, needed, {});
    CHECK(p.labels.size() == needed.size());
  }
  CHECK(s.failure().code == wf::errc::none);
}

TEST_CASE("elementwise operators follow the operand with more dimensions") {
  wf::detail::graph_capture s("s");
  tensor_lowering t(s);
  const tensor_value a = input(s, "a", wf::shape::of(2, 3, 4), {"i", "j", "k"});
  const tensor_value b = input(s, "b", wf::shape::of(3), {"j"});
  const auto add = wf::detail::captured<wf::kernels::add>;
  CHECK(has_labels(t.elementwise(add, a, b, {}), {"i", "j", "k"}));
  CHECK(has_labels(t.elementwise(add, b, a, {}), {"i", "j", "k"}));
  const tensor_value c = input(s, "c", wf::shape::of(5, 4), {"l", "k"});
  const tensor_value sum = t.elementwise(add, a, c, {});
  CHECK(has_labels(sum, {"i", "j", "k", "l"}));
  CHECK(s.type_of(sum.id).shape == wf::shape::of(2, 3, 4, 5));
  CHECK(s.failure().code == wf::errc::none);
}

TEST_CASE("a number of products that does not fit is an error") {
  wf::detail::graph_capture s("s");
  tensor_lowering t(s);
  const std::int64_t large = std::int64_t{1} << 31;
  const tensor_value a = input(s, "a", wf::shape::of(large, 2, large), {"i", "j", "k"});
  const tensor_value b = input(s, "b", wf::shape::of(2, large, large), {"j", "k", "l"});
  (void)t.contract(a, b, names({"i", "l"}), {});
  CHECK(s.failure().code == wf::errc::overflow);
}

TEST_CASE("a product is too wide from the left if a tensor on the way is") {
  using lowering = tensor_lowering<wf::detail::graph_capture>;
  const auto a = names({"a", "b", "c", "d", "x"}), b = names({"e", "f", "g", "h", "x"}),
             c = names({"e", "f", "g", "h"});
  const wf::detail::label_list factors[] = {a, b, c};
  // The first product has the indices a to h; x would exceed the maximum rank by one.
  CHECK_FALSE(lowering::is_too_wide({factors, 3}, names({"a", "b", "c", "d"})));
  CHECK(lowering::is_too_wide({factors, 3}, names({"a", "b", "c", "d", "x"})));
  CHECK_FALSE(lowering::is_too_wide({factors, 1}, names({"a"})));
}

TEST_CASE("a product of several takes the order of least flops that keeps within the rank") {
  wf::detail::graph_capture s("s");
  tensor_lowering t(s);
  const tensor_value a = input(s, "a", wf::shape::of(100, 2), {"i", "j"});
  const tensor_value b = input(s, "b", wf::shape::of(2, 100), {"j", "k"});
  const tensor_value c = input(s, "c", wf::shape::of(100), {"k"});
  tensor_value made;
  REQUIRE(t.contract_in_best_order(wf::table<tensor_value>({a, b, c}), names({"i"}), {}, made));
  CHECK(has_labels(made, {"i"}));
  CHECK(s.type_of(made.id).shape == wf::shape::of(100));
  // b c comes first: an evaluation from the left would make a 100 x 100 matrix.
  for (const wf::value& v : s.captured().values) CHECK(v.type.shape.rank <= 2);
  CHECK(s.captured().nodes.size() == 2);
  CHECK(s.failure().code == wf::errc::none);
  // There is no order for a result of nine dimensions.
  const tensor_value d = input(s, "d", wf::shape::of(2, 2, 2, 2, 2), {"a", "b", "c", "d", "e"});
  const tensor_value e = input(s, "e", wf::shape::of(2, 2, 2, 2), {"f", "g", "h", "i"});
  CHECK_FALSE(t.contract_in_best_order(wf::table<tensor_value>({d, e}),
                                       names({"a", "b", "c", "d", "e", "f", "g", "h", "i"}), {},
                                       made));
}
