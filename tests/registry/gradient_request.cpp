// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/gradient_request.hpp>

#include <doctest/doctest.h>

TEST_CASE("by default the only output is differentiated by all inputs, from the number 1") {
  constexpr wf::gradient_request request;
  static_assert(request.output.empty() && request.inputs.empty() && request.seed.empty());
  CHECK(request.prefix == "grad_");
}
