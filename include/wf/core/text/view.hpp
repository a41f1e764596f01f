// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/version.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace wf {

/// A type with contiguous characters, as `std::string` and `std::string_view`.
template <class T>
concept character_range = requires(const T& t) {
  { t.data() } -> std::convertible_to<const char*>;
  { t.size() } -> std::convertible_to<std::size_t>;
};

/// A type with `write(const char*, count)`, as `std::ostream`.
template <class T>
concept character_stream = requires(T& stream, const char* data) { stream.write(data, 1); };

/// A non-owning view of characters.
///
/// wf has its own because `<string_view>` costs 0.15 s and `<string>` 0.3 s of every user's
/// compile time, which is more than the budget of the whole compile-time tier. It converts from and
/// to the standard types without including them.
class text_view {
 public:
  constexpr text_view() = default;
  /// Views `size` characters from `data` on.
  constexpr text_view(const char* data, std::size_t size) : data_(data), size_(size) {}
  /// Views a null-terminated string. O(length), and one step in constant evaluation.
  constexpr text_view(const char* terminated)
      : data_(terminated), size_(__builtin_strlen(terminated)) {}
  /// Views a `std::string`, `std::string_view` or `wf::text`.
  template <character_range T>
  constexpr text_view(const T& range) : data_(range.data()), size_(range.size()) {}

  /// The first character; not null-terminated.
  constexpr const char* data() const { return data_; }
  /// Number of characters.
  constexpr std::size_t size() const { return size_; }
  /// True if there are no characters.
  constexpr bool empty() const { return size_ == 0; }
  /// The character at `index`, which must be less than `size()`.
  constexpr char operator[](std::size_t index) const { return data_[index]; }
  /// Pointer to the first character, for iteration.
  constexpr const char* begin() const { return data_; }
  /// One past the last character.
  constexpr const char* end() const { return data_ + size_; }

  /// The `count` characters from `first` on, clipped at the end of the view.
  constexpr text_view part(std::size_t first,
                           std::size_t count = static_cast<std::size_t>(-1)) const {
    if (first > size_) first = size_;
    const std::size_t rest = size_ - first;
    return {data_ + first, count < rest ? count : rest};
  }
  /// True if the view begins with `prefix`.
  constexpr bool starts_with(text_view prefix) const {
    return size_ >= prefix.size_ && part(0, prefix.size_) == prefix;
  }
  /// Index of the first `wanted` at or after `from`, or `size()` if there is none.
  constexpr std::size_t find(char wanted, std::size_t from = 0) const {
    while (from < size_ && data_[from] != wanted) ++from;
    return from < size_ ? from : size_;
  }

  /// A copy as `std::string` or `std::string_view` (or any type built from pointer and size).
  template <class T>
    requires(!std::same_as<T, text_view>) && requires(const char* d, std::size_t n) { T(d, n); }
  constexpr explicit operator T() const {
    return T(data_, size_);
  }

  /// Equality of the characters. O(size).
  friend constexpr bool operator==(text_view a, text_view b) {
    return a.size_ == b.size_ && order(a.data_, b.data_, a.size_) == 0;
  }
  /// Lexicographic order by character code. O(size).
  friend constexpr std::strong_ordering operator<=>(text_view a, text_view b) {
    const int first = order(a.data_, b.data_, a.size_ < b.size_ ? a.size_ : b.size_);
    return first != 0 ? first <=> 0 : a.size_ <=> b.size_;
  }
  /// Writes the characters to a stream; test frameworks print through it, too.
  template <character_stream Stream>
  friend Stream& operator<<(Stream& stream, text_view text) {
    stream.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
    return stream;
  }

 private:
  // One step in clang's constant evaluation; g++ cannot use it on allocated storage there.
  static constexpr int order(const char* a, const char* b, std::size_t size) {
#ifndef __clang__
    if (std::is_constant_evaluated()) {
      for (std::size_t i = 0; i < size; ++i)
        if (a[i] != b[i])
          return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]) ? -1 : 1;
      return 0;
    }
#endif
    return size == 0 ? 0 : __builtin_memcmp(a, b, size);
  }

  const char* data_ = "";
  std::size_t size_ = 0;
};

}  // namespace wf
