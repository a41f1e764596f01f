// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/translation.hpp>

#include <array>
#include <complex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::dtype, wf::shape, wf::value_type_of;

// Every C++ integer maps to the element type of its size and sign, whatever its name.
template <class T>
constexpr bool is_translated() {
  constexpr dtype expected = sizeof(T) == 1   ? (T(-1) < T(0) ? dtype::i8 : dtype::u8)
                             : sizeof(T) == 2 ? (T(-1) < T(0) ? dtype::i16 : dtype::u16)
                             : sizeof(T) == 4 ? (T(-1) < T(0) ? dtype::i32 : dtype::u32)
                                              : (T(-1) < T(0) ? dtype::i64 : dtype::u64);
  return value_type_of<T>.type == expected && value_type_of<T>.shape == shape::of() &&
         wf::size_of(expected) == sizeof(T);
}
template <class... T>
constexpr bool are_translated = (is_translated<T>() && ...);
static_assert(are_translated<signed char, unsigned char, short, unsigned short, int, unsigned, long,
                             unsigned long, long long, unsigned long long>);
static_assert(!wf::translatable<char> && !wf::translatable<wchar_t> &&
              !wf::translatable<char32_t> && !wf::translatable<std::string> &&
              !wf::translatable<void*> && !wf::translatable<long double>);

static_assert(value_type_of<std::complex<float>> == wf::value_type{dtype::c64, {}, shape::of()});
static_assert(value_type_of<std::array<std::array<bool, 3>, 2>> ==
              wf::value_type{dtype::boolean, {}, shape::of(2, 3)});
static_assert(value_type_of<const unsigned[4]> == wf::value_type{dtype::u32, {}, shape::of(4)});
static_assert(value_type_of<std::span<const long long, 5>>.shape == shape::of(5));
static_assert(value_type_of<std::vector<std::array<double, 2>>>.shape ==
              shape::of(wf::extent(), 2));

static_assert(wf::is_tuple<std::tuple<int, double>> && wf::is_tuple<std::pair<int, int>>);
static_assert(!wf::is_tuple<std::array<int, 2>> && !wf::is_tuple<int>);
static_assert(wf::component_name("p", 12).view() == "p.12");

// A stand-in for an Eigen matrix type.
template <int Rows, int Columns>
struct matrix {
  using Scalar = float;
  enum { RowsAtCompileTime = Rows, ColsAtCompileTime = Columns };
  int r, c;
  constexpr int rows() const { return r; }
  constexpr int cols() const { return c; }
  constexpr float operator()(int i, int j) const { return static_cast<float>(10 * i + j); }
};
static_assert(value_type_of<matrix<4, 1>> == wf::value_type{dtype::f32, {}, shape::of(4)});
static_assert(value_type_of<matrix<1, 4>>.shape == shape::of(1, 4));
static_assert(value_type_of<matrix<-1, 3>>.shape == shape::of(wf::extent(), 3));
static_assert(wf::type_of_object(matrix<-1, -1>{2, 7}).shape == shape::of(2, 7));

}  // namespace

TEST_CASE("objects tell the extents that their types leave open, and elements by rows") {
  const std::vector<std::array<int, 3>> rows{{1, 2, 3}, {4, 5, 6}};
  CHECK(wf::type_of_object(rows).shape == shape::of(2, 3));
  for (int i = 0; i < 6; ++i)
    CHECK(wf::translation<std::vector<std::array<int, 3>>>::element_of(rows, i) == i + 1);
  const std::vector<std::array<int, 3>> none;
  CHECK(wf::type_of_object(none).shape.elements() == 0);
  const std::vector<std::vector<double>> nested{{1, 2}, {3, 4}, {5, 6}};
  CHECK(wf::type_of_object(nested).shape == shape::of(3, 2));
  CHECK(wf::translation<std::vector<std::vector<double>>>::element_of(nested, 4) == 5);
  const matrix<-1, -1> m{3, 2};
  const float by_rows[] = {0, 1, 10, 11, 20, 21};
  for (int i = 0; i < 6; ++i)
    CHECK(wf::translation<matrix<-1, -1>>::element_of(m, i) == by_rows[i]);
}
