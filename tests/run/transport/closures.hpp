// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <wf/run/transport/run_fixpoint.hpp>

// Transitive closures of relations, on processes and by plain search.
namespace closures {

using pair = std::array<std::uint32_t, 2>;
using relation = std::vector<pair>;  // ascending, each pair once

inline relation sorted(relation r) {
  std::sort(r.begin(), r.end());
  r.erase(std::unique(r.begin(), r.end()), r.end());
  return r;
}
// Sparse and dense ones, with cycles.
inline relation random_relation(std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::uint32_t nodes = 1 + std::uint32_t(random()) % 60;
  relation out;
  for (std::uint32_t k = std::uint32_t(random()) % (2 * nodes); k > 0; --k)
    out.push_back({std::uint32_t(random()) % nodes, std::uint32_t(random()) % nodes});
  return sorted(out);
}
// By a search from each element.
inline relation of(const relation& edges) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> next;
  for (const pair& e : edges) next[e[0]].push_back(e[1]);
  relation out;
  for (const auto& [from, unused] : next) {
    std::vector<std::uint32_t> open = next[from], seen;
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (std::find(seen.begin(), seen.end(), at) != seen.end()) continue;
      seen.push_back(at);
      out.push_back({from, at});
      if (const auto more = next.find(at); more != next.end())
        open.insert(open.end(), more->second.begin(), more->second.end());
    }
  }
  return sorted(out);
}

// A pair as a fact: with a key, since rules that join pairs need them at both of their elements.
using fact = std::array<std::uint32_t, 3>;
// The pairs of facts whose key is the second element.
inline relation pairs_of(const std::vector<fact>& facts) {
  relation out;
  for (const fact& f : facts)
    if (f[2] == 1) out.push_back({f[0], f[1]});
  return sorted(out);
}

// --8<-- [start:linear]
// Paths (a, b) and edges (b, c) make paths (a, c): the key of a path is b.
template <wf::transport Transport>
wf::result<wf::fixpoint_report<pair>> linear(Transport& carrier, const relation& edges,
                                             const wf::fixpoint_options& options) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> next;
  for (const pair& e : edges) next[e[0]].push_back(e[1]);
  relation given;  // each process gives some of them
  for (std::size_t i = carrier.rank(); i < edges.size(); i += carrier.ranks())
    given.push_back(edges[i]);
  return wf::run_fixpoint<pair>(
      carrier, {given.data(), given.size()}, [](const pair& p) { return p[1]; },
      [&](const pair& p, auto&& derive) {
        if (const auto more = next.find(p[1]); more != next.end())
          for (const std::uint32_t c : more->second) derive(pair{p[0], c});
      },
      edges.size(), options);
}
// --8<-- [end:linear]
// Paths (a, b) and (b, c) make paths (a, c): each path is at a and at b.
template <wf::transport Transport>
wf::result<wf::fixpoint_report<fact>> doubling(Transport& carrier, const relation& edges,
                                               const wf::fixpoint_options& options) {
  std::vector<fact> given;
  for (std::size_t i = carrier.rank(); i < edges.size(); i += carrier.ranks())
    for (const std::uint32_t key : {0U, 1U}) given.push_back({edges[i][0], edges[i][1], key});
  std::map<std::uint32_t, std::vector<std::uint32_t>> ends, begins;
  return wf::run_fixpoint<fact>(
      carrier, {given.data(), given.size()}, [](const fact& f) { return f[f[2]]; },
      [&](const fact& f, auto&& derive) {
        const auto add = [&](std::uint32_t a, std::uint32_t c) {
          derive(fact{a, c, 0});
          derive(fact{a, c, 1});
        };
        if (f[2] == 1) {
          begins[f[1]].push_back(f[0]);
          for (const std::uint32_t c : ends[f[1]]) add(f[0], c);
        } else {
          ends[f[0]].push_back(f[1]);
          for (const std::uint32_t a : begins[f[0]]) add(a, f[1]);
        }
      },
      edges.size() + 1'000'000, options);
}

}  // namespace closures
