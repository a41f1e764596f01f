// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/recording.hpp>

#include <doctest/doctest.h>

#include "stages.hpp"

namespace {

using namespace stages;

constexpr bool keeps_every_stage() {
  const auto all = compiler.record(text_of("73"));
  return static_cast<bool>(all) && all.input() == text_of("73") && all.get<"parse">() == 73 &&
         all.get<long>() == 73 && all.get<"operate">() == number{735} &&
         all.get<number>().tenths == 735 && all.get<"print">().characters.view() == "73.5" &&
         all.stage<0>() == 73 && all.completed() == 3;
}
static_assert(keeps_every_stage());

}  // namespace

TEST_CASE("a recording holds every stage, by name and by type") { CHECK(keeps_every_stage()); }

TEST_CASE("a failed run keeps the stages before the failure") {
  const auto late = compiler.replace<"print">([](const number&) -> wf::result<listing> {
    return wf::make_error(wf::errc::overflow, "n", "no");
  });
  const auto some = late.record(text_of("73"));
  CHECK(!some);
  CHECK(some.completed() == 2);
  CHECK(some.get<"operate">() == number{735});
  CHECK(some.error().step.view() == "print");
  const auto none = compiler.record(text_of("x"));
  CHECK(none.completed() == 0);
  CHECK(none.error().code == wf::errc::formula_syntax);
}

TEST_CASE("a nested toolchain is one stage, recorded runs are traced too") {
  diary seen;
  const auto all = nested.record(text_of("1"), seen);
  CHECK(all.completed() == 2);
  CHECK(all.get<"back">().characters.view() == "1.5");
  CHECK(seen.lines.view() ==
        ">parse <parse >back >back/operate <back/operate >back/print <back/print <back ");
}
