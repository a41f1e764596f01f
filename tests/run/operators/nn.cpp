// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/nn.hpp>

#include <map>

#include <wf/registry/infer.hpp>
#include <wf/run/operators/operators.hpp>

#include "../../logic/solved_program.hpp"
#include "../apply.hpp"

namespace {

namespace compute = wf::compute;
using apply::integer, apply::tensor;
using wf::dtype, wf::shape;
using place = std::vector<std::int64_t>;

apply::outcome run(wf::text_view op, const std::vector<tensor>& in, const wf::value_type& out,
                   const apply::attributes& with = {}) {
  return apply::run(compute::neural_operators<double>(), op, in, {out}, with);
}

// A pixel of images [N, C, H, W]; `outside` beyond the border.
double pixel(const tensor& x, const place& i, double outside) {
  const bool inside = i[2] >= 0 && i[2] < x.dims[2].size() && i[3] >= 0 && i[3] < x.dims[3].size();
  return inside ? x.at(i) : outside;
}

}  // namespace

TEST_CASE("convolutions and pooling against their definition") {
  std::mt19937_64 random(81);
  const tensor x = apply::random_tensor(shape::of(2, 3, 7, 6), random);
  const tensor k = apply::random_tensor(shape::of(4, 3, 3, 2), random);
  const tensor d = apply::random_tensor(shape::of(3, 3, 2), random);
  for (std::int64_t stride : {1, 2, 3})
    for (std::int64_t padding : {0, 1, 2}) {
      const apply::attributes with{integer("stride", stride), integer("padding", padding),
                                   integer("window", 3)};
      const std::int64_t rows = (7 + 2 * padding - 3) / stride + 1;
      const std::int64_t columns = (6 + 2 * padding - 2) / stride + 1;
      const auto window = [&](const place& i, std::int64_t r, std::int64_t c, double outside) {
        return pixel(x, {i[0], i[1], i[2] * stride - padding + r, i[3] * stride - padding + c},
                     outside);
      };
      const auto y = run("conv2d", {x, k}, apply::f64(2, 4, rows, columns), with);
      apply::for_each_index(shape::of(2, 4, rows, columns), [&](const place& i) {
        double sum = 0;
        apply::for_each_index(shape::of(3, 3, 2), [&](const place& w) {
          sum += k.at({i[1], w[0], w[1], w[2]}) * window({i[0], w[0], i[2], i[3]}, w[1], w[2], 0);
        });
        CHECK((*y).at(i) == doctest::Approx(sum));
      });
      const auto z = run("depthwise_conv2d", {x, d}, apply::f64(2, 3, rows, columns), with);
      apply::for_each_index(shape::of(2, 3, rows, columns), [&](const place& i) {
        double sum = 0;
        apply::for_each_index(shape::of(3, 2), [&](const place& w) {
          sum += d.at({i[1], w[0], w[1]}) * window(i, w[0], w[1], 0);
        });
        CHECK((*z).at(i) == doctest::Approx(sum));
      });
      const std::int64_t across = (6 + 2 * padding - 3) / stride + 1;
      const auto most = run("max_pool2d", {x}, apply::f64(2, 3, rows, across), with);
      const auto mean = run("average_pool2d", {x}, apply::f64(2, 3, rows, across), with);
      apply::for_each_index(shape::of(2, 3, rows, across), [&](const place& i) {
        double largest = -1e300, sum = 0;
        apply::for_each_index(shape::of(3, 3), [&](const place& w) {
          largest = std::max(largest, window(i, w[0], w[1], -1e300));
          sum += window(i, w[0], w[1], 0);
        });
        CHECK((*most).at(i) == largest);
        CHECK((*mean).at(i) == doctest::Approx(sum / 9));
      });
    }
}

TEST_CASE("windows, strides and paddings must make sense") {
  const tensor x(shape::of(1, 1, 2, 2), {1, 2, 3, 4});
  const std::string why = "its stride, padding or window is negative, zero or too large";
  for (const auto& wrong :
       {integer("stride", 0), integer("stride", -1), integer("padding", -1), integer("window", 0),
        integer("window", -2), integer("window", std::int64_t{1} << 40)}) {
    CHECK(run("max_pool2d", {x}, apply::f64(1, 1, 1, 1), {wrong}).why == why);
    CHECK(run("average_pool2d", {x}, apply::f64(1, 1, 1, 1), {wrong}).why == why);
  }
  CHECK(run("conv2d", {x, x}, apply::f64(1, 1, 1, 1), {integer("stride", 0)}).why == why);
  // The maximum of a window of padding alone does not exist.
  const auto empty =
      run("max_pool2d", {x}, apply::f64(1, 1, 6, 6), {integer("window", 1), integer("padding", 2)});
  CHECK((*empty).at({0, 0, 0, 0}) == -std::numeric_limits<double>::infinity());
  CHECK((*empty).at({0, 0, 3, 2}) == 3);
}

TEST_CASE("pooling integers cuts means off, and fails where there is no largest") {
  const tensor x(shape::of(1, 1, 2, 2), {-1, -2, -3, -5}, dtype::i32);
  const apply::attributes two{integer("window", 2)};
  CHECK((*run("average_pool2d", {x}, apply::of(dtype::i32, 1, 1, 1, 1), two)).elements[0] == -2);
  CHECK((*run("global_average_pool", {x}, apply::of(dtype::i32, 1, 1))).elements[0] == -2);
  CHECK(run("max_pool2d", {x}, apply::of(dtype::i32, 1, 1, 6, 6),
            {integer("window", 1), integer("padding", 2)})
            .why == "does not fit");
  const double most = compute::max_exact_integer<double>;
  const tensor large(shape::of(1, 1, 1, 2), {most, most}, dtype::i64);
  CHECK(run("global_average_pool", {large}, apply::of(dtype::i64, 1, 1)).why ==
        "an integer sum exceeds 2^53");
}

TEST_CASE("softmax: rows sum to one, the future is hidden, large scores do no harm") {
  std::mt19937_64 random(82);
  const tensor x = apply::random_tensor(shape::of(2, 3, 4), random);
  const auto soft = run("softmax", {x}, apply::f64(2, 3, 4));
  const double scale = 0.5;
  const auto causal = run("causal_softmax", {x}, apply::f64(2, 3, 4),
                          {wf::attribute_value::floating("scale", scale)});
  apply::for_each_index(x.dims, [&](const place& i) {
    double all = 0, seen = 0;
    for (std::int64_t k = 0; k < 4; ++k) all += std::exp(x.at({i[0], i[1], k}));
    for (std::int64_t k = 0; k <= i[1] + 1; ++k) seen += std::exp(scale * x.at({i[0], i[1], k}));
    CHECK((*soft).at(i) == doctest::Approx(std::exp(x.at(i)) / all));
    CHECK((*causal).at(i) ==
          doctest::Approx(i[2] <= i[1] + 1 ? std::exp(scale * x.at(i)) / seen : 0.0));
  });
  const auto large = run("softmax", {tensor(shape::of(2), {1000, 1000})}, apply::f64(2));
  CHECK((*large).elements == std::vector<double>{0.5, 0.5});
  // More queries than keys: the first queries see no key.
  const auto blind = run("causal_softmax", {tensor(shape::of(3, 1), {1, 2, 3})}, apply::f64(3, 1));
  CHECK((*blind).elements == std::vector<double>{0, 0, 1});
}

TEST_CASE("masked softmax: what the mask hides is nothing, or the number that fills it") {
  std::mt19937_64 random(84);
  constexpr double endless = std::numeric_limits<double>::infinity();
  const tensor x = apply::random_tensor(shape::of(2, 3, 5), random, -3, 3);
  tensor mask(shape::of(3, 5), dtype::boolean);
  for (double& m : mask.elements) m = static_cast<double>(random() % 2);
  for (std::size_t i = 5; i < 10; ++i) mask.elements[i] = 0;  // the second row sees nothing
  for (const double fill : {-endless, -1.0, 0.5}) {
    CAPTURE(fill);
    apply::attributes with{wf::attribute_value::floating("scale", 0.5)};
    if (fill > -endless) with.push_back(wf::attribute_value::floating("fill", fill));
    const auto soft = run("masked_softmax", {x, mask}, apply::f64(2, 3, 5), with);
    apply::for_each_index(x.dims, [&](const place& i) {
      const auto score = [&](std::int64_t k) {
        const place at{i[0], i[1], k};
        return std::exp(mask.at(at) != 0 ? 0.5 * x.at(at) : fill);
      };
      double all = 0;
      for (std::int64_t k = 0; k < 5; ++k) all += score(k);
      CHECK((*soft).at(i) == doctest::Approx(i[1] == 1 ? 0 : score(i[2]) / all));
      if (fill == -endless && mask.at(i) == 0) CHECK((*soft).at(i) == 0);
    });
  }
  // A causal mask hides what causal_softmax does.
  for (const shape& s : {shape::of(4, 4), shape::of(2, 5), shape::of(5, 2), shape::of(2, 3, 4)}) {
    const tensor scores = apply::random_tensor(s, random);
    const wf::value_type type{dtype::f64, {}, s};
    const apply::attributes half{wf::attribute_value::floating("scale", 0.5)};
    apply::attributes extents;
    for (std::uint32_t d = 0; d < s.rank; ++d)
      extents.push_back(wf::attribute_value::dimension(wf::stated_extent_names[d], s[d]));
    const auto seen = run("causal_mask", {}, {dtype::boolean, {}, s}, extents);
    const auto masked = run("masked_softmax", {scores, *seen}, type, half);
    const auto causal = run("causal_softmax", {scores}, type, half);
    for (std::size_t i = 0; i < scores.elements.size(); ++i)
      CHECK((*masked).elements[i] == doctest::Approx((*causal).elements[i]));
  }
}

TEST_CASE("normalisations take another epsilon") {
  const tensor x(shape::of(1, 2), {1, 3}), one(shape::of(2), {1, 1}), zero(shape::of(2), {0, 0});
  const apply::attributes with{wf::attribute_value::floating("epsilon", 3)};
  const auto centred = run("layer_norm", {x, one, zero}, apply::f64(1, 2), with);
  CHECK((*centred).elements[1] == doctest::Approx(0.5));  // 1/√(1 + 3)
  const auto scaled = run("rms_norm", {x, one}, apply::f64(1, 2), with);
  CHECK((*scaled).elements[1] == doctest::Approx(3 / std::sqrt(8.0)));
  const tensor image(shape::of(1, 1, 1, 1), {2}), c(shape::of(1), {1});
  const auto batch = run("batch_norm", {image, c, c, c, c}, apply::f64(1, 1, 1, 1), with);
  CHECK((*batch).elements[0] == doctest::Approx(1.5));  // (2 - 1)/√(1 + 3) + 1
}

TEST_CASE("normalisations of rows that fill several vectors") {
  std::mt19937_64 random(67);
  for (const std::int64_t n : {7, 16, 101}) {
    const tensor x = apply::random_tensor(shape::of(3, n), random);
    const tensor gain = apply::random_tensor(shape::of(n), random);
    const tensor bias = apply::random_tensor(shape::of(n), random);
    const auto centred = run("layer_norm", {x, gain, bias}, apply::f64(3, n));
    const auto scaled = run("rms_norm", {x, gain}, apply::f64(3, n));
    for (std::int64_t r = 0; r < 3; ++r) {
      double mean = 0, square = 0, variance = 0;
      for (std::int64_t i = 0; i < n; ++i) mean += x.at({r, i}) / static_cast<double>(n);
      for (std::int64_t i = 0; i < n; ++i) {
        square += std::pow(x.at({r, i}), 2) / static_cast<double>(n);
        variance += std::pow(x.at({r, i}) - mean, 2) / static_cast<double>(n);
      }
      for (std::int64_t i = 0; i < n; ++i) {
        const double by_gain = gain.at({i}) / std::sqrt(square + 1e-5);
        CHECK((*scaled).at({r, i}) == doctest::Approx(x.at({r, i}) * by_gain));
        const double centre = (x.at({r, i}) - mean) / std::sqrt(variance + 1e-5);
        CHECK((*centred).at({r, i}) == doctest::Approx(centre * gain.at({i}) + bias.at({i})));
      }
    }
  }
}

TEST_CASE("an affine map of stacks") {
  std::mt19937_64 random(83);
  const tensor x = apply::random_tensor(shape::of(2, 3, 4), random);
  const tensor w = apply::random_tensor(shape::of(4, 5), random);
  const tensor b = apply::random_tensor(shape::of(5), random);
  const auto y = run("linear", {x, w, b}, apply::f64(2, 3, 5));
  apply::for_each_index(shape::of(2, 3, 5), [&](const place& i) {
    double sum = b.at({i[2]});
    for (std::int64_t k = 0; k < 4; ++k) sum += x.at({i[0], i[1], k}) * w.at({k, i[2]});
    CHECK((*y).at(i) == doctest::Approx(sum));
  });
}

TEST_CASE("cross entropy broadcasts rows and classes, and embeddings know their rows") {
  std::mt19937_64 random(84);
  const tensor x = apply::random_tensor(shape::of(2, 1, 4), random, -3, 3);
  const tensor ids(shape::of(3), {0, 3, 1}, dtype::i64);
  double sum = 0;
  apply::for_each_index(shape::of(2, 3), [&](const place& i) {
    double all = 0;
    for (std::int64_t k = 0; k < 4; ++k) all += std::exp(x.at({i[0], 0, k}));
    const auto right = static_cast<std::int64_t>(ids.at({i[1]}));
    sum -= std::log(std::exp(x.at({i[0], 0, right})) / all);
  });
  CHECK((*run("cross_entropy", {x, ids}, apply::f64())).elements[0] == doctest::Approx(sum / 6));
  // The largest number of leading dimensions.
  const tensor one(shape::of(1, 1, 1, 1, 1, 1, 1, 2), {0, 0});
  const tensor none(shape::of(1, 1, 1, 1, 1, 1, 1, 1), {1}, dtype::i64);
  CHECK((*run("cross_entropy", {one, none}, apply::f64())).elements[0] ==
        doctest::Approx(std::log(2.0)));

  const tensor wrong(shape::of(1), {4}, dtype::i64), row(shape::of(1, 4), {1, 2, 3, 4});
  CHECK(run("cross_entropy", {row, wrong}, apply::f64()).why ==
        "index 4 lies outside of the 4 elements");
  CHECK(run("cross_entropy", {tensor(shape::of(0, 4)), tensor(shape::of(0), dtype::i64)},
            apply::f64())
            .why == "there are no elements");
  CHECK(run("embedding", {row, wrong}, apply::f64(1, 4)).why ==
        "index 4 lies outside of the 1 elements");
  CHECK((*run("embedding", {row, tensor(shape(), {0}, dtype::i64)}, apply::f64(4))).elements ==
        row.elements);
}

namespace {

// "Y[a,b,n] = softmax(X[a,b,n], scale = 0.5)" for an operator of one result, with its operands.
struct defined_call {
  std::string text;
  std::map<std::string, wf_test::dense_input> inputs;
  std::vector<tensor> operands;
};

// The indices of a parameter: leading ones, then its dimensions.
std::string indices_of(const wf::signature& s, const wf::parameter& p, int leading) {
  std::string out;
  for (int i = 0; p.leading && i < leading; ++i)
    out += std::string(1, static_cast<char>('a' + i)) + ",";
  for (const wf::text_view d : s.dimensions_of(p)) out += "d_" + std::string(d) + ",";
  return out.empty() ? out : "[" + out.substr(0, out.size() - 1) + "]";
}

}  // namespace

TEST_CASE("the equations that define a kernel compute what its executor computes") {
  std::mt19937_64 random(91);
  const std::map<std::string, std::vector<apply::attributes>> stated = {
      {"masked_softmax",
       {{},
        {wf::attribute_value::floating("scale", 0.5)},
        {wf::attribute_value::floating("fill", -0.25)},
        {wf::attribute_value::floating("scale", 2.5), wf::attribute_value::floating("fill", -9)}}},
      {"layer_norm", {{}, {wf::attribute_value::floating("epsilon", 0.125)}}},
      {"rms_norm", {{}, {wf::attribute_value::floating("epsilon", 0.125)}}},
      {"sum", {{}, {integer("axis", 0)}, {integer("axis", 1)}, {integer("axis", 2)}}},
      {"max", {{}, {integer("axis", 0)}, {integer("axis", 1)}, {integer("axis", 2)}}},
      {"mean", {{}, {integer("axis", 0)}, {integer("axis", 1)}, {integer("axis", 2)}}}};
  std::size_t kernels = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (k->definition.empty() && k->write_definition == nullptr) continue;
    ++kernels;
    const auto s = wf::parse_signature(k->signature);
    const auto attributes = stated.find(std::string(k->name));
    for (int leading = 0; leading < 4; ++leading)
      for (const apply::attributes& with :
           attributes == stated.end() ? std::vector<apply::attributes>{{}} : attributes->second) {
        const bool reduces = !with.empty() && with[0].name == "axis";
        if (reduces && with[0].number >= leading) continue;
        std::map<std::string, std::int64_t> extents;
        defined_call call;
        std::vector<wf::value_type> types;
        std::string list;
        for (std::uint32_t i = 0; i < s->inputs; ++i) {
          const wf::parameter& p = s->parameters[i];
          wf::shape dims = shape::of();
          const auto dimension = [&](const std::string& name) {
            const auto made =
                extents.try_emplace(name, 1 + static_cast<std::int64_t>(random() % 4));
            dims.push_back(wf::extent(made.first->second));
          };
          for (int d = 0; p.leading && d < leading; ++d)
            dimension(std::string(1, static_cast<char>('a' + d)));
          for (const wf::text_view d : s->dimensions_of(p)) dimension(std::string(d));
          tensor t = apply::random_tensor(dims, random, -3, 3);
          if (p.bound == "bool") {
            t.type = dtype::boolean;
            for (double& x : t.elements) x = static_cast<double>(random() % 2);
          }
          types.push_back({t.type, {}, dims});
          wf_test::dense_input in;
          for (std::uint32_t d = 0; d < dims.rank; ++d) in.extents.push_back(dims[d].size());
          in.values = t.elements;
          call.inputs["in" + std::to_string(i)] = in;
          list += (i == 0 ? "in" : ", in") + std::to_string(i) + indices_of(*s, p, leading);
          call.operands.push_back(t);
        }
        std::string result = indices_of(*s, s->parameters[s->inputs], leading);
        if (k->result_shape != nullptr) {  // a reduction
          result = reduces ? "[" : "";
          for (int d = 0; reduces && d < leading; ++d)
            if (d != with[0].number) result += std::string(1, static_cast<char>('a' + d)) + ",";
          if (reduces) result.back() == ',' ? void(result.back() = ']') : void(result += ']');
        }
        for (const wf::attribute_value& a : with)
          list += ", " + std::string(a.name) + " = " +
                  (a.kind == wf::attribute_kind::real ? std::to_string(a.real)
                                                      : std::to_string(a.number));
        call.text = "out" + result + " = " + std::string(k->name) + "(" + list + ")";
        CAPTURE(call.text);
        const wf::rule_input node{{types.data(), types.size()}, {with.data(), with.size()}};
        const auto made = wf::infer(*k, node);
        REQUIRE(made);
        const auto run_it = apply::run({compute::find_operator<double>(k->name), 1}, k->name,
                                       call.operands, {made->results[0]}, with);
        const auto solved = wf_test::solve(call.text, call.inputs);
        CHECK(solved.message == "");
        if (!solved.message.empty()) continue;
        const wf::logic::relation& y = solved.tensors.at("out");
        std::vector<double> dense((*run_it).elements.size(), 0.0);
        for (std::size_t row = 0; row < y.rows; ++row) {
          std::size_t at = 0;
          for (std::uint32_t c = 0; c < y.rank; ++c)
            at = at * static_cast<std::size_t>((*run_it).dims[c].size()) +
                 static_cast<std::size_t>(y.columns[c][row]);
          dense[at] = y.values[row];
        }
        CHECK(wf_test::near(dense, (*run_it).elements, 1e-12));
      }
  }
  CHECK(kernels >= 8);
}
