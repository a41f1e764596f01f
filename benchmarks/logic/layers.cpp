// SPDX-License-Identifier: BSL-1.0
#include <logic/layers.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <logic/encoder.hpp>

namespace logic_benchmark {

namespace {

using numbers = std::vector<double>;
using span = std::span<const double>;

/// Random numbers, the same on every machine.
class seeded {
 public:
  /// In [-most, most).
  double number(double most) { return most * (static_cast<double>(random_() >> 11) * 0x1p-52 - 1); }
  numbers several(std::size_t count, double most) {
    numbers out(count);
    for (double& x : out) x = number(most);
    return out;
  }
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

 private:
  std::mt19937_64 random_{20};
};

/// x·w of rows, by loops.
numbers product(span x, span w, std::size_t columns) {
  const std::size_t depth = w.size() / columns, rows = x.size() / depth;
  numbers out(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t j = 0; j < columns; ++j)
        out[i * columns + j] += x[i * depth + k] * w[k * columns + j];
  return out;
}
void add(numbers& to, span x) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += x[i % x.size()];
}

/// The encoder by loops; it takes the inputs in their order.
class encoder_by_loops {
 public:
  encoder_by_loops(const encoder_sizes& sizes, span inputs)
      : tokens_(static_cast<std::size_t>(sizes.tokens)),
        heads_(static_cast<std::size_t>(sizes.heads)),
        width_(static_cast<std::size_t>(sizes.width)),
        hidden_(static_cast<std::size_t>(sizes.hidden)),
        next_(inputs.data()) {}

  numbers result(int layers) {
    const span first = take(tokens_ * width_);
    numbers x(first.begin(), first.end());
    for (int layer = 0; layer < layers; ++layer) {
      const numbers q = mapped(x, width_), k = mapped(x, width_), v = mapped(x, width_);
      numbers sum = mapped(attention(q, k, v), width_);
      add(sum, x);
      normalise(sum);
      numbers middle = mapped(sum, hidden_);
      for (double& y : middle)
        y = 0.5 * y * (1 + std::tanh(0.7978845608028654 * (y + 0.044715 * y * y * y)));
      x = mapped(middle, width_);
      add(x, sum);
      normalise(x);
    }
    return x;
  }

 private:
  span take(std::size_t count) { return {std::exchange(next_, next_ + count), count}; }
  numbers mapped(const numbers& x, std::size_t columns) {
    numbers out = product(x, take(x.size() / tokens_ * columns), columns);
    add(out, take(columns));
    return out;
  }
  void normalise(numbers& x) {
    const span gain = take(width_), shift = take(width_);
    const auto count = static_cast<double>(width_);
    for (std::size_t row = 0; row < x.size(); row += width_) {
      double mean = 0, variance = 0;
      for (std::size_t i = row; i < row + width_; ++i) mean += x[i] / count;
      for (std::size_t i = row; i < row + width_; ++i)
        variance += (x[i] - mean) * (x[i] - mean) / count;
      for (std::size_t i = 0; i < width_; ++i)
        x[row + i] = (x[row + i] - mean) / std::sqrt(variance + 1e-5) * gain[i] + shift[i];
    }
  }
  numbers attention(const numbers& q, const numbers& k, const numbers& v) const {
    const std::size_t part = width_ / heads_;
    numbers out(q.size()), weights(tokens_);
    for (std::size_t first = 0; first < width_; first += part)
      for (std::size_t t = first; t < q.size(); t += width_) {
        double sum = 0;
        for (std::size_t s = 0; s < tokens_; ++s) {
          double score = 0;
          for (std::size_t e = 0; e < part; ++e) score += q[t + e] * k[s * width_ + first + e];
          sum += weights[s] = std::exp(score / std::sqrt(static_cast<double>(part)));
        }
        for (std::size_t s = 0; s < tokens_; ++s)
          for (std::size_t e = 0; e < part; ++e)
            out[t + e] += weights[s] / sum * v[s * width_ + first + e];
      }
    return out;
  }

  std::size_t tokens_, heads_, width_, hidden_;
  const double* next_;  // the first input that was not taken
};

/// Writes the text of a file; false if it cannot.
bool write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return file.flush().good();
}
/// Writes numbers as this machine has them.
template <class Number>
bool write_numbers(const std::filesystem::path& path, std::span<const Number> given) {
  return write(path, {reinterpret_cast<const char*>(given.data()), given.size_bytes()});
}
/// Writes the expected result Y, with the error that its entries may have relative to the largest
/// one, and the number of operations.
bool write_expected(const std::filesystem::path& folder, const numbers& result,
                    const char* tolerance, std::int64_t flops) {
  std::filesystem::create_directories(folder / "expected");
  return write(folder / "expected" / "summary.json",
               R"({"Y": {"values": "Y.values", "tolerance_of_largest": )" + std::string(tolerance) +
                   "}}\n") &&
         write_numbers<double>(folder / "expected" / "Y.values", result) &&
         write(folder / "flops", std::to_string(flops) + "\n");
}

bool write_encoder(const std::filesystem::path& folder, const encoder_sizes& sizes) {
  std::filesystem::create_directories(folder);
  seeded random;
  std::vector<float> inputs;
  for (const encoder_input& input : inputs_of(sizes)) {
    // Maps keep the size of numbers about the same; gains are near one, biases near zero.
    const bool is_map = input.extents.size() > 1 && input.name[0] == 'W';
    const bool is_head = is_map && input.extents[0] == sizes.heads;
    const double depth = is_head ? sizes.width : input.extents[0];
    const double most = is_map ? std::sqrt(3 / depth) : input.name == "X" ? 1.5 : 0.1;
    for (std::size_t i = 0; i < input.size(); ++i)
      inputs.push_back(
          static_cast<float>(random.number(most) + (input.name.starts_with("gain") ? 1 : 0)));
  }
  const numbers exact(inputs.begin(), inputs.end());
  const numbers result = encoder_by_loops(sizes, exact).result(sizes.layers);
  // Four maps of the width, two to or from the hidden width, and two products of the attention.
  const std::int64_t t = sizes.tokens, d = sizes.width, f = sizes.hidden;
  const std::int64_t flops = 2 * sizes.layers * (4 * t * d * d + 2 * t * d * f + 2 * t * t * d);
  std::string words;
  for (const int n : {sizes.tokens, sizes.layers, sizes.heads, sizes.width, sizes.hidden})
    words += std::to_string(n) + " ";
  return write(folder / "program.tl", equations_of(sizes)) && write(folder / "sizes", words) &&
         write_numbers<float>(folder / "inputs.f32", inputs) &&
         write_expected(folder, result, "1e-4", flops);
}

std::string digits(double x) {
  char out[32];
  std::snprintf(out, sizeof out, "%.17g", x);
  return out;
}
/// A matrix as JSON.
std::string lists_of(const numbers& m, std::size_t columns) {
  std::string out;
  for (std::size_t i = 0; i < m.size(); ++i)
    out += (i == 0 ? "[[" : i % columns == 0 ? "],\n[" : ",") + digits(m[i]);
  return out + "]]";
}

bool write_graph_layer(const std::filesystem::path& folder) {
  constexpr std::uint32_t nodes = 10'000;
  constexpr std::size_t links = 50'000, taken = 32, made = 16;
  seeded random;
  std::set<std::pair<std::uint32_t, std::uint32_t>> entries;
  for (std::uint32_t i = 0; i < nodes; ++i) entries.insert({i, i});
  while (entries.size() < nodes + 2 * links) {
    const std::uint32_t a = random.below(nodes), b = random.below(nodes);
    entries.insert({a, b}), entries.insert({b, a});
  }
  numbers degrees(nodes);
  for (const auto& entry : entries) ++degrees[entry.first];
  const numbers x = random.several(nodes * taken, 1), w = random.several(taken * made, 1);
  const numbers y = product(x, w, made);
  numbers result(y.size());
  std::string facts;
  for (const auto& [row, column] : entries) {
    const double share = 1 / std::sqrt(degrees[row] * degrees[column]);
    facts += std::to_string(row) + "\t" + std::to_string(column) + "\t" + digits(share) + "\n";
    for (std::size_t k = 0; k < made; ++k) result[row * made + k] += share * y[column * made + k];
  }
  for (double& each : result) each = std::max(each, 0.0);
  std::filesystem::create_directories(folder / "facts");
  return write(folder / "program.tl",
               "M[j,k] = X[j,c] W[c,k]\nY[i,k] = relu(A[i,j] M[j,k])\nexport Y\n") &&
         write(folder / "facts" / "A.tsv", facts) &&
         write(folder / "facts" / "inputs.json",
               "{\"X\": " + lists_of(x, taken) + ",\n\"W\": " + lists_of(w, made) + "}\n") &&
         write_expected(folder, result, "1e-12",
                        static_cast<std::int64_t>(2 * made * (entries.size() + nodes * taken)));
}

}  // namespace

bool write_layers(const std::filesystem::path& folder) {
  encoder_sizes few;
  few.tokens = 32;
  return write_encoder(folder / "encoder256", {}) && write_encoder(folder / "encoder32", few) &&
         write_graph_layer(folder / "gcn");
}

}  // namespace logic_benchmark
