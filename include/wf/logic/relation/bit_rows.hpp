// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>

namespace wf::logic::detail {

/// A matrix of bits whose rows begin with a word of 64.
class bit_rows {
 public:
  constexpr bit_rows() = default;
  constexpr bit_rows(std::size_t rows, std::size_t columns)
      : rows_(rows),
        columns_(columns),
        width_(wf::detail::words_for(columns)),
        words_(rows * width_) {}

  constexpr std::size_t rows() const { return rows_; }
  constexpr std::size_t columns() const { return columns_; }
  /// Number of words in a row.
  constexpr std::size_t width() const { return width_; }
  constexpr bool empty() const { return words_.empty(); }
  constexpr std::uint64_t* row(std::size_t r) { return words_.data() + r * width_; }
  constexpr const std::uint64_t* row(std::size_t r) const { return words_.data() + r * width_; }

  constexpr bool test(std::size_t r, std::size_t c) const { return wf::detail::has_bit(row(r), c); }
  /// Sets a bit; true if it was not set before.
  constexpr bool set(std::size_t r, std::size_t c) {
    const bool fresh = !test(r, c);
    wf::detail::set_bit(row(r), c);
    return fresh;
  }
  /// Number of bits that are set.
  constexpr std::size_t count() const {
    std::size_t n = 0;
    for (const std::uint64_t w : words_)
      if (w != 0) n += static_cast<std::size_t>(std::popcount(w));
    return n;
  }

 private:
  std::size_t rows_ = 0, columns_ = 0, width_ = 0;
  table<std::uint64_t> words_;
};

}  // namespace wf::logic::detail
