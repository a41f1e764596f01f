// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/termination.hpp>

#include <doctest/doctest.h>

#include <deque>
#include <random>
#include <utility>
#include <vector>

namespace {

using message = wf::termination_message;

// Processes with work that makes messages, on links that are slow by chance.
class processes {
 public:
  processes(std::uint32_t ranks, std::uint64_t seed, bool pass_on = false)
      : random_(seed),
        links_(ranks, std::vector<std::deque<letter>>(ranks)),
        work_(ranks),
        dead_(ranks),
        left_(20 * ranks) {
    for (std::uint32_t r = 0; r < ranks; ++r) all_.emplace_back(r, ranks);
    for (std::uint32_t r = 0; pass_on && r < ranks; ++r) all_[r].pass_on();
    work_[below(ranks)] = 2;
  }

  // One step of some process or link; at the end of a run all must know.
  void step() {
    const auto r = below(size());
    if (dead_[r]) return;
    if (below(3) == 0) return take(r);
    if (work_[r] > 0 && below(2) == 0) return compute(r);
    if (work_[r] == 0) all_[r].rest(sender{*this, r});
  }
  // A process dies; each other one hears of it at some time. The last letters to one of so many
  // others are lost.
  void kill(std::uint32_t r, std::uint32_t one_of = 0) {
    dead_[r] = true;
    for (std::uint32_t q = 0; q < size(); ++q) {
      if (one_of != 0 && below(one_of) == 0) links_[r][q].clear();
      if (q != r) links_[r][q].push_back({true, true, {}});
    }
  }
  bool is_dead(std::uint32_t r) const { return dead_[r]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }
  // Nothing can happen among the living.
  bool is_quiet() const {
    for (std::uint32_t r = 0; r < size(); ++r) {
      if (!dead_[r] && work_[r] != 0) return false;
      for (std::uint32_t q = 0; q < size(); ++q)
        for (const letter& x : links_[r][q])
          if (x.is_work && !dead_[r] && !dead_[q]) return false;
    }
    return true;
  }
  bool is_over() const {
    for (std::uint32_t r = 0; r < size(); ++r)
      if (!dead_[r] && !all_[r].is_over()) return false;
    return true;
  }
  bool somebody_is_done() const {
    for (std::uint32_t r = 0; r < size(); ++r)
      if (!dead_[r] && all_[r].is_over()) return true;
    return false;
  }

 private:
  struct letter {
    bool is_work = false, is_loss = false;
    message about;
  };
  struct sender {
    processes& here;
    std::uint32_t from;
    void operator()(std::uint32_t to, const message& m) {
      CHECK(to != from);
      here.links_[from][to].push_back({false, false, m});
    }
  };
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  void compute(std::uint32_t r) {
    --work_[r];
    for (std::uint32_t k = below(3); k > 0 && left_ > 0; --k) {
      const std::uint32_t q = below(size());
      if (q == r || all_[r].is_lost(q)) continue;
      --left_;
      all_[r].sent(q);
      links_[r][q].push_back({true, false, {}});
    }
  }
  void take(std::uint32_t r) {
    const std::uint32_t q = below(size());
    auto& link = links_[q][r];
    if (link.empty()) return;
    const letter x = link.front();
    link.pop_front();
    if (x.is_loss) {
      all_[r].lose(q, sender{*this, r});
    } else if (all_[r].is_lost(q)) {
      return;
    } else if (x.is_work) {
      all_[r].received(q);
      ++work_[r];
    } else {
      all_[r].take(x.about, sender{*this, r});
    }
  }

  std::mt19937_64 random_;
  std::vector<wf::termination_detector> all_;
  std::vector<std::vector<std::deque<letter>>> links_;
  std::vector<int> work_;
  std::vector<bool> dead_;
  std::uint32_t left_;
};

}  // namespace

TEST_CASE("nobody ends before nothing can happen, and then all do") {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    processes all(1 + static_cast<std::uint32_t>(seed % 9), seed);
    int steps = 0;
    while (!all.is_over() && ++steps < 200'000) {
      all.step();
      if (all.somebody_is_done()) REQUIRE(all.is_quiet());
    }
    REQUIRE(all.is_over());
  }
}
TEST_CASE("processes that die at any time keep nobody") {
  for (std::uint64_t n = 1; n <= 600; ++n) {
    // In the last one, the count of a wave before a loss is that of the wave behind it.
    const std::uint64_t seed = n < 600 ? n : 8328;
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    processes all(2 + static_cast<std::uint32_t>(seed % 7), seed);
    std::uint32_t deaths = 1 + static_cast<std::uint32_t>(random() % (all.size() - 1));
    int steps = 0;
    while ((!all.is_over() || deaths > 0) && ++steps < 400'000) {
      if (deaths > 0 && random() % 200 == 0) {
        const auto r = static_cast<std::uint32_t>(random() % all.size());
        if (!all.is_dead(r) && !all.somebody_is_done()) all.kill(r);
        --deaths;
      }
      all.step();
      if (all.somebody_is_done()) REQUIRE(all.is_quiet());
    }
    REQUIRE(all.is_over());
  }
}
TEST_CASE("those who die while they tell the end keep nobody if the others pass it on") {
  int after_end = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    processes all(2 + static_cast<std::uint32_t>(seed % 7), seed, true);
    std::uint32_t deaths = all.size() - 1;
    int steps = 0;
    while (!all.is_over() && ++steps < 400'000) {
      if (all.somebody_is_done() && deaths > 0 && random() % 4 == 0) {
        const auto r = static_cast<std::uint32_t>(random() % all.size());
        // What it has said comes to some of the others only.
        if (!all.is_dead(r)) all.kill(r, 2), --deaths, ++after_end;
      }
      all.step();
      if (all.somebody_is_done()) REQUIRE(all.is_quiet());
    }
    REQUIRE(all.is_over());
  }
  CHECK(after_end > 600);
}
TEST_CASE("a wave takes two messages for each process but the first") {
  const std::uint32_t ranks = 13;
  std::vector<wf::termination_detector> all;
  for (std::uint32_t r = 0; r < ranks; ++r) all.emplace_back(r, ranks);
  std::deque<std::pair<std::uint32_t, message>> mail;
  int sent = 0;
  const auto send = [&](std::uint32_t to, const message& m) {
    mail.emplace_back(to, m);
    ++sent;
  };
  for (int round = 0; round < 100 && !all[ranks - 1].is_over(); ++round) {
    for (auto& x : all) x.rest(send);
    while (!mail.empty()) {
      const auto [to, m] = mail.front();
      mail.pop_front();
      all[to].take(m, send);
    }
  }
  for (const auto& x : all) CHECK(x.is_over());
  CHECK(sent == 2 * 2 * (ranks - 1) + (ranks - 1));  // two waves, and the end
}
