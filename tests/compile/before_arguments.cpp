// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/before_arguments.hpp>

#include <doctest/doctest.h>

#include <wf/compile/backend.hpp>

namespace {

struct source {
  int lines = 0;
};
struct ast {
  int nodes = 0;
};
struct code {
  int size = 0;
};
template <class D>
using with_types = wf::concrete<D, wf::type_args>;

constexpr auto parse = wf::step<"parse">([](const source& s) -> wf::result<ast> {
  if (s.lines >= 0) return ast{s.lines};
  return wf::make_error(wf::errc::equation_syntax, "source", "it does not parse");
});
constexpr auto lint = wf::verify<"lint">([](const ast& a) -> wf::error {
  if (a.nodes < 10) return {};
  return wf::make_error(wf::errc::lint_failed, "ast", "it is too long");
});
constexpr auto specialise = wf::step<"specialise">([](const with_types<ast>& d) -> wf::result<ast> {
  if (!d.args.types.empty()) return ast{d.data.nodes};
  return wf::make_error(wf::errc::missing_argument, "types", "the types must be known");
});
constexpr auto narrow = wf::step<"narrow">([](const with_types<ast>& d) { return d; });
constexpr auto emit = wf::step<"emit">([](const ast& a) { return code{a.nodes}; });
constexpr auto emit_late =
    wf::step<"emit">([](const with_types<ast>& d) { return code{d.data.nodes}; });
template <class S>
constexpr auto on_data(S s) {
  return wf::on_data<wf::type_args>(s);
}

template <class Transforms>
wf::error check(const Transforms& transforms, int lines) {
  return wf::make_backend<"b">(transforms, emit).check(source{lines});
}
template <class Transforms>
wf::error check_late(const Transforms& transforms, int lines) {
  return wf::make_backend<"b">(transforms, emit_late).check(source{lines});
}

static_assert(wf::ignores_arguments<decltype(on_data(parse))>);
static_assert(wf::ignores_arguments<decltype(wf::drop_args<wf::type_args>(parse))>);
static_assert(wf::ignores_arguments<decltype(wf::rename<"p">(on_data(parse)))>);
static_assert(!wf::ignores_arguments<std::remove_const_t<decltype(specialise)>>);
static_assert(!wf::ignores_arguments<std::remove_const_t<decltype(parse)>>);

// In constant evaluation too.
static_assert(wf::make_backend<"b">(wf::chain<"front">(on_data(parse), on_data(lint)), emit_late)
                  .check(source{11})
                  .code == wf::errc::lint_failed);

}  // namespace

TEST_CASE("a lint is reached through steps that do not look at arguments") {
  const auto front = wf::chain<"front">(on_data(parse), on_data(lint));
  CHECK(check_late(front, 3).code == wf::errc::none);
  CHECK(check_late(front, 11).code == wf::errc::lint_failed);
  CHECK(check_late(front, 11).step.view() == "front/lint");
  CHECK(check_late(front, -1).code == wf::errc::equation_syntax);
  CHECK(check_late(front, -1).step.view() == "front/parse");
}

TEST_CASE("a lint is reached wherever it stands") {
  using wf::workflow;
  const auto dropping = wf::drop_args<wf::type_args>(parse);
  CHECK(check(chain<"front">(dropping, lint), 11).step.view() == "front/lint");
  CHECK(check(chain<"a">(dropping, chain<"b">(lint)), 11).step.view() == "a/b/lint");
  // Inside of a chain that is adapted as a whole.
  const auto inside = chain<"inside">(parse, lint);
  CHECK(check_late(on_data(inside), 11).step.view() == "inside/lint");
  CHECK(check_late(on_data(inside), 3).code == wf::errc::none);
  CHECK(check(wf::drop_args<wf::type_args>(inside), -1).step.view() == "inside/parse");
  // After a chain that runs as a whole.
  const auto whole = chain<"whole">(parse);
  CHECK(check_late(chain<"front">(on_data(whole), on_data(lint)), 11).step.view() == "front/lint");
  CHECK(check_late(chain<"front">(on_data(whole), on_data(lint)), -1).step.view() ==
        "front/whole/parse");
}

TEST_CASE("steps that look at arguments are passed by") {
  // The lint sees the input and the output of such steps.
  CHECK(check(wf::chain<"front">(on_data(parse), specialise, lint), 11).step.view() ==
        "front/lint");
  CHECK(check(wf::chain<"front">(on_data(parse), specialise, lint), 3).code == wf::errc::none);
  CHECK(check_late(wf::chain<"front">(on_data(parse), narrow, on_data(lint)), 11).step.view() ==
        "front/lint");
}

TEST_CASE("steps inside of others are passed by, and errors have one path") {
  using wf::workflow;
  const auto first = chain<"first">(on_data(parse), specialise);
  CHECK(check(chain<"all">(first, lint), 11).step.view() == "all/lint");
  CHECK(check(chain<"all">(first, chain<"then">(lint)), 11).step.view() == "all/then/lint");
  CHECK(check(chain<"all">(first, chain<"then">(lint)), -1).step.view() == "all/first/parse");
  CHECK(check(chain<"all">(first, chain<"then">(lint)), 3).code == wf::errc::none);
}

TEST_CASE("what a lint does not reach without arguments fails when it compiles") {
  const auto generate = wf::step<"generate">([](const with_types<source>& d) -> wf::result<ast> {
    if (!d.args.types.empty()) return ast{d.data.lines};
    return wf::make_error(wf::errc::missing_argument, "types", "the types must be known");
  });
  const auto b = wf::make_backend<"b">(wf::chain<"front">(generate, lint), emit);
  CHECK(b.check(source{11}).code == wf::errc::none);
  const wf::type_args known{{{wf::text("x"), {wf::dtype::f64, {}, wf::shape::of(2)}}}, {}};
  CHECK(b.compile(source{11}, known).error().step.view() == "front/lint");
  CHECK(b.compile(source{3}, known)->size == 3);
  CHECK(b.compile(source{3}).error().step.view() == "front/generate");
  // Without a lint no step runs.
  CHECK(check_late(wf::chain<"front">(on_data(parse)), -1).code == wf::errc::none);
}

TEST_CASE("a definition need be no value without state: a callable that captures") {
  int calls = 0;
  const auto callable = [&calls](int x) { return ++calls + x; };
  using definition = std::remove_const_t<decltype(callable)>;
  const auto b = wf::make_backend<"b">(wf::on_data<wf::type_args>(wf::step<"call", definition, ast>(
                                           [](const definition& f) { return ast{f(4)}; })),
                                       emit_late);
  static_assert(std::same_as<decltype(b)::definition, definition>);
  CHECK(b.compile(callable)->size == 5);
  CHECK(b.check(callable).code == wf::errc::none);
  CHECK(calls == 1);
}
