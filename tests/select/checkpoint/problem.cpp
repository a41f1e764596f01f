// SPDX-License-Identifier: BSL-1.0
#include <wf/select/checkpoint/problem.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include <wf/select/select.hpp>

#include "networks.hpp"

TEST_CASE("without limits nothing runs again, and bytes of a high price are not kept") {
  const wf::graph g = wf_test::chain_of_layers(8);
  const wf::registry kernels = wf::builtin_registry();
  const wf::checkpoint_request wanted;
  wf::detail::checkpoint_parts parts(g.view(), wanted, kernels);
  REQUIRE(parts.find().code == wf::errc::none);
  for (const std::uint32_t blocks : {1U, 2U, 4U}) {
    CAPTURE(blocks);
    wf::detail::checkpoint_problem p(parts, blocks);
    REQUIRE(wf::validate(p.problem).code == wf::errc::none);
    const auto all = wf::select(p.problem);
    REQUIRE(all);
    CHECK(all->best.totals[0] == 0);
    const std::uint32_t kept = p.kept(all->best);
    CHECK(kept >= 8);
    std::uint32_t before = kept;
    for (const int quarters : {-60, 0, 60}) {
      p.weigh(quarters);
      const auto priced = wf::select(p.problem);
      REQUIRE(priced);
      CHECK(p.kept(priced->best) <= before);
      before = p.kept(priced->best);
      CHECK((quarters != -60 || before == kept));
    }
    CHECK((before < kept) == (blocks > 1));
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < parts.late_nodes(); ++i) {
      const std::uint32_t b = p.block_of(i);
      CHECK((b == last || b == last + 1));
      last = b;
    }
    CHECK(last == blocks - 1);
  }
}

TEST_CASE("a relaxed problem counts what is carried on only") {
  const wf::graph g = wf_test::chain_of_layers(8);
  const wf::registry kernels = wf::builtin_registry();
  const wf::checkpoint_request wanted;
  wf::detail::checkpoint_parts parts(g.view(), wanted, kernels);
  REQUIRE(parts.find().code == wf::errc::none);
  wf::detail::checkpoint_problem strict(parts, 1), relaxed(parts, 1, true);
  for (auto* each : {&strict, &relaxed}) each->limit(parts.fixed_bytes() + 3 * 4096);
  CHECK_FALSE(wf::select(strict.problem));
  const auto found = wf::select(relaxed.problem);
  REQUIRE(found);
  CHECK(relaxed.kept(found->best) == 3);
  CHECK(found->best.totals[0] > 0);
}
