// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/editor.hpp>
#include <wf/report/mapping/json.hpp>
#include <wf/simulate/replay/mapping.hpp>

#include "../map/random_mapping.hpp"
#include "fuzz.hpp"

// The workloads and mappings with which mutation begins.
struct mapped {
  wf::workload work;
  wf::pe_array array;
  wf::mapping placed;
};
static const std::vector<mapped>& instances() {
  static const auto out = [] {
    std::vector<mapped> some;
    std::mt19937_64 random(92);
    while (some.size() < 12) {
      mapped one;
      one.work = wf_test::random_workload(random, static_cast<int>(some.size() % 5 + 1));
      one.array = wf_test::random_array(random, 2, 2);
      if (const auto m = wf_test::random_mapping(random, one.work, one.array)) {
        one.placed = *m;
        some.push_back(one);
      }
    }
    return some;
  }();
  return out;
}

std::vector<std::string> wf_test::fuzz_seeds() {
  std::vector<std::string> out;
  for (const mapped& m : instances()) out.emplace_back(wf::to_json(m.placed, m.work).view());
  return out;
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"null",      "[]",     "{}",           "\"row\": ",  "\"rows\": 0",
          "\"op1\"",   "0",      "-1",           "1e3",        "4096",
          "\"start\"", "proven", "infeasible",   "\"bound\"",  "9223372036854775807",
          "\"17\"",    ", ",     "\"sequence\"", "\"busy\": ", "[[[[[["};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  bool read_by_one = false;
  for (const mapped& m : instances()) {
    const auto read = wf::parse_mapping_json(source, m.work);
    if (!read) {
      wf_test::fuzz_require(read.error().code == wf::errc::mapping_syntax,
                            "what is no mapping is WF603");
      wf_test::fuzz_require_error(source, read.error());
      continue;
    }
    read_by_one = true;
    const auto again = wf::parse_mapping_json(wf::to_json(*read, m.work), m.work);
    wf_test::fuzz_require(again && *again == *read, "the JSON form round-trips a mapping");
    wf_test::fuzz_require(!wf::to_text(*read, m.work).empty(), "a mapping that is read has a text");
    // A mapping that violates the rules is refused; otherwise an edit does not lengthen it.
    const auto edited = wf::edit(m.work, m.array, *read, [](auto&, const wf::edit_options&) {});
    if (edited) {
      wf_test::fuzz_require(edited->makespan <= read->makespan, "an edit worsens no mapping");
      const auto replayed = wf::simulate(m.work, m.array, *edited);
      wf_test::fuzz_require(replayed && replayed->makespan == edited->makespan,
                            "what can be edited replays to the cycle");
    }
    // A mapping that violates the rules may be refused or replayed, but must not crash.
    static_cast<void>(wf::simulate(m.work, m.array, *read).has_value());
  }
  wf_test::fuzz_accepted += read_by_one ? 1 : 0;
  return 0;
}
