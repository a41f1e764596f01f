// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/array/pe_array.hpp>

namespace {

constexpr wf::rectangle r{1, 2, 3, 4};
static_assert(r.area() == 12);
static_assert(r.contains(1, 2) && r.contains(3, 5) && !r.contains(4, 5) && !r.contains(3, 6));
static_assert(wf::rectangle{}.empty() && !r.empty());
static_assert(overlap(r, {3, 5, 1, 1}) && !overlap(r, {4, 2, 1, 4}) && !overlap(r, {1, 6, 3, 1}));
static_assert(to_text(r) == wf::text("3x4@(1,2)"));

constexpr wf::pe_array mesh() {
  wf::pe_array a;
  a.rows = 3;
  a.columns = 4;
  return a;
}
static_assert(mesh().elements() == 12 && mesh().whole().area() == 12);
static_assert(mesh().index(2, 1) == 9);
static_assert(mesh().usable({0, 0, 3, 4}) && mesh().usable({2, 3, 1, 1}));
static_assert(!mesh().usable({0, 0, 4, 1}) && !mesh().usable({-1, 0, 1, 1}) &&
              !mesh().usable({0, 0, 0, 1}) && !mesh().usable({1, 0, 1, INT32_MAX}));

constexpr wf::pe_array with_dead(std::uint32_t a, std::uint32_t b) {
  wf::pe_array out;
  out.rows = 3;
  out.columns = 4;
  out.dead.push_back(a);
  out.dead.push_back(b);
  return out;
}

// With dead corners: the rows between them, or the columns.
static_assert(wf::largest_usable(with_dead(0, 11)) == wf::rectangle{0, 1, 2, 3});
static_assert(wf::largest_usable(with_dead(0, 0)) == wf::rectangle{0, 1, 3, 3});
static_assert(wf::largest_usable(with_dead(5, 6)) == wf::rectangle{0, 0, 1, 4});

constexpr wf::table<wf::rectangle> regions_beside(std::uint32_t dead) {
  return wf::usable_regions(with_dead(dead, dead));
}
static_assert(regions_beside(0) == wf::table<wf::rectangle>{{0, 1, 3, 3}, {1, 0, 2, 1}});
static_assert(regions_beside(5) ==
              wf::table<wf::rectangle>{{0, 2, 3, 2}, {0, 0, 3, 1}, {0, 1, 1, 1}, {2, 1, 1, 1}});

TEST_CASE("regions share no PE and have no dead one") {
  for (std::uint32_t first = 0; first < 12; ++first)
    for (std::uint32_t second = 0; second < 12; ++second) {
      const wf::pe_array a = with_dead(first, second);
      const auto regions = wf::usable_regions(a);
      REQUIRE(regions[0] == wf::largest_usable(a));
      for (std::size_t k = 0; k < regions.size(); ++k) {
        REQUIRE(a.usable(regions[k]));
        for (std::size_t j = 0; j < k; ++j) REQUIRE_FALSE(overlap(regions[k], regions[j]));
      }
    }
}

TEST_CASE("an array of dead PEs has no usable rectangle") {
  wf::pe_array a;
  CHECK(wf::largest_usable(a) == a.whole());
  a.dead.push_back(0);
  CHECK(wf::largest_usable(a).empty());
  CHECK(wf::usable_regions(a).empty());
}

}  // namespace

TEST_CASE("rectangles overlap exactly if they share a PE") {
  const auto all = [] {
    wf::table<wf::rectangle> out;
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x)
        for (int h = 1; y + h <= 3; ++h)
          for (int w = 1; x + w <= 3; ++w) out.push_back({y, x, h, w});
    return out;
  }();
  for (const wf::rectangle& a : all)
    for (const wf::rectangle& b : all) {
      bool shared = false;
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) shared = shared || (a.contains(y, x) && b.contains(y, x));
      CHECK(overlap(a, b) == shared);
    }
}

TEST_CASE("dead PEs make the rectangles that hold them unusable") {
  wf::pe_array a = mesh();
  a.dead.push_back(a.index(1, 2));
  CHECK(validate(a));
  CHECK_FALSE(a.usable(a.whole()));
  CHECK_FALSE(a.usable({1, 2, 1, 1}));
  CHECK(a.usable({0, 0, 3, 2}));
  CHECK(a.usable({2, 0, 1, 4}));
}

TEST_CASE("an array with an impossible figure is refused by the figure's name") {
  const auto refused = [](auto change) {
    wf::pe_array a = mesh();
    change(a);
    const auto valid = validate(a);
    REQUIRE_FALSE(valid);
    CHECK(valid.error().code == wf::errc::invalid_problem);
    return valid.error().subject;
  };
  CHECK(validate(mesh()));
  CHECK(refused([](auto& a) { a.rows = 0; }) == wf::text("rows"));
  CHECK(refused([](auto& a) { a.rows = a.columns = 65; }) == wf::text("rows"));
  CHECK(refused([](auto& a) { a.columns = -1; }) == wf::text("columns"));
  CHECK(refused([](auto& a) { a.macs_per_cycle = 0; }) == wf::text("macs_per_cycle"));
  CHECK(refused([](auto& a) { a.vector_ops_per_cycle = 0; }) == wf::text("vector_ops_per_cycle"));
  CHECK(refused([](auto& a) { a.link_bytes_per_cycle = 0; }) == wf::text("link_bytes_per_cycle"));
  CHECK(refused([](auto& a) { a.dram_bytes_per_cycle = 0; }) == wf::text("dram_bytes_per_cycle"));
  CHECK(refused([](auto& a) { a.memory_bytes = -1; }) == wf::text("memory_bytes"));
  CHECK(refused([](auto& a) { a.hop_latency = -1; }) == wf::text("hop_latency"));
  CHECK(refused([](auto& a) { a.dead.push_back(12); }) == wf::text("dead"));
}
