// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wf/core/diagnosis/result.hpp>
#include <wf/map/array/pe_array.hpp>
#include <wf/map/array/workload.hpp>

namespace mapping_benchmark {

/// The array of the published mapper's runs: 8 x 8 cores of 1,024 MAC per cycle and 1 MiB, links of
/// 24 bytes per cycle, 64 bytes of DRAM per cycle in total. The rate of elementwise operations (64
/// per core and cycle) and the latency of a hop (1 cycle) are not published; they are assumptions.
inline wf::pe_array published_mesh() {
  wf::pe_array a;
  a.rows = a.columns = 8;
  a.macs_per_cycle = 1024;
  a.vector_ops_per_cycle = 64;
  a.memory_bytes = 1 << 20;
  a.link_bytes_per_cycle = 24;
  a.hop_latency = 1;
  a.dram_bytes_per_cycle = 64;
  return a;
}

/// Reads a network as comma-separated values with a header line and one line per operator: id,
/// name, kind, input channels, height and width, output channels, height and width, weights,
/// operations per sample, input channels from outside, the operators whose results it reads, and
/// those that replace weights. Elements are one byte.
/// reads, and those that take the place of weights. One byte an element.
class network_reader {
 public:
  network_reader(wf::text_view source, std::string name, std::int64_t batch)
      : source_(source.data(), source.size()) {
    out_.name = wf::text(wf::text_view(name.data(), name.size()));
    out_.batch = batch;
  }

  wf::result<wf::workload> read() {
    if (!next_line() || cells_.size() != columns || text(0) != "id")
      return fail(0, "a line of 14 column names is wanted");
    while (next_line())
      if (!row()) return error_;
    for (std::size_t i = 0; i < is_read_.size(); ++i) out_.operators[i].is_output = !is_read_[i];
    if (const auto valid = wf::validate(out_); !valid) return fail(0, valid.error().message.view());
    return std::move(out_);
  }

 private:
  static constexpr std::size_t columns = 14;
  static constexpr std::int64_t most = std::int64_t{1} << 40;

  wf::error fail(std::size_t cell, wf::text_view message) {
    const std::size_t at = cell < cells_.size() ? cells_[cell].first : first_;
    error_ = wf::make_error(wf::errc::graph_syntax, out_.name.view(), message,
                            wf::position_at(wf::text_view(source_.data(), source_.size()), at));
    return error_;
  }

  /// Splits the next non-empty line into cells.
  bool next_line() {
    for (cells_.clear(); cells_.empty() && at_ < source_.size(); ++at_) {
      first_ = at_;
      std::size_t begin = at_;
      for (; at_ < source_.size() && source_[at_] != '\n'; ++at_)
        if (source_[at_] == ',') {
          cells_.emplace_back(begin, at_ - begin);
          begin = at_ + 1;
        }
      std::size_t end = at_;
      if (end > begin && source_[end - 1] == '\r') --end;
      if (end != first_) cells_.emplace_back(begin, end - begin);
    }
    return !cells_.empty();
  }
  std::string_view text(std::size_t cell) const {
    return source_.substr(cells_[cell].first, cells_[cell].second);
  }
  bool number(std::string_view digits, std::int64_t& out) {
    out = 0;
    if (digits.empty()) return false;
    for (char c : digits) {
      if (c < '0' || c > '9') return false;
      out = out * 10 + (c - '0');
      if (out > most) return false;
    }
    return true;
  }

  bool row() {
    if (cells_.size() != columns) return fail(0, "14 cells are wanted"), false;
    std::array<std::int64_t, columns> n{};
    for (std::size_t k = 0; k < 12; ++k) {
      if (k == 1 || k == 2 || (k == 11 && text(k).empty())) continue;
      if (!number(text(k), n[k])) return fail(k, "a count up to 2^40 is wanted"), false;
    }
    if (n[0] != static_cast<std::int64_t>(out_.operators.size()))
      return fail(0, "the operators are not numbered from 0 on"), false;
    const std::string_view kind = text(2);
    const bool whole = kind == "conv" || kind == "fc";
    const bool multiplies = whole || kind == "groupconv";
    if (!multiplies && kind != "pool" && kind != "eltwise" && kind != "pointwise" &&
        kind != "transpose")
      return fail(2, "an unknown kind of operator"), false;
    wf::workload_operator o;
    o.label = wf::text(wf::text_view(text(1).data(), text(1).size()));
    (multiplies ? o.macs : o.elementwise) = n[10];
    o.weight_bytes = text(13).empty() ? n[9] : 0;  // otherwise another operator's result
    o.first_axis = n[6];
    o.input_split = whole ? wf::operand_split::by_second : wf::operand_split::by_both;
    std::int64_t input = 0;
    if (!product(n[7], n[8], o.second_axis) || !product(n[6], o.second_axis, o.output_bytes) ||
        !product(n[4], n[5], input) || !product(n[11], input, o.input_bytes))
      return fail(3, "the shape has above 2^40 elements"), false;
    if (o.first_axis < 1 || o.second_axis < 1)
      return fail(6, "a result needs at least one element"), false;
    const wf::operand_split split = o.input_split;
    const auto id = out_.add(std::move(o));
    is_read_.push_back(false);
    return operands(12, id, split) && operands(13, id, wf::operand_split::by_first);
  }
  static bool product(std::int64_t a, std::int64_t b, std::int64_t& out) {
    return wf::checked_multiply(a, b, out) && out <= most;
  }
  bool operands(std::size_t cell, std::uint32_t id, wf::operand_split split) {
    std::string_view rest = text(cell);
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(word.size() < rest.size() ? word.size() + 1 : rest.size());
      std::int64_t from = 0;
      if (!number(word, from) || from >= id)
        return fail(cell, "an earlier operator is wanted"), false;
      const auto producer = static_cast<std::uint32_t>(from);
      out_.connect(producer, id, out_.operators[producer].output_bytes, split);
      is_read_[producer] = true;
    }
    return true;
  }

  std::string_view source_;
  wf::workload out_;
  wf::error error_;
  std::vector<bool> is_read_;
  std::vector<std::pair<std::size_t, std::size_t>> cells_;  // offset and size of each
  std::size_t at_ = 0;
  std::size_t first_ = 0;
};

/// The workload of a network. An operator reads the whole results of its predecessors and its input
/// channels from outside; weights are constant unless a predecessor computes them. The first axis
/// of parallelism is the output channels, the second the output pixels. Results without a reader
/// are outputs. Errors: `graph_syntax` with the position.
inline wf::result<wf::workload> read_network(wf::text_view source, std::string name,
                                             std::int64_t batch) {
  return network_reader(source, std::move(name), batch).read();
}

}  // namespace mapping_benchmark
