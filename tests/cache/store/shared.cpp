// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/store/shared.hpp>

#include <latch>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using found = wf::result<std::shared_ptr<const std::string>>;

constexpr wf::digest128 key(std::uint64_t n) { return wf::hasher128('k').word(n).value(); }
found made(const std::string& value) { return std::make_shared<const std::string>(value); }

// A user-defined store in which every operation fails.
class broken_store {
 public:
  using value_type = std::string;
  static constexpr bool persistent = false;
  explicit broken_store(int puts) : puts_left_(puts) {}
  wf::stored_stage<std::string> get(const wf::digest128&) const { throw std::runtime_error("get"); }
  void put(const wf::digest128&, const wf::stored_stage<std::string>&) {
    if (puts_left_-- <= 0) throw std::runtime_error("put");
  }
  wf::store_usage usage() const { return {0, 0, 0, 0, 100}; }

 private:
  std::atomic<int> puts_left_;
};

}  // namespace

TEST_CASE("acceptance group 5: the same key returns the same stored object") {
  const auto store = wf::in_memory<std::string>();
  int computed = 0;
  const auto compute = [&] { return ++computed, made("stage"); };
  const found first = store.find_or_compute(key(1), compute);
  const found second = store.find_or_compute(key(1), compute);
  CHECK(*first == *second);
  CHECK(**first == "stage");
  CHECK(computed == 1);
  const found other = store.find_or_compute(key(2), compute);
  CHECK(*other != *first);
  const wf::store_counters counters = store.counters();
  CHECK(counters.hits == 1);
  CHECK(counters.misses == 2);
  CHECK(counters.waits == 0);
  CHECK(counters.store.entries == 2);
  CHECK(counters.store.bytes == 2 * (sizeof(std::string) + 5));
}

TEST_CASE("copies of a handle are one store, which lives as long as one of them") {
  auto store = std::make_unique<wf::shared_store<wf::memory_store<std::string>>>();
  const auto copy = *store;
  (void)store->find_or_compute(key(1), [] { return made("kept"); });
  store.reset();
  CHECK(**copy.find_or_compute(key(1), [] { return made("new"); }) == "kept");
  CHECK(copy.store().usage().entries == 1);
}

TEST_CASE("failures and exceptions are not kept") {
  const auto store = wf::in_memory<std::string>();
  const auto fails = []() -> found { return wf::make_error(wf::errc::overflow, "x", "too large"); };
  CHECK(store.find_or_compute(key(1), fails).error().code == wf::errc::overflow);
  CHECK_THROWS_AS(
      (void)store.find_or_compute(key(1), []() -> found { throw std::logic_error("x"); }),
      std::logic_error);
  CHECK(store.counters().store.entries == 0);
  CHECK(**store.find_or_compute(key(1), [] { return made("at last"); }) == "at last");
  CHECK(store.counters().misses == 3);
  CHECK(store.counters().hits == 0);
}

TEST_CASE("the time that hits save is what computing them took") {
  const auto store = wf::in_memory<std::string>();
  const auto slow = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return made("slow");
  };
  (void)store.find_or_compute(key(1), slow);
  CHECK(store.counters().nanoseconds_saved == 0);
  (void)store.find_or_compute(key(1), slow);
  const std::int64_t once = store.counters().nanoseconds_saved;
  CHECK(once >= 20'000'000);
  (void)store.find_or_compute(key(1), slow);
  CHECK(store.counters().nanoseconds_saved == 2 * once);
  CHECK(store.counters().seconds_saved() == doctest::Approx(2e-9 * static_cast<double>(once)));
}

TEST_CASE("a store that fails does not hinder computing") {
  const wf::shared_store<broken_store> store(1);
  for (int i = 0; i < 3; ++i)
    CHECK(**store.find_or_compute(key(1), [] { return made("x"); }) == "x");
  const wf::store_counters counters = store.counters();
  CHECK(counters.misses == 3);
  CHECK(counters.hits == 0);
  // Each `get` before the computation fails, and twice the `put` after it; the store itself reports
  // 100.
  CHECK(counters.store.failures == 100 + 3 + 2);
}

TEST_CASE("a budget limits what is kept, not what is computed") {
  const auto store = wf::in_memory<std::string>(3 * (sizeof(std::string) + 1));
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t k = 0; k < 5; ++k)
      CHECK(**store.find_or_compute(key(k), [&] { return made(std::to_string(k)); }) ==
            std::to_string(k));
  CHECK(store.counters().misses == 10);  // each key is evicted before it is needed again
  CHECK(store.counters().store.entries == 3);
  CHECK(store.counters().store.evictions == 7);

  const auto tiny = wf::in_memory<std::string>(1);
  CHECK(**tiny.find_or_compute(key(1), [] { return made("too large"); }) == "too large");
  CHECK(tiny.counters().store.entries == 0);
}

TEST_CASE("acceptance group 5: sixteen threads make one computation of each key") {
  constexpr int threads = 16, keys = 50;
  const auto store = wf::in_memory<std::string>();
  std::atomic<int> computed = 0, wrong = 0;
  std::latch start(threads);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&] {
      start.arrive_and_wait();
      for (std::uint64_t k = 0; k < keys; ++k) {
        const found out = store.find_or_compute(key(k), [&] {
          ++computed;
          std::this_thread::yield();
          return made(std::to_string(k));
        });
        if (!out || **out != std::to_string(k)) ++wrong;
      }
    });
  }
  for (std::thread& t : all) t.join();
  CHECK(wrong == 0);
  CHECK(computed == keys);
  const wf::store_counters counters = store.counters();
  CHECK(counters.misses == keys);
  // A thread that begins just after another has finished the computation finds it in the store.
  CHECK(counters.hits + counters.misses + counters.waits == threads * keys);
}
