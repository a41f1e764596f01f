// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/infer.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

namespace {

wf::result<wf::inference> infer_on(const wf::kernel_spec& k, std::vector<wf::value_type> operands,
                                   std::vector<wf::attribute_value> attributes = {}) {
  return wf::infer(k, {{operands.data(), operands.size()}, {attributes.data(), attributes.size()}});
}

wf::value_type f64(const wf::shape& s, wf::properties p = {}) { return {wf::dtype::f64, p, s}; }

}  // namespace

TEST_CASE("broadcasting follows the rule: aligned on the right, equal or one") {
  std::mt19937 random(41);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::int64_t> a(random() % 4), b(random() % 4);
    for (auto& x : a) x = 1 + static_cast<std::int64_t>(random() % 3);
    for (auto& x : b) x = 1 + static_cast<std::int64_t>(random() % 3);
    wf::shape sa, sb;
    for (auto x : a) sa.push_back(x);
    for (auto x : b) sb.push_back(x);
    const std::size_t rank = std::max(a.size(), b.size());
    bool fits = true;
    wf::shape expected;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
      const std::int64_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
      fits = fits && (x == y || x == 1 || y == 1);
      expected.push_back(std::max(x, y));
    }
    const auto made = infer_on(wf::kernels::add, {f64(sa), f64(sb)});
    CHECK(made.has_value() == fits);
    if (fits && made) CHECK(made->results[0].shape == expected);
  }
}

TEST_CASE("products, stacks, symbols") {
  const auto made = infer_on(wf::kernels::matmul,
                             {f64(wf::shape::of(5, 2, "M", 3)), f64(wf::shape::of(2, 3, "N"))});
  REQUIRE(made);
  CHECK(made->results[0].shape == wf::shape::of(5, 2, "M", "N"));
}

TEST_CASE("typed errors say what differs") {
  const auto shape =
      infer_on(wf::kernels::matmul, {f64(wf::shape::of(2, 3)), f64(wf::shape::of(4, 5))});
  REQUIRE_FALSE(shape);
  CHECK(shape.error().code == wf::errc::shape_mismatch);
  CHECK(shape.error().message == wf::text("dimension K differs: 3 vs 4 (A is 2x3, B is 4x5)"));
  const auto symbols =
      infer_on(wf::kernels::matmul, {f64(wf::shape::of(2, "M")), f64(wf::shape::of("N", 5))});
  CHECK(symbols.error().code == wf::errc::shape_mismatch);
  const auto dtypes =
      infer_on(wf::kernels::add, {f64(wf::shape::of(2)), {wf::dtype::f32, {}, wf::shape::of(2)}});
  CHECK(dtypes.error().code == wf::errc::dtype_mismatch);
  const auto bound = infer_on(wf::kernels::softmax, {{wf::dtype::i32, {}, wf::shape::of(2)}});
  CHECK(bound.error().code == wf::errc::dtype_mismatch);
  const auto rank = infer_on(wf::kernels::matvec, {f64(wf::shape::of(2)), f64(wf::shape::of(2))});
  CHECK(rank.error().code == wf::errc::shape_mismatch);
  const auto count = infer_on(wf::kernels::relu, {f64(wf::shape::of(2)), f64(wf::shape::of(2))});
  CHECK(count.error().code == wf::errc::shape_mismatch);
}

TEST_CASE("unknown ranks and extents fit everything") {
  const auto rank =
      infer_on(wf::kernels::matmul, {f64(wf::shape::unknown()), f64(wf::shape::of(4, 5))});
  REQUIRE(rank);
  CHECK_FALSE(rank->results[0].shape.has_rank());
  const auto extent = infer_on(wf::kernels::matmul,
                               {f64(wf::shape::of(2, wf::extent())), f64(wf::shape::of(4, 5))});
  REQUIRE(extent);
  CHECK(extent->results[0].shape == wf::shape::of(2, 5));
}

TEST_CASE("row 3: operands of one class share their dtype; rules give shapes and dtypes") {
  const auto mixed = infer_on(
      wf::kernels::matmul, {f64(wf::shape::of(2, 3)), {wf::dtype::f32, {}, wf::shape::of(3, 2)}});
  REQUIRE_FALSE(mixed);
  CHECK(mixed.error().code == wf::errc::dtype_mismatch);
  const auto after = infer_on(wf::kernels::after,  // operands of `any` are unrelated
                              {f64(wf::shape::of(2)), {wf::dtype::i8, {}, wf::shape::of(7)}});
  REQUIRE(after);
  CHECK(after->results[0] == f64(wf::shape::of(2)));
  const auto cast = infer_on(wf::kernels::cast, {f64(wf::shape::of(2))},
                             {wf::attribute_value::string("dtype", "i8")});
  REQUIRE(cast);
  CHECK(cast->results[0].type == wf::dtype::i8);
  const auto wrong = infer_on(wf::kernels::cast, {f64(wf::shape::of(2))},
                              {wf::attribute_value::string("dtype", "i9")});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().code == wf::errc::bad_attribute);
}

TEST_CASE("row 3: declared attributes have their kinds, and defaults where nothing is stated") {
  using wf::attribute_value;
  const wf::kernel_spec pool{.name = "pool",
                             .domain = "user",
                             .signature =
                                 "X[H], window: integer, stride: integer = 2, half = 1/2 "
                                 "-> Y[(H - window)//stride + 1, 2*half]"};
  const auto window = attribute_value::integer("window", 3);
  const auto made = infer_on(pool, {f64(wf::shape::of(9))}, {window});
  REQUIRE(made);
  CHECK(made->results[0].shape == wf::shape::of(4, 1));
  const auto stated =
      infer_on(pool, {f64(wf::shape::of(9))}, {window, attribute_value::integer("stride", 1)});
  REQUIRE(stated);
  CHECK(stated->results[0].shape == wf::shape::of(7, 1));
  const auto symbolic =
      infer_on(pool, {f64(wf::shape::of("H"))}, {window, attribute_value::integer("stride", 1)});
  REQUIRE(symbolic);
  CHECK(symbolic->derived[0] == wf::text("H - 2"));
  CHECK(infer_on(pool, {f64(wf::shape::of(9))}).error().code == wf::errc::unknown_symbol);
  const auto wrong =
      infer_on(pool, {f64(wf::shape::of(9))}, {attribute_value::string("window", "three")});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().code == wf::errc::bad_attribute);
  CHECK(wrong.error().message == wf::text("attribute window is no integer"));
  // Defaults are visible to C++ rules as well.
  const auto s = wf::parse_signature("X[H], axis: integer = 1, ratio = 1/2 -> Y[]");
  wf::rule_input in;
  in.declared = &*s;
  CHECK(in.integer("axis", 7) == 1);
  CHECK(in.integer("ratio", 7) == 7);
  CHECK(in.integer("other", 7) == 7);
}

TEST_CASE("derived extents of operands keep their polynomials") {
  wf::graph g;
  const wf::extent sum = g.add_derived("M + N");
  const wf::value_type operands[] = {f64(wf::shape::of(sum, 3)), f64(wf::shape::of("K", 3))};
  const wf::graph_view view = g;
  const auto text_of = [](const wf::result<wf::inference>& made) {
    REQUIRE(made);
    REQUIRE(made->results[0].shape[0].is_derived());
    return made->derived[made->results[0].shape[0].index()];
  };
  CHECK(text_of(wf::infer(wf::kernels::relu, {{operands, 1}, {}, &view})) == wf::text("M + N"));
  CHECK(text_of(wf::infer(wf::kernels::concat, {operands, {}, &view})) == wf::text("K + M + N"));
}

TEST_CASE("a vector fits where a matrix does, and results lack what the operands lack") {
  const wf::kernel_spec solve{
      .name = "own_solve",
      .domain = "user",
      .signature = "A[M, M], B[M, N?], D[N?, M] -> X[M, N?], Y[N?], z[2*N]"};
  std::mt19937 random(53);
  for (int round = 0; round < 2000; ++round) {
    const auto m = static_cast<std::int64_t>(1 + random() % 4);
    const auto n = static_cast<std::int64_t>(1 + random() % 3);
    const bool has_b = random() % 2 == 0, has_d = random() % 4 != 0 ? has_b : !has_b;
    const std::int64_t wrong_m = random() % 8 == 0 ? 1 : 0, wrong_n = random() % 8 == 0 ? 1 : 0;
    const auto made =
        infer_on(solve, {f64(wf::shape::of(m, m)),
                         f64(has_b ? wf::shape::of(m + wrong_m, n) : wf::shape::of(m + wrong_m)),
                         f64(has_d ? wf::shape::of(n + wrong_n, m) : wf::shape::of(m))});
    const bool fits = has_b == has_d && wrong_m == 0 && (!has_b || wrong_n == 0);
    CHECK(made.has_value() == fits);
    if (!made) {
      CHECK(made.error().code == wf::errc::shape_mismatch);
      continue;
    }
    CHECK(made->results[0].shape == (has_b ? wf::shape::of(m, n) : wf::shape::of(m)));
    CHECK(made->results[1].shape == (has_b ? wf::shape::of(n) : wf::shape::of()));
    CHECK(made->results[2].shape == wf::shape::of(has_b ? 2 * n : 2));
  }
  const auto told = [](const wf::result<wf::inference>& made) {
    REQUIRE_FALSE(made);
    return std::string(made.error().message.view());
  };
  CHECK(told(infer_on(
            solve, {f64(wf::shape::of(2, 2)), f64(wf::shape::of(2)), f64(wf::shape::of(3, 2))})) ==
        "one operand has dimension N and another lacks it (A is 2x2, B is 2, D is 3x2)");
  CHECK(told(infer_on(
            solve, {f64(wf::shape::of(2, 2)), f64(wf::shape::of(2, 3)), f64(wf::shape::of(2))})) ==
        "one operand has dimension N and another lacks it (A is 2x2, B is 2x3, D is 2)");
  CHECK(told(infer_on(solve, {f64(wf::shape::of(2, 2)), f64(wf::shape::of(2, 3, 4)),
                              f64(wf::shape::of(2))})) ==
        "operand B has 3 dimensions (2x3x4), not 1 or 2");
}

TEST_CASE("a pack takes operands from one on, and gives as many results as is stated") {
  const wf::kernel_spec zip{
      .name = "zip",
      .domain = "user",
      .signature = "W[K], n*A: floating [M, K], b: i64 [] -> n*Y[M], S[n, M*n]"};
  std::mt19937 random(59);
  for (int round = 0; round < 500; ++round) {
    const std::size_t n = random() % 8;
    const auto m = static_cast<std::int64_t>(1 + random() % 4), k = m + 1;
    const std::size_t wrong = random() % 3 == 0 ? random() % 8 : 8;
    std::vector<wf::value_type> operands{f64(wf::shape::of(k))};
    for (std::size_t i = 0; i < n; ++i)
      operands.push_back(f64(wf::shape::of(m, i == wrong ? k + 1 : k)));
    operands.push_back({wf::dtype::i64, {}, wf::shape::of()});
    const auto made = infer_on(zip, operands);
    // At most 8 operands and 6 results.
    CHECK(made.has_value() == (n >= 1 && n <= 5 && wrong >= n));
    if (!made) continue;
    REQUIRE(made->count == n + 1);
    for (std::size_t i = 0; i < n; ++i) CHECK(made->results[i].shape == wf::shape::of(m));
    const auto number = static_cast<std::int64_t>(n);
    CHECK(made->results[n].shape == wf::shape::of(number, m * number));
  }
}

TEST_CASE("an attribute says how many results there are, from one to six") {
  const wf::kernel_spec parts{
      .name = "own_parts", .domain = "user", .signature = "A[M], parts = 2 -> parts*B[M]"};
  const auto of = [&](std::int64_t n) {
    return infer_on(parts, {f64(wf::shape::of(6))}, {wf::attribute_value::integer("parts", n)});
  };
  CHECK(infer_on(parts, {f64(wf::shape::of(6))})->count == 2);
  for (std::int64_t n = 1; n <= 6; ++n) CHECK(of(n)->count == n);
  for (const std::int64_t n :
       {std::int64_t{-1}, std::int64_t{0}, std::int64_t{7}, std::int64_t{4'000'000'000}}) {
    REQUIRE_FALSE(of(n));
    CHECK(of(n).error().code == wf::errc::bad_attribute);
    CHECK(of(n).error().message ==
          wf::text("parts, the number of results, is to be an integer from 1 to 6"));
  }
  const auto symbolic = infer_on(parts, {f64(wf::shape::of(6))},
                                 {wf::attribute_value::dimension("parts", wf::extent("P"))});
  REQUIRE_FALSE(symbolic);
  CHECK(symbolic.error().code == wf::errc::bad_attribute);
}
