// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/store/store.hpp>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr wf::digest128 key(std::uint64_t n) { return wf::hasher128('k').word(n).value(); }

template <class T>
wf::stored_stage<T> stage(T value, std::int64_t nanoseconds = 0) {
  return {std::make_shared<const T>(std::move(value)), nanoseconds};
}

// A stage with a stated size.
struct block {
  std::size_t bytes = 0;
  int id = 0;
  friend std::size_t stage_bytes(const block& b) { return b.bytes; }
};

// A reference LRU store with linear search.
class slow_lru {
 public:
  explicit slow_lru(std::size_t budget) : budget_(budget) {}
  int get(std::uint64_t k) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].key != k) continue;
      std::rotate(entries_.begin() + static_cast<long>(i),
                  entries_.begin() + static_cast<long>(i) + 1, entries_.end());
      return entries_.back().value.id;
    }
    return -1;
  }
  void put(std::uint64_t k, const block& value) {
    std::erase_if(entries_, [&](const entry& e) { return e.key == k; });
    if (value.bytes > budget_) {
      ++evictions_;
      return;
    }
    entries_.push_back({k, value});
    for (; bytes() > budget_; ++evictions_) entries_.erase(entries_.begin());
  }
  std::size_t bytes() const {
    std::size_t out = 0;
    for (const entry& e : entries_) out += e.value.bytes;
    return out;
  }
  wf::store_usage usage() const { return {entries_.size(), bytes(), evictions_}; }

 private:
  struct entry {
    std::uint64_t key;
    block value;
  };
  std::size_t budget_;
  std::vector<entry> entries_;  // in order of use, the most recent last
  std::int64_t evictions_ = 0;
};

}  // namespace

static_assert(wf::stage_store<wf::memory_store<int>>);
static_assert(wf::stage_store<wf::lru_store<std::string>>);
static_assert(!wf::memory_store<int>::persistent && !wf::lru_store<int>::persistent);
static_assert(wf::digest_hash{}(key(1)) == key(1).low);

TEST_CASE("a store in memory returns the object that was put in") {
  wf::memory_store<std::string> store;
  CHECK_FALSE(store.get(key(1)));
  CHECK(store.usage() == wf::store_usage{});
  CHECK(wf::store_usage{} == wf::store_usage{0, 0, 0, 0, 0});
  const auto first = stage<std::string>("first", 17);
  store.put(key(1), first);
  CHECK(store.get(key(1)).value == first.value);
  CHECK(store.get(key(1)).nanoseconds == 17);
  CHECK_FALSE(store.get(key(2)));

  store.put(key(2), stage<std::string>("second"));
  CHECK(store.usage() == wf::store_usage{2, 2 * sizeof(std::string) + 11});
  store.put(key(1), stage<std::string>("one"));
  CHECK(*store.get(key(1)).value == "one");
  CHECK(store.usage() == wf::store_usage{2, 2 * sizeof(std::string) + 9});
  CHECK(*first.value == "first");
}

TEST_CASE("a store without a limit takes stages of unknown size, and counts them by their type") {
  wf::memory_store<std::unique_ptr<int>> store;
  store.put(key(1), stage(std::make_unique<int>(3)));
  CHECK(**store.get(key(1)).value == 3);
  CHECK(store.usage() == wf::store_usage{1, sizeof(std::unique_ptr<int>)});

  const auto count_ten = [](const std::string&) { return std::size_t{10}; };
  wf::memory_store<std::string, decltype(count_ten)> tens{count_ten};
  tens.put(key(1), stage<std::string>("any"));
  CHECK(tens.usage() == wf::store_usage{1, 10});
}

TEST_CASE("a store with a budget removes what was not used for the longest time") {
  wf::lru_store<block> store(100);
  CHECK(store.budget() == 100);
  for (int id = 1; id <= 3; ++id)
    store.put(key(static_cast<std::uint64_t>(id)), stage(block{30, id}));
  CHECK(store.usage() == wf::store_usage{3, 90});
  CHECK(store.get(key(1)).value->id == 1);  // 2 is now the oldest
  store.put(key(4), stage(block{20, 4}));
  CHECK_FALSE(store.get(key(2)));
  CHECK(store.usage() == wf::store_usage{3, 80, 1});
  store.put(key(5), stage(block{100, 5}));
  CHECK(store.usage() == wf::store_usage{1, 100, 4});
  CHECK(store.get(key(5)).value->id == 5);
}

TEST_CASE("a stage that is larger than the budget is not kept, nor is the one it replaces") {
  wf::lru_store<block> store(100);
  store.put(key(1), stage(block{60, 1}));
  store.put(key(2), stage(block{101, 2}));
  CHECK_FALSE(store.get(key(2)));
  CHECK(store.get(key(1)));
  CHECK(store.usage() == wf::store_usage{1, 60, 1});
  store.put(key(1), stage(block{static_cast<std::size_t>(-1), 3}));
  CHECK_FALSE(store.get(key(1)));
  CHECK(store.usage() == wf::store_usage{0, 0, 2});
  wf::lru_store<block> none(0);
  none.put(key(1), stage(block{1, 1}));
  none.put(key(2), stage(block{0, 2}));
  CHECK_FALSE(none.get(key(1)));
  CHECK(none.get(key(2)));
}

TEST_CASE("a store with a budget does what a naive one does, over random operations") {
  for (const std::size_t budget : {0U, 1U, 50U, 100U, 1000U}) {
    CAPTURE(budget);
    std::mt19937_64 random(budget + 11);
    wf::lru_store<block> store(budget);
    slow_lru model(budget);
    for (int id = 0; id < 6000; ++id) {
      const std::uint64_t k = random() % 20;
      if (random() % 2 == 0) {
        const auto found = store.get(key(k));
        CHECK((found ? found.value->id : -1) == model.get(k));
      } else {
        const block b{random() % (random() % 8 == 0 ? 130 : 40), id};
        store.put(key(k), stage(b));
        model.put(k, b);
      }
      REQUIRE(store.usage() == model.usage());
      REQUIRE(store.usage().bytes <= budget);
    }
  }
}

TEST_CASE("stores are used by several threads at once") {
  wf::memory_store<std::string> all;
  wf::lru_store<std::string> some(100 * sizeof(std::string));
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(static_cast<std::uint64_t>(t));
      for (int i = 0; i < 3000; ++i) {
        const std::uint64_t k = random() % 100;
        if (random() % 3 == 0) {
          all.put(key(k), stage(std::to_string(k)));
          some.put(key(k), stage(std::to_string(k)));
        } else {
          for (const auto& found : {all.get(key(k)), some.get(key(k))})
            if (found && *found.value != std::to_string(k)) ++wrong;
          if (some.usage().bytes > some.budget()) ++wrong;
        }
      }
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
  CHECK(all.usage().entries == 100);
  CHECK(some.usage().entries < 100);
}
