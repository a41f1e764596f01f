// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/registry/kernel.hpp>

namespace wf_test {

// The equations that a kernel writes for operands of these types, without line breaks.
inline std::string written_adjoint(const wf::kernel_spec& k, std::vector<wf::value_type> operands,
                                   std::initializer_list<wf::attribute_value> attributes = {}) {
  const bool writes = k.write_adjoint != nullptr;
  REQUIRE(writes);
  const wf::text written = k.write_adjoint(
      {{operands.data(), operands.size()}, {attributes.begin(), attributes.size()}});
  return std::string(written.view());
}
// A tensor of f64.
inline wf::value_type real_of(const wf::shape& s, wf::properties known = {}) {
  return {wf::dtype::f64, known, s};
}
// Integer attributes.
inline wf::attribute_value whole(wf::text_view name, std::int64_t number) {
  return wf::attribute_value::integer(name, number);
}

}  // namespace wf_test
