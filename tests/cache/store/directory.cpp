// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/store/directory.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include <doctest/doctest.h>

#include <wf/ir/compare/same.hpp>

#include "../scratch.hpp"

namespace {

namespace fs = std::filesystem;

constexpr wf::digest128 key(std::uint64_t n) { return wf::hasher128('k').word(n).value(); }

template <class T>
wf::stored_stage<T> stage(T value, std::int64_t nanoseconds = 0) {
  return {std::make_shared<const T>(std::move(value)), nanoseconds};
}

std::size_t files_in(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) count += entry.is_regular_file() ? 1 : 0;
  return count;
}

// A value that shows whether it is complete: a number, and a long text derived from it.
std::string value_of(std::uint64_t k, std::uint64_t writer) {
  std::string out = std::to_string(k) + ":" + std::to_string(writer) + ":";
  const std::size_t length = 100 + 997 * (writer % 50);
  while (out.size() < length) out += static_cast<char>('a' + (out.size() * 7 + k + writer) % 26);
  return out;
}
bool is_value_of(std::uint64_t k, const std::string& s) {
  const std::size_t first = s.find(':');
  if (s.substr(0, first) != std::to_string(k)) return false;
  return s == value_of(k, std::stoull(s.substr(first + 1)));
}

// One of several concurrent writers and readers of a folder; returns the number of wrong values
// read.
int hammer(wf::directory_store<std::string>& store, std::uint64_t writer, int rounds) {
  std::mt19937_64 random(writer);
  int wrong = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::uint64_t k = random() % 5;
    if (random() % 2 == 0)
      store.put(key(k), stage(value_of(k, random() % 1000)));
    else if (const auto found = store.get(key(k)))
      wrong += is_value_of(k, *found.value) ? 0 : 1;
  }
  return wrong;
}

}  // namespace

static_assert(wf::stage_store<wf::directory_store<int>>);
static_assert(wf::directory_store<int>::persistent);
static_assert(wf::stage_file_version == 1);

TEST_CASE("a stage in a folder is found by another store of the same folder") {
  const scratch_folder folder;
  {
    wf::directory_store<std::string> store(folder.path() / "below" / "it");
    CHECK_FALSE(store.get(key(1)));
    CHECK(store.usage() == wf::store_usage{});
    store.put(key(1), stage<std::string>("first\nline", 1234));
    CHECK(*store.get(key(1)).value == "first\nline");
    store.put(key(1), stage<std::string>("replaced", 77));
  }
  wf::directory_store<std::string> other(folder.path() / "below" / "it");
  CHECK(*other.get(key(1)).value == "replaced");
  CHECK(other.get(key(1)).nanoseconds == 77);
  CHECK_FALSE(other.get(key(2)));
  CHECK(other.usage().entries == 1);
  CHECK(other.usage().bytes == fs::file_size(other.path_of(key(1))));
  CHECK(files_in(other.folder()) == 1);
}

TEST_CASE("the file of a stage is its format: another one must change its version") {
  const scratch_folder folder;
  wf::directory_store<std::string> store(folder.path());
  store.put(key(1), stage<std::string>("a stage", 5));
  CHECK(scratch_folder::content(store.path_of(key(1))) ==
        "wf.stage 1 3c723eb9d21f4d4d5addd8f21d3676aa 7 5 ab321b7fa2fcf4174bd1e6b1bbb1d6aa\n"
        "a stage");
  CHECK(store.path_of(key(1)).filename() == "3c723eb9d21f4d4d5addd8f21d3676aa.stage");
}

TEST_CASE("graphs, numbers and texts are kept") {
  const scratch_folder folder;
  wf::graph g("g");
  g.add_input("x", {wf::dtype::f64, {}, wf::shape::of(1, "N")});
  wf::directory_store<wf::graph> graphs(folder.path());
  graphs.put(key(1), stage(g));
  CHECK(wf::same(*graphs.get(key(1)).value, g));
  wf::directory_store<double> numbers(folder.path());
  numbers.put(key(2), stage(0.1));
  CHECK(*numbers.get(key(2)).value == 0.1);
  wf::directory_store<wf::text> texts(folder.path());
  texts.put(key(3), stage(wf::text()));
  CHECK(texts.get(key(3)).value->empty());
  // An entry of another type does not count.
  CHECK_FALSE(graphs.get(key(2)));
  CHECK(graphs.usage() == wf::store_usage{3, texts.usage().bytes, 0, 1, 0});
}

TEST_CASE("acceptance group 5: a truncated or changed file is a miss, and is replaced") {
  const scratch_folder folder;
  const auto store = wf::in_directory<std::string>(folder.path());
  int computed = 0;
  const auto ask = [&](std::uint64_t k) {
    const auto out = store.find_or_compute(key(k), [&] {
      ++computed;
      return wf::result<std::shared_ptr<const std::string>>(
          std::make_shared<const std::string>("the stage of key " + std::to_string(k)));
    });
    REQUIRE(out);
    CHECK(**out == "the stage of key " + std::to_string(k));
  };
  ask(1);
  ask(1);
  CHECK(computed == 1);
  const fs::path file = store.store().path_of(key(1));
  const std::string whole = scratch_folder::content(file);
  const auto expect_recomputed = [&](const std::string& content) {
    const int before = computed;
    scratch_folder::write(file, content);
    ask(1);
    CHECK(computed == before + 1);
    ask(1);
    CHECK(computed == before + 1);
  };
  // Every truncation, and every byte changed in several ways.
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    expect_recomputed(whole.substr(0, size));
  }
  std::mt19937_64 random(17);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned flip : {1U, 0x20U, 0x80U, 1 + static_cast<unsigned>(random() % 255)}) {
      CAPTURE(at);
      CAPTURE(flip);
      std::string changed = whole;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
      expect_recomputed(changed);
    }
  }
  expect_recomputed(whole + "x");
  expect_recomputed(whole + whole);
  expect_recomputed("");
  // Random moves, insertions and removals of bytes.
  for (int round = 0; round < 300; ++round) {
    std::string changed = whole;
    for (auto n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % changed.size();
      switch (random() % 3) {
        case 0:
          changed.insert(at, 1, static_cast<char>(random() % 256));
          break;
        case 1:
          changed.erase(at, 1);
          break;
        default:
          std::swap(changed[at], changed[random() % changed.size()]);
      }
    }
    if (changed == whole) continue;
    CAPTURE(round);
    expect_recomputed(changed);
  }
  CHECK(store.counters().store.corrupt == computed - 1);
  CHECK(store.counters().store.failures == 0);
}

TEST_CASE("an entry of another version or of another key is a miss") {
  const scratch_folder folder;
  wf::directory_store<std::string> store(folder.path());
  store.put(key(1), stage<std::string>("one"));
  const std::string one = scratch_folder::content(store.path_of(key(1)));
  std::string foreign = one;
  foreign.replace(foreign.find(" 1 "), 3, " 2 ");
  scratch_folder::write(store.path_of(key(1)), foreign);
  CHECK_FALSE(store.get(key(1)));
  scratch_folder::write(store.path_of(key(2)), one);
  CHECK_FALSE(store.get(key(2)));
  CHECK(store.usage().corrupt == 2);
  store.put(key(2), stage<std::string>("two"));
  CHECK(*store.get(key(2)).value == "two");
}

TEST_CASE("a folder that cannot be used hinders nothing, and says why") {
  const scratch_folder folder;
  scratch_folder::write(folder / "file", "not a folder");
  const auto store = wf::in_directory<int>(folder.path() / "file" / "below");
  for (int i = 0; i < 2; ++i) {
    const auto out = store.find_or_compute(key(1), [] {
      return wf::result<std::shared_ptr<const int>>(std::make_shared<const int>(42));
    });
    REQUIRE(out);
    CHECK(**out == 42);
  }
  CHECK(store.counters().misses == 2);
  CHECK(store.counters().store == wf::store_usage{0, 0, 0, 0, 2});
  const auto usable = store.store().check();
  CHECK(usable.error().code == wf::errc::cache_failed);
  CHECK(usable.error().subject.view() ==
        wf::text_view((folder.path() / "file" / "below").string()));
  CHECK(usable.error().message.view() ==
        wf::text_view("the folder cannot be created: Not a directory"));

  // A folder occupies the name of the entry.
  wf::directory_store<int> odd(folder.path());
  CHECK(odd.check());
  fs::create_directories(odd.path_of(key(1)) / "below");
  odd.put(key(1), stage(1));
  CHECK_FALSE(odd.get(key(1)));
  CHECK(odd.usage().failures == 1);
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a folder that is removed meanwhile is made again") {
  const scratch_folder folder;
  wf::directory_store<int> store(folder.path());
  store.put(key(1), stage(1));
  fs::remove_all(folder.path());
  CHECK_FALSE(store.get(key(1)));
  store.put(key(2), stage(2));
  CHECK(*store.get(key(2)).value == 2);
  CHECK(store.usage() == wf::store_usage{1, store.usage().bytes, 0, 0, 0});
}

TEST_CASE("a limit removes the entries that were written first") {
  const scratch_folder folder;
  const std::string large(1000, 'x');
  wf::directory_store<std::string> store(folder.path(), 3500);
  const auto age = [&](std::uint64_t k, int hours) {
    fs::last_write_time(store.path_of(key(k)),
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (std::uint64_t k = 1; k <= 3; ++k) store.put(key(k), stage(large));
  CHECK(store.usage().entries == 3);
  age(1, 1), age(2, 3), age(3, 2);
  store.put(key(4), stage(large));
  CHECK_FALSE(store.get(key(2)));
  CHECK(store.get(key(1)));
  store.put(key(5), stage(large));
  CHECK_FALSE(store.get(key(3)));
  CHECK(store.usage().entries == 3);
  CHECK(store.usage().bytes <= 3500);
  CHECK(store.usage().evictions == 2);
  // The newest entry is kept even if the clock claims that it is the oldest.
  age(1, -1), age(4, -1), age(5, -1);
  store.put(key(6), stage(large));
  CHECK(store.get(key(6)));
  CHECK(store.usage().entries == 3);
  // An entry larger than the limit is not written.
  store.put(key(7), stage(std::string(3500, 'x')));
  CHECK_FALSE(store.get(key(7)));
  CHECK(store.usage() == wf::store_usage{3, store.usage().bytes, 4, 0, 0});
  // Entries of another process count towards the limit.
  wf::directory_store<std::string> other(folder.path(), 2400);
  other.put(key(8), stage(large));
  CHECK(other.usage().entries == 2);
  CHECK(other.get(key(8)));
}

TEST_CASE("files of processes that ended while they wrote are removed after a while") {
  const scratch_folder folder;
  wf::directory_store<int> store(folder.path());
  store.put(key(1), stage(1));
  scratch_folder::write(folder.path() / "a.stage.1.tmp", "old");
  scratch_folder::write(folder.path() / "a.stage.2.tmp", "new");
  fs::last_write_time(folder.path() / "a.stage.1.tmp",
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  CHECK(store.usage().entries == 1);
  CHECK_FALSE(fs::exists(folder.path() / "a.stage.1.tmp"));
  CHECK(fs::exists(folder.path() / "a.stage.2.tmp"));
}

TEST_CASE("several threads share a folder: no entry is ever torn") {
  const scratch_folder folder;
  std::vector<std::unique_ptr<wf::directory_store<std::string>>> stores;
  for (int i = 0; i < 3; ++i)
    stores.push_back(std::make_unique<wf::directory_store<std::string>>(
        folder.path(), i == 0 ? 60000 : wf::directory_store<std::string>::unlimited));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 9; ++t)
    threads.emplace_back([&, t] { wrong += hammer(*stores[t % 3], t, 200); });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
  for (const auto& store : stores) {
    CHECK(store->usage().corrupt == 0);
    CHECK(store->usage().failures == 0);
  }
  for (const auto& entry : fs::directory_iterator(folder.path()))
    CHECK(entry.path().extension() == ".stage");
}

TEST_CASE("several processes share a folder: no entry is ever torn") {
  const scratch_folder folder;
  std::vector<pid_t> children;
  for (std::uint64_t p = 0; p < 6; ++p) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      // The processes have equal memory and may choose the same names for temporary files.
      wf::directory_store<std::string> store(
          folder.path(), p == 0 ? 60000 : wf::directory_store<std::string>::unlimited);
      const int wrong = hammer(store, p, 250);
      const wf::store_usage usage = store.usage();
      ::_exit(wrong == 0 && usage.corrupt == 0 && usage.failures == 0 ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  wf::directory_store<std::string> store(folder.path());
  std::size_t whole = 0;
  for (std::uint64_t k = 0; k < 5; ++k)
    if (const auto found = store.get(key(k))) whole += is_value_of(k, *found.value) ? 1 : 0;
  CHECK(whole == store.usage().entries);
  CHECK(whole == files_in(folder.path()));
}
