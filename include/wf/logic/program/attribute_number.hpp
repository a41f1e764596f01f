// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/dimension.hpp>

namespace wf::logic::detail {

/// The number of an attribute of a call, or its default; false if there is none.
/// O(attributes).
constexpr bool find_number(const rule_input& call, text_view name, double& out) {
  const attribute_value* const a = call.find(name);
  if (a != nullptr && a->kind != attribute_kind::string && a->kind != attribute_kind::extent)
    return out = call.real(name, 0), true;
  rational ratio;
  if (a != nullptr || !wf::detail::default_of(call.declared, name, ratio)) return false;
  out = to_double(ratio);
  return true;
}

/// Replaces attributes that name an attribute of the call, `T = T`, by its number. False, with the
/// name, if there is none. O(attributes²).
constexpr bool settle_numbers(const rule_input& call, table<attribute_value>& attributes,
                              text& missing) {
  double number = 0;
  for (attribute_value& a : attributes) {
    extent e;
    e.code = a.number;
    if (a.kind != attribute_kind::extent || !e.is_symbol()) continue;
    missing = to_text(e.name());
    if (!find_number(call, missing.view(), number)) return false;
    a = attribute_value::floating(a.name, number);
  }
  return true;
}

}  // namespace wf::logic::detail
