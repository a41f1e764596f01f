// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat.hpp>
#include <wf/adapt/wfformat/from_graph.hpp>
#include <wf/adapt/wfformat/program.hpp>
#include <wf/adapt/wfformat/replay.hpp>

#include "../adapt/wfformat/random_instance.hpp"
#include "../adapt/wfformat/small_file.hpp"
#include "fuzz.hpp"

std::vector<std::string> wf_test::fuzz_seeds() {
  std::vector<std::string> out{small_file, without_spaces(small_file)};
  random_source random(86);
  for (int i = 0; i < 20; ++i) {
    const std::string json(wf::wfformat::to_json(random_instance(random))->view());
    out.push_back(i % 2 == 0 ? json : in_odd_form(json, random));
  }
  return out;
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"\"parents\":",
          "\"children\":",
          "\"inputFiles\":",
          "\"outputFiles\":",
          "\"id\":",
          "\"task-0\"",
          "\"task-1\"",
          "\"data/file:0\"",
          "\"sizeInBytes\":",
          "\"runtimeInSeconds\":",
          "\"coreCount\":",
          "\"machines\":",
          "\"cpu\":{}",
          "\"command\":{}",
          "\"author\":",
          "\"unknown\":[{}]",
          "9223372036854775807",
          "9223372036854775808",
          "1e19",
          "1e-5",
          "-1",
          "0.5",
          "[]",
          "{}",
          "null",
          "\"\"",
          ",",
          "\\u0061",
          "\\/"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using wf_test::fuzz_require;
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  const auto all = wf::wfformat::parse(source);
  if (!all) {
    wf_test::fuzz_require_error(source, all.error());
    fuzz_require(all.error().code == wf::errc::bad_workflow_file, "a bad file is named as such");
    return 0;
  }
  ++wf_test::fuzz_accepted;
  const auto written = wf::wfformat::to_json(*all);
  fuzz_require(written.has_value(), "what was read can be written");
  fuzz_require(std::string(written->view()) == wf_test::without_spaces(std::string(source)),
               "what was read is written token by token");
  const auto graph = wf::wfformat::to_graph(*all);
  if (graph) {
    fuzz_require(wf::validate(wf::graph(graph->workflow.view())).has_value(),
                 "the graph of a valid file is valid");
    const auto back = wf::wfformat::from_graph(graph->workflow);
    fuzz_require(!back || wf::wfformat::validate(*back).has_value(), "what is exported is valid");
  }
  const wf::wfformat::machine_options options{.latency = 1, .hub_bandwidth = 1e6};
  const auto program = wf::wfformat::program_of(*all, options);
  const auto replayed = wf::wfformat::replay(*all, options);
  fuzz_require(program.has_value() == replayed.has_value(), "both simulations take the same files");
  if (!replayed) return 0;
  fuzz_require(wf::simulate(program->program).has_value(), "a program runs to its end");
  for (const auto& task : replayed->tasks)
    fuzz_require(task.ready >= 0 && task.ready < task.start && task.start <= task.run &&
                     task.run <= task.stop && task.stop <= task.finish,
                 "every task of a replay runs");
  return 0;
}
