// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/nn_adjoints.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/domain/nn.hpp>

#include "../written_adjoint.hpp"

// What the equations compute is compared with differences in tests/rewrite/gradient.cpp.

TEST_CASE("equations name the attributes that a node states") {
  using wf_test::real_of, wf_test::written_adjoint;
  namespace kernels = wf::kernels;
  const auto rows = real_of(wf::shape::of(3, 4)), row = real_of(wf::shape::of(4));
  const auto number = [](wf::text_view name) { return wf::attribute_value::floating(name, 0.5); };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK_FALSE(has(written_adjoint(kernels::causal_softmax, {rows}), "scale"));
  CHECK(has(written_adjoint(kernels::causal_softmax, {rows}, {number("scale")}), ", scale)"));
  CHECK_FALSE(has(written_adjoint(kernels::masked_softmax, {rows, rows}), "where(mask"));
  CHECK(
      has(written_adjoint(kernels::masked_softmax, {rows, rows}, {number("fill")}), "where(mask"));
  CHECK(has(written_adjoint(kernels::layer_norm, {rows, row, row}), "+ 0.00001"));
  CHECK(has(written_adjoint(kernels::rms_norm, {rows, row}, {number("epsilon")}), "+ epsilon"));
}

TEST_CASE("a row alone is a vector, and not a matrix of one row") {
  using wf_test::real_of, wf_test::written_adjoint;
  const auto matrix = real_of(wf::shape::of(4, 2)), row = real_of(wf::shape::of(4));
  const auto bias = real_of(wf::shape::of(2));
  CHECK(written_adjoint(wf::kernels::linear, {row, matrix, bias}) ==
        "dX = W dY; dW = outer(X, dY); db = dY");
  CHECK(written_adjoint(wf::kernels::linear, {matrix, matrix, bias}) ==
        "dX = dY trans(W); dW = trans(X) dY; db = dY");
}
