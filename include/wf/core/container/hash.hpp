// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/text/view.hpp>

namespace wf {

/// A 64-bit FNV-1a hash under construction: stable across compilers, platforms and runs, cheap in
/// constant evaluation. Not for adversarial input. Source: Fowler, Noll, Vo (parameters of FNV-1a).
class hasher {
 public:
  /// Folds in one byte.
  constexpr hasher& byte(unsigned char value) {
    state_ = (state_ ^ value) * 0x100000001b3ULL;
    return *this;
  }
  /// Folds in one integer in a single mixing step, not byte by byte.
  constexpr hasher& word(std::uint64_t value) {
    value *= 0x9e3779b97f4a7c15ULL;
    state_ = (state_ ^ value ^ (value >> 32)) * 0x100000001b3ULL;
    return *this;
  }
  /// Folds in characters and their number, so that "ab","c" differs from "a","bc". O(size).
  constexpr hasher& characters(text_view text) {
    for (char c : text) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return word(text.size());
  }
  /// The hash of everything folded in so far.
  constexpr std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// The hash of some characters. O(size).
constexpr std::uint64_t hash_text(text_view text) { return hasher{}.characters(text).value(); }

}  // namespace wf
