// SPDX-License-Identifier: BSL-1.0
#pragma once

// One sentence in place of the errors that an older compiler would print later. These are the
// oldest compilers that wf is tested with; cmake/wf-compiler.cmake and conanfile.py refuse others
// in the same words. The headers of core on which all others stand include this one first.
#if __cplusplus < 202002L
#error wf needs C++20: compile with -std=c++20 or a later standard
#elif (defined(__clang__) && __clang_major__ < 19) || \
    (!defined(__clang__) && (!defined(__GNUC__) || __GNUC__ < 12))
#error wf needs g++ 12, clang 19 or a later version of either
#endif

// The only definition of the version: CMake, Conan and pkg-config read it from this file. It is
// made of macros, because a user's code asks for it by #if.
#define WF_VERSION_MAJOR 0
#define WF_VERSION_MINOR 1
#define WF_VERSION_PATCH 0
#define WF_VERSION (WF_VERSION_MAJOR * 10000 + WF_VERSION_MINOR * 100 + WF_VERSION_PATCH)

namespace wf {

/// A version of the library, by semantic versioning; before 1.0.0 a new minor part may ask users
/// for changes, too.
struct version_number {
  int major_part;  ///< incremented when users must change their code
  int minor_part;  ///< incremented for new features
  int patch_part;  ///< incremented for fixes
};

/// The version of the headers being compiled: `WF_VERSION`, which is 10203 for 1.2.3, in parts.
inline constexpr version_number version{WF_VERSION_MAJOR, WF_VERSION_MINOR, WF_VERSION_PATCH};

}  // namespace wf
