// SPDX-License-Identifier: BSL-1.0
#include <wf/report/page/columns.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::text aligned(std::size_t least) {
  const wf::table<wf::text> rows[] = {{wf::text("step"), wf::text("ms")},
                                      {wf::text("löse"), wf::text("1,234")},
                                      {wf::text("a step"), wf::text("5")}};
  return wf::to_columns(rows, least);
}
static_assert(aligned(0).view() ==
              "  step       ms\n"
              "  löse    1,234\n"
              "  a step      5\n");

}  // namespace

TEST_CASE("columns are aligned by characters, the first on the left, the others on the right") {
  CHECK(aligned(0).view() == "  step       ms\n  löse    1,234\n  a step      5\n");
  CHECK(aligned(7).view() == "  step         ms\n  löse      1,234\n  a step        5\n");
}

TEST_CASE("no rows and short rows are written too") {
  CHECK(wf::to_columns({}).empty());
  const wf::table<wf::text> rows[] = {{wf::text("a"), wf::text("b")}, {wf::text("cc")}};
  CHECK(wf::to_columns(rows).view() == "  a   b\n  cc\n");
}

TEST_CASE("a text is cut between characters") {
  CHECK(wf::detail::shortened("löse", 4).view() == "löse");
  CHECK(wf::detail::shortened("löse", 3).view() == "lös…");
  CHECK(wf::detail::shortened("löse", 2).view() == "lö…");
}
