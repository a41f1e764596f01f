// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/batch.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace {

struct taken {
  std::vector<std::pair<wf::fault::envelope, bool>> messages;
  std::vector<wf::table<std::uint8_t>> carried;
  std::vector<wf::termination_message> ends;
  std::vector<std::uint32_t> events;
  bool accepts = true;

  bool message(const wf::fault::envelope& m, bool whole, wf::view<std::uint8_t> bytes) {
    messages.emplace_back(m, whole);
    carried.emplace_back(bytes);
    return accepts;
  }
  bool termination(const wf::termination_message& m) {
    ends.push_back(m);
    return accepts;
  }
  bool event(std::uint32_t n) {
    events.push_back(n);
    return accepts;
  }
};
const wf::fault::envelope some{wf::fault::message_kind::ack, 1, 2, 3, 4, 5, 6, 7, -8, 9};
const wf::termination_message last{wf::termination_message::kind::answer, 1, 2, 3};

wf::table<std::uint8_t> a_batch() {
  wf::batch_writer out(77);
  const std::uint8_t bytes[] = {1, 2, 3};
  out.add(some, true, bytes);
  out.add(some, false, {});
  out.add(last);
  out.add(12);
  return out.take();
}
wf::errc refusal(const wf::table<std::uint8_t>& bytes, std::uint64_t run = 77) {
  return wf::read_batch(bytes, run, taken()).error().code;
}

}  // namespace

TEST_CASE("a batch keeps its items, their order and whether they are whole") {
  wf::batch_writer out(77);
  CHECK(out.empty());
  out.add(last);
  CHECK(!out.empty());
  CHECK(out.size() == 12 + 26);
  out.take();
  CHECK(out.empty());
  const auto bytes = a_batch();
  CHECK(bytes.size() == 12 + 69 + 3 + 69 + 26 + 5);
  taken in;
  REQUIRE(wf::read_batch(bytes, 77, in));
  REQUIRE(in.messages.size() == 2);
  CHECK(in.messages[0] == std::pair(some, true));
  CHECK(in.messages[1] == std::pair(some, false));
  CHECK(in.carried[0] == wf::table<std::uint8_t>{1, 2, 3});
  CHECK(in.carried[1].empty());
  REQUIRE(in.ends.size() == 1);
  CHECK(in.ends[0] == last);
  CHECK(in.events == std::vector<std::uint32_t>{12});
}
TEST_CASE("a batch that is cut off, of another run, or has what cannot be, is refused") {
  const auto whole = a_batch();
  CHECK(refusal(whole) == wf::errc::none);
  CHECK(refusal(whole, 78) == wf::errc::transport_failed);
  const std::size_t ends[] = {12, 84, 153, 179};  // of the head, and of items
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    bool is_end = false;
    for (const std::size_t end : ends) is_end = is_end || end == size;
    const wf::errc found =
        refusal(wf::table<std::uint8_t>(wf::view<std::uint8_t>(whole).part(0, size)));
    if (is_end)
      CHECK(found == wf::errc::none);
    else if (size >= 4 && size < 12)
      CHECK(found == wf::errc::transport_failed);
    else
      CHECK(found == wf::errc::malformed_message);
  }
  for (const auto& [at, to] : std::vector<std::pair<std::size_t, int>>{
           {0, 0}, {3, 2}, {12, 3}, {12, 255}, {80, 255}, {154, 3}}) {
    CAPTURE(at);
    auto bytes = whole;
    bytes[at] = static_cast<std::uint8_t>(to);
    CHECK(refusal(bytes) == wf::errc::malformed_message);
  }
  taken stubborn;
  stubborn.accepts = false;
  CHECK(wf::read_batch(whole, 77, stubborn).error().code == wf::errc::malformed_message);
  CHECK(stubborn.messages.size() == 1);
}
TEST_CASE("a flipped bit of a message is seen by its checksum") {
  const auto whole = a_batch();
  for (std::size_t bit = 8 * 13; bit < 8 * (13 + 64); ++bit) {
    auto bytes = whole;
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1U << (bit % 8)));
    taken in;
    REQUIRE(wf::read_batch(bytes, 77, in));
    CHECK(!in.messages[0].second);
  }
}
