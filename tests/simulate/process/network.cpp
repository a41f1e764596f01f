// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/process/network.hpp>

#include <doctest/doctest.h>

#include <wf/simulate/process/any_process.hpp>
#include <wf/simulate/process/recorder.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "list_simulator.hpp"
#include "random_network.hpp"

namespace {

wf::table<wf::expected_input> inputs_named(std::initializer_list<const char*> names) {
  wf::table<wf::expected_input> out;
  for (const char* name : names) out.push_back({wf::text(name), wf::usage::data, {}});
  return out;
}

// Adds its two inputs, for `ticks` ticks.
class adder {
 public:
  using datum = double;
  adder() = default;
  explicit adder(std::int64_t ticks) : ticks_(ticks) {}
  wf::view<wf::expected_input> inputs() const { return inputs_; }
  std::uint32_t outputs() const { return 1; }
  wf::result<bool> update(std::uint32_t input, double d, std::int64_t) {
    values_[input] = d;
    return ++received_ == 2;
  }
  std::int64_t work(std::int64_t) const { return ticks_; }
  template <class Emit>
  wf::result<wf::nothing> generate_output(std::int64_t, Emit&& emit) {
    received_ = 0;
    emit(0u, values_[0] + values_[1]);
    return wf::nothing{};
  }

 private:
  wf::table<wf::expected_input> inputs_ = inputs_named({"a", "b"});
  double values_[2]{};
  int received_ = 0;
  std::int64_t ticks_ = 1;
};
static_assert(wf::process<adder>);

// Emits 1, 2, 3 … `count` times, one every `period` ticks.
class counter {
 public:
  using datum = double;
  counter() = default;
  counter(int count, std::int64_t period) : count_(count), period_(period) {}
  wf::view<wf::expected_input> inputs() const { return {}; }
  std::uint32_t outputs() const { return 1; }
  wf::result<bool> update(std::uint32_t, double, std::int64_t) { return false; }
  std::int64_t work(std::int64_t) const { return 0; }
  template <class Emit>
  wf::result<wf::nothing> generate_output(std::int64_t, Emit&& emit) {
    emit(0u, static_cast<double>(++made_));
    return wf::nothing{};
  }
  std::int64_t wake(std::int64_t) const {
    return made_ < count_ ? made_ * period_ : wf::sim::never;
  }

 private:
  int count_ = 0, made_ = 0;
  std::int64_t period_ = 1;
};

// Passes on every `every`-th datum.
class filter {
 public:
  using datum = double;
  filter() = default;
  explicit filter(int every) : every_(every) {}
  wf::view<wf::expected_input> inputs() const { return inputs_; }
  std::uint32_t outputs() const { return 1; }
  wf::result<bool> update(std::uint32_t, double d, std::int64_t) {
    value_ = d;
    return ++seen_ % every_ == 0;
  }
  std::int64_t work(std::int64_t) const { return 5; }
  template <class Emit>
  wf::result<wf::nothing> generate_output(std::int64_t, Emit&& emit) {
    emit(0u, value_);
    return wf::nothing{};
  }

 private:
  wf::table<wf::expected_input> inputs_ = inputs_named({"in"});
  double value_ = 0;
  int every_ = 1, seen_ = 0;
};

template <class Process>
void stream_with_feedback() {
  // A running sum: the adder's result comes back 7 ticks later.
  wf::network<Process> n;
  const auto host = n.add_host(), other = n.add_host();
  const auto loop = n.add_link(0, 7);
  const auto source = n.add_node("source", counter(6, 10), host);
  const auto sum = n.add_node("sum", adder(4), other);
  const auto out = n.add_node("out", filter(2), host);
  n.connect(source, 0, sum, 0);
  n.connect(sum, 0, sum, 1, loop).initial.push_back(0.0);
  n.connect(sum, 0, out, 0);
  const auto got = n.run();
  REQUIRE(got);
  REQUIRE(got->outputs.size() == 3);  // after 2, 4 and 6 data: 1 + 2, … + 4, … + 6
  CHECK(got->outputs[0].value == 3);
  CHECK(got->outputs[1].value == 10);
  CHECK(got->outputs[2].value == 21);
  // A round takes max(10, 4 + 7) ticks: the sum of datum k is there at 11 (k - 1) + 4.
  CHECK(got->outputs[0].time == 11 * 1 + 4 + 5);
  CHECK(got->outputs[2].time == 11 * 5 + 4 + 5);
  CHECK(got->accounts[1].runs == 6);
  CHECK(got->accounts[1].ran == 24);
  REQUIRE(got->starved.size() == 1);  // the last sum has come back, and nothing to add it to
  CHECK(got->starved[0] == sum);
}

}  // namespace

TEST_CASE("processes of several types run a stream with feedback") {
  stream_with_feedback<wf::one_of<counter, adder, filter>>();
  stream_with_feedback<wf::any_process<double>>();
}

TEST_CASE("a process waits only for its own host") {
  // Two hosts, two tasks of 10 each: the third task of host 0 must not block host 1.
  wf::network<wf::task_process> n;
  const auto a = n.add_host(), b = n.add_host();
  for (const auto host : {a, a, b, b}) n.add_node("task", wf::task_process({}, 10, {}), host);
  const auto got = n.run();
  REQUIRE(got);
  CHECK(got->makespan == 20);
}

namespace {

struct typed {
  wf::value_type t;
  std::int64_t bytes() const { return 8; }
  wf::value_type type() const { return t; }
};
struct sink {
  using datum = typed;
  wf::table<wf::expected_input> expected;
  wf::view<wf::expected_input> inputs() const { return expected; }
  std::uint32_t outputs() const { return 0; }
  wf::result<bool> update(std::uint32_t, typed, std::int64_t) { return true; }
  std::int64_t work(std::int64_t) const { return 1; }
  template <class Emit>
  wf::result<wf::nothing> generate_output(std::int64_t, Emit&&) {
    return wf::nothing{};
  }
};

wf::value_type type_of(wf::dtype type, std::initializer_list<wf::extent> extents) {
  wf::value_type out{type, {}, {}};
  for (const wf::extent e : extents) out.shape.extents[out.shape.rank++] = e;
  return out;
}

}  // namespace

TEST_CASE("data of the wrong type are refused by name") {
  const auto run = [](wf::value_type wanted, wf::value_type given, wf::usage use) {
    wf::network<sink> n;
    sink s;
    s.expected.push_back({wf::text("x"), use, wanted});
    n.add_node("reader", s, n.add_host());
    const wf::network_input<typed> in[] = {{0, 0, {given}, 3}};
    const auto got = n.run(in);
    return got ? wf::error{} : got.error();
  };
  const wf::value_type wanted = type_of(wf::dtype::f64, {2, wf::extent()});
  const wf::value_type good = type_of(wf::dtype::f64, {2, 9});
  const wf::value_type wrong_extent = type_of(wf::dtype::f64, {3, 9});
  const wf::value_type wrong_rank = type_of(wf::dtype::f64, {2});
  const wf::value_type wrong_type = type_of(wf::dtype::f32, {2, 9});
  CHECK(run(wanted, good, wf::usage::data).code == wf::errc::none);
  CHECK(run(wanted, {}, wf::usage::data).code == wf::errc::none);
  CHECK(run(wanted, wrong_extent, wf::usage::order).code == wf::errc::none);
  CHECK(run(wanted, wrong_extent, wf::usage::data).code == wf::errc::shape_mismatch);
  CHECK(run(wanted, wrong_rank, wf::usage::data).code == wf::errc::shape_mismatch);
  const wf::error e = run(wanted, wrong_type, wf::usage::data);
  CHECK(e.code == wf::errc::dtype_mismatch);
  CHECK(e.subject.view() == wf::text_view("reader.x"));
  CHECK(e.message.view() == wf::text_view("expects f64[2x?], but f32[2x9] arrived"));
}

TEST_CASE("a deadlock is named by its cycle") {
  wf::network<adder> n;
  const auto host = n.add_host();
  const auto a = n.add_node("a", adder(1), host), b = n.add_node("b", adder(1), host);
  n.connect(a, 0, b, 0);
  n.connect(b, 0, a, 0);
  const wf::network_input<double> in[] = {{a, 1, 1.0, 0}, {b, 1, 1.0, 0}};
  const auto got = n.run(in);
  REQUIRE_FALSE(got);
  CHECK(got.error().code == wf::errc::simulation_failed);
  CHECK(got.error().message.view() == wf::text_view("deadlock: a waits for b, b waits for a"));
}

TEST_CASE("full edges hold their sender up") {
  wf::network<wf::one_of<counter, filter>> n;
  const auto host = n.add_host(2);
  const auto source = n.add_node("source", counter(5, 1), host);
  const auto slow = n.add_node("slow", filter(1), host);
  n.connect(source, 0, slow, 0).capacity = 1;
  const auto got = n.run();
  REQUIRE(got);
  REQUIRE(got->outputs.size() == 5);
  for (std::size_t k = 0; k < 5; ++k)
    CHECK(got->outputs[k].time == 5 * static_cast<std::int64_t>(k + 1));
  CHECK(got->accounts[0].queued > 0);
  CHECK(got->accounts[1].peak_bytes <= 3 * 8);  // one in use, one on the edge, one emitted
}

namespace {

using wf_test::drawn_network;
using wf_test::mixer;

struct run_recorder {
  std::vector<wf_test::list_simulator<mixer>::run_record>& runs;
  void execute(std::uint32_t node, std::int64_t begin, std::int64_t end, std::int64_t) {
    runs.push_back({node, begin, end});
  }
  void transfer(std::uint32_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t) {}
};

}  // namespace

TEST_CASE("random networks on many hosts run as a list of the rules does") {
  int compared = 0, finished = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    drawn_network drawn = wf_test::draw_network(random);
    // A loop may run for ever: it ends when its outputs do, at every fifth run; at the latest here.
    drawn_network again = drawn;
    wf_test::list_simulator<mixer> list(again.network, again.inputs);
    if (!list.run(4000)) continue;
    std::vector<wf_test::list_simulator<mixer>::run_record> runs;
    const auto got = drawn.network.run(drawn.inputs, run_recorder{runs});
    ++compared;
    REQUIRE(runs == list.runs);
    if (!got) {
      REQUIRE(got.error().message.view().part(0, 8) == wf::text_view("deadlock"));
      continue;
    }
    ++finished;
    REQUIRE(got->outputs.size() == list.outputs.size());
    for (std::size_t i = 0; i < list.outputs.size(); ++i) {
      const auto& o = got->outputs[i];
      REQUIRE(list.outputs[i] == decltype(list)::output_record{o.node, o.output, o.time, o.value});
    }
  }
  CHECK(compared > 1900);
  CHECK(finished > 1000);
}

TEST_CASE("data go over a mesh flit by flit") {
  wf::network<wf::task_process> n;
  n.platform.meshes.push_back({.rows = 3, .columns = 4, .packet_flits = 8});
  const wf::sim::mesh_parameters& mesh = n.platform.meshes[0];
  for (std::uint32_t tile = 1; tile < mesh.tiles(); ++tile) {
    const wf::sim_place host = n.add_host(), other = n.add_host();
    const auto from = n.add_node("from", wf::task_process({}, 1000 * tile, {64}), host);
    const auto to = n.add_node("to", wf::task_process(inputs_named({"in"}), 0, {}), other);
    n.connect(from, 0, to, 0, {wf::sim_resource::mesh, n.platform.mesh_pair(0, 0, tile)});
  }
  wf::execution_trace trace;
  REQUIRE(wf::run_traced(n, {}, trace));
  std::uint32_t arrived = 0;
  for (const wf::trace_event& e : trace.events) {
    if (e.kind != wf::trace_kind::transfer) continue;
    const std::uint32_t tile = ++arrived;  // each alone in the mesh
    CHECK(e.end == 1000 * tile + mesh.unloaded_latency(0, tile, 4));
  }
  CHECK(arrived == 11);
  n.edges[0].over.index = n.platform.mesh_pair(1, 0, 0);
  CHECK_FALSE(n.validate());
}
