// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <wf/core/diagnosis/result.hpp>

namespace wf::detail {

/// Maps scalars to their positions in a YAML text.
class yaml_text {
 public:
  explicit yaml_text(text_view source)
      : source_(source), body_(source.starts_with("\xef\xbb\xbf") ? 3 : 0) {}

  /// The text without a byte order mark, as passed to yaml-cpp.
  text_view body() const { return source_.part(body_); }
  /// Offset of the first character that is illegal in UTF-8 YAML, or the size.
  std::size_t first_illegal() const {
    std::size_t at = body_;
    for (; at < source_.size(); ++at) {
      const auto c = static_cast<unsigned char>(source_[at]);
      if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f || c >= 0xf8) break;
    }
    return at;
  }
  /// Line and column of an offset in the whole text.
  text_position at(std::size_t offset) const {
    return position_at(source_, offset < source_.size() ? offset : source_.size());
  }
  /// The offset of a mark of yaml-cpp.
  std::size_t offset_of(const YAML::Mark& mark) const {
    return body_ + (mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos));
  }
  /// Offset of character `wanted` of the scalar that begins at `start`: exact while the text equals
  /// the value, through quotes and folded lines; otherwise the beginning of the scalar.
  std::size_t inside(std::size_t start, text_view value, std::size_t wanted) const {
    std::size_t raw = start;
    if (raw < source_.size() && (source_[raw] == '"' || source_[raw] == '\'')) ++raw;
    if (raw < source_.size() && (source_[raw] == '|' || source_[raw] == '>'))
      raw = skip_spaces(source_.find('\n', raw));
    for (std::size_t i = 0; i < wanted;) {
      if (raw >= source_.size()) return start;
      const std::size_t end = skip_spaces(raw);
      if (is_space(value[i]) && end != raw && source_.find('\n', raw) < end) {
        raw = end;  // folded
        while (i < wanted && is_space(value[i])) ++i;
      } else if (source_[raw] == value[i]) {
        ++raw, ++i;
      } else {
        return start;
      }
    }
    return raw;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  std::size_t skip_spaces(std::size_t at) const {
    while (at < source_.size() && is_space(source_[at])) ++at;
    return at;
  }

  text_view source_;
  std::size_t body_;
};

// Records where the last document of a YAML text begins.
class yaml_document_marks : public YAML::EventHandler {
 public:
  YAML::Mark last;

  void OnDocumentStart(const YAML::Mark& mark) override { last = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

}  // namespace wf::detail
