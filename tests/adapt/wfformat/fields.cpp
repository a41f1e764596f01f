// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/fields.hpp>

#include <string>

#include <doctest/doctest.h>

namespace {

using namespace wf::wfformat;

template <class T>
std::string fields_of() {
  std::string out;
  T object;
  detail::visit_fields(object, [&](const detail::field_rule& rule, auto&) {
    out += std::string(rule.key) + (rule.required ? "! " : " ");
  });
  return out;
}

}  // namespace

TEST_CASE("the fields are those of the schema, required ones marked") {
  CHECK(fields_of<instance>() ==
        "name! description createdAt schemaVersion! runtimeSystem author workflow! ");
  CHECK(fields_of<runtime_system>() == "name! version! url ");
  CHECK(fields_of<author>() == "name! email! institution country ");
  CHECK(fields_of<workflow>() == "specification! execution ");
  CHECK(fields_of<specification>() == "tasks! files ");
  CHECK(fields_of<task>() == "name! id! parents! children! inputFiles outputFiles ");
  CHECK(fields_of<file>() == "id! sizeInBytes! ");
  CHECK(fields_of<execution>() == "makespanInSeconds! executedAt! tasks! machines ");
  CHECK(fields_of<executed_task>() ==
        "id! runtimeInSeconds! executedAt command coreCount avgCPU readBytes writtenBytes "
        "memoryInBytes energyInKWh avgPowerInW priority machines ");
  CHECK(fields_of<command>() == "program arguments ");
  CHECK(fields_of<machine>() == "system architecture nodeName! release memoryInBytes cpu ");
  CHECK(fields_of<processor>() == "coreCount speedInMHz vendor ");
}

TEST_CASE("empty values stand for absent fields, except where an empty array is meant") {
  const detail::field_rule optional{"x"}, required{"x", true},
      nonempty{"x", false, detail::value_rule::any, true};
  CHECK_FALSE(detail::has_field(optional, string(), true));
  CHECK(detail::has_field(required, string(), false));
  CHECK_FALSE(detail::has_field(required, number(), true));
  CHECK(detail::has_field(optional, number(0), false));
  CHECK(detail::has_field(optional, wf::table<string>(), true));
  CHECK_FALSE(detail::has_field(optional, wf::table<string>(), false));
  CHECK_FALSE(detail::has_field(nonempty, wf::table<machine>(), true));
  CHECK(detail::has_field(required, wf::table<task>(), false));
  CHECK_FALSE(detail::has_field(optional, std::optional<author>(), true));
  CHECK(detail::has_field(optional, std::optional<author>(author()), false));
}
