// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cache/store/text_file.hpp>
#include <wf/core/text/hexadecimal.hpp>
#include <wf/report/toolchain/stage_text.hpp>

namespace wf {

/// The mode of a `golden_tracer`.
enum class golden_mode : std::uint8_t {
  compare,  ///< compares every stage with its file
  update,   ///< writes every stage that differs from its file
};

namespace detail {

// The line around an offset, without its end, for a message: a long line is cut to the vicinity, at
// whole UTF-8 characters, and unprintable characters become escapes.
constexpr text quoted_line(text_view content, std::size_t offset) {
  constexpr std::size_t before = 40, most = 100;
  if (offset >= content.size()) return "nothing more";
  const auto inside = [&](std::size_t i) { return (content[i] & 0xc0) == 0x80; };
  std::size_t begin = offset;
  while (begin > 0 && content[begin - 1] != '\n') --begin;
  const std::size_t end = content.find('\n', offset);
  std::size_t first = end - begin > most && offset - begin > before ? offset - before : begin;
  while (first > begin && inside(first)) --first;
  std::size_t last = end - first > most ? first + most : end;
  while (last < end && inside(last)) ++last;
  text out;
  out << (first == begin ? "'" : "'...");
  for (std::size_t i = first; i < last; ++i) {
    const auto code = static_cast<unsigned char>(content[i]);
    if (code >= 0x20 && code != 0x7f)
      out << content[i];
    else
      append_hexadecimal(out << "\\x", code, 2);
  }
  return out << (last == end ? "'" : "...'");
}

// The offset of the first difference of two texts; the common size if they are equal.
constexpr std::size_t first_difference(text_view a, text_view b) {
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  return i;
}

}  // namespace detail

/// A tracer that compares the result of every step with reviewed files: `golden_tracer
/// golden("stages"); w(x, golden)`, then `golden.mismatches()`. The result of "back/translate" is
/// in back.translate.txt (`stage_file_name`), as `stage_text` writes it with the last line ended;
/// its second result in back.translate~2.txt. With `golden_mode::update` the files are written
/// instead.
///
/// A tracer watches one run, in one thread.
class golden_tracer {
 public:
  /// Compares with, or updates, the files in a folder.
  explicit golden_tracer(std::filesystem::path folder, golden_mode mode = golden_mode::compare)
      : folder_(static_cast<std::filesystem::path&&>(folder)), mode_(mode) {}

  /// Called when a step ends: compares its result.
  template <class Out>
  void leave(const step_info& step, const Out& stage) {
    check(path_of(step), detail::stage_file_content(stage).view());
  }

  /// The mismatches, in the order in which the steps ended. `golden_mismatch` with the file as the
  /// subject, the step's path, the position of the first difference and both lines; the same
  /// without a position if there is no such file; `step_failed` if a file cannot be read or
  /// written.
  const table<error>& mismatches() const { return mismatches_; }
  /// True if there are no mismatches.
  explicit operator bool() const { return mismatches_.empty(); }
  /// Number of stages compared or written.
  std::size_t checked() const { return paths_.size(); }
  /// The names of the files that `golden_mode::update` wrote; equal files are not touched.
  const table<text>& updated() const { return updated_; }

 private:
  std::filesystem::path file_of(const text& path) {
    int again = 1;
    for (const text& known : paths_) again += known == path ? 1 : 0;
    paths_.push_back(path);
    text name = stage_file_name(path.view());
    if (again > 1) name << '~' << again;
    return folder_ / static_cast<std::string>(name << ".txt");
  }

  void check(const text& path, text_view made) {
    const std::filesystem::path file = file_of(path);
    std::error_code unknown;
    const bool missing = !std::filesystem::exists(file, unknown) && !unknown;
    if (missing && mode_ == golden_mode::compare)
      return keep(path, make_error(errc::golden_mismatch, file.string(), "there is no such file"));
    result<text> golden;
    if (!missing) golden = read_text_file(file);
    if (!golden && mode_ == golden_mode::compare) return keep(path, golden.error());
    if (!missing && golden && golden->view() == made) return;
    if (mode_ == golden_mode::compare) return keep(path, difference(file, golden->view(), made));
    if (const auto done = write_text_file(file, made); done)
      updated_.push_back(text(text_view(file.filename().string())));
    else
      keep(path, done.error());
  }

  static error difference(const std::filesystem::path& file, text_view golden, text_view made) {
    const std::size_t at = detail::first_difference(golden, made);
    return make_error(errc::golden_mismatch, file.string(),
                      (text() << "the file has " << detail::quoted_line(golden, at).view()
                              << " where the stage has " << detail::quoted_line(made, at).view())
                          .view(),
                      position_at(golden, at));
  }

  void keep(const text& path, error e) {
    e.step = path;
    mismatches_.push_back(static_cast<error&&>(e));
  }

  std::filesystem::path folder_;
  golden_mode mode_;
  table<error> mismatches_;
  table<text> updated_;
  table<text> paths_;
};

}  // namespace wf
