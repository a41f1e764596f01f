// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/writer.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "small_file.hpp"

namespace {

std::string written(const wf::wfformat::instance& all, std::uint32_t indent = 0) {
  const auto json = wf::wfformat::to_json(all, indent);
  return json ? std::string(json->view()) : std::string(wf::to_text(json.error()).view());
}

wf::wfformat::instance one_task() {
  wf::wfformat::instance out;
  out.name = "one";
  auto& task = out.workflow.specification.tasks;
  task.resize(1);
  task[0].name = task[0].id = "t";
  return out;
}

}  // namespace

TEST_CASE("a value made by hand is written in the order of the schema, without absent fields") {
  CHECK(written(one_task()) ==
        R"({"name":"one","schemaVersion":"1.5","workflow":{"specification":{"tasks":[{"name":"t",)"
        R"("id":"t","parents":[],"children":[]}]}}})");
  CHECK(written(one_task(), 2) == R"({
  "name": "one",
  "schemaVersion": "1.5",
  "workflow": {
    "specification": {
      "tasks": [
        {
          "name": "t",
          "id": "t",
          "parents": [],
          "children": []
        }
      ]
    }
  }
}
)");
}

TEST_CASE("an invalid instance is refused, and nothing is written") {
  auto broken = one_task();
  broken.workflow.specification.tasks[0].id = "";
  CHECK(written(broken) ==
        "WF404 in 'one': workflow.specification.tasks[0].id: a string needs at least one "
        "character");
}

TEST_CASE("a file that was read and edited keeps the rest of its form") {
  auto read = wf::wfformat::parse(wf_test::small_file);
  REQUIRE(read);
  read->description = "";                                       // goes
  read->workflow.execution->tasks[1].core_count = 1;            // comes, at the end
  read->workflow.specification.tasks[0].output_files[1] = "q";  // stays
  read->workflow.execution->tasks[0].machines.clear();          // stays, as an empty array
  const std::string json = written(*read);
  CHECK(json.find("description") == std::string::npos);
  CHECK(json.find(R"({"id":"b","runtimeInSeconds":2,"machines":["m1"],"coreCount":1})") !=
        std::string::npos);
  CHECK(json.find(R"("priority":3,"machines":[]})") != std::string::npos);
  const auto again = wf::wfformat::parse(json);
  REQUIRE(again);
  CHECK(written(*again) == json);
}

TEST_CASE("a layout that is not there counts as the order of the schema") {
  auto odd = one_task();
  odd.form.layout = 7;
  odd.form.unknown.push_back(wf::text("1"));
  CHECK(written(odd) == written(one_task()));
}
