// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/signature.hpp>

namespace wf {

namespace detail {

constexpr void append_parameter(text& out, const signature& s, const parameter& p) {
  if (p.side == side::through) out << "through ";
  if (!p.count.empty()) out << p.count << '*';
  out << p.name;
  if (!p.usage.empty()) out << '@' << p.usage;
  out << (p.bound.empty() ? "" : ": ") << p.bound << (p.bound.empty() ? "[" : " [");
  if (p.leading) out << "...";
  const view<text_view> dimensions = s.dimensions_of(p);
  for (std::uint32_t d = 0; d < dimensions.size(); ++d)
    out << (d != 0 || p.leading ? ", " : "") << dimensions[d] << (d == p.optional ? "?" : "");
  out << ']';
  if (!p.default_value.empty()) out << " = " << p.default_value;
}

}  // namespace detail

/// The text of a signature: operands, attributes, "->", results; `parse_signature` restores the
/// same signature. O(size).
constexpr text to_text(const signature& s) {
  text out;
  for (std::uint32_t i = 0; i < s.inputs; ++i) {
    if (!out.empty()) out << ", ";
    detail::append_parameter(out, s, s.parameters[i]);
  }
  for (const attribute_declaration& a : s.attributes) {
    if (!out.empty()) out << ", ";
    out << a.name;
    if (a.kind != "number" || a.default_value.empty()) out << ": " << a.kind;
    if (!a.default_value.empty()) out << " = " << a.default_value;
  }
  out << (out.empty() ? "-> " : " -> ");
  for (std::size_t i = s.inputs; i < s.parameters.size(); ++i) {
    if (i != s.inputs) out << ", ";
    detail::append_parameter(out, s, s.parameters[i]);
  }
  return out;
}

}  // namespace wf
