// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/v2_scope.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include <wf/capture/equations/text.hpp>

#include <doctest/doctest.h>

namespace {

// The axes of an expression, by recursion.
void reference_axes(const wf::equation_program& p, std::uint32_t root,
                    wf::detail::label_list reduced, wf::detail::label_list& out) {
  const wf::equation_node& n = p.nodes[root];
  for (std::uint32_t i = 0; i < n.indices.count; ++i) {
    const wf::text_view name = p.indices[n.indices.first + i].name;
    if (n.kind == wf::equation_kind::reduction)
      reduced.push_back(name);
    else if (!wf::detail::has_label(reduced, name) && !wf::detail::has_label(out, name))
      out.push_back(name);
  }
  for (std::uint32_t i = 0; i < n.children.count; ++i)
    reference_axes(p, wf::detail::child_of(p, n, i), reduced, out);
}

}  // namespace

TEST_CASE("the axes of an expression are those that no reduction around them takes away") {
  const auto axes = [](const std::string& right_side) {
    const std::string source = "y = " + right_side;
    const auto p = wf::parse_equations(wf::text_view(source));
    REQUIRE(p);
    std::string out;
    for (wf::text_view a : wf::detail::axes_of(*p, p->statements[0].root))
      out += std::string(a.data(), a.size()) + " ";
    return out;
  };
  CHECK(axes("A[i,k] B[k,j]") == "i k j ");
  CHECK(axes("reduce(sum, k) A[i,k] B[k,j]") == "i j ");
  CHECK(axes("(reduce(sum, k) A[i,k]) B[k,j]") == "i k j ");
  CHECK(axes("reduce(sum, k) A[k] reduce(max, i) B[i,j,k]") == "j ");
  CHECK(axes("f(A[i], 2) + c") == "i ");
  CHECK(axes("A[0:2, 3, *t, i+1]") == "0:2 i ");
}

TEST_CASE("the axes of random expressions are those found by recursion") {
  const std::uint64_t seed = 3;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    std::string source = "y = A[i]";
    int open = 0;
    for (std::size_t n = random() % 8; n > 0; --n) {
      const std::string index(1, static_cast<char>('i' + random() % 4));
      switch (random() % 4) {
        case 0:
          source += " + (reduce(sum, " + index + ") B[" + index + ",j]";
          ++open;
          break;
        case 1:
          source += " * f(C[" + index + "], D[k])";
          break;
        case 2:
          if (open > 0) source += ")", --open;
          break;
        default:
          source += " - E[" + index + "]";
      }
    }
    source += std::string(static_cast<std::size_t>(open), ')');
    CAPTURE(source);
    const auto p = wf::parse_equations(wf::text_view(source));
    REQUIRE(p);
    wf::detail::label_list wanted;
    reference_axes(*p, p->statements[0].root, {}, wanted);
    CHECK(wf::detail::axes_of(*p, p->statements[0].root) == wanted);
  }
}

TEST_CASE("whole powers are those of the library, or refused where they are not finite") {
  double out = 0;
  for (double base : {0.5, -3.0, 1.0, 10.0, -1e-3})
    for (int exponent = -40; exponent <= 40; ++exponent) {
      REQUIRE(wf::detail::whole_power(base, exponent, out));
      CHECK(out == doctest::Approx(std::pow(base, exponent)));
    }
  CHECK(wf::detail::whole_power(0, 0, out));
  CHECK(out == 1);
  CHECK_FALSE(wf::detail::whole_power(0, -1, out));
  CHECK_FALSE(wf::detail::whole_power(2, 0.5, out));
  CHECK_FALSE(wf::detail::whole_power(2, 1024, out));
  CHECK_FALSE(wf::detail::whole_power(1, 2000, out));
  CHECK_FALSE(wf::detail::whole_power(2, std::numeric_limits<double>::quiet_NaN(), out));
  static_assert([] {
    double four = 0;
    return wf::detail::whole_power(2, 2, four) && four == 4;
  }());
}

TEST_CASE("a product that is not finite is refused") {
  double out = 0;
  CHECK(wf::detail::finite_product(-1e200, 1e100, out));
  CHECK(out == -1e300);
  CHECK_FALSE(wf::detail::finite_product(1e200, -1e200, out));
  CHECK(wf::detail::finite_product(0, 1e308, out));
}

TEST_CASE("a call knows the axes of its tensors outside") {
  wf::detail::v2_call c;
  c.axes.push_back({"d", "i"});
  c.leading.push_back("j");
  CHECK(c.has_outside("i"));
  CHECK(c.has_outside("j"));
  CHECK_FALSE(c.has_outside("d"));
}
