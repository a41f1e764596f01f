// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <wf/core/diagnosis/result.hpp>

namespace wf {

namespace detail {

struct close_text_file {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};

inline error text_file_error(const std::filesystem::path& path, text_view what,
                             const std::error_code& why) {
  return make_error(errc::step_failed, text_view(path.string()),
                    (text() << what << ": " << text_view(why.message())).view());
}
inline std::error_code last_file_error() { return {errno, std::generic_category()}; }

// The extension of unfinished files.
inline constexpr const char* unfinished_extension = ".tmp";

// Creates a file beside the wanted one under a unique name, for writing.
inline std::FILE* open_beside(const std::filesystem::path& wanted, std::filesystem::path& path) {
  static std::atomic<std::uint32_t> calls = 0;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    path = wanted;
    path += "." + std::to_string(++calls) + unfinished_extension;
    if (std::FILE* const file = std::fopen(path.string().c_str(), "wbx")) return file;
    if (errno != EEXIST) break;
  }
  return nullptr;
}

}  // namespace detail

/// Reads a file. Errors: `step_failed`, with the file as its subject, if it cannot be read.
inline result<text> read_text_file(const std::filesystem::path& path) {
  const std::unique_ptr<std::FILE, detail::close_text_file> file(
      std::fopen(path.string().c_str(), "rb"));
  if (file == nullptr)
    return detail::text_file_error(path, "the file cannot be opened", detail::last_file_error());
  text out;
  char block[1 << 14];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, file.get())) != 0;)
    out << text_view(block, n);
  if (std::ferror(file.get()) != 0)
    return detail::text_file_error(path, "the file cannot be read", detail::last_file_error());
  return out;
}

/// Writes a file, replacing one with the same name: `content`, followed by `rest`. Creates missing
/// folders. It is written under another name and then renamed, so that a reader sees either the
/// complete new content or the old one, even after a failure. Errors: `step_failed`, with the file
/// as its subject, if it cannot be written; the file is then unchanged.
inline result<nothing> write_text_file(const std::filesystem::path& path, text_view content,
                                       text_view rest = "") {
  std::error_code why;
  std::filesystem::path unfinished;
  std::FILE* file = detail::open_beside(path, unfinished);
  if (file == nullptr && path.has_parent_path()) {
    std::filesystem::create_directories(path.parent_path(), why);
    if (why) return detail::text_file_error(path, "the folder cannot be created", why);
    file = detail::open_beside(path, unfinished);
  }
  if (file == nullptr)
    return detail::text_file_error(path, "the file cannot be created", detail::last_file_error());
  bool whole = true;
  for (const text_view part : {content, rest})
    whole = whole && (part.empty() ||  // may have no address
                      std::fwrite(part.data(), 1, part.size(), file) == part.size());
  if (!whole) why = detail::last_file_error();
  if (std::fclose(file) != 0 && whole) whole = false, why = detail::last_file_error();
  if (whole) {
    std::filesystem::rename(unfinished, path, why);
    if (!why) return nothing{};
  }
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  return detail::text_file_error(path, "the file cannot be written", why);
}

}  // namespace wf
