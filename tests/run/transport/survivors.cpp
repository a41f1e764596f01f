// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/survivors.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <wf/core/container/bytes.hpp>

#include "mortal.hpp"

namespace {

using carrier = mortal::carrier;
using survivors = wf::detail::survivors<carrier>;

constexpr std::uint64_t run_number = 7ULL << 20;

// Members greet each other; the first one says that all is over when all have greeted it, and who
// hears it tells all.
class greeting {
 public:
  explicit greeting(survivors& left) : left_(left), greeted_(left.ranks()) { say(0); }
  void go() {
    while (!is_over_ && !is_interrupted_) {
      if (!left_.poll(*this)) return;
      if (left_.rank() == left_.members()[0] && count_ == left_.members().size()) end();
      left_.wait(100'000);
    }
  }
  bool is_over() const { return is_over_; }
  void came(std::uint32_t from, wf::view<std::uint8_t> bytes) {
    wf::byte_reader in(bytes);
    in.half();
    CHECK(in.word() == left_.run());
    if (in.half() == 1) return end();
    CHECK(greeted_[from] == 0);
    greeted_[from] = 1;
    ++count_;
  }
  void lost(std::uint32_t) { is_interrupted_ = true; }

 private:
  void say(std::uint32_t what) {
    for (const std::uint32_t r : left_.members()) {
      wf::byte_writer out;
      out.half(1).word(left_.run()).half(what);
      // Outside of the check, which would take the death of this thread.
      const bool is_sent = static_cast<bool>(left_.send(r, out.take()));
      CHECK(is_sent);
    }
  }
  void end() {
    if (is_over_) return;
    is_over_ = true;
    say(1);
  }

  survivors& left_;
  wf::table<char> greeted_;
  std::size_t count_ = 0;
  bool is_over_ = false, is_interrupted_ = false;
};

struct told {
  wf::table<std::uint32_t> members;
  std::uint64_t run = 0;
  std::string fault;
};
// A part in the run, until somebody says that it is over.
told greet(carrier& here, std::int64_t silence = 10'000'000'000) {
  survivors left(here, run_number, 0, silence, "greeting");
  for (;;) {
    greeting epoch(left);
    epoch.go();
    if (left.agree(epoch)) continue;
    told out{left.members(), left.run(), ""};
    if (left.is_broken()) out.fault = std::string(wf::to_text(left.fault()).view());
    return out;
  }
}

}  // namespace

TEST_CASE("whoever dies, and whenever: those who are left end the same epoch with its members") {
  std::size_t deaths = 0, later = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::uint32_t ranks = 2 + seed % 4;
    std::vector<told> all(ranks);
    const std::vector<char> died =
        mortal::run(mortal::deaths(random, ranks, 3, 25),
                    [&](carrier& here) { all[here.rank()] = greet(here); });
    const told* some = nullptr;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      deaths += died[r] != 0;
      if (died[r] != 0) continue;
      CHECK(all[r].fault == "");
      if (some == nullptr) some = &all[r];
      CHECK(all[r].run == some->run);
      CHECK(all[r].members == some->members);
      CHECK(all[r].run == run_number + ranks - all[r].members.size());
      bool is_member = false;
      for (const std::uint32_t m : all[r].members) is_member = is_member || m == r;
      CHECK(is_member);
    }
    REQUIRE(some != nullptr);
    later += some->members.size() < ranks;
  }
  CHECK(deaths > 600);
  CHECK(later > 200);
}

TEST_CASE("one who is taken for lost is told so, and is not heard; who hears nothing gives up") {
  // 1 has heard that 0 is lost, which lives.
  std::vector<told> all(2);
  mortal::run({-1, -1}, [&](carrier& here) {
    if (here.rank() == 0) {
      all[0] = greet(here);
      return;
    }
    here.begin();
    wf::task_progress known{wf::table<char>(2), {}, {}};
    known.lost[0] = 1;
    CHECK(here.send(0, wf::write_progress(run_number, known)));
  });
  CHECK(all[0].fault.find("process 0") != std::string::npos);
  CHECK(all[0].fault.find("take it for lost") != std::string::npos);
  // 1 has heard that 2 is lost, which has said to 0 that all is over, before that came to anybody
  // else: 0 goes on with 1.
  std::atomic<int> said{0};
  all.assign(3, {});
  mortal::run({-1, -1, -1}, [&](carrier& here) {
    const auto wait_for = [&](int n) {
      while (said < n) std::this_thread::yield();
    };
    const auto say = [&](std::uint64_t run, std::uint32_t what) {
      wf::byte_writer out;
      out.half(1).word(run).half(what);
      CHECK(here.send(0, out.take()));
    };
    if (here.rank() == 0) {
      wait_for(2);
      all[0] = greet(here);
      return;
    }
    here.begin();
    if (here.rank() == 1) {
      wf::task_progress known{wf::table<char>(3), {}, {}};
      known.lost[2] = 1;
      CHECK(here.send(0, wf::write_progress(run_number, known)));
      ++said;
      wait_for(2);
      say(run_number + 1, 1);
    } else {
      wait_for(1);
      say(run_number, 1);
      ++said;
    }
  });
  CHECK(all[0].fault == "");
  CHECK(all[0].run == run_number + 1);
  // 2 is lost; 1 never says that it knows it.
  all.assign(3, {});
  mortal::run({-1, -1, -1}, [&](carrier& here) {
    if (here.rank() == 0) all[0] = greet(here, 50'000'000);
    if (here.rank() == 2) throw mortal::killed();
  });
  CHECK(all[0].fault.find("nothing has come for too long after a loss") != std::string::npos);
  CHECK(all[0].fault.find("greeting") != std::string::npos);
}
