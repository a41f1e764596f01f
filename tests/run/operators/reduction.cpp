// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/reduction.hpp>

#include "../apply.hpp"

namespace {

namespace compute = wf::compute;
using apply::integer, apply::tensor;
using wf::dtype, wf::shape;

apply::outcome run(wf::text_view op, const tensor& in, const wf::value_type& out,
                   const apply::attributes& with = {}) {
  return apply::run(compute::reduction_operators<double>(), op, {in}, {out}, with);
}

// The expected results of each reduction of a run of elements.
struct expected {
  double sum = 0, mean = 0, largest = 0, place = 0;

  explicit expected(const std::vector<double>& x) : largest(x[0]) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += x[i];
      if (x[i] > largest) largest = x[i], place = static_cast<double>(i);
    }
    mean = sum / static_cast<double>(x.size());
  }
};

}  // namespace

TEST_CASE("reductions over each dimension and over all") {
  std::mt19937_64 random(71);
  for (const shape& s :
       {shape::of(3, 4, 5), shape::of(1, 7), shape::of(6), shape::of(2, 1, 1, 3)}) {
    const tensor x = apply::random_tensor(s, random);
    for (std::uint32_t axis = 0; axis < s.rank; ++axis) {
      shape rest;
      for (std::uint32_t d = 0; d < s.rank; ++d)
        if (d != axis) rest.push_back(s[d]);
      const apply::attributes along{integer("axis", axis)};
      const auto sum = run("sum", x, {dtype::f64, {}, rest}, along);
      const auto mean = run("mean", x, {dtype::f64, {}, rest}, along);
      const auto max = run("max", x, {dtype::f64, {}, rest}, along);
      const auto place = run("arg_max", x, {dtype::i64, {}, rest}, along);
      apply::for_each_index(rest, [&](const auto& i) {
        std::vector<double> elements;
        for (std::int64_t k = 0; k < s[axis].size(); ++k) {
          auto j = i;
          j.insert(j.begin() + axis, k);
          elements.push_back(x.at(j));
        }
        const expected wanted(elements);
        CHECK((*sum).at(i) == doctest::Approx(wanted.sum));
        CHECK((*mean).at(i) == doctest::Approx(wanted.mean));
        CHECK((*max).at(i) == wanted.largest);
        CHECK((*place).at(i) == wanted.place);
      });
    }
    const expected wanted(x.elements);
    CHECK((*run("sum", x, apply::f64())).elements[0] == doctest::Approx(wanted.sum));
    CHECK((*run("mean", x, apply::f64())).elements[0] == doctest::Approx(wanted.mean));
    CHECK((*run("max", x, apply::f64())).elements[0] == wanted.largest);
    CHECK((*run("arg_max", x, apply::of(dtype::i64))).elements[0] == wanted.place);
  }
}

TEST_CASE("of equals the first is the largest") {
  const tensor x(shape::of(2, 3), {1, 5, 5, 2, 2, 2});
  CHECK((*run("arg_max", x, apply::of(dtype::i64, 2), {integer("axis", 1)})).elements ==
        std::vector<double>{1, 0});
  CHECK((*run("arg_max", x, apply::of(dtype::i64))).elements[0] == 1);
}

TEST_CASE("the sum of nothing is zero, a mean and a largest element of nothing do not exist") {
  const tensor none(shape::of(2, 0));
  const apply::attributes columns{integer("axis", 1)}, rows{integer("axis", 0)};
  CHECK((*run("sum", none, apply::f64(2), columns)).elements == std::vector<double>{0, 0});
  CHECK((*run("sum", none, apply::f64())).elements[0] == 0);
  for (const char* op : {"mean", "max"}) {
    CHECK(run(op, none, apply::f64(2), columns).why == "there are no elements");
    CHECK(run(op, none, apply::f64()).why == "there are no elements");
    CHECK((*run(op, none, apply::f64(0), rows)).elements.empty());
  }
  CHECK(run("arg_max", none, apply::of(dtype::i64)).why == "there are no elements");
}

TEST_CASE("sums of integers are checked") {
  const tensor x(shape::of(3), {100, 27, -1}, dtype::i8);
  CHECK((*run("sum", x, apply::of(dtype::i8))).elements[0] == 126);
  CHECK((*run("max", x, apply::of(dtype::i8))).elements[0] == 100);
  const tensor y(shape::of(2), {100, 28}, dtype::i8);
  CHECK(run("sum", y, apply::of(dtype::i8)).why == "does not fit");
}
