// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/from_graph.hpp>
#include <wf/adapt/wfformat/program.hpp>
#include <wf/adapt/wfformat/replay.hpp>
#include <wf/cost/cost.hpp>

#include "../ir/random_graph.hpp"
#include "../sanitized.hpp"
#include "../types/typed_graph.hpp"
#include "wfformat/public_instances.hpp"
#include "wfformat/random_instance.hpp"
#include "wfformat/small_file.hpp"

namespace {

const wf::registry& kernels() {
  static const wf::registry all = wf::builtin_registry();
  return all;
}
std::string told(const wf::error& e) { return std::string(wf::to_text(e).view()); }

}  // namespace

TEST_CASE("files are loaded and saved, and errors name them") {
  const wf_test::temporary_folder folder;
  const std::string path = (folder.path() / "a.json").string();
  const auto all = *wf::wfformat::parse(wf_test::small_file);
  REQUIRE(wf::wfformat::save(all, path));
  const auto read = wf::wfformat::load(path);
  REQUIRE(read);
  CHECK(*read == all);
  CHECK(wf::wfformat::load(path + "x").error().subject.view() == wf::text_view(path + "x"));
  CHECK(wf::wfformat::save(all, path + "/b").error().code == wf::errc::bad_workflow_file);
  auto broken = all;
  broken.name = "";
  CHECK_FALSE(wf::wfformat::save(broken, path));
  CHECK(*wf::wfformat::load(path) == all);  // what was there is still there
  std::ofstream(path) << "{";
  CHECK(told(wf::wfformat::load(path).error()) ==
        "WF404 in '" + path + "': no JSON: the object is not closed (line 1, column 1)");
}

TEST_CASE("all recorded executions survive token by token") {
  const auto files = wf_test::recorded_instances();
  if (files.empty()) return;
  CHECK(files.size() == 81);
  int position = 0;
  for (const auto& [name, json] : files) {
    if (wf_test::is_left_out(position++, 8)) continue;
    CAPTURE(name);
    const auto read = wf::wfformat::parse(json, name);
    REQUIRE_MESSAGE(read, told(read.error()));
    const auto written = wf::wfformat::to_json(*read);
    REQUIRE(written);
    // Not CHECK(a == b), which would print megabytes.
    const bool same = std::string(written->view()) == wf_test::without_spaces(json);
    CHECK(same);
    const auto indented = wf::wfformat::to_json(*read, 2);
    const auto again = wf::wfformat::parse(indented->view());
    REQUIRE(again);
    const bool equal = *again == *read;
    CHECK(equal);
  }
}

TEST_CASE("recorded executions as graphs have the figures of the data's facts") {
  const auto files = wf_test::recorded_instances();
  if (files.empty()) return;
  const auto facts = wf_test::read_csv(wf_test::recorded_folder() / "facts.csv");
  REQUIRE(facts.size() == 81);
  int position = 0;
  for (const auto& [name, row] : facts) {
    if (wf_test::is_left_out(position++, 8)) continue;
    CAPTURE(name);
    const auto read = wf::wfformat::parse(files.at(name), name);
    REQUIRE(read);
    const auto made = wf::wfformat::to_graph(*read);
    REQUIRE_MESSAGE(made, told(made.error()));
    const wf::graph_view g = made->workflow.view();
    const auto priced = [&](const wf::metric_spec& m) {
      const auto price = wf::price(g, m, kernels());
      REQUIRE_MESSAGE(price, told(price.error()));
      return *price;
    };
    std::size_t edges = 0;
    const auto around = wf::adjacency_of(g);
    for (std::uint32_t n = 0; n < g.nodes.size(); ++n)
      edges += around.predecessors_of(static_cast<wf::node_id>(n)).size();
    CHECK(std::to_string(g.nodes.size()) == row.at("tasks"));
    CHECK(std::to_string(edges) == row.at("edges"));
    CHECK(g.edges.empty());  // every edge is carried by a file
    CHECK(std::to_string(priced(wf::bytes_read)) == row.at("bytes_read"));
    CHECK(std::to_string(priced(wf::bytes_written)) == row.at("bytes_written"));
    const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) / 1e9; };
    CHECK(std::fabs(seconds(priced(wf::execution_time)) - std::stod(row.at("work_s"))) < 0.0006);
    CHECK(std::fabs(seconds(priced(wf::latency)) - std::stod(row.at("critical_path_s"))) < 0.0006);
    CHECK(std::fabs(*read->workflow.execution->makespan_in_seconds.real() -
                    std::stod(row.at("makespan_s"))) < 0.0006);
  }
}

TEST_CASE("replays of recorded executions agree with the data's own replays") {
  const auto files = wf_test::recorded_instances();
  if (files.empty()) return;
  const auto baseline = wf_test::read_csv(wf_test::recorded_folder() / "baseline.csv");
  const auto facts = wf_test::read_csv(wf_test::recorded_folder() / "facts.csv");
  REQUIRE(baseline.size() == 81);
  int position = 0;
  for (const auto& [name, row] : baseline) {
    if (wf_test::is_left_out(position++, 8)) continue;
    CAPTURE(name);
    const auto read = wf::wfformat::parse(files.at(name), name);
    REQUIRE(read);
    wf::wfformat::machine_options naive;
    // Nextflow names no machines of tasks; the data's replays run them on one core.
    naive.unplaced_slots = facts.at(name).at("engine") == "Nextflow" ? 1 : 0;
    const auto makespan = [&](const wf::wfformat::machine_options& o) {
      const auto r = wf::wfformat::replay(*read, o);
      REQUIRE_MESSAGE(r, told(r.error()));
      return static_cast<double>(r->makespan) / 1e6;
    };
    wf::wfformat::machine_options hub = naive, fitted = naive;
    hub.hub_bandwidth = 125e6;
    fitted.hub_bandwidth = std::stod(row.at("hub_Bps"));
    fitted.start = std::llround(std::stod(row.at("start_s")) * 1e6);
    fitted.latency = std::llround(std::stod(row.at("latency_s")) * 1e6);
    fitted.serial_dispatch = std::llround(std::stod(row.at("serial_dispatch_s")) * 1e6);
    CHECK(std::fabs(makespan(naive) - std::stod(row.at("naive_s"))) < 0.001);
    CHECK(std::fabs(makespan(hub) - std::stod(row.at("hub_s"))) < 0.001);
    // The table has the start in tenths of a second.
    CHECK(std::fabs(makespan(fitted) - std::stod(row.at("loo_s"))) < 0.051);
    const auto program = wf::wfformat::program_of(*read, naive);
    REQUIRE(program);
    const auto record = wf::simulate(program->program);
    REQUIRE(record);
    CHECK(static_cast<double>(record->makespan) / 1e6 == makespan(naive));
  }
}

TEST_CASE("what is exported is valid by the published schema") {
  const auto files = wf_test::recorded_instances();
  if (files.empty()) return;
  if (std::system("python3 -c 'import jsonschema' 2>/dev/null") != 0) {
    MESSAGE("skipped: there is no python3-jsonschema");
    return;
  }
  const wf_test::temporary_folder folder;
  std::size_t count = 0;
  const auto save = [&](const wf::wfformat::instance& all) {
    const auto saved =
        wf::wfformat::save(all, (folder.path() / (std::to_string(count++) + ".json")).string());
    REQUIRE_MESSAGE(saved, told(saved.error()));
  };
  int position = 0;
  for (const auto& [name, json] : files) {
    if (wf_test::is_left_out(position++, 24)) continue;
    const auto read = wf::wfformat::parse(json, name);
    REQUIRE(read);
    save(*read);
    const auto made = wf::wfformat::to_graph(*read);
    REQUIRE(made);
    const auto back = wf::wfformat::from_graph(made->workflow, wf::execution_time, kernels());
    REQUIRE_MESSAGE(back, told(back.error()));
    save(*back);
  }
  wf_test::random_source random(20261206);
  for (int i = 0; i < (wf_test::sanitized ? 10 : 300); ++i) {
    const wf::graph g = i % 2 == 0 ? wf_test::random_graph(random) : wf_test::typed_graph(random);
    if (const auto made = wf::wfformat::from_graph(g)) save(*made);
    if (const auto made = wf::wfformat::from_graph(g, wf::bytes, kernels())) save(*made);
    save(wf_test::random_instance(random));
  }
  const auto script = folder.path() / "check.py";
  std::ofstream(script) << "import json, pathlib, sys\n"
                           "from jsonschema import Draft4Validator\n"
                           "v = Draft4Validator(json.load(open(sys.argv[1])))\n"
                           "n = 0\n"
                           "for p in sorted(pathlib.Path(sys.argv[2]).glob('*.json')):\n"
                           "    v.validate(json.load(open(p)))\n"
                           "    n += 1\n"
                           "sys.exit(n != int(sys.argv[3]))\n";
  const std::string command = "python3 '" + script.string() + "' '" +
                              (wf_test::recorded_folder() / "wfcommons-schema.json").string() +
                              "' '" + folder.path().string() + "' " + std::to_string(count);
  CHECK(std::system(command.c_str()) == 0);
  MESSAGE(count << " exports are valid");
}
