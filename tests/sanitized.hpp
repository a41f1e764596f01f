// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace wf_test {

// True if this is compiled with the address sanitizer, under which the largest sizes of a sweep are
// left to the other configurations.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

// True if one of `share` cases in a row is tested under the address sanitizer, and not this one.
constexpr bool is_left_out(int position, int share) { return sanitized && position % share != 0; }

}  // namespace wf_test
