// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <vector>

#include <wf/cache/store/codec.hpp>
#include <wf/cache/store/shared.hpp>
#include <wf/cache/store/text_file.hpp>

namespace wf {

/// The version of the files of `directory_store`: files of other versions are ignored.
inline constexpr int stage_file_version = 1;

namespace detail {

// The first line of an entry. Its digest covers the rest, so that every changed byte is detected:
// digests of texts that differ in one word always differ (`hasher128`).
inline text stage_file_header(const digest128& key, std::int64_t nanoseconds, text_view payload) {
  const digest128 check = hasher128('E')
                              .fold(key)
                              .word(static_cast<std::uint64_t>(nanoseconds))
                              .characters(payload)
                              .value();
  text out;
  out << "wf.stage " << stage_file_version << ' ' << to_text(key).view() << ' ' << payload.size()
      << ' ' << nanoseconds << ' ' << to_text(check).view() << '\n';
  return out;
}

// Reads an entry: the computing time and the payload. False if it is damaged.
inline bool read_stage_file(text_view file, const digest128& key, std::int64_t& nanoseconds,
                            text_view& payload) {
  const std::size_t end = file.find('\n');
  if (end == file.size()) return false;
  payload = file.part(end + 1);
  // The words of the line: name, version, key, size, nanoseconds, digest.
  std::size_t first = 0;
  for (int word = 0; word < 4; ++word) first = file.find(' ', first) + 1;
  if (first > end) return false;
  const auto took = decode_integer<std::int64_t>(file.part(first, file.find(' ', first) - first));
  if (!took) return false;
  nanoseconds = *took;
  return stage_file_header(key, nanoseconds, payload).view() == file.part(0, end + 1);
}

}  // namespace detail

/// A store of stages in a folder, one file each, that outlives the process and may be shared by
/// several processes. A file is written under a unique name and then renamed, so that a reader
/// finds a complete entry or none. Entries that are truncated, changed, of another version or of
/// another key are ignored and replaced.
///
/// If the folder cannot be used, nothing is kept and `usage().failures` counts; `check` gives the
/// reason. With a limit, keeping a stage removes the oldest entries by write time until all in the
/// folder fit, including those of other processes.
template <encodable T>
class directory_store {
 public:
  /// The type of the stored stages.
  using value_type = T;
  /// True: the store outlives the process, so keys must be the same in the next one.
  static constexpr bool persistent = true;
  /// The default limit, in bytes: none.
  static constexpr std::uintmax_t unlimited = static_cast<std::uintmax_t>(-1);

  /// A store in a folder, created on the first write, for at most `limit` bytes.
  explicit directory_store(std::filesystem::path folder, std::uintmax_t limit = unlimited)
      : folder_(static_cast<std::filesystem::path&&>(folder)), limit_(limit) {}

  /// The stage with a key, read from its file; null if there is none. O(size).
  stored_stage<T> get(const digest128& key) const {
    const auto file = read_text_file(path_of(key));
    if (!file) return {};
    std::int64_t nanoseconds = 0;
    text_view payload;
    if (detail::read_stage_file(*file, key, nanoseconds, payload))
      if (auto stage = decode<T>(payload))
        return {std::make_shared<const T>(*static_cast<result<T>&&>(stage)), nanoseconds};
    ++corrupt_;
    return {};
  }
  /// Writes a stage, replacing one with the same key. O(size), and with a limit O(entries
  /// log(entries)).
  void put(const digest128& key, const stored_stage<T>& stage) {
    const text payload = encode(*stage.value);
    const text header = detail::stage_file_header(key, stage.nanoseconds, payload.view());
    if (header.size() + payload.size() > limit_) {
      ++evictions_;
    } else if (!write_text_file(path_of(key), header, payload)) {
      ++failures_;
    } else if (limit_ != unlimited) {
      keep_limit(path_of(key));
    }
  }
  /// The entries and bytes in the folder, from all processes. O(entries).
  store_usage usage() const {
    store_usage out{0, 0, evictions_, corrupt_, failures_};
    for (const entry& e : entries()) ++out.entries, out.bytes += static_cast<std::size_t>(e.bytes);
    return out;
  }

  /// Tries to write a file into the folder, creating it if necessary. Errors: `cache_failed`.
  result<nothing> check() const {
    const auto probe = folder_ / "probe";
    if (const auto written = write_text_file(probe, ""); !written)
      return make_error(errc::cache_failed, text_view(folder_.string()),
                        written.error().message.view());
    std::error_code ignored;
    std::filesystem::remove(probe, ignored);
    return nothing{};
  }
  /// The folder of the files.
  const std::filesystem::path& folder() const { return folder_; }
  /// The path of the file for a key.
  std::filesystem::path path_of(const digest128& key) const {
    return folder_ / (static_cast<std::string>(to_text(key)) + extension);
  }

 private:
  struct entry {
    std::filesystem::path path;
    std::filesystem::file_time_type written;
    std::uintmax_t bytes = 0;
  };
  static constexpr const char* extension = ".stage";

  // All entries; temporary files of interrupted writes are removed after an hour.
  std::vector<entry> entries() const {
    std::vector<entry> out;
    std::error_code failed;
    const auto now = std::filesystem::file_time_type::clock::now();
    for (std::filesystem::directory_iterator at(folder_, failed), end; !failed && at != end;
         at.increment(failed)) {
      std::error_code gone;
      const auto written = at->last_write_time(gone);
      if (gone) continue;
      if (at->path().extension() == detail::unfinished_extension &&
          now - written > std::chrono::hours(1)) {
        std::filesystem::remove(at->path(), gone);
      } else if (at->path().extension() == extension) {
        const auto bytes = at->file_size(gone);
        if (!gone) out.push_back({at->path(), written, bytes});
      }
    }
    return out;
  }
  // Removes the oldest entries until the others fit; `newest` is removed last, whatever its time
  // stamp.
  void keep_limit(const std::filesystem::path& newest) {
    std::vector<entry> all = entries();
    std::uintmax_t bytes = 0;
    for (const entry& e : all) bytes += e.bytes;
    if (bytes <= limit_) return;
    std::sort(all.begin(), all.end(), [&](const entry& a, const entry& b) {
      if ((a.path == newest) != (b.path == newest)) return b.path == newest;
      return a.written != b.written ? a.written < b.written : a.path < b.path;
    });
    for (const entry& e : all) {
      if (bytes <= limit_) break;
      std::error_code gone;
      if (std::filesystem::remove(e.path, gone)) ++evictions_;
      bytes -= e.bytes;
    }
  }

  std::filesystem::path folder_;
  std::uintmax_t limit_;
  mutable std::atomic<std::int64_t> evictions_ = 0, corrupt_ = 0, failures_ = 0;
};

/// Makes a store in a folder, for at most `limit` bytes; see `directory_store`.
template <encodable T>
shared_store<directory_store<T>> in_directory(
    std::filesystem::path folder, std::uintmax_t limit = directory_store<T>::unlimited) {
  return shared_store<directory_store<T>>(static_cast<std::filesystem::path&&>(folder), limit);
}

}  // namespace wf
