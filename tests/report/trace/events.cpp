// SPDX-License-Identifier: BSL-1.0
#include <wf/report/trace/events.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::text one_slice() {
  wf::trace_event_writer out;
  out.slice({1, 2}, "name", 1'500, 2'000);
  out.argument("bytes", 3);
  return out.finish();
}
static_assert(one_slice().view() ==
              "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
              "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":1.500,\"dur\":2,\"name\":\"name\","
              "\"args\":{\"bytes\":3}}\n]}\n");

}  // namespace

TEST_CASE("every kind of event is strict JSON") {
  wf::trace_event_writer out;
  out.name_process(7, "process");
  out.name_thread({7, 1}, "thread");
  out.slice({7, 1}, "a\"b\\c\nd", 0, 1'002'003, 5, 6);
  out.argument("first", "<&>");
  out.argument("second", -1);
  out.instant({7, 1}, "now", 999);
  out.counter(7, "PE 0", 1500, "bytes", 64);
  const auto json = wf::parse_json(out.finish().view());
  REQUIRE(json);
  const std::uint32_t events = json->find(0, "traceEvents");
  REQUIRE((*json)[events].size == 5);
  const std::uint32_t process = wf::json_document::first_of(events);
  CHECK(json->text_of(json->find(json->find(process, "args"), "name")) == "process");
  const std::uint32_t slice = (*json)[(*json)[process].next].next;
  CHECK(json->text_of(json->find(slice, "ph")) == "X");
  CHECK(json->text_of(json->find(slice, "name")) == "a\"b\\c\nd");
  CHECK(json->text_of(json->find(slice, "dur")) == "1002.003");
  CHECK(json->text_of(json->find(slice, "tts")) == "0.005");
  CHECK(json->text_of(json->find(json->find(slice, "args"), "first")) == "<&>");
  CHECK(json->text_of(json->find(json->find(slice, "args"), "second")) == "-1");
  const std::uint32_t instant = (*json)[slice].next;
  CHECK(json->text_of(json->find(instant, "ts")) == "0.999");
  CHECK(json->text_of(json->find(instant, "s")) == "t");
  const std::uint32_t counter = (*json)[instant].next;
  CHECK(json->text_of(json->find(counter, "ph")) == "C");
  CHECK(json->text_of(json->find(counter, "ts")) == "1.500");
  CHECK(json->text_of(json->find(json->find(counter, "args"), "bytes")) == "64");
}

TEST_CASE("a trace without events is one too, and a writer begins anew after each") {
  wf::trace_event_writer out;
  out.name_process(1, "p");
  REQUIRE(wf::parse_json(out.finish().view()));
  CHECK(out.finish().view() == "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[]}\n");
}

TEST_CASE("times of a hundred years keep their nanoseconds") {
  wf::trace_event_writer out;
  out.instant({}, "late", wf::int128{INT64_MAX} * 1000 + 7);
  const wf::text made = out.finish();
  const auto json = wf::parse_json(made.view());
  REQUIRE(json);
  const std::uint32_t event = wf::json_document::first_of(json->find(0, "traceEvents"));
  CHECK(json->text_of(json->find(event, "ts")) == "9223372036854775807.007");
}
