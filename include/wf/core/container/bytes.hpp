// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/table.hpp>

namespace wf {

/// Writes integers as bytes, the least significant one first, whatever the order of the processor.
class byte_writer {
 public:
  /// What was written so far.
  constexpr const table<std::uint8_t>& bytes() const { return bytes_; }
  /// What was written so far, which is given away: the writer is empty.
  constexpr table<std::uint8_t> take() {
    table<std::uint8_t> out;
    out.swap(bytes_);
    return out;
  }
  /// Appends the `count` lowest bytes of an integer, at most eight.
  constexpr byte_writer& integer(std::uint64_t n, std::uint32_t count) {
    const std::uint64_t words[] = {n};
    return put(words, count);
  }
  /// Appends integers of 8 bytes each. O(size).
  constexpr byte_writer& words(view<std::uint64_t> all) { return put(all, 8); }
  /// Appends 8 bytes.
  constexpr byte_writer& word(std::uint64_t n) { return integer(n, 8); }
  /// Appends 4 bytes.
  constexpr byte_writer& half(std::uint32_t n) { return integer(n, 4); }
  /// Appends bytes that do not lie in this writer. O(size).
  constexpr byte_writer& block(view<std::uint8_t> b) {
    bytes_.append(b);
    return *this;
  }
  /// Makes room for bytes that the caller fills; valid until the next change.
  constexpr std::uint8_t* space(std::size_t size) {
    const std::size_t first = bytes_.size();
    if (size > first) bytes_.reserve(first + size);
    bytes_.resize(first + size);
    return bytes_.data() + first;
  }

 private:
  // A few at a time, since it costs more to append than to copy.
  constexpr byte_writer& put(view<std::uint64_t> all, std::uint32_t count) {
    std::uint8_t some[64]{};
    for (std::size_t i = 0; i < all.size();) {
      std::size_t size = 0;
      for (; i < all.size() && size + count <= sizeof some; ++i, size += count)
        for (std::uint32_t b = 0; b < count; ++b)
          some[size + b] = static_cast<std::uint8_t>(all[i] >> (8 * b));
      bytes_.append({some, size});
    }
    return *this;
  }

  table<std::uint8_t> bytes_;
};

/// Reads what a `byte_writer` wrote, or anything else: what is not there reads as 0, and the reader
/// is not `good` any more. It never reads outside of its bytes.
class byte_reader {
 public:
  /// The bytes must outlive the reader.
  constexpr explicit byte_reader(view<std::uint8_t> bytes) : left_(bytes) {}

  /// True if all that was asked for was there.
  constexpr bool good() const { return good_; }
  /// Number of bytes that are not read yet.
  constexpr std::size_t left() const { return left_.size(); }
  /// True if all bytes were read, and no more were asked for.
  constexpr bool is_over() const { return good_ && left_.empty(); }
  /// An integer of `count` bytes, at most eight.
  constexpr std::uint64_t integer(std::uint32_t count) {
    const view<std::uint8_t> b = block(count);
    std::uint64_t out = 0;
    for (std::uint32_t i = 0; i < b.size(); ++i) out |= std::uint64_t{b[i]} << (8 * i);
    return out;
  }
  /// 8 bytes.
  constexpr std::uint64_t word() {
    const view<std::uint8_t> b = block(8);
    if (b.empty()) return 0;
    const auto at = [&](int i) { return std::uint64_t{b[static_cast<std::size_t>(i)]} << (8 * i); };
    return at(0) | at(1) | at(2) | at(3) | at(4) | at(5) | at(6) | at(7);
  }
  /// 4 bytes.
  constexpr std::uint32_t half() { return static_cast<std::uint32_t>(integer(4)); }
  /// The next bytes, or none if there are fewer. O(1).
  constexpr view<std::uint8_t> block(std::uint64_t size) {
    if (size > left_.size()) {
      good_ = false;
      left_ = {};
      return {};
    }
    const auto count = static_cast<std::size_t>(size);
    const view<std::uint8_t> out = left_.part(0, count);
    left_ = left_.part(count, left_.size() - count);
    return out;
  }
  /// A number of items to come, of which each takes so many bytes at least; 0, and no longer good,
  /// if there cannot be as many.
  constexpr std::uint32_t count(std::size_t bytes_of_each) {
    const std::uint32_t n = half();
    if (n <= left_.size() / bytes_of_each) return n;
    good_ = false;
    return 0;
  }

 private:
  view<std::uint8_t> left_;
  bool good_ = true;
};

}  // namespace wf
