// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/signature.hpp>

#include <string>

#include <doctest/doctest.h>

namespace {

constexpr bool parses(wf::text_view s) { return static_cast<bool>(wf::parse_signature(s)); }
static_assert(parses("A[..., M, K], B[..., K, N] -> C[..., M, N]") && parses("-> C[]"));
static_assert(parses("A: floating [M, N], through p: i64 [M] -> q: i64 [M]"));
static_assert(parses("X[H] -> Y[(H + 2*padding - R)//stride + 1, f(a, b)]"));
static_assert(!parses("A[M, K]") && !parses("A[M -> B[M]") && !parses("A[,] -> B[M]"));
static_assert(!parses("[M] -> B[M]") && !parses("A: [M] -> B[M]") && !parses("A[M] -> B[M] x"));
static_assert(wf::satisfies(wf::dtype::f32, "floating") &&
              !wf::satisfies(wf::dtype::i8, "floating"));
static_assert(wf::satisfies(wf::dtype::i8, "number") && wf::satisfies(wf::dtype::f64, "f64"));
static_assert(!wf::satisfies(wf::dtype::unknown, "any") && !wf::is_dtype_bound("real"));

}  // namespace

TEST_CASE("parameters, sides, bounds and dimensions") {
  const auto s = wf::parse_signature("through A: floating [..., M], p: i64 [] -> C[M + 1, 3]");
  REQUIRE(s);
  REQUIRE(s->parameters.size() == 3);
  CHECK(s->inputs == 2);
  CHECK(s->parameters[0].side == wf::side::through);
  CHECK(s->parameters[0].leading);
  CHECK(s->parameters[0].bound == "floating");
  CHECK(s->parameters[2].side == wf::side::out);
  CHECK(s->dimensions_of(s->parameters[2])[0] == "M + 1");
}

TEST_CASE("errors have a position") {
  const auto s = wf::parse_signature("A[M, K] B[K]");
  REQUIRE_FALSE(s);
  CHECK(s.error().code == wf::errc::bad_signature);
  CHECK(s.error().where.column == 9);
}

TEST_CASE("row 3: the classes of dtypes form a lattice") {
  for (int i = 1; i < static_cast<int>(wf::dtype_count); ++i) {
    const auto d = static_cast<wf::dtype>(i);
    const auto in = [d](const char* bound) { return wf::satisfies(d, bound); };
    CAPTURE(i);
    CHECK(in("any"));
    CHECK(in("ordered") == (in("integer") || in("floating")));
    CHECK(in("number") == (in("ordered") || in("complex")));
    CHECK(static_cast<int>(in("integer")) + in("floating") + in("complex") <= 1);
    CHECK(in(std::string(wf::name_of(d)).c_str()));
  }
  CHECK(wf::is_dtype_class("ordered"));
  CHECK_FALSE(wf::is_dtype_class("f32"));
}
