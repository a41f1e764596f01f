// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/transform.hpp>

namespace wf {

/// Transforms found by name, for `optimise_options::transforms`, with the checks of a registry. A
/// regular value; the texts of the transforms must outlive it.
class transform_registry {
 public:
  constexpr transform_registry() = default;
  /// Starts with transforms that are not checked, such as `builtin_transforms()`.
  constexpr explicit transform_registry(view<transform> base) : all_(base) {}

  /// Adds a transform, or with `overrides` replaces the transform of its name. On an error the
  /// registry is unchanged. Errors: those of `find_fault`; `duplicate_kernel` if the name is taken
  /// and `overrides` is false; `unknown_operator` if `overrides` is true and the name is not taken;
  /// `invalid_name`. O(transforms + size of its texts).
  constexpr result<nothing> add(const transform& t, const registry& kernels,
                                bool overrides = false) {
    registry_fault fault = fault_of(t, kernels, overrides);
    if (fault) return static_cast<error&&>(fault.failure);
    if (overrides)
      all_[index_of(t.name)] = t;
    else
      all_.push_back(t);
    return nothing{};
  }

  /// The fault for which `add` would refuse a transform, with the text at fault; none if it would
  /// accept it.
  constexpr registry_fault fault_of(const transform& t, const registry& kernels,
                                    bool overrides = false) const {
    const bool taken = index_of(t.name) != all_.size();
    if (!is_valid_name(t.name) || !is_valid_name(t.domain))
      return {
          make_error(errc::invalid_name, t.name,
                     "a transform and its domain have names of letters, digits and underscores"),
          {}};
    if (taken && !overrides)
      return {make_error(errc::duplicate_kernel, t.name,
                         "a transform of this name exists; override it to replace it"),
              {}};
    if (!taken && overrides)
      return {
          make_error(errc::unknown_operator, t.name,
                     (text() << "overrides nothing: " << unknown_message(t.name).view()).view()),
          {}};
    return find_fault(t, kernels);
  }

  /// The transforms in order of application; valid until the next `add`.
  constexpr view<transform> transforms() const { return all_; }
  /// The transform of this name, or null; valid until the next `add`. O(transforms).
  constexpr const transform* find(text_view name) const {
    const std::size_t i = index_of(name);
    return i == all_.size() ? nullptr : &all_[i];
  }

 private:
  constexpr std::size_t index_of(text_view name) const {
    std::size_t i = 0;
    while (i < all_.size() && all_[i].name != name) ++i;
    return i;
  }
  constexpr text unknown_message(text_view name) const {
    table<text_view> known;
    for (const transform& t : all_) known.push_back(t.name);
    return unknown_name_message("transform", name, known);
  }

  table<transform> all_;
};

}  // namespace wf
