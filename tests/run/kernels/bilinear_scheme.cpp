// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/bilinear_scheme.hpp>

#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

#include "plain_scheme.hpp"

using namespace wf::compute;

static_assert(is_valid(strassen_scheme()));
static_assert(is_valid(winograd_scheme()));
static_assert(is_valid(transposed(winograd_scheme())));
static_assert(is_valid(plain_scheme(2, 3, 1)));
static_assert(is_valid(compose(plain_scheme(1, 2, 1), winograd_scheme())));

namespace {

constexpr bool rejects_changes() {
  for (std::size_t i = 0; i < 28; ++i) {
    bilinear_scheme s = strassen_scheme();
    s.left[i] = static_cast<std::int8_t>(s.left[i] + 1);
    if (is_valid(s)) return false;
    s = strassen_scheme();
    s.result[i] = static_cast<std::int8_t>(-1 - s.result[i]);
    if (is_valid(s)) return false;
  }
  bilinear_scheme s = strassen_scheme();
  s.right.pop_back();
  return !is_valid(s);
}
static_assert(rejects_changes());

}  // namespace

TEST_CASE("nested schemes multiply what both divide, by the products of both") {
  const bilinear_scheme nested = compose(strassen_scheme(), plain_scheme(1, 2, 3));
  CHECK(nested.rows == 2);
  CHECK(nested.depth == 4);
  CHECK(nested.columns == 6);
  CHECK(nested.rank == 7 * 6);
  CHECK(is_valid(nested));
  const bilinear_scheme turned = transposed(nested);
  CHECK(turned.rows == 6);
  CHECK(turned.columns == 2);
  CHECK(is_valid(turned));
}
