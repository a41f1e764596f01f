// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include <wf/cache/store/text_file.hpp>

namespace wf::tensors {

/// The folder beneath which the files of a program of equations lie. A path is resolved against it,
/// and refused if it leads elsewhere: by `..`, as an absolute path, or through a link. Links that
/// stay inside are followed. What another process changes between the check and the access is not
/// seen: the folder belongs to the program's user.
class sandbox {
 public:
  /// Resolves no path.
  sandbox() = default;
  /// The sandbox of an existing folder; its own path may contain links. Errors: `step_failed`, with
  /// the folder as its subject, if it is none.
  static result<sandbox> at(const std::filesystem::path& root) {
    std::error_code why;
    sandbox out;
    out.root_ = std::filesystem::canonical(root, why);
    if (!why && !std::filesystem::is_directory(out.root_, why) && !why)
      why = std::make_error_code(std::errc::not_a_directory);
    if (why) return wf::detail::text_file_error(root, "the folder cannot be used", why);
    return out;
  }

  /// The folder, as an absolute path without links.
  const std::filesystem::path& root() const { return root_; }

  /// The file that a path means, as an absolute path beneath the root, without links; it need not
  /// exist. Errors: `outside_sandbox` with the path as its subject, if it leads out of the root, or
  /// through a link that leads nowhere; `step_failed` if the folders on its way cannot be read.
  result<std::filesystem::path> resolve(text_view path) const {
    const std::string given(path.data(), path.size());
    const auto escapes = [&](text_view what) {
      return make_error(
          errc::outside_sandbox, path,
          (text(what) << " the sandbox root '" << text_view(root_.string()) << "'").view());
    };
    if (root_.empty() || given.empty() || given.find('\0') != std::string::npos)
      return escapes("the path names no file beneath");
    std::error_code why;
    const std::filesystem::path out = std::filesystem::weakly_canonical(root_ / given, why);
    if (why) return wf::detail::text_file_error(given, "the path cannot be resolved", why);
    const auto ends = std::mismatch(root_.begin(), root_.end(), out.begin(), out.end());
    if (ends.first != root_.end()) return escapes("the path escapes");
    // What is left of a link here has no target yet, and might get one outside.
    std::filesystem::path reached = root_;
    for (auto part = ends.second; part != out.end(); ++part) {
      reached /= *part;
      if (std::filesystem::is_symlink(std::filesystem::symlink_status(reached, why)))
        return escapes("the path has a link that leads nowhere, and might escape");
    }
    return out;
  }

  /// The contents of a file. Errors: those of `resolve`; `step_failed` for what is no regular file
  /// or cannot be read.
  result<text> read(text_view path) const {
    const auto file = resolve(path);
    if (!file) return file.error();
    std::error_code why;
    if (!std::filesystem::is_regular_file(*file, why))
      return make_error(errc::step_failed, path, "there is no such file, or it is no regular one");
    return read_text_file(*file);
  }
  /// Writes a file, whole or not at all: another process sees the old file or the new one. Missing
  /// folders are created. Errors: those of `resolve`; `step_failed` if it cannot be written, and
  /// the file is then as it was.
  result<nothing> write(text_view path, text_view contents) const {
    const auto file = resolve(path);
    if (!file) return file.error();
    return write_text_file(*file, contents);
  }

 private:
  std::filesystem::path root_;
};

}  // namespace wf::tensors
