// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/core/text/spelling.hpp>

namespace {

constexpr wf::text_view known[] = {"batch", "channels", "M", "height", "width"};

static_assert(wf::edit_distance("kitten", "sitting") == 3);
static_assert(wf::edit_distance("", "abc") == 3 && wf::edit_distance("abc", "") == 3);
static_assert(wf::edit_distance("ab", "ba") == 1 && wf::edit_distance("same", "same") == 0);
static_assert(wf::nearest_name("bacth", known) == "batch");
static_assert(wf::nearest_name("chanels", known) == "channels");
static_assert(wf::nearest_name("m", known) == "M");
static_assert(wf::nearest_name("Mm", known) == "M");
static_assert(wf::nearest_name("Q", known).empty());
static_assert(wf::nearest_name("entirely_else", known).empty());
static_assert(wf::nearest_name("anything", {}).empty());

}  // namespace

TEST_CASE("the sentence names the nearest name, or the known ones") {
  CHECK(wf::unknown_name_message("symbol", "hieght", known) ==
        wf::text("unknown symbol 'hieght': did you mean 'height'?"));
  CHECK(wf::unknown_name_message("symbol", "Q", known) ==
        wf::text("unknown symbol 'Q'; known here: batch, channels, M, height, width"));
  CHECK(wf::unknown_name_message("symbol", "Q", {}) == wf::text("unknown symbol 'Q'"));
  const wf::text_view many[] = {"a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"};
  CHECK(wf::unknown_name_message("unit", "xyzzy", many) ==
        wf::text("unknown unit 'xyzzy'; known here: a1, a2, a3, a4, a5, a6, a7, a8, ..."));
}

TEST_CASE("the first of equally near names is taken") {
  const wf::text_view names[] = {"cat", "bat", "rat"};
  CHECK(wf::nearest_name("hat", names) == "cat");
}
