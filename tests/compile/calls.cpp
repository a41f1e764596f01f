// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/calls.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "toy_backend.hpp"

namespace {

// Arguments as a text such as "A=3x4 alpha=0.5", with a comment that results preserve.
struct spelled {
  std::string words;
  std::string comment;
};
struct answer {
  std::string words;
  std::string comment;
  friend bool operator==(const answer&, const answer&) = default;
};
wf::result<toy::arguments> unwrap(const spelled& s) {
  if (s.words.empty()) return wf::make_error(wf::errc::missing_argument, "words", "there are none");
  toy::arguments out;
  for (std::size_t at = 0; at < s.words.size();) {
    const std::size_t end = std::min(s.words.find(' ', at), s.words.size());
    const std::string word = s.words.substr(at, end - at);
    const std::size_t is = word.find('='), by = word.find('x');
    if (by != std::string::npos)
      out.shapes[word.substr(0, is)] = wf::shape::of(std::int64_t{std::stoi(word.substr(is + 1))},
                                                     std::int64_t{std::stoi(word.substr(by + 1))});
    else
      out.numbers[word.substr(0, is)] = std::stod(word.substr(is + 1));
    at = end + 1;
  }
  return out;
}
wf::result<answer> wrap(std::string made, const spelled& from) {
  if (from.comment == "!") return wf::make_error(wf::errc::step_failed, "comment", "it is no text");
  return answer{std::move(made), from.comment};
}
const auto by_words = toy::backend.with_arguments(&unwrap, &wrap);

struct renaming {
  std::string prefix;
  auto operator()(const auto& s) const {
    toy::arguments out;
    out.numbers[prefix + s.words] = 1;
    return out;
  }
};

struct listing {
  std::vector<std::string> lines;
  void enter(const wf::step_info& s, const auto&) {
    lines.push_back(static_cast<std::string>(wf::path_of(s).view()));
  }
};

wf::type_args sizes(std::int64_t m, std::int64_t n) {
  return {{}, {wf::static_arg("M", m), wf::static_arg("N", n)}};
}

// Calls are values and can be evaluated while compiling.
constexpr auto digits =
    wf::make_backend<"digits">(toy::plan, wf::step<"count">([](const wf::graph& g) {
                                 struct counting {
                                   int nodes;
                                   constexpr int operator()(int x) const { return x + nodes; }
                                   constexpr counting load() const { return *this; }
                                 };
                                 return counting{static_cast<int>(g.view().nodes.size())};
                               }));
constexpr int called(char c) {
  const auto b = digits.with_arguments(
      [](char x) { return x - '0'; }, [](int made, char) { return static_cast<char>('0' + made); });
  return *b.load(*b.compile(toy::scaled.graph()))(c);
}
static_assert(called('4') == '5');

}  // namespace

TEST_CASE("programs take and return other containers, and wrap sees what was given") {
  const auto made = by_words.compile(toy::scaled.graph(), sizes(3, 4));
  REQUIRE(made);
  CHECK(*by_words.load(*made)({"A=3x4 alpha=0.5", "mine"}) ==
        answer{"scaled 3x4 multiply with 2", "mine"});
  CHECK(*by_words.load_native(*made)({}) == "scaled 3x4 multiply with 0");
  // The original back end is unchanged and makes the same artifact.
  CHECK(*made == *toy::backend.compile(toy::scaled.graph(), sizes(3, 4)));
  CHECK(*by_words.predict(*made) == *toy::backend.predict(*made));
}

TEST_CASE("errors of a call name the step") {
  const auto run = by_words.load(*by_words.compile(toy::scaled.graph()));
  CHECK(run({"", "mine"}).error().step.view() == "unwrap");
  CHECK(run({"", "mine"}).error().code == wf::errc::missing_argument);
  CHECK(run({"A=3x4", "!"}).error().step.view() == "wrap");
}

TEST_CASE("tracers see the steps of a call") {
  const auto run = by_words.load(*by_words.compile(toy::scaled.graph()));
  listing seen;
  CHECK(run({"A=3x4", "mine"}, seen).has_value());
  CHECK(seen.lines == std::vector<std::string>{"unwrap", "run", "wrap"});
}

TEST_CASE("the steps of a call are replaced and wrapped") {
  const auto made = by_words.compile(toy::scaled.graph());
  const auto other = by_words.replace<"unwrap">([](const spelled&) { return toy::arguments{}; })
                         .replace<"wrap">([](const std::string& made_of, const spelled&) {
                           return made_of + "!";
                         });
  CHECK(*other.load(*made)({"", ""}) == "scaled MxN multiply with 0!");
  int checks = 0;
  const auto watched = by_words.wrap<"unwrap">(
      [&](auto s) { return wf::checked(s, [&](const toy::arguments&) { return ++checks > 0; }); });
  CHECK(watched.load(*made)({"A=3x4", ""}).has_value());
  CHECK(checks == 1);
  // Steps of the compilation can be changed as well.
  const auto both = by_words.replace<"translate">(
      [](const wf::graph&) { return toy::artifact{wf::text("nothing")}; });
  CHECK(both.load(*both.compile(toy::scaled.graph()))({"A=3x4", "c"})->words == "nothing with 1");
  CHECK(by_words.with_storage(std::string("> ")).load(*made)({"A=3x4", ""})->words ==
        "> scaled MxN multiply with 1");
}

TEST_CASE("calls nest, and paths lead into the inner ones") {
  const auto outer = by_words.with_arguments(
      [](const std::string& s) { return spelled{s, "outer"}; },
      [](const answer& a, const std::string& from) { return a.comment + ": " + from; });
  const auto made = outer.compile(toy::scaled.graph());
  CHECK(*outer.load(*made)(std::string("A=3x4")) == "outer: A=3x4");
  CHECK(outer.load(*made)(std::string()).error().step.view() == "run/unwrap");
  listing seen;
  CHECK(outer.load(*made)(std::string("A=3x4"), seen).has_value());
  CHECK(seen.lines ==
        std::vector<std::string>{"unwrap", "run", "run/unwrap", "run/run", "run/wrap", "wrap"});
  const auto changed = outer.replace<"run/wrap">(
      [](const std::string&, const spelled&) { return answer{"", "replaced"}; });
  CHECK(*changed.load(*made)(std::string("A=3x4")) == "replaced: A=3x4");
}

TEST_CASE("what unwraps may have state, and several signatures if the container is named") {
  const auto b = toy::backend.with_arguments<spelled>(
      renaming{"p"}, [](const auto& made, const auto& from) { return made + from.comment; });
  CHECK(*b.load(*b.compile(toy::scaled.graph()))({"x", "."}) == "scaled MxN multiply with 1.");
}
