// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <wf/simulate/account/program.hpp>
#include <wf/simulate/program/builder.hpp>

#include "../../simulate/account/random_program.hpp"

// Accounts of runs for the tests of their pictures.
namespace accounts {

/// A random program's run; every name needs escaping.
inline wf::run_account random_account(std::uint32_t seed) {
  const wf::sim_program p = wf_test::random_program(seed);
  wf::run_account a = wf::account_of(p, *wf::simulate(p),
                                     [](std::uint32_t t) { return wf::text() << "a<&>\" " << t; });
  a.name = "run <1> & \"2\"";
  a.unit = "ns <&>";
  return a;
}

/// A run of many tasks on some hosts with a link for each: every task sends to the next host.
inline wf::run_account large_account(std::uint32_t tasks, std::uint32_t hosts) {
  wf::sim_program_builder b;
  for (std::uint32_t h = 0; h < hosts; ++h) {
    b.platform.slots.push_back(2);
    b.platform.links.push_back({3, 1, 0});
  }
  for (std::uint32_t t = 0; t < tasks / 2; ++t) {
    const auto run = b.add(wf::sim_resource::slots, t % hosts, 5 + t % 11);
    b.connect(run, b.add(wf::sim_resource::link, t % hosts, 9 + t % 7));
    if (t >= hosts) b.connect(run - 2 * hosts + 1, run);
  }
  const wf::sim_program p = b.take();
  return wf::account_of(p, *wf::simulate(p));
}

/// The values of an attribute in the elements of a class, in the order of the picture.
inline std::vector<std::int64_t> values(wf::text_view svg, const std::string& element,
                                        const std::string& attribute) {
  const std::string all(svg);
  std::vector<std::int64_t> out;
  for (auto at = all.find(element); at != std::string::npos; at = all.find(element, at + 1)) {
    const auto value = all.find(' ' + attribute + "=\"", at) + attribute.size() + 3;
    out.push_back(std::strtoll(all.c_str() + value, nullptr, 10));
  }
  return out;
}

/// True if elements are nested, attributes quoted, and all else escaped.
inline bool well_formed(wf::text_view markup) {
  std::vector<std::string> open;
  const std::string all(markup);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == '&') {
      const auto end = all.find(';', i);
      if (end == std::string::npos || end - i > 6) return false;
    }
    if (all[i] == '>') return false;
    if (all[i] != '<') continue;
    std::size_t end = i + 1;
    for (bool quoted = false; end < all.size() && (quoted || all[end] != '>'); ++end) {
      if (all[end] == '"') quoted = !quoted;
      if (all[end] == '<') return false;
    }
    const std::string tag = all.substr(i + 1, end - i - 1);
    i = end;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

}  // namespace accounts
