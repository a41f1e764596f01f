// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/update/change.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/logic/program/read_program.hpp>

namespace {

using wf::logic::database;
using wf::logic::position;
using wf::logic::relation;
using wf::logic::detail::tensor_store;

relation column(std::initializer_list<int> positions, bool valued = false) {
  relation r(1, valued);
  for (const position p : positions) r.append(&p, 10. * p);
  return r;
}

}  // namespace

TEST_CASE("stores are equal if they have the same entries, in any order and form") {
  const auto equal = [](relation a, relation b) {
    tensor_store first(std::move(a)), second(std::move(b));
    return wf::logic::detail::are_equal(first, second);
  };
  CHECK(equal(column({1, 2, 3}), column({1, 2, 3})));
  CHECK(equal(column({1, 2, 3}), column({3, 1, 2})));
  CHECK(!equal(column({1, 2, 3}), column({1, 2, 4})));
  CHECK(!equal(column({1, 2, 3}), column({1, 2})));
  CHECK(equal(column({1, 2}, true), column({2, 1}, true)));
  relation other = column({1, 2}, true);
  other.values[1] = 7;
  CHECK(!equal(column({1, 2}, true), other));
  wf::logic::detail::bit_rows bits(1, 4);
  bits.set(0, 1);
  bits.set(0, 3);
  const wf::logic::detail::column_bounds bounds[] = {{0, 4}};
  tensor_store as_bits(1, bounds, std::move(bits)), listed(column({3, 1}));
  CHECK(wf::logic::detail::are_equal(as_bits, listed));
}

TEST_CASE("a change is applied and undone") {
  const char* source = "T[x] = V[x] S(x)\nU(x,y) = S(x) R(y)\naxis y = 3";
  const auto program = wf::logic::read_program(source);
  REQUIRE(program);
  database inputs, added, removed;
  inputs.add("V", column({1, 2, 3}, true));
  inputs.add("S", column({1, 2}));
  inputs.add("R", column({0}));
  wf::logic::detail::input_binding binding(*program, inputs);
  REQUIRE(binding.run().code == wf::errc::none);
  wf::logic::detail::input_change change(*program, binding, inputs);
  relation values = column({2, 3, 4}, true);
  values.values[0] = 5;
  added.add("V", values);
  added.add("S", column({2, 7}));
  removed.add("S", column({1, 9}));
  const database before = inputs;
  REQUIRE(change.read(added, removed).code == wf::errc::none);
  CHECK(change.changes().size() == 2);
  CHECK(!change.rebinds());
  std::uint64_t more = 0, fewer = 0;
  change.apply(nullptr, more, fewer);
  CHECK(more == 3);
  CHECK(fewer == 1);
  CHECK(inputs.relations[0].entries.values == wf::table<double>{10, 5, 30, 40});
  CHECK(inputs.relations[1].entries.columns[0] == wf::table<position>{2, 7});
  change.undo();
  for (std::size_t i = 0; i < before.relations.size(); ++i) {
    CHECK(inputs.relations[i].entries.rows == before.relations[i].entries.rows);
    CHECK(inputs.relations[i].entries.columns == before.relations[i].entries.columns);
    CHECK(inputs.relations[i].entries.values == before.relations[i].entries.values);
  }
}
