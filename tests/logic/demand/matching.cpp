// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/demand/matching.hpp>

#include <doctest/doctest.h>

#include <random>

#include "random_queries.hpp"

using namespace wf::logic;
using namespace wf::logic::detail;
using namespace wf_test;

namespace {

query random_pattern(std::uint32_t rank, std::mt19937_64& random) {
  query q;
  for (std::uint32_t c = 0; c < rank; ++c) {
    term t;
    t.kind = random() % 2 == 0 ? term_kind::constant : term_kind::variable;
    if (t.kind == term_kind::constant)
      t.shift = static_cast<std::int64_t>(random() % 8) - 2;
    else
      t.variable = static_cast<std::uint32_t>(random() % 2);
    q.terms.push_back(t);
  }
  q.variables = 2;
  return q;
}

}  // namespace

TEST_CASE("entries that match are found among rows and among bits") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 400; ++round) {
    const auto rank = static_cast<std::uint32_t>(1 + random() % 3);
    const bool valued = round % 3 == 0;
    relation all(rank, valued);
    entries made;
    for (std::size_t i = random() % 40; i > 0; --i) {
      std::vector<int> at;
      for (std::uint32_t c = 0; c < rank; ++c) at.push_back(static_cast<int>(random() % 6) - 1);
      if (made.emplace(at, valued ? static_cast<double>(i) : 1).second)
        all.append(at.data(), static_cast<double>(i));
    }
    const query q = random_pattern(rank, random);
    const wf::table<std::uint32_t> numbers(rank, none);
    const query_pattern pattern(q, numbers, {});
    const entries wanted = matching(all, q);
    solved_tensor rows("T", tensor_store(all), numbers);
    const relation found = matching_entries(rows.store(), pattern);
    CHECK(all_of(found) == wanted);
    CHECK(is_sorted(found));
    if (valued) continue;

    // The same entries as bits.
    const wf::table<column_bounds> bounds(rank, column_bounds{-1, 6});
    std::size_t row_count = 1;
    for (std::uint32_t c = 1; c < rank; ++c) row_count *= 6;
    bit_rows bits(row_count, 6);
    for (const auto& [at, value] : made) {
      std::size_t row = 0;
      for (std::uint32_t c = 0; c + 1 < rank; ++c)
        row = row * 6 + static_cast<std::size_t>(at[c] + 1);
      bits.set(row, static_cast<std::size_t>(at[rank - 1] + 1));
    }
    solved_tensor packed("T", tensor_store(rank, bounds, std::move(bits)), numbers);
    const relation from_bits = matching_entries(packed.store(), pattern);
    CHECK(all_of(from_bits) == wanted);
    CHECK(is_sorted(from_bits));
  }
}

TEST_CASE("a pattern knows symbols, and what nothing matches") {
  symbol_domain towns("town");
  towns.add("Bern");
  towns.add("Basel");
  const wf::table<symbol_domain> domains{towns};
  const auto of = [&](term_kind kind, const char* symbol, std::int64_t shift,
                      std::uint32_t domain) {
    static query q;
    q = {};
    term t;
    t.kind = kind;
    t.symbol = wf::text(symbol);
    t.shift = shift;
    q.terms.push_back(t);
    const std::uint32_t columns[] = {domain};
    return query_pattern(q, columns, domains);
  };
  CHECK(of(term_kind::symbol, "Basel", 0, 0).wanted(0) == 1);
  CHECK(of(term_kind::symbol, "Basel", 0, 0).is_possible());
  CHECK_FALSE(of(term_kind::symbol, "Oslo", 0, 0).is_possible());
  CHECK_FALSE(of(term_kind::symbol, "Bern", 0, none).is_possible());
  CHECK(of(term_kind::constant, "", 7, none).wanted(0) == 7);
  CHECK_FALSE(of(term_kind::constant, "", std::int64_t{1} << 32, none).is_possible());
}
