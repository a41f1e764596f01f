// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/type_name.hpp>

#include <doctest/doctest.h>

namespace sample {
struct stage {};
template <class T>
struct holder {};
}  // namespace sample

static_assert(wf::type_name<int>() == "int");
static_assert(wf::type_name<sample::stage>() == "sample::stage");
static_assert(wf::type_name<sample::holder<sample::stage>>() == "sample::holder<sample::stage>");

TEST_CASE("the name of a type is what its source calls it") {
  CHECK(wf::type_name<double>() == "double");
  CHECK(wf::type_name<const sample::stage*>().starts_with("const sample::stage"));
  CHECK(wf::type_name<wf::text_view>() == "wf::text_view");
}

TEST_CASE("different types have different names") {
  CHECK(wf::type_name<sample::holder<int>>() != wf::type_name<sample::holder<long>>());
  CHECK(wf::type_name<int[2]>() != wf::type_name<int[3]>());
}
