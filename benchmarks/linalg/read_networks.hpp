// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <wf/contraction/network.hpp>

#include <read_json.hpp>

namespace linalg_benchmark {

/// A contraction as an equation and shapes, with the fewest flops of other planners.
struct einsum_problem {
  std::string equation;
  std::vector<wf::shape> shapes;
  double known_flops = 0;
};

/// Reads the expressions of data/opt_einsum_exprs, and networks of data/cotengra_benchmarks.
class network_reader : wf_benchmark::json_reader {
 public:
  explicit network_reader(wf::text_view source) : json_reader(source) {}

  /// An array of expressions. Errors: `graph_syntax`, with position.
  wf::result<std::vector<einsum_problem>> read_expressions() {
    std::vector<einsum_problem> out;
    if (fine() && item(0).kind != kind::array) fail(0, "the expressions are an array");
    if (fine()) each(0, [&](std::uint32_t at) { out.push_back(read_expression(at)); });
    if (!fine()) return failure();
    return out;
  }
  /// One network: inputs, output, and the extents of the indices. Errors: `graph_syntax`, with
  /// position.
  wf::result<wf::tensor_network> read_network() {
    wf::tensor_network out;
    std::map<std::string, std::uint32_t, std::less<>> numbers;
    const std::uint32_t extents = fine() ? member(0, "size_dict", kind::object) : 0;
    if (!fine()) return failure();
    each_member(extents, [&](std::uint32_t key, std::uint32_t value) {
      numbers.emplace(characters(key), static_cast<std::uint32_t>(out.extents.size()));
      out.extents.push_back(number(value));
    });
    const auto read_indices = [&](std::uint32_t list) {
      wf::table<std::uint32_t> of;
      if (item(list).kind != kind::array) fail(list, "indices are an array");
      each(list, [&](std::uint32_t index) {
        const auto found = numbers.find(characters(index));
        if (found == numbers.end()) return fail(index, "the index has no extent");
        of.push_back(found->second);
      });
      return of;
    };
    const std::uint32_t inputs = member(0, "inputs", kind::array);
    const std::uint32_t output = member(0, "output", kind::array);
    if (!fine()) return failure();
    each(inputs, [&](std::uint32_t list) { out.add_operand(read_indices(list)); });
    out.output = read_indices(output);
    if (!fine()) return failure();
    return out;
  }

 private:
  double number(std::uint32_t at) {
    const double value = item(at).kind == kind::number
                             ? std::strtod(std::string(characters(at)).c_str(), nullptr)
                             : 0;
    if (!(value >= 1)) fail(at, "a number of at least 1 is wanted");
    return value;
  }
  einsum_problem read_expression(std::uint32_t at) {
    einsum_problem out;
    const std::uint32_t equation = member(at, "einsum", kind::string);
    const std::uint32_t shapes = member(at, "shapes", kind::array);
    const std::uint32_t flops = member(at, "best_flops", kind::number);
    if (!fine()) return out;
    out.equation = characters(equation);
    out.known_flops = number(flops);
    each(shapes, [&](std::uint32_t shape) {
      wf::shape s = wf::shape::of();
      each(shape, [&](std::uint32_t extent) {
        if (!s.push_back(wf::extent(static_cast<std::int64_t>(number(extent)))))
          fail(extent, "at most 8 dimensions");
      });
      out.shapes.push_back(s);
    });
    return out;
  }
};

}  // namespace linalg_benchmark
