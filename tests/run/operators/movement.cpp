// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/movement.hpp>

#include <numeric>

#include "../apply.hpp"

namespace {

namespace compute = wf::compute;
using apply::integer, apply::tensor;
using wf::dtype, wf::shape;
using place = std::vector<std::int64_t>;

apply::outcome run(wf::text_view op, const std::vector<tensor>& in,
                   const std::vector<wf::value_type>& out, const apply::attributes& with = {}) {
  return apply::run(compute::movement_operators<double>(), op, in, out, with);
}

// The shape with another extent in dimension `axis`.
shape with_extent(shape s, std::uint32_t axis, std::int64_t extent) {
  s.extents[axis] = extent;
  return s;
}
place shifted(place i, std::uint32_t axis, std::int64_t by) {
  i[axis] += by;
  return i;
}

const shape whole = shape::of(4, 6, 5);

}  // namespace

TEST_CASE("slices, parts, paddings and updates along every dimension") {
  std::mt19937_64 random(61);
  const tensor x = apply::random_tensor(whole, random);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const wf::attribute_value along = integer("axis", axis);
    const std::int64_t extent = whole[axis].size();
    for (std::int64_t start = 0; start < extent; ++start) {
      const shape s = with_extent(whole, axis, extent - start);
      const auto slice = run("slice", {x}, {{dtype::f64, {}, s}},
                             {along, integer("start", start), integer("length", extent - start)});
      apply::for_each_index(
          s, [&](const place& i) { CHECK((*slice).at(i) == x.at(shifted(i, axis, start))); });

      const shape wide = with_extent(whole, axis, extent + start + 1);
      const auto padded = run("pad", {x}, {{dtype::f64, {}, wide}},
                              {along, integer("before", start), integer("after", 1)});
      apply::for_each_index(wide, [&](const place& i) {
        const bool inside = i[axis] >= start && i[axis] < start + extent;
        CHECK((*padded).at(i) == (inside ? x.at(shifted(i, axis, -start)) : 0.0));
      });

      const tensor part = apply::random_tensor(with_extent(whole, axis, extent - start), random);
      for (std::int64_t at = 0; at <= start; ++at) {
        const tensor where(shape(), {static_cast<double>(at)}, dtype::i64);
        const auto updated =
            run("update_slice", {x, part, where}, {{dtype::f64, {}, whole}}, {along});
        apply::for_each_index(whole, [&](const place& i) {
          const bool inside = i[axis] >= at && i[axis] < at + extent - start;
          CHECK((*updated).at(i) == (inside ? part.at(shifted(i, axis, -at)) : x.at(i)));
        });
      }
    }
  }
  for (double at : {-1.0, 2.0, 1e15}) {
    const tensor where(shape(), {at}, dtype::i64), part(with_extent(whole, 0, 3));
    CHECK(run("update_slice", {x, part, where}, {{dtype::f64, {}, whole}})
              .why.starts_with("the part does not fit from position "));
  }
}

TEST_CASE("splitting and putting together again") {
  std::mt19937_64 random(62);
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    for (std::int64_t parts = 1; parts <= 4; ++parts) {
      const tensor x = apply::random_tensor(with_extent(whole, axis, 3 * parts), random);
      const shape s = with_extent(whole, axis, 3);
      const std::vector<wf::value_type> types(static_cast<std::size_t>(parts), {dtype::f64, {}, s});
      const auto pieces =
          run("split", {x}, types, {integer("axis", axis), integer("parts", parts)});
      REQUIRE(pieces.results.size() == types.size());
      for (std::int64_t p = 0; p < parts; ++p)
        apply::for_each_index(s, [&](const place& i) {
          CHECK(pieces.results[static_cast<std::size_t>(p)].at(i) == x.at(shifted(i, axis, 3 * p)));
        });
      const auto again =
          run("concat", pieces.results, {{dtype::f64, {}, x.dims}}, {integer("axis", axis)});
      CHECK((*again).elements == x.elements);
    }
  // Parts of different extents, one of them empty.
  const auto made = run("concat",
                        {tensor(shape::of(2, 1), {1, 4}), tensor(shape::of(2, 0)),
                         tensor(shape::of(2, 2), {2, 3, 5, 6})},
                        {apply::f64(2, 3)}, {integer("axis", 1)});
  CHECK((*made).elements == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("dimensions in every order, and repeated elements") {
  std::mt19937_64 random(63);
  const tensor x = apply::random_tensor(shape::of(2, 3, 4), random);
  std::vector<std::int64_t> order{0, 1, 2};
  do {
    shape s;
    for (std::int64_t d : order) s.push_back(x.dims[static_cast<std::size_t>(d)]);
    const auto made =
        run("permute", {x}, {{dtype::f64, {}, s}},
            {integer("p0", order[0]), integer("p1", order[1]), integer("p2", order[2])});
    apply::for_each_index(s, [&](const place& i) {
      place from(3);
      for (std::size_t d = 0; d < 3; ++d) from[static_cast<std::size_t>(order[d])] = i[d];
      CHECK((*made).at(i) == x.at(from));
    });
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK((*run("permute", {tensor(shape(), {3})}, {apply::f64()})).elements[0] == 3);

  for (const shape& s :
       {shape(), shape::of(4), shape::of(3, 1), shape::of(1, 4), shape::of(2, 3, 4)}) {
    const tensor small = apply::random_tensor(s, random);
    const auto large = run("broadcast_to", {small}, {apply::f64(2, 3, 4)});
    apply::for_each_index(shape::of(2, 3, 4),
                          [&](const place& i) { CHECK((*large).at(i) == small.at(i)); });
  }
}

TEST_CASE("indices gather and scatter along every dimension, and lie inside") {
  std::mt19937_64 random(64);
  const tensor x = apply::random_tensor(whole, random);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto extent = static_cast<double>(whole[axis].size());
    const tensor ids(shape::of(2, 2), {0, extent - 1, 1, 1}, dtype::i32);
    shape s;
    for (std::uint32_t d = 0; d < 3; ++d) {
      if (d == axis) s.push_back(2), s.push_back(2);
      if (d != axis) s.push_back(whole[d]);
    }
    const auto gathered = run("gather", {x, ids}, {{dtype::f64, {}, s}}, {integer("axis", axis)});
    const tensor updates = apply::random_tensor(s, random);
    const auto scattered =
        run("scatter_add", {x, ids, updates}, {{dtype::f64, {}, whole}}, {integer("axis", axis)});
    std::vector<double> wanted = x.elements;
    apply::for_each_index(s, [&](const place& i) {
      place from = i;
      from.erase(from.begin() + axis);
      from[axis] = static_cast<std::int64_t>(ids.at({i[axis], i[axis + 1]}));
      CHECK((*gathered).at(i) == x.at(from));
      std::int64_t offset = 0;
      for (std::uint32_t d = 0; d < 3; ++d) offset = offset * whole[d].size() + from[d];
      wanted[static_cast<std::size_t>(offset)] += updates.at(i);
    });
    for (std::size_t i = 0; i < wanted.size(); ++i)
      CHECK((*scattered).elements[i] == doctest::Approx(wanted[i]));

    for (double wrong : {-1.0, extent, 9007199254740991.0}) {
      const tensor outside(shape::of(2, 2), {0, 0, 0, wrong}, dtype::i64);
      CHECK(run("gather", {x, outside}, {{dtype::f64, {}, s}}, {integer("axis", axis)})
                .why.starts_with("index "));
      CHECK(run("scatter_add", {x, outside, updates}, {{dtype::f64, {}, whole}},
                {integer("axis", axis)})
                .why.starts_with("index "));
    }
  }
  const tensor one(shape::of(1), {100}, dtype::i8), at(shape::of(1), {0}, dtype::i8);
  CHECK(run("scatter_add", {one, at, one}, {apply::of(dtype::i8, 1)}).why == "does not fit");
}

TEST_CASE("bits are reversed for powers of two only") {
  for (int bits = 0; bits < 6; ++bits) {
    const int n = 1 << bits;
    tensor x(shape::of(2, n));
    std::iota(x.elements.begin(), x.elements.end(), 0.0);
    const auto made = run("bit_reversal", {x}, {{dtype::f64, {}, x.dims}});
    for (int row = 0; row < 2; ++row)
      for (int i = 0; i < n; ++i) {
        int reversed = 0;
        for (int b = 0; b < bits; ++b) reversed |= ((i >> b) & 1) << (bits - 1 - b);
        CHECK((*made).at({row, reversed}) == x.at({row, i}));
      }
  }
  CHECK(run("bit_reversal", {tensor(shape::of(6))}, {apply::f64(6)}).why ==
        "the last extent is no power of two");
}

TEST_CASE("elements are converted, kept, counted and checked") {
  const tensor x(shape::of(4), {-1.5, 0, 0.1, 300.7});
  CHECK((*run("cast", {x}, {apply::of(dtype::i32, 4)})).elements ==
        std::vector<double>{-1, 0, 0, 300});
  CHECK(run("cast", {x}, {apply::of(dtype::i8, 4)}).why == "does not fit");
  CHECK((*run("cast", {x}, {apply::of(dtype::boolean, 4)})).elements ==
        std::vector<double>{1, 0, 1, 1});
  CHECK((*run("cast", {x}, {apply::of(dtype::f16, 4)})).elements ==
        std::vector<double>{-1.5, 0, 0.0999755859375, 300.75});
  const tensor wide(shape::of(2), {257, -129}, dtype::i32);
  CHECK((*run("cast", {wide}, {apply::of(dtype::i8, 2)})).elements == std::vector<double>{1, 127});

  for (const char* op : {"copy", "barrier", "reshape"})
    CHECK((*run(op, {x}, {apply::f64(4)})).elements == x.elements);
  CHECK((*run("after", {x, wide}, {apply::f64(4)})).elements == x.elements);
  CHECK((*run("positions", {x}, {apply::of(dtype::i64, 4)})).elements ==
        std::vector<double>{0, 1, 2, 3});
  CHECK((*run("check", {x, tensor(shape(), {1}, dtype::boolean)}, {apply::f64(4)})).elements ==
        x.elements);
  CHECK(run("check", {x, tensor(shape(), {0}, dtype::boolean)}, {apply::f64(4)}).why ==
        "its condition does not hold");
}

TEST_CASE("tensors without elements move") {
  const tensor none(shape::of(3, 0));
  CHECK((*run("permute", {none}, {apply::f64(0, 3)}, {integer("p0", 1), integer("p1", 0)}))
            .elements.empty());
  CHECK((*run("pad", {none}, {apply::f64(3, 2)}, {integer("axis", 1), integer("after", 2)}))
            .elements == std::vector<double>(6, 0.0));
  CHECK((*run("gather", {tensor(shape::of(0, 2)), tensor(shape::of(0), dtype::i64)},
              {apply::f64(0, 2)}))
            .elements.empty());
  CHECK(run("gather", {tensor(shape::of(0, 2)), tensor(shape::of(1), {0}, dtype::i64)},
            {apply::f64(1, 2)})
            .why == "index 0 lies outside of the 0 elements");
}
