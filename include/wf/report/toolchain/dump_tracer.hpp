// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cache/store/text_file.hpp>
#include <wf/core/text/character.hpp>
#include <wf/report/toolchain/stage_text.hpp>

namespace wf {

namespace detail {

// True for names such as "07_back.translate.txt": a number of at least two digits, and a name in
// the form of `stage_file_name`.
inline bool is_dump_file(text_view name) {
  constexpr text_view end = ".txt";
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[digits])) ++digits;
  if (digits < 2 || (digits > 2 && name[0] == '0')) return false;
  if (name.size() < digits + 1 + end.size() + 1 || name[digits] != '_') return false;
  if (name.part(name.size() - end.size()) != end) return false;
  const text_view path = name.part(digits + 1, name.size() - end.size() - digits - 1);
  for (const char c : path)
    if (!is_letter(c) && !is_digit(c) && c != '-' && c != '.' && c != '%') return false;
  return true;
}

}  // namespace detail

/// A tracer that writes the result of every step to a folder, for inspection: `dump_tracer
/// dump("stages"); w(x, dump)`. The files are numbered in the order in which the steps end, inner
/// steps before the enclosing one: 01_parse.txt, 02_back.translate.txt, 03_back.txt; the content is
/// that of `stage_text`, with the last line ended. Each is written completely or not at all.
///
/// The folder belongs to the dump of one run: it is created if necessary, and when the first step
/// begins, all files of an earlier dump, recognised by names like the above, are removed. Other
/// files stay. Failures never disturb the run; `error` keeps the first one.
///
/// A tracer watches one run, in one thread.
class dump_tracer {
 public:
  /// Writes to a folder.
  explicit dump_tracer(std::filesystem::path folder)
      : folder_(static_cast<std::filesystem::path&&>(folder)) {}

  /// Called when a step begins. The first call empties the folder.
  template <class In>
  void enter(const step_info&, const In&) {
    begin();
  }
  /// Called when a step ends: writes its result.
  template <class Out>
  void leave(const step_info& step, const Out& stage) {
    begin();
    write(path_of(step).view(), detail::stage_file_content(stage).view());
  }

  /// The names of the written files, in order.
  const table<text>& files() const { return files_; }
  /// The first failure: `step_failed`, with the file or folder as its subject. The code is
  /// `errc::none` if all files were written.
  const wf::error& error() const { return error_; }

 private:
  void begin() {
    if (begun_) return;
    begun_ = true;
    std::error_code why;
    std::filesystem::create_directories(folder_, why);
    if (why) return keep(detail::text_file_error(folder_, "the folder cannot be created", why));
    usable_ = true;
    table<std::filesystem::path> stale;
    for (std::filesystem::directory_iterator at(folder_, why), end; !why && at != end;
         at.increment(why)) {
      std::error_code unknown;
      if (at->symlink_status(unknown).type() == std::filesystem::file_type::regular &&
          detail::is_dump_file(at->path().filename().string()))
        stale.push_back(at->path());
    }
    if (why) keep(detail::text_file_error(folder_, "the folder cannot be read", why));
    for (const std::filesystem::path& file : stale)
      if (!std::filesystem::remove(file, why) && why)
        keep(detail::text_file_error(file, "the file of an earlier run cannot be removed", why));
  }

  void write(text_view path, text_view content) {
    if (!usable_) return;
    text name;
    ++ended_;
    name << (ended_ < 10 ? "0" : "") << ended_ << '_' << stage_file_name(path).view() << ".txt";
    if (const auto done = write_text_file(folder_ / static_cast<std::string>(name), content); done)
      files_.push_back(static_cast<text&&>(name));
    else
      keep(done.error());
  }

  void keep(const wf::error& e) {
    if (error_.code == errc::none) error_ = e;
  }

  std::filesystem::path folder_;
  table<text> files_;
  wf::error error_;
  int ended_ = 0;
  bool begun_ = false;
  bool usable_ = false;
};

}  // namespace wf
