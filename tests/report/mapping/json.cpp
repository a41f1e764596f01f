// SPDX-License-Identifier: BSL-1.0
#include <wf/report/mapping/json.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/map/place/map.hpp>

#include "../../map/random_mapping.hpp"
#include "../../map/small_problems.hpp"
#include "../golden.hpp"
#include "../samples.hpp"

namespace {

constexpr wf::workload pair_of_operators() {
  wf::workload_operator o;
  o.macs = 16;
  o.first_axis = 4;
  return wf_test::alike("pair", o, {"a", "b"});
}
constexpr wf::pe_array two() {
  wf::pe_array a;
  a.columns = 2;
  a.memory_bytes = 100;
  return a;
}
constexpr bool round_trips() {
  const wf::workload w = pair_of_operators();
  const wf::mapping m = *wf::map(w, two());
  const auto read = wf::parse_mapping_json(wf::to_json(m, w).view(), w);
  return read && *read == m;
}
static_assert(round_trips());

/// The error for the JSON of the pair's mapping with one part replaced.
wf::error refused(const std::string& part, const std::string& by) {
  const wf::workload w = pair_of_operators();
  std::string json(wf::to_json(*wf::map(w, two()), w).view());
  const auto at = json.find(part);
  REQUIRE(at != std::string::npos);
  json.replace(at, part.size(), by);
  const auto read = wf::parse_mapping_json(wf::text_view(json.data(), json.size()), w);
  REQUIRE_FALSE(read);
  CHECK(read.error().code == wf::errc::mapping_syntax);
  CHECK(read.error().where.line > 0);
  return read.error();
}

}  // namespace

TEST_CASE("the JSON form round-trips random mappings") {
  int count = 0, in_place = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 1, 9, 2, 3);
    if (seed % 2 == 0) wf_test::let_overwrite(random, w);
    const auto m = wf_test::random_mapping(random, w, a);
    if (!m) continue;
    for (const wf::placement& at : m->operators)
      in_place += at.overwrites != wf::overwrites_nothing ? 1 : 0;
    const wf::text written = wf::to_json(*m, w);
    const auto read = wf::parse_mapping_json(written.view(), w);
    REQUIRE(read);
    REQUIRE(*read == *m);
    ++count;
  }
  CHECK(count > 1000);
  CHECK(in_place > 20);
}

TEST_CASE("integers that a double does not keep are strings") {
  const wf::workload w = samples::network();
  wf::mapping m = samples::network_mapping();
  m.high_water[0] = (std::int64_t{1} << 60) + 1;
  const wf::text written = wf::to_json(m, w);
  CHECK(samples::contains(written.view(), "\"1152921504606846977\""));
  const auto read = wf::parse_mapping_json(written.view(), w);
  REQUIRE(read);
  CHECK(*read == m);
}

TEST_CASE("what is no mapping is refused with its place") {
  CHECK(refused("{", "[").message == wf::text("expected ',' or ']'"));
  CHECK(refused("wf-mapping", "wf-graph").message ==
        wf::text("expected \"format\": \"wf-mapping\""));
  CHECK(refused("\"version\": 1", "\"version\": 2").message ==
        wf::text("only version 1 of the JSON form can be read"));
  CHECK(refused("\"pair\"", "\"air\"").message == wf::text("it maps another workload"));
  CHECK(refused("\"rows\"", "\"lines\"")
            .message.view()
            .starts_with("unknown field of a mapping 'lines'"));
  CHECK(refused("\"rows\": 1,\n", "").message == wf::text("a mapping needs the field 'rows'"));
  CHECK(refused("\"rows\": 1", "\"rows\": 0").message == wf::text("an array has 1 to 4096 PEs"));
  CHECK(refused("\"rows\": 1", "\"rows\": 5000").message ==
        wf::text("expected an integer from 0 to 4096"));
  CHECK(refused("\"makespan\": ", "\"makespan\": -")
            .message.view()
            .starts_with("expected an integer from 0 to"));
  CHECK(refused("\"makespan\": ", "\"makespan\": 0.").message == wf::text("expected an integer"));
  CHECK(refused("\"bound\": ", "\"bound\": 9")
            .message.view()
            .starts_with("expected an integer from 0"));
  CHECK(refused("proven", "prove").message.view().starts_with("unknown status 'prove'"));
  CHECK(refused("\"b\"", "\"c\"").message == wf::text("the workload has another operator there"));
  CHECK(refused("\"row\": 0", "\"row\": 1").message ==
        wf::text("the rectangle is not inside the array"));
  CHECK(refused("\"columns\": 2, \"first", "\"columns\": 0, \"first").message ==
        wf::text("a view has no PEs, and everything else has some"));
  CHECK(refused("\"start\": 0", "\"start\": 1").message ==
        wf::text("an operator takes its cycles from start to finish"));
  CHECK(refused("\"start\": 0", "\"overwrites\": 0, \"start\": 0").message ==
        wf::text("an operator overwrites an earlier one"));
  CHECK(refused("\"sequence\": [0, 1]", "\"sequence\": [0, 0]").message ==
        wf::text("an operator starts once"));
  CHECK(refused("\"sequence\": [0, 1]", "\"sequence\": [0]").message ==
        wf::text("every operator that is no view starts once"));
  CHECK(refused("\"sequence\": [0, 1]", "\"sequence\": [2]").message ==
        wf::text("there is no such operator, or it is a view"));
  CHECK(refused("\"busy\": [", "\"busy\": [0, ").message ==
        wf::text("there is one figure for every PE"));
  CHECK(refused("\"high_water\": [0, 0]", "\"high_water\": 0").message ==
        wf::text("'high_water' must be an array, not a number"));
}

TEST_CASE("golden: a mapping as JSON") {
  golden::check("mapping.json", wf::to_json(samples::network_mapping(), samples::network()).view());
}
