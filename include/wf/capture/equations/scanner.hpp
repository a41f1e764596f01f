// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/core/text/character.hpp>
#include <wf/core/text/real.hpp>

namespace wf::detail {

/// Reads the words of equations. Functions that read return false after an error, which is kept:
/// the first one is reported.
class equation_scanner {
 public:
  constexpr explicit equation_scanner(text_view source) : source_(source) {}

  /// Keeps an error at an offset in the source; false.
  constexpr bool fail_at(std::size_t where, text_view message, errc code = errc::equation_syntax) {
    message_ = text(message);
    failed_at_ = where;
    code_ = code;
    return false;
  }
  /// Keeps an error here; false.
  constexpr bool fail(text_view message) { return fail_at(at_, message); }
  /// True if an error is kept.
  constexpr bool failed() const { return !message_.empty(); }
  /// The error that is kept, with its position.
  constexpr error failure() const {
    return make_error(code_, "", message_.view(), position_at(source_, failed_at_));
  }

 protected:
  constexpr char peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }
  constexpr char peek(std::size_t ahead) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  constexpr std::uint32_t offset() const { return static_cast<std::uint32_t>(at_); }

  // Within brackets a statement continues over the end of a line.
  constexpr void skip() {
    for (; at_ < source_.size(); ++at_) {
      const char c = source_[at_];
      if (c == '#') {
        at_ = source_.find('\n', at_);
        if (at_ == source_.size()) return;
        --at_;
      } else if (c != ' ' && c != '\t' && c != '\r' && (c != '\n' || brackets_ == 0)) {
        return;
      }
    }
  }
  constexpr bool skip_separators() {
    for (;;) {
      skip();
      if (at_ == source_.size()) return false;
      if (peek() != '\n' && peek() != ';') return true;
      ++at_;
    }
  }
  constexpr bool at_end_of_statement() {
    skip();
    return at_ == source_.size() || peek() == '\n' || peek() == ';';
  }
  constexpr bool take(char c) {
    skip();
    if (peek() != c || at_ == source_.size()) return false;
    ++at_;
    return true;
  }
  // Takes characters that stand together.
  constexpr bool take(text_view characters) {
    skip();
    if (!source_.part(at_).starts_with(characters)) return false;
    at_ += characters.size();
    return true;
  }
  constexpr bool expect(char c, const char* message) { return take(c) || fail(message); }

  // A name: a letter or `_`, then letters, digits and `_`, then any number of `'`.
  constexpr text_view take_name() {
    skip();
    const std::size_t first = at_;
    if (!is_letter(peek())) return {};
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    while (peek() == '\'') ++at_;
    return source_.part(first, at_ - first);
  }
  // Takes a name if it is this one.
  constexpr bool take_word(text_view word) {
    skip();
    const std::size_t first = at_;
    return take_name() == word || (at_ = first, false);
  }
  // Characters between two quotation marks on one line.
  constexpr bool quoted(char mark, text_view& out) {
    const std::size_t first = ++at_;
    while (at_ < source_.size() && peek() != mark && peek() != '\n') ++at_;
    if (peek() != mark) return fail_at(first - 1, "the string is not closed on its line");
    out = source_.part(first, at_ - first);
    ++at_;
    return true;
  }
  constexpr bool string(text_view& out) {
    skip();
    return peek() == '"' ? quoted('"', out) : fail("a string in quotes is missing");
  }
  // A non-negative integer; `subject` begins the message.
  constexpr bool integer(const char* too_large, std::int64_t& out) {
    const std::size_t first = at_;
    for (out = 0; is_digit(peek()); ++at_)
      if (!checked_multiply(out, std::int64_t{10}, out) ||
          !checked_add(out, static_cast<std::int64_t>(peek() - '0'), out))
        return fail_at(first, too_large);
    return true;
  }
  // Reads an unsigned decimal number.
  constexpr bool number(double& out) {
    const std::size_t first = at_;
    while (is_digit(peek()) || peek() == '.') ++at_;
    if (at_ > first && (peek() == 'e' || peek() == 'E')) {
      ++at_;
      if (peek() == '-' || peek() == '+') ++at_;
      while (is_digit(peek())) ++at_;
    }
    const auto value = parse_real(source_.part(first, at_ - first));
    if (!value) return fail_at(first, value.error().message.view());
    out = *value;
    return true;
  }

  text_view source_;
  std::size_t at_ = 0;
  std::uint32_t brackets_ = 0;

 private:
  text message_;
  std::size_t failed_at_ = 0;
  errc code_ = errc::none;
};

}  // namespace wf::detail
