// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/quantities.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "small_file.hpp"

using wf::wfformat::number;

TEST_CASE("sizes and times are integers, or an error with the field") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  const auto related = *wf::wfformat::relations_of(all);
  const wf::wfformat::detail::quantities q(all, related);
  CHECK(*q.bytes_of(0u) == 1000);
  CHECK(*q.bytes_of(related.inputs[3]) == 340);
  CHECK(*q.runtime_of(0, 3) == 1500);
  CHECK(*q.runtime_of(2, 0) == 4);
  CHECK(q.record_of(1)->id == "b");

  const auto told = [](const auto& r) { return std::string(r.error().message.view()); };
  all.workflow.specification.files[3].size_in_bytes = number::spelled("9223372036854775807");
  CHECK(*q.bytes_of(3u) == INT64_MAX);
  CHECK(told(q.bytes_of(related.inputs[3])) ==
        "workflow.specification.files[4].sizeInBytes: the sizes together do not fit 63 bits");
  all.workflow.specification.files[3].size_in_bytes = number::spelled("9223372036854775808");
  CHECK(told(q.bytes_of(3u)) ==
        "workflow.specification.files[3].sizeInBytes: the size does not fit 63 bits");
  all.workflow.execution->tasks[1].runtime_in_seconds = number::spelled("-1");
  CHECK(told(q.runtime_of(1, 6)) ==
        "workflow.execution.tasks[1].runtimeInSeconds: the run time is negative");
  all.workflow.execution->tasks[1].runtime_in_seconds = number::spelled("1e18");
  CHECK(told(q.runtime_of(1, 6)) ==
        "workflow.execution.tasks[1].runtimeInSeconds: the run time does not fit 63 bits");
}

TEST_CASE("a task without a record has no run time") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  all.workflow.execution.reset();
  const auto related = *wf::wfformat::relations_of(all);
  const wf::wfformat::detail::quantities q(all, related);
  CHECK(q.record_of(1) == nullptr);
  CHECK(std::string(q.runtime_of(1, 6).error().message.view()) ==
        "workflow.specification.tasks[1]: no execution of the task is recorded");
}
