// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/nn_definitions.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/domain/nn.hpp>

// What the equations compute is compared with the executor in tests/run/operators/nn.cpp.

namespace {

std::string written(const wf::kernel_spec& k, const wf::table<wf::attribute_value>& with) {
  return std::string(k.write_definition({{}, with}));
}

}  // namespace

TEST_CASE("definitions name the attributes that a node states") {
  const auto number = [](wf::text_view name) { return wf::attribute_value::floating(name, 0.5); };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  using namespace wf::kernels;
  CHECK(has(written(masked_softmax, {}), "= 1 copy(X[...,n])"));
  CHECK(has(written(masked_softmax, {number("scale")}), "= scale copy(X[...,n])"));
  CHECK_FALSE(has(written(masked_softmax, {number("scale")}), "fill"));
  CHECK(has(written(masked_softmax, {number("fill")}), "+ fill [K[...,n] == 0]"));
  CHECK(has(written(layer_norm, {}), "+ 0.00001"));
  CHECK(has(written(rms_norm, {number("epsilon")}), "+ epsilon"));
}
