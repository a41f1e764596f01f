// SPDX-License-Identifier: BSL-1.0
#include <wf/report/toolchain/dump_tracer.hpp>

#include <doctest/doctest.h>

#include "../../cache/scratch.hpp"
#include "../steps.hpp"

namespace {

using steps::compiler, steps::text_of;
using names = std::vector<std::string>;

names files_of(const wf::dump_tracer& dump) {
  names out;
  for (const wf::text& name : dump.files()) out.push_back(std::string(name.view()));
  return out;
}

const names all = {"01_front.split.txt",
                   "02_front.parse.txt",
                   "03_front.txt",
                   "04_optimise.fold.txt",
                   "05_optimise.txt",
                   "06_back.generate.txt",
                   "07_back.assemble%20%3C%26%3E.txt",
                   "08_back.txt"};

}  // namespace

TEST_CASE("acceptance group 6: every stage is dumped, numbered as the steps end") {
  const scratch_folder scratch;
  wf::dump_tracer dump(scratch / "deep/dump");
  REQUIRE(compiler(text_of("one two"), dump));
  CHECK(dump.error() == wf::error{});
  CHECK(files_of(dump) == all);
  CHECK(scratch_folder::names(scratch / "deep/dump") == all);
  CHECK(scratch_folder::content(scratch / "deep/dump/01_front.split.txt") == "one\ntwo\n");
  CHECK(scratch_folder::content(scratch / "deep/dump/03_front.txt") == "2 leaves\n");
  CHECK(scratch_folder::content(scratch / "deep/dump/06_back.generate.txt") == "load 0\nload 1\n");
  CHECK(scratch_folder::content(scratch / "deep/dump/08_back.txt") ==
        "steps::artefact\n(there is no to_text for a stage of this type)\n");
}

TEST_CASE("acceptance group 6: a failing run is dumped up to the step that fails") {
  const scratch_folder scratch;
  wf::dump_tracer dump(scratch.path());
  CHECK_FALSE(compiler(text_of("one ?"), dump));
  CHECK(files_of(dump) == names{"01_front.split.txt"});
}

TEST_CASE("the dump of an earlier run is replaced, and nothing else") {
  const scratch_folder scratch;
  {
    wf::dump_tracer dump(scratch.path());
    REQUIRE(compiler(text_of("a b c"), dump));
  }
  const names others = {"010_x.txt", "09_.txt",   "1_front.txt", "09_a b.txt", "09_front.md",
                        "notes.txt", "x09_a.txt", "09front.txt", ".09_a.txt"};
  for (const std::string& name : others) scratch_folder::write(scratch / name, "mine");
  for (const char* stale : {"09_front.txt", "123_a.b-c%20.txt"})
    scratch_folder::write(scratch / stale, "stale");
  std::filesystem::create_directory(scratch / "09_folder.txt");
  wf::dump_tracer dump(scratch.path());
  CHECK_FALSE(compiler(text_of("changed ?"), dump));
  CHECK(dump.error().code == wf::errc::none);
  names expected = others;
  expected.push_back("01_front.split.txt");
  expected.push_back("09_folder.txt");
  std::sort(expected.begin(), expected.end());
  CHECK(scratch_folder::names(scratch.path()) == expected);
  CHECK(scratch_folder::content(scratch / "01_front.split.txt") == "changed\n?\n");
  for (const std::string& name : others) CHECK(scratch_folder::content(scratch / name) == "mine");
}

TEST_CASE("numbers grow beyond two digits") {
  const scratch_folder scratch;
  wf::dump_tracer dump(scratch.path());
  const auto one = wf::chain(wf::step<"one">([](int x) { return x + 1; }));
  for (int i = 0; i < 101; ++i) CHECK(one(i, dump) == i + 1);
  const names files = files_of(dump);
  REQUIRE(files.size() == 101);
  CHECK(files[8] == "09_one.txt");
  CHECK(files[9] == "10_one.txt");
  CHECK(files[100] == "101_one.txt");
  CHECK(scratch_folder::content(scratch / "101_one.txt") == "101\n");
  wf::dump_tracer again(scratch.path());
  (void)one(1, again);
  CHECK(scratch_folder::names(scratch.path()) == names{"01_one.txt"});
}

TEST_CASE("a folder that cannot be used does not hinder the run, and is reported") {
  const scratch_folder scratch;
  scratch_folder::write(scratch / "file", "kept");
  wf::dump_tracer dump(scratch / "file/dump");
  CHECK(compiler(text_of("a"), dump));
  CHECK(dump.files().empty());
  CHECK(dump.error().code == wf::errc::step_failed);
  CHECK(dump.error().subject.view() == (scratch / "file/dump").string());
  CHECK(dump.error().message.view() == "the folder cannot be created: Not a directory");

  wf::dump_tracer file(scratch / "file");
  CHECK(compiler(text_of("a"), file));
  CHECK(file.files().empty());
  CHECK(file.error().code == wf::errc::step_failed);
  CHECK(scratch_folder::content(scratch / "file") == "kept");
}

TEST_CASE("a file that cannot be written is reported, the others are there") {
  const scratch_folder scratch;
  std::filesystem::create_directories(scratch / "02_front.parse.txt/inside");
  wf::dump_tracer dump(scratch.path());
  REQUIRE(compiler(text_of("a"), dump));
  CHECK(dump.error().code == wf::errc::step_failed);
  CHECK(dump.error().subject.view() == (scratch / "02_front.parse.txt").string());
  CHECK(dump.files().size() == all.size() - 1);
  CHECK(scratch_folder::names(scratch.path()) == all);  // no temporary file among them
}

TEST_CASE("a graph is dumped in its text form") {
  const scratch_folder scratch;
  const auto build = wf::chain(wf::step<"build">([](int size) {
    wf::graph g("g");
    const wf::value_id x = g.add_input("x", {wf::dtype::f64, {}, wf::shape::of(size)});
    g.add_output("y", x);
    return g;
  }));
  wf::dump_tracer dump(scratch.path());
  const wf::graph g = build(3, dump);
  CHECK(scratch_folder::content(scratch / "01_build.txt") == std::string(to_text(g.view()).view()));
}
