// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/reader.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/writer.hpp>

#include "random_instance.hpp"
#include "small_file.hpp"

namespace {

using wf_test::small_with;

std::string told(const std::string& json) {
  const auto read = wf::wfformat::parse(json, "f.json");
  return read ? "fine" : std::string(wf::to_text(read.error()).view());
}

constexpr bool reads_while_compiling() {
  const auto read = wf::wfformat::parse(wf_test::small_file);
  return read && read->workflow.specification.tasks[3].parents[1].view() == "c" &&
         *read->workflow.execution->tasks[0].runtime_in_seconds.scaled(3) == 1500;
}
static_assert(reads_while_compiling());

}  // namespace

TEST_CASE("every field of the schema arrives at its member") {
  const auto read = wf::wfformat::parse(wf_test::small_file);
  REQUIRE_MESSAGE(read, std::string(wf::to_text(read.error()).view()));
  CHECK(read->name == "diamond");
  CHECK(read->description == "two ways from a to d");
  CHECK(read->created_at == "2024-01-02T03:04:05Z");
  CHECK(read->schema_version == "1.5");
  CHECK(read->author->name == "A. N. Other");
  CHECK(read->author->email == "a@example.org");
  CHECK(read->author->institution == "I");
  CHECK(read->author->country == "C");
  CHECK(read->runtime->name == "Engine");
  CHECK(read->runtime->version == "1");
  CHECK(read->runtime->url == "https://example.org");
  const auto& s = read->workflow.specification;
  REQUIRE(s.tasks.size() == 4);
  CHECK(s.tasks[0].name == "a");
  CHECK(s.tasks[0].id == "a_ID01");
  CHECK(s.tasks[0].parents.empty());
  CHECK(s.tasks[0].children[1] == "c");
  CHECK(s.tasks[0].input_files[0] == "in/x.dat");
  CHECK(s.tasks[0].output_files[1] == "q");
  REQUIRE(s.files.size() == 6);
  CHECK(s.files[5].id == "out:1");
  CHECK(s.files[5].size_in_bytes == 5);
  const auto& e = *read->workflow.execution;
  CHECK(e.makespan_in_seconds.spelling() == "12.50");
  CHECK(e.executed_at == "20240102T030405+0000");
  const auto& t = e.tasks[0];
  CHECK(t.id == "a_ID01");
  CHECK(t.runtime_in_seconds.spelling() == "1.5");
  CHECK(t.executed_at == "20240102T030405+0000");
  CHECK(t.called->program == "/bin/a");
  CHECK(t.called->arguments[1] == "in/x.dat");
  CHECK(t.core_count == 1);
  CHECK(t.avg_cpu.spelling() == "99.5");
  CHECK(t.read_bytes == 1000);
  CHECK(t.written_bytes == 200);
  CHECK(t.memory_in_bytes == 4096);
  CHECK(t.energy_in_kwh.spelling() == "0.002");
  CHECK(t.avg_power_in_w.spelling() == "11.25");
  CHECK(t.priority == 3);
  CHECK(t.machines[0] == "m1");
  CHECK_FALSE(e.tasks[1].called);
  const auto& m = e.machines[0];
  CHECK(m.node_name == "m1");
  CHECK(m.system == "linux");
  CHECK(m.architecture == "x86_64");
  CHECK(m.release == "5");
  CHECK(m.memory_in_bytes == 8192);
  CHECK(m.cpu->core_count == 2);
  CHECK(m.cpu->speed_in_mhz == 2400);
  CHECK(m.cpu->vendor == "V");
  CHECK_FALSE(e.machines[1].cpu);
}

TEST_CASE("bad files are refused with file, field, line and column") {
  CHECK(told("{\"name\": 1,}") ==
        "WF404 in 'f.json': no JSON: expected another element after ',' (line 1, column 12)");
  CHECK(told("[]") ==
        "WF404 in 'f.json': the file: expected an object, not an array (line 1, column 1)");
  CHECK(told(small_with("\"diamond\"", "7")) ==
        "WF404 in 'f.json': name: expected a string, not a number (line 2, column 11)");
  CHECK(told(small_with("[\"a_ID01\"]", "\"a_ID01\"")) ==
        "WF404 in 'f.json': workflow.specification.tasks[1].parents: expected an array, not a "
        "string (line 13, column 45)");
  CHECK(told(small_with("\"parents\": [], ", "")) ==
        "WF404 in 'f.json': workflow.specification.tasks[0]: the required field 'parents' is "
        "missing (line 11, column 9)");
  CHECK(told(small_with("[\"b\", \"c\"]", "[\"b\", null]", "\"id\": \"d\"")) ==
        "WF404 in 'f.json': workflow.specification.tasks[3].parents[1]: expected a string, not "
        "null (line 17, column 51)");
  CHECK(told(small_with("\"m1\", \"system\"", "\"\", \"system\"")) ==
        "WF404 in 'f.json': workflow.execution.machines[0].nodeName: a string needs at least one "
        "character (line 40, column 22)");
  CHECK(told(small_with("[\"b\", \"c\"]", "[\"b\", \"x\"]", "\"id\": \"d\"")) ==
        "WF404 in 'f.json': workflow.specification.tasks[3].parents[1]: there is no task 'x' "
        "(line 17, column 51)");
  CHECK(told(small_with("\"machines\": [\n", "\"machines\": [], \"x\": [\n")) ==
        "WF404 in 'f.json': workflow.execution.machines: an array needs at least one element here "
        "(line 39, column 19)");
  CHECK(told(small_with("\"sizeInBytes\": 5", "\"sizeInBytes\": -5")) ==
        "WF404 in 'f.json': workflow.specification.files[5].sizeInBytes: the number is negative "
        "(line 23, column 72)");
}

TEST_CASE("strings and keys keep their spelling, unknown fields their place") {
  const std::string odd =
      small_with("\"diamond\",", "\"di\\u0061mond\", \"n\\/w\": [1.50, {\"a\" : null}],");
  const auto read = wf::wfformat::parse(odd);
  REQUIRE(read);
  CHECK(read->name.view() == "diamond");
  CHECK(read->name.spelling == "di\\u0061mond");
  REQUIRE(read->form.unknown.size() == 1);
  CHECK(read->form.unknown[0] == "[1.50,{\"a\":null}]");
  CHECK(std::string(wf::wfformat::to_json(*read)->view()) == wf_test::without_spaces(odd));
}

TEST_CASE("random files of odd form survive token by token") {
  wf_test::random_source random(20261127);
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const auto made = wf_test::random_instance(random, {.executed = i % 3 != 0});
    const auto plain = wf::wfformat::to_json(made);
    REQUIRE_MESSAGE(plain, std::string(wf::to_text(plain.error()).view()));
    const std::string odd = wf_test::in_odd_form(std::string(plain->view()), random);
    const auto read = wf::wfformat::parse(odd);
    REQUIRE_MESSAGE(read, std::string(wf::to_text(read.error()).view()) << '\n' << odd);
    CHECK(std::string(wf::wfformat::to_json(*read)->view()) == wf_test::without_spaces(odd));
    const auto indented = wf::wfformat::parse(wf::wfformat::to_json(*read, 3)->view());
    REQUIRE(indented);
    CHECK(*indented == *read);
  }
}
