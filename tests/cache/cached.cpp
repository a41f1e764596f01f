// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/cached.hpp>

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <latch>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cache/fingerprint/graph.hpp>
#include <wf/cache/store/directory.hpp>
#include <wf/ir/form/parse.hpp>

#include "../toolchain/stages.hpp"

namespace {

namespace fs = std::filesystem;
using numbers = std::vector<int>;

// How often the steps below were executed.
std::atomic<int> runs = 0;

struct scale {
  int factor = 1;
  int operator()(const int& x) const { return ++runs, factor * x; }
};
const auto reversed = wf::step<"reversed">([](const numbers& x) {
  ++runs;
  return numbers(x.rbegin(), x.rend());
});
const auto digits = wf::step<"digits">([](const std::string& s) -> wf::result<int> {
  ++runs;
  if (s.empty() || s[0] < '0' || s[0] > '9')
    return wf::make_error(wf::errc::formula_syntax, "", "expected a digit");
  return std::stoi(s);
});
const auto sum = [](const numbers& x) { return std::accumulate(x.begin(), x.end(), 0); };

template <int N>
int plus(const int& x) {
  return x + N;
}

struct temporary_folder {
  fs::path path = fs::temp_directory_path() / ("wf-cached-" + std::to_string(::getpid()));
  temporary_folder() { fs::remove_all(path); }
  ~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

int runs_of(auto&& f) {
  const int before = runs;
  f();
  return runs - before;
}

}  // namespace

static_assert(wf::step_type<decltype(wf::cached(reversed, wf::in_memory<numbers>()))>);
static_assert(wf::cache_version<const char*> && wf::cache_version<int> &&
              wf::cache_version<std::string> && wf::cache_version<wf::text> &&
              !wf::cache_version<double>);

TEST_CASE("acceptance group 5: the same key returns the same stored object") {
  const auto step = wf::cached(reversed, wf::in_memory<numbers>());
  CHECK(runs_of([&] {
          const auto first = step.shared({1, 2, 3}), second = step.shared({1, 2, 3});
          CHECK(**first == numbers{3, 2, 1});
          CHECK(*first == *second);
          CHECK(*step.shared({1, 2, 4}) != *first);
        }) == 2);
  CHECK(step({1, 2, 3}) == numbers{3, 2, 1});
  CHECK(decltype(step)::name() == wf::text_view("reversed"));
  CHECK(step.store().counters().hits == 2);
  CHECK(step.store().counters().misses == 2);
}

TEST_CASE("acceptance group 5: another configuration of the step has other keys") {
  const auto store = wf::in_memory<int>();
  const auto with = [&](int v) { return wf::cached(wf::step<"scale">(scale{v}), store); };
  CHECK(with(1).key_of(42) != with(2).key_of(42));
  CHECK(with(1).key_of(42) == with(1).key_of(42));
  CHECK(with(1).key_of(42) != with(1).key_of(43));
  CHECK(runs_of([&] {
          for (int round = 0; round < 3; ++round) {
            CHECK(with(1)(42) == 42);
            CHECK(with(2)(42) == 84);
          }
        }) == 2);
  // Versions and names are part of the key.
  const auto version = [&](auto v) { return wf::cached(wf::step<"scale">(scale{1}), store, v); };
  CHECK(version("1").key_of(42) != version("2").key_of(42));
  CHECK(version("1").key_of(42) == version(std::string("1")).key_of(42));
  CHECK(version(1).key_of(42) != version(2).key_of(42));
  CHECK(version(1).key_of(42) != version("1").key_of(42));
  CHECK(version("1").key_of(42) != with(1).key_of(42));
  CHECK(version("1").key_of(42) != wf::cached(wf::step<"other">(scale{1}), store, "1").key_of(42));
  // So are the steps inside of other steps.
  const auto chain = [&](int v) {
    return wf::cached(wf::chain<"all">(wf::step<"a">(scale{3}), wf::step<"b">(scale{v})), store);
  };
  CHECK(chain(1)(2) == 6);
  CHECK(chain(5)(2) == 30);
  CHECK(chain(1)(2) == 6);
}

TEST_CASE("acceptance group 5: a key ignores the order of a map") {
  using ordered = std::map<std::string, int>;
  const auto store = wf::in_memory<int>();
  const auto step = wf::cached(
      wf::step<"size">([](const ordered& m) { return ++runs, static_cast<int>(m.size()); }), store);
  ordered forward, backward;
  for (int i = 0; i < 9; ++i) forward.emplace(std::to_string(i), i);
  for (int i = 9; i-- > 0;) backward.emplace(std::to_string(i), i);
  CHECK(step.key_of(forward) == step.key_of(backward));
  CHECK(runs_of([&] { CHECK(step(forward) == step(backward)); }) == 1);
  backward["0"] = 7;
  CHECK(step.key_of(forward) != step.key_of(backward));
}

TEST_CASE("acceptance group 5: [1,2,3] and [3,2,1] collide under a fingerprint that is a sum") {
  const auto step = wf::cached(reversed, wf::in_memory<numbers>(), sum);
  CHECK(step.key_of({1, 2, 3}) == step.key_of({3, 2, 1}));
  CHECK(step({1, 2, 3}) == numbers{3, 2, 1});
  CHECK(step({3, 2, 1}) == numbers{3, 2, 1});  // the store identifies these inputs by design
  CHECK(step({3, 2, 2}) == numbers{2, 2, 3});
  const auto exact = wf::cached(reversed, step.store());
  CHECK(exact.key_of({1, 2, 3}) != exact.key_of({3, 2, 1}));
  CHECK(exact({3, 2, 1}) == numbers{1, 2, 3});
}

TEST_CASE("acceptance group 5: a truncated file is computed again") {
  const temporary_folder folder;
  const auto make = [&] { return wf::cached(digits, wf::in_directory<int>(folder.path), "1"); };
  CHECK(runs_of([&] { CHECK(*make()("42") == 42); }) == 1);
  CHECK(runs_of([&] { CHECK(*make()("42") == 42); }) == 0);
  const auto step = make();
  const fs::path file = step.store().store().path_of(step.key_of("42"));
  fs::resize_file(file, fs::file_size(file) - 1);
  CHECK(runs_of([&] { CHECK(*step("42") == 42); }) == 1);
  CHECK(runs_of([&] { CHECK(*make()("42") == 42); }) == 0);
  CHECK(step.store().counters().store.corrupt == 1);
  // Another version has other keys.
  CHECK(runs_of([&] {
          CHECK(*wf::cached(digits, wf::in_directory<int>(folder.path), "2")("42") == 42);
        }) == 1);
}

TEST_CASE("acceptance group 5: sixteen threads run the step once") {
  const auto slow = wf::step<"slow">([](const int& x) {
    ++runs;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return std::to_string(x);
  });
  const auto step = wf::cached(slow, wf::in_memory<std::string>());
  std::shared_ptr<const std::string> found[16];
  std::latch start(16);
  CHECK(runs_of([&] {
          std::vector<std::thread> threads;
          for (auto& place : found)
            threads.emplace_back([&] {
              start.arrive_and_wait();
              place = *step.shared(42);
            });
          for (std::thread& t : threads) t.join();
        }) == 1);
  for (const auto& place : found) CHECK(place == found[0]);
  const wf::store_counters counters = step.store().counters();
  CHECK(counters.misses == 1);
  CHECK(counters.hits + counters.waits == 15);
}

TEST_CASE("the key of a versioned step is the same everywhere, that of others only in here") {
  const auto store = wf::in_memory<int>();
  const auto versioned = wf::cached(wf::step<"scale">(scale{2}), store, "1");
  CHECK(wf::to_text(versioned.key_of(42)) == wf::text("89b64064c985569c392853347eb100bc"));
  // Without a version, code is identified by its type.
  const auto add = [&](auto f) { return wf::cached(wf::step<"add">(f), store); };
  const auto one = add([](const int& x) { return x + 1; });
  const auto two = add([](const int& x) { return x + 2; });
  CHECK(one.key_of(1) != two.key_of(1));
  CHECK(one(1) == 2);
  CHECK(two(1) == 3);
  // Functions behind pointers are identified by their addresses, also inside of another cached
  // step.
  const auto first = add(&plus<1>), second = add(&plus<2>);
  CHECK(first.key_of(1) != second.key_of(1));
  CHECK(first.key_of(1) == add(&plus<1>).key_of(1));
  const auto outer = [&](const auto& inner) { return wf::cached(inner, wf::in_memory<int>()); };
  CHECK(outer(first).key_of(1) != outer(second).key_of(1));
  CHECK(outer(first).key_of(1) == outer(first).key_of(1));
}

TEST_CASE("state that cannot be seen needs a version, which then speaks for it") {
  const auto store = wf::in_memory<int>();
  const auto add = [&](int n, const std::string& version) {
    return wf::cached(wf::step<"add">([n](const int& x) { return x + n; }), store, version);
  };
  CHECK(add(1, "1")(10) == 11);
  CHECK(add(2, "2")(10) == 12);
  CHECK(add(3, "2")(10) == 12);  // the version claims that nothing has changed
}

TEST_CASE("failures and exceptions are not kept") {
  const auto step = wf::cached(digits, wf::in_memory<int>());
  CHECK(runs_of([&] {
          for (int round = 0; round < 2; ++round) {
            CHECK(step("x").error().code == wf::errc::formula_syntax);
            CHECK(*step("7") == 7);
          }
        }) == 3);
  CHECK(step.shared("x").error().code == wf::errc::formula_syntax);

  int attempts = 0;
  const auto moody = wf::cached(wf::step<"moody">([&attempts](const int& x) {
                                  if (++attempts == 1) throw std::runtime_error("not today");
                                  return x;
                                }),
                                wf::in_memory<int>(), "1");
  CHECK_THROWS_AS(moody(1), std::runtime_error);
  CHECK(moody(1) == 1);
  CHECK(moody(1) == 1);
  CHECK(attempts == 2);
}

TEST_CASE("a cached step is a step: in toolchains, with paths, replaced and traced") {
  const auto store = wf::in_memory<stages::listing>();
  const auto w = stages::nested.wrap<"back">([&](auto back) { return wf::cached(back, store); });
  stages::diary first, second;
  CHECK(w(stages::text_of("73"), first)->characters == wf::text("73.5"));
  CHECK(first.lines == wf::text(">parse <parse >back >back/operate <back/operate >back/print "
                                "<back/print <back "));
  // A hit skips the steps inside.
  CHECK(w(stages::text_of("73"), second)->characters == wf::text("73.5"));
  CHECK(second.lines == wf::text(">parse <parse >back <back "));
  const auto failed = w(stages::text_of("7x"));
  CHECK(failed.error().code == wf::errc::formula_syntax);

  // A replaced inner step has another type, so that keys in the same store differ.
  const auto other = w.replace<"back/operate">([](long x) { return stages::number{x * 10 + 1}; });
  CHECK(other(stages::text_of("73"))->characters == wf::text("73.1"));
  CHECK(w(stages::text_of("73"))->characters == wf::text("73.5"));
  CHECK(other(stages::text_of("73"))->characters == wf::text("73.1"));
  CHECK(store.counters().misses == 2);
  CHECK(w.describe().size() == 4);
}

TEST_CASE("cached steps inside of cached steps: in memory before a folder") {
  const temporary_folder folder;
  const auto inner = wf::cached(digits, wf::in_directory<int>(folder.path), "1");
  const auto outer = wf::cached(inner, wf::in_memory<int>());
  CHECK(runs_of([&] {
          CHECK(*outer("5") == 5);
          CHECK(*outer("5") == 5);
          CHECK(*inner("5") == 5);
        }) == 1);
  CHECK(outer.store().counters().hits == 1);
  CHECK(inner.store().counters().hits == 1);
  CHECK(*outer.shared("5") == *outer.shared("5"));
  // The version of an inner step is part of the key of the outer one.
  const auto newer = wf::cached(wf::cached(digits, inner.store(), "2"), outer.store());
  CHECK(newer.key_of("5") != outer.key_of("5"));
}

namespace {

// Fibonacci numbers by a step that calls itself for smaller ones, or for the same one.
struct fibonacci {
  using in = int;
  using out = long;
  static constexpr wf::text_view name() { return "fibonacci"; }
  static constexpr bool fallible = false;
  wf::not_fingerprinted<std::function<long(int)>*> self;
  int endless = -1;
  long operator()(const int& n) const {
    ++runs;
    if (n == endless) return (*self.value)(n);
    return n < 2 ? n : (*self.value)(n - 1) + (*self.value)(n - 2);
  }
};

}  // namespace

TEST_CASE("a step may ask itself for other keys; for its own it gets an error, not a deadlock") {
  std::function<long(int)> self;
  const auto step = wf::cached(fibonacci{{&self}}, wf::in_memory<long>());
  self = [&](int n) { return step(n); };
  CHECK(runs_of([&] { CHECK(step(60) == 1548008755920); }) == 61);

  const auto endless = wf::cached(fibonacci{{&self}, 10}, wf::in_memory<long>());
  self = [&](int n) { return endless(n); };
  CHECK(endless(9) == 34);
  CHECK_THROWS_WITH_AS(
      endless(12),
      "WF808 in 'fibonacci': a cached step needs its own result: it would wait for "
      "itself",
      std::logic_error);
  CHECK_THROWS_AS((void)endless.shared(10), std::logic_error);

  std::function<wf::result<int>(int)> again;
  const auto own = wf::cached(wf::step<"own">([&](const int& n) { return again(n); }),
                              wf::in_memory<int>(), "1");
  again = [&](int n) { return n == 0 ? wf::result<int>(0) : own(n % 3); };
  CHECK(own(2).error().code == wf::errc::cache_failed);
  CHECK(own(2).error().subject == wf::text("own"));
  CHECK(*own(3) == 0);
}

TEST_CASE("a stage that nobody else needs is moved into the step") {
  using boxed = std::unique_ptr<int>;
  const auto unbox = wf::cached(
      wf::step<"unbox">([](boxed&& b) { return ++runs, *std::exchange(b, nullptr) + 1; }),
      wf::in_memory<int>());
  boxed first = std::make_unique<int>(1), second = std::make_unique<int>(1);
  CHECK(unbox(std::move(first)) == 2);
  CHECK(first == nullptr);
  CHECK(unbox(std::move(second)) == 2);
  CHECK(second != nullptr);  // a hit: the step did not run and did not consume its argument
  static_assert(!std::invocable<decltype(unbox), const boxed&>);
}

TEST_CASE("graphs are kept by what of them the product shows") {
  const auto graph_of = [](const char* name) {
    return *wf::parse_graph(
        (wf::text("wf.graph 1 \"w\"\ninput \"x\" : f64[2]\nnode nn.relu(%0) named \"")
         << name << "\" -> f64[2]\noutput \"y\" = %1\n")
            .view());
  };
  const auto count = wf::step<"count">([](const wf::graph& g) {
    ++runs;
    return static_cast<int>(g.view().nodes.size());
  });
  const auto strict = wf::cached(count, wf::in_memory<int>());
  CHECK(runs_of([&] { CHECK(strict(graph_of("a")) == strict(graph_of("b"))); }) == 2);
  const auto semantic = wf::cached(count, wf::in_memory<int>(), wf::semantic_key{});
  CHECK(runs_of([&] { CHECK(semantic(graph_of("a")) == semantic(graph_of("b"))); }) == 1);
  // A store of graphs in a folder.
  const temporary_folder folder;
  const auto label = wf::step<"label">([](const wf::graph& g) {
    wf::graph out = g;
    out.set_name(wf::node_id{0}, "labelled");
    return ++runs, out;
  });
  for (int round = 0; round < 2; ++round) {
    const auto kept = wf::cached(label, wf::in_directory<wf::graph>(folder.path), 1);
    CHECK(runs_of([&] {
            const wf::graph g = kept(graph_of("a"));
            CHECK(g.view().label(wf::node_id{0}) == wf::text("labelled"));
          }) == 1 - round);
  }
}
