// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/zip.hpp>

#include <string>

#include <doctest/doctest.h>

#include "packed.hpp"

namespace {

using wf::tensors::detail::bytes_of;
using wf_test::archived;

std::string refused(const std::string& archive) {
  const auto read = wf::tensors::parse_zip(bytes_of(archive));
  REQUIRE(!read);
  CHECK(read.error().code == wf::errc::bad_tensor_file);
  const std::string message(read.error().message.view());
  return message.substr(0, message.find(" (at byte"));
}

}  // namespace

TEST_CASE("members are stored or deflated, and a comment may stand behind them") {
  const std::string text = std::string(5'000, 'a') + "b\0c", other(100, 'x');
  for (const std::string& comment : {std::string(), std::string("PK\5\6 a comment")}) {
    const std::string archive = wf_test::zipped(
        {{"stored", text}, {"deflated", text, true}, {"empty", ""}, {"none", "", true}}, comment);
    const auto members = wf::tensors::parse_zip(bytes_of(archive));
    REQUIRE(members);
    REQUIRE(members->size() == 4);
    CHECK((*members)[0].name.view() == "stored");
    CHECK(!(*members)[0].deflated);
    CHECK((*members)[1].deflated);
    CHECK((*members)[1].bytes.size() < 100);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto contents = wf::tensors::unpacked((*members)[i]);
      REQUIRE(contents);
      CHECK(*contents == wf::table<std::uint8_t>(bytes_of(i < 2 ? text : "")));
    }
  }
}

TEST_CASE("an archive of one member is written as it is read") {
  const std::string contents = "contents\0\xff";
  const auto archive = wf::tensors::to_zip("name", bytes_of(contents));
  REQUIRE(archive);
  const auto members = wf::tensors::parse_zip(*archive);
  REQUIRE(members);
  REQUIRE(members->size() == 1);
  CHECK((*members)[0].name.view() == "name");
  CHECK(*wf::tensors::unpacked((*members)[0]) == wf::table<std::uint8_t>(bytes_of(contents)));
  CHECK(*wf::tensors::to_zip("name", bytes_of(contents)) == *archive);
}

TEST_CASE("damaged members and lies of a directory are errors") {
  const std::string text(2'000, 'a');
  std::string archive = wf_test::zipped({{"m", text, true}});
  for (std::size_t at = 35; at < 35 + 8; ++at) {  // each byte of the packed member
    std::string broken = archive;
    broken[at] = static_cast<char>(broken[at] ^ 0x55);
    const auto members = wf::tensors::parse_zip(bytes_of(broken));
    REQUIRE(members);
    const auto contents = wf::tensors::unpacked((*members)[0]);
    REQUIRE(!contents);
    CHECK(contents.error().subject.view() == "m");
  }
  archive = wf_test::zipped({{"m", text}});
  archive[100] = 'b';
  CHECK(!wf::tensors::unpacked((*wf::tensors::parse_zip(bytes_of(archive)))[0]));
  // Bytes behind the end of what was deflated, and contents that end before their size.
  const std::string packed = wf_test::deflated(text) + "x", longer = text + '\0';
  for (const std::string& contents : {text, longer}) {
    const auto size = static_cast<std::uint32_t>(contents.size());
    const wf::tensors::zip_member m{
        "m", true, wf::tensors::detail::crc_of(bytes_of(contents)), size, bytes_of(packed), 0};
    CHECK(!wf::tensors::unpacked(m));
  }
  for (const std::int64_t stated : {1'999, 2'001}) {
    archive = wf_test::zipped({{"m", text, true, 0, 8, stated}});
    CHECK(!wf::tensors::unpacked((*wf::tensors::parse_zip(bytes_of(archive)))[0]));
  }
  CHECK(refused(wf_test::zipped({{"m", text, true, 0, 8, 4'000'000'000}})) ==
        "the member cannot be as large as the directory states");
  CHECK(refused(wf_test::zipped({{"m", text, false, 0, 8, 1'999}})) ==
        "a stored member has two sizes");
  CHECK(refused(wf_test::zipped({{"m", text, true, 1}})) == "the member is encrypted");
  CHECK(refused(wf_test::zipped({{"m", text, true, 0, 14}})) ==
        "a member is stored or deflated; other methods are not read");
  CHECK(refused(wf_test::zipped({{"m", "1"}, {"m", "2"}})) == "two members share a name");
  CHECK(refused(wf_test::zipped({{"m", text, false, 0, 8, UINT32_MAX}})) ==
        "members of 4 GiB or more (ZIP64) are not read");
  CHECK(refused("") == "this is no ZIP archive: its directory has no end");
  for (std::size_t size = 0; size < archive.size(); ++size)
    CHECK(!wf::tensors::parse_zip(bytes_of(archive.substr(0, size))));
}

TEST_CASE("members that share bytes are an error") {
  // Three entries of the directory for one member.
  std::string archive = wf_test::zipped({{"m1", std::string(2'000, 'a')}, {"m2", ""}, {"m3", ""}});
  const auto entry = [&](std::size_t n) { return archive.find("PK\1\2", 0, 4) + n * 53; };
  for (const std::size_t n : {1U, 2U}) {
    archive.replace(entry(n) + 16, 12, archive.substr(entry(0) + 16, 12));
    archive.replace(entry(n) + 42, 4, archive.substr(entry(0) + 42, 4));
  }
  CHECK(refused(archive) == "the members are larger than the archive");
}
