// SPDX-License-Identifier: BSL-1.0
#include <wf/report/partition/class_rows.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>

#include "../../partition/programs.hpp"

#include "large_programs.hpp"

namespace {

// The lines of a class, with its badges.
std::vector<std::string> lines_of(const wf::deployment& d, std::size_t part, std::size_t most = 17,
                                  const wf::registry& kernels = wf::builtin_registry()) {
  const wf::graph_view g = d.parts().partitions[part].workflow.view();
  std::vector<std::string> out;
  const wf::detail::class_rows all(g, kernels, most);
  for (const wf::detail::class_row& r : all.rows()) {
    std::string line(r.words.view());
    line += " : " + std::string(r.type.view());
    for (const wf::detail::gate_badge& b : r.badges)
      line += " <" + std::string(b.label.view()) + '>';
    out.push_back(line);
  }
  return out;
}
using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("gates are badges of their message, and values are read through them") {
  const auto d = machine_case::deployed(programs::parsed(programs::request_and_reply), 100'000'000);
  CHECK(lines_of(d, 0) == lines{"x : f64 [4]", "servers : peer [S]",
                                "send(x, servers) : f64 [4] <health> <backoff> <deadline 200 ms>"});
  CHECK(lines_of(d, 1) ==
        lines{"clients : peer [C]", "%1 = receive() : f64 [4] <dedup> <health> <backoff>",
              "%3 = negate(%1) : f64 [4]",
              "send(%3, clients) : f64 [4] <health> <backoff> <deadline 100 ms>"});
  CHECK(lines_of(d, 2) == lines{"%0 = receive() : f64 [4] <dedup> <health> <backoff>",
                                "y = copy(%0) : f64 [4]", "y : f64 [4]"});
}

TEST_CASE("rows that do not fit are folded, messages are not") {
  const auto d = machine_case::deployed(large_programs::chain(60));
  const lines all = lines_of(d, 1, 18);
  REQUIRE(all.size() == 20);
  CHECK(all[0] == "%0 = receive() : f64 [4x4] <dedup> <health> <backoff>");
  CHECK(all[18] == "… and 43 more : ");
  CHECK(all[19] == "y : f64 [4x4]");
  CHECK(lines_of(d, 1, 60).size() == 62);  // a row for one would save nothing
  CHECK(lines_of(d, 1, 0).size() == 3);    // one output is not folded either
}

TEST_CASE("a user's gate has its operator's name") {
  wf::deployment_settings s;
  REQUIRE(s.kernels.add(programs::quota));
  const auto d = wf::deployment_toolchain(s).insert_after<"insert_backoff_gate_rx">(
      wf::gate_step<"insert_quota">(programs::quota_gate, s.kernels))(
      programs::parsed(programs::one_hop));
  REQUIRE(d);
  const lines all = lines_of(*d, 1, 17, s.kernels);
  CHECK(all[0].find("<backoff> <quota_gate>") != std::string::npos);
}
