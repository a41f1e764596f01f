// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/relation/index_set.hpp>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "../ordered_program.hpp"

namespace {

using wf::logic::position;
using wf::logic::detail::index_set;
using wf::logic::detail::tensor_store;
using wf_test::add_row;

// The youngest row of a group; `hash_index::none` if it has none.
std::uint32_t youngest(const wf::logic::detail::row_groups& groups, const position* key) {
  std::uint32_t row = wf::hash_index::none;
  groups.each(key, UINT32_MAX, [&](std::uint32_t r) { return row = r, false; });
  return row;
}

}  // namespace

TEST_CASE("an index of rows is made on demand, grows with its store, and forgets a replaced one") {
  wf::table<tensor_store> stores;
  stores.push_back(tensor_store(wf_test::relation_of(2, {{0, 5}, {1, 6}})));
  index_set indices;
  const std::uint32_t first[] = {0}, both[] = {0, 1};
  const std::uint32_t number = indices.find(0, first);
  CHECK(indices.find(0, first) == number);
  CHECK(indices.find(0, both) != number);
  CHECK(indices.find(1, first) != number);
  const position one[] = {1}, seven[] = {7};
  CHECK(youngest(indices.extended(number, stores), one) == 1);
  stores[0].index();
  add_row(stores[0], {7, 8});
  CHECK(youngest(indices[number], seven) == wf::hash_index::none);
  CHECK(youngest(indices.extended(number, stores), seven) == 2);
  stores[0] = tensor_store(wf_test::relation_of(2, {{7, 5}, {4, 6}, {1, 2}}));
  indices.forget(0);
  CHECK(youngest(indices.extended(number, stores), seven) == 0);
  CHECK(youngest(indices.extended(number, stores), one) == 2);
}

TEST_CASE("an index counts from when it is asked to, also what was there before") {
  wf::table<tensor_store> stores;
  stores.push_back(tensor_store(wf_test::relation_of(2, {{0, 5}, {1, 6}, {1, 7}})));
  stores[0].index();
  index_set indices;
  const std::uint32_t first[] = {0};
  const position one[] = {1};
  const std::uint32_t number = indices.find(0, first);
  indices.extended(number, stores);
  CHECK(indices.find(0, first, true) == number);
  CHECK(indices.extended(number, stores).count_of(one) == 2);
  CHECK(indices.find(0, first, false) == number);
  add_row(stores[0], {1, 8});
  CHECK(indices.extended(number, stores).count_of(one) == 3);
  CHECK(indices[number].longest() == 3);
}

TEST_CASE("a projection has the different positions in some columns, and grows with its tensor") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    wf::table<tensor_store> stores;
    for (int t = 0; t < 2; ++t) stores.push_back(tensor_store(3, t == 1));
    index_set indices;
    const std::uint32_t columns[] = {0, 2}, other[] = {1}, key[] = {1};
    const std::uint32_t of = indices.project(1, columns), lone = indices.project(0, other);
    REQUIRE(indices.project(1, columns) == of);
    REQUIRE(indices.project(0, columns) != of);
    REQUIRE(index_set::is_projection(of));
    REQUIRE_FALSE(index_set::is_projection(1));
    REQUIRE(indices.tensor_of(of) == 1);
    REQUIRE(indices.tensor_of(lone) == 0);
    REQUIRE(indices.tensor_of(1) == 1);
    const std::uint32_t groups = indices.find(of, key, true);
    std::set<std::vector<position>> wanted;
    const position spread = round % 2 == 0 ? 1 : 1000;
    for (int batch = 0; batch < 5; ++batch) {
      if (batch == 3 && round % 3 == 0) {
        stores[1] = tensor_store(3, true);
        indices.forget(1);
        wanted.clear();
      }
      for (std::size_t n = random() % 9; n > 0; --n) {
        std::vector<position> at;
        for (int c = 0; c < 3; ++c) at.push_back(static_cast<position>(random() % 4) * spread);
        add_row(stores[1], at);
        wanted.insert({at[0], at[2]});
      }
      const auto& grown = indices.extended(groups, stores);
      const tensor_store& found = indices.store(of, stores);
      REQUIRE(found.rows() == wanted.size());
      for (position p = 0; p < 4; ++p) {
        std::uint32_t rows = 0;
        for (const auto& each : wanted) {
          REQUIRE(found.contains(each.data()));
          rows += each[1] == p * spread;
        }
        const position at[] = {p * spread};
        REQUIRE(grown.count_of(at) == rows);
      }
    }
    REQUIRE(&indices.store(1, stores) == &stores[1]);
  }
}
