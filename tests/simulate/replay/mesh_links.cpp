// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/simulate/replay/mesh_links.hpp>

namespace {

constexpr wf::pe_array mesh() {
  wf::pe_array a;
  a.rows = a.columns = 4;
  return a;
}

}  // namespace

TEST_CASE("transfers over the same links wait for each other, others do not") {
  wf::mesh_links m(mesh());
  const wf::rectangle a{0, 0, 1, 1}, b{0, 2, 1, 1}, c{0, 1, 1, 1}, d{0, 3, 1, 1}, e{3, 0, 1, 1};
  CHECK(m.send(0, a, b, 10) == wf::transit{0, 10});
  CHECK(m.send(2, c, d, 10) == wf::transit{10, 20});  // shares the link from column 1 to 2
  CHECK(m.send(2, b, a, 10) == wf::transit{2, 12});   // the other direction is free
  CHECK(m.send(2, a, e, 10) == wf::transit{2, 12});   // downwards as well
  CHECK(m.send(5, a, a, 0) == wf::transit{5, 5});
}

TEST_CASE("lanes of rectangles occupy the links between them") {
  wf::mesh_links m(mesh());
  const wf::rectangle left{0, 0, 4, 2}, right{0, 2, 4, 2}, top{0, 0, 2, 4}, bottom{2, 0, 2, 4};
  CHECK(m.send(0, left, right, 7) == wf::transit{0, 7});
  CHECK(m.send(0, {3, 1, 1, 1}, {3, 2, 1, 1}, 1) == wf::transit{7, 8});
  CHECK(m.send(0, top, bottom, 5) == wf::transit{0, 5});
  CHECK(m.send(1, {1, 3, 1, 1}, {2, 3, 1, 1}, 1) == wf::transit{5, 6});
}

TEST_CASE("every pair of different rectangles holds links, and none outside the array") {
  const auto all = [] {
    wf::table<wf::rectangle> out;
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x)
        for (int h = 1; y + h <= 4; ++h)
          for (int w = 1; x + w <= 4; ++w) out.push_back({y, x, h, w});
    return out;
  }();
  for (const wf::rectangle& a : all)
    for (const wf::rectangle& b : all) {
      if (a == b) continue;
      wf::mesh_links m(mesh());
      REQUIRE(m.send(0, a, b, 3) == wf::transit{0, 3});
      // An equal transfer waits for the first one.
      REQUIRE(m.send(1, a, b, 3) == wf::transit{3, 6});
    }
}
