// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <doctest/doctest.h>

#include <wf/map/array/pe_array.hpp>
#include <wf/map/array/workload.hpp>

#include <mapping/read_network.hpp>

namespace wf_test {

/// The array of the published mapper's runs.
inline wf::pe_array mesh_8x8() { return mapping_benchmark::published_mesh(); }

/// Reads a network's table of operators; empty, with a message, if the file is not in WF_DATA_DIR
/// (default ../shared/data).
inline std::optional<wf::workload> read_network(const std::string& name, std::int64_t batch) {
  const char* directory = std::getenv("WF_DATA_DIR");
  std::ifstream file(std::string(directory != nullptr ? directory : "../shared/data") +
                         "/set_networks/" + name + ".csv",
                     std::ios::binary);
  if (!file) {
    MESSAGE("skipped: no network tables; set WF_DATA_DIR to the data directory");
    return std::nullopt;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto read =
      mapping_benchmark::read_network(wf::text_view(text.data(), text.size()), name, batch);
  REQUIRE(read);
  return *read;
}

}  // namespace wf_test
