// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <wf/core/text/text.hpp>
#include <wf/core/text/view.hpp>

#include <selection/decimal.hpp>
#include <selection/instance.hpp>

namespace selection_benchmark {

/// Reads numbers line by line and skips blank lines. Functions return false after the first error,
/// which is kept.
class line_reader {
 public:
  explicit line_reader(wf::text_view source) : source_(source) {}

  /// Advances to the next line and splits it into words; `what` names the expected line.
  bool next(const char* what) {
    if (advance()) return true;
    return fail(wf::text("the text ends before ") << what);
  }
  /// True if no line is left; otherwise records an error.
  bool at_end(const char* last) {
    if (!advance()) return true;
    return fail(wf::text("unexpected text after ") << last);
  }
  /// The number of words of the line.
  std::size_t size() const { return words_.size(); }
  /// A word of the line.
  wf::text_view word(std::size_t i) const { return words_[i]; }
  /// Requires this number of words.
  bool expect_size(std::size_t wanted, const char* what) {
    if (words_.size() == wanted) return true;
    return fail(wf::text(what) << " has " << words_.size() << " words, not " << wanted);
  }
  /// Reads word `i` as an integer from `least` to `most`.
  bool integer(std::size_t i, const char* what, std::int64_t least, std::int64_t most,
               std::int64_t& out) {
    decimal number;
    if (!read_decimal(words_[i], number) || number.decimals != 0)
      return fail(wf::text(what) << " is not an integer that can be read", i);
    out = number.digits;
    if (out >= least && out <= most) return true;
    return fail(wf::text(what) << " is " << out << ", outside of " << least << " to " << most, i);
  }
  /// Reads word `i` as a decimal number.
  bool number(std::size_t i, const char* what, decimal& out) {
    if (read_decimal(words_[i], out)) return true;
    return fail(wf::text(what) << " is not a number up to 1e17 with at most 9 decimals", i);
  }
  /// Records an error for the line, or for its word `i`.
  bool fail(const wf::text& message, std::size_t i = 0) {
    const std::size_t at =
        i < words_.size() ? static_cast<std::size_t>(words_[i].data() - source_.data()) : at_;
    error_ = syntax_error(message, wf::position_at(source_, at));
    return false;
  }
  /// The first error; its code is `none` if there was none.
  const wf::error& error() const { return error_; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  bool advance() {
    words_.clear();
    while (at_ < source_.size() && words_.empty()) {
      const std::size_t end = source_.find('\n', at_);
      while (at_ < end) {
        while (at_ < end && is_space(source_[at_])) ++at_;
        const std::size_t first = at_;
        while (at_ < end && !is_space(source_[at_])) ++at_;
        if (at_ > first) words_.push_back(source_.part(first, at_ - first));
      }
      at_ = end < source_.size() ? end + 1 : end;
    }
    return !words_.empty();
  }

  wf::text_view source_;
  std::size_t at_ = 0;
  std::vector<wf::text_view> words_;
  wf::error error_;
};

}  // namespace selection_benchmark
