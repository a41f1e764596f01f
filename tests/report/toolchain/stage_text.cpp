// SPDX-License-Identifier: BSL-1.0
#include <wf/report/toolchain/stage_text.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/choice/graph/choice_graph.hpp>
#include <wf/ir/form/parse.hpp>

namespace shapes {

struct square {
  int side = 0;
};
wf::text to_text(const square& s) { return wf::text() << s.side << " by " << s.side; }

struct circle {
  int radius = 0;
};
constexpr const char* to_text(const circle&) { return "round"; }

// Has characters, but defines its own text.
struct label {
  std::string name;
  const char* data() const { return name.data(); }
  std::size_t size() const { return name.size(); }
};
std::string to_text(const label& l) { return "label " + l.name; }

struct mute {};
enum class colour { red };
enum grade { good };

// Convertible to a type for which wf has a text, but not one itself.
struct almost {
  operator wf::extent() const { return wf::extent(3); }
};

}  // namespace shapes

template <>
inline constexpr wf::text_view wf::stage_name<shapes::mute> = "something mute";

namespace {

static_assert(wf::stage_text(42).view() == "42");
static_assert(wf::stage_text(true).view() == "true");
static_assert(wf::stage_text(wf::text("as it\nis")).view() == "as it\nis");
static_assert(wf::stage_text(shapes::circle{}).view() == "round");
static_assert(wf::stage_file_name("back/translate").view() == "back.translate");

template <class T>
std::string written(const T& stage) {
  return std::string(wf::stage_text(stage).view());
}

}  // namespace

TEST_CASE("a stage has the text of the function beside its type") {
  CHECK(written(shapes::square{3}) == "3 by 3");
  CHECK(written(shapes::circle{3}) == "round");
  CHECK(written(shapes::label{"x"}) == "label x");
}

TEST_CASE("characters, numbers and truth values stand for themselves") {
  CHECK(written(std::string("a\nb")) == "a\nb");
  CHECK(written(wf::text_view("view")) == "view");
  CHECK(written('c') == "c");
  CHECK(written(-5L) == "-5");
  CHECK(written(std::uint64_t{UINT64_MAX}) == "18446744073709551615");
  CHECK(written(static_cast<unsigned char>(7)) == "7");
  CHECK(written(wf::int128{INT64_MIN} * 10) == "-92233720368547758080");
  CHECK(written(0.1) == "0.1");
  CHECK(written(2.0F) == "2.0");
  CHECK(written(false) == "false");
}

TEST_CASE("a graph has its text form") {
  wf::graph g("g");
  const wf::value_id x = g.add_input("x", {wf::dtype::f64, {}, wf::shape::of(2)});
  const wf::value_type type = {wf::dtype::f64, {}, wf::shape::of(2)};
  g.add_node({.op = "relu"}, {&x, 1}, {&type, 1});
  CHECK(written(g) == std::string(to_text(g.view()).view()));
  CHECK(written(g.view()) == written(g));
  CHECK(wf::parse_graph(wf::stage_text(g).view()));
}

TEST_CASE("stages side by side have a heading each") {
  const wf::both<int, wf::text> pair{1, wf::text("two\n")};
  CHECK(written(pair) == "--- first ---\n1\n--- second ---\ntwo\n");
  const wf::concrete<shapes::square, wf::both<int, int>> nested{{2}, {3, 4}};
  CHECK(written(nested) ==
        "--- data ---\n2 by 2\n--- arguments ---\n--- first ---\n3\n--- second ---\n4");
  CHECK(written(wf::both<wf::text, int>{{}, 1}) == "--- first ---\n--- second ---\n1");
}

TEST_CASE("a type without a text says its name") {
  CHECK(written(shapes::mute{}) ==
        "something mute\n(there is no to_text for a stage of this type)\n");
  const std::string vector = written(std::vector<int>{1});
  CHECK(vector.find("vector<int") != std::string::npos);
  CHECK(vector.find("there is no to_text") != std::string::npos);
  CHECK(written(shapes::colour::red).find("shapes::colour\n") == 0);
  CHECK(written(shapes::good).find("shapes::grade\n") == 0);
  CHECK(written(shapes::almost{}).find("shapes::almost\n") == 0);
  CHECK(written(wf::choice_graph()).find("wf::choice_graph\n") == 0);
}

TEST_CASE("different paths have different, plain file names") {
  const char* paths[] = {"a/b", "a.b", "a b", "a_b", "a%2Eb", "a-b", "..", "a/../b", "é", "a\\b"};
  const char* names[] = {"a.b", "a%2Eb",  "a%20b",      "a_b",    "a%252Eb",
                         "a-b", "%2E%2E", "a.%2E%2E.b", "%C3%A9", "a%5Cb"};
  for (std::size_t i = 0; i < 10; ++i) CHECK(wf::stage_file_name(paths[i]).view() == names[i]);
}
