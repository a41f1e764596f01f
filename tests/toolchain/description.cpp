// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/description.hpp>

#include <doctest/doctest.h>

#include <wf/toolchain/wrapper.hpp>

#include "stages.hpp"

namespace {

using namespace stages;

constexpr auto rows = nested.describe();
static_assert(rows.size() == 4 && rows[0].path == "parse" && rows[1].path == "back" &&
              rows[2].path == "back/operate" && rows[3].path == "back/print");
static_assert(rows[0].fallible && !rows[1].fallible && rows[2].depth == 1);
static_assert(rows[1].in == "long" || rows[1].in == "long int");
static_assert(rows[3].in == "stages::number" && rows[3].out == "stages::listing");

// A wrapped toolchain has the same description as an unwrapped one.
constexpr auto wrapped = wf::chain(
    parse, wf::skip_if([](long) { return false; },
                       wf::chain<"twice">(wf::step<"add">([](long n) { return n + n; }))));
static_assert(wrapped.rows() == 3 && wf::detail::rows_of<decltype(parse)>() == 1);

}  // namespace

TEST_CASE("a description lists each step with its path, followed by its inner steps") {
  CHECK(rows.size() == nested.rows());
  const auto all = wrapped.describe();
  REQUIRE(all.size() == 3);
  CHECK(all[0].path == "parse");
  CHECK(all[1].path == "twice");
  CHECK(all[1].depth == 0);
  CHECK(all[2].path == "twice/add");
  CHECK(all[2].depth == 1);
  CHECK(all[2].in == all[2].out);
}
