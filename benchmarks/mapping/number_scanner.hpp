// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/text.hpp>
#include <wf/core/text/view.hpp>

namespace mapping_benchmark {

/// Reads non-negative integers separated by white space, and skips lines of words. Keeps the first
/// error with its position; later reads return 0.
class number_scanner {
 public:
  explicit number_scanner(wf::text_view source) : source_(source) {}

  /// True if there was no error yet.
  bool ok() const { return error_.code == wf::errc::none; }
  /// The first error.
  const wf::error& error() const { return error_; }
  /// Records an error at the last token, unless there is one already. Returns false.
  bool fail(const wf::text& message) {
    if (ok())
      error_ = wf::make_error(wf::errc::graph_syntax, "", message, wf::position_at(source_, last_));
    return false;
  }

  /// True if only white space is left.
  bool at_end() {
    skip_space();
    return at_ == source_.size();
  }
  /// The next character other than white space; 0 at the end.
  char peek() { return at_end() ? '\0' : source_[at_]; }

  /// Reads the next integer, at most `most`.
  std::int64_t number(std::int64_t most = 1'000'000'000) {
    skip_space();
    last_ = at_;
    std::int64_t out = 0;
    while (at_ < source_.size() && source_[at_] >= '0' && source_[at_] <= '9') {
      out = 10 * out + (source_[at_] - '0');
      ++at_;
      if (out > most) fail(wf::text("a number is larger than ") << most);
      if (!ok()) return 0;
    }
    if (at_ == last_ || (at_ < source_.size() && !is_space(source_[at_])))
      fail(wf::text("expected an integer from 0 on"));
    return ok() ? out : 0;
  }

  /// Moves behind the next occurrence of `words`; false, with an error, if there is none.
  bool skip_past(std::string_view words) {
    const std::string_view whole(source_.data(), source_.size());
    const std::size_t found = whole.find(words, at_);
    last_ = at_;
    if (found == whole.npos)
      return fail(wf::text("there is no '") << wf::text_view(words.data(), words.size()) << "'");
    at_ = found + words.size();
    return ok();
  }
  /// Moves to the next line.
  void skip_line() {
    while (at_ < source_.size() && source_[at_] != '\n') ++at_;
    if (at_ < source_.size()) ++at_;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  void skip_space() {
    while (at_ < source_.size() && is_space(source_[at_])) ++at_;
  }

  wf::text_view source_;
  std::size_t at_ = 0, last_ = 0;
  wf::error error_;
};

}  // namespace mapping_benchmark
