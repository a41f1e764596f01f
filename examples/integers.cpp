// SPDX-License-Identifier: BSL-1.0
//
// Account balances in cents: sums of 64-bit integers, exact where doubles would round.
#include <cstdint>
#include <cstdio>
#include <string>

#include <wf/run/integers.hpp>
#include <wf/wf.hpp>

// --8<-- [start:workflow]
constexpr auto ledger = wf::workflow<"ledger">([](wf::scope& s) {
  auto prices = s.input<"prices", std::int64_t, 3>();
  auto amounts = s.input<"amounts", std::int64_t, 2, 3>();
  auto paid = s.input<"paid", std::int64_t, 2>();
  s.output<"owed">(amounts * prices - paid);
});
// --8<-- [end:workflow]

int main() {
  // --8<-- [start:run]
  const wf::named_matrices_i64 given = {
      {"prices", wf::dynamic_matrix_i64{{7}, {1'000'000'007}, {3'037'000'499}}},
      {"amounts", wf::dynamic_matrix_i64{{1, 2, 3'037'000'499}, {5, 0, 1}}},
      {"paid", wf::dynamic_matrix_i64{{1}, {3'037'000'000}}}};
  const auto owed = wf::run_dynamic_i64(ledger.graph(), given);
  if (!owed) return 1;
  std::printf("owed: %lld and %lld cents\n", static_cast<long long>(owed->at("owed")(0)),
              static_cast<long long>(owed->at("owed")(1)));
  // --8<-- [end:run]

  // --8<-- [start:overflow]
  wf::named_matrices_i64 more = given;
  more["amounts"](0, 0) = 6'000'000'000'000'000'000;
  const auto refused = wf::run_dynamic_i64(ledger.graph(), more);
  if (refused) return 1;
  std::printf("%s\n", std::string(refused.error().message.view()).c_str());
  // --8<-- [end:overflow]
  return owed->at("owed")(0) == 9'223'372'032'926'249'021 ? 0 : 1;
}
