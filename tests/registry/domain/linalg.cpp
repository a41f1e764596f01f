// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/domain/builtin.hpp>

#include "../counted_flops.hpp"
#include "../one_node.hpp"

namespace {

using counted_flops::sizes;

// Operands of the extents that a signature names, without its optional dimension where `vector`.
one_node::operands operands_of(const wf::kernel_spec& k, const sizes& s, bool vector = false) {
  const auto declared = wf::parse_signature(k.signature);
  REQUIRE(declared);
  one_node::operands out;
  for (std::uint32_t i = 0; i < declared->inputs; ++i) {
    const wf::parameter& p = declared->parameters[i];
    wf::value_type t{p.bound == "i64" ? wf::dtype::i64 : wf::dtype::f64, {}, {}};
    const wf::view<wf::text_view> dimensions = declared->dimensions_of(p);
    for (std::uint32_t i = 0; i < dimensions.size(); ++i) {
      const wf::text_view d = dimensions[i];
      CAPTURE(std::string(d));
      REQUIRE((d == "M" || d == "N" || d == "K"));
      if (vector && i == p.optional) continue;
      t.shape.push_back(d == "M" ? s.m : d == "N" ? s.n : s.k);
    }
    out.push_back(t);
  }
  return out;
}

}  // namespace

TEST_CASE("the domain lists the kernels in an order that results may depend on") {
  std::string names;
  for (const wf::kernel_spec* k : wf::kernels::linalg_domain) {
    CAPTURE(std::string(k->name));
    CHECK(k->domain == "linalg");
    names += (names.empty() ? "" : " ") + std::string(k->name);
  }
  CHECK(names ==
        "matmul matmul_add matmul_subtract gemmt syr2k matmul_half matmul_symmetric "
        "matmul_triangular matmul_diagonal matmul_permutation matvec_permutation matvec "
        "matvec_symmetric transpose inverse inverse_cholesky inverse_symmetric "
        "inverse_triangular inverse_diagonal solve solve_cholesky solve_symmetric solve_right "
        "solve_right_cholesky matmul_strassen dot outer axpy norm trace diagonal "
        "product_diagonal identity_like cholesky lu lu_factor solve_lu solve_lu_transposed "
        "ldl_factor solve_ldl qr least_squares solve_triangular solve_diagonal");
}

TEST_CASE("row 4: flops of linear algebra are those of the algorithms, counted at random sizes") {
  const unsigned seed = 2204;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::size_t seen = 0, complex = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (k->domain != "linalg") continue;
    CAPTURE(std::string(k->name));
    // A view computes nothing; the cost of Strassen's scheme is tested with its kernel.
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
      // With complex elements: the additional operations that LAPACK counts are mostly products.
      auto operands = operands_of(*k, s);
      const auto signature = wf::parse_signature(k->signature);
      bool admits = true;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (operands[i].type != wf::dtype::f64) continue;
        admits = admits && wf::satisfies(wf::dtype::c128, signature->parameters[i].bound);
        operands[i].type = wf::dtype::c128;
      }
      if (!admits) continue;
      ++complex;
      const counted_flops::complex_arithmetic complex_numbers;
      CHECK(std::abs(one_node::priced(*k, "flops", operands) - row.flops(s)) <= 6 * row.slack(s));
    }
  }
  CHECK(seen == counted_flops::algorithms().size());
  CHECK(complex > 20 * 30);
}

TEST_CASE("a vector takes as much as a matrix of one column, in every metric but time") {
  const unsigned seed = 2205;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::size_t seen = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (k->domain != "linalg") continue;
    const auto declared = wf::parse_signature(k->signature);
    REQUIRE(declared);
    const auto optional = [](const wf::parameter& p) { return p.optional != wf::parameter::none; };
    if (std::none_of(declared->parameters.begin(), declared->parameters.end(), optional)) continue;
    CAPTURE(std::string(k->name));
    ++seen;
    for (int round = 0; round < 20; ++round) {
      const auto extent = [&] { return static_cast<std::int64_t>(1 + random() % 200); };
      sizes s{extent(), 1, 1};
      if (k->name == "least_squares") s = {extent() + 200, extent(), 1};
      const auto matrix = operands_of(*k, s), vector = operands_of(*k, s, true);
      CHECK(vector.back().shape.rank + 1 == matrix.back().shape.rank);
      const auto kind = one_node::failure(*k, vector);
      CHECK(kind == wf::errc::none);
      for (const char* metric : {"flops", "operations", "macs", "bytes", "memory", "peak_memory"}) {
        CAPTURE(metric);
        CHECK(one_node::priced(*k, metric, vector) == one_node::priced(*k, metric, matrix));
      }
    }
  }
  CHECK(seen == 9);
}
