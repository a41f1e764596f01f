// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/tile_sum.hpp>

#include <cstddef>

#include <doctest/doctest.h>

namespace {

using namespace wf::compute;
constexpr auto slot = static_cast<std::uint8_t>(max_tile_inputs);

tile_instruction<double> instruction(tile_role role, std::uint8_t a, std::uint8_t b,
                                     std::uint8_t to) {
  tile_instruction<double> out;
  out.operands = 2;
  out.role = role;
  out.from[0] = a, out.from[1] = b, out.to = to;
  return out;
}
struct walk {
  const double* from;
  Eigen::Index run_step, step;
};

}  // namespace

TEST_CASE("a program of sums and products with numbers is a linear combination") {
  // x - s·y for a scalar s.
  const double x = 7, y = 11, s = 3;
  const tile_instruction<double> program[] = {instruction(tile_role::product, 2, 1, slot),
                                              instruction(tile_role::gap, 0, slot, 0)};
  const bool is_scalar[] = {false, false, true};
  const detail::tile_sum sum(wf::view<tile_instruction<double>>(program, 2), is_scalar);
  REQUIRE(sum);
  CHECK(sum.is_plain());
  const walk walks[] = {{&x, 5, 1}, {&y, 6, 1}, {&s, 0, 0}};
  sum_term<double> terms[2];
  std::size_t count = 0;
  CHECK(sum.terms(walks, terms, count) == 1);
  REQUIRE(count == 2);
  CHECK(terms[0].elements == &x);
  CHECK(terms[0].factor == 1);
  CHECK(terms[1].elements == &y);
  CHECK(terms[1].factor == -3);
  CHECK(terms[1].run_step == 6);
}

TEST_CASE("other programs are no linear combination") {
  const bool none[] = {false, false, false};
  const auto is_sum = [&](const tile_instruction<double>& only) {
    return static_cast<bool>(detail::tile_sum(wf::view<tile_instruction<double>>(&only, 1), none));
  };
  CHECK(is_sum(instruction(tile_role::sum, 0, 1, 0)));
  CHECK_FALSE(is_sum(instruction(tile_role::product, 0, 1, 0)));
  CHECK_FALSE(is_sum(instruction(tile_role::other, 0, 1, 0)));
}
