// SPDX-License-Identifier: BSL-1.0
#include <wf/select/every_size/bernstein.hpp>

#include <random>

#include <doctest/doctest.h>

namespace {

const wf::symbol m = wf::make_symbol("M");

wf::rational at(const wf::polynomial& p, std::int64_t x) {
  const wf::assignment point{m, x};
  return *wf::evaluate_at(p, {&point, 1});
}

// M² on [0, 2] is 0, 0, 4 in the Bernstein basis.
constexpr bool square_on_0_2 = [] {
  wf::polynomial square(wf::make_symbol("M"));
  if (wf::multiply(square, square, square) != wf::errc::none) return false;
  wf::bernstein_form form;
  if (form.assign({&square, 1}, {wf::make_symbol("M"), 0, 2}) != wf::errc::none) return false;
  return form.degree() == 2 && form.coefficient(0, 0) == 0 && form.coefficient(0, 1) == 0 &&
         form.coefficient(0, 2) == 4 * form.scale();
}();
static_assert(square_on_0_2);

}  // namespace

TEST_CASE("row 10: the Bernstein form is the polynomial, and bounds it") {
  std::mt19937 random(101);
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    wf::table<wf::polynomial> all;
    for (int i = 0; i < 3; ++i) {
      wf::polynomial p;
      for (std::uint32_t e = 0; e < 1 + random() % 4; ++e) {
        wf::polynomial power(m);
        REQUIRE(wf::power(power, e, power) == wf::errc::none);
        REQUIRE(wf::add_scaled(p, power,
                               *wf::make_rational(static_cast<int>(random() % 21) - 10,
                                                  1 + static_cast<int>(random() % 4))) ==
                wf::errc::none);
      }
      all.push_back(p);
    }
    const auto low = static_cast<std::int64_t>(random() % 20) - 5;
    const wf::symbol_domain domain{m, low, low + 1 + static_cast<std::int64_t>(random() % 30)};
    wf::bernstein_form form;
    REQUIRE(form.assign(all, domain) == wf::errc::none);
    const std::uint32_t degree = form.degree();
    const wf::rational width(domain.high - domain.low);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::int64_t x = domain.low; x <= domain.high; ++x) {
        // The definition: sum of coefficient(k) · binomial(d, k) · t^k (1 - t)^(d - k).
        wf::rational value(0), t;
        REQUIRE(wf::divide(wf::rational(x - domain.low), width, t) == wf::errc::none);
        for (std::uint32_t k = 0; k <= degree; ++k) {
          wf::rational left, right, term;
          wf::rational rest(1);
          REQUIRE(wf::subtract(rest, t, rest) == wf::errc::none);
          REQUIRE(wf::power(t, wf::rational(k), left) == wf::errc::none);
          REQUIRE(wf::power(rest, wf::rational(degree - k), right) == wf::errc::none);
          REQUIRE(wf::multiply(left, right, term) == wf::errc::none);
          REQUIRE(wf::multiply(term, wf::rational(wf::detail::binomial_row(degree)[k]), term) ==
                  wf::errc::none);
          REQUIRE(wf::multiply(term, wf::rational(form.coefficient(i, k)), term) == wf::errc::none);
          REQUIRE(wf::add(value, term, value) == wf::errc::none);
        }
        REQUIRE(wf::divide(value, wf::rational(form.scale()), value) == wf::errc::none);
        CHECK(value == at(all[i], x));
        if (at(all[i], x).is_integer()) CHECK(wf::rational(form.least(i)) <= at(all[i], x));
      }
  }
}

TEST_CASE("figures that do not fit are refused") {
  wf::polynomial p(m);
  REQUIRE(wf::power(p, 9, p) == wf::errc::none);
  wf::bernstein_form form;
  CHECK(form.assign({&p, 1}, {m, 1, 1'000'000}) == wf::errc::overflow);
  CHECK(form.assign({&p, 1}, {m, 1, 10}) == wf::errc::none);
  CHECK(form.degree() == 9);
}
