// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/exchange.hpp>

#include <doctest/doctest.h>

namespace {

// Two classes of three numbers each, whose distance is maximised; 5 and 0 exclude each other.
struct distance_pricer {
  wf::table<std::uint32_t> both{0, 1};
  std::uint64_t priced = 0;
  std::uint64_t steps() const { return priced; }
  const wf::table<std::uint32_t>& needed() const { return both; }
  wf::detail::priced_choice price(const wf::table<std::uint32_t>& choice) {
    ++priced;
    return {true, choice[0] == 0 && choice[1] == 5 ? 1 : 0,
            10 - static_cast<std::int64_t>(choice[1] - choice[0])};
  }
  wf::detail::priced_choice exchange(wf::table<std::uint32_t>& choice, std::uint32_t k,
                                     std::uint32_t n) {
    choice[k] = n;
    return price(choice);
  }
  void take_back(wf::table<std::uint32_t>& choice, std::uint32_t k, std::uint32_t before) const {
    choice[k] = before;
  }
};

const wf::table<std::uint32_t> first{0, 3, 6};

}  // namespace

TEST_CASE("exchanges lead to a choice that no single one improves, within the budget") {
  distance_pricer pricer;
  wf::table<std::uint32_t> choice{2, 3};
  const auto best =
      wf::detail::exchange(pricer, choice, first, [](std::uint32_t) { return true; }, 9, 1'000);
  CHECK(best.solves());
  CHECK(best.objective == 6);
  CHECK(choice[1] - choice[0] == 4);

  wf::table<std::uint32_t> held{2, 3};
  const auto still =
      wf::detail::exchange(pricer, held, first, [](std::uint32_t) { return true; }, 9, 0);
  CHECK(still.objective == 9);
  CHECK(held == wf::table<std::uint32_t>{2, 3});

  const auto narrow = wf::detail::exchange(
      pricer, held, first, [](std::uint32_t n) { return n != 0 && n != 1; }, 9, 1'000);
  CHECK(narrow.objective == 7);
}

TEST_CASE("what breaks less is better whatever it costs") {
  using wf::detail::priced_choice;
  const priced_choice dear{true, 0, 9}, cheap{true, 1, 1}, none;
  CHECK(dear.better_than(cheap));
  CHECK(cheap.better_than(none));
  CHECK(!cheap.better_than(dear));
  CHECK(!cheap.solves());
}
