// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/dtype_lattice.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/registry/signature.hpp>

namespace {

using wf::dtype;
using wf::dtype_set;

static_assert(wf::join(wf::only(dtype::i32), wf::only(dtype::i8)) == wf::dtypes_named("integer"));
static_assert(wf::join(wf::only(dtype::i32), wf::only(dtype::f16)) == wf::dtypes_named("ordered"));
static_assert(wf::join(wf::only(dtype::boolean), wf::only(dtype::i8)) == wf::dtypes_named("any"));
static_assert(wf::join(wf::only(dtype::f64), wf::only(dtype::c64)) == wf::dtypes_named("field"));
static_assert(wf::meet(wf::dtypes_named("ordered"), wf::dtypes_named("field")) ==
              wf::dtypes_named("floating"));
static_assert(wf::meet(wf::dtypes_named("ordered"), wf::dtypes_named("number")) ==
              wf::dtypes_named("ordered"));
static_assert(wf::meet(wf::dtypes_named("integer"), wf::dtypes_named("floating")).empty());
static_assert(wf::dtypes_named("real").empty() && wf::dtypes_named("unknown").empty());

const char* const bounds[] = {
    "bool",    "i8",      "i16",      "i32",     "i64",   "u8",     "u16",   "u32",  "u64",
    "f16",     "bf16",    "f32",      "f64",     "c64",   "c128",   "qubit", "peer", "trigger",
    "integer", "complex", "floating", "ordered", "field", "number", "any"};

// The bottom element, each dtype, each class.
std::vector<dtype_set> elements() {
  std::vector<dtype_set> all{{}};
  for (const char* bound : bounds) all.push_back(wf::dtypes_named(bound));
  return all;
}

}  // namespace

TEST_CASE("row 3: the bounds are the elements of the lattice, each under one name") {
  const auto all = elements();
  REQUIRE(all.size() == 26);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(all[i] == all[j]);
    CHECK(wf::name_of(all[i]) == (i == 0 ? "none" : bounds[i - 1]));
  }
  // Each dtype must occur: a new one must be added above.
  for (std::size_t d = 1; d < wf::dtype_count; ++d) {
    bool listed = false;
    for (const dtype_set s : all) listed = listed || s == wf::only(static_cast<dtype>(d));
    CHECK_MESSAGE(listed, d);
  }
  CHECK(wf::name_of(dtype_set{0b110}).empty());
}

TEST_CASE("row 3: the laws of a lattice hold for all elements") {
  const auto all = elements();
  const dtype_set bottom{}, top = wf::dtypes_named("any");
  for (const dtype_set a : all) {
    CHECK(wf::join(a, a) == a);
    CHECK(wf::meet(a, a) == a);
    CHECK(wf::join(a, bottom) == a);
    CHECK(wf::meet(a, top) == a);
    CHECK(wf::join(a, top) == top);
    CHECK(wf::meet(a, bottom) == bottom);
    for (const dtype_set b : all) {
      const dtype_set up = wf::join(a, b), down = wf::meet(a, b);
      CHECK_FALSE(wf::name_of(up).empty());
      CHECK_FALSE(wf::name_of(down).empty());
      CHECK(up == wf::join(b, a));
      CHECK(down == wf::meet(b, a));
      CHECK(wf::join(a, down) == a);
      CHECK(wf::meet(a, up) == a);
      CHECK(wf::is_within(a, b) == (up == b));
      CHECK(wf::is_within(a, b) == (down == a));
      for (const dtype_set c : all) {
        CHECK(wf::join(up, c) == wf::join(a, wf::join(b, c)));
        CHECK(wf::meet(down, c) == wf::meet(a, wf::meet(b, c)));
        // The bounds are the least upper and the greatest lower ones.
        if (wf::is_within(a, c) && wf::is_within(b, c)) CHECK(wf::is_within(up, c));
        if (wf::is_within(c, a) && wf::is_within(c, b)) CHECK(wf::is_within(c, down));
      }
    }
  }
}

TEST_CASE("row 3: what satisfies a bound is what its set contains") {
  for (const char* bound : bounds) {
    CHECK(wf::is_dtype_bound(bound));
    for (std::size_t d = 0; d < wf::dtype_count; ++d) {
      CAPTURE(std::string(bound));
      CAPTURE(d);
      CHECK(wf::satisfies(static_cast<dtype>(d), wf::text_view(bound)) ==
            wf::dtypes_named(bound).contains(static_cast<dtype>(d)));
    }
  }
}
