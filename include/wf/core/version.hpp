// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace wf {

/// The version of the library. The three numbers below are the one source of the version: CMake,
/// Conan and pkg-config read them from this file.
struct version_number {
  int major_part;  ///< changes when users must change their code
  int minor_part;  ///< changes when something is added
  int patch_part;  ///< changes when something is mended
};

/// The version of the headers being compiled.
inline constexpr version_number version{0, 1, 0};

}  // namespace wf
