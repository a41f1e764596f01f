// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/bytes.hpp>

#include <doctest/doctest.h>

namespace {

constexpr bool survives() {
  wf::byte_writer out;
  out.half(0x01020304).word(0x1122334455667788U).integer(0xabcd, 3);
  std::uint8_t* room = out.space(2);
  room[0] = 7, room[1] = 8;
  const std::uint8_t more[] = {9, 10};
  out.block(more);
  const auto bytes = out.take();
  if (bytes.size() != 19 || bytes[0] != 4 || bytes[3] != 1 || !out.bytes().empty()) return false;
  wf::byte_reader in(bytes);
  const bool fits = in.half() == 0x01020304 && in.word() == 0x1122334455667788U &&
                    in.integer(3) == 0xabcd && in.left() == 4 && !in.is_over();
  const auto rest = in.block(4);
  return fits && rest[0] == 7 && rest[3] == 10 && in.is_over();
}
static_assert(survives());

}  // namespace

TEST_CASE("what is not there reads as zero, and is noticed") {
  const std::uint8_t bytes[] = {1, 0, 0, 0, 5, 6};
  wf::byte_reader in(bytes);
  CHECK(in.half() == 1);
  CHECK(in.word() == 0);
  CHECK(!in.good());
  CHECK(in.left() == 0);
  CHECK(in.integer(1) == 0);
  CHECK(!in.is_over());
  CHECK(in.block(0).empty());
  CHECK(!in.good());
}
TEST_CASE("a count is no larger than the bytes behind it explain") {
  for (const int n : {0, 1, 2, 3, 255}) {
    CAPTURE(n);
    const std::uint8_t bytes[] = {static_cast<std::uint8_t>(n), 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    wf::byte_reader in(bytes);
    CHECK(in.count(4) == static_cast<std::uint32_t>(n <= 2 ? n : 0));
    CHECK(in.good() == (n <= 2));
  }
}
