// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include <wf/adapt/wfformat/reader.hpp>
#include <wf/adapt/wfformat/writer.hpp>

namespace wf::wfformat {

/// Reads a file in WfFormat 1.5. Errors: those of `parse`, with the path of the file; without a
/// position if it cannot be read.
inline result<instance> load(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return make_error(errc::bad_workflow_file, path, "the file cannot be read");
  return parse(all, path);
}

/// Writes a file in WfFormat 1.5, indented by so many spaces a level; an existing one is replaced.
/// Errors: those of `validate`, before anything is written; `bad_workflow_file` if the file cannot
/// be written.
inline result<nothing> save(const instance& all, const std::string& path,
                            std::uint32_t indent = 2) {
  const auto json = to_json(all, indent);
  if (!json) return json.error();
  std::ofstream stream(path, std::ios::binary);
  stream << json->view();
  stream.close();
  if (!stream) return make_error(errc::bad_workflow_file, path, "the file cannot be written");
  return nothing{};
}

}  // namespace wf::wfformat
