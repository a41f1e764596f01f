// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/yaml/reader.hpp>
#include <wf/choice/transform/registry.hpp>

namespace wf::detail {

inline constexpr text_view transform_keys[] = {"name",  "domain",  "use",      "on",
                                               "guard", "summary", "overrides"};

/// Reads the transforms of a document into a registry, with the checks of
/// `transform_registry::add`: each is one of `available` under a name of its own.
class yaml_transforms {
 public:
  /// Reads from `in` into `transforms`, for operators of `kernels`.
  yaml_transforms(yaml_reader& in, const registry& kernels, transform_registry& transforms,
                  view<transform> available)
      : in_(in), kernels_(kernels), transforms_(transforms), available_(available) {}

  // Reads a transform that has, unless it states one, this domain, or that of the one it uses.
  bool read(const YAML::Node& node, text_view domain, transform& t) {
    yaml_fields f;
    if (!in_.read_fields(node, "a transform", transform_keys, f) ||
        !in_.require(node, f, "a transform", "name") || !in_.require(node, f, "a transform", "use"))
      return false;
    if (!find_used(*f.find("use"), t)) return false;
    const text_view used_op = t.op, used_guard = t.guard;
    if (!domain.empty()) t.domain = domain;
    bool overrides = false;
    text_view guard;
    if (!in_.read_text(f, "name", t.name) || !in_.read_text(f, "domain", t.domain) ||
        !in_.read_text(f, "on", t.op) || !in_.read_text(f, "guard", guard) ||
        !in_.read_text(f, "summary", t.summary) || !in_.read_flag(f, "overrides", overrides))
      return false;
    if (!used_op.empty() && t.op != used_op && kernels_.find(t.op) != nullptr)
      return in_.fail(
          *f.find("on"),
          (text() << "the transform that is used looks at " << used_op << " only").view());
    // The guard by itself first, since its faults have places in the file.
    if (!guard.empty()) t.guard = guard;
    if (const registry_fault fault = transforms_.fault_of(t, kernels_, overrides))
      return in_.fail("transform", fault, *f.find("name"));
    if (!guard.empty() && !used_guard.empty())
      t.guard = in_.keep((text() << '(' << used_guard << ") and (" << guard << ')').view());
    if (const auto added = transforms_.add(t, kernels_, overrides); !added)
      return in_.fail("transform", {added.error(), {}}, *f.find("name"));
    return true;
  }

 private:
  bool find_used(const YAML::Node& node, transform& out) {
    table<text_view> known;
    for (const transform& t : available_) {
      known.push_back(t.name);
      if (!node.IsScalar() || text_of(node) != t.name) continue;
      out = t;
      return true;
    }
    if (!node.IsScalar()) return in_.fail(node, "use is the name of a transform in C++");
    return in_.fail(node, errc::unknown_operator,
                    unknown_name_message("transform", text_of(node), known).view());
  }

  yaml_reader& in_;
  const registry& kernels_;
  transform_registry& transforms_;
  view<transform> available_;
};

}  // namespace wf::detail
