// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

// Pseudo-random numbers by counters: the n-th one of a sequence depends on n and a key alone.
namespace wf::detail {

/// The increment of SplitMix64.
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

/// The finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// The `counter`-th number of SplitMix64 from a key: one of 2^64, all equally likely.
constexpr std::uint64_t random_number(std::uint64_t key, std::uint64_t counter) {
  return mix(key + (counter + 1) * golden_gamma);
}

}  // namespace wf::detail
