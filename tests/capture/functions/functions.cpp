// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/functions/functions.hpp>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>

namespace {

constexpr auto network = wf::workflow<"network">([](wf::scope& s) {
  auto x = s.input<"x", float, 1, 3, 8, 8>();
  auto w = s.input<"w", float, 4, 3, 3, 3>();
  auto y = s.let<"y">(relu(wf::conv2d<2, 1>(x, w)));
  static_assert(decltype(y)::type.shape == wf::shape::of(1, 4, 4, 4));
  static_assert(decltype(s.let(wf::reshape<4, 16>(y)))::type.shape == wf::shape::of(4, 16));
  static_assert(decltype(s.let(wf::sum<2>(y)))::type.shape == wf::shape::of(1, 4, 4));
  static_assert(decltype(s.let(sum(y)))::type.shape == wf::shape::of());
  wf::dynamic_handle<float> pooled = wf::max_pool2d(y, {.window = 2, .stride = 2, .padding = 0});
  s.output<"features">(wf::global_average_pool(pooled));
  s.output<"probabilities">(softmax(wf::reshape<4, 16>(y)));
  s.output<"largest">(wf::max<0>(wf::reshape<4, 16>(y)));
  s.output<"mean">(mean(y));
});
static_assert(network.graph()[network.graph().outputs[0].source].type.shape == wf::shape::of(1, 4));

}  // namespace

TEST_CASE("a convolution by value and by type is the same node") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", float, 1, 3, 8, 8>();
    auto w = s.input<"w", float, 4, 3, 3, 3>();
    s.output<"a">(wf::conv2d<2, 1>(x, w));
    s.output<"b">(conv2d(x, w, {.stride = 2, .padding = 1}));
  });
  REQUIRE(g);
  CHECK(g->view().nodes.size() == 1);
}

TEST_CASE("an empty result is a shape error") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    wf::dynamic_handle<float> x = s.input<float>("x", wf::shape::of(1, 1, 2, 2));
    wf::dynamic_handle<float> w = s.input<float>("w", wf::shape::of(1, 1, 9, 9));
    s.output("y", conv2d(x, w, {}));
  });
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::shape_mismatch);
}

namespace {

// A step of an LSTM. Source: Hochreiter, Schmidhuber, Long short-term memory, 1997, with the forget
// gate of Gers et al., 2000: 4·h·(h + i) multiplications per step.
constexpr auto lstm = wf::workflow<"lstm">([](wf::scope& s) {
  auto x = s.input<"x", float, 1, 20>();
  auto h = s.input<"h", float, 1, 32>();
  auto c = s.input<"c", float, 1, 32>();
  auto w = s.input<"w", float, 52, 128>();
  auto b = s.input<"b", float, 128>();
  auto [i, f, g, o] = s.let_each(wf::split<4, 1>(wf::linear(wf::concat<1>(x, h), w, b)));
  static_assert(decltype(i)::type.shape == wf::shape::of(1, 32));
  auto next = s.let(hadamard(wf::sigmoid(f), c) + hadamard(wf::sigmoid(i), wf::tanh(g)));
  s.output<"c'">(next);
  s.output<"h'">(hadamard(wf::sigmoid(o), wf::tanh(next)));
});
static_assert(wf::cost(lstm)[wf::macs] == 4 * 32 * (32 + 20));
// A product and a sum for the gates; 3 sigmoids of 4 flops, 2 tangents, 3 products and a sum.
static_assert(wf::cost(lstm)[wf::flops] == 2 * 4 * 32 * 52 + 128 + 32 * (12 + 2 + 3 + 1));

// A step of the method of conjugate gradients. Source: Hestenes, Stiefel, 1952, section 3.
constexpr auto conjugate_gradients = wf::workflow<"conjugate_gradients">([](wf::scope& s) {
  auto a = s.input<"A", double, 50, 50>(wf::spd);
  auto x = s.input<"x", double, 50>();
  auto r = s.input<"r", double, 50>();
  auto p = s.input<"p", double, 50>();
  auto ap = s.let(a * p);
  auto rr = s.let(wf::dot(r, r));
  auto alpha = s.let(rr / wf::dot(p, ap));
  auto left = s.let(wf::call<wf::kernels::axpy>(-alpha, ap, r));
  s.output<"x'">(wf::call<wf::kernels::axpy>(alpha, p, x));
  s.output<"r'">(left);
  s.output<"p'">(wf::call<wf::kernels::axpy>(wf::dot(left, left) / rr, p, left));
  s.output<"residual">(wf::norm(left));
});
// 2·n² for the product; three inner products, three updates and a norm, 2·n each; three scalar
// operations.
static_assert(wf::cost(conjugate_gradients)[wf::flops] == 2 * 50 * 50 + 7 * 2 * 50 + 3);

// One token through attention with a cache of 128 keys and values, 4 heads of size 16.
constexpr auto decode = wf::workflow<"decode">([](wf::scope& s) {
  auto x = s.input<"x", float, 1, 64>();
  auto w = s.input<"w", float, 64, 192>();
  auto keys = s.input<"keys", float, 4, 128, 16>();
  auto values = s.input<"values", float, 4, 128, 16>();
  auto at = s.input<"at", std::int64_t>();
  auto mask = s.input<"mask", bool, 128>();
  auto [q, k, v] = s.let_each(wf::split<3, 1>(matmul(x, w)));
  auto query = s.let(wf::reshape<4, 1, 16>(q));
  auto all_keys = s.let(wf::update_slice<1>(keys, wf::reshape<4, 1, 16>(k), at));
  auto all_values = s.let(wf::update_slice<1>(values, wf::reshape<4, 1, 16>(v), at));
  auto scores = s.let(matmul(query, trans(all_keys)) * 0.25);
  auto least = s.let(scores * 0 - 1e9);
  auto weights = s.let(softmax(wf::where(mask, scores, least)));
  s.output<"y">(wf::reshape<1, 64>(matmul(weights, all_values)));
  s.output<"keys'">(all_keys);
  s.output<"values'">(all_values);
});
static_assert(wf::cost(decode)[wf::macs] == 64 * 192 + 2 * 4 * 128 * 16);

// The Fourier transform of 16 points, stage by stage.
constexpr auto stages = wf::workflow<"stages">([](wf::scope& s) {
  auto x = s.input<"x", double, 16>();
  auto z = s.let(wf::call<wf::kernels::cast, wf::with("dtype", "c128")>(x));
  wf::handle<wf::dtype::c128, wf::dims<16>> y = wf::call<wf::kernels::bit_reversal>(z);
  y = wf::call<wf::kernels::butterflies, wf::with("stage", 0)>(y);
  y = wf::call<wf::kernels::butterflies, wf::with("stage", 1)>(y);
  y = wf::call<wf::kernels::butterflies, wf::with("stage", 2)>(y);
  y = wf::call<wf::kernels::butterflies, wf::with("stage", 3)>(y);
  s.output<"y">(y);
  s.output<"same">(wf::fft(z));
  s.output<"power">(wf::abs(wf::inverse_fft(y)));
});
static_assert(wf::cost(stages)[wf::flops] ==
              5 * 16 * 4 + 5 * 16 * 4 + (5 * 16 * 4 + 2 * 16) + 4 * 16);
static_assert(stages.graph()[stages.graph().outputs[2].source].type.type == wf::dtype::f64);

template <class E>
constexpr wf::value_type type_of = E::handle_type::type;

constexpr auto movement = wf::workflow<"movement">([](wf::scope& s) {
  auto x = s.input<"x", float, 4, 6>();
  auto ids = s.input<"ids", std::int32_t, 3>();
  using wf::shape;
  static_assert(type_of<decltype(wf::permute<1, 0>(x))>.shape == shape::of(6, 4));
  static_assert(type_of<decltype(wf::slice<1, 2, 3>(x))>.shape == shape::of(4, 3));
  static_assert(type_of<decltype(wf::pad<0, 1, 1>(x))>.shape == shape::of(6, 6));
  static_assert(type_of<decltype(wf::concat<0>(x, x, x))>.shape == shape::of(12, 6));
  static_assert(type_of<decltype(wf::concat<1>(x, x, x, x))>.shape == shape::of(4, 24));
  static_assert(type_of<decltype(wf::gather<1>(x, ids))>.shape == shape::of(4, 3));
  static_assert(type_of<decltype(wf::embedding(x, ids))>.shape == shape::of(3, 6));
  static_assert(type_of<decltype(wf::broadcast_to<2, 4, 6>(x))>.shape == shape::of(2, 4, 6));
  static_assert(type_of<decltype(wf::cast<double>(x))>.type == wf::dtype::f64);
  static_assert(type_of<decltype(wf::causal_softmax(x, 0.5))>.shape == shape::of(4, 6));
  auto [l, r] = s.let_each(wf::split<2, 0>(x));
  auto [a, b, c] = s.let_each(wf::split<3, 1>(x));
  s.output<"l">(wf::maximum(wf::exp(l), wf::minimum(wf::log(r), wf::sqrt(r))));
  s.output<"n">(wf::gelu(a) + b + c);
  auto row = s.let(wf::reshape<6>(wf::slice<0, 0, 1>(x)));
  s.output<"ln">(wf::layer_norm(x, row, row));
  s.output<"o">(wf::outer(row, row));
  s.output<"s">(wf::call<wf::kernels::causal_softmax, wf::with("scale", 0.5)>(x));
  s.output<"s'">(wf::causal_softmax(x, 0.5));
});

constexpr auto gates = wf::workflow<"gates">([](wf::scope& s) {
  auto x = s.input<"x", float, 4, 6>();
  auto mask = s.let(wf::causal_mask<4, 6>());
  static_assert(decltype(mask)::type ==
                wf::value_type{wf::dtype::boolean, {}, wf::shape::of(4, 6)});
  s.output<"a">(wf::masked_softmax(x, mask, 0.5));
  s.output<"b">(wf::sigmoid(x, 0.5) + wf::step(x) + wf::sigmoid(x));
});
static_assert(wf::cost(gates)[wf::flops] == 24 * (6 + 4 + 1 + 4 + 2));

}  // namespace

TEST_CASE("row 3: the operators of an LSTM, conjugate gradients, attention with a cache, an FFT") {
  CHECK(lstm.graph().nodes.size() == 12);
  CHECK(conjugate_gradients.graph().outputs.size() == 4);
  CHECK(decode.graph().outputs.size() == 3);
  CHECK(stages.graph().nodes.size() == 9);
}

TEST_CASE("a function and a call with the same attributes are the same node") {
  const wf::graph_view g = movement.graph();
  CHECK(g.outputs[4].source == g.outputs[5].source);
}
