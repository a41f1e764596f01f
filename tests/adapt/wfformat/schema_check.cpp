// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/schema_check.hpp>

#include <functional>
#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "small_file.hpp"

namespace {

using wf::wfformat::instance;
using wf::wfformat::number;

std::string told(const std::function<void(instance&)>& change) {
  instance all = *wf::wfformat::parse(wf_test::small_file);
  change(all);
  const auto fault = wf::wfformat::detail::schema_checker().run(all);
  return fault ? std::string((fault.where.to_text() << ": " << fault.message.view()).view())
               : "fine";
}

}  // namespace

TEST_CASE("rules of strings") {
  CHECK(told([](instance&) {}) == "fine");
  CHECK(told([](instance& i) { i.name = ""; }) == "name: a string needs at least one character");
  CHECK(told([](instance& i) { i.description = ""; }) == "fine");
  CHECK(told([](instance& i) { i.schema_version = "1.4"; }) ==
        "schemaVersion: only version 1.5 of WfFormat is read and written");
  CHECK(told([](instance& i) { i.author->email = ""; }) ==
        "author.email: a string needs at least one character");
  CHECK(told([](instance& i) { i.workflow.specification.tasks[1].parents[0] = "a b"; }) ==
        "workflow.specification.tasks[1].parents[0]: an id of a task consists of letters, digits "
        "and - _ . #");
  CHECK(told([](instance& i) { i.workflow.specification.tasks[1].children[0] = "a/b"; }) ==
        "workflow.specification.tasks[1].children[0]: an id of a task consists of letters, digits "
        "and - _ . #");
  CHECK(told([](instance& i) { i.workflow.specification.tasks[1].children[0] = ""; }) == "fine");
  CHECK(told([](instance& i) {
          i.workflow.specification.tasks[1].id = "any id (it has no rule)";
        }) == "fine");
  CHECK(told([](instance& i) { i.workflow.specification.files[2].id = "a b"; }) ==
        "workflow.specification.files[2].id: an id of a file consists of letters, digits and - _ "
        ". / : #");
  CHECK(told([](instance& i) { i.workflow.specification.tasks[0].input_files[0] = ""; }) ==
        "workflow.specification.tasks[0].inputFiles[0]: a string needs at least one character");
  CHECK(told([](instance& i) { i.workflow.execution->machines[0].system = "plan9"; }) ==
        "workflow.execution.machines[0].system: a system is 'linux', 'macos' or 'windows'");
  CHECK(told([](instance& i) { i.workflow.execution->tasks[0].called->arguments[0] = ""; }) ==
        "workflow.execution.tasks[0].command.arguments[0]: a string needs at least one character");
}

TEST_CASE("rules of numbers and arrays") {
  const auto size = [](const char* spelled) {
    return told([&](instance& i) {
      i.workflow.specification.files[0].size_in_bytes = number::spelled(spelled);
    });
  };
  CHECK(size("0") == "fine");
  CHECK(size("123456789012345678901234567890") == "fine");
  CHECK(size("-1") == "workflow.specification.files[0].sizeInBytes: the number is negative");
  CHECK(size("1.0") ==
        "workflow.specification.files[0].sizeInBytes: expected an integer, without "
        "fraction and exponent");
  CHECK(size("1e3").ends_with("expected an integer, without fraction and exponent"));
  CHECK(told([](instance& i) { i.workflow.execution->machines[0].cpu->core_count = 0; }) ==
        "workflow.execution.machines[0].cpu.coreCount: the number must be at least 1");
  CHECK(told([](instance& i) {
          i.workflow.execution->tasks[0].core_count = number::spelled("0.5");
        }) == "workflow.execution.tasks[0].coreCount: the number must be at least 1");
  CHECK(told([](instance& i) {
          i.workflow.execution->tasks[0].core_count = number::spelled("1.5");
        }) == "fine");
  CHECK(told([](instance& i) { i.workflow.execution->tasks[0].avg_cpu = -1; }) == "fine");
  CHECK(told([](instance& i) { i.workflow.execution->tasks[1].runtime_in_seconds = {}; }) ==
        "workflow.execution.tasks[1].runtimeInSeconds: the number is missing");
  CHECK(told([](instance& i) { i.workflow.execution->tasks.clear(); }) ==
        "workflow.execution.tasks: an array needs at least one element here");
  CHECK(told([](instance& i) { i.workflow.execution->machines.clear(); }) == "fine");
}
