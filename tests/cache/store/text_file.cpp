// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/store/text_file.hpp>

#include <thread>

#include <doctest/doctest.h>

#include "../scratch.hpp"

TEST_CASE("what was written is read again, byte for byte") {
  const scratch_folder scratch;
  const auto file = scratch / "a.txt";
  std::string content = "line\r\n\0 \xff";
  content.resize(100'000, 'x');
  REQUIRE(wf::write_text_file(file, content));
  const auto read = wf::read_text_file(file);
  REQUIRE(read);
  CHECK(read->view() == content);
  REQUIRE(wf::write_text_file(file, ""));
  CHECK(wf::read_text_file(file)->empty());
  REQUIRE(wf::write_text_file(file, wf::text()));
  CHECK(wf::read_text_file(file)->empty());
  REQUIRE(wf::write_text_file(file, "first\n", content));
  CHECK(wf::read_text_file(file)->view() == "first\n" + content);
  CHECK(scratch_folder::names(scratch.path()) == std::vector<std::string>{"a.txt"});
}

TEST_CASE("the folders of a file are created") {
  const scratch_folder scratch;
  REQUIRE(wf::write_text_file(scratch / "a/b/c.txt", "deep"));
  CHECK(scratch_folder::content(scratch / "a/b/c.txt") == "deep");
}

TEST_CASE("a file that cannot be read or written is an error that names it") {
  const scratch_folder scratch;
  const auto missing = wf::read_text_file(scratch / "no.txt");
  REQUIRE(!missing);
  CHECK(missing.error().code == wf::errc::step_failed);
  CHECK(missing.error().subject.view() == (scratch / "no.txt").string());
  CHECK(missing.error().message.view() == "the file cannot be opened: No such file or directory");
  CHECK(wf::read_text_file(scratch.path()).error().message.view() ==
        "the file cannot be read: Is a directory");

  scratch_folder::write(scratch / "file", "kept");
  const auto inside = wf::write_text_file(scratch / "file/a.txt", "x");
  REQUIRE(!inside);
  CHECK(inside.error().message.view() == "the folder cannot be created: Not a directory");

  std::filesystem::create_directory(scratch / "folder");
  const auto folder = wf::write_text_file(scratch / "folder", "x");
  REQUIRE(!folder);
  CHECK(folder.error().message.view() == "the file cannot be written: Is a directory");
  const auto too_long = wf::write_text_file(scratch / std::string(300, 'x'), "x");
  REQUIRE(!too_long);
  CHECK(too_long.error().message.view() == "the file cannot be created: File name too long");
  // No temporary file is left.
  CHECK(scratch_folder::names(scratch.path()) == std::vector<std::string>{"file", "folder"});
  CHECK(scratch_folder::content(scratch / "file") == "kept");
}

TEST_CASE("a file takes the place of a link, not of what the link leads to") {
  const scratch_folder scratch;
  scratch_folder::write(scratch / "target", "kept");
  std::filesystem::create_symlink(scratch / "target", scratch / "a.txt");
  REQUIRE(wf::write_text_file(scratch / "a.txt", "x"));
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(scratch / "a.txt")));
  CHECK(scratch_folder::content(scratch / "target") == "kept");
}

TEST_CASE("a reader sees one whole content or another, and writers do not disturb each other") {
  const scratch_folder scratch;
  const auto file = scratch / "a.txt";
  const std::string contents[] = {std::string(20'000, 'a'), std::string(30'000, 'b')};
  REQUIRE(wf::write_text_file(file, contents[0]));
  bool written[2] = {true, true};
  std::thread writers[2];
  for (int w = 0; w < 2; ++w)
    writers[w] = std::thread([&, w] {
      for (int i = 0; i < 100; ++i)
        written[w] = written[w] && wf::write_text_file(file, contents[w]).has_value();
    });
  bool whole = true;
  for (int i = 0; i < 200; ++i) {
    const auto read = wf::read_text_file(file);
    whole = whole && read && (read->view() == contents[0] || read->view() == contents[1]);
  }
  for (std::thread& w : writers) w.join();
  CHECK(whole);
  CHECK(written[0]);
  CHECK(written[1]);
  CHECK(scratch_folder::names(scratch.path()).size() == 1);
}
