// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/view.hpp>

#include <sstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace {

constexpr wf::text_view sample = "alpha beta";
static_assert(sample.size() == 10 && !sample.empty() && sample[6] == 'b');
static_assert(sample.part(6) == "beta" && sample.part(6, 2) == "be" && sample.part(20).empty());
static_assert(sample.part(6, 100) == "beta");
static_assert(sample.starts_with("alp") && !sample.starts_with("bet"));
static_assert(sample.find(' ') == 5 && sample.find('z') == 10 && sample.find('a', 1) == 4);
static_assert(wf::text_view("a") < wf::text_view("b") && wf::text_view("a") < wf::text_view("ab"));
static_assert(wf::text_view("\x80") > wf::text_view("a"));  // characters compare as unsigned

}  // namespace

TEST_CASE("views convert to and from standard strings") {
  const std::string owner = "text";
  const wf::text_view view = owner;
  CHECK(view == "text");
  CHECK(std::string(view) == owner);
  CHECK(std::string_view(view) == owner);
  std::ostringstream stream;
  stream << view.part(0, 2);
  CHECK(stream.str() == "te");
}

TEST_CASE("the order is that of std::string_view") {
  const std::string words[] = {"", "a", "ab", "abc", "b", "ba", std::string("a\0b", 3)};
  for (const auto& a : words)
    for (const auto& b : words) {
      CHECK((wf::text_view(a) == wf::text_view(b)) == (a == b));
      CHECK((wf::text_view(a) < wf::text_view(b)) == (a < b));
    }
}
