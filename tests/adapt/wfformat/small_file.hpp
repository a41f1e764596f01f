// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace wf_test {

// A small file with each field that WfFormat has.
inline constexpr const char* small_file = R"({
  "name": "diamond",
  "description": "two ways from a to d",
  "createdAt": "2024-01-02T03:04:05Z",
  "schemaVersion": "1.5",
  "author": {"name": "A. N. Other", "email": "a@example.org", "institution": "I", "country": "C"},
  "runtimeSystem": {"name": "Engine", "version": "1", "url": "https://example.org"},
  "workflow": {
    "specification": {
      "tasks": [
        {"name": "a", "id": "a_ID01", "parents": [], "children": ["b", "c"],
         "inputFiles": ["in/x.dat"], "outputFiles": ["p", "q"]},
        {"name": "b", "id": "b", "parents": ["a_ID01"], "children": ["d"],
         "inputFiles": ["p"], "outputFiles": ["r"]},
        {"name": "c", "id": "c", "parents": ["a_ID01"], "children": ["d"],
         "inputFiles": ["q"], "outputFiles": ["s"]},
        {"name": "d", "id": "d", "parents": ["b", "c"], "children": [],
         "inputFiles": ["r", "s"], "outputFiles": ["out:1"]}
      ],
      "files": [
        {"id": "in/x.dat", "sizeInBytes": 1000}, {"id": "p", "sizeInBytes": 200},
        {"id": "q", "sizeInBytes": 0}, {"id": "r", "sizeInBytes": 300},
        {"id": "s", "sizeInBytes": 40}, {"id": "out:1", "sizeInBytes": 5}
      ]
    },
    "execution": {
      "makespanInSeconds": 12.50,
      "executedAt": "20240102T030405+0000",
      "tasks": [
        {"id": "a_ID01", "runtimeInSeconds": 1.5, "executedAt": "20240102T030405+0000",
         "command": {"program": "/bin/a", "arguments": ["-v", "in/x.dat"]},
         "coreCount": 1, "avgCPU": 99.5, "readBytes": 1000, "writtenBytes": 200,
         "memoryInBytes": 4096, "energyInKWh": 0.002, "avgPowerInW": 11.25, "priority": 3,
         "machines": ["m1"]},
        {"id": "b", "runtimeInSeconds": 2, "machines": ["m1"]},
        {"id": "c", "runtimeInSeconds": 4e0, "machines": ["m2"]},
        {"id": "d", "runtimeInSeconds": 0.25, "machines": ["m1"]}
      ],
      "machines": [
        {"nodeName": "m1", "system": "linux", "architecture": "x86_64", "release": "5",
         "cpu": {"coreCount": 2, "speedInMHz": 2400, "vendor": "V"}, "memoryInBytes": 8192},
        {"nodeName": "m2"}
      ]
    }
  }
})";

// The small file with the first `old` behind `after` replaced.
inline std::string small_with(const std::string& old, const std::string& replacement,
                              const std::string& after = "") {
  std::string out = small_file;
  const std::size_t from = after.empty() ? 0 : out.find(after);
  const std::size_t at = from == std::string::npos ? from : out.find(old, from);
  if (at == std::string::npos) return "the small file does not have it: " + old;
  return out.replace(at, old.size(), replacement);
}

}  // namespace wf_test
