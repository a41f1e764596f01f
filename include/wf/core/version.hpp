// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace wf {

/// A version of the library. The three numbers below are the only definition of the version: CMake,
/// Conan and pkg-config read them from this file.
struct version_number {
  int major_part;  ///< incremented when users must change their code
  int minor_part;  ///< incremented for new features
  int patch_part;  ///< incremented for fixes
};

/// The version of the headers being compiled.
inline constexpr version_number version{0, 1, 0};

}  // namespace wf
