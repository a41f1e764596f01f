// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <zlib.h>

#include <wf/adapt/tensors/npy.hpp>

namespace wf::tensors {

/// A file in an archive.
struct zip_member {
  text name;                 ///< a path in the archive
  bool deflated = false;     ///< else its bytes are stored as they are
  std::uint32_t crc = 0;     ///< CRC-32 of its contents
  std::uint32_t size = 0;    ///< of its contents, in bytes
  view<std::uint8_t> bytes;  ///< as they lie in the archive
  std::size_t offset = 0;    ///< of these bytes in the archive, in bytes
};

namespace detail {

inline constexpr std::uint32_t zip_entry_mark = 0x02014b50, zip_local_mark = 0x04034b50,
                               zip_end_mark = 0x06054b50;
inline constexpr std::size_t zip_end_bytes = 22, zip_local_bytes = 30;
/// Deflate makes at most so many bytes of one (zlib's "Technical Details", Maximum Expansion).
inline constexpr std::uint64_t deflate_limit = 1032;

/// Reads the directory of a ZIP archive (PKWARE's APPNOTE 6.3.10, sections 4.3.7 to 4.3.16).
class zip_reader {
 public:
  explicit zip_reader(view<std::uint8_t> archive) : archive_(archive) {}

  result<table<zip_member>> read() {
    std::size_t end = 0;
    if (!find_end(end)) return bad_bytes(0, "this is no ZIP archive: its directory has no end");
    byte_reader in(archive_.part(end + 4, zip_end_bytes - 4));
    const std::uint32_t disks = in.half();
    const auto here = in.integer(2), count = in.integer(2);
    const std::uint32_t size = in.half(), first = in.half();
    if (count == 0xffff || size == UINT32_MAX || first == UINT32_MAX)
      return bad_bytes(end, "archives of 4 GiB or more (ZIP64) are not read");
    if (disks != 0 || here != count) return bad_bytes(end, "the archive has several parts");
    if (first > end || size > end - first)
      return bad_bytes(end, "the directory lies outside of the archive");
    limit_ = first;
    byte_reader entries(archive_.part(first, size));
    for (std::uint64_t i = 0; i < count; ++i)
      if (!entry(entries, first + size)) return failure_;
    if (entries.left() != 0) return bad_bytes(first + size - entries.left(), "a stray entry");
    return static_cast<table<zip_member>&&>(out_);
  }

 private:
  bool fail(std::size_t offset, text_view message) {
    failure_ = bad_bytes(offset, message);
    return false;
  }
  // The end of the directory is the end of the archive, but for a comment.
  bool find_end(std::size_t& out) const {
    if (archive_.size() < zip_end_bytes) return false;
    const std::size_t last = archive_.size() - zip_end_bytes;
    for (std::size_t comment = 0; comment <= last && comment <= 0xffff; ++comment) {
      out = last - comment;
      byte_reader in(archive_.part(out, zip_end_bytes));
      if (in.half() != zip_end_mark) continue;
      in.block(zip_end_bytes - 6);
      if (in.integer(2) == comment) return true;
    }
    return false;
  }
  bool entry(byte_reader& in, std::size_t end) {
    const std::size_t at = end - in.left();
    if (in.half() != zip_entry_mark) return fail(at, "expected an entry of the directory");
    in.block(4);  // versions
    const auto flags = in.integer(2), method = in.integer(2);
    in.block(4);  // time
    zip_member m;
    m.crc = in.half();
    const std::uint32_t packed = in.half();
    m.size = in.half();
    const auto name = in.integer(2), extra = in.integer(2), comment = in.integer(2);
    in.block(8);  // disk and attributes
    const std::uint32_t local = in.half();
    m.name = text(characters_of(in.block(name)));
    in.block(extra + comment);
    if (!in.good()) return fail(at, "the directory ends within an entry");
    if ((flags & 1) != 0) return fail(at, "the member is encrypted");
    if (method != 0 && method != 8)
      return fail(at, "a member is stored or deflated; other methods are not read");
    m.deflated = method == 8;
    if (packed == UINT32_MAX || m.size == UINT32_MAX || local == UINT32_MAX)
      return fail(at, "members of 4 GiB or more (ZIP64) are not read");
    if (!m.deflated && packed != m.size) return fail(at, "a stored member has two sizes");
    if (m.size > deflate_limit * packed)
      return fail(at, "the member cannot be as large as the directory states");
    return locate(at, local, packed, m);
  }
  // The members may not share bytes, else a small archive might stand for a large one.
  bool locate(std::size_t at, std::uint32_t local, std::uint32_t packed, zip_member& m) {
    if (local > limit_) return fail(at, "the member lies outside of the archive");
    byte_reader in(archive_.part(local, limit_ - local));
    if (in.half() != zip_local_mark) return fail(local, "expected a member");
    in.block(zip_local_bytes - 8);
    const auto name = in.integer(2), extra = in.integer(2);
    in.block(name + extra);
    m.offset = limit_ - in.left();
    m.bytes = in.block(packed);
    if (!in.good()) return fail(local, "the archive ends within a member");
    used_ += packed + zip_local_bytes;
    if (used_ > limit_) return fail(local, "the members are larger than the archive");
    if (names_.add(m.name.view()) != static_cast<logic::position>(out_.size()))
      return fail(at, "two members share a name");
    out_.push_back(static_cast<zip_member&&>(m));
    return true;
  }

  view<std::uint8_t> archive_;
  std::size_t limit_ = 0;  // where the directory begins
  std::uint64_t used_ = 0;
  table<zip_member> out_;
  logic::symbol_domain names_;
  error failure_;
};

/// Deflated bytes as they were; false if they are not as many, or no deflated bytes.
inline bool inflate_into(view<std::uint8_t> packed, table<std::uint8_t>& out) {
  z_stream z = {};
  if (inflateInit2(&z, -MAX_WBITS) != Z_OK) return false;
  std::uint8_t none = 0;  // zlib takes no null pointers
  z.next_in = const_cast<Bytef*>(packed.empty() ? &none : packed.data());
  z.avail_in = static_cast<uInt>(packed.size());
  z.next_out = out.empty() ? &none : out.data();
  z.avail_out = static_cast<uInt>(out.size());
  const int ended = inflate(&z, Z_FINISH);
  const bool whole = ended == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 0;
  inflateEnd(&z);
  return whole;
}
/// The CRC-32 of bytes.
inline std::uint32_t crc_of(view<std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(crc32_z(0, nullptr, 0), bytes.data(), static_cast<z_size_t>(bytes.size())));
}

}  // namespace detail

/// The members of a ZIP archive, in the order of its directory, which must outlive them. Errors:
/// `bad_tensor_file` with the offset, for a malformed archive, one in several parts or beyond 4 GiB
/// (ZIP64), for a member that is encrypted, packed other than by deflate or larger than its bytes
/// can state, and for two of one name. O(members).
inline result<table<zip_member>> parse_zip(view<std::uint8_t> archive) {
  return detail::zip_reader(archive).read();
}

/// The contents of a member, as they were before they were packed. Errors: `bad_tensor_file` with
/// the member as its subject, for damaged bytes. O(size).
inline result<table<std::uint8_t>> unpacked(const zip_member& m) {
  table<std::uint8_t> out;
  if (m.deflated)
    out.resize(m.size);
  else
    out = table<std::uint8_t>(m.bytes);
  error damaged = detail::bad_bytes(m.offset, "the bytes of the member are damaged");
  damaged.subject = m.name;
  if (m.deflated && !detail::inflate_into(m.bytes, out)) return damaged;
  if (detail::crc_of(out) != m.crc) return damaged;
  return out;
}

/// An archive of one member, stored as it is, without a time: the same contents give the same
/// bytes. Errors: `bad_tensor_file` for contents of 4 GiB or more. O(size).
inline result<table<std::uint8_t>> to_zip(text_view name, view<std::uint8_t> contents) {
  if (contents.size() + 2 * name.size() >= UINT32_MAX - 1024)
    return make_error(errc::bad_tensor_file, name, "an archive of 4 GiB or more is not written");
  const auto size = static_cast<std::uint32_t>(contents.size());
  // What the member and its entry in the directory have in common.
  const auto describe = [&](byte_writer& out) {
    constexpr std::uint32_t new_year_1980 = 1 << 5 | 1;  // the first day that the format knows
    out.integer(20, 2).integer(0, 2).integer(0, 2);      // version 2.0, no flags, stored
    out.integer(0, 2).integer(new_year_1980, 2).half(detail::crc_of(contents));
    out.half(size).half(size).integer(name.size(), 2).integer(0, 2);
  };
  byte_writer out;
  out.half(detail::zip_local_mark);
  describe(out);
  out.block(detail::bytes_of(name)).block(contents);
  const std::size_t first = out.bytes().size();
  out.half(detail::zip_entry_mark).integer(20, 2);
  describe(out);
  out.integer(0, 6).half(0).half(0).block(detail::bytes_of(name));
  const std::size_t end = out.bytes().size();
  out.half(detail::zip_end_mark).half(0).integer(1, 2).integer(1, 2);
  out.half(static_cast<std::uint32_t>(end - first)).half(static_cast<std::uint32_t>(first));
  out.integer(0, 2);
  return out.take();
}

}  // namespace wf::tensors
