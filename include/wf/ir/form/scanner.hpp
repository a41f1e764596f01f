// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/character.hpp>
#include <wf/core/text/hexadecimal.hpp>
#include <wf/core/text/text.hpp>

namespace wf::detail {

/// Reads characters, words, numbers and strings of the text form of a graph, from left to right,
/// and keeps the error. A function that finds an error returns false; so do `take` and its like,
/// without one, if something else comes next.
class graph_scanner {
 public:
  constexpr explicit graph_scanner(text_view source) : source_(source) {}

  /// True after an error.
  constexpr bool has_failed() const { return !message_.empty(); }
  /// The error: `graph_syntax`, with its position.
  constexpr error failure() const {
    return make_error(errc::graph_syntax, "", message_.view(), position_at(source_, failed_at_));
  }

  /// The next character; 0 at the end.
  constexpr char peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }

  /// Keeps an error at an offset; false.
  constexpr bool fail_at(std::size_t where, text_view message) {
    message_ = text(message);
    failed_at_ = where;
    return false;
  }
  /// Keeps an error at the next character; false.
  constexpr bool fail(text_view message) { return fail_at(at_, message); }

  /// Skips spaces within a line.
  constexpr void skip_spaces() {
    while (at_ < source_.size() &&
           (source_[at_] == ' ' || source_[at_] == '\t' || source_[at_] == '\r'))
      ++at_;
  }
  /// Skips spaces, line ends and comments; false at the end of the text.
  constexpr bool skip_to_statement() {
    for (;;) {
      skip_spaces();
      if (at_ == source_.size()) return false;
      if (source_[at_] == '#') {
        at_ = source_.find('\n', at_);
      } else if (source_[at_] != '\n') {
        return true;
      } else {
        ++at_;
      }
    }
  }
  /// True if nothing but spaces and a comment is left of the line.
  constexpr bool at_end_of_statement() {
    skip_spaces();
    return at_ == source_.size() || source_[at_] == '\n' || source_[at_] == '#';
  }
  /// Fails unless the statement ends here.
  constexpr bool end_statement(text_view message) { return at_end_of_statement() || fail(message); }
  /// Consumes `c` if it comes next.
  constexpr bool take(char c) {
    skip_spaces();
    if (at_ == source_.size() || source_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// Consumes `c`, or fails.
  constexpr bool expect(char c, const char* message) { return take(c) || fail(message); }

  /// Consumes "->" if it comes next.
  constexpr bool take_arrow() {
    skip_spaces();
    if (!source_.part(at_, 2).starts_with("->")) return false;
    at_ += 2;
    return true;
  }
  /// The next word of letters, digits and underscores; empty if no letter or underscore comes next.
  constexpr text_view take_word() {
    skip_spaces();
    const std::size_t first = at_;
    if (!is_letter(peek())) return {};
    while (at_ < source_.size() && (is_letter(source_[at_]) || is_digit(source_[at_]))) ++at_;
    return source_.part(first, at_ - first);
  }
  /// Reads digits as a number of at most `limit`.
  constexpr bool number(std::uint64_t limit, std::uint64_t& out, const char* message) {
    skip_spaces();
    if (!is_digit(peek())) return fail(message);
    const std::size_t first = at_;
    for (out = 0; is_digit(peek()); ++at_) {
      const auto digit = static_cast<std::uint64_t>(peek() - '0');
      if (out > (limit - digit) / 10) return fail_at(first, "the number is too large");
      out = 10 * out + digit;
    }
    return true;
  }
  /// Reads digits as a number of 32 bits.
  constexpr bool number(std::uint32_t& out, const char* message) {
    std::uint64_t wide = 0;
    if (!number(0xffffffffU, wide, message)) return false;
    out = static_cast<std::uint32_t>(wide);
    return true;
  }
  /// Reads `mark` ('%' or '@') and a number.
  constexpr bool reference(char mark, std::uint32_t& out, const char* message) {
    if (!take(mark)) return fail(message);
    if (!is_digit(peek())) return fail(message);
    return number(out, message);
  }

  /// Reads a string in quotes, as characters of the source or, if it has escapes, of this scanner:
  /// valid until `forget_strings`.
  constexpr bool string(text_view& out, const char* message) {
    if (!take('"')) return fail(message);
    const std::size_t first = at_;
    while (at_ < source_.size() && source_[at_] != '"' && source_[at_] != '\n') {
      if (source_[at_] == '\\') return escaped_string(first, out);
      ++at_;
    }
    if (peek() != '"') return fail_at(first - 1, "the string is not closed on its line");
    out = source_.part(first, at_ - first);
    ++at_;
    return true;
  }
  /// Reads a word, or a string in quotes.
  constexpr bool word_or_string(text_view& out, const char* message) {
    out = take_word();
    if (!out.empty()) return true;
    return string(out, message);
  }
  /// Frees the strings that had escapes.
  constexpr void forget_strings() { unescaped_.clear(); }

 protected:
  text_view source_;
  std::size_t at_ = 0;

 private:
  constexpr bool escaped_string(std::size_t first, text_view& out) {
    text characters(source_.part(first, at_ - first));
    while (at_ < source_.size() && source_[at_] != '"' && source_[at_] != '\n') {
      if (source_[at_] != '\\') {
        characters << source_[at_++];
      } else if (!escape(characters)) {
        return false;
      }
    }
    if (peek() != '"') return fail_at(first - 1, "the string is not closed on its line");
    ++at_;
    unescaped_.push_back(static_cast<text&&>(characters));
    out = unescaped_.back().view();
    return true;
  }
  constexpr bool escape(text& characters) {
    const std::size_t first = at_++;
    const char c = peek();
    ++at_;
    if (c == '"' || c == '\\') return characters << c, true;
    if (c == 'n' || c == 't' || c == 'r')
      return characters << (c == 'n' ? '\n' : c == 't' ? '\t' : '\r'), true;
    if (c == 'x' && at_ + 1 < source_.size()) {
      const int high = hexadecimal_digit(source_[at_]), low = hexadecimal_digit(source_[at_ + 1]);
      at_ += 2;
      if (high >= 0 && low >= 0)
        return characters << static_cast<char>(static_cast<unsigned char>(16 * high + low)), true;
    }
    return fail_at(first,
                   "expected one of \\\" \\\\ \\n \\t \\r, or \\x and two hexadecimal digits");
  }

  text message_;
  std::size_t failed_at_ = 0;
  table<text> unescaped_;  // strings with escapes
};

}  // namespace wf::detail
