// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/parse_script.hpp>
#include <wf/simulate/fault/storm.hpp>
#include <wf/simulate/fault/write_script.hpp>

#include "fuzz.hpp"

std::vector<std::string> wf_test::fuzz_seeds() {
  const std::string head = "{\"wf_faults\": 1, \"seed\": 7, \"peers\": [\"A\", \"B\"], ";
  return {
      head + "\"delay_ns\": [5, 900], \"knobs\": {\"dedup_window\": 2, \"deny_down\": false}}",
      head +
          "\"rules\": [{\"match\": {\"kind\": \"data\", \"src\": \"*\", \"dst\": [\"A\"], "
          "\"edge\": [0, 1], \"seq\": [1, 9], \"attempt\": [0, 0]}, \"p\": 0.5, \"between_ns\": "
          "[0, 99], \"do\": {\"drop\": true}}, {\"do\": {\"delay\": [1, 2]}}, {\"do\": "
          "{\"duplicate\": {\"copies\": 2, \"after_ns\": [0, 3]}}}, {\"do\": {\"corrupt\": "
          "{\"bits\": 3}}}]}",
      head +
          "\"events\": [{\"when\": {\"at_ns\": 5}, \"do\": {\"partition\": {\"from\": \"*\", "
          "\"to\": \"B\", \"mode\": \"hold\"}}}, {\"when\": {\"after\": {\"peer\": \"A\", "
          "\"count\": \"fired\", \"n\": 2, \"edge\": 0}}, \"do\": {\"crash\": {\"peer\": \"A\", "
          "\"restart_after_ns\": 4}}}, {\"when\": {\"at_ns\": 9}, \"do\": {\"heal\": {}}}]}",
      head +
          "\"events\": [{\"when\": {\"at_ns\": 5}, \"do\": {\"policy\": {\"peer\": \"A\", "
          "\"block\": [\"B\"], \"allow\": null}}}, {\"when\": {\"at_ns\": 6}, \"do\": "
          "{\"knob\": "
          "{\"peer\": \"A\", \"name\": \"ttl_ns\", \"value\": 4}}}, {\"when\": {\"at_ns\": 6}, "
          "\"do\": {\"send\": {\"src\": \"A\", \"dst\": \"B\", \"edge\": 3, \"payload\": "
          "\"x\"}}}, {\"when\": {\"at_ns\": 7}, \"do\": {\"stop_faults\": true}}], "
          "\"liveness\": {\"core\": [\"A\"], \"within_ns\": 100}, \"expect\": {\"fired\": {}}}",
      head +
          "\"events\": [{\"when\": {\"at_ns\": 5}, \"do\": {\"pause\": {\"peer\": \"A\", "
          "\"for_ns\": 3}}}, {\"when\": {\"at_ns\": 5}, \"do\": {\"slow\": {\"peer\": \"A\", "
          "\"factor_pct\": 300}}}, {\"when\": {\"at_ns\": 5}, \"do\": {\"clock\": {\"peer\": "
          "\"B\", \"offset_ns\": -3, \"rate_ppm\": 9}}}]}"};
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"\"A\"",
          "\"B\"",
          "\"*\"",
          "0",
          "1",
          "4611686018427387904",
          "18446744073709551615",
          "\"at_ns\": ",
          "\"rules\": [",
          "\"events\": [",
          "\"drop\": true",
          "\"p\": 1e-5",
          "null",
          "\"crash\": {\"peer\": \"A\"}",
          "-999999",
          "{\"when\": ",
          "[0, 1]",
          ", ",
          "true"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wf::fault;
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  const auto read = parse_script(source);
  if (!read) {
    wf_test::fuzz_require_error(source, read.error());
    return 0;
  }
  ++wf_test::fuzz_accepted;
  const wf::text written = to_json(*read);
  const auto again = parse_script(written.view());
  wf_test::fuzz_require(again && *again == *read, "a script survives being written");
  // Whatever the script does, the invariants of safety hold.
  if (read->peers.size() > 8 || read->knobs.size() > 8) return 0;
  script safe = *read;
  safe.live = {};
  for (rule& r : safe.rules) r.count = r.count < 4 ? r.count : 4;
  storm_options few;
  few.items = 4;
  few.retries = 3;
  few.budget_ns = 1'000'000'000;
  const run_report run = run_storm(safe, few);
  if (run.broken.invariant != 0)
    std::fprintf(stderr, "invariant %u: %s\n", run.broken.invariant,
                 std::string(run.broken.sentence.view()).c_str());
  wf_test::fuzz_require(run.broken.invariant == 0, "the invariants of safety hold");
  return 0;
}
