// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg.hpp>

#include <cstdlib>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/domain/builtin.hpp>

#include "../counted_flops.hpp"
#include "../one_node.hpp"

namespace {

// The price of one node on operands of the given shapes, f64 where no type is given.
std::int64_t priced(const wf::kernel_spec& k, const wf::metric_spec& m,
                    const std::vector<wf::shape>& shapes, const one_node::attributes& with = {},
                    const std::vector<wf::dtype>& types = {}) {
  one_node::operands in;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    in.push_back({i < types.size() ? types[i] : wf::dtype::f64, {}, shapes[i]});
  return one_node::priced(k, m.name, in, with);
}

using wf::shape;

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

TEST_CASE("products by counting multiplications and additions") {
  for (std::int64_t m = 1; m < 5; ++m)
    for (std::int64_t k = 1; k < 5; ++k)
      for (std::int64_t n = 1; n < 5; ++n) {
        CHECK(priced(wf::kernels::matmul, wf::flops, {shape::of(m, k), shape::of(k, n)}) ==
              2 * m * k * n);
        CHECK(priced(wf::kernels::matmul, wf::macs, {shape::of(7, m, k), shape::of(k, n)}) ==
              7 * m * k * n);
        CHECK(priced(wf::kernels::matvec, wf::flops, {shape::of(m, k), shape::of(k)}) == 2 * m * k);
      }
}

TEST_CASE("factorisations by LAPACK's counts") {
  // Multiplications, divisions and additions of elimination without pivot search, counted.
  for (std::int64_t m = 1; m < 12; ++m) {
    std::int64_t lu = 0;
    for (std::int64_t k = 1; k <= m; ++k) lu += (m - k) + 2 * (m - k) * (m - k);
    for (std::int64_t n = 1; n < 4; ++n) {
      // Two triangular solves for each column: m(m-1) multiply-adds in all, and m divisions;
      // Working Note 41 counts getrf with m more operations than elimination needs.
      const std::int64_t substitution = n * (2 * m * m - m);
      const std::int64_t stated =
          priced(wf::kernels::solve, wf::flops, {shape::of(m, m), shape::of(m, n)});
      CHECK(stated - substitution - lu == m);
      // The factors alone, and what remains with them.
      const std::vector<wf::dtype> types{wf::dtype::f64, wf::dtype::i64, wf::dtype::f64};
      for (const auto* k : {&wf::kernels::solve_lu, &wf::kernels::solve_lu_transposed})
        CHECK(priced(wf::kernels::lu_factor, wf::flops, {shape::of(m, m)}) +
                  priced(*k, wf::flops, {shape::of(m, m), shape::of(m), shape::of(m, n)}, {},
                         types) ==
              stated);
      // A symmetric matrix: its factors, and what remains with them.
      CHECK(priced(wf::kernels::ldl_factor, wf::flops, {shape::of(m, m)}) +
                priced(wf::kernels::solve_ldl, wf::flops,
                       {shape::of(m, m), shape::of(m), shape::of(m, n)}, {}, types) ==
            priced(wf::kernels::solve_symmetric, wf::flops, {shape::of(m, m), shape::of(m, n)}));
      CHECK(priced(wf::kernels::solve_right, wf::flops, {shape::of(n, m), shape::of(m, m)}) ==
            stated);
    }
    CHECK(priced(wf::kernels::solve_vector, wf::flops, {shape::of(m, m), shape::of(m)}) ==
          priced(wf::kernels::solve, wf::flops, {shape::of(m, m), shape::of(m, 1)}));
    // 2 m³ to leading order, and never a fraction.
    const std::int64_t inverse = priced(wf::kernels::inverse, wf::flops, {shape::of(m, m)});
    CHECK(inverse > 2 * m * m * m - 2 * m * m);
    CHECK(inverse <= 2 * m * m * m + 3 * m);
  }
}

TEST_CASE("Strassen: seven half products and eighteen half sums") {
  const std::int64_t n = 512, h = n / 2;
  CHECK(priced(wf::kernels::matmul_strassen, wf::flops, {shape::of(n, n), shape::of(n, n)}) ==
        7 * 2 * h * h * h + 18 * h * h);
}

TEST_CASE("the transpose flips triangles and keeps symmetry") {
  const auto flipped = [](wf::properties p) {
    const wf::value_type t{wf::dtype::f64, p, shape::of(3, 3)};
    return wf::kernels::transpose.result_properties({{&t, 1}, {}});
  };
  CHECK(flipped(wf::lower_triangular) == wf::properties(wf::upper_triangular));
  CHECK(flipped(wf::spd) == wf::properties(wf::spd));
  CHECK(flipped(wf::diagonal) == wf::properties(wf::diagonal));
}

TEST_CASE("a product of triangular matrices is triangular, of symmetric ones is not symmetric") {
  const auto product = [](wf::properties a, wf::properties b) {
    const wf::value_type types[] = {{wf::dtype::f64, a, shape::of(3, 3)},
                                    {wf::dtype::f64, b, shape::of(3, 3)}};
    return wf::kernels::matmul.result_properties({types, {}});
  };
  CHECK(product(wf::lower_triangular, wf::lower_triangular).has(wf::lower_triangular));
  CHECK_FALSE(product(wf::symmetric, wf::symmetric).has(wf::symmetric));
  CHECK_FALSE(product(wf::spd, wf::spd).has(wf::psd));
  CHECK(product(wf::spd, wf::spd).has(wf::nonsingular));
  CHECK(product(wf::diagonal, wf::diagonal).has(wf::diagonal));
  CHECK(product(wf::orthogonal, wf::orthogonal).has(wf::orthogonal));
}

TEST_CASE("row 3: wrong operands of linear algebra") {
  using one_node::f64, one_node::of, one_node::failure;
  using namespace wf::kernels;
  const auto shape_error = wf::errc::shape_mismatch;
  CHECK(failure(matmul, {f64(2, 3), f64(2, 3)}) == shape_error);
  CHECK(failure(gemmt, {f64(2, 3), f64(3, 4)}) == shape_error);
  CHECK(failure(syr2k, {f64(2, 3), f64(3, 4)}) == shape_error);
  CHECK(failure(matvec, {f64(2, 3), f64(2)}) == shape_error);
  CHECK(failure(matvec_symmetric, {f64(2, 3), f64(3)}) == shape_error);
  CHECK(failure(matmul_half, {of(wf::dtype::i32, 3, 3), of(wf::dtype::i32, 3, 2)}) ==
        wf::errc::dtype_mismatch);
  CHECK(failure(dot, {f64(2), f64(3)}) == shape_error);
  CHECK(failure(outer, {f64(2, 2), f64(3)}) == shape_error);
  CHECK(failure(axpy, {f64(1), f64(3), f64(3)}) == shape_error);
  CHECK(failure(norm, {f64(3, 3)}) == shape_error);
  CHECK(failure(transpose, {f64(3)}) == shape_error);
  for (const auto* k :
       {&inverse, &inverse_cholesky, &inverse_symmetric, &inverse_triangular, &inverse_diagonal,
        &cholesky, &lu, &lu_factor, &ldl_factor, &wf::kernels::trace, &identity_like})
    CHECK(failure(*k, {f64(2, 3)}) == shape_error);
  for (const auto* k :
       {&solve, &solve_cholesky, &solve_symmetric, &solve_triangular, &solve_diagonal,
        &matmul_triangular, &matmul_diagonal, &matmul_permutation, &matmul_half, &matmul_symmetric})
    CHECK(failure(*k, {f64(3, 3), f64(2, 3)}) == shape_error);
  CHECK(failure(cholesky, {of(wf::dtype::i32, 3, 3)}) == wf::errc::dtype_mismatch);
}

TEST_CASE("QR by LAPACK's counts of its two halves") {
  for (std::int64_t m = 1; m < 20; ++m)
    for (std::int64_t n = 1; n <= m; ++n) {
      // Three times the figures of Working Note 41, to stay whole.
      const std::int64_t factor = 6 * m * n * n - 2 * n * n * n + 3 * m * n + 3 * n * n + 14 * n;
      const std::int64_t form = 6 * m * n * n - 2 * n * n * n - 3 * m * n + 6 * n * n - 4 * n;
      CHECK(3 * priced(wf::kernels::qr, wf::flops, {shape::of(m, n)}) == factor + form);
      for (std::int64_t k = 1; k < 4; ++k) {
        const std::int64_t reflect = 4 * m * n * k - 2 * n * n * k + 3 * n * k;
        CHECK(
            3 * priced(wf::kernels::least_squares, wf::flops, {shape::of(m, n), shape::of(m, k)}) ==
            factor + 3 * (reflect + n * n * k));
      }
      CHECK(priced(wf::kernels::least_squares_vector, wf::flops, {shape::of(m, n), shape::of(m)}) ==
            priced(wf::kernels::least_squares, wf::flops, {shape::of(m, n), shape::of(m, 1)}));
    }
}

TEST_CASE("row 4: flops of linear algebra are those of the algorithms, counted at random sizes") {
  const unsigned seed = 2204;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::size_t seen = 0, complex = 0;
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
      // Of complex elements: what LAPACK counts more are mostly products.
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
