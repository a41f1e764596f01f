// SPDX-License-Identifier: BSL-1.0
#include <wf/report/simulation/perfetto.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "../samples.hpp"
#include "accounts.hpp"

using samples::count;

TEST_CASE("a run is valid JSON: a slice for each use and segment, a sample for each step") {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const wf::run_account a = accounts::random_account(seed);
    const wf::text made = wf::to_perfetto(a);
    REQUIRE(wf::parse_json(made.view()));
    std::size_t slices = wf::critical_path_of(a).segments.size(), samples = 0;
    const auto usage = wf::utilisation_of(a);
    for (std::size_t r = 0; r < usage.size(); ++r)
      if (a.resources[r].role != wf::run_role::delay) {
        slices += usage[r].tasks;
        samples += usage[r].steps.size();
      }
    REQUIRE(count(made.view(), "\"ph\":\"X\"") == slices);
    REQUIRE(count(made.view(), "\"ph\":\"C\"") == samples);
    REQUIRE(made == wf::to_perfetto(a));
  }
}

TEST_CASE("slices of a track follow each other, in the times of the account") {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const wf::run_account a = accounts::random_account(seed);
    const auto json = wf::parse_json(wf::to_perfetto(a).view());
    REQUIRE(json);
    const std::uint32_t events = json->find(0, "traceEvents");
    std::map<std::pair<std::string, std::string>, double> ends;
    double last = 0;
    std::uint32_t at = wf::json_document::first_of(events);
    for (std::size_t i = 0; i < (*json)[events].size; ++i, at = (*json)[at].next) {
      if (json->text_of(json->find(at, "ph")) != wf::text_view("X")) continue;
      const auto number = [&](const char* name) {
        return std::stod(std::string(json->text_of(json->find(at, name))));
      };
      const std::string process(json->text_of(json->find(at, "pid"))),
          thread(json->text_of(json->find(at, "tid")));
      double& end = ends[{process, thread}];
      REQUIRE(number("ts") >= end);
      end = number("ts") + number("dur");
      last = std::max(last, end);
    }
    REQUIRE(last == static_cast<double>(a.makespan));
  }
}
