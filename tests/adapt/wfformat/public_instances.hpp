// SPDX-License-Identifier: BSL-1.0
#pragma once

// The recorded executions in WF_DATA_DIR (default ../shared/data): see simulation/wfinstances
// there.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include <csv.hpp>

namespace wf_test {

inline std::filesystem::path recorded_folder() {
  const char* const data = std::getenv("WF_DATA_DIR");
  return std::filesystem::path(data != nullptr ? data : "../shared/data") / "simulation" /
         "wfinstances";
}

inline std::string characters_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder that is gone afterwards.
class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "wf_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The rows of a CSV file without quotes, by the column "instance", each by the names of the
// columns.
using csv_rows = std::map<std::string, std::map<std::string, std::string>>;
inline csv_rows read_csv(const std::filesystem::path& path) {
  csv_rows out;
  for (const auto& row : wf_benchmark::read_rows(path.string())) out[row.at("instance")] = row;
  return out;
}

// The files of the archive, by their names without ".json"; none, with a message, without data.
inline std::map<std::string, std::string> recorded_instances() {
  std::map<std::string, std::string> out;
  const auto archive = recorded_folder() / "instances.tar.xz";
  if (!std::filesystem::exists(archive)) {
    MESSAGE("skipped: there is no WF_DATA_DIR/simulation/wfinstances");
    return out;
  }
  const temporary_folder folder;
  const std::string command =
      "tar xJf '" + archive.string() + "' -C '" + folder.path().string() + "'";
  REQUIRE(std::system(command.c_str()) == 0);
  for (const auto& e : std::filesystem::recursive_directory_iterator(folder.path()))
    if (e.path().extension() == ".json") out[e.path().stem().string()] = characters_of(e.path());
  return out;
}

}  // namespace wf_test
