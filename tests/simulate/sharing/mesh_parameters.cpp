// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/mesh_parameters.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

using wf::sim::mesh_parameters;

constexpr mesh_parameters square(std::int32_t side) {
  mesh_parameters m;
  m.rows = m.columns = side;
  m.flit_bytes = 1;
  return m;
}

}  // namespace

static_assert(mesh_parameters{}.unloaded_latency(0, 0, 1) == 6);
static_assert(validate(square(255)).has_value());

TEST_CASE("routers on the way, flits, and the latency that follows from them") {
  mesh_parameters m = square(4);
  m.flit_bytes = 16;
  CHECK(m.tiles() == 16);
  CHECK(m.hops(0, 15) == 7);
  CHECK(m.hops(15, 0) == 7);
  CHECK(m.hops(4, 6) == 3);
  CHECK(m.flits(0) == 1);
  CHECK(m.flits(16) == 1);
  CHECK(m.flits(17) == 2);
  // The formula of the measurements with BookSim2: 4 (distance + 1) + (flits - 1) + 2.
  CHECK(m.unloaded_latency(0, 15, 4) == 4 * 7 + 3 + 2);
}

TEST_CASE("parameters out of range are named") {
  const auto fault = [](auto change) {
    mesh_parameters m = square(4);
    change(m);
    const auto valid = validate(m);
    REQUIRE_FALSE(valid);
    CHECK(valid.error().code == wf::errc::simulation_failed);
    return std::string(valid.error().subject.data(), valid.error().subject.size());
  };
  CHECK(fault([](auto& m) { m.rows = 0; }) == "rows");
  CHECK(fault([](auto& m) { m.columns = 20'000; }) == "columns");
  CHECK(fault([](auto& m) { m.virtual_channels = 13; }) == "virtual_channels");
  CHECK(fault([](auto& m) { m.buffer_depth = 256; }) == "buffer_depth");
  CHECK(fault([](auto& m) { m.input_speedup = 5; }) == "input_speedup");
  CHECK(fault([](auto& m) { m.router_latency = 1; }) == "router_latency");
  CHECK(fault([](auto& m) { m.link_latency = -1; }) == "link_latency");
  CHECK(fault([](auto& m) { m.credit_delay = 1001; }) == "credit_delay");
  CHECK(fault([](auto& m) { m.flit_bytes = 0; }) == "flit_bytes");
  CHECK(fault([](auto& m) { m.packet_flits = 0; }) == "packet_flits");
}
