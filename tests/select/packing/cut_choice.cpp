// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/cut_choice.hpp>

#include <doctest/doctest.h>

namespace {

wf::detail::packing_cut cut_of(const wf::table<std::uint32_t>& values, std::int64_t most) {
  wf::detail::packing_cut cut;
  cut.value = values;
  cut.coefficient = wf::table<std::int32_t>(values.size(), 1);
  cut.most = most;
  return cut;
}

}  // namespace

TEST_CASE(
    "the deepest cuts come first; those that are not violated, or cut nothing, are left out") {
  const wf::table<double> share{0.5, 0.5, 0.5, 0.9, 0.9};
  wf::detail::cut_chooser chooser;
  chooser.notice(cut_of({0, 1, 2}, 1), share);  // violated by 0.5
  chooser.notice(cut_of({3, 4}, 1), share);     // violated by 0.8
  chooser.notice(cut_of({0, 1}, 1), share);     // tight
  chooser.notice(cut_of({3}, 0), share);        // drops a value: not a cut
  const auto chosen = chooser.choose(5);
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].value == wf::table<std::uint32_t>{3, 4});
  CHECK(chosen[1].value == wf::table<std::uint32_t>{0, 1, 2});
  CHECK(chooser.choose(5).empty());
}

TEST_CASE("no value is in more than four chosen cuts") {
  const wf::table<double> share(8, 0.9);
  wf::detail::cut_chooser chooser;
  for (std::uint32_t v = 1; v < 8; ++v) chooser.notice(cut_of({0, v}, 1), share);
  const auto chosen = chooser.choose(8);
  CHECK(chosen.size() == 4);
  for (std::uint32_t i = 0; i < chosen.size(); ++i) CHECK(chosen[i].value[1] == i + 1);
}
