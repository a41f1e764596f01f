// SPDX-License-Identifier: BSL-1.0
#include <wf/lint/finding.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

namespace {

constexpr wf::findings sample() {
  wf::findings all;
  all.workflow = wf::text("model");
  wf::finding f;
  f.rule = wf::lint_rule::unused_input;
  f.subject = wf::text("x");
  f.message = wf::text("nothing reads the input 'x'");
  all.list.push_back(f);
  f.rule = wf::lint_rule::dead_node;
  f.severity = wf::severity::error;
  f.subject = wf::text("h");
  f.message = wf::text("relu 'h' is dead");
  f.file = wf::text("model.cpp");
  f.line = 12;
  f.column = 3;
  all.list.push_back(f);
  return all;
}
constexpr wf::text_view rendered =
    "model: warning: nothing reads the input 'x' [unused_input]\n"
    "model.cpp:12:3: error: relu 'h' is dead [dead_node]\n";
static_assert(wf::to_text(sample()) == wf::text(rendered));
static_assert(wf::error_of(sample()) == wf::make_error(wf::errc::lint_failed, "h",
                                                       "relu 'h' is dead [dead_node]", {12, 3, 0}));
static_assert(wf::error_of(wf::findings{}).code == wf::errc::none);
static_assert(sample().count(wf::severity::note) == 2 && sample().count(wf::severity::error) == 1);
static_assert(!sample().empty() && wf::findings{}.empty());

constexpr bool sets_hold() {
  const wf::lint_rule_set two =
      wf::lint_rule_set(wf::lint_rule::dead_node) | wf::lint_rule::cancellation;
  return two.has(wf::lint_rule::dead_node) && two.has(wf::lint_rule::cancellation) &&
         !two.has(wf::lint_rule::unused_input) &&
         (two | wf::lint_rule_set::all()) == wf::lint_rule_set::all();
}
static_assert(sets_hold());

}  // namespace

TEST_CASE("findings read like a compiler's") {
  CHECK(wf::to_text(sample()) == wf::text(rendered));
  wf::findings all = sample();
  all.workflow.clear();
  all.list[1].line = 0;
  CHECK(wf::to_text(all) ==
        wf::text("workflow: warning: nothing reads the input 'x' [unused_input]\n"
                 "model.cpp: error: relu 'h' is dead [dead_node]\n"));
}

TEST_CASE("the first error is the error of a lint") {
  CHECK(wf::error_of(sample()).code == wf::errc::lint_failed);
  CHECK(wf::to_text(wf::error_of(sample())) ==
        wf::text("WF810 in 'h': relu 'h' is dead [dead_node] (line 12, column 3)"));
  wf::findings warned = sample();
  warned.list[1].severity = wf::severity::warning;
  CHECK(wf::error_of(warned).code == wf::errc::none);
}

TEST_CASE("every rule has a name of its own, a reason and a severity") {
  CHECK(sets_hold());
  std::set<std::string> names;
  for (std::size_t i = 0; i < wf::lint_rule_count; ++i) {
    const auto rule = static_cast<wf::lint_rule>(i);
    names.insert(std::string(wf::name_of(rule)));
    CHECK(wf::reason_of(rule).size() > 30);
    // By default only rules about malformed graphs are errors.
    CHECK((wf::severity_of(rule) == wf::severity::error) ==
          (rule == wf::lint_rule::malformed_graph));
    CHECK(wf::lint_rule_set::all().has(rule));
  }
  CHECK(names.size() == wf::lint_rule_count);
  CHECK(wf::name_of(wf::lint_rule::unguarded_domain) == wf::text_view("unguarded_domain"));
  CHECK(wf::name_of(wf::severity::note) == wf::text_view("note"));
}
