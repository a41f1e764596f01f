// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/window_adjoints.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/domain/nn.hpp>

#include "../written_adjoint.hpp"

// What the equations compute is compared with differences in tests/rewrite/gradient.cpp.

TEST_CASE("a derivative is spread by the stride, and framed for all windows that read a pixel") {
  namespace rules = wf::kernels::detail;
  const wf::value_type image = wf_test::real_of(wf::shape::of(2, 3, 7, 6));
  const wf::attribute_value by[] = {wf_test::whole("stride", 2), wf_test::whole("padding", 1)};
  const rules::window_steps w = rules::steps_of({{&image, 1}, by}, 3, 2);
  REQUIRE(w.known);
  // Rows: windows at -1, 1, 3, 5; columns: at -1, 1, 3, 5.
  CHECK(w.spread(0) == 7);
  CHECK(w.spread(1) == 7);
  CHECK(rules::framed_text(w).view() == "pad(D, axis = 2, before = 1, after = 1)");
  CHECK(std::string(rules::spread_text(w, 5).view()).find("axis = 3, after = 1)") !=
        std::string::npos);
  // Padding beyond the window: what only it saw is left out.
  CHECK(rules::framed_text(wf::text("D"), 2, 9, -1, -2).view() ==
        "slice(D, axis = 2, start = 1, length = 6)");
}

TEST_CASE("extents that are not known have no adjoint") {
  using wf_test::real_of, wf_test::whole, wf_test::written_adjoint;
  namespace kernels = wf::kernels;
  const auto fixed = real_of(wf::shape::of(2, 3, 5, 4)), any = real_of(wf::shape::of("N", 3, 5, 4));
  const auto filters = real_of(wf::shape::of(2, 3, 3, 3)), one = real_of(wf::shape::of(3, 3, 3));
  CHECK(written_adjoint(kernels::conv2d, {any, filters}) == "");
  CHECK(written_adjoint(kernels::conv2d, {fixed, filters}).starts_with("D = dY; dX = conv2d("));
  CHECK(written_adjoint(kernels::conv2d, {fixed, filters}, {whole("stride", 0)}) == "");
  CHECK(written_adjoint(kernels::depthwise_conv2d, {any, one}) == "");
  CHECK(written_adjoint(kernels::depthwise_conv2d, {fixed, one}) != "");
  CHECK(written_adjoint(kernels::average_pool2d, {any}, {whole("window", 2)}) == "");
  CHECK(written_adjoint(kernels::average_pool2d, {fixed}, {whole("window", 6)}) == "");
}
