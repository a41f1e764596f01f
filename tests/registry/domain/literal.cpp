// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/literal.hpp>

#include <array>
#include <complex>
#include <string>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/infer.hpp>

namespace {

using wf::dtype, wf::shape;

wf::result<wf::value_type> inferred(const wf::value_type& t, wf::text_view elements) {
  const wf::literal_attributes with(t, elements);
  const auto out = wf::infer(wf::kernels::literal, {{}, with.all(), nullptr});
  if (!out) return out.error();
  return out->types()[0];
}

}  // namespace

TEST_CASE("a literal has the type that its attributes say, if they hold every element") {
  for (const dtype type : {dtype::boolean, dtype::i8, dtype::u16, dtype::i32, dtype::u64,
                           dtype::f16, dtype::f32, dtype::f64, dtype::c64, dtype::c128}) {
    const wf::value_type t{type, {}, shape::of(2, 3)};
    const wf::text elements = wf::elements_text(t, [](std::int64_t i) { return i % 2; });
    CAPTURE(std::string(wf::name_of(type)));
    CHECK(elements.size() == 6 * wf::characters_of_element(type));
    const auto found = inferred(t, elements.view());
    REQUIRE(found);
    CHECK(*found == t);
    CHECK(inferred(t, elements.view().part(1)).error().code == wf::errc::bad_attribute);
    CHECK(inferred({type, {}, shape::of(2, 2)}, elements.view()).error().code ==
          wf::errc::bad_attribute);
    CHECK(inferred({type, {}, shape::of("M", 3)}, elements.view()).error().code ==
          wf::errc::bad_attribute);
  }
  CHECK(inferred({dtype::f64, {}, shape::of(0, 3)}, "").has_value());
  CHECK(inferred({dtype::qubit, {}, shape::of(1)}, "").error().code == wf::errc::bad_attribute);
}

TEST_CASE("complex elements are their two parts, real ones among them have none") {
  const wf::value_type t{dtype::c64, {}, shape::of(1)};
  CHECK(wf::elements_text(t, [](std::int64_t) { return std::complex<double>(1, 2); }).view() ==
        "3f80000040000000");
  CHECK(wf::elements_text(t, [](std::int64_t) { return 1; }).view() == "3f80000000000000");
}

TEST_CASE("a node that does not hold its elements has a fault") {
  const auto fault = [](const char* digits) {
    const std::string text = std::string(
                                 "wf.graph 1 \"g\"\nnode elementwise.literal() [d0 = dim 2, "
                                 "dtype = \"u8\", elements = \"") +
                             digits + "\"] -> u8[2]\noutput \"y\" = %0\n";
    const auto g = wf::parse_graph(text);
    REQUIRE(g);
    return !wf::detail::literal_fault(g->view(), g->view().nodes[0]).empty();
  };
  CHECK_FALSE(fault("0a0b"));
  CHECK(fault("0a0"));
  CHECK(fault("0a0b0c"));
  CHECK(fault("0a0x"));
  CHECK(fault(""));
}
