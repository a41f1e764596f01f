// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/relation/database.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::logic::database;
using wf::logic::named_relation;
using wf::logic::symbol_domain;

constexpr bool numbers_symbols_while_compiling() {
  symbol_domain d("Node");
  return d.add("a") == 0 && d.add("b") == 1 && d.add("a") == 0 && d.find("b") == 1 &&
         d.find("c") == -1 && d.symbols.size() == 2;
}
static_assert(numbers_symbols_while_compiling());
static_assert([] {
  database db;
  const std::int64_t extents[] = {2, 3};
  const double values[] = {1, 2, 3, 4, 5, 6};
  const named_relation& r = db.add_dense("A", extents, values);
  return r.entries.columns[0][4] == 1 && r.entries.columns[1][4] == 1 && db.find("B") == nullptr;
}());

}  // namespace

TEST_CASE("symbols are numbered in the order in which they are first added") {
  std::mt19937_64 random(7);
  symbol_domain d("Name");
  CHECK(d.name.view() == "Name");
  std::map<std::string, wf::logic::position> expected;
  for (int i = 0; i < 2000; ++i) {
    std::string symbol;
    for (std::size_t n = random() % 4; n > 0; --n)
      symbol += static_cast<char>('a' + static_cast<char>(random() % 5));
    const auto known = expected.find(symbol);
    REQUIRE(d.find(symbol) == (known == expected.end() ? -1 : known->second));
    const auto size = static_cast<wf::logic::position>(expected.size());
    const auto number = known == expected.end() ? size : known->second;
    REQUIRE(d.add(symbol) == number);
    expected[symbol] = number;
    REQUIRE(d.symbols[static_cast<std::size_t>(number)].view() == wf::text_view(symbol));
  }
  CHECK(d.symbols.size() == expected.size());
}

TEST_CASE("a dense tensor has its values in row-major order") {
  for (const std::vector<std::int64_t>& extents : std::vector<std::vector<std::int64_t>>{
           {}, {5}, {2, 3}, {1, 4, 2}, {3, 1, 2, 2}, {2, 0, 3}}) {
    std::size_t size = 1;
    for (std::int64_t e : extents) size *= static_cast<std::size_t>(e);
    std::vector<double> values;
    for (std::size_t i = 0; i < size; ++i) values.push_back(0.5 * static_cast<double>(i));
    database db;
    const named_relation& r = db.add_dense("A", extents, values);
    CHECK(r.entries.valued);
    REQUIRE(r.entries.rank == extents.size());
    REQUIRE(r.entries.rows == size);
    REQUIRE(r.extents.size() == extents.size());
    for (std::size_t row = 0; row < size; ++row) {
      std::int64_t place = 0;
      for (std::size_t c = 0; c < extents.size(); ++c) {
        const auto p = r.entries.columns[c][row];
        REQUIRE(p >= 0);
        REQUIRE(p < extents[c]);
        place = place * extents[c] + p;
      }
      REQUIRE(place == static_cast<std::int64_t>(row));
      REQUIRE(r.entries.values[row] == values[row]);
    }
  }
}

TEST_CASE("a relation is found by its name, with the domains of its columns") {
  database db;
  db.domains.push_back(symbol_domain("Node"));
  db.add("Edge", wf::logic::relation(2, false), {0, UINT32_MAX});
  db.add("Node", wf::logic::relation(1, false));
  REQUIRE(db.find("Edge") != nullptr);
  CHECK(db.find("Edge")->domains[0] == 0);
  CHECK(db.find("Edge")->extents.empty());
  CHECK(db.find("Node")->entries.rank == 1);
  CHECK(db.find("Node")->domains.empty());
  CHECK(db.find("edge") == nullptr);
}
