// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/definition.hpp>

#include <doctest/doctest.h>

namespace own {

struct source {
  int id = 0;
};
constexpr wf::text_view definition_name(const source& s) { return s.id == 0 ? "zero" : "other"; }
struct nameless {};

}  // namespace own

namespace {

wf::argument_type matrix(const char* name, std::int64_t rows) {
  return {wf::text(name), {wf::dtype::f64, {}, wf::shape::of(rows, 1)}};
}

static_assert(wf::stage_name<wf::program_definition> == "graph with argument types");
static_assert(wf::stage_name<wf::concrete<wf::workflow_definition, wf::type_args>> ==
              "definition with argument types");
static_assert(std::same_as<wf::definition_view<wf::graph>, wf::graph_view>);
static_assert(std::same_as<wf::definition_view<own::source>, own::source>);
static_assert(wf::definition_name(wf::workflow_definition{"w", nullptr}) == "w");
static_assert(wf::detail::name_of_definition(own::source{1}) == "other");
static_assert(wf::detail::name_of_definition(own::nameless{}) == wf::stage_name<own::nameless>);

}  // namespace

TEST_CASE("arguments of one form are one, whatever their order") {
  const wf::type_args a{{matrix("b", 2), matrix("a", 3)},
                        {wf::static_arg("n", 4), wf::static_arg("m", 0.5)}};
  const wf::type_args b{{matrix("a", 3), matrix("b", 2)},
                        {wf::static_arg("m", 0.5), wf::static_arg("n", 4)}};
  REQUIRE(wf::sorted_arguments(a));
  CHECK(*wf::sorted_arguments(a) == *wf::sorted_arguments(b));
  CHECK(*wf::sorted_arguments(a) == b);
  CHECK(*wf::sorted_arguments({}) == wf::type_args{});
  CHECK(*wf::sorted_arguments({{matrix("a", 3)}, {}}) !=
        *wf::sorted_arguments({{matrix("a", 4)}, {}}));
}

TEST_CASE("a name that is given twice is an error that names it") {
  const auto types = wf::sorted_arguments({{matrix("a", 3), matrix("b", 1), matrix("a", 3)}, {}});
  REQUIRE(!types);
  CHECK(types.error().code == wf::errc::unknown_argument);
  CHECK(types.error().subject.view() == "a");
  const auto values = wf::sorted_arguments({{}, {wf::static_arg("m", 1), wf::static_arg("m", 2)}});
  REQUIRE(!values);
  CHECK(values.error().subject.view() == "m");
  const auto mixed = wf::sorted_arguments(
      {{matrix("a", 3), matrix("m", 1)}, {wf::static_arg("l", 2), wf::static_arg("m", 2)}});
  REQUIRE(!mixed);
  CHECK(mixed.error().message.view() == "its value is compiled in already");
  CHECK(mixed.error().subject.view() == "m");
}
