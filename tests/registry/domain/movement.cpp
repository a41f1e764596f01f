// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/movement.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>

#include "../one_node.hpp"

namespace {

using one_node::priced;
using wf::shape;

}  // namespace

TEST_CASE("reductions add up all but one element of each result") {
  const std::vector<wf::attribute_value> axis{wf::attribute_value::integer("axis", 1)};
  CHECK(priced(wf::kernels::reduce_sum, wf::flops, {shape::of(3, 5)}, axis) == 3 * 4);
  CHECK(priced(wf::kernels::reduce_sum, wf::flops, {shape::of(3, 5)}) == 14);
  CHECK(priced(wf::kernels::reduce_mean, wf::flops, {shape::of(3, 5)}, axis) == 3 * 4 + 3);
}

TEST_CASE("a reshape keeps the number of elements") {
  const auto to = [](const shape& from, std::vector<wf::extent> extents) {
    constexpr wf::text_view names[] = {"d0", "d1", "d2"};
    std::vector<wf::attribute_value> attributes;
    for (std::size_t i = 0; i < extents.size(); ++i)
      attributes.push_back(wf::attribute_value::dimension(names[i], extents[i]));
    const wf::value_type t{wf::dtype::f64, {}, from};
    return wf::infer(wf::kernels::reshape, {{&t, 1}, {attributes.data(), attributes.size()}});
  };
  CHECK(to(shape::of(2, 6), {3, 4})->results[0].shape == shape::of(3, 4));
  CHECK_FALSE(to(shape::of(2, 6), {3, 5}));
  CHECK(to(shape::of("M", 6), {2, "M", 3})->results[0].shape == shape::of(2, "M", 3));
  CHECK_FALSE(to(shape::of("M", 6), {"N", 6}));
}

TEST_CASE("an axis that does not exist is refused") {
  const wf::attribute_value axis = wf::attribute_value::integer("axis", 2);
  const wf::value_type t{wf::dtype::f64, {}, shape::of(2, 6)};
  const auto made = wf::infer(wf::kernels::reduce_max, {{&t, 1}, {&axis, 1}});
  REQUIRE_FALSE(made);
  CHECK(made.error().code == wf::errc::bad_attribute);
}

TEST_CASE("row 3: wrong operands and attributes of movement") {
  using one_node::f64, one_node::of, one_node::failure, one_node::integer;
  using namespace wf::kernels;
  const auto shape_error = wf::errc::shape_mismatch;
  const auto attribute_error = wf::errc::bad_attribute;
  const auto i64 = [](auto... e) { return of(wf::dtype::i64, e...); };
  CHECK(failure(permute, {f64(2, 3)}, {integer("p0", 0), integer("p1", 0)}) == attribute_error);
  CHECK(failure(slice, {f64(4)}, {integer("start", 2), integer("length", 3)}) == shape_error);
  CHECK(failure(slice, {f64(4)}, {integer("start", -1)}) == attribute_error);
  CHECK(failure(slice, {f64(4)}, {integer("length", -5)}) == attribute_error);
  CHECK(failure(split, {f64(3)}) == shape_error);
  CHECK(failure(split, {f64(4)}, {integer("parts", 3)}) == shape_error);
  CHECK(failure(split, {f64(6)}, {integer("parts", 4)}) == shape_error);
  CHECK(failure(concat, {f64(2, 3), f64(2, 4)}) == shape_error);
  CHECK(failure(concat, {f64(2, 3), f64(2)}) == shape_error);
  CHECK(failure(pad, {f64(4)}, {integer("before", -1)}) == attribute_error);
  CHECK(failure(gather, {f64(4), f64(2)}) == wf::errc::dtype_mismatch);
  CHECK(failure(scatter_add, {f64(4, 3), i64(2), f64(2, 4)}) == shape_error);
  CHECK(failure(update_slice, {f64(4, 3), f64(5, 3), i64()}) == shape_error);
  CHECK(failure(update_slice, {f64(4, 3), f64(2, 2), i64()}) == shape_error);
  CHECK(failure(broadcast_to, {f64(4)}, {wf::attribute_value::dimension("d0", 5)}) == shape_error);
  for (const auto* k : {&slice, &split, &concat, &pad, &gather, &arg_max}) {
    one_node::operands in{f64(4)};
    if (k == &concat) in.push_back(f64(4));
    if (k == &gather) in.push_back(i64(2));
    CHECK_MESSAGE(failure(*k, in, {integer("axis", 1)}) == attribute_error, std::string(k->name));
  }
}

TEST_CASE("movement of symbolic extents") {
  using one_node::results, one_node::f64, one_node::integer;
  using namespace wf::kernels;
  const auto one = [](const wf::kernel_spec& k, const one_node::operands& in,
                      const one_node::attributes& with) {
    const auto made = one_node::inferred(k, in, with);
    REQUIRE(made);
    const wf::extent e = made->results[0].shape[0];
    return std::string(e.is_derived() ? made->derived[e.index()].view() : wf::to_text(e).view());
  };
  CHECK(one(concat, {f64("M", 3), f64("N", 3)}, {}) == "M + N");
  CHECK(one(concat, {f64("M", 3), f64("M", 3)}, {}) == "2*M");
  CHECK(one(concat, {f64("M"), f64("M"), f64(1)}, {}) == "2*M + 1");
  CHECK(one(pad, {f64("M")}, {integer("before", 1), integer("after", 1)}) == "M + 2");
  CHECK(one(split, {f64("M")}, {}) == "1/2*M");
  CHECK(one(slice, {f64("M")}, {integer("start", 1), integer("length", 4)}) == "4");
  CHECK(one(slice, {f64(9)}, {wf::attribute_value::dimension("length", "T")}) == "T");
}
