// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <iterator>

#include <wf/adapt/yaml/reader.hpp>
#include <wf/rewrite/call_patterns.hpp>

namespace wf::detail {

inline constexpr text_view call_keys[] = {"call", "op", "operands", "attributes", "without"};

/// Reads the call patterns of a document.
class yaml_calls {
 public:
  /// Reads from `in`, for operators of `kernels`.
  yaml_calls(yaml_reader& in, const registry& kernels) : in_(in), kernels_(kernels) {}

  // Reads a pattern of a call that none of the others is of.
  bool read(const YAML::Node& node, view<call_pattern> others, call_pattern& p) {
    yaml_fields f;
    if (!in_.read_fields(node, "a call", call_keys, f) || !in_.require(node, f, "a call", "call") ||
        !in_.require(node, f, "a call", "op") || !in_.read_text(f, "call", p.call) ||
        !in_.read_text(f, "op", p.op) || !read_operands(f.find("operands"), p) ||
        !read_renamed(f, p))
      return false;
    if (const error e = find_fault(p, kernels_); e.code != errc::none)
      return in_.fail(*f.find(e.code == errc::bad_pattern ? "call" : "op"), e.code,
                      (text() << "call '" << p.call << "': " << e.message.view()).view());
    for (const call_pattern& other : others)
      if (other.call == p.call)
        return in_.fail(*f.find("call"), errc::bad_pattern, "two patterns are of this call");
    return true;
  }

 private:
  bool read_operands(const YAML::Node* list, call_pattern& p) {
    std::size_t count = 0;
    const bool read = in_.read_each(list, "operands", [&](const YAML::Node& node) {
      const bool digit = node.IsScalar() && node.Scalar().size() == 1 && node.Scalar()[0] >= '0' &&
                         node.Scalar()[0] < static_cast<char>('0' + max_operands);
      if (!digit || count == max_operands)
        return in_.fail(node, (text() << "operands are at most " << max_operands
                                      << " numbers of operands of the call, from 0 on")
                                  .view());
      p.operands[count++] = static_cast<std::int8_t>(node.Scalar()[0] - '0');
      return true;
    });
    if (!read || list == nullptr || count != 0) return read;
    return in_.fail(*list, "without the key operands the operator takes all");
  }
  bool read_renamed(const yaml_fields& f, call_pattern& p) {
    std::size_t count = 0;
    const auto add = [&](const YAML::Node& at, text_view from, text_view to) {
      if (count == std::size(p.attributes))
        return in_.fail(at, "a call renames or leaves out four attributes at most");
      p.attributes[count++] = {from, to};
      return true;
    };
    if (const YAML::Node* renamed = f.find("attributes")) {
      yaml_fields names;
      if (!in_.read_fields(*renamed, "attributes", {}, names)) return false;
      for (std::size_t i = 0; i < names.keys.size(); ++i) {
        text_view from, to;
        if (!in_.read_text(names.keys[i], "an attribute of the call", from) ||
            !in_.read_text(names.values[i], "an attribute of the operator", to) ||
            !add(names.keys[i], from, to))
          return false;
      }
    }
    return in_.read_each(f.find("without"), "without", [&](const YAML::Node& node) {
      text_view from;
      return in_.read_text(node, "an attribute of the call", from) && add(node, from, {});
    });
  }

  yaml_reader& in_;
  const registry& kernels_;
};

}  // namespace wf::detail
