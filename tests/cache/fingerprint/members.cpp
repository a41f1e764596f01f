// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/fingerprint/members.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::detail::member_count;
using wf::detail::no_members;

struct none {};
struct flags {
  bool a : 1;
  unsigned b : 3;
};
struct pair_of_ints {
  int a = 0, b = 0;
};
struct nested {
  pair_of_ints a;
  none b;
  pair_of_ints c;
};
struct arrays {
  int a[3];
  pair_of_ints b[2];
  char c[2][2];
  int d[1];
  bool e;
};
struct no_default {
  explicit no_default(int x) : value(x) {}
  int value;
};
struct holds_no_default {
  no_default a;
  int b;
  const no_default c;
};
struct only_in_place {
  only_in_place() = default;
  only_in_place(only_in_place&&) = delete;
};
struct library {
  std::string a;
  std::vector<int> b;
  std::optional<int> c;
  std::variant<int> d;
  std::variant<int, std::string> e;
  std::tuple<int> f;
  std::unique_ptr<int> g;
  std::shared_ptr<int> h;
  std::function<void()> i;
  std::map<int, std::string> j;
  std::array<int, 3> k;
  std::mutex l;
  only_in_place m;
  const char* n;
};
struct linked {
  int value;
  std::vector<linked> below;
  std::unique_ptr<linked> next;
};
struct with_base : pair_of_ints {
  int c;
};
struct with_empty_base : none {
  int c;
};
struct refers {
  const int& a;
  int b;
};
struct refers_mutably {
  int& a;
};
class hides {
 public:
  int a() const { return a_; }

 private:
  int a_ = 0;
};
union either {
  int a;
  float b;
};
struct too_long {
  int a[100];
};
struct longest {
  int a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20,
      a21, a22, a23, a24;
};
struct longer {
  longest a;
  int a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20,
      a21, a22, a23, a24;
};

}  // namespace

static_assert(member_count<none> == 0);
static_assert(member_count<flags> == 2);
static_assert(member_count<pair_of_ints> == 2);
static_assert(member_count<nested> == 3);
static_assert(member_count<arrays> == 5);
static_assert(member_count<holds_no_default> == 3);
static_assert(member_count<library> == 14);
static_assert(member_count<linked> == 3);
static_assert(member_count<refers> == 2);
static_assert(member_count<longest> == wf::max_members);

static_assert(member_count<longer> == no_members);
static_assert(member_count<with_base> == no_members);
static_assert(member_count<with_empty_base> == no_members);
static_assert(member_count<refers_mutably> == no_members);
static_assert(member_count<hides> == no_members);
static_assert(member_count<no_default> == no_members);
static_assert(member_count<either> == no_members);
static_assert(member_count<too_long> == no_members);
static_assert(member_count<int> == no_members);
static_assert(member_count<std::string> == no_members);

static_assert(std::is_same_v<wf::detail::member_types<holds_no_default>,
                             wf::detail::type_list<no_default, int, no_default>>);
static_assert(
    std::is_same_v<wf::detail::member_types<arrays>,
                   wf::detail::type_list<int[3], pair_of_ints[2], char[2][2], int[1], bool>>);
static_assert(wf::detail::with_members(nested{{1, 2}, {}, {3, 4}}, [](auto& a, auto&, auto& c) {
                return a.a * 1000 + a.b * 100 + c.a * 10 + c.b;
              }) == 1234);

TEST_CASE("members are handed over as they are, in their order") {
  longest x{};
  x.a1 = 1, x.a12 = 12, x.a24 = 24;
  const int* first = nullptr;
  const int* last = nullptr;
  const int sum = wf::detail::with_members(x, [&](const auto&... member) {
    const int* all[] = {&member...};
    first = all[0];
    last = all[23];
    return (0 + ... + member);
  });
  CHECK(sum == 37);
  CHECK(first == &x.a1);
  CHECK(last == &x.a24);

  linked list{1, {}, std::make_unique<linked>()};
  list.below.resize(2);
  wf::detail::with_members(list, [&](int v, const auto& below, const auto& next) {
    CHECK(v == 1);
    CHECK(&below == &list.below);
    CHECK(&next == &list.next);
  });
  const flags f{true, 5};
  CHECK(wf::detail::with_members(f, [](bool a, unsigned b) { return a && b == 5; }));
}
