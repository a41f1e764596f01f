// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/polynomial_maximum.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/registry/static_registry.hpp>

namespace {

inline constexpr wf::metric<"time", "ns", wf::combination::critical_path> duration;
inline constexpr wf::metric<"widest", "flop", wf::combination::maximum> widest;
inline constexpr wf::kernel_spec timed[] = {
    {.name = "matmul",
     .domain = "linalg",
     .signature = "A: number [..., M, K], B: number [..., K, N] -> C[..., M, N]",
     .costs = {{"time", "2*C*K"}, {"widest", "2*C*K"}},
     .overrides = true},
    {.name = "relu",
     .domain = "nn",
     .signature = "X[...] -> Y[...]",
     .costs = {{"time", "100*X + 7"}, {"widest", "X"}},
     .overrides = true}};

constexpr auto diamond = wf::workflow<"diamond">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">();
  s.output<"Y">((a * a) * relu(a));
});
// Row 4: the critical path of a symbolic workflow, while compiling.
static_assert(to_text(wf::cost(diamond, wf::with_kernels<timed>)[duration]) ==
              wf::text("max(4*M**3, 2*M**3 + 100*M**2 + 7)"));
static_assert(wf::cost(diamond, wf::with_kernels<timed>)[widest].is_polynomial() == false);
static_assert(wf::cost(diamond, wf::with_kernels<timed>)[duration].at_most(4 * 64 * 64 * 64,
                                                                           wf::symbol_range("M", 51,
                                                                                            64)));

wf::polynomial random_polynomial(std::mt19937& random, std::uint32_t symbols) {
  const wf::symbol names[] = {wf::make_symbol("M"), wf::make_symbol("N")};
  wf::polynomial p;
  for (int term = 0; term < 3; ++term) {
    wf::monomial powers;
    for (std::uint32_t i = 0; i < symbols; ++i)
      for (std::size_t e = random() % 3; e > 0; --e)
        REQUIRE(wf::multiply(powers, wf::monomial(names[i]), powers) == wf::errc::none);
    REQUIRE(p.add_term(wf::rational(static_cast<int>(random() % 9) - 3), powers) == wf::errc::none);
  }
  return p;
}

wf::rational at(const wf::polynomial_maximum& p, std::int64_t m, std::int64_t n) {
  const wf::assignment point[] = {{wf::make_symbol("M"), m}, {wf::make_symbol("N"), n}};
  return *wf::evaluate_at(p, point);
}

}  // namespace

TEST_CASE("row 4: maxima keep every value, whatever the order in which polynomials came") {
  std::mt19937 random(72);
  for (int round = 0; round < 500; ++round) {
    std::vector<wf::polynomial> all;
    for (std::size_t i = 1 + random() % 5; i > 0; --i) all.push_back(random_polynomial(random, 2));
    wf::polynomial_maximum one, other;
    for (const auto& p : all) REQUIRE(one.include(p) == wf::errc::none);
    std::shuffle(all.begin(), all.end(), random);
    for (const auto& p : all) REQUIRE(other.include(p) == wf::errc::none);
    CHECK(one == other);
    for (std::int64_t m = 0; m < 5; ++m)
      for (std::int64_t n = 0; n < 5; ++n) {
        wf::rational largest = at(all[0], m, n);
        for (const auto& p : all) largest = std::max(largest, at(p, m, n));
        CHECK(at(one, m, n) == largest);
      }
  }
}

TEST_CASE("row 10: pieces of a maximum, and comparisons of two, at every integer") {
  std::mt19937 random(73);
  const wf::symbol_domain range = wf::symbol_range("M", 1, 40);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    wf::polynomial_maximum a, b;
    for (std::size_t i = 1 + random() % 4; i > 0; --i) {
      REQUIRE(a.include(random_polynomial(random, 1)) == wf::errc::none);
      REQUIRE(b.include(random_polynomial(random, 1)) == wf::errc::none);
    }
    const auto pieces = wf::pieces_of(a, range);
    REQUIRE(pieces);
    std::int64_t next = range.low;
    for (const wf::maximum_piece& piece : *pieces) {
      CHECK(piece.low == next);
      next = piece.high + 1;
      for (std::int64_t m = piece.low; m <= piece.high; ++m)
        CHECK(at(piece.largest, m, 0) == at(a, m, 0));
    }
    CHECK(next == range.high + 1);
    int least = 1, most = -1;
    for (std::int64_t m = range.low; m <= range.high; ++m) {
      const wf::rational x = at(a, m, 0), y = at(b, m, 0);
      const int sign = x < y ? -1 : y < x ? 1 : 0;
      least = std::min(least, sign);
      most = std::max(most, sign);
    }
    const auto order = wf::compare(a, b, {&range, 1});
    REQUIRE(order);
    CHECK(*order == wf::detail::ordering_of(least, most));
  }
}

TEST_CASE("comparisons in several symbols are never wrong") {
  std::mt19937 random(74);
  const wf::symbol_domain box[] = {wf::symbol_range("M", 1, 6), wf::symbol_range("N", 1, 6)};
  int decided = 0;
  for (int round = 0; round < 200; ++round) {
    wf::polynomial_maximum a, b;
    for (int i = 0; i < 2; ++i) {
      REQUIRE(a.include(random_polynomial(random, 2)) == wf::errc::none);
      REQUIRE(b.include(random_polynomial(random, 2)) == wf::errc::none);
    }
    const auto order = wf::compare(a, b, box);
    REQUIRE(order);
    int least = 1, most = -1;
    for (std::int64_t m = 1; m <= 6; ++m)
      for (std::int64_t n = 1; n <= 6; ++n) {
        const wf::rational x = at(a, m, n), y = at(b, m, n);
        const int sign = x < y ? -1 : y < x ? 1 : 0;
        least = std::min(least, sign);
        most = std::max(most, sign);
      }
    if (*order != wf::ordering::unknown) {
      ++decided;
      CHECK(*order == wf::detail::ordering_of(least, most));
    }
  }
  CHECK(decided > 20);
}

TEST_CASE("row 4: the critical path of symbolic graphs is that of the graph at every size") {
  const auto registry = decltype(wf::with_kernels<timed>)::registry();
  const auto path = wf::price_maximum(diamond.graph(), duration, registry);
  REQUIRE(path);
  for (std::int64_t m = 0; m < 120; ++m) {
    const std::int64_t product = 2 * m * m * m;
    CHECK(at(*path, m, 0) == wf::rational(product + std::max(product, 100 * m * m + 7)));
  }
  CHECK(wf::price_symbolic(diamond.graph(), duration, registry).error().code ==
        wf::errc::not_comparable);
  CHECK(to_text(*wf::price_maximum(diamond.graph(), wf::flops)) == wf::text("4*M**3 + M**2"));
}

TEST_CASE("too many incomparable polynomials are an error") {
  wf::polynomial_maximum m;
  wf::errc code = wf::errc::none;
  for (int i = 0; i < 70 && code == wf::errc::none; ++i) {
    wf::polynomial p(i);
    REQUIRE(p.add_term(wf::rational(100 - i), wf::monomial(wf::make_symbol("M"))) ==
            wf::errc::none);
    code = m.include(p);
  }
  CHECK(code == wf::errc::formula_limit);
}
