// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/store/single_flight.hpp>

#include <latch>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using flights = wf::single_flight<int>;
using outcome = flights::outcome;

constexpr wf::digest128 key(std::uint64_t n) { return wf::hasher128('k').word(n).value(); }
outcome made(int value) { return std::make_shared<const int>(value); }
// Blocks until that many threads wait for a flight.
void await(const flights& f, std::size_t waiting) {
  while (f.waiting() < waiting) std::this_thread::yield();
}

// Calls f(index) in several threads at once.
template <class F>
void in_threads(int count, F f) {
  std::latch start(count);
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      f(static_cast<std::size_t>(t));
    });
  for (std::thread& t : threads) t.join();
}

// Keeps caught exceptions until all threads have ended, so that no thread destroys an exception
// that others have read. The standard library synchronises this, but by reference counts in code
// without instrumentation, which the thread sanitizer would report as a race.
class caught_exceptions {
 public:
  // Keeps the exception that the thread is handling.
  void keep(std::size_t thread) { caught_[thread] = std::current_exception(); }

 private:
  std::exception_ptr caught_[8];
};

// The messages of an exception and of those nested in it.
std::string story(const std::exception& e) {
  std::string out = e.what();
  try {
    std::rethrow_if_nested(e);
  } catch (const std::exception& inside) {
    out += " < " + story(inside);
  }
  return out;
}

}  // namespace

TEST_CASE(
    "acceptance group 5: concurrent computations of one key are one, of which all get the "
    "result") {
  flights f;
  std::atomic<int> computed = 0, waits = 0;
  std::shared_ptr<const int> found[16];
  in_threads(16, [&](std::size_t t) {
    bool waited = false;
    const outcome out = f.run(
        key(1),
        [&] {
          ++computed;
          await(f, 15);
          return made(42);
        },
        waited);
    waits += waited ? 1 : 0;
    if (out) found[t] = *out;
  });
  CHECK(computed + waits == 16);
  CHECK(f.waiting() == 0);
  CHECK(computed == 1);
  for (const auto& p : found) CHECK(p == found[0]);
  CHECK(*found[0] == 42);
}

TEST_CASE("nothing is kept: the next one computes again") {
  flights f;
  bool waited = true;
  CHECK(**f.run(key(1), [] { return made(1); }, waited) == 1);
  CHECK_FALSE(waited);
  CHECK(**f.run(key(1), [] { return made(2); }, waited) == 2);
}

TEST_CASE("a failure is handed to all who wait") {
  flights f;
  std::atomic<int> computed = 0, failed = 0;
  in_threads(8, [&](std::size_t) {
    bool waited = false;
    const outcome out = f.run(
        key(1),
        [&]() -> outcome {
          ++computed;
          await(f, 7);
          return wf::make_error(wf::errc::overflow, "x", "too large");
        },
        waited);
    if (!out && out.error() == wf::make_error(wf::errc::overflow, "x", "too large")) ++failed;
  });
  CHECK(computed == 1);
  CHECK(failed == 8);
}

TEST_CASE("an exception is thrown in all who wait, and steps write their path into their own") {
  flights f;
  caught_exceptions caught;
  std::atomic<int> computed = 0, right = 0;
  const auto fails = [&]() -> outcome {
    ++computed;
    await(f, 7);
    try {
      throw std::runtime_error("the cause");
    } catch (...) {
      wf::detail::leave_by_exception("inner");
    }
  };
  in_threads(8, [&](std::size_t t) {
    bool waited = false;
    try {
      // Adds context to the exception, as a toolchain does for a step.
      try {
        (void)f.run(key(1), fails, waited);
      } catch (...) {
        wf::detail::leave_by_exception(("outer" + std::to_string(t)).c_str());
      }
    } catch (const std::exception& e) {
      caught.keep(t);
      const std::string path = "outer" + std::to_string(t) + "/inner";
      if (story(e) == "an exception left step '" + path + "' < the cause") ++right;
    }
  });
  CHECK(computed == 1);
  CHECK(right == 8);

  std::atomic<int> plain = 0, numbers = 0, bare = 0;
  const auto throws = [&](auto exception) {
    return [&f, exception]() -> outcome {
      await(f, 3);
      throw exception;
    };
  };
  caught_exceptions caught_plain, caught_numbers, caught_bare;
  in_threads(4, [&](std::size_t t) {
    bool waited = false;
    try {
      (void)f.run(key(1), throws(std::logic_error("plain")), waited);
    } catch (const std::logic_error& e) {
      caught_plain.keep(t);
      plain += e.what() == std::string("plain") ? 1 : 0;
    }
  });
  in_threads(4, [&](std::size_t t) {
    bool waited = false;
    try {
      (void)f.run(key(2), throws(3), waited);
    } catch (int n) {
      caught_numbers.keep(t);
      numbers += n == 3 ? 1 : 0;
    }
  });
  in_threads(4, [&](std::size_t t) {
    bool waited = false;
    try {
      (void)f.run(key(3), throws(wf::step_exception("s")), waited);
    } catch (const wf::step_exception& e) {
      caught_bare.keep(t);
      bare += story(e) == "an exception left step 's'" ? 1 : 0;
    }
  });
  CHECK(plain == 4);
  CHECK(numbers == 4);
  CHECK(bare == 4);
}

TEST_CASE("a computation may need other keys, but not its own") {
  flights f;
  bool waited = false;
  const outcome deep = f.run(
      key(1),
      [&] {
        bool inside = false;
        const outcome other = f.run(key(2), [] { return made(20); }, inside);
        return made(**other + 1);
      },
      waited);
  CHECK(**deep == 21);

  const outcome own = f.run(
      key(1),
      [&] {
        bool inside = true;
        outcome again = f.run(key(1), [] { return made(0); }, inside);
        CHECK_FALSE(inside);
        return again;
      },
      waited);
  CHECK(own.error().code == wf::errc::cache_failed);
  CHECK_FALSE(waited);
  // The computation has ended, and the key can be computed again.
  CHECK(**f.run(key(1), [] { return made(3); }, waited) == 3);
}

TEST_CASE("computations that need each other's results in several threads do not wait forever") {
  // Each thread computes one key and requests the next: a cycle that no single thread can see.
  for (const int size : {2, 3, 5}) {
    CAPTURE(size);
    std::vector<std::unique_ptr<flights>> stores;
    for (int i = 0; i < size; ++i) stores.push_back(std::make_unique<flights>());
    std::latch all_computing(size);
    std::atomic<int> refused = 0;
    in_threads(size, [&](std::size_t t) {
      const std::size_t next = (t + 1) % static_cast<std::size_t>(size);
      bool waited = false;
      (void)stores[t]->run(
          key(t),
          [&]() -> outcome {
            all_computing.arrive_and_wait();
            bool inside = false;
            outcome other =
                stores[next]->run(key(next), []() -> outcome { return made(0); }, inside);
            refused += !other && !inside ? 1 : 0;
            return other;
          },
          waited);
    });
    CHECK(refused >= 1);
  }
}

TEST_CASE("threads that wait in a row, not in a circle, get their results") {
  flights f;
  std::atomic<int> sum = 0;
  in_threads(8, [&](std::size_t t) {
    // Key n needs key n + 1; every thread starts at another key.
    const auto value_of = [&](auto& self, std::size_t n) -> outcome {
      bool waited = false;
      return f.run(
          key(n),
          [&]() -> outcome {
            if (n == 8) return made(1);
            const outcome next = self(self, n + 1);
            return next ? made(**next + 1) : next;
          },
          waited);
    };
    if (const outcome out = value_of(value_of, t)) sum += **out;
  });
  CHECK(sum == 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2);
}
