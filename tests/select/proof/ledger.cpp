// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof/ledger.hpp>

#include <doctest/doctest.h>
#include <wf/select/proof/text.hpp>

namespace {

using wf::proof_rule;
using wf::detail::proof_ledger;

wf::text written(proof_ledger& ledger, std::int64_t value) {
  wf::selection_proof proof;
  wf::proof_level level;
  proof.status = ledger.end(value, level);
  if (proof.status == wf::proof_status::complete) proof.levels.push_back(level);
  return to_text(proof);
}

}  // namespace

TEST_CASE("cases are put in order, and a part's bound adds what was paid in it") {
  proof_ledger ledger;
  ledger.begin(4, 1000);
  ledger.pay(3, 2);
  const std::uint32_t a = ledger.open(wf::table<std::uint32_t>{0, 3});
  const std::uint32_t b = ledger.open(wf::table<std::uint32_t>{1, 2});
  ledger.add(b, {proof_rule::cyclic, 7, 0, 0, {}});
  ledger.add(0, {proof_rule::cyclic, 8, 0, 0, {}});
  ledger.add(a, {proof_rule::bound, 0, 0, 0, {}});
  ledger.close(a, 5);
  ledger.add(a, {proof_rule::cyclic, 9, 0, 0, {}});  // too late
  ledger.pay(1, 3);
  CHECK(ledger.home(3) == a);
  CHECK(written(ledger, 10) == wf::text("wf.selection_proof 1 complete\n"
                                        "level 10\n"
                                        "cyclic 8\n"
                                        "lemma 7 : 0 3\n"
                                        "bound :\n"
                                        "lemma 3 : 1 2\n"
                                        "cyclic 7\n"
                                        "prices 1 :\n"
                                        "bound :\n"
                                        "prices 1 :\n"
                                        "bound :\n"));
}

TEST_CASE("what goes back leaves nothing, and what is too much is no proof") {
  proof_ledger ledger;
  ledger.begin(1, 20);
  ledger.add(0, {proof_rule::support, 0, 0, 0, {}});
  ledger.add_literal(0, 3);
  const proof_ledger::mark here = ledger.here(0);
  ledger.add(0, {proof_rule::prices, 0, 0, 8, {}});
  ledger.add_price(0, {1, 6});
  ledger.go_back(0, here);
  ledger.add(0, {proof_rule::cycle, 0, 0, 0, {}});
  ledger.close(0, 4);
  CHECK(written(ledger, 4) ==
        wf::text("wf.selection_proof 1 complete\nlevel 4\nsupport 0 : 3\ncycle 0\n"));
  ledger.begin(1, 20);
  ledger.close(0, 4);
  CHECK(written(ledger, 5) == wf::text("wf.selection_proof 1 not_recorded\n"));
  ledger.begin(1, 20);
  for (int i = 0; i < 6; ++i) ledger.add(0, {proof_rule::cyclic, 0, 0, 0, {}});
  CHECK(!ledger.is_open(0));
  CHECK(written(ledger, 0) == wf::text("wf.selection_proof 1 too_large\n"));
}

TEST_CASE("classes of two cases make no new one") {
  proof_ledger ledger;
  ledger.begin(3, 1000);
  CHECK(ledger.open(wf::table<std::uint32_t>{1}) == 1);
  CHECK(ledger.open(wf::table<std::uint32_t>{0, 1}) == proof_ledger::none);
  CHECK(written(ledger, 0) == wf::text("wf.selection_proof 1 not_recorded\n"));
}
