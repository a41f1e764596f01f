// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/text_store.hpp>

#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr bool outlives_its_origin() {
  wf::text_view kept;
  wf::text_store copy;
  {
    wf::text_store store;
    kept = store.keep("made up");
    copy = store;
    for (int i = 0; i < 20; ++i) (void)store.keep("another");
  }
  return kept == "made up";
}
static_assert(outlives_its_origin());

}  // namespace

TEST_CASE("views stay valid while any copy lives, however stores are copied and moved") {
  const std::uint64_t seed = 7;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  struct kept {
    wf::text_store store;
    std::vector<std::pair<wf::text_view, std::string>> texts;
  };
  std::vector<kept> all(1);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t at = random() % all.size();
    switch (random() % 4) {
      case 0: {
        const std::string s = std::to_string(random());
        all[at].texts.emplace_back(all[at].store.keep(wf::text_view(s)), s);
        break;
      }
      case 1:
        if (all.size() < 20) all.push_back(kept(all[at]));
        break;
      case 2:
        if (all.size() > 1) all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      default:
        all[at] = kept(all[random() % all.size()]);
    }
  }
  for (const kept& k : all)
    for (const auto& [view, wanted] : k.texts) CHECK(view == wf::text_view(wanted));
}

TEST_CASE("a store can be assigned to itself, and an empty one copied") {
  wf::text_store a;
  wf::text_store b = a;
  const wf::text_view kept = b.keep(wf::text("x"));
  const wf::text_store& same = b;
  b = same;
  CHECK(kept == "x");
}

TEST_CASE("copies are made and destroyed on several threads") {
  wf::text_store store;
  const wf::text_view kept = store.keep("shared");
  const wf::text_store own = store;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([copy = store] {
      for (int i = 0; i < 2000; ++i) (void)wf::text_store(copy);
    });
  store = {};
  for (std::thread& t : threads) t.join();
  CHECK(kept == "shared");
}
