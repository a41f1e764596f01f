// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/version.hpp>

#include <cstdint>

namespace wf {

/// Literals for sizes and times; `using namespace wf::literals` makes them visible.
namespace literals {

/// Kibibytes as bytes: 1 KiB = 1,024 B.
consteval std::int64_t operator""_KiB(unsigned long long n) {
  return static_cast<std::int64_t>(n) * 1024;
}
/// Mebibytes as bytes: 1 MiB = 1,048,576 B.
consteval std::int64_t operator""_MiB(unsigned long long n) {
  return static_cast<std::int64_t>(n) * 1024 * 1024;
}
/// Gibibytes as bytes: 1 GiB = 1,073,741,824 B.
consteval std::int64_t operator""_GiB(unsigned long long n) {
  return static_cast<std::int64_t>(n) * 1024 * 1024 * 1024;
}
/// Nanoseconds, the simulator's unit of time.
consteval std::int64_t operator""_ns(unsigned long long n) { return static_cast<std::int64_t>(n); }
/// Microseconds as nanoseconds.
consteval std::int64_t operator""_us(unsigned long long n) {
  return static_cast<std::int64_t>(n) * 1000;
}
/// Milliseconds as nanoseconds.
consteval std::int64_t operator""_ms(unsigned long long n) {
  return static_cast<std::int64_t>(n) * 1000000;
}

}  // namespace literals
}  // namespace wf
