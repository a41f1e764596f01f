// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/scalar.hpp>

#include <complex>
#include <limits>
#include <type_traits>

#include <doctest/doctest.h>

namespace compute = wf::compute;
using complex = std::complex<double>;

static_assert(compute::is_complex_scalar<complex> && !compute::is_complex_scalar<float>);
static_assert(std::is_same_v<compute::magnitude_of<std::complex<float>>, float> &&
              std::is_same_v<compute::magnitude_of<double>, double>);

TEST_CASE("an element names a position, or none") {
  CHECK(compute::real_part(complex(2, 3)) == 2);
  CHECK(compute::real_part(2.5f) == 2.5f);
  CHECK(compute::index_of(complex(7, 0)) == 7);
  for (const double x : {0.0, 1.0, 4.0}) {
    CHECK(compute::position_of(x, 5) == static_cast<Eigen::Index>(x));
    CHECK(compute::position_of(complex(x), 5) == static_cast<Eigen::Index>(x));
  }
  for (const double x : {-1.0, 5.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(compute::position_of(x, 5) == -1);
    CHECK(compute::position_of(complex(x), 5) == -1);
  }
}
