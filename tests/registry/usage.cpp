// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/usage.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::dtype;

constexpr wf::kernel_spec blur{
    .name = "blur",
    .domain = "imaging",
    .signature =
        "X@image: floating [..., H, W], K@filter: floating [R, S], "
        "bias: floating [W] = 0, rows@index: integer [H] -> Y[..., H, W]"};

wf::datum of(wf::text_view usage, dtype d, auto... extents) {
  return {usage, {d, {}, wf::shape::of(extents...)}};
}
const wf::datum image = of("image", dtype::f32, 5, 40, 30), filter = of("filter", dtype::f32, 3, 3),
                bias = of("bias", dtype::f32, 30), rows = of("index", dtype::i64, 40);

std::string told(std::vector<wf::datum> data, const wf::kernel_spec& k = blur) {
  const auto m = wf::match_usage(k, {data.data(), data.size()});
  return m ? "ok" : std::string(wf::to_text(m.error()).view());
}

constexpr bool matches() {
  const wf::datum data[] = {{"filter", {dtype::f64, {}, wf::shape::of(3, 3)}},
                            {"index", {dtype::i32, {}, wf::shape::of(8)}},
                            {"image", {dtype::f64, {}, wf::shape::of(8, 6)}}};
  const auto m = wf::match_usage(blur, data);
  return m && m->count == 4 && m->data[0] == 2 && m->data[1] == 0 &&
         m->data[2] == wf::matched_data::defaulted && m->data[3] == 1 &&
         m->operands[2].shape == wf::shape::of(6) &&
         m->given.results[0].shape == wf::shape::of(8, 6);
}
static_assert(matches());

}  // namespace

TEST_CASE("row 3: data is matched by usage, whatever its order") {
  std::vector<wf::datum> data{image, filter, bias, rows};
  const char* const usages[] = {"image", "filter", "bias", "index"};
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    std::shuffle(data.begin(), data.end(), random);
    const auto m = wf::match_usage(blur, {data.data(), data.size()});
    REQUIRE(m);
    for (std::uint32_t i = 0; i < 4; ++i) CHECK(data[m->data[i]].usage == usages[i]);
    CHECK(m->given.results[0].shape == wf::shape::of(5, 40, 30));
    CHECK(m->given.results[0].type == dtype::f32);
  }
}

TEST_CASE("row 11: at run every datum is checked; the error names what differs") {
  CHECK(told({image, filter, rows}) == "ok");
  CHECK(told({image, filter, bias}) ==
        "WF701 in 'blur': operand rows needs a datum of usage 'index'");
  CHECK(told({image, of("filtre", dtype::f32, 3, 3), rows}) ==
        "WF701 in 'blur': operand K needs a datum of usage 'filter'");
  CHECK(told({image, filter, rows, of("biass", dtype::f32, 30)}) ==
        "WF702 in 'blur': unknown usage 'biass': did you mean 'bias'?");
  CHECK(told({image, filter, rows, rows}) ==
        "WF702 in 'blur': has more data of usage 'index' than operands");
  CHECK(told({of("image", dtype::i32, 40, 30), filter, rows}) ==
        "WF102 in 'blur': operand X is i32, not floating");
  CHECK(told({of("image", dtype::f64, 40, 30), filter, rows}) ==
        "WF102 in 'blur': element types differ: f64 vs f32");
  CHECK(told({image, filter, of("index", dtype::i64, 41)}) ==
        "WF101 in 'blur': dimension H differs: 40 vs 41 (X is 5x40x30, K is 3x3, bias is 30, rows "
        "is 41)");
  CHECK(told({image, of("filter", dtype::f32, 3), rows}) ==
        "WF101 in 'blur': operand K has 1 dimensions (3), not 2");
  CHECK(told({of("image", dtype::f32, "H", 30), filter, rows}) ==
        "WF703 in 'blur': the datum for image is f32[Hx30], which is not concrete");
  CHECK(told({of("image", dtype::unknown, 40, 30), filter, rows}) ==
        "WF703 in 'blur': the datum for image is unknown[40x30], which is not concrete");
}

TEST_CASE("row 3: operands of one usage take their data in order; names are usages, too") {
  const wf::kernel_spec k{.name = "blend",
                          .domain = "imaging",
                          .signature = "A@image: f32 [M], w: f32 [], B@image: f32 [M] -> C[M]"};
  const wf::datum data[] = {of("image", dtype::f32, 4), of("image", dtype::f32, 4),
                            of("w", dtype::f32)};
  const auto m = wf::match_usage(k, data);
  REQUIRE(m);
  CHECK(m->data[0] == 0);
  CHECK(m->data[1] == 2);
  CHECK(m->data[2] == 1);
}

TEST_CASE("row 3: a default whose shape or element type follows from nothing needs its datum") {
  const wf::kernel_spec shape{.name = "k", .domain = "d", .signature = "A[N] = 0, B[M] -> C[M]"};
  CHECK(told({of("B", dtype::f32, 4)}, shape) ==
        "WF701 in 'k': operand A needs a datum of usage 'A': the shape of its default follows from "
        "no other");
  const wf::kernel_spec type{
      .name = "k", .domain = "d", .signature = "A: any [M] = 0, B: f32 [M] -> C: f32 [M]"};
  CHECK(told({of("B", dtype::f32, 4)}, type) ==
        "WF701 in 'k': operand A needs a datum of usage 'A': the element type of its default "
        "follows from no other");
  const wf::kernel_spec fine{
      .name = "k", .domain = "d", .signature = "A: i64 [M, 2] = 1/M, B: f32 [M] -> C: f32 [M]"};
  const wf::datum one = of("B", dtype::f32, 4);
  const auto m = wf::match_usage(fine, {&one, 1});
  REQUIRE(m);
  CHECK(m->operands[0] == wf::value_type{dtype::i64, {}, wf::shape::of(4, 2)});
}
