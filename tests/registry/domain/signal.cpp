// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/signal.hpp>

#include <doctest/doctest.h>

#include "../one_node.hpp"

namespace {
wf::value_type signal(auto... e) { return one_node::of(wf::dtype::c64, e...); }
}  // namespace

TEST_CASE("row 4: the fast Fourier transform costs what its stages cost") {
  for (std::int64_t n = 1, stages = 0; n <= 4096; n *= 2, ++stages) {
    const auto one = [n](const wf::kernel_spec& k) {
      return one_node::priced(k, "flops", {signal(3, n)});
    };
    CHECK(one(wf::kernels::fft) ==
          one(wf::kernels::bit_reversal) + stages * one(wf::kernels::butterflies));
    CHECK(one(wf::kernels::inverse_fft) - one(wf::kernels::fft) == 2 * 3 * n);
    // A stage: n/2 butterflies, each a complex product (6 flops) and two complex additions (4).
    if (n > 1) CHECK(one(wf::kernels::butterflies) == 3 * (n / 2) * 10);
  }
}

TEST_CASE("row 3: transforms take complex elements; of other lengths the price is rounded up") {
  CHECK(one_node::failure(wf::kernels::fft, {one_node::f64(8)}) == wf::errc::dtype_mismatch);
  const auto g = one_node::graph_of(wf::kernels::fft, {signal(6)}, {});
  CHECK(*wf::price(g.view(), wf::flops) == 78);  // 5*6*log2(6) = 77.55
}
