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
static_assert(parses("X@image: f32 [M], n = 1/2, order: integer -> Y@image [M]"));
static_assert(parses("n = 1 -> Y[n]") && parses("X[M] = min(1, 2), k: string = a b -> Y[]"));
static_assert(!parses("X@ [M] -> Y[]") && !parses("n -> Y[n]") && !parses("n: f32 -> Y[n]"));
static_assert(!parses("n = -> Y[n]") && !parses("n: f32 = 1 -> Y[]") && !parses("-> Y[], n = 1"));
static_assert(!parses("-> Y[] = 1") && !parses("through n = 1 -> Y[]"));
static_assert(parses("A[M, M], B[M, N?] -> X[M, N?]") && parses("A[M?] -> B[M?], c[]"));
static_assert(!parses("A[..., N?] -> B[]") && !parses("A[M?, N?] -> B[]") &&
              !parses("A[?] -> B[]"));
static_assert(parses("n*A@parts: floating [..., M], B[M] -> C[n]") && parses("n*A[] -> n*B[]"));
static_assert(parses("through A[M], n*B[M] -> C[M]") && !parses("n*B[M], through A[M] -> C[M]"));
static_assert(!parses("n*A[], m*B[] -> C[]") && !parses("A[] -> n*B[], m*C[]"));
static_assert(!parses("*A[] -> B[]") && !parses("n*[] -> B[]") && !parses("n*A[] = 1 -> B[]"));
static_assert(!parses("through n*A[] -> B[]") && !parses("n*a: integer -> B[]"));
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
    CHECK(in("field") == (in("floating") || in("complex")));
    CHECK(static_cast<int>(in("integer")) + in("floating") + in("complex") <= 1);
    CHECK(in(std::string(wf::name_of(d)).c_str()));
  }
  CHECK(wf::is_dtype_class("ordered"));
  CHECK_FALSE(wf::is_dtype_class("f32"));
}

TEST_CASE("row 3: usage tags, attributes and defaults") {
  const auto s = wf::parse_signature(
      "X@image: floating [H, W], bias: floating [W] = 1/W, stride: integer = 1, order: number, "
      "mode: string = (a, b), scale = -0.5 -> Y@image [H]");
  REQUIRE(s);
  CHECK(s->inputs == 2);
  REQUIRE(s->parameters.size() == 3);
  CHECK(s->parameters[0].usage == "image");
  CHECK(wf::usage_of(s->parameters[0]) == "image");
  CHECK(wf::usage_of(s->parameters[1]) == "bias");
  CHECK(s->parameters[1].default_value == "1/W");
  CHECK(s->parameters[0].default_value.empty());
  CHECK(s->parameters[2].usage == "image");
  REQUIRE(s->attributes.size() == 4);
  CHECK(s->attributes[0].kind == "integer");
  CHECK(s->attributes[0].default_value == "1");
  CHECK(s->attributes[1].default_value.empty());
  CHECK(s->attributes[2].default_value == "(a, b)");
  CHECK(s->attributes[3].kind == "number");
  CHECK(s->attributes[3].default_value == "-0.5");
  CHECK(s->find_attribute("order") == &s->attributes[1]);
  CHECK(s->find_attribute("X") == nullptr);
}

TEST_CASE("row 3: what a declared attribute may be") {
  using wf::attribute_kind;
  const auto accepted = [](const char* kind) {
    std::string out;
    for (int k = 0; k < 5; ++k)
      out += wf::satisfies(static_cast<attribute_kind>(k), kind) ? '1' : '0';
    return out;  // integer, rational, real, string, extent
  };
  CHECK(accepted("number") == "11001");
  CHECK(accepted("integer") == "10000");
  CHECK(accepted("extent") == "10001");
  CHECK(accepted("real") == "11100");
  CHECK(accepted("string") == "00010");
}

TEST_CASE("row 3: errors say what was expected, and where") {
  const auto told = [](const char* source) {
    const auto s = wf::parse_signature(source);
    return s ? std::string("ok") : std::string(wf::to_text(s.error()).view());
  };
  CHECK(told("X@: f32 [M] -> Y[]") ==
        "WF303 in 'X@: f32 [M] -> Y[]': expected a usage tag after '@' (line 1, column 3)");
  CHECK(told("n: f32 = 1 -> Y[]") ==
        "WF303 in 'n: f32 = 1 -> Y[]': an attribute is a number, "
        "integer, extent, real or string (line 1, column 8)");
  CHECK(told("X[M], n = -> Y[]") ==
        "WF303 in 'X[M], n = -> Y[]': expected a value after '=' (line 1, column 11)");
  CHECK(told("A[M?, N?] -> B[M?]") ==
        "WF303 in 'A[M?, N?] -> B[M?]': one dimension may be optional (line 1, column 9)");
  CHECK(told("n*A[M], m*B[M] -> C[M]") ==
        "WF303 in 'n*A[M], m*B[M] -> C[M]': there can be one '*' on each side "
        "(line 1, column 16)");
  CHECK(told("X[M],\n  n: f32 -> Y[]") ==
        "WF303 in 'X[M],\n  n: f32 -> Y[]': expected '[' and the "
        "dimensions (line 2, column 10)");
}

TEST_CASE("a pack stands for several values, wherever it is, and the others keep their places") {
  struct row {
    const char* text;
    std::size_t operands, results;
    const char* names;  // of the operands' and the results' parameters
  };
  const row rows[] = {{"n*A[], B[], C[] -> D[]", 3, 1, "ABC D"},
                      {"n*A[], B[], C[] -> D[]", 5, 1, "AAABC D"},
                      {"B[], n*A[], C[] -> D[]", 4, 1, "BAAC D"},
                      {"B[], C[], n*A[] -> n*D[], E[]", 6, 5, "BCAAAA DDDDE"},
                      {"A[], n = 1 -> B[], n*C[]", 1, 3, "A BCC"},
                      {"A[], B[] -> C[], D[]", 2, 2, "AB CD"}};
  for (const row& r : rows) {
    CAPTURE(r.text);
    const auto s = wf::parse_signature(r.text);
    REQUIRE(s);
    CHECK(s->takes(r.operands));
    CHECK(s->gives(r.results));
    CHECK(s->takes(r.operands + 1) == (s->operand_pack != wf::parameter::none));
    CHECK(s->gives(r.results + 1) == (s->result_pack != wf::parameter::none));
    CHECK_FALSE(s->takes(s->inputs - 1));
    CHECK_FALSE(s->gives(s->outputs() - 1));
    std::string names;
    for (std::uint32_t i = 0; i < r.operands; ++i)
      names += std::string(s->parameters[s->parameter_of_operand(i, r.operands)].name);
    names += ' ';
    for (std::uint32_t i = 0; i < r.results; ++i)
      names += std::string(s->parameters[s->parameter_of_result(i, r.results)].name);
    CHECK(names == r.names);
    // Each value is one of those of its parameter, and no other's.
    for (std::uint32_t p = 0; p < s->parameters.size(); ++p) {
      const bool is_operand = p < s->inputs;
      const wf::range own = s->values_of(p, is_operand ? r.operands : r.results);
      for (std::uint32_t i = 0; i < (is_operand ? r.operands : r.results); ++i)
        CHECK((i >= own.first && i < own.first + own.count) ==
              ((is_operand ? s->parameter_of_operand(i, r.operands)
                           : s->parameter_of_result(i, r.results)) == p));
    }
  }
}

TEST_CASE("an optional dimension is known by the rank of a value") {
  const auto s = wf::parse_signature("A[M, M], B[N?, M] -> X[M, N?, 2]");
  REQUIRE(s);
  CHECK(s->parameters[0].optional == wf::parameter::none);
  CHECK(s->parameters[1].optional == 0);
  CHECK(s->parameters[2].optional == 1);
  CHECK(s->dimensions_of(s->parameters[1])[0] == "N");
  CHECK(s->parameters[1].lacks_optional(1));
  CHECK_FALSE(s->parameters[1].lacks_optional(2));
  CHECK_FALSE(s->parameters[1].lacks_optional(0));
  CHECK_FALSE(s->parameters[0].lacks_optional(1));
}
