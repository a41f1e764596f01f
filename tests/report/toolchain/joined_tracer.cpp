// SPDX-License-Identifier: BSL-1.0
#include <wf/report/toolchain/joined_tracer.hpp>

#include <doctest/doctest.h>

#include <wf/report/toolchain/step_times.hpp>

#include "../steps.hpp"

namespace {

// Writes all events to a text that several tracers share.
struct scribe {
  wf::text* lines;
  char mark;
  template <class In>
  constexpr void enter(const wf::step_info& step, const In&) {
    *lines << mark << '>' << step.name << ' ';
  }
  template <class Out>
  constexpr void leave(const wf::step_info& step, const Out&) {
    *lines << mark << '<' << step.name << ' ';
  }
  constexpr void fail(const wf::step_info& step, const wf::error&) {
    *lines << mark << '!' << step.name << ' ';
  }
};
// Receives trees only.
struct tree_counter {
  int trees = 0;
  constexpr void leave(const wf::step_info&, const steps::tree&) { ++trees; }
};

constexpr wf::text told(const char* characters) {
  wf::text lines;
  scribe a{&lines, 'a'}, b{&lines, 'b'};
  wf::joined_tracer both(a, b);
  (void)steps::front(steps::text_of(characters), both);
  return lines;
}
static_assert(told("x").view() ==
              "a>split b>split b<split a<split a>parse b>parse b<parse a<parse ");

constexpr int trees_of(const char* characters) {
  tree_counter trees;
  wf::text lines;
  scribe a{&lines, 'a'};
  (void)steps::compiler(steps::text_of(characters), wf::joined_tracer(a, trees));
  return trees.trees;
}
static_assert(trees_of("x") == 4);

}  // namespace

TEST_CASE("acceptance group 6: several tracers see a run, the first one outside of the others") {
  CHECK(told("x").view() == "a>split b>split b<split a<split a>parse b>parse b<parse a<parse ");
  CHECK(told("?").view() == "a>split b>split b<split a<split a>parse b>parse b!parse a!parse ");
}

TEST_CASE("a tracer among several needs to have only what it wants to know") {
  CHECK(trees_of("x") == 4);
  CHECK(trees_of("?") == 0);
  wf::joined_tracer nobody;
  CHECK(steps::compiler(steps::text_of("x"), nobody));
}

TEST_CASE("joined tracers can be joined again") {
  wf::text lines;
  scribe a{&lines, 'a'}, b{&lines, 'b'}, c{&lines, 'c'};
  wf::joined_tracer first(a, b);
  wf::joined_tracer all(first, c);
  const auto doubled = wf::chain(wf::step<"one">([](int x) { return 2 * x; }));
  CHECK(doubled(1, all) == 2);
  CHECK(lines.view() == "a>one b>one c>one c<one b<one a<one ");
}
