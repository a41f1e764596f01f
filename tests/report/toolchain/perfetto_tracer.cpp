// SPDX-License-Identifier: BSL-1.0
#include <wf/report/toolchain/perfetto_tracer.hpp>

#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <wf/toolchain/wrapper.hpp>

#include "../golden.hpp"
#include "../steps.hpp"

namespace {

using steps::compiler, steps::fake_clock, steps::text_of;
using tracer = wf::perfetto_tracer<fake_clock>;

// The events of one phase of a trace, which must be strict JSON.
struct events {
  explicit events(const wf::text& trace, const char* phase) {
    auto read = wf::parse_json(trace.view());
    REQUIRE(read);
    json = *read;
    const std::uint32_t all = json.find(0, "traceEvents");
    std::uint32_t item = wf::json_document::first_of(all);
    for (std::uint32_t i = 0; i < json[all].size; ++i, item = json[item].next)
      if (json.text_of(json.find(item, "ph")) == phase) items.push_back(item);
  }
  std::string of(std::size_t i, const char* key) const {
    return std::string(json.text_of(json.find(items[i], key)));
  }
  std::string argument(std::size_t i, const char* key) const {
    const std::uint32_t found = json.find(json.find(items[i], "args"), key);
    return found == 0 ? std::string() : std::string(json.text_of(found));
  }
  std::size_t size() const { return items.size(); }

  wf::json_document json;
  std::vector<std::uint32_t> items;
};

wf::text traced(const char* characters) {
  tracer trace;
  (void)compiler(text_of(characters), trace);
  return to_perfetto(trace);
}

constexpr bool is_constexpr() {
  tracer trace;
  (void)steps::front(text_of("a"), trace);
  return to_perfetto(trace).size() > 300;
}
static_assert(is_constexpr());

}  // namespace

TEST_CASE("acceptance group 6: a trace has a slice a step, inside of the one around it") {
  const events slices(traced("a b"), "X");
  REQUIRE(slices.size() == 8);
  CHECK(slices.of(0, "name") == "front");
  CHECK(slices.argument(1, "path") == "front/split");
  CHECK(slices.argument(1, "in") == "steps::source");
  CHECK(slices.argument(1, "out") == "steps::words");
  const auto begin = [&](std::size_t i) { return std::stol(slices.of(i, "ts")); };
  const auto end = [&](std::size_t i) { return begin(i) + std::stol(slices.of(i, "dur")); };
  CHECK(begin(0) == 0);
  for (std::size_t i = 0; i < slices.size(); ++i)
    for (std::size_t k = 0; k < slices.size(); ++k) {
      const std::string inner = slices.argument(i, "path"), outer = slices.argument(k, "path");
      if (inner.rfind(outer + "/", 0) != 0) continue;
      CHECK(begin(k) < begin(i));
      CHECK(end(i) < end(k));
    }
  CHECK(slices.of(0, "dur") == "5000");
  CHECK(slices.of(0, "tdur") == "2500");
}

TEST_CASE("acceptance group 6: a failure is an event where it arose, and told by all it left") {
  const wf::text trace = traced("a ?");
  const events slices(trace, "X"), instants(trace, "i");
  REQUIRE(slices.size() == 3);
  REQUIRE(instants.size() == 1);
  CHECK(instants.of(0, "name") == "parse failed");
  CHECK(instants.argument(0, "path") == "front/parse");
  CHECK(instants.argument(0, "error") == "WF201 in 'words': a question mark is no word");
  CHECK(slices.argument(2, "error") == "WF201 in 'words': a question mark is no word");
  CHECK(slices.argument(0, "error") ==
        "WF201 in 'words' at step 'parse': a question mark is no word");
  CHECK(slices.argument(1, "error").empty());
}

TEST_CASE("an exception is one failure too; the next run has its own") {
  const auto throwing = compiler.replace<"front/parse">(
      [](const steps::words&) -> wf::result<steps::tree> { throw 1; });
  tracer trace;
  CHECK_THROWS_AS((void)throwing(text_of("a"), trace), wf::step_exception);
  CHECK_THROWS_AS((void)throwing(text_of("a"), trace), wf::step_exception);
  CHECK(events(to_perfetto(trace), "i").size() == 2);
}

TEST_CASE("both ways of a fallback that fail are two failures") {
  const auto bad = wf::step<"bad">(
      [](int) -> wf::result<int> { return wf::make_error(wf::errc::overflow, "x", "bad"); });
  const auto chain = wf::chain(wf::fallback(bad, wf::rename<"worse">(bad)));
  tracer trace;
  CHECK_FALSE(chain(1, trace));
  const events instants(to_perfetto(trace), "i");
  REQUIRE(instants.size() == 2);
  CHECK(instants.argument(0, "path") == "bad/bad");
  CHECK(instants.argument(1, "path") == "bad/worse");
}

TEST_CASE("golden, acceptance group 6: a run, a failure and a partial run as a trace") {
  tracer trace("compile");
  (void)compiler(text_of("a b c"), trace);
  (void)compiler(text_of("a b c d e f g h"), trace);
  (void)compiler.from<"back/generate">(steps::tree{1}, trace);
  golden::check("steps_trace.json", to_perfetto(trace).view());
}

TEST_CASE("a step that has not ended reaches as far as what is known") {
  tracer trace;
  const wf::step_info outer{"outer", "a", "a", nullptr, 0}, inner{"inner", "a", "a", &outer, 1};
  trace.enter(outer, 0);
  trace.enter(inner, 0);
  trace.leave(inner, 0);
  const events slices(to_perfetto(trace), "X");
  REQUIRE(slices.size() == 2);
  CHECK(slices.of(0, "dur") == "2000");
  CHECK(slices.of(1, "dur") == "1000");
  trace.leave(inner, 0);  // not open
  CHECK(events(to_perfetto(trace), "X").of(1, "dur") == "1000");
}

TEST_CASE("threads are lines of one trace") {
  wf::perfetto_tracer<> first("first"), second("second");
  std::thread running([&] { (void)compiler(text_of("a"), second); });
  (void)compiler(text_of("a ?"), first);
  running.join();
  first.merge(second);
  const wf::text trace = to_perfetto(first);
  const events slices(trace, "X"), names(trace, "M");
  REQUIRE(slices.size() == 11);
  CHECK(slices.of(0, "tid") == "1");
  CHECK(slices.of(3, "tid") == "2");
  REQUIRE(names.size() == 3);
  CHECK(names.argument(2, "name") == "second");
  bool from_zero = false;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    CHECK(slices.of(i, "ts")[0] != '-');
    from_zero = from_zero || slices.of(i, "ts") == "0";
  }
  CHECK(from_zero);
}

TEST_CASE("an empty trace, and one beside another process") {
  CHECK(events(to_perfetto(tracer()), "X").size() == 0);
  wf::trace_event_writer out;
  out.name_process(1, "other");
  tracer trace;
  (void)compiler(text_of("a"), trace);
  trace.write_to(out, 2);
  const events slices(out.finish(), "X");
  CHECK(slices.of(0, "pid") == "2");
}
