// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "one_node.hpp"

// Reference implementations of operators as plain loops by definition, on numbers that count
// arithmetic operations. Independent of the kernels' formulas and rules.
namespace reference {

inline std::int64_t flops = 0;
inline std::int64_t multiplications = 0;  // including divisions; all are flops too

// A number; booleans are 0 and 1. An operation, comparison or elementary function is one flop.
struct number {
  std::complex<double> v;
  number(double real = 0) : v(real) {}
  number(std::complex<double> z) : v(z) {}
  double real() const { return v.real(); }
};
inline number counted(std::complex<double> z) {
  ++flops;
  return z;
}
inline number operator+(number a, number b) { return counted(a.v + b.v); }
inline number operator-(number a, number b) { return counted(a.v - b.v); }
inline number operator*(number a, number b) { return ++multiplications, counted(a.v * b.v); }
inline number operator/(number a, number b) { return ++multiplications, counted(a.v / b.v); }
inline number operator-(number a) { return counted(-a.v); }
inline bool operator<(number a, number b) { return ++flops, a.real() < b.real(); }
inline number larger(number a, number b) { return a < b ? b : a; }
inline number exponential(number a) { return counted(std::exp(a.v)); }
inline number root(number a) { return counted(std::sqrt(a.v)); }
inline number tangent(number a) { return counted(std::tanh(a.v)); }

struct tensor {
  std::vector<int> shape;
  std::vector<number> at;

  explicit tensor(std::vector<int> s = {}) : shape(std::move(s)) {
    std::size_t n = 1;
    for (int e : shape) n *= static_cast<std::size_t>(e);
    at.resize(n);
  }
  std::size_t size() const { return at.size(); }
  int last(int back = 1) const { return shape[shape.size() - static_cast<std::size_t>(back)]; }
  number& operator()(std::size_t i) { return at[i]; }
  number operator()(std::size_t i) const { return at[i]; }
};
using tensors = std::vector<tensor>;
using integers = std::map<std::string, int>;
using operator_function = std::function<tensors(const tensors&, const integers&)>;

inline std::size_t u(int i) { return static_cast<std::size_t>(i); }
inline int product(const std::vector<int>& s, std::size_t first, std::size_t end) {
  int n = 1;
  for (std::size_t i = first; i < end; ++i) n *= s[i];
  return n;
}

// Elementwise, with operands broadcast to the shape of the result.
template <class F>
operator_function elementwise(F f) {
  return [f](const tensors& x, const integers&) {
    std::size_t rank = 0;
    for (const tensor& t : x) rank = std::max(rank, t.shape.size());
    std::vector<int> s(rank, 1);
    for (const tensor& t : x)
      for (std::size_t i = 0; i < t.shape.size(); ++i) {
        int& e = s[rank - t.shape.size() + i];
        e = std::max(e, t.shape[i]);
      }
    tensor out(s);
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::vector<number> args;
      for (const tensor& t : x) {
        std::size_t from = 0, rest = i, stride = 1;
        for (std::size_t d = t.shape.size(); d-- > 0;) {
          const std::size_t extent = u(s[rank - t.shape.size() + d]);
          if (t.shape[d] > 1) from += rest % extent * stride;
          stride *= u(t.shape[d]);
          rest /= extent;
        }
        args.push_back(t(from));
      }
      out(i) = f(args);
    }
    return tensors{out};
  };
}
// Applies f to each run of the last dimension.
template <class F>
operator_function by_rows(F f) {
  return [f](const tensors& x, const integers& with) {
    tensor out(x[0].shape);
    const int n = x[0].last();
    for (std::size_t first = 0; first < out.size(); first += u(n))
      f(&x[0].at[first], &out.at[first], n, x, with, first / u(n));
    return tensors{out};
  };
}
// A shape split at dimension `axis`: outer x extent x inner.
struct axis_view {
  std::size_t outer, extent, inner;
  axis_view(const tensor& t, const integers& with) {
    const std::size_t axis = with.count("axis") ? u(with.at("axis")) : 0;
    outer = u(product(t.shape, 0, axis));
    extent = u(t.shape[axis]);
    inner = u(product(t.shape, axis + 1, t.shape.size()));
  }
  std::size_t operator()(std::size_t o, std::size_t e, std::size_t i) const {
    return (o * extent + e) * inner + i;
  }
};
template <class F>
operator_function reduction(F f) {
  return [f](const tensors& x, const integers& with) {
    std::vector<int> s;
    if (with.count("axis")) {
      s = x[0].shape;
      s.erase(s.begin() + with.at("axis"));
    }
    tensor out(s);
    tensor flat = x[0];
    if (!with.count("axis")) flat.shape = {static_cast<int>(flat.size())};
    const axis_view v(flat, with);
    for (std::size_t o = 0; o < v.outer; ++o)
      for (std::size_t i = 0; i < v.inner; ++i) {
        std::vector<number> run;
        for (std::size_t e = 0; e < v.extent; ++e) run.push_back(flat(v(o, e, i)));
        out(o * v.inner + i) = f(run);
      }
    return tensors{out};
  };
}
inline number sum(const std::vector<number>& run) {
  number s = run[0];
  for (std::size_t i = 1; i < run.size(); ++i) s = s + run[i];
  return s;
}

inline tensors matmul(const tensors& x, const integers&) {
  const int m = x[0].last(2), k = x[0].last(), n = x[1].last();
  tensor out(x[0].shape);
  out.shape.back() = n;
  out = tensor(out.shape);
  const std::size_t stacks = x[0].size() / u(m * k);
  const std::size_t step = x[1].shape.size() > 2 ? u(k * n) : 0;
  for (std::size_t s = 0; s < stacks; ++s)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        for (int l = 0; l < k; ++l) {
          number& c = out(s * u(m * n) + u(i * n + j));
          c = c + x[0](s * u(m * k) + u(i * k + l)) * x[1](s * step + u(l * n + j));
        }
  return {out};
}
inline void softmax_row(const number* x, number* y, int n, int visible) {
  number most = x[0], total = 0;
  for (int i = 1; i < visible; ++i) most = larger(most, x[i]);
  for (int i = 0; i < visible; ++i) {
    y[i] = exponential(x[i] - most);
    total = i == 0 ? y[i] : total + y[i];
  }
  for (int i = 0; i < visible; ++i) y[i] = y[i] / total;
  for (int i = visible; i < n; ++i) y[i] = 0;
}
template <class F>
operator_function windows(int operands, F f) {
  return [operands, f](const tensors& x, const integers& with) {
    const auto& s = x[0].shape;  // N, C, H, W
    const bool pool = operands == 1;
    const int r = pool ? with.at("window") : x[1].last(2), w = pool ? r : x[1].last();
    const int stride = with.at("stride"), padding = with.at("padding");
    const bool deep = !pool && x[1].shape.size() == 4;
    const int channels = deep ? x[1].shape[0] : s[1];
    tensor out({s[0], channels, (s[2] + 2 * padding - r) / stride + 1,
                (s[3] + 2 * padding - w) / stride + 1});
    std::size_t place = 0;
    for (int n = 0; n < s[0]; ++n)
      for (int c = 0; c < channels; ++c)
        for (int i = 0; i < out.shape[2]; ++i)
          for (int j = 0; j < out.shape[3]; ++j, ++place) {
            std::vector<number> pixels, weights;
            for (int from = deep ? 0 : c; from < (deep ? s[1] : c + 1); ++from)
              for (int a = 0; a < r; ++a)
                for (int b = 0; b < w; ++b) {
                  const int h = i * stride - padding + a, v = j * stride - padding + b;
                  const bool inside = h >= 0 && h < s[2] && v >= 0 && v < s[3];
                  pixels.push_back(inside ? x[0](u(((n * s[1] + from) * s[2] + h) * s[3] + v))
                                          : number(0));
                  if (!pool)
                    weights.push_back(
                        x[1](u(((c * (deep ? s[1] : 1) + (deep ? from : 0)) * r + a) * w + b)));
                }
            out(place) = f(pixels, weights);
          }
    return tensors{out};
  };
}
inline number dot(const std::vector<number>& a, const std::vector<number>& b) {
  number s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s = s + a[i] * b[i];
  return s;
}

inline tensors parts(const tensors& x, const integers& with) {
  const std::size_t count = with.count("parts") ? u(with.at("parts")) : 2;
  const axis_view v(x[0], with);
  std::vector<int> s = x[0].shape;
  s[with.count("axis") ? u(with.at("axis")) : 0] /= static_cast<int>(count);
  tensors out;
  for (std::size_t p = 0; p < count; ++p) {
    tensor t(s);
    const axis_view w(t, with);
    for (std::size_t o = 0; o < v.outer; ++o)
      for (std::size_t e = 0; e < w.extent; ++e)
        for (std::size_t i = 0; i < v.inner; ++i) t(w(o, e, i)) = x[0](v(o, p * w.extent + e, i));
    out.push_back(t);
  }
  return out;
}
inline tensors concatenated(const tensors& x, const integers& with) {
  const std::size_t axis = with.count("axis") ? u(with.at("axis")) : 0;
  std::vector<int> s = x[0].shape;
  for (std::size_t k = 1; k < x.size(); ++k) s[axis] += x[k].shape[axis];
  tensor out(s);
  const axis_view v(out, with);
  std::size_t first = 0;
  for (const tensor& t : x) {
    const axis_view w(t, with);
    for (std::size_t o = 0; o < w.outer; ++o)
      for (std::size_t e = 0; e < w.extent; ++e)
        for (std::size_t i = 0; i < w.inner; ++i) out(v(o, first + e, i)) = t(w(o, e, i));
    first += w.extent;
  }
  return {out};
}
inline tensors gathered(const tensors& x, const integers& with) {
  const std::size_t axis = with.count("axis") ? u(with.at("axis")) : 0;
  std::vector<int> s(x[0].shape.begin(), x[0].shape.begin() + static_cast<int>(axis));
  s.insert(s.end(), x[1].shape.begin(), x[1].shape.end());
  s.insert(s.end(), x[0].shape.begin() + static_cast<int>(axis) + 1, x[0].shape.end());
  tensor out(s);
  const axis_view v(x[0], with);
  for (std::size_t o = 0; o < v.outer; ++o)
    for (std::size_t e = 0; e < x[1].size(); ++e)
      for (std::size_t i = 0; i < v.inner; ++i)
        out((o * x[1].size() + e) * v.inner + i) =
            x[0](v(o, static_cast<std::size_t>(x[1](e).real()), i));
  return {out};
}
inline tensors inverse(const tensors& x, const integers&) {  // Gauss-Jordan, pivots on the diagonal
  tensor a = x[0];
  const int n = a.last();
  tensor b(a.shape);
  const auto cell = [n](tensor& t, int i, int j) -> number& { return t(u(i * n + j)); };
  for (int i = 0; i < n; ++i) cell(b, i, i) = 1;
  for (int p = 0; p < n; ++p) {
    const number d = cell(a, p, p);
    for (int j = 0; j < n; ++j)
      cell(a, p, j) = cell(a, p, j) / d, cell(b, p, j) = cell(b, p, j) / d;
    for (int i = 0; i < n; ++i) {
      const number f = cell(a, i, p);
      for (int j = 0; i != p && j < n; ++j) {
        cell(a, i, j) = cell(a, i, j) - f * cell(a, p, j);
        cell(b, i, j) = cell(b, i, j) - f * cell(b, p, j);
      }
    }
  }
  return {b};
}
inline operator_function fourier(double sign) {
  return by_rows(
      [sign](const number* x, number* y, int n, const tensors&, const integers&, std::size_t) {
        for (int k = 0; k < n; ++k) {
          std::complex<double> s = 0;
          for (int j = 0; j < n; ++j) s += x[j].v * std::polar(1.0, sign * 2 * M_PI * j * k / n);
          y[k] = number(sign > 0 ? s / static_cast<double>(n) : s);
        }
      });
}

// The operators by their names.
inline const std::map<std::string, operator_function>& operators() {
  using numbers = const std::vector<number>&;
  const auto logic = [](bool b) { return number(b ? 1 : 0); };
  static const std::map<std::string, operator_function> all{
      {"add", elementwise([](numbers x) { return x[0] + x[1]; })},
      {"subtract", elementwise([](numbers x) { return x[0] - x[1]; })},
      {"multiply", elementwise([](numbers x) { return x[0] * x[1]; })},
      {"divide", elementwise([](numbers x) { return x[0] / x[1]; })},
      {"power", elementwise([](numbers x) { return counted(std::pow(x[0].v, x[1].v)); })},
      {"maximum", elementwise([](numbers x) { return larger(x[0], x[1]); })},
      {"minimum", elementwise([](numbers x) { return x[0] < x[1] ? x[0] : x[1]; })},
      {"negate", elementwise([](numbers x) { return -x[0]; })},
      {"abs", elementwise([](numbers x) { return counted(std::abs(x[0].v)); })},
      {"conjugate", elementwise([](numbers x) { return counted(std::conj(x[0].v)); })},
      {"reciprocal", elementwise([](numbers x) { return 1 / x[0]; })},
      {"square", elementwise([](numbers x) { return x[0] * x[0]; })},
      {"sqrt", elementwise([](numbers x) { return root(x[0]); })},
      {"exp", elementwise([](numbers x) { return exponential(x[0]); })},
      {"log", elementwise([](numbers x) { return counted(std::log(x[0].v)); })},
      {"sin", elementwise([](numbers x) { return counted(std::sin(x[0].v)); })},
      {"cos", elementwise([](numbers x) { return counted(std::cos(x[0].v)); })},
      {"tanh", elementwise([](numbers x) { return tangent(x[0]); })},
      {"sigmoid", elementwise([](numbers x) { return 1 / (1 + exponential(-x[0])); })},
      {"step", elementwise([=](numbers x) { return logic(number(0) < x[0]); })},
      {"equal", elementwise([=](numbers x) { return ++flops, logic(x[0].v == x[1].v); })},
      {"less", elementwise([=](numbers x) { return logic(x[0] < x[1]); })},
      {"logical_and", elementwise([=](numbers x) { return logic(x[0].real() * x[1].real() > 0); })},
      {"logical_or", elementwise([=](numbers x) { return logic(x[0].real() + x[1].real() > 0); })},
      {"logical_not", elementwise([=](numbers x) { return logic(x[0].real() == 0); })},
      {"where", elementwise([](numbers x) { return x[0].real() != 0 ? x[1] : x[2]; })},
      {"copy", elementwise([](numbers x) { return x[0]; })},
      {"relu", elementwise([](numbers x) { return larger(x[0], 0); })},
      {"silu", elementwise([](numbers x) { return x[0] * (1 / (1 + exponential(-x[0]))); })},
      {"gelu", elementwise([](numbers x) {
         const number cube = x[0] * x[0] * x[0];
         const number inner = std::sqrt(2 / M_PI) * (x[0] + 0.044715 * cube);
         return 0.5 * x[0] * (1 + tangent(inner));
       })},
      {"softmax", by_rows([](const number* x, number* y, int n, const tensors&, const integers&,
                             std::size_t) { softmax_row(x, y, n, n); })},
      {"causal_softmax",
       by_rows([](const number* x, number* y, int n, const tensors& all, const integers&,
                  std::size_t row) {
         const int queries = all[0].last(2), query = static_cast<int>(row) % queries;
         softmax_row(x, y, n, n - queries + query + 1);
       })},
      {"masked_softmax",
       by_rows([](const number* x, number* y, int n, const tensors& all, const integers&,
                  std::size_t row) {
         std::vector<number> seen(u(n)), soft(u(n));
         std::vector<int> places;
         for (int i = 0; i < n; ++i)
           if (all[1]((row * u(n) + u(i)) % all[1].size()).real() != 0) places.push_back(i);
         for (std::size_t k = 0; k < places.size(); ++k) seen[k] = x[places[k]];
         const int count = static_cast<int>(places.size());
         softmax_row(seen.data(), soft.data(), count, count);
         std::fill(y, y + n, number(0));
         for (std::size_t k = 0; k < places.size(); ++k) y[places[k]] = soft[k];
       })},
      {"layer_norm", by_rows([](const number* x, number* y, int n, const tensors& all,
                                const integers&, std::size_t) {
         const number mean = sum({x, x + n}) / n;
         std::vector<number> squares;
         for (int i = 0; i < n; ++i) {
           y[i] = x[i] - mean;
           squares.push_back(y[i] * y[i]);
         }
         const number scale = 1 / root(sum(squares) / n + 1e-5);
         for (int i = 0; i < n; ++i) y[i] = y[i] * scale * all[1](u(i)) + all[2](u(i));
       })},
      {"rms_norm", by_rows([](const number* x, number* y, int n, const tensors& all,
                              const integers&, std::size_t) {
         std::vector<number> squares;
         for (int i = 0; i < n; ++i) squares.push_back(x[i] * x[i]);
         const number scale = 1 / root(sum(squares) / n + 1e-5);
         for (int i = 0; i < n; ++i) y[i] = x[i] * scale * all[1](u(i));
       })},
      {"batch_norm",
       [](const tensors& x, const integers&) {
         tensor out(x[0].shape);
         const std::size_t pixels = u(out.shape[2] * out.shape[3]);
         for (std::size_t c = 0; c < x[1].size(); ++c) {
           const number a = x[3](c) / root(x[2](c) + 1e-5), b = x[4](c) - x[1](c) * a;
           for (std::size_t n = 0; n < u(out.shape[0]); ++n)
             for (std::size_t p = 0; p < pixels; ++p) {
               const std::size_t i = (n * x[1].size() + c) * pixels + p;
               out(i) = a * x[0](i) + b;
             }
         }
         return tensors{out};
       }},
      {"linear",
       [](const tensors& x, const integers& with) {
         tensors out = matmul({x[0], x[1]}, with);
         for (std::size_t i = 0; i < out[0].size(); ++i)
           out[0](i) = out[0](i) + x[2](i % x[2].size());
         return out;
       }},
      {"conv2d", windows(2, dot)},
      {"depthwise_conv2d", windows(2, dot)},
      {"max_pool2d", windows(1, [](numbers pixels, numbers) {
         number most = -1e300;
         for (number p : pixels) most = larger(most, p);
         return most;
       })},
      {"average_pool2d", windows(1, [](numbers pixels, numbers) {
         return sum(pixels) / static_cast<double>(pixels.size());
       })},
      {"global_average_pool",
       [](const tensors& x, const integers&) {
         tensor out({x[0].shape[0], x[0].shape[1]});
         const std::size_t pixels = u(x[0].shape[2] * x[0].shape[3]);
         for (std::size_t i = 0; i < out.size(); ++i) {
           const number* first = &x[0].at[i * pixels];
           out(i) = sum({first, first + pixels}) / static_cast<double>(pixels);
         }
         return tensors{out};
       }},
      {"embedding", gathered},
      {"cross_entropy",
       [](const tensors& x, const integers&) {
         const int v = x[0].last();
         std::vector<number> rows;
         for (std::size_t r = 0; r < x[1].size(); ++r) {
           const number* row = &x[0].at[r * u(v)];
           number most = row[0];
           for (int i = 1; i < v; ++i) most = larger(most, row[i]);
           std::vector<number> shifted, powers;
           for (int i = 0; i < v; ++i) shifted.push_back(row[i] - most);
           for (number s : shifted) powers.push_back(exponential(s));
           const auto right = static_cast<std::size_t>(x[1](r).real());
           rows.push_back(counted(std::log(sum(powers).v)) - shifted[right]);
         }
         tensor out;
         out(0) = sum(rows) / static_cast<double>(rows.size());
         return tensors{out};
       }},
      {"matmul", matmul},
      {"matmul_strassen", matmul},
      {"matvec",
       [](const tensors& x, const integers& with) {
         tensor column = x[1];
         column.shape.push_back(1);
         tensors out = matmul({x[0], column}, with);
         out[0].shape.pop_back();
         return out;
       }},
      {"transpose",
       [](const tensors& x, const integers&) {
         const int m = x[0].last(2), n = x[0].last();
         tensor out(x[0].shape);
         std::swap(out.shape.back(), out.shape[out.shape.size() - 2]);
         for (std::size_t s = 0; s < out.size() / u(m * n); ++s)
           for (int i = 0; i < m; ++i)
             for (int j = 0; j < n; ++j)
               out(s * u(m * n) + u(j * m + i)) = x[0](s * u(m * n) + u(i * n + j));
         return tensors{out};
       }},
      {"dot",
       [](const tensors& x, const integers&) {
         tensor out;
         out(0) = dot(x[0].at, x[1].at);
         return tensors{out};
       }},
      {"outer",
       [](const tensors& x, const integers&) {
         tensor out({x[0].last(), x[1].last()});
         for (std::size_t i = 0; i < out.size(); ++i)
           out(i) = x[0](i / x[1].size()) * x[1](i % x[1].size());
         return tensors{out};
       }},
      {"axpy",
       [](const tensors& x, const integers&) {
         tensor out(x[1].shape);
         for (std::size_t i = 0; i < out.size(); ++i) out(i) = x[0](0) * x[1](i) + x[2](i);
         return tensors{out};
       }},
      {"norm",
       [](const tensors& x, const integers&) {
         std::vector<number> squares;
         for (number e : x[0].at) squares.push_back(e * e);
         tensor out;
         out(0) = root(sum(squares));
         return tensors{out};
       }},
      {"trace",
       [](const tensors& x, const integers&) {
         std::vector<number> diagonal;
         for (int i = 0; i < x[0].last(); ++i) diagonal.push_back(x[0](u(i * x[0].last() + i)));
         tensor out;
         out(0) = sum(diagonal);
         return tensors{out};
       }},
      {"diagonal",
       [](const tensors& x, const integers&) {
         tensor out({x[0].last()});
         for (int i = 0; i < x[0].last(); ++i) out(u(i)) = x[0](u(i * x[0].last() + i));
         return tensors{out};
       }},
      {"product_diagonal",
       [](const tensors& x, const integers&) {
         const int rows = x[1].last(), inner = x[0].last();
         tensor out({rows});
         for (int i = 0; i < rows; ++i)
           for (int k = 0; k < inner; ++k)
             out(u(i)) = out(u(i)) + x[0](u(i * inner + k)) * x[1](u(k * rows + i));
         return tensors{out};
       }},
      {"inverse", inverse},
      {"inverse_cholesky", inverse},
      {"inverse_symmetric", inverse},
      {"fft", fourier(-1)},
      {"inverse_fft", fourier(1)},
      {"bit_reversal", by_rows([](const number* x, number* y, int n, const tensors&,
                                  const integers&, std::size_t) {
         for (int i = 0; i < n; ++i) {
           int reversed = 0;
           for (int bit = 1, top = n / 2; bit < n; bit *= 2, top /= 2)
             if ((i & bit) != 0) reversed |= top;
           y[reversed] = x[i];
         }
       })},
      {"butterflies", by_rows([](const number* x, number* y, int n, const tensors&,
                                 const integers& with, std::size_t) {
         const int half = 1 << with.at("stage");
         for (int i = 0; i < n; ++i) {
           const int j = i % (2 * half);
           if (j >= half) continue;
           const auto odd = x[i + half].v * std::polar(1.0, -M_PI * j / half);
           y[i] = number(x[i].v + odd);
           y[i + half] = number(x[i].v - odd);
         }
       })},
      {"reshape",
       [](const tensors& x, const integers& with) {
         tensor out({with.at("d0"), with.at("d1")});
         out.at = x[0].at;
         return tensors{out};
       }},
      {"broadcast_to",
       [](const tensors& x, const integers& with) {
         tensor zero({with.at("d0"), with.at("d1")});
         return elementwise([](numbers args) { return args[0]; })({x[0], zero}, with);
       }},
      {"permute",
       [](const tensors& x, const integers& with) {
         const std::size_t rank = x[0].shape.size();
         std::vector<std::size_t> p;
         std::vector<int> s;
         for (std::size_t d = 0; d < rank; ++d) {
           p.push_back(u(with.at("p" + std::to_string(d))));
           s.push_back(x[0].shape[p[d]]);
         }
         tensor out(s);
         for (std::size_t i = 0; i < out.size(); ++i) {
           std::vector<std::size_t> index(rank);
           std::size_t rest = i, from = 0;
           for (std::size_t d = rank; d-- > 0; rest /= u(s[d])) index[p[d]] = rest % u(s[d]);
           for (std::size_t d = 0; d < rank; ++d) from = from * u(x[0].shape[d]) + index[d];
           out(i) = x[0](from);
         }
         return tensors{out};
       }},
      {"slice",
       [](const tensors& x, const integers& with) {
         std::vector<int> s = x[0].shape;
         s[0] = with.at("length");
         tensor out(s);
         for (std::size_t i = 0; i < out.size(); ++i)
           out(i) = x[0](i + u(with.at("start") * product(s, 1, s.size())));
         return tensors{out};
       }},
      {"split", parts},
      {"concat", concatenated},
      {"pad",
       [](const tensors& x, const integers& with) {
         std::vector<int> before = x[0].shape, after = x[0].shape;
         before[0] = with.at("before"), after[0] = with.at("after");
         return concatenated({tensor(before), x[0], tensor(after)}, with);
       }},
      {"gather", gathered},
      {"scatter_add",
       [](const tensors& x, const integers&) {
         tensor out = x[0];
         const std::size_t inner = x[2].size() / x[1].size();
         for (std::size_t e = 0; e < x[1].size(); ++e)
           for (std::size_t i = 0; i < inner; ++i) {
             number& to = out(static_cast<std::size_t>(x[1](e).real()) * inner + i);
             to = to + x[2](e * inner + i);
           }
         return tensors{out};
       }},
      {"update_slice",
       [](const tensors& x, const integers&) {
         tensor out = x[0];
         const std::size_t inner = out.size() / u(out.shape[0]);
         for (std::size_t i = 0; i < x[1].size(); ++i)
           out(static_cast<std::size_t>(x[2](0).real()) * inner + i) = x[1](i);
         return tensors{out};
       }},
      {"sum", reduction(sum)},
      {"mean", reduction([](numbers x) { return sum(x) / static_cast<double>(x.size()); })},
      {"max", reduction([](numbers x) {
         number most = x[0];
         for (std::size_t i = 1; i < x.size(); ++i) most = larger(most, x[i]);
         return most;
       })},
      {"arg_max", reduction([](numbers x) {
         std::size_t best = 0;
         for (std::size_t i = 1; i < x.size(); ++i)
           if (x[best] < x[i]) best = i;
         return number(static_cast<double>(best));
       })}};
  return all;
}

}  // namespace reference
