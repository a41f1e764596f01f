// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <read_json.hpp>

namespace linalg_benchmark {

/// A product of matrices: factor i is extents[i] x extents[i + 1].
struct chain {
  std::string name;
  std::vector<std::int64_t> extents;
  double least_multiplications = 0;  ///< the proven minimum over all orders
};

/// Reads the chains of data/matrix_chains. Errors: `graph_syntax`, with position.
class chain_reader : wf_benchmark::json_reader {
 public:
  explicit chain_reader(wf::text_view source) : json_reader(source) {}

  wf::result<std::vector<chain>> read() {
    if (fine() && item(0).kind != kind::array) fail(0, "the chains are an array");
    if (fine()) each(0, [&](std::uint32_t at) { read_chain(at); });
    if (!fine()) return failure();
    return std::move(chains_);
  }

 private:
  void read_chain(std::uint32_t at) {
    chain made;
    const std::uint32_t name = member(at, "name", kind::string);
    const std::uint32_t extents = member(at, "dims", kind::array);
    if (!fine()) return;
    made.name = characters(name);
    each(extents, [&](std::uint32_t extent) {
      const double value = number(extent);
      if (!(value >= 1 && value <= 1e6)) fail(extent, "an extent is a number from 1 to 1,000,000");
      made.extents.push_back(fine() ? static_cast<std::int64_t>(value) : 1);
    });
    if (made.extents.size() < 3) return fail(extents, "a product has two factors or more");
    const std::uint32_t least = member(at, "dp_optimal_mults", kind::number);
    if (!fine()) return;
    made.least_multiplications = number(least);
    chains_.push_back(std::move(made));
  }
  double number(std::uint32_t at) {
    return item(at).kind == kind::number ? std::strtod(std::string(characters(at)).c_str(), nullptr)
                                         : 0;
  }

  std::vector<chain> chains_;
};

}  // namespace linalg_benchmark
