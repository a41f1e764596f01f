// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/growth.hpp>
#include <wf/choice/linalg.hpp>

namespace wf {

/// The transforms that `optimise` applies unless told otherwise: those of every built-in domain.
constexpr view<transform> builtin_transforms() { return transforms::linalg_transforms; }

/// What made a node of a grown choice graph: "captured", or the transform's name.
constexpr text_view origin_name(view<transform> transforms, origin_id origin) {
  const auto number = static_cast<std::size_t>(origin);
  if (number == 0 || number > transforms.size()) return "captured";
  return transforms[number - 1].name;
}

}  // namespace wf
