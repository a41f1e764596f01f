// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/loopback.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <vector>

#include "in_threads.hpp"

namespace {

static_assert(wf::transport<wf::loopback>);

// What came from each thread, as numbers in their order, and who was lost.
struct collected {
  std::vector<std::vector<std::uint8_t>> from;
  std::vector<std::uint32_t> losses;
  std::size_t count = 0;

  void came(std::uint32_t rank, wf::view<std::uint8_t> bytes) {
    for (const std::uint8_t b : bytes) from[rank].push_back(b);
    count += bytes.size();
  }
  void lost(std::uint32_t rank) { losses.push_back(rank); }
};

}  // namespace

TEST_CASE("what each thread sends to each other comes once and in its order") {
  const std::uint32_t ranks = 4;
  const auto all = in_threads::run(ranks, [&](wf::loopback& carrier) {
    collected in;
    in.from.resize(ranks);
    for (int i = 0; i < 200; ++i) {
      for (std::uint32_t r = 0; r < ranks; ++r)
        CHECK(carrier.send(r, wf::table<std::uint8_t>{static_cast<std::uint8_t>(i)}));
      CHECK(carrier.poll(in));
    }
    while (in.count < 200 * ranks) {
      carrier.wait(1'000'000'000);
      CHECK(carrier.poll(in));
    }
    const auto nothing_more = carrier.poll(in);
    CHECK((nothing_more && !*nothing_more));
    CHECK(carrier.finish());
    return in;
  });
  for (const collected& in : all) {
    CHECK(in.losses.empty());
    for (const auto& from : in.from) {
      REQUIRE(from.size() == 200);
      for (std::size_t i = 0; i < 200; ++i) CHECK(from[i] == i);
    }
  }
}
TEST_CASE("a thread that is lost is told to the others, and gets nothing") {
  wf::loopback_hub hub(2);
  wf::loopback zero(hub, 0), one(hub, 1);
  CHECK(zero.send(1, wf::table<std::uint8_t>{1}));
  hub.lose(1);
  CHECK(zero.send(1, wf::table<std::uint8_t>{2}));
  collected in;
  in.from.resize(2);
  CHECK(*zero.poll(in));
  CHECK(in.losses == std::vector<std::uint32_t>{1});
  CHECK(!*zero.poll(in));
  zero.begin();  // which lacks it, too
  CHECK(*zero.poll(in));
  CHECK(!*zero.poll(in));
  CHECK(in.losses == std::vector<std::uint32_t>{1, 1});
  CHECK(*one.poll(in));
  CHECK(in.from[0] == std::vector<std::uint8_t>{1});
}
TEST_CASE("what belongs to a later run waits until the thread is in it") {
  wf::loopback_hub hub(2);
  wf::loopback zero(hub, 0), one(hub, 1);
  zero.begin();
  one.begin();
  CHECK(zero.send(1, wf::table<std::uint8_t>{1}));
  zero.begin();
  CHECK(zero.send(1, wf::table<std::uint8_t>{2}));
  collected in;
  in.from.resize(2);
  CHECK(*one.poll(in));
  CHECK(in.from[0] == std::vector<std::uint8_t>{1});
  CHECK(!*one.poll(in));
  one.begin();
  CHECK(*one.poll(in));
  CHECK(in.from[0] == std::vector<std::uint8_t>{1, 2});
}
TEST_CASE("waiting ends with the time") {
  wf::loopback_hub hub(1);
  wf::loopback alone(hub, 0);
  const auto begin = std::chrono::steady_clock::now();
  alone.wait(2'000'000);
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(2));
}
