// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/matrix.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

namespace compute = wf::compute;
using compute::matrix_ref, compute::matrix_view;
using Eigen::Index;

// A matrix with storage of its own, in which nothing else may be written.
class owned {
 public:
  owned(Index rows, Index columns, bool by_columns, Index apart, std::mt19937_64& random)
      : lies_{nullptr, rows, columns, (by_columns ? rows : columns) + apart, by_columns} {
    memory_.assign(static_cast<std::size_t>(lies_.stride * lies_.runs() + 1), untouched);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j) ref()(i, j) = uniform(random);
  }
  matrix_ref<double> ref() {
    lies_.elements = memory_.data();
    return lies_;
  }
  matrix_view<double> view() { return ref(); }
  double operator()(Index i, Index j) { return ref()(i, j); }
  bool is_clean() {
    std::size_t count = 0;
    for (double x : memory_) count += x == untouched ? 1 : 0;
    return count == memory_.size() - static_cast<std::size_t>(lies_.rows * lies_.columns);
  }

 private:
  static constexpr double untouched = 12345;
  matrix_ref<double> lies_;
  std::vector<double> memory_;
};

struct orders {
  bool a, b, c;
  Index apart;
};
template <class F>
void for_all_orders(F f) {
  for (int bits = 0; bits < 16; ++bits)
    f(orders{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, bits < 8 ? 0 : 3});
}

// Scratch storage, none for a size of 0, which may be written.
class storage {
 public:
  explicit storage(std::int64_t size) : elements_(static_cast<std::size_t>(size)) {}
  double* get() { return elements_.empty() ? nullptr : elements_.data(); }

 private:
  std::vector<double> elements_;
};

double product_at(owned& a, owned& b, Index i, Index j, Index depth) {
  double sum = 0;
  for (Index k = 0; k < depth; ++k) sum += a(i, k) * b(k, j);
  return sum;
}

// An element of b·b'.
double product_at_transposed(owned& b, Index i, Index j, Index depth) {
  double sum = 0;
  for (Index k = 0; k < depth; ++k) sum += b(i, k) * b(j, k);
  return sum;
}

}  // namespace

TEST_CASE("copies between all orders") {
  std::mt19937_64 random(51);
  for (const auto& [m, n] : {std::pair<Index, Index>{0, 3}, {1, 1}, {1, 7}, {5, 1}, {33, 70}})
    for_all_orders([&, rows = m, columns = n](const orders& o) {
      owned from(rows, columns, o.a, o.apart, random), to(rows, columns, o.b, o.c ? 2 : 0, random);
      compute::copy(to.ref(), from.view());
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) REQUIRE(to(i, j) == from(i, j));
      CHECK(to.is_clean());
      compute::fill(to.ref(), 2);
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) REQUIRE(to(i, j) == 2);
      CHECK(to.is_clean());
    });
}

TEST_CASE("copies of lower triangles") {
  std::mt19937_64 random(62);
  for (const Index n : {0, 1, 9, 40})
    for_all_orders([&](const orders& o) {
      owned from(n, n, o.a, o.apart, random), to(n, n, true, o.c ? 2 : 0, random);
      compute::copy_lower(to.ref(), from.view());
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) REQUIRE(to(i, j) == from(i, j));
      CHECK(to.is_clean());
    });
}

TEST_CASE("products of matrices in all orders") {
  std::mt19937_64 random(52);
  struct sizes {
    Index m, k, n;
  };
  for (const sizes s :
       {sizes{0, 2, 3}, {2, 0, 3}, {1, 1, 1}, {7, 3, 1}, {1, 9, 8}, {40, 30, 35}, {9, 131, 5}})
    for_all_orders([&](const orders& o) {
      owned a(s.m, s.k, o.a, o.apart, random), b(s.k, s.n, o.b, o.apart, random);
      owned c(s.m, s.n, o.c, o.apart, random), before = c;
      compute::add_product(c.ref(), -2, a.view(), b.view());
      for (Index i = 0; i < s.m; ++i)
        for (Index j = 0; j < s.n; ++j)
          CHECK(c(i, j) == doctest::Approx(before(i, j) - 2 * product_at(a, b, i, j, s.k)));
      compute::multiply(c.ref(), a.view(), b.view());
      for (Index i = 0; i < s.m; ++i)
        for (Index j = 0; j < s.n; ++j)
          CHECK(c(i, j) == doctest::Approx(product_at(a, b, i, j, s.k)));
      CHECK(c.is_clean());
    });
}

TEST_CASE("diagonals of products in all orders") {
  std::mt19937_64 random(7);
  for_all_orders([&](const orders& o) {
    for (const Index size : {1, 5, 64, 130})
      for (const Index depth : {0, 3, 64, 129}) {
        owned a(size, depth, o.a, o.apart, random), b(depth, size, o.b, o.apart, random);
        std::vector<double> made(static_cast<std::size_t>(size), 7.0);
        compute::multiply_diagonal(made.data(), a.view(), b.view());
        for (Index i = 0; i < size; ++i) {
          double sum = 0;
          for (Index k = 0; k < depth; ++k) sum += a(i, k) * b(k, i);
          CHECK(made[static_cast<std::size_t>(i)] == doctest::Approx(sum).epsilon(1e-12));
        }
      }
  });
}

TEST_CASE("of small products packing costs more than it earns, unless Eigen would use the heap") {
  using compute::product_scratch;
  const bool packs = !compute::detail::uses_blas;
  CHECK(product_scratch<double>(119, 119, 119) == 0);
  CHECK((product_scratch<double>(120, 120, 120) > 0) == packs);
  CHECK(product_scratch<double>(50, 50, 300) == 0);
  CHECK((product_scratch<double>(50, 50, 400) > 0) == packs);
  CHECK(product_scratch<double>(15, 4000, 4000) == 0);
}

TEST_CASE("large products use scratch storage") {
  std::mt19937_64 random(56);
  struct sizes {
    Index m, k, n;
  };
  for (const sizes s : {sizes{120, 120, 120},
                        {100, 350, 50},
                        {50, 400, 90},
                        {300, 97, 61},
                        {48, 700, 49},
                        {330, 24, 310},
                        {30, 190, 900}})
    for_all_orders([&](const orders& o) {
      owned a(s.m, s.k, o.a, o.apart, random), b(s.k, s.n, o.b, o.apart, random);
      owned c(s.m, s.n, o.c, o.apart, random), before = c, product(s.m, s.n, o.c, 1, random);
      REQUIRE(compute::product_scratch<double>(s.m, s.n, s.k) > 0);
      storage scratch(compute::product_scratch<double>(s.m, s.n, s.k));
      compute::add_product(c.ref(), -2, a.view(), b.view(), scratch.get());
      compute::multiply(product.ref(), a.view(), b.view(), scratch.get());
      double error = 0;
      for (Index i = 0; i < s.m; ++i)
        for (Index j = 0; j < s.n; ++j) {
          const double exact = product_at(a, b, i, j, s.k);
          error = std::max({error, std::abs(product(i, j) - exact),
                            std::abs(c(i, j) - before(i, j) + 2 * exact)});
        }
      CHECK(error < 1e-12);
      CHECK(c.is_clean());
      CHECK(product.is_clean());
      // Onto another matrix, which may lie in either order, and onto itself.
      owned base(s.m, s.n, (random() & 1) != 0, 2, random), onto = base, sum = c;
      compute::multiply_onto(sum.ref(), base.view(), 3, a.view(), b.view(), scratch.get());
      compute::multiply_onto(onto.ref(), onto.view(), 3, a.view(), b.view(), scratch.get());
      error = 0;
      for (Index i = 0; i < s.m; ++i)
        for (Index j = 0; j < s.n; ++j) {
          const double exact = base(i, j) + 3 * product_at(a, b, i, j, s.k);
          error = std::max({error, std::abs(sum(i, j) - exact), std::abs(onto(i, j) - exact)});
        }
      CHECK(error < 1e-12);
      CHECK(sum.is_clean());
    });
}

TEST_CASE("products that are symmetric, in all orders") {
  std::mt19937_64 random(57);
  for (const Index n : {0, 1, 9, 40, 70, 260})
    for (const Index depth : {0, 3, 90, 140})
      for (const bool scratched : {false, true})
        for_all_orders([&](const orders& o) {
          if (!o.c) return;  // the result lies by columns
          owned a(n, depth, o.a, o.apart, random), b(depth, n, o.b, o.apart, random);
          compute::copy(b.ref(), a.view().transposed());
          owned c(n, n, true, o.apart, random);
          storage scratch(scratched ? compute::product_scratch<double>(n, n, depth) : 0);
          compute::multiply_symmetric(c.ref(), a.view(), b.view(), scratch.get());
          double error = 0;
          bool alike = true;
          for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) {
              error = std::max(error, std::abs(c(i, j) - product_at(a, b, i, j, depth)));
              alike = alike && c(i, j) == c(j, i);
            }
          CHECK(error < 1e-12);
          CHECK(alike);
          CHECK(c.is_clean());
        });
}

TEST_CASE("symmetric products that are subtracted, or skip the zeros of a triangle") {
  std::mt19937_64 random(58);
  for (const Index n : {0, 1, 9, 40, 70, 140})
    for (const Index depth : {0, 3, 33})
      for_all_orders([&](const orders& o) {
        owned a(n, depth, o.a, o.apart, random), b(depth, n, o.b, o.apart, random);
        compute::copy(b.ref(), a.view().transposed());
        owned c(n, n, true, o.apart, random), before = c;
        storage scratch(o.c ? compute::multiply_fused_scratch<double>(n, n, depth) : 0);
        compute::subtract_symmetric(c.ref(), a.view(), b.view(), scratch.get());
        double error = 0;
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j <= i; ++j)
            error =
                std::max(error, std::abs(before(i, j) - product_at(a, b, i, j, depth) - c(i, j)));
        CHECK(error < 1e-12);
        CHECK(c.is_clean());

        // t'·(d·t) for a diagonal d.
        owned t(n, n, o.a, o.apart, random), scaled = t, made(n, n, o.b, o.apart, random);
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) {
            if (i < j) t.ref()(i, j) = 0;
            scaled.ref()(i, j) = static_cast<double>(i % 3 - 1) * t(i, j);
          }
        storage more(o.c ? compute::product_scratch<double>(n, n, n) : 0);
        compute::multiply_transposed_lower(made.ref(), t.view(), scaled.view(), more.get());
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j <= i; ++j) {
            double sum = 0;
            for (Index k = i; k < n; ++k) sum += t(k, i) * scaled(k, j);
            error = std::max(error, std::abs(sum - made(i, j)));
          }
        CHECK(error < 1e-12);
        CHECK(made.is_clean());
      });
}

TEST_CASE("triangular solutions in all orders") {
  std::mt19937_64 random(53);
  using compute::triangle;
  for (const Index n : {0, 1, 2, 9, 40, 100, 300})
    for (const Index columns : {0, 1, 6, 30})
      for_all_orders([&](const orders& o) {
        for (const triangle kind :
             {triangle::lower, triangle::upper, triangle::unit_lower, triangle::unit_upper}) {
          const bool upper = is_upper(kind), unit = has_unit_diagonal(kind);
          owned t(n, n, o.a, o.apart, random), x(n, columns, o.b, o.apart, random);
          for (Index i = 0; i < n; ++i) {
            t.ref()(i, i) = 3 + t(i, i);
            for (Index j = 0; j < n; ++j)
              if (i != j) t.ref()(i, j) *= n < 100 ? 0.2 : 0.02;
          }
          const bool scratched = o.c || n >= 100;
          owned b = x;
          storage scratch(scratched ? compute::solve_scratch<double>(n, columns) : 0);
          compute::solve_triangle(kind, t.view(), x.ref(), scratch.get());
          double error = 0;
          for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < columns; ++j) {
              double sum = unit ? x(i, j) : t(i, i) * x(i, j);
              for (Index k = upper ? i + 1 : 0; k < (upper ? n : i); ++k) sum += t(i, k) * x(k, j);
              error = std::max(error, std::abs(sum - b(i, j)));
            }
          CHECK(error < 1e-12);
          CHECK(x.is_clean());
        }
      });
}

TEST_CASE("products with triangles in all orders") {
  std::mt19937_64 random(61);
  using compute::triangle;
  for (const Index n : {0, 1, 7, 45, 130, 300})
    for (const Index columns : {1, 5, 70})
      for (const triangle kind : {triangle::lower, triangle::upper})
        for_all_orders([&](const orders& o) {
          if (n == 300 && o.apart != 0) return;
          const bool upper = kind == triangle::upper;
          owned t(n, n, o.a, o.apart, random), b(n, columns, o.b, o.apart, random);
          owned x(n, columns, o.c, o.apart, random);
          const double diagonal = o.apart == 0 ? 1 : 0.5;
          storage scratch(compute::multiply_triangle_scratch<double>(n, columns));
          compute::multiply_triangle(x.ref(), kind, t.view(), b.view(), scratch.get(), diagonal);
          double error = 0;
          for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < columns; ++j) {
              double sum = 0;
              for (Index k = upper ? i : 0; k < (upper ? n : i + 1); ++k)
                sum += (k == i ? diagonal : 1) * t(i, k) * b(k, j);
              error = std::max(error, std::abs(x(i, j) - sum));
            }
          CHECK(error < 1e-12);
          CHECK(x.is_clean());
        });
}

TEST_CASE("inverses of triangles in all orders") {
  std::mt19937_64 random(59);
  using compute::triangle;
  for (const Index n : {0, 1, 7, 16, 45, 130, 300})
    for (const triangle kind :
         {triangle::lower, triangle::upper, triangle::unit_lower, triangle::unit_upper})
      for_all_orders([&](const orders& o) {
        if (n == 300 && o.apart != 0) return;
        const bool upper = is_upper(kind), unit = has_unit_diagonal(kind);
        owned t(n, n, o.a, o.apart, random), x(n, n, o.b, o.apart, random);
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) t.ref()(i, j) = i == j ? 3 + t(i, i) : 0.02 * t(i, j);
        storage scratch(o.c ? compute::solve_scratch<double>(n, n) : 0);
        compute::invert_triangle(x.ref(), kind, t.view(), scratch.get());
        double error = 0;
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) {
            const Index low = std::min(i, j), high = std::max(i, j);
            double sum = i == j ? -1 : 0;
            if (i == j || (i < j) == upper)
              for (Index k = low; k <= high; ++k) sum += (unit && i == k ? 1 : t(i, k)) * x(k, j);
            else
              sum = x(i, j);  // a zero, exactly
            error = std::max(error, std::abs(sum));
          }
        CHECK(error < 1e-13);
        CHECK(x.is_clean());
      });
}

TEST_CASE("rows change places in all orders") {
  std::mt19937_64 random(55);
  for (const Index n : {0, 1, 3, 40})
    for_all_orders([&](const orders& o) {
      owned from(n, 5, o.a, o.apart, random), to(n, 5, o.b, o.apart, random), swapped = from;
      std::vector<double> rows, place;
      for (Index i = 0; i < n; ++i) {
        rows.push_back(static_cast<double>(i + static_cast<Index>(random() % 100) % (n - i)));
        place.push_back(static_cast<double>(i));
      }
      for (std::size_t i = 0; i < rows.size(); ++i)
        std::swap(place[i], place[static_cast<std::size_t>(rows[i])]);
      compute::copy_rows(to.ref(), from.view(), place.data());
      compute::exchange_rows(swapped.ref(), rows.data(), n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < 5; ++j) {
          CHECK(to(i, j) == from(static_cast<Index>(place[static_cast<std::size_t>(i)]), j));
          CHECK(to(i, j) == swapped(i, j));
        }
      compute::undo_exchanges(swapped.ref(), rows.data(), n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < 5; ++j) CHECK(swapped(i, j) == from(i, j));
      CHECK(to.is_clean());
      CHECK(swapped.is_clean());
    });
}

TEST_CASE("factors in place of a matrix") {
  std::mt19937_64 random(54);
  for (const Index n : {0, 1, 2, 5, 16, 17, 33, 100, 200})
    for (const Index more : {0, 4})
      for (const bool deficient : {false, true}) {
        owned a(n + more, n, true, more, random);
        if (deficient && n > 2)
          for (Index i = 0; i < n + more; ++i) a.ref()(i, 1) = 2 * a(i, 0);
        owned f = a, exchanged = a;
        std::vector<double> rows(static_cast<std::size_t>(n));
        storage scratch(more == 0 ? 0 : compute::solve_scratch<double>(n + more, n));
        compute::factorise_lu(f.ref(), rows.data(), scratch.get());
        compute::exchange_rows(exchanged.ref(), rows.data(), n);
        // The rows of a matrix by rows change places likewise.
        owned by_rows(n + more, n, false, 1, random);
        compute::copy(by_rows.ref(), a.view());
        compute::exchange_rows(by_rows.ref(), rows.data(), n);
        for (Index i = 0; i < n + more; ++i)
          for (Index j = 0; j < n; ++j) {
            double sum = 0;
            for (Index k = 0; k <= std::min(i, j); ++k) sum += (k == i ? 1 : f(i, k)) * f(k, j);
            CHECK(sum == doctest::Approx(exchanged(i, j)));
            CHECK(by_rows(i, j) == exchanged(i, j));
            if (i > j) CHECK(std::abs(f(i, j)) <= 1);
          }
        CHECK(f.is_clean());
      }
}

TEST_CASE("Cholesky factors in place of a matrix") {
  std::mt19937_64 random(60);
  for (const Index n : {0, 1, 3, 40, 97, 150, 230})
    for (const bool scratched : {false, true}) {
      owned b(n, n, true, 0, random), a(n, n, true, 2, random);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          a.ref()(i, j) = (i == j ? 1 : 0) + product_at_transposed(b, i, j, n);
      storage scratch(scratched ? compute::solve_scratch<double>(n, n) : 0);
      owned l = a;
      CHECK(compute::factorise_cholesky(l.ref(), scratch.get()));
      double error = 0;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j) {
          double sum = 0;
          for (Index k = 0; k <= j; ++k) sum += l(i, k) * l(j, k);
          error = std::max(error, std::abs(sum - a(i, j)));
        }
      CHECK(error < 1e-11);
      CHECK(l.is_clean());
      if (n == 0) continue;
      l = a;
      l.ref()(n - 1, n - 1) = -1;
      CHECK_FALSE(compute::factorise_cholesky(l.ref(), scratch.get()));
    }
}
