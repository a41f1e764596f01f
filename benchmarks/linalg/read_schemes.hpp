// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <wf/run/kernels/bilinear.hpp>

#include <read_json.hpp>

namespace linalg_benchmark {

/// Reads a scheme of data/fmm_schemes/reduced_ZT and expands its sums, which may use earlier sums.
/// The rows of its results are those of the transposed result.
class scheme_reader : wf_benchmark::json_reader {
 public:
  explicit scheme_reader(wf::text_view source) : json_reader(source) {}

  /// Errors: `graph_syntax`, with position. The scheme is not verified.
  wf::result<wf::compute::bilinear_scheme> read() {
    wf::compute::bilinear_scheme out;
    const std::uint32_t sizes = fine() ? member(0, "n", kind::array) : 0;
    std::vector<std::uint32_t> extents;
    if (fine()) each(sizes, [&](std::uint32_t at) { extents.push_back(whole(at, 1, 16)); });
    if (fine() && extents.size() != 3) fail(sizes, "a format has three extents");
    const std::uint32_t rank = fine() ? member(0, "m", kind::number) : 0;
    if (!fine()) return failure();
    out.rows = extents[0], out.depth = extents[1], out.columns = extents[2];
    out.rank = whole(rank, 1, 4096);
    const auto left = read_sums("u", out.left_blocks(), out.rank);
    const auto right = read_sums("v", out.right_blocks(), out.rank);
    const auto result = read_sums("w", out.rank, out.result_blocks());
    if (!fine()) return failure();
    for (const sum& s : left) append(out.left, s);
    for (const sum& s : right) append(out.right, s);
    for (std::uint32_t r = 0; r < out.rank; ++r)
      for (std::uint32_t i = 0; i < out.rows; ++i)
        for (std::uint32_t k = 0; k < out.columns; ++k)
          out.result.push_back(static_cast<std::int8_t>(result[k * out.rows + i][r]));
    return out;
  }

 private:
  using sum = std::vector<int>;

  static void append(wf::table<std::int8_t>& to, const sum& s) {
    for (const int x : s) to.push_back(static_cast<std::int8_t>(x));
  }
  std::uint32_t whole(std::uint32_t at, double least, double most) {
    const double value = number(at);
    if (value >= least && value <= most) return static_cast<std::uint32_t>(value);
    return fail(at, "the number is out of range"), 1;
  }
  double number(std::uint32_t at) {
    return item(at).kind == kind::number ? std::strtod(std::string(characters(at)).c_str(), nullptr)
                                         : -1e9;
  }
  /// The sums named "u" (or "v", "w") over `inputs` values and the intermediate sums of "u_fresh".
  std::vector<sum> read_sums(const std::string& name, std::uint32_t inputs, std::uint32_t count) {
    std::vector<sum> known(inputs, sum(inputs, 0)), out;
    for (std::uint32_t i = 0; i < inputs; ++i) known[i][i] = 1;
    const std::string fresh = name + "_fresh";
    const std::uint32_t made = fine() ? member(0, fresh.c_str(), kind::array) : 0;
    if (fine()) each(made, [&](std::uint32_t at) { known.push_back(read_sum(at, known, inputs)); });
    const std::uint32_t wanted = fine() ? member(0, name.c_str(), kind::array) : 0;
    if (fine()) each(wanted, [&](std::uint32_t at) { out.push_back(read_sum(at, known, inputs)); });
    if (fine() && out.size() != count) fail(wanted, "there are too few or too many sums");
    return out;
  }
  sum read_sum(std::uint32_t at, const std::vector<sum>& known, std::uint32_t inputs) {
    sum out(inputs, 0);
    if (item(at).kind != kind::array) return fail(at, "a sum is an array"), out;
    each(at, [&](std::uint32_t term) {
      const std::uint32_t index = member(term, "index", kind::number);
      const std::uint32_t value = fine() ? member(term, "value", kind::number) : 0;
      if (!fine()) return;
      const std::uint32_t from = whole(index, 0, static_cast<double>(known.size()) - 1);
      for (std::uint32_t i = 0; fine() && i < inputs; ++i)
        out[i] += static_cast<int>(number(value)) * known[from][i];
    });
    return out;
  }
};

}  // namespace linalg_benchmark
