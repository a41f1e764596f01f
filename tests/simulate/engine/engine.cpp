// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/engine/engine.hpp>

#include <doctest/doctest.h>

#include <wf/simulate/sharing/fifo_links.hpp>
#include <wf/simulate/sharing/slots.hpp>

#include <utility>
#include <vector>

namespace {

// A model of a user's own: a conveyor that takes one item every `pitch` ticks and delivers it
// `length` ticks later.
class conveyor {
 public:
  conveyor(std::int64_t pitch, std::int64_t length) : pitch_(pitch), length_(length) {}
  std::size_t resources() const { return 1; }
  std::size_t timers() const { return 1; }
  template <class Port>
  void add(std::uint32_t, const wf::sim::request& r, Port& port) {
    const std::int64_t begin = port.now() < free_from_ ? free_from_ : port.now();
    free_from_ = begin + pitch_;
    items_.push({{begin + length_, port.number()}, r.activity});
    if (items_.size() == 1) port.set(0, items_.front().end);
    port.started(r.activity, begin);
  }
  template <class Port>
  void complete(std::uint32_t, Port& port) {
    const item done = items_.pop();
    if (items_.empty())
      port.clear(0);
    else
      port.set(0, items_.front().end);
    port.finished(done.activity);
  }
  template <class Port>
  void settle(Port&) {}

 private:
  struct item {
    wf::sim::completion end;
    std::uint32_t activity = 0;
  };
  std::int64_t pitch_, length_, free_from_ = 0;
  wf::fifo<item> items_;
};

struct log {
  std::vector<std::pair<std::uint32_t, std::int64_t>> begins, ends;
  std::int64_t now = 0;
};
template <class Engine>
struct driver {
  Engine& engine;
  log& out;
  void started(std::uint32_t a, std::int64_t begin) { out.begins.emplace_back(a, begin); }
  void finished(std::uint32_t a) { out.ends.emplace_back(a, engine.now()); }
};

wf::table<std::int64_t> hosts(std::int64_t slots) { return {slots}; }

}  // namespace

TEST_CASE("a user's model shares the clock with the others") {
  using engine = wf::sim::engine<wf::sim::slots, conveyor>;
  engine e(wf::sim::slots(hosts(1)), conveyor(3, 10));
  log out;
  driver<engine> d{e, out};
  for (std::uint32_t a = 0; a < 3; ++a) e.add(1, {a, 0, 0}, d);
  e.add(0, {3, 0, 10}, d);
  e.run(d);
  const std::vector<std::pair<std::uint32_t, std::int64_t>> ends = {
      {0, 10}, {3, 10}, {1, 13}, {2, 16}};
  CHECK(out.ends == ends);  // of one tick, the activity that was asked for first
  CHECK(e.now() == 16);
  CHECK(e.processed() == 4);
  CHECK(e.idle());
  CHECK(e.resources() == 2);
}

TEST_CASE("activities without duration follow in their tick") {
  using engine = wf::sim::engine<wf::sim::slots>;
  struct chain {
    engine& e;
    int left = 3;
    void started(std::uint32_t, std::int64_t) {}
    void finished(std::uint32_t a) {
      if (left-- > 0) e.add(0, {a, 0, 0}, *this);
    }
  };
  engine e{wf::sim::slots(hosts(1))};
  chain d{e};
  e.add(0, {0, 0, 5}, d);
  e.run(d);
  CHECK(e.now() == 5);
  CHECK(e.processed() == 4);
}
