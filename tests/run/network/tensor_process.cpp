// SPDX-License-Identifier: BSL-1.0
#include <wf/run/network/tensor_process.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/run/plan/executable_kernels.hpp>

#include <memory>
#include <vector>

namespace {

constexpr auto twice = wf::workflow<"twice">([](wf::scope& s) {
  auto x = s.input<"x", double, 2, 3>();
  s.output<"y">(x + x);
});

}  // namespace

TEST_CASE("an operator's process computes once per round, and shares its results") {
  auto code = wf::executable_graph::prepare(twice);
  REQUIRE(code);
  const wf::value_type type = code->workflow()[code->workflow().outputs[0].source].type;
  wf::table<wf::expected_input> in;
  in.push_back({wf::text("x"), wf::usage::data, type});
  in.push_back({wf::text("go"), wf::usage::order, {}});
  wf::tensor_process p(*code, in, {0, UINT32_MAX}, {0, 0, UINT32_MAX}, 7);
  CHECK(p.outputs() == 3);
  CHECK(p.work(0) == 7);
  for (double scale : {1.0, 2.0}) {
    const auto x =
        std::make_shared<const wf::dynamic_matrix>(wf::dynamic_matrix::Constant(2, 3, scale));
    CHECK_FALSE(*p.update(0, {type, x}, 0));
    CHECK(*p.update(1, {}, 0));
    std::vector<wf::tensor_value> made;
    CHECK(p.generate_output(9, [&](std::uint32_t, wf::tensor_value v) { made.push_back(v); }));
    REQUIRE(made.size() == 3);
    CHECK(made[0].elements == made[1].elements);
    CHECK((made[0].elements->array() == 2 * scale).all());
    CHECK(made[0].bytes() == 48);
    CHECK(made[2].bytes() == 0);
    CHECK(x.use_count() == 1);  // operands are let go
  }
}
