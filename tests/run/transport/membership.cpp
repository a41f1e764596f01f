// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/membership.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <utility>
#include <vector>

namespace {

using message = wf::gather_message;

// Processes that gather, run, die and are started again, on links that are slow by chance.
class commuters {
 public:
  commuters(std::uint32_t ranks, std::uint64_t seed) : random_(seed), all_(ranks) {
    links_.resize(ranks, std::vector<std::deque<letter>>(ranks));
    for (std::uint32_t r = 0; r < ranks; ++r) start(r);
  }

  // One process does something, or hears of something.
  void step() {
    const std::uint32_t r = below(size());
    if (below(4) != 0) return hear(r, below(size()));
    wf::membership& here = all_[r].state;
    if (!here.is_settled()) return;
    if (all_[r].left == 0) {
      all_[r].waits = true;
      here.gather(sender{*this, r});
      all_[r].left = 1 + below(2);
    } else {
      --all_[r].left;
      here.begin();
    }
    note(r);
  }
  // A process dies, and is started again at once; some of what it has sent is on its way.
  void restart(std::uint32_t r) {
    for (std::uint32_t q = 0; q < size(); ++q) {
      if (q == r) continue;
      lose_some(r, q);
      links_[r][q].push_back({letter::loss, all_[r].life, {}});
      links_[q][r].clear();
    }
    start(r);
  }
  // The connection of two processes breaks, and there is another one.
  void cut(std::uint32_t r, std::uint32_t q) {
    if (r == q) return;
    loses_ = true;
    for (const auto& [from, to] : {std::pair(r, q), std::pair(q, r)}) {
      lose_some(from, to);
      links_[from][to].push_back({letter::loss, all_[from].life, {}});
      links_[from][to].push_back({letter::hello, all_[from].life, {}});
    }
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  // When all have heard what was on its way, two members with one decision count each other as
  // lost, or neither does.
  void check_symmetry() {
    for (bool any = true; any;) {
      any = false;
      for (std::uint32_t r = 0; r < size(); ++r)
        for (std::uint32_t q = 0; q < size(); ++q)
          for (; !links_[q][r].empty(); any = true) hear(r, q);
    }
    for (std::uint32_t r = 0; r < size(); ++r)
      for (std::uint32_t q = 0; q < r; ++q) {
        const auto &a = all_[r], &b = all_[q];
        // What process 0 has decided is not noted before it is settled.
        if (!a.state.is_gathering() && !b.state.is_gathering())
          CHECK((a.state.is_settled() && b.state.is_settled()));
        if (!a.state.is_settled() || !b.state.is_settled()) continue;
        if (!a.decided.empty() && !b.decided.empty() && a.decided.back() == b.decided.back() &&
            a.decided.back().members[r] == a.life && b.decided.back().members[q] == b.life)
          CHECK(a.state.is_here(q) == b.state.is_here(r));
      }
  }
  // The fewest gatherings that a process has come from in its present life.
  std::size_t decided() const {
    std::size_t out = all_[0].decided.size();
    for (const process& p : all_) out = std::min(out, p.decided.size());
    return out;
  }

 private:
  struct decision {
    std::uint64_t run = 0;
    std::vector<std::uint64_t> members;
    bool operator==(const decision&) const = default;
  };
  struct process {
    wf::membership state;
    std::uint64_t life = 0;
    std::uint32_t left = 0;  // runs until it gathers
    bool waits = false;
    std::vector<decision> decided;
  };
  struct letter {
    enum { hello, loss, gather } what = hello;
    std::uint64_t life = 0;
    message about;
  };
  struct sender {
    commuters& here;
    std::uint32_t from;
    void operator()(std::uint32_t to, const message& m) {
      CHECK(to != from);
      // What goes over a connection that is broken already is lost.
      for (const letter& x : here.links_[to][from])
        if (x.what == letter::loss) return;
      here.links_[from][to].push_back({letter::gather, here.all_[from].life, m});
    }
  };

  void start(std::uint32_t r) {
    all_[r] = {wf::membership(r, size(), ++lives_), lives_, 0, false, {}};
    for (std::uint32_t q = 0; q < size(); ++q) {
      if (q == r || all_[q].life == 0) continue;
      links_[r][q].push_back({letter::hello, all_[r].life, {}});
      links_[q][r].push_back({letter::hello, all_[q].life, {}});
    }
  }
  void lose_some(std::uint32_t from, std::uint32_t to) {
    auto& link = links_[from][to];
    while (!link.empty() && link.back().what == letter::gather && below(3) != 0) link.pop_back();
  }
  void hear(std::uint32_t r, std::uint32_t q) {
    auto& link = links_[q][r];
    if (link.empty()) return;
    const letter x = link.front();
    link.pop_front();
    wf::membership& here = all_[r].state;
    if (x.what == letter::hello)
      here.connect(q, x.life, sender{*this, r});
    else if (x.what == letter::loss && here.life(q) == x.life)
      here.disconnect(q);
    else if (x.what == letter::gather && here.life(q) == x.life)
      here.take(q, x.about, sender{*this, r});
    note(r);
  }
  // Of two lives, what one has decided with the other begins as what that has decided with it.
  void note(std::uint32_t r) {
    process& p = all_[r];
    if (!p.waits || !p.state.is_settled()) return;
    p.waits = false;
    decision made{p.state.run(), {}};
    for (std::uint32_t q = 0; q < size(); ++q) made.members.push_back(p.state.member(q));
    // Whoever dies then: nobody still waits for what process 0 has decided.
    for (std::uint32_t q = 0; r == 0 && q < size(); ++q)
      if (p.state.is_here(q) && made.members[q] == all_[q].life)
        CHECK(all_[q].state.run() >= made.run);
    CHECK(made.members[r] == p.life);
    for (std::uint32_t q = 0; q < size(); ++q)
      if (made.members[q] == all_[q].life && !loses_) CHECK(p.state.is_here(q));
    CHECK((p.decided.empty() || p.decided.back().run < made.run));
    p.decided.push_back(made);
    for (std::uint32_t q = 0; q < size(); ++q) {
      const auto here = common(p, q), there = common(all_[q], r);
      const std::size_t both = here.size() < there.size() ? here.size() : there.size();
      for (std::size_t k = 0; k < both && !loses_; ++k) CHECK(here[k] == there[k]);
      for (const decision& d : here)
        for (const decision& e : there)
          if (d.run == e.run) CHECK(d == e);
    }
  }
  std::vector<decision> common(const process& p, std::uint32_t with) const {
    std::vector<decision> out;
    for (const decision& d : p.decided)
      if (d.members[with] == all_[with].life) out.push_back(d);
    return out;
  }

  std::mt19937_64 random_;
  std::vector<process> all_;
  std::vector<std::vector<std::deque<letter>>> links_;
  std::uint64_t lives_ = 0;
  bool loses_ = false;  // messages between two that live, so that one may miss a decision
};

constexpr auto nobody = [](std::uint32_t, const message&) {};

}  // namespace

TEST_CASE("whoever dies, the members of a gathering are the same everywhere") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    commuters all(1 + static_cast<std::uint32_t>(seed % 6), seed);
    for (std::uint32_t k = 0; k < 4'000; ++k) {
      all.step();
      if (all.below(200) == 0) all.restart(all.below(all.size()));
    }
    const std::size_t wanted = all.decided() + 3;
    for (std::uint32_t k = 0; k < 20'000 && all.decided() < wanted; ++k) all.step();
    CHECK(all.decided() >= wanted);
  }
}
TEST_CASE("who was cut off comes back, and the members are the same again") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    commuters all(2 + static_cast<std::uint32_t>(seed % 5), seed);
    for (std::uint32_t k = 0; k < 4'000; ++k) {
      all.step();
      if (all.below(300) == 0) all.restart(all.below(all.size()));
      if (all.below(100) == 0) all.cut(all.below(all.size()), all.below(all.size()));
      if (k % 500 == 499) all.check_symmetry();
    }
    const std::size_t wanted = all.decided() + 3;
    for (std::uint32_t k = 0; k < 20'000 && all.decided() < wanted; ++k) all.step();
    CHECK(all.decided() >= wanted);
    all.check_symmetry();
  }
}
TEST_CASE("a process is lost when its member is not connected, unless it has finished") {
  wf::membership here(1, 2, 7);
  here.begin();
  CHECK(here.is_lost(0));
  here.gather(nobody);
  CHECK(here.is_gathering());
  here.connect(0, 5, nobody);
  here.take(0, {message::kind::go, 9, {5, 8}, 0, {}}, nobody);  // for another life
  here.take(0, {message::kind::go, 1, {5, 7}, 0, {}}, nobody);  // an old one
  here.take(0, {message::kind::go, 9, {5}, 0, {}}, nobody);     // of other processes
  CHECK(here.is_gathering());
  CHECK(!here.is_here(0));
  here.take(0, {message::kind::go, 9, {5, 7}, 0, {}}, nobody);
  CHECK(!here.is_gathering());
  CHECK(here.run() == 9);
  here.begin();
  CHECK(here.is_here(0));
  here.finish(0, 10);
  here.disconnect(0);
  CHECK(!here.is_here(0));
  CHECK(!here.is_lost(0));
  here.begin();
  CHECK(here.is_lost(0));
  here.connect(0, 6, nobody);  // started again, and no member yet
  CHECK(here.is_lost(0));
  here.connect(0, 5, nobody);  // the connection was broken
  CHECK(here.is_lost(0));
  CHECK(here.member(0) == 5);
  CHECK(here.is_here(1));
}
TEST_CASE("process 0 waits until all say the same") {
  wf::membership here(0, 2, 7);
  here.gather(nobody);
  here.connect(1, 5, nobody);
  const auto says = [&](std::uint64_t decided, const wf::table<std::uint64_t>& lives,
                        const wf::table<std::uint64_t>& members) {
    here.take(1, {message::kind::ready, 3, lives, decided, members}, nobody);
    return here.is_gathering();
  };
  CHECK(says(0, {7, 5}, {0}));     // of other processes
  CHECK(says(0, {7}, {0, 0}));     // the same
  CHECK(says(0, {6, 5}, {0, 0}));  // connected to another life
  CHECK(says(2, {7, 5}, {7, 5}));  // a decision is on its way
  CHECK(!says(2, {7, 5}, {6, 5}));
  CHECK(here.run() == 4);
}
TEST_CASE("one process gathers alone") {
  constexpr auto runs = [] {
    wf::membership here(0, 1, 3);
    here.gather([](std::uint32_t, const wf::gather_message&) {});
    here.begin();
    return here.is_gathering() ? 0 : here.run();
  };
  static_assert(runs() == 2);
  CHECK(runs() == 2);
}
