// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/instance.hpp>

#include <doctest/doctest.h>

using namespace wf::wfformat;

TEST_CASE("instances are regular values") {
  instance a;
  a.name = "a";
  a.workflow.specification.tasks.resize(1);
  a.workflow.execution.emplace().tasks.resize(1);
  a.workflow.execution->tasks[0].called.emplace().program = "p";
  instance b = a;
  CHECK(a == b);
  b.workflow.execution->tasks[0].called->arguments.push_back("x");
  CHECK(a != b);
  CHECK(a.workflow.execution->tasks[0].called->arguments.empty());
  b = a;
  b.form.layout = 1;
  CHECK(a != b);
}

TEST_CASE("a string that is assigned anew forgets its spelling") {
  string s("a");
  s.spelling = wf::text("\\u0061");
  CHECK(s != string("a"));
  s = "a";
  CHECK(s == string("a"));
  CHECK(string().empty());
  CHECK(string(wf::text("b")).view() == "b");
}
