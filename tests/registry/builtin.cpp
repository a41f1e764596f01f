// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/builtin.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/formula/parse.hpp>

TEST_CASE("every built-in kernel is complete: unique name, signature, formulas, summary") {
  wf::registry r;
  for (const wf::view<wf::kernel_spec> domain :
       {wf::view<wf::kernel_spec>(wf::kernels::elementwise_domain),
        wf::view<wf::kernel_spec>(wf::kernels::linalg_domain),
        wf::view<wf::kernel_spec>(wf::kernels::movement_domain),
        wf::view<wf::kernel_spec>(wf::kernels::nn_domain),
        wf::view<wf::kernel_spec>(wf::kernels::quantum_domain),
        wf::view<wf::kernel_spec>(wf::kernels::tensor_domain)})
    REQUIRE(r.add(domain));
  CHECK(r.kernels().size() == wf::builtin_registry().kernels().size());
  for (const wf::kernel_spec& k : r.kernels()) {
    CAPTURE(std::string(k.name));
    const auto s = wf::parse_signature(k.signature);
    REQUIRE(s);
    CHECK_FALSE(k.summary.empty());
    for (const wf::parameter& p : s->parameters)
      CHECK((p.bound.empty() || wf::is_dtype_bound(p.bound)));
    bool flops = false;
    for (const wf::cost_formula& c : k.costs) {
      if (c.metric.empty()) break;
      CHECK(wf::parse_formula(c.formula));
      flops = flops || c.metric == "flops";
    }
    CHECK(flops);
  }
}
