// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/sandbox.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../../cache/scratch.hpp"

namespace {

// A folder with the root of a sandbox, and a secret beside it.
struct surroundings {
  scratch_folder scratch;
  std::filesystem::path root = std::filesystem::canonical(scratch.path()) / "root";
  wf::tensors::sandbox box;

  surroundings() {
    std::filesystem::create_directories(root / "in");
    scratch_folder::write(root / "in/a.txt", "inside");
    scratch_folder::write(scratch / "secret", "outside");
    box = *wf::tensors::sandbox::at(root);
  }
  void refuse(const std::string& path) const {
    CAPTURE(path);
    const auto read = box.read(path);
    REQUIRE(!read);
    CHECK(read.error().code == wf::errc::outside_sandbox);
    CHECK(read.error().subject.view() == path);
    CHECK(box.write(path, "x").error() == read.error());
    CHECK(scratch_folder::content(scratch / "secret") == "outside");
  }
};

}  // namespace

TEST_CASE("files beneath the root are read and written") {
  const surroundings s;
  CHECK(s.box.root() == s.root);
  CHECK(s.box.read("in/a.txt")->view() == "inside");
  CHECK(s.box.read("in/../in/./a.txt")->view() == "inside");
  CHECK(s.box.read("missing/../in/a.txt")->view() == "inside");
  CHECK(s.box.read((s.root / "in/a.txt").string())->view() == "inside");
  REQUIRE(s.box.write("new/folder/b.txt", "made"));
  CHECK(scratch_folder::content(s.root / "new/folder/b.txt") == "made");
  CHECK(scratch_folder::names(s.root / "new/folder") == std::vector<std::string>{"b.txt"});
}

TEST_CASE("no path leads out of the root") {
  const surroundings s;
  const std::string out = s.root.parent_path().string();
  for (const std::string& path : {std::string("../secret"), std::string("in/../../secret"),
                                  std::string("missing/../../secret"), out + "/secret", out,
                                  out + "/root2/x", s.root.string() + "/../secret",
                                  std::string("/etc/passwd"), std::string(".."), std::string("")})
    s.refuse(path);
  s.refuse(std::string("in/a.txt\0/x", 11));
  CHECK(to_text(s.box.read("../secret").error()).view() ==
        "WF407 in '../secret': the path escapes the sandbox root '" + s.root.string() + "'");
}

TEST_CASE("links may stay inside, and not lead outside or nowhere") {
  const surroundings s;
  using std::filesystem::create_symlink;
  create_symlink("in/a.txt", s.root / "inner");
  create_symlink("in", s.root / "folder");
  CHECK(s.box.read("inner")->view() == "inside");
  CHECK(s.box.read("folder/a.txt")->view() == "inside");
  REQUIRE(s.box.write("inner", "changed"));
  CHECK(scratch_folder::content(s.root / "in/a.txt") == "changed");
  create_symlink(s.scratch / "secret", s.root / "to_secret");
  create_symlink("..", s.root / "up");
  create_symlink(s.scratch / "new", s.root / "dangling");
  create_symlink("up/secret", s.root / "twice");
  for (const char* path :
       {"to_secret", "up/secret", "up/new", "dangling", "dangling/x", "twice", "in/../up/secret"})
    s.refuse(path);
  CHECK(!std::filesystem::exists(s.scratch / "new"));
  create_symlink("loop", s.root / "loop");
  CHECK(!s.box.read("loop"));
}

TEST_CASE("what is no file is an error") {
  const surroundings s;
  CHECK(s.box.read("in").error().code == wf::errc::step_failed);
  CHECK(s.box.read("none").error().subject.view() == "none");
  CHECK(s.box.write("in", "x").error().code == wf::errc::step_failed);
  CHECK(s.box.write("in/a.txt/b", "x").error().code == wf::errc::step_failed);
  CHECK(wf::tensors::sandbox::at(s.root / "none").error().code == wf::errc::step_failed);
  CHECK(wf::tensors::sandbox::at(s.root / "in/a.txt").error().message.view() ==
        "the folder cannot be used: Not a directory");
  CHECK(wf::tensors::sandbox().read("x").error().code == wf::errc::outside_sandbox);
}
