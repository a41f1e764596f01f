// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/dense_tensor.hpp>

#include <doctest/doctest.h>

#include "random_tensor.hpp"

namespace {

using wf::tensors::to_dense;

constexpr std::int64_t half_of_all = std::int64_t{1} << 30;

}  // namespace

TEST_CASE("elements are counted within 2^31") {
  using extents = wf::table<std::int64_t>;
  CHECK(*wf::tensors::element_count(extents{}) == 1);
  CHECK(*wf::tensors::element_count(extents{3, 4}) == 12);
  CHECK(*wf::tensors::element_count(extents{2, half_of_all}) == std::size_t{1} << 31);
  CHECK(*wf::tensors::element_count(extents{0, half_of_all, half_of_all, half_of_all}) == 0);
  for (const extents& wrong :
       {extents{-1}, extents{3, half_of_all}, extents{half_of_all, half_of_all, 0},
        extents{0, 4 * half_of_all}, extents{INT64_MAX, INT64_MAX}, extents(9, 1)})
    CHECK(wf::tensors::element_count(wrong).error().code == wf::errc::bad_tensor_file);
}

TEST_CASE("a tensor in a database is the same tensor again") {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    const auto made = wf_test::random_tensor(random, i % 2 == 0);
    wf::logic::database d;
    const auto& there = wf::tensors::add_to(d, "T", made);
    CHECK(there.entries.valued == !made.boolean);
    CHECK(there.extents == made.extents);
    auto again = *to_dense(there);
    CHECK(again.name.view() == "T");
    again.name = {};
    CHECK(again == made);
  }
}

TEST_CASE("absent entries are worth what the caller says") {
  wf::logic::relation r(2, true);
  const wf::logic::position first[] = {1, 0}, last[] = {0, 2};
  r.append(first, 5);
  r.append(last, 7);
  const wf::logic::named_relation tensor{wf::text("D"), r, {}, {}};
  CHECK(to_text(to_dense(tensor).error()).view() ==
        "WF406 in 'D': it has 2 entries at 6 positions: say what the others are worth");
  const auto dense = to_dense(tensor, -1);
  REQUIRE(dense);
  CHECK(dense->extents == wf::table<std::int64_t>{2, 3});
  CHECK(dense->values == wf::table<double>{-1, -1, 7, 5, -1, -1});

  wf::logic::relation facts(1, false);
  const wf::logic::position three = 3, before = -1;
  facts.append(&three);
  const auto truths = to_dense({wf::text("F"), facts, {}, {}});
  REQUIRE(truths);
  CHECK(truths->boolean);
  CHECK(truths->values == wf::table<double>{0, 0, 0, 1});

  CHECK(!to_dense({wf::text("F"), facts, {}, {3}}));
  CHECK(!to_dense({wf::text("F"), facts, {}, {4, 4}}));
  facts.append(&before);
  CHECK(!to_dense({wf::text("F"), facts, {}, {}}));
  wf::logic::relation wide(2, false);
  const wf::logic::position far[] = {INT32_MAX, INT32_MAX};
  wide.append(far);
  CHECK(to_text(to_dense({wf::text("F"), wide, {}, {}}).error()).view() ==
        "WF406 in 'F': a tensor has at most 2^31 positions");
}
