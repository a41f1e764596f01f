// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/expectation.hpp>

#include <doctest/doctest.h>

#include <string>

#include <simulation/fault_scenarios.hpp>

#include "scripts.hpp"

using namespace wf::fault;

TEST_CASE("the hand-checked scenarios R1 to R8 are as expected") {
  if (wf_test::fault_folder().empty()) return;
  for (const char* name :
       {"R1_duplicate", "R2_same_payload_new_sequence", "R3_loss_timeout_backoff", "R4_down_and_up",
        "R5_blocklist", "R6_deadline_edge", "R7_dedup_window", "R8_backpressure"}) {
    CAPTURE(name);
    const script s = wf_test::fault_script(name);
    CHECK_FALSE(s.expect.empty());
    CHECK(simulation_benchmark::check_scenario(s) == "");
  }
}

TEST_CASE("an expectation that is not met is named") {
  script s;
  s.peers = {wf::text("A"), wf::text("B")};
  tally seen(2);
  seen.peers[1].fired = 2;
  seen.peers[0].refused[static_cast<unsigned>(reason::cooldown)] = 1;
  seen.timeouts.push_back({0, 1, 50});
  seen.downs.push_back({0, 1, 60});
  seen.peers[0].next_retry = 70;
  const auto message = [&](const char* expect) {
    s.expect = wf::text(expect);
    const auto met = meets_expectations(s, seen);
    return met ? std::string() : std::string(met.error().message.view());
  };
  CHECK(message("") == "");
  CHECK(message("{\"fired\": {\"B\": 2, \"A\": 0}, \"refused\": {\"A\": {\"cooldown\": 1}}, "
                "\"timeouts\": {\"A\": [50]}, \"next_retry_ns\": 70, \"peer_down\": {\"A\": "
                "[{\"peer\": \"B\", \"at_ns\": 60}]}, \"peer_up\": {\"A\": []}, "
                "\"dedup_entries\": {\"A\": 0}, \"backoff_entries_at_end\": {\"B\": 0}}") == "");
  CHECK(message("{\"fired\": {\"B\": 1}}") == "expected 1, found 2");
  CHECK(message("{\"fired\": {\"C\": 1}}") == "there is no such peer");
  CHECK(message("{\"refused\": {}}") == "A refused 1 as cooldown");
  CHECK(message("{\"refused\": {\"A\": {\"cooldown\": 2}}}") == "expected 2, found 1");
  CHECK(message("{\"refused\": {\"A\": [1]}}") != "");
  CHECK(message("{\"timeouts\": {\"A\": []}}") == "there are more timeouts");
  CHECK(message("{\"timeouts\": {\"A\": [50, 51]}}") == "there are fewer timeouts");
  CHECK(message("{\"timeouts\": {\"A\": [51]}}") == "expected 51, found 50");
  CHECK(message("{\"next_retry_ns\": 71}") == "expected 71, found 70");
  CHECK(message("{\"peer_down\": {\"A\": [{\"peer\": \"A\"}]}}") == "it is another peer");
  CHECK(message("{\"peer_down\": {\"A\": [[1, 2]]}}") != "");
  CHECK(message("{\"fird\": {}}").find("did you mean 'fired'") != std::string::npos);
}
