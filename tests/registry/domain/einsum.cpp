// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/einsum.hpp>

#include <doctest/doctest.h>

#include <wf/registry/infer.hpp>

namespace {

constexpr wf::result<wf::shape> shape_of(const wf::kernel_spec& k, wf::text_view equation,
                                         const wf::shape& a, const wf::shape& b) {
  const wf::value_type operands[] = {{wf::dtype::f32, {}, a}, {wf::dtype::f32, {}, b}};
  const wf::attribute_value attributes[] = {wf::attribute_value::string("equation", equation),
                                            wf::attribute_value::integer("points", 1)};
  const std::size_t count = k.name == "einsum" ? 2 : 1;
  const auto made = wf::infer(k, {{operands, count}, {attributes, 2}});
  if (!made) return made.error();
  return made->results[0].shape;
}
constexpr wf::text message_of(const wf::result<wf::shape>& r) {
  return r ? wf::text("fits") : r.error().message;
}

constexpr wf::shape s34 = wf::shape::of(3, 4), s45 = wf::shape::of(4, 5);
static_assert(*shape_of(wf::kernels::einsum, "ij,jk->ik", s34, s45) == wf::shape::of(3, 5));

}  // namespace

TEST_CASE("an equation gives the shape of the result") {
  using wf::kernels::einsum, wf::kernels::rearrange;
  CHECK(*shape_of(einsum, "ij,jk->kji", s34, s45) == wf::shape::of(5, 4, 3));
  CHECK(*shape_of(einsum, "ij,kl->", s34, s45) == wf::shape::of());
  CHECK(*shape_of(einsum, "aB,BC->CB", wf::shape::of("M", 4), wf::shape::of(4, "N")) ==
        wf::shape::of("N", 4));
  CHECK(*shape_of(rearrange, "ij->ji", s34, s34) == wf::shape::of(4, 3));
  CHECK(*shape_of(rearrange, "iij->ji", wf::shape::of(3, 3, 2), s34) == wf::shape::of(2, 3));
}

TEST_CASE("equations that do not fit their operands are refused") {
  const auto message = [](wf::text_view equation) {
    return message_of(shape_of(wf::kernels::einsum, equation, s34, s45));
  };
  CHECK(message("ij,kl->i").view() == "fits");
  CHECK(message("ij,ik->jk").view() == "index i differs: 3 vs 4 in 'ij,ik->jk'");
  CHECK(message("i,jk->ik").view() == "an operand has more dimensions than letters in 'i,jk->ik'");
  CHECK(message("ijk,kl->l").view() == "operands and letters do not fit in 'ijk,kl->l'");
  CHECK(message("ij,jk,kl->l").view() == "operands and letters do not fit in 'ij,jk,kl->l'");
  CHECK(message("ij,jk").view() == "operands and letters do not fit in 'ij,jk'");
  CHECK(message("ij,jk->il").view() ==
        "a letter of the result is not in the operands in "
        "'ij,jk->il'");
  CHECK(message("ij,jk->ijkijkijk").view() == "the result has over 8 dimensions");
  const wf::value_type operand{wf::dtype::f32, {}, s34};
  const auto missing = wf::infer(wf::kernels::rearrange, {{&operand, 1}, {}});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == wf::errc::bad_attribute);
}
