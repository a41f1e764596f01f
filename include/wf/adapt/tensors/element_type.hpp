// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <wf/core/diagnosis/result.hpp>

namespace wf::tensors {

/// The types of elements in files of tensors.
enum class element_type : std::uint8_t {
  boolean,  ///< one byte, 0 or 1
  i8,       ///< a signed integer of 8 bits, in two's complement
  i16,      ///< a signed integer of 16 bits
  i32,      ///< a signed integer of 32 bits
  i64,      ///< a signed integer of 64 bits
  u8,       ///< an integer of 8 bits without a sign
  u16,      ///< an integer of 16 bits without a sign
  u32,      ///< an integer of 32 bits without a sign
  u64,      ///< an integer of 64 bits without a sign
  f16,      ///< IEEE 754's binary16
  bf16,     ///< the upper half of a binary32
  f32,      ///< IEEE 754's binary32
  f64,      ///< IEEE 754's binary64
};

/// Bytes of one element.
constexpr std::size_t size_of(element_type t) {
  constexpr std::uint8_t sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  return sizes[static_cast<std::size_t>(t)];
}

/// How elements lie in a file.
struct element_form {
  element_type type = element_type::f64;  ///< that of each element
  bool big_endian = false;                ///< the most significant byte is the first one
};

namespace detail {

/// The error of a file of bytes. Such a file has no lines: `where` has the offset alone, and the
/// sentence names it.
constexpr error bad_bytes(std::size_t offset, text_view message) {
  return make_error(errc::bad_tensor_file, "",
                    (text(message) << " (at byte " << offset << ")").view(),
                    {0, 0, static_cast<std::uint32_t>(offset)});
}

/// A number of 16 bits as a double, exactly.
constexpr double half_value(std::uint64_t bits) {
  const std::uint64_t sign = bits >> 15 << 63, power = bits >> 10 & 31, fraction = bits & 1023;
  if (power == 0) {  // 0, or fraction · 2^-24
    const double size = static_cast<double>(fraction) * 0x1p-24;
    return sign != 0 ? -size : size;
  }
  const std::uint64_t wide = power == 31 ? 2047 : power + 1008;
  return std::bit_cast<double>(sign | wide << 52 | fraction << 42);
}

/// Doubles skip integers beyond this size.
inline constexpr std::uint64_t exact_integers = std::uint64_t{1} << 53;

/// Reads elements of one form, exactly or not at all.
class element_reader {
 public:
  constexpr explicit element_reader(element_form form)
      : type_(form.type), size_(size_of(form.type)), reversed_(form.big_endian) {}

  /// Reads the element that begins here; false if no double is equal to it.
  constexpr bool read(const std::uint8_t* at, double& out) const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < size_; ++i)
      bits |= std::uint64_t{at[reversed_ ? size_ - 1 - i : i]} << (8 * i);
    switch (type_) {
      case element_type::f64:
        out = std::bit_cast<double>(bits);
        return true;
      case element_type::f32:
        out = single(bits);
        return true;
      case element_type::bf16:
        out = single(bits << 16);
        return true;
      case element_type::f16:
        out = half_value(bits);
        return true;
      case element_type::boolean:
        out = static_cast<double>(bits);
        return bits <= 1;
      default:
        return integer(bits, out);
    }
  }

 private:
  static constexpr double single(std::uint64_t bits) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  constexpr bool integer(std::uint64_t bits, double& out) const {
    const bool is_signed = type_ >= element_type::i8 && type_ <= element_type::i64;
    const bool negative = is_signed && (bits >> (8 * size_ - 1)) != 0;
    std::uint64_t size = bits;
    if (negative) size = (~bits + 1) & (~std::uint64_t{0} >> (64 - 8 * size_));
    out = negative ? -static_cast<double>(size) : static_cast<double>(size);
    return size <= exact_integers;
  }

  element_type type_;
  std::size_t size_;
  bool reversed_;
};

}  // namespace detail

/// Reads elements that follow each other, of which the first one stands at `offset` in its file.
/// Nothing is rounded; a NaN stays one. Errors: `bad_tensor_file` with the offset of an integer
/// beyond 2^53, where doubles skip some, or of a truth value that is neither 0 nor 1. The bytes are
/// a whole number of elements. O(size).
constexpr result<table<double>> read_elements(view<std::uint8_t> bytes, element_form form,
                                              std::size_t offset = 0) {
  const detail::element_reader reader(form);
  const std::size_t size = size_of(form.type);
  table<double> out(bytes.size() / size);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!reader.read(bytes.data() + i * size, out[i]))
      return detail::bad_bytes(offset + i * size,
                               form.type == element_type::boolean
                                   ? "a truth value is 0 or 1"
                                   : "the integer lies beyond 2^53: no double is equal to it");
  return out;
}

}  // namespace wf::tensors
