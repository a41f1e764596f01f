// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/message_form.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace {

using wf::execution_tags;

template <class Datum>
constexpr bool survives(const Datum& d) {
  wf::machine_value<Datum> v{d, {2, 0}};
  const std::uint64_t path[] = {7, execution_tags::step_to(3), execution_tags::step_to(1)};
  const auto read = wf::read_message<Datum>(wf::to_bytes<Datum>(path, v), 4);
  return read && read->value.datum == d && read->value.machines == v.machines &&
         read->path == wf::table<std::uint64_t>(wf::view<std::uint64_t>(path));
}
static_assert(survives(std::uint64_t{0x0102030405060708}) && survives(-1.5) && survives(2.5F) &&
              survives(true) && survives(std::int16_t{-3}));

// The sentence of the refusal; empty if the message is read.
template <class Datum = std::uint64_t>
wf::text refusal(const wf::table<std::uint8_t>& bytes, std::uint32_t machines = 4) {
  const auto read = wf::read_message<Datum>(bytes, machines);
  if (read) return {};
  CHECK(read.error().code == wf::errc::malformed_message);
  return read.error().message;
}
wf::table<std::uint8_t> with(std::vector<std::uint64_t> path, wf::table<std::uint32_t> machines) {
  wf::machine_value<std::uint64_t> v{11, std::move(machines)};
  return wf::to_bytes<std::uint64_t>({path.data(), path.size()}, v);
}

}  // namespace

TEST_CASE("a message that is cut off, or goes on, is refused") {
  const auto whole = with({1, execution_tags::step_to(2)}, {0, 3});
  CHECK(refusal(whole).empty());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    wf::table<std::uint8_t> part(wf::view<std::uint8_t>(whole).part(0, size));
    CHECK(!refusal(part).empty());
  }
  auto longer = whole;
  longer.push_back(0);
  CHECK(refusal(longer) == "it is too long");
  CHECK(refusal<std::uint16_t>(whole) == "it is too long");
}
TEST_CASE("steps and machines that do not exist are refused") {
  const std::uint64_t to = execution_tags::machine_step, start = execution_tags::start_step;
  CHECK(refusal(with({}, {})).empty());
  CHECK(refusal(with({start | 3, to | 3}, {})).empty());
  CHECK(refusal(with({to | 3, to | 0}, {})).empty());
  for (const std::vector<std::uint64_t>& path : {std::vector<std::uint64_t>{0},
                                                 {to | 4},
                                                 {start | 4},
                                                 {1, 1},
                                                 {1, start | 1},
                                                 {1, to | 4},
                                                 {to | start | 1},
                                                 {to | 1, 1}})
    CHECK(refusal(with(path, {})) == "a step of its path is none");
  CHECK(refusal(with({1}, {4})) == "it names a machine that is none");
  auto other = with({1}, {});
  other[0] = 2;
  CHECK(refusal(other) == "it has another form than this version reads");
}
TEST_CASE("a count that is too large takes no storage") {
  for (const std::uint32_t at : {4U, 8U}) {
    auto bytes = with({}, {});
    for (std::uint32_t i = 0; i < 4; ++i) bytes[at + i] = 0xff;
    CHECK(refusal(bytes) == "it is too short");
  }
}
