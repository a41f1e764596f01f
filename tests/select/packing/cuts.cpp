// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/cuts.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/select/packing/simplex.hpp>

#include "../hard_model.hpp"
#include "../packing_oracle.hpp"

using namespace enumerated;
using wf::detail::packing_cut;
using wf::detail::packing_cuts;
using wf::detail::packing_model;
using wf::detail::packing_simplex;
using wf::detail::simplex_status;

TEST_CASE("a cut counts as a row does") {
  std::mt19937 random(572);
  int compared = 0;
  for (int round = 0; round < 800; ++round) {
    CAPTURE(round);
    const packing_model m = hard_model(random);
    packing_model fewer;
    for (std::uint32_t k = 0; k < m.classes; ++k) {
      fewer.add_class();
      for (std::uint32_t v = m.first[k]; v < m.first[k + 1]; ++v)
        fewer.add_value(m.cost[v], packing_model::none);
    }
    packing_cuts pool;
    for (std::uint32_t r = 0; r < m.rows; ++r) {
      const wf::view<std::uint32_t> entries(m.entry.data() + m.row_first[r],
                                            m.row_first[r + 1] - m.row_first[r]);
      if (random() % 2 == 0) {
        fewer.add_row(entries);
        continue;
      }
      const std::int32_t times = static_cast<std::int32_t>(1 + random() % 3);  // 2x + 2y <= 2
      packing_cut cut;
      cut.value = wf::table<std::uint32_t>(entries);
      cut.most = times;
      cut.coefficient = wf::table<std::int32_t>(entries.size(), times);
      pool.add(cut);
    }
    finish_flat(fewer);
    pool.index(fewer.values);
    const wf::detail::packing_state state(m), fewer_state(fewer);
    packing_simplex simplex(m), with_cuts(fewer);
    simplex.reset(state);
    with_cuts.reset(fewer_state);
    if (random() % 2 == 0) with_cuts.solve(fewer_state, 1e30, 1000, 10'000);  // a warm start
    with_cuts.use(pool);
    const auto status = simplex.solve(state, 1e30, 1000, 10'000);
    CHECK(with_cuts.solve(fewer_state, 1e30, 1000, 10'000) == status);
    if (status != simplex_status::optimal) continue;
    ++compared;
    CHECK(with_cuts.value() == doctest::Approx(simplex.value()));
    // The prices that it returns prove the same bound.
    wf::detail::packing_ascent ascent(fewer);
    ascent.pricer().use(pool);
    const double bound = bound_of(ascent, fewer_state, with_cuts);
    CHECK(bound <= simplex.value() + 1e-6);
    CHECK(bound >= simplex.value() - 1e-3);
  }
  CHECK(compared > 500);
}

TEST_CASE("kept cuts are renumbered, with their entries by value") {
  packing_cuts pool;
  for (std::uint32_t c = 0; c < 4; ++c) {
    packing_cut cut;
    cut.value = {c, c + 1};
    cut.coefficient = {1, static_cast<std::int32_t>(c + 2)};
    cut.most = 3;
    pool.add(cut);
  }
  CHECK(pool.largest == wf::table<std::int64_t>{3, 3, 4, 5});
  const std::uint32_t before = pool.edition;
  pool.keep({1, 0, 0, 1});
  pool.index(5);
  CHECK(pool.edition != before);
  CHECK(pool.size() == 2);
  CHECK(pool.value == wf::table<std::uint32_t>{0, 1, 3, 4});
  CHECK(pool.coefficient == wf::table<std::int32_t>{1, 2, 1, 5});
  CHECK(pool.largest == wf::table<std::int64_t>{3, 5});
  CHECK(pool.value_first == wf::table<std::uint32_t>{0, 1, 2, 2, 3, 4});
  CHECK(pool.cut_of == wf::table<std::uint32_t>{0, 0, 1, 1});
}
