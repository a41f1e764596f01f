// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/step_path.hpp>

#include <doctest/doctest.h>

namespace {

using namespace wf::detail;

static_assert(head_of("back/translate") == "back" && tail_of("back/translate") == "translate");
static_assert(head_of("a/b/c") == "a" && tail_of("a/b/c") == "b/c");
static_assert(head_of("lower") == "lower" && tail_of("lower").empty());
static_assert(path_head<"a/b">.view() == "a" && path_tail<"a/b">.view() == "b");
static_assert(is_nested_path<"a/b"> && !is_nested_path<"a"> && !is_nested_path<"">);
static_assert(joined_path<"", "a">.view() == "a" && joined_path<"a/b", "c">.view() == "a/b/c");

struct lower {
  static constexpr wf::text_view name() { return "lower"; }
};
static_assert(fixed_name<lower>.view() == "lower");

}  // namespace

TEST_CASE("the first name of a path and the rest join to the path again") {
  constexpr wf::fixed_string whole("front/middle/print");
  CHECK(path_head<whole>.view() == "front");
  CHECK(path_tail<whole>.view() == "middle/print");
  CHECK(joined_path<path_head<whole>, path_tail<whole>>.view() == whole.view());
  CHECK(path_tail<wf::fixed_string("print")>.view().empty());
}
