// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/any_step.hpp>

#include <doctest/doctest.h>

#include "stages.hpp"

namespace {

using namespace stages;
using printer = wf::any_step<"print", number, listing>;
static_assert(wf::step_type<printer>);

}  // namespace

TEST_CASE("what runs behind a fixed name is chosen at run time") {
  for (const bool tenths : {false, true}) {
    printer chosen;
    if (tenths)
      chosen = printer([](const number& n) { return listing{wf::text() << n.tenths}; });
    else
      chosen = printer(print);
    const auto w = compiler.replace<"print">(chosen);
    CHECK(w(text_of("73"))->characters.view() == (tenths ? "735" : "73.5"));
  }
}

TEST_CASE("an empty step is an error with its path, and so is one that fails") {
  const auto w = compiler.replace<"print">(printer());
  CHECK(!printer());
  CHECK(w(text_of("73")).error().code == wf::errc::step_failed);
  CHECK(w(text_of("73")).error().step.view() == "print");
  const auto failing = compiler.replace<"print">(printer([](const number&) -> wf::result<listing> {
    return wf::make_error(wf::errc::overflow, "n", "no");
  }));
  CHECK(failing(text_of("73")).error().message.view() == "no");
}
