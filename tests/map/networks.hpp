// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <wf/map/pe_array.hpp>
#include <wf/map/workload.hpp>

namespace wf_test {

/// The array of the published mapper: 8 x 8 cores of 1,024 MAC per cycle and 1 MiB.
inline wf::pe_array mesh_8x8() {
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

inline std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> fields(1);
  for (char c : line) {
    if (c == separator)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

/// Reads a table of operators: id, name, kind, input and output shape, weight elements, operations,
/// channels from outside, predecessors, predecessors that take the place of weights. One byte an
/// element. Nothing if there is no such file under WF_DATA_DIR (default ../shared/data).
inline std::optional<wf::workload> read_network(const std::string& name, std::int64_t batch) {
  const char* directory = std::getenv("WF_DATA_DIR");
  std::ifstream file(std::string(directory != nullptr ? directory : "../shared/data") +
                     "/set_networks/" + name + ".csv");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  wf::workload w;
  w.name = wf::text(name);
  w.batch = batch;
  std::vector<bool> is_read;
  while (std::getline(file, line)) {
    const auto field = split(line, ',');
    if (field.size() < 14) return std::nullopt;
    const auto number = [&](std::size_t i) {
      return field[i].empty() ? std::int64_t{0} : std::int64_t{std::stoll(field[i])};
    };
    const bool whole_input = field[2] == "conv" || field[2] == "fc";
    const bool multiplies = whole_input || field[2] == "groupconv";
    wf::workload_operator o;
    o.label = wf::text(field[1]);
    (multiplies ? o.macs : o.elementwise) = number(10);
    o.weight_bytes = number(9);
    o.output_bytes = number(6) * number(7) * number(8);
    o.first_axis = number(6);
    o.second_axis = number(7) * number(8);
    o.input_split = whole_input ? wf::operand_split::by_second : wf::operand_split::by_both;
    if (field[12].empty()) o.input_bytes = number(3) * number(4) * number(5);
    const wf::operand_split input = o.input_split;
    const auto id = w.add(o);
    is_read.push_back(false);
    for (const std::size_t column : {std::size_t{12}, std::size_t{13}})
      for (const auto& from : split(field[column], ' ')) {
        if (from.empty()) continue;
        const auto producer = static_cast<std::uint32_t>(std::stoul(from));
        w.connect(producer, id, w.operators[producer].output_bytes,
                  column == 12 ? input : wf::operand_split::by_first);
        is_read[producer] = true;
      }
  }
  for (std::size_t i = 0; i < is_read.size(); ++i) w.operators[i].is_output = !is_read[i];
  return w;
}

}  // namespace wf_test
