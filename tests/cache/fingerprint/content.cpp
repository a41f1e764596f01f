// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/fingerprint/content.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <filesystem>
#include <forward_list>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <wf/core/units.hpp>

namespace {

enum class colour { red };
struct empty {};
struct point {
  int x = 0, y = 0;
};
struct list {
  int value;
  std::unique_ptr<list> next;
};
struct tree {
  std::map<std::string, std::vector<tree>> below;
};
// Mutually recursive types, one of which also has a flat member.
struct statement;
struct expression {
  std::vector<statement> body;
  point where;
};
struct statement {
  std::optional<int> number;
  std::shared_ptr<expression> value;
};
class hidden {
 public:
  int value() const { return value_; }

 private:
  int value_ = 0;
};
struct holds_hidden {
  std::vector<std::pair<int, hidden>> all;
};
class own_function {
  int value_ = 0;

  [[maybe_unused]] friend void fingerprint(wf::fingerprinter&, const own_function&) {}
};
struct derived : point {};
struct view_of_graph {
  int more = 0;
  wf::graph_view view() const;
};
const int captured = 0;
const auto lambda = [] { return captured; };
const auto capturing = [x = 1] { return x; };

template <class T>
constexpr wf::detail::content_kind kind = wf::detail::kind_of<T>();
template <class T>
constexpr bool flat = wf::detail::is_flat<T>;
template <class T>
constexpr bool recursive = wf::detail::is_recursive<T>();

using enum wf::detail::content_kind;

}  // namespace

static_assert(kind<int> == number && kind<bool> == number && kind<double> == number);
static_assert(kind<colour> == number && kind<std::byte> == number);
static_assert(kind<wf::int128> == number && kind<std::nullptr_t> == number);
static_assert(kind<wf::text> == characters && kind<wf::text_view> == characters);
static_assert(kind<std::string> == characters && kind<std::string_view> == characters);
static_assert(kind<const char*> == characters && kind<char[4]> == characters);
static_assert(kind<std::set<int>> == unordered && kind<std::unordered_map<int, int>> == unordered);
static_assert(kind<std::multimap<int, int>> == unordered);
static_assert(kind<std::vector<int>> == sequence && kind<std::vector<bool>> == sequence);
static_assert(kind<std::array<int, 2>> == sequence && kind<std::span<int>> == sequence);
static_assert(kind<std::forward_list<int>> == sequence && kind<int[2][3]> == sequence);
static_assert(kind<std::initializer_list<int>> == sequence);
static_assert(kind<wf::result<int>> == expected);
static_assert(kind<std::optional<int>> == wf::detail::content_kind::optional);
static_assert(kind<std::unique_ptr<int>> == pointer && kind<std::shared_ptr<int>> == pointer);
static_assert(kind<std::variant<int>> == variant && kind<std::variant<int, int>> == variant);
static_assert(kind<std::complex<double>> == complex);
static_assert(kind<std::tuple<int, int>> == product && kind<std::pair<int, int>> == product);
static_assert(kind<point> == product && kind<empty> == product && kind<wf::error> == product);
static_assert(kind<std::remove_const_t<decltype(lambda)>> == product);
static_assert(kind<own_function> == custom);
static_assert(kind<wf::not_fingerprinted<hidden>> == excluded);

static_assert(kind<int*> == none && kind<void*> == none && kind<int (*)(int)> == none);
static_assert(kind<long double> == none && kind<std::complex<long double>> == complex);
static_assert(kind<hidden> == none && kind<derived> == none);
static_assert(kind<std::remove_const_t<decltype(capturing)>> == none);
static_assert(kind<std::function<int(int)>> == none && kind<std::weak_ptr<int>> == none);
static_assert(kind<std::filesystem::path> == none, "a path is a range of paths");
static_assert(kind<wf::graph_view> == none && kind<view_of_graph> == none);
static_assert(kind<std::reference_wrapper<int>> == none);

static_assert(wf::fingerprintable<const point> && wf::fingerprintable<list>);
static_assert(wf::fingerprintable<tree> && wf::fingerprintable<std::tuple<>>);
static_assert(!wf::fingerprintable<holds_hidden> && !wf::fingerprintable<std::shared_ptr<void>>);
static_assert(!wf::fingerprintable<std::complex<long double>>);
static_assert(!wf::fingerprintable<std::unique_ptr<int[]>>);
static_assert(wf::detail::unknown_content<holds_hidden>().name.size() ==
              wf::type_name<hidden>().size());
static_assert(wf::detail::unknown_content<std::vector<int*>>().is_pointer);

static_assert(flat<int> && flat<point> && flat<std::vector<std::optional<std::vector<point>>>>);
static_assert(!flat<list> && !flat<std::vector<tree>> && !flat<own_function>);
static_assert(!flat<std::pair<int, own_function>>);
static_assert(recursive<list> && recursive<tree> && recursive<statement> && recursive<expression>);
static_assert(!recursive<point> && !recursive<std::unique_ptr<list>> && !recursive<own_function>);
static_assert(!recursive<std::pair<int, list>>, "it holds one, but is not inside of it");

TEST_CASE("a value that is not fingerprinted is used like the value itself") {
  wf::not_fingerprinted<std::string> note{"draft"};
  const std::string& plain = note;
  CHECK(plain == "draft");
  note.value = "final";
  CHECK(note == wf::not_fingerprinted<std::string>{"final"});
  CHECK(lambda() == 0);
  CHECK(capturing() == 1);
  CHECK(hidden().value() == 0);
}
