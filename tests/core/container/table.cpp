// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/table.hpp>

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr int sum_of_squares(int n) {
  wf::table<int> squares;
  for (int i = 0; i < n; ++i) squares.push_back(i * i);
  int sum = 0;
  for (int x : squares) sum += x;
  return sum;
}
static_assert(sum_of_squares(100) == 328350);

constexpr bool regular() {
  wf::table<int> a{1, 2, 3};
  wf::table<int> b = a;
  b.push_back(4);
  wf::table<int> c = static_cast<wf::table<int>&&>(b);
  a.swap(c);
  return a.size() == 4 && c.size() == 3 && a.back() == 4 && a != c;
}
static_assert(regular());

constexpr wf::frozen_table<int, 3> frozen{{5, 6, 7}};
static_assert(frozen.size() == 3 && frozen[2] == 7 && wf::view<int>(frozen).part(1, 2)[0] == 6);
static_assert(wf::frozen_table<int, 0>::size() == 0);

}  // namespace

TEST_CASE("a table behaves like std::vector under random operations") {
  std::mt19937 random(5);
  wf::table<std::string> table;
  std::vector<std::string> vector;
  for (int step = 0; step < 20000; ++step) {
    const auto what = random() % 6;
    if (what < 3) {
      table.push_back(std::to_string(step));
      vector.push_back(std::to_string(step));
    } else if (what == 3 && !vector.empty()) {
      table.push_back(table[0]);  // an element of the table itself, while it reallocates
      vector.push_back(std::string(vector[0]));
    } else if (what == 4 && !vector.empty()) {
      table.pop_back();
      vector.pop_back();
    } else if (random() % 50 == 0) {
      const std::size_t size = random() % 30;
      table.resize(size);
      vector.resize(size);
    }
    REQUIRE(table.size() == vector.size());
  }
  for (std::size_t i = 0; i < vector.size(); ++i) CHECK(table[i] == vector[i]);
}

TEST_CASE("growing again gives default records, not old ones") {
  wf::table<int> t{1, 2, 3};
  t.clear();
  t.resize(3);
  CHECK(t == wf::table<int>{0, 0, 0});
  const wf::table<int>& itself = t;
  t = itself;
  CHECK(t.size() == 3);
}
