// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/growth/growth.hpp>
#include <wf/choice/transform/linalg/linalg.hpp>
#include <wf/choice/transform/tensor/contractions.hpp>
#include <wf/core/compiled.hpp>

namespace wf {

namespace detail {

// The transforms of all domains, concatenated.
struct every_transform {
  static constexpr std::size_t linalg = sizeof(transforms::linalg_transforms) / sizeof(transform);
  static constexpr std::size_t tensor = sizeof(transforms::tensor_transforms) / sizeof(transform);
  transform all[linalg + tensor];

  constexpr every_transform() {
    for (std::size_t i = 0; i < linalg; ++i) all[i] = transforms::linalg_transforms[i];
    for (std::size_t i = 0; i < tensor; ++i) all[linalg + i] = transforms::tensor_transforms[i];
  }
};
inline constexpr every_transform every_builtin_transform;

constexpr view<transform> list_builtin_transforms() { return every_builtin_transform.all; }
#ifdef WF_COMPILED
extern template struct compiled<&list_builtin_transforms>;
#endif

}  // namespace detail

/// The default transforms of `optimise`: those of every built-in domain.
constexpr view<transform> builtin_transforms() {
  return detail::call_compiled<&detail::list_builtin_transforms>();
}

/// The origin of a node of a grown choice graph: "captured", or the transform's name.
constexpr text_view origin_name(view<transform> transforms, origin_id origin) {
  const auto number = static_cast<std::size_t>(origin);
  if (number == 0 || number > transforms.size()) return "captured";
  return transforms[number - 1].name;
}

}  // namespace wf
