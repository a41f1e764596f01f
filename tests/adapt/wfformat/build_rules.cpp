// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/build_rules.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "random_instance.hpp"
#include "small_file.hpp"

// That make and Snakemake run what is written here: tests/consume/run.py workflow_tools.

namespace {

using wf::wfformat::instance;

wf::text echo(std::uint32_t t) { return wf::text("echo $x {") << t << "}"; }

std::string made(const wf::result<wf::text>& file) {
  return file ? std::string(file->view()) : std::string(to_text(file.error()).view());
}

bool contains(const std::string& all, const std::string& part) {
  return all.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a task is one rule of make with its files, and its command in one shell") {
  const std::string file =
      made(wf::wfformat::to_makefile(*wf::wfformat::parse(wf_test::small_file), echo));
  CHECK(contains(file, "\n# a_ID01\np q &: in/x.dat\n\tset -e\n\techo $$x {0}\n"));
  CHECK(contains(file, "\n# d\nout\\:1 &: r s\n\tset -e\n\techo $$x {3}\n"));
  CHECK(contains(file, "\n.wf/all: p r s out\\:1\n"));
}

TEST_CASE("a task is one rule of Snakemake") {
  const std::string file =
      made(wf::wfformat::to_snakefile(*wf::wfformat::parse(wf_test::small_file), echo));
  CHECK(contains(file, "rule all:\n    input: \"p\", \"r\", \"s\", \"out:1\"\n"));
  CHECK(contains(file,
                 "\n# a_ID01\nrule task_0:\n    input: \"in/x.dat\"\n    output: \"p\", \"q\"\n"
                 "    shell: \"echo $x {{0}}\"\n"));
}

TEST_CASE("a parent without a file is awaited, and so is a task that writes none") {
  instance all = *wf::wfformat::parse(wf_test::small_file);
  auto& tasks = all.workflow.specification.tasks;
  tasks[3].output_files = {};
  tasks[1].children.push_back("c");
  tasks[2].parents.push_back("b");
  const std::string rules = made(wf::wfformat::to_makefile(all, echo));
  CHECK(contains(rules, "\ns &: q r\n"));
  CHECK(contains(rules, "\n.wf/d.done &: r s\n\tset -e\n\tmkdir -p -- '.wf/'\n"));
  CHECK(contains(rules, "\ttouch -- '.wf/d.done'\n"));
  const std::string snake = made(wf::wfformat::to_snakefile(all, echo));
  CHECK(contains(snake, "    input: \"q\", \"r\"\n"));
  CHECK(contains(snake, "    output: touch(\".wf/d.done\")\n"));
}

TEST_CASE("recorded commands are quoted, and missing ones named") {
  instance all = *wf::wfformat::parse(wf_test::small_file);
  CHECK(made(wf::wfformat::to_makefile(all)).find("'b'") != std::string::npos);
  CHECK(contains(made(wf::wfformat::to_snakefile(all)), "no command of this task was recorded"));
  for (auto& task : all.workflow.execution->tasks) {
    task.called.emplace().program = "run";
    task.called->arguments = {"it's", "$HOME"};
  }
  CHECK(contains(made(wf::wfformat::to_makefile(all)), "\trun 'it'\\''s' '$$HOME'\n"));
  CHECK(contains(made(wf::wfformat::to_snakefile(all)), "run 'it'\\\\''s' '$HOME'\""));
}

TEST_CASE("what the build systems cannot have is refused") {
  const std::string special = wf_test::small_with("\"q\"", "\".PHONY\"", "outputFiles");
  std::string all = special;
  for (std::size_t at; (at = all.find("\"q\"")) != std::string::npos;)
    all.replace(at, 3, "\".PHONY\"");
  const auto read = wf::wfformat::parse(wf::text_view(all.data(), all.size()));
  REQUIRE(read);
  const auto refused = wf::wfformat::to_makefile(*read, echo);
  REQUIRE(!refused);
  CHECK(refused.error().code == wf::errc::invalid_problem);
  CHECK(refused.error().subject.view() == ".PHONY");
  CHECK(wf::wfformat::to_snakefile(*read, echo).has_value());

  instance broken = *read;
  broken.workflow.specification.tasks[0].children = {};
  CHECK(wf::wfformat::to_makefile(broken, echo).error().code == wf::errc::bad_workflow_file);
  CHECK(wf::wfformat::to_snakefile(broken, echo).error().code == wf::errc::bad_workflow_file);
}

TEST_CASE("errors of commands are returned, and every valid instance is written") {
  wf_test::random_source random(24);
  for (int i = 0; i < 200; ++i) {
    const instance all = wf_test::random_instance(random);
    CHECK(wf::wfformat::to_makefile(all, echo).has_value());
    const auto failing = [](std::uint32_t) -> wf::result<wf::text> {
      return wf::make_error(wf::errc::unknown_cost, "a task", "no command");
    };
    CHECK(wf::wfformat::to_snakefile(all, failing).error().code == wf::errc::unknown_cost);
  }
}
