// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <regex>
#include <string>
#include <vector>

#include <linalg/problem.hpp>
#include <linalg/read_chains.hpp>
#include <linalg/sets.hpp>

namespace linalg_benchmark {

/// Y = A0 A1 A2 ...
inline problem problem_of(const chain& c) {
  problem out;
  out.name = c.name;
  std::string product;
  for (std::size_t i = 0; i + 1 < c.extents.size(); ++i) {
    const std::string name = "A" + std::to_string(i);
    out.inputs.push_back({name, c.extents[i], c.extents[i + 1], false, {}});
    out.text += "input " + name + " : f64[" + std::to_string(c.extents[i]) + ", " +
                std::to_string(c.extents[i + 1]) + "]\n";
    product += " " + name;
  }
  out.text += "Y =" + product + "\nexport Y\n";
  out.outputs = {"Y"};
  return out;
}

/// The chains of a file whose full names match.
inline wf::result<std::vector<chain>> chains_of_file(const std::string& path,
                                                     const std::string& match) {
  const std::string source = read_whole(path);
  auto chains = chain_reader({source.data(), source.size()}).read();
  if (!chains) return chains.error();
  const std::regex wanted(match);
  std::erase_if(*chains, [&](const chain& c) { return !std::regex_match(c.name, wanted); });
  return chains;
}

}  // namespace linalg_benchmark
