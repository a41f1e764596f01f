// SPDX-License-Identifier: BSL-1.0
#include "counted_flops.hpp"

#include <cstdlib>
#include <random>

#include <doctest/doctest.h>

#include <wf/registry/builtin.hpp>

#include "one_node.hpp"

namespace {

using counted_flops::sizes;

// Operands of the extents that a signature names.
one_node::operands operands_of(const wf::kernel_spec& k, const sizes& s) {
  const auto declared = wf::parse_signature(k.signature);
  REQUIRE(declared);
  one_node::operands out;
  for (std::uint32_t i = 0; i < declared->inputs; ++i) {
    const wf::parameter& p = declared->parameters[i];
    wf::value_type t{p.bound == "i64" ? wf::dtype::i64 : wf::dtype::f64, {}, {}};
    for (const wf::text_view d : declared->dimensions_of(p)) {
      CAPTURE(std::string(d));
      REQUIRE((d == "M" || d == "N" || d == "K"));
      t.shape.push_back(d == "M" ? s.m : d == "N" ? s.n : s.k);
    }
    out.push_back(t);
  }
  return out;
}

}  // namespace

TEST_CASE("row 4: flops of linear algebra are those of the algorithms, counted at random sizes") {
  const unsigned seed = 2204;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::size_t seen = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (k->domain != "linalg") continue;
    CAPTURE(std::string(k->name));
    // A view computes nothing; what Strassen's scheme takes is checked beside its kernel.
    if (k->is_view || k->name == "matmul_strassen") continue;
    const auto found = counted_flops::algorithms().find(std::string(k->name));
    REQUIRE(found != counted_flops::algorithms().end());
    const counted_flops::row& row = found->second;
    ++seen;
    for (int round = 0; round < 20; ++round) {
      const auto extent = [&] { return static_cast<std::int64_t>(1 + random() % 40); };
      sizes s{extent(), extent(), extent()};
      if (k->name == "qr" || k->name.starts_with("least_squares")) s.m += s.n;
      CAPTURE(s.m);
      CAPTURE(s.n);
      CAPTURE(s.k);
      const std::int64_t stated = one_node::priced(*k, "flops", operands_of(*k, s));
      const std::int64_t counted = row.flops(s);
      CHECK(std::abs(stated - counted) <= row.slack(s));
    }
  }
  CHECK(seen == counted_flops::algorithms().size());
}
