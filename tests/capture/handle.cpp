// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/handle.hpp>

#include <type_traits>

#include <doctest/doctest.h>

#include <wf/capture/scope.hpp>

namespace {

using square = wf::handle<wf::dtype::f64, wf::dims<6, 6>, wf::properties(wf::spd).bits>;
static_assert(square::type.shape == wf::shape::of(6, 6) && square::type.known.has(wf::spd));
static_assert(wf::operand<square> && !wf::operand<int>);
static_assert(wf::dynamic_handle<float>::type.type == wf::dtype::f32);
static_assert(!wf::dynamic_handle<float>::type.shape.has_rank());
static_assert(std::is_convertible_v<square, wf::dynamic_handle<double>>);
static_assert(!std::is_convertible_v<square, wf::dynamic_handle<float>>);
static_assert(!std::is_convertible_v<wf::dynamic_handle<double>, square>);

}  // namespace

TEST_CASE("a handle knows its scope and value") {
  wf::scope s("s");
  const auto x = s.input<"x", double, 2, 2>();
  CHECK(x.owner() == &s);
  CHECK(x.id() == wf::value_id{0});
  CHECK(wf::dynamic_handle<double>().owner() == nullptr);
}
