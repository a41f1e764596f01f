// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/core/text/text.hpp>
#include <wf/formula/language/code.hpp>
#include <wf/formula/number/function.hpp>
#include <wf/formula/number/rational.hpp>

namespace wf::detail {

/// Character classes of the scanner: 0 none, 1 to 63 the code of a character of a name (54 to 63
/// the digits), 64 a dot, 128 a space.
struct character_classes {
  unsigned char of[256]{};
};

constexpr character_classes classify_characters() {
  character_classes out;
  for (int c = 0; c < 128; ++c)
    out.of[c] = static_cast<unsigned char>(symbol_code(static_cast<char>(c)));
  out.of[static_cast<int>('.')] = 64;
  for (const char space : {' ', '\t', '\n', '\r'}) out.of[static_cast<int>(space)] = 128;
  return out;
}

inline constexpr character_classes classes = classify_characters();

constexpr unsigned class_of(char c) { return classes.of[static_cast<unsigned char>(c)]; }

/// A unit with what it is in base units.
struct formula_unit {
  text_view name;
  std::int64_t factor = 1;
};

/// The base units are the byte, the hertz and the nanosecond, as in wf/core/units.hpp.
inline constexpr formula_unit formula_units[] = {
    {"B", 1},      {"KiB", 1 << 10}, {"MiB", 1 << 20},    {"GiB", 1 << 30},
    {"KB", 1000},  {"MB", 1000000},  {"GB", 1000000000},  {"Hz", 1},
    {"kHz", 1000}, {"MHz", 1000000}, {"GHz", 1000000000}, {"ns", 1},
    {"us", 1000},  {"ms", 1000000},  {"s", 1000000000},
};

/// Reads words, numbers with their units, and spaces, from left to right, and keeps the first
/// error. A function that finds an error returns false.
///
/// It runs in constant evaluation, where clang counts statements and calls but not expressions; the
/// functions that see every token are written accordingly.
class formula_scanner {
 public:
  struct word {
    std::size_t first;
    std::size_t size;
    std::uint64_t packed;  // 0 if the word does not fit a symbol
  };

  /// `origin` is the position of `source` in a larger text.
  constexpr formula_scanner(text_view source, text_position origin)
      : data_(source.data()), size_(source.size()), origin_(origin) {}

  /// The first error; its code is `none` if there is none.
  constexpr error failure() const {
    return make_error(code_, "", message_.view(), where(failed_at_));
  }

  /// The offset of the next character, in characters.
  constexpr std::size_t at() const { return at_; }

  /// The position of an offset in the larger text.
  constexpr text_position where(std::size_t offset) const {
    return shifted(origin_, position_at(text_view(data_, size_), offset));
  }

  /// Keeps an error, unless there is one already; false.
  constexpr bool fail(errc code, std::size_t offset, text_view message) {
    if (code_ == errc::none) {
      code_ = code;
      failed_at_ = offset;
      message_ = text(message);
    }
    return false;
  }

  /// Advances by `count` characters and skips the following spaces.
  constexpr void advance(std::size_t count) {
    for (at_ += count; at_ < size_ && classes.of[static_cast<unsigned char>(data_[at_])] == 128;)
      ++at_;
  }

  /// The characters of a word.
  constexpr text_view text_of(const word& found) const { return {data_ + found.first, found.size}; }

  /// True if this word stands here and ends where `wanted` does.
  constexpr bool is_word(text_view wanted) const {
    const std::size_t end = at_ + wanted.size();
    return text_view(data_ + at_, size_ - at_).starts_with(wanted) &&
           (end == size_ || classes.of[static_cast<unsigned char>(data_[end])] - 1u >= 64u);
  }

  /// Reads letters, digits, underscores and dots.
  constexpr word scan_word() {
    word out{at_, 0, 0};
    unsigned seen = 0, code = 0;
    while (at_ < size_ && (code = classes.of[static_cast<unsigned char>(data_[at_])]) - 1u < 64u)
      out.packed |= out.size < max_symbol_length ? std::uint64_t{code} << (6 * out.size) : 0,
          seen |= code, ++out.size, ++at_;
    if ((seen & 64) != 0 || out.size > max_symbol_length) out.packed = 0;
    return out;
  }

  /// The word from here on, without advancing.
  constexpr text_view rest_of_word() const {
    std::size_t end = at_;
    while (end < size_ && class_of(data_[end]) - 1u < 64u) ++end;
    return {data_ + at_, end - at_};
  }

  /// Reads a number of at most nine digits; false, without advancing or an error, if the number is
  /// longer, has a point or an exponent, or is followed by a unit.
  constexpr bool scan_integer(std::uint32_t& value) {
    const std::size_t first = at_;
    unsigned kind = 0;
    value = 0;
    while (at_ < size_ && (kind = classes.of[static_cast<unsigned char>(data_[at_])]) - 54u < 10u)
      value = value * 10 + (kind - 54u), ++at_;
    if (at_ - first < 10 && (at_ == size_ || kind - 1u >= 64u)) return true;
    return at_ = first, false;
  }

  /// Reads a number and the unit that follows, in base units. Errors: `overflow`, `formula_syntax`,
  /// `unit_mismatch`.
  constexpr bool scan_number(rational& value) {
    const std::size_t first = at_;
    int128 mantissa = 0;
    int exponent = 0;
    if (!digits(mantissa)) return too_large(first);
    if (at_ < size_ && data_[at_] == '.') {
      const std::size_t point = at_++;
      if (!digits(mantissa)) return too_large(first);
      if (at_ == point + 1)
        return fail(errc::formula_syntax, point, "expected digits after the point");
      exponent = -static_cast<int>(at_ - point - 1);
    }
    if (at_ < size_ && (data_[at_] == 'e' || data_[at_] == 'E') && exponent_follows()) {
      const bool negative = data_[++at_] == '-';
      if (negative || data_[at_] == '+') ++at_;
      int128 written = 0;
      if (!digits(written) || written > 9999) return too_large(first);
      exponent += negative ? -static_cast<int>(written) : static_cast<int>(written);
    }
    value = rational(mantissa);
    rational scale;
    if (mantissa != 0 && (power(rational(10), rational(exponent), scale) != errc::none ||
                          multiply(value, scale, value) != errc::none))
      return too_large(first);
    return suffix(first, value);
  }

 protected:
  /// The class of the current character, which must exist.
  constexpr unsigned here() const { return classes.of[static_cast<unsigned char>(data_[at_])]; }

  const char* data_;
  std::size_t size_;
  std::size_t at_ = 0;

 private:
  /// Appends the decimal digits at the current position to `value`; false on overflow.
  constexpr bool digits(int128& value) {
    bool fits = true;
    for (; at_ < size_ && here() - 54u < 10u; ++at_)
      fits = fits && checked_multiply(value, int128{10}, value) &&
             checked_add(value, static_cast<int128>(here() - 54u), value);
    return fits;
  }

  constexpr bool exponent_follows() const {
    std::size_t digit = at_ + 1;
    if (digit < size_ && (data_[digit] == '+' || data_[digit] == '-')) ++digit;
    return digit < size_ && class_of(data_[digit]) - 54u < 10u;
  }

  constexpr bool too_large(std::size_t first) {
    return fail(errc::overflow, first, "the number does not fit 128 bits exactly");
  }

  /// Multiplies `value` by the unit that follows, if any.
  constexpr bool suffix(std::size_t first, rational& value) {
    if (at_ == size_ || here() - 1u >= 64u) return true;
    const std::size_t offset = at_;
    const word found = scan_word();
    const text_view wanted = text_of(found);
    for (const formula_unit& unit : formula_units)
      if (unit.name == wanted)
        return multiply(value, rational(unit.factor), value) == errc::none || too_large(first);
    table<text_view> known;
    for (const formula_unit& unit : formula_units) known.push_back(unit.name);
    text message = unknown_name_message("unit", wanted, known);
    message << " (a product is written with '*')";
    return fail(errc::unit_mismatch, offset, message.view());
  }

  text_position origin_;
  errc code_ = errc::none;
  std::size_t failed_at_ = 0;
  text message_;
};

}  // namespace wf::detail
