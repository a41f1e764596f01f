// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/task_messages.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

namespace {

struct items {
  std::string all;
  bool ended(std::uint32_t t) { return add("e" + std::to_string(t)); }
  bool ended(std::uint32_t t, std::uint32_t v) {
    return add("v" + std::to_string(t) + "=" + std::to_string(v));
  }
  bool failed(std::uint32_t t) { return add("f" + std::to_string(t)); }
  bool reported(const wf::task_failure& f) { return end("r", f); }
  bool over(const wf::task_failure& f) { return end("o", f); }
  bool end(const std::string& what, const wf::task_failure& f) {
    return add(what + std::to_string(f.task) + std::string(f.why.subject.view()) + "," +
               std::string(f.why.message.view()));
  }
  bool add(const std::string& s) {
    all += s + " ";
    return true;
  }
};

}  // namespace

TEST_CASE("a batch of tasks is read as it was written") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    wf::task_batch<std::uint32_t> b(5);
    CHECK(b.empty());
    items wanted, found;
    const int count = 1 + static_cast<int>(random() % 20);
    for (int i = 0; i < count; ++i) {
      const auto task = std::uint32_t(random()) % wf::task_list::most_tasks;
      const auto value = std::uint32_t(random());
      const wf::task_failure f{task, wf::make_error(wf::errc::infeasible, "x", "a sentence")};
      switch (random() % 5) {
        case 0:
          b.add(task), wanted.ended(task);
          break;
        case 1:
          b.add(task, value), wanted.ended(task, value);
          break;
        case 2:
          b.add_failed(task), wanted.failed(task);
          break;
        case 3:
          b.add_report(f), wanted.reported(f);
          break;
        default:
          b.add_over(f), wanted.over(f);
      }
    }
    const wf::table<std::uint8_t> bytes = b.take();
    CHECK(b.empty());
    REQUIRE(wf::read_task_batch<std::uint32_t>(bytes, 5, found));
    CHECK(found.all == wanted.all);
    CHECK(wf::read_task_batch<std::uint32_t>(bytes, 6, found).error().code ==
          wf::errc::transport_failed);
    // No beginning of it is a batch, but for one that ends with an item; nothing is read twice.
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      items part;
      (void)wf::read_task_batch<std::uint32_t>({bytes.data(), size}, 5, part);
      CHECK(wanted.all.starts_with(part.all));
      if (size < 12)
        CHECK(wf::read_task_batch<std::uint32_t>({bytes.data(), size}, 5, part).error().code ==
              wf::errc::malformed_message);
    }
  }
}

TEST_CASE("a message of an empty task takes four bytes; long texts of failures are cut") {
  wf::task_batch<wf::nothing> b(1);
  b.add(1);
  const std::size_t one = b.size();
  b.add(2, wf::nothing{});
  CHECK(b.size() == one + 4);
  b.add_report({3, wf::make_error(wf::errc::infeasible, std::string(100'000, 'x').c_str(), "")});
  CHECK(b.size() < 5'000);
  struct {
    std::size_t size = 0;
    bool ended(std::uint32_t) { return true; }
    bool ended(std::uint32_t, wf::nothing) { return true; }
    bool failed(std::uint32_t) { return true; }
    bool over(const wf::task_failure&) { return false; }
    bool reported(const wf::task_failure& f) {
      size = f.why.subject.size();
      return true;
    }
  } out;
  CHECK(wf::read_task_batch<wf::nothing>(b.take(), 1, out));
  CHECK(out.size == 4096);
}
