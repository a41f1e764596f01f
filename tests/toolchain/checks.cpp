// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/checks.hpp>

#include <doctest/doctest.h>

#include "number_steps.hpp"
#include "stages.hpp"

namespace {

using namespace number_steps;
using namespace wf::detail;

static_assert(composition_error<half_t, round_t, negate_t>().code == wf::errc::none);
static_assert(composition_error<>().code == wf::errc::empty_toolchain);
static_assert(composition_error<negate_t, half_t, negate_t>().code == wf::errc::duplicate_step);
static_assert(composition_error<negate_t, round_t>().code == wf::errc::step_mismatch);

template <wf::fixed_string Name>
using named = decltype(wf::rename<Name>(negate));

}  // namespace

TEST_CASE("the first two steps that do not fit are named with their stages") {
  const wf::error e = composition_error<half_t, negate_t, round_t>();
  CHECK(wf::to_text(e).view() ==
        "WF801 in 'half': step 'half' returns double but step 'negate' takes int");
}

TEST_CASE("names are not empty, not paths, and not used twice") {
  CHECK(composition_error<named<"">>().code == wf::errc::invalid_name);
  CHECK(composition_error<named<"a/b">>().code == wf::errc::invalid_name);
  CHECK(composition_error<named<"a">, named<"b">, named<"a">>().message.view() ==
        "two steps are named 'a'");
  CHECK(composition_error<named<"a">, named<"b">>().code == wf::errc::none);
}

TEST_CASE("a conversion between stages is opt-in") {
  CHECK(!wf::step_converts<int, long>);
  CHECK(wf::step_converts<int, int>);
}

TEST_CASE("a step that is not there is named beside the nearest one that is") {
  using compiler = std::remove_const_t<decltype(stages::compiler)>;
  CHECK(wf::to_text(unknown_step_failure<compiler, "prnt">()).view() ==
        "WF803 in 'prnt': unknown step 'prnt': did you mean 'print'?");
}

TEST_CASE("other misuses of a toolchain are said with the steps and stages at fault") {
  using compiler = std::remove_const_t<decltype(stages::compiler)>;
  CHECK(wf::to_text(foreign_stage_failure<compiler, int>()).view() ==
        "WF805 in 'toolchain': no step takes int, and it is not the last stage, stages::listing");
  CHECK(wf::to_text(not_droppable_failure<half_t>()).view() ==
        "WF804 in 'half': step 'half' cannot be left out: it makes double of int");
  CHECK(wf::to_text(order_failure<half_t, negate_t>()).view() ==
        "WF803 in 'negate': step 'negate' comes before step 'half'");
}
