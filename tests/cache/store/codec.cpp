// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/store/codec.hpp>

#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/compare/same.hpp>

#include "../../ir/random_graph.hpp"

namespace {

struct point {
  int x = 0, y = 0;
  friend constexpr bool operator==(const point&, const point&) = default;
};
constexpr wf::text encode_stage(const point& p) { return wf::text() << p.x << ' ' << p.y; }
constexpr wf::result<point> decode_stage(wf::text_view t, std::type_identity<point>) {
  const std::size_t space = t.find(' ');
  const auto x = wf::decode<int>(t.part(0, space)), y = wf::decode<int>(t.part(space + 1));
  if (!x) return x.error();
  if (!y) return y.error();
  return point{*x, *y};
}

template <class T>
constexpr bool returns(const T& x) {
  const auto back = wf::decode<T>(wf::encode(x).view());
  return back && *back == x;
}
template <class T>
constexpr bool refuses(wf::text_view characters) {
  return wf::decode<T>(characters).error().code == wf::errc::cache_failed;
}

}  // namespace

static_assert(wf::encodable<int> && wf::encodable<bool> && wf::encodable<wf::int128>);
static_assert(wf::encodable<double> && wf::encodable<float> && !wf::encodable<long double>);
static_assert(wf::encodable<wf::text> && wf::encodable<std::string>);
static_assert(!wf::encodable<wf::text_view> && !wf::encodable<std::string_view>,
              "they own nothing");
static_assert(wf::encodable<wf::graph> && !wf::encodable<wf::graph_view>);
static_assert(wf::encodable<point> && !wf::encodable<std::vector<int>> && !wf::encodable<int*>);

static_assert(wf::encode(-120) == wf::text("-120") && wf::encode(true) == wf::text("1"));
static_assert(wf::encode('a') == wf::text("97") && wf::encode(wf::text("ab")) == wf::text("ab"));
static_assert(wf::encode(point{3, -4}) == wf::text("3 -4"));
static_assert(returns(0) && returns(INT64_MIN) && returns(INT64_MAX) && returns(UINT64_MAX));
static_assert(returns(~wf::uint128{0}) && returns(static_cast<wf::int128>(wf::uint128{1} << 127)));
static_assert(returns(false) && returns('\xff') && returns(point{-1, 2}));
static_assert(returns(0.1) && returns(-1e300) && returns(5e-324) && returns(0.1f));
static_assert(returns(std::numeric_limits<double>::infinity()) && returns(wf::text("two\nlines")));

// Other texts are not accepted as numbers.
static_assert(refuses<int>("") && refuses<int>("-") && refuses<int>("x") && refuses<int>("1x"));
static_assert(refuses<int>(" 1") && refuses<int>("1 ") && refuses<int>("+1") && refuses<int>("01"));
static_assert(refuses<int>("-0") && refuses<int>("2147483648") && refuses<unsigned>("-1"));
static_assert(refuses<bool>("2") && refuses<signed char>("128") && refuses<float>("4294967296"));
static_assert(refuses<wf::uint128>("340282366920938463463374607431768211456"));
static_assert(refuses<double>("0.5") && refuses<point>("1 b") && refuses<point>("1"));

TEST_CASE("numbers come back bit by bit") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random() >> (random() % 64);
    CHECK(returns(static_cast<std::int64_t>(bits)));
    CHECK(returns(static_cast<std::int16_t>(bits)));
    const auto back = wf::decode<double>(wf::encode(std::bit_cast<double>(bits)).view());
    REQUIRE(back);
    CHECK(std::bit_cast<std::uint64_t>(*back) == bits);
  }
  CHECK(std::signbit(*wf::decode<double>(wf::encode(-0.0).view())));
}

TEST_CASE("texts come back with all their characters") {
  const std::string any("a\0b\n\xff", 5);
  CHECK(returns(any));
  CHECK(returns(std::string()));
  CHECK(wf::encode(any).view() == wf::text_view(any));
}

TEST_CASE("graphs come back the same, and what is no graph is an error") {
  wf_test::random_source random(12);
  for (int round = 0; round < 100; ++round) {
    const wf::graph g = wf_test::random_graph(random);
    const auto back = wf::decode<wf::graph>(wf::encode(g).view());
    REQUIRE(back);
    CHECK(wf::same(*back, g));
  }
  CHECK(wf::decode<wf::graph>("wf.graph 2").error().code == wf::errc::graph_syntax);
  // It parses, but its output refers to no value.
  CHECK(wf::decode<wf::graph>("wf.graph 1 \"g\"\noutput \"y\" = %7\n").error().code ==
        wf::errc::malformed_graph);
}
