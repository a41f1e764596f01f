// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/parcels.hpp>

#include <map>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::fault::happening;

// A table of messages from machine 0, 1 or 2 to the next one, and what should be known of them.
struct messages {
  struct known {
    std::uint32_t from = 0, copies = 0;
    std::uint64_t call = 0;
    int content = 0;
    bool is_open = true;
  };
  wf::detail::parcel_table<int> all{4};
  std::map<std::uint32_t, known> expected;

  static std::uint32_t to(std::uint32_t from) { return (from + 1) % 3; }
  std::uint32_t send(std::uint32_t from, std::uint64_t call, int content) {
    wf::detail::parcel<int> x;
    x.from = from, x.to = to(from), x.edge = 5, x.call = call, x.content = content;
    const std::uint32_t at = all.add(x);
    CHECK(expected.emplace(at, known{from, 0, call, content, true}).second);
    return at;
  }
  void note(std::uint32_t at, happening what, std::uint32_t from, std::int64_t extra = 0) {
    wf::fault::record r;
    r.what = what;
    const bool at_source = what == happening::sent || what == happening::copied ||
                           what == happening::dropped || extra == 1;
    r.peer = at_source ? from : to(from), r.other = at_source ? to(from) : from;
    r.edge = 5, r.payload = at, r.extra = extra;
    all.observe(r);
  }
  void settle(std::uint32_t at) {
    if (!expected[at].is_open && expected[at].copies == 0) expected.erase(at);
  }
  void check() const {
    CHECK(all.size() == expected.size());
    for (std::uint64_t call = 0; call <= 4; ++call) {
      bool is_quiet = true;
      for (const auto& [at, x] : expected) is_quiet = is_quiet && x.call != call;
      CHECK(all.is_quiet(call) == is_quiet);
    }
    for (const auto& [at, x] : expected) {
      const auto* const found = all.find(at, x.from, to(x.from), 5);
      REQUIRE(found != nullptr);
      CHECK(found->content == x.content);
      CHECK(found->copies == x.copies);
      CHECK(all.find(at, to(x.from), x.from, 5) == nullptr);
      CHECK(all.find(at, x.from, to(x.from), 4) == nullptr);
    }
    CHECK(all.find(UINT64_MAX, 0, 1, 5) == nullptr);
  }
};

}  // namespace

TEST_CASE("a message is kept until its send has an end and no copy of it is left") {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> rested(5);
  for (int round = 0; round < 100; ++round) {
    messages m;
    wf::fault::record first;
    first.what = happening::knob_set;
    m.all.observe(first);
    for (int step = 0; step < 120; ++step) {
      if (m.expected.empty() || random() % 4 == 0) {
        m.send(static_cast<std::uint32_t>(random() % 3), random() % 5, step);
      } else {
        auto chosen = m.expected.begin();
        std::advance(chosen, random() % m.expected.size());
        const std::uint32_t at = chosen->first;
        messages::known& x = chosen->second;
        const std::uint64_t what = random() % 10;
        if (what < 3 && x.is_open) {
          m.note(at, what == 0 ? happening::copied : happening::sent, x.from);
          ++x.copies;
        } else if (what < 7 && x.copies > 0) {
          const happening ends[] = {happening::dropped, happening::lost, happening::refused,
                                    happening::gate_refused};
          --x.copies;
          if (const auto k = random() % 5; k < 4)
            m.note(at, ends[k], x.from);
          else
            m.all.take(at);
          m.settle(at);
        } else if (what == 7) {
          // Of no copy: at the sender's gates, at the receiver, in another message's name.
          m.note(at, happening::gate_refused, x.from, 1);
          m.note(at, happening::arrived, x.from);
          m.note(at, happening::dropped, messages::to(x.from));
        } else if (what == 8 && x.is_open) {
          x.is_open = false;
          m.all.end(at);
          m.settle(at);
        } else if (what == 9 && random() % 4 == 0) {
          const std::uint32_t gone = x.from;
          wf::fault::record r;
          r.what = happening::crashed;
          r.peer = r.other = gone;
          m.all.observe(r);
          for (auto i = m.expected.begin(); i != m.expected.end();) {
            if (i->second.from == gone) i->second.is_open = false;
            i = !i->second.is_open && i->second.copies == 0 ? m.expected.erase(i) : ++i;
          }
        }
      }
      m.check();
      // A call that has come to rest is told, once.
      std::vector<std::uint64_t> now;
      for (const std::uint64_t call : m.all.resting()) {
        CHECK(call != 0);
        CHECK(m.all.is_quiet(call));
        for (const std::uint64_t other : now) CHECK(call != other);
        now.push_back(call);
        ++rested[call];
      }
      CHECK(m.all.resting().empty());
    }
  }
  for (std::uint64_t call = 1; call <= 4; ++call) CHECK(rested[call] > 50);
}
TEST_CASE("without records nothing is known of copies, and all messages are kept") {
  messages m;
  const std::uint32_t at = m.send(0, 1, 42);
  m.all.end(at);
  CHECK_FALSE(m.all.is_observed());
  CHECK(m.all.size() == 1);
  CHECK(m.all.find(at, 0, 1, 5)->content == 42);
  CHECK(m.all.resting().empty());
  // A call may rest without a message.
  m.all.rest(2);
  m.all.rest(2);
  m.all.rest(0);
  REQUIRE(m.all.resting().size() == 1);
}
