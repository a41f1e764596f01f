// SPDX-License-Identifier: BSL-1.0
#include <wf/run/named_arguments.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

constexpr auto scaled = wf::workflow<"scaled">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "N">();
  auto k = s.input<"k", std::int64_t>();
  auto alpha = s.input<"alpha", double>();
  s.output<"y">(alpha * a);
  s.output<"z">(k + k);
});

wf::named_matrices arguments(double k) {
  wf::named_matrices out;
  out["A"] = wf::dynamic_matrix::Zero(3, 4);
  out["k"] = wf::dynamic_matrix::Constant(1, 1, k);
  out["alpha"] = wf::dynamic_matrix::Constant(1, 1, 0.5);
  return out;
}
wf::text types(const wf::named_matrices& a, std::initializer_list<const char*> fixed) {
  wf::table<wf::text> names;
  for (const char* name : fixed) names.push_back(wf::text(name));
  const auto found = wf::detail::argument_types(scaled.graph(), a, names);
  return found ? wf::to_text(*found) : wf::to_text(found.error());
}

}  // namespace

TEST_CASE("arguments tell the sizes of symbols, and the values of static inputs") {
  CHECK(types(arguments(7), {}).view() == "M=3, N=4");
  CHECK(types(arguments(7), {"alpha", "k"}).view() == "M=3, N=4, alpha=0.5, k=7");
}

TEST_CASE("static inputs are scalars of the workflow") {
  CHECK(types(arguments(7), {"A"}).view() == "WF703 in 'A': only scalar inputs can be compiled in");
  CHECK(types(arguments(7), {"q"}).view().starts_with("WF702 in 'q'"));
  // No whole number for an input of whole numbers: refused where it is bound.
  const auto half = wf::detail::argument_types(scaled.graph(), arguments(0.5), {});
  REQUIRE(half);
  CHECK(types(arguments(0.5), {"k"}).view() == "M=3, N=4, k=0.5");
}

TEST_CASE("arguments that do not fit are errors that name them") {
  wf::named_matrices a = arguments(1);
  CHECK(wf::detail::check_arguments(scaled.graph(), a).code == wf::errc::none);
  a["q"] = wf::dynamic_matrix::Zero(1, 1);
  CHECK(wf::detail::check_arguments(scaled.graph(), a).code == wf::errc::unknown_argument);
  a.erase("q");
  a.erase("k");
  CHECK(wf::detail::check_arguments(scaled.graph(), a).code == wf::errc::missing_argument);
}
