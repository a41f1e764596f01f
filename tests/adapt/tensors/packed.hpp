// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

#include <wf/adapt/tensors/zip.hpp>

namespace wf_test {

// Bytes deflated by zlib, without a header.
inline std::string deflated(const std::string& contents) {
  z_stream z = {};
  deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, contents.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  z.avail_in = static_cast<uInt>(contents.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

// A member of an archive to write: what its directory states may be wrong.
struct archived {
  std::string name;
  std::string contents;
  bool deflate = false;
  std::uint32_t flags = 0;
  std::uint32_t method = 8;  // if deflated
  std::int64_t stated = -1;  // size of the contents, in bytes
};

// An archive of members, with a comment behind it.
inline std::string zipped(const std::vector<archived>& members, const std::string& comment = "") {
  using wf::tensors::detail::bytes_of;
  wf::byte_writer out, directory;
  for (const archived& m : members) {
    const std::string packed = m.deflate ? deflated(m.contents) : m.contents;
    const auto first = static_cast<std::uint32_t>(out.bytes().size());
    const auto describe = [&](wf::byte_writer& to) {
      to.integer(20, 2).integer(m.flags, 2).integer(m.deflate ? m.method : 0, 2).half(0);
      to.half(wf::tensors::detail::crc_of(bytes_of(m.contents)));
      to.half(static_cast<std::uint32_t>(packed.size()));
      to.half(static_cast<std::uint32_t>(m.stated < 0 ? static_cast<std::int64_t>(m.contents.size())
                                                      : m.stated));
      to.integer(m.name.size(), 2);
    };
    out.half(0x04034b50);
    describe(out);
    out.integer(4, 2).block(bytes_of(m.name)).half(0).block(bytes_of(packed));
    directory.half(0x02014b50).integer(20, 2);
    describe(directory);
    directory.integer(2, 2).integer(3, 2).integer(0, 8).half(first);
    directory.block(bytes_of(m.name)).integer(0, 5);
  }
  const auto first = static_cast<std::uint32_t>(out.bytes().size());
  out.block(directory.bytes()).half(0x06054b50).half(0);
  out.integer(members.size(), 2).integer(members.size(), 2);
  out.half(static_cast<std::uint32_t>(directory.bytes().size())).half(first);
  out.integer(comment.size(), 2).block(bytes_of(comment));
  return {reinterpret_cast<const char*>(out.bytes().data()), out.bytes().size()};
}

}  // namespace wf_test
