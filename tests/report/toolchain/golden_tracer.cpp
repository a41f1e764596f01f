// SPDX-License-Identifier: BSL-1.0
#include <wf/report/toolchain/golden_tracer.hpp>

#include <doctest/doctest.h>

#include "../../cache/scratch.hpp"
#include "../steps.hpp"

namespace {

using steps::compiler, steps::text_of;
using names = std::vector<std::string>;

// A folder with the golden files of a run.
struct golden_folder : scratch_folder {
  explicit golden_folder(const char* characters) {
    wf::golden_tracer golden(path(), wf::golden_mode::update);
    (void)compiler(text_of(characters), golden);
    REQUIRE(golden);
  }
};

}  // namespace

TEST_CASE("acceptance group 6: golden files are written on demand, and match afterwards") {
  const scratch_folder scratch;
  wf::golden_tracer missing(scratch / "golden");
  CHECK(compiler(text_of("one two"), missing));
  CHECK_FALSE(missing);
  CHECK(missing.checked() == 8);
  REQUIRE(missing.mismatches().size() == 8);
  const wf::error& first = missing.mismatches()[0];
  CHECK(first.code == wf::errc::golden_mismatch);
  CHECK(first.subject.view() == (scratch / "golden/front.split.txt").string());
  CHECK(first.step.view() == "front/split");
  CHECK(first.message.view() == "there is no such file");
  CHECK(first.where == wf::text_position{});
  CHECK_FALSE(std::filesystem::exists(scratch / "golden"));

  wf::golden_tracer update(scratch / "golden", wf::golden_mode::update);
  CHECK(compiler(text_of("one two"), update));
  CHECK(update);
  CHECK(update.updated().size() == 8);
  const names files = {"back.assemble%20%3C%26%3E.txt",
                       "back.generate.txt",
                       "back.txt",
                       "front.parse.txt",
                       "front.split.txt",
                       "front.txt",
                       "optimise.fold.txt",
                       "optimise.txt"};
  CHECK(scratch_folder::names(scratch / "golden") == files);
  CHECK(scratch_folder::content(scratch / "golden/front.split.txt") == "one\ntwo\n");

  wf::golden_tracer same(scratch / "golden");
  CHECK(compiler(text_of("one two"), same));
  CHECK(same);
  CHECK(same.checked() == 8);
}

TEST_CASE("acceptance group 6: a mismatch names the file, the step, the position and both lines") {
  const golden_folder golden_files("one two");
  wf::golden_tracer golden(golden_files.path());
  CHECK(compiler(text_of("one tea"), golden));
  REQUIRE(golden.mismatches().size() == 1);
  const wf::error& e = golden.mismatches()[0];
  CHECK(e.code == wf::errc::golden_mismatch);
  CHECK(e.where == wf::text_position{2, 2, 5});
  CHECK(e.message.view() == "the file has 'two' where the stage has 'tea'");
  CHECK(std::string(wf::to_text(e).view()) ==
        "WF809 in '" + (golden_files / "front.split.txt").string() +
            "' at step 'front/split': the file has 'two' where the stage has 'tea' (line 2, column "
            "2)");
}

TEST_CASE("more or fewer lines are a mismatch") {
  const golden_folder golden_files("one two");
  wf::golden_tracer longer(golden_files.path());
  (void)compiler(text_of("one two three"), longer);
  REQUIRE(longer.mismatches().size() == 3);  // split, parse and front
  CHECK(longer.mismatches()[0].message.view() ==
        "the file has nothing more where the stage has 'three'");
  CHECK(longer.mismatches()[0].where == wf::text_position{3, 1, 8});
  CHECK(longer.mismatches()[1].message.view() ==
        "the file has '2 leaves' where the stage has '3 leaves'");
  wf::golden_tracer shorter(golden_files.path());
  (void)compiler(text_of("one"), shorter);
  CHECK(shorter.mismatches()[0].message.view() ==
        "the file has 'two' where the stage has nothing more");
}

TEST_CASE("an update touches what differs, and nothing else") {
  const golden_folder golden_files("one two");
  scratch_folder::write(golden_files / "mine.txt", "kept");
  const auto before = std::filesystem::last_write_time(golden_files / "front.txt");
  wf::golden_tracer update(golden_files.path(), wf::golden_mode::update);
  (void)compiler(text_of("one tea"), update);
  CHECK(update);
  REQUIRE(update.updated().size() == 1);
  CHECK(update.updated()[0].view() == "front.split.txt");
  CHECK(scratch_folder::content(golden_files / "front.split.txt") == "one\ntea\n");
  CHECK(scratch_folder::content(golden_files / "mine.txt") == "kept");
  CHECK(std::filesystem::last_write_time(golden_files / "front.txt") == before);
}

TEST_CASE("a step that ends several times has several files") {
  const scratch_folder scratch;
  const auto one = wf::chain(wf::step<"one">([](int x) { return x + 1; }));
  wf::golden_tracer update(scratch.path(), wf::golden_mode::update);
  for (int i = 0; i < 3; ++i) (void)one(i, update);
  CHECK(scratch_folder::names(scratch.path()) == names{"one.txt", "one~2.txt", "one~3.txt"});
  wf::golden_tracer golden(scratch.path());
  (void)one(0, golden);
  (void)one(5, golden);
  REQUIRE(golden.mismatches().size() == 1);
  CHECK(golden.mismatches()[0].subject.view() == (scratch / "one~2.txt").string());
}

TEST_CASE("files that cannot be read or written are reported") {
  const scratch_folder scratch;
  const auto one = wf::chain(wf::step<"one">([](int x) { return x + 1; }));
  std::filesystem::create_directories(scratch / "one.txt/inside");
  for (const auto mode : {wf::golden_mode::compare, wf::golden_mode::update}) {
    wf::golden_tracer golden(scratch.path(), mode);
    CHECK(one(1, golden) == 2);
    REQUIRE(golden.mismatches().size() == 1);
    CHECK(golden.mismatches()[0].code == wf::errc::step_failed);
    CHECK(golden.mismatches()[0].step.view() == "one");
    CHECK(golden.mismatches()[0].subject.view() == (scratch / "one.txt").string());
    CHECK(golden.updated().empty());
  }
  scratch_folder::write(scratch / "file", "kept");
  wf::golden_tracer inside(scratch / "file/golden", wf::golden_mode::update);
  CHECK(one(1, inside) == 2);
  REQUIRE(inside.mismatches().size() == 1);
  CHECK(inside.mismatches()[0].code == wf::errc::step_failed);
}

TEST_CASE("lines are quoted as far as they are near, in whole characters") {
  using wf::detail::quoted_line;
  const auto quoted = [](const std::string& content, std::size_t at) {
    return std::string(quoted_line(content, at).view());
  };
  CHECK(quoted("a\r\nb\tc\n", 1) == "'a\\x0d'");
  CHECK(quoted("a\r\nb\tc\n", 4) == "'b\\x09c'");
  CHECK(quoted("a\n\nb", 2) == "''");
  CHECK(quoted("a\n", 2) == "nothing more");
  const std::string hundred(100, 'x');
  CHECK(quoted(hundred, 99) == "'" + hundred + "'");
  CHECK(quoted(hundred + "yz", 0) == "'" + hundred + "...'");
  CHECK(quoted(hundred + "yz", 100) == "'..." + std::string(40, 'x') + "yz'");
  std::string euros;  // of three bytes each
  for (int i = 0; i < 100; ++i) euros += "€";
  CHECK(quoted(euros, 101) == "'..." + euros.substr(60, 102) + "...'");
}
