// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <files.hpp>

#include <wf/simulate/fault/parse_script.hpp>

namespace wf_test {

/// The folder of fault scripts; empty, with a message, if it is not there.
inline std::string fault_folder() {
  const char* data = std::getenv("WF_DATA_DIR");
  const std::string folder =
      std::string(data != nullptr ? data : "../shared/data") + "/simulation/faults";
  if (std::filesystem::exists(folder)) return folder;
  MESSAGE("skipped: no fault scripts; set WF_DATA_DIR to the data directory");
  return {};
}

/// The texts of all scripts of the folder.
inline std::vector<std::string> fault_scripts() {
  std::vector<std::string> out;
  const std::string folder = fault_folder();
  if (folder.empty()) return out;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/scripts"))
    out.push_back(wf_benchmark::read_whole(entry.path().string()));
  return out;
}

/// One script of the folder, by its name.
inline wf::fault::script fault_script(const std::string& name) {
  const std::string source =
      wf_benchmark::read_whole(fault_folder() + "/scripts/" + name + ".json");
  const auto read = wf::fault::parse_script(wf::text_view(source.data(), source.size()));
  REQUIRE_MESSAGE(read, name);
  return *read;
}

}  // namespace wf_test
