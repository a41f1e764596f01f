// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <wf/core/json/document.hpp>
#include <wf/logic/relation/database.hpp>

namespace logic_benchmark {

/// Adds the dense tensors of a JSON object of nested lists. False if the text is no JSON.
inline bool add_nested(wf::logic::database& to, const std::string& text) {
  const auto json = wf::parse_json({text.data(), text.size()});
  if (!json || (*json)[0].kind != wf::json_kind::object) return false;
  std::uint32_t key = json->first_of(0);
  for (std::uint32_t member = 0; member < (*json)[0].size; ++member) {
    const std::uint32_t root = json->value_of(key);
    std::vector<std::int64_t> extents;
    for (std::uint32_t item = root; (*json)[item].kind == wf::json_kind::array;
         item = json->first_of(item)) {
      std::int64_t count = 0;
      for (std::uint32_t e = json->first_of(item); e < (*json)[item].next; e = (*json)[e].next)
        ++count;
      extents.push_back(count);
    }
    std::vector<double> values;
    for (std::uint32_t item = root; item < (*json)[root].next; ++item)
      if ((*json)[item].kind == wf::json_kind::number)
        values.push_back(std::strtod(std::string(json->text_of(item)).c_str(), nullptr));
    to.add_dense(json->text_of(key), {extents.data(), extents.size()},
                 {values.data(), values.size()});
    key = (*json)[root].next;
  }
  return true;
}

}  // namespace logic_benchmark
