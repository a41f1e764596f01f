// SPDX-License-Identifier: BSL-1.0
#pragma once

// Random programs with their facts as a database, random queries, and the entries that match one.

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <wf/logic/demand/query.hpp>
#include <wf/logic/evaluate/evaluate.hpp>

#include <logic/random_facts.hpp>

namespace wf_test {

// A program that has been read and ordered, with its inputs; some seeds have facts of tensors that
// have rules, too.
struct asked_program {
  random_program source;
  std::string text;
  wf::logic::stratified_program program;
  wf::logic::database inputs;
  wf::table<wf::text_view> names;
};

inline asked_program make_asked_program(std::uint64_t seed) {
  asked_program out;
  out.source = make_random_program(seed);
  out.text = text_of(out.source);
  std::mt19937_64 random(seed + 77);
  for (std::size_t t = 0; t < out.source.tensors.size(); ++t) {
    const random_tensor& each = out.source.tensors[t];
    entries facts = out.source.facts[t];
    if (each.layer > 0 && (each.kind == sign::mean || random() % 4 != 0)) continue;
    for (int i = 0; each.layer > 0 && i < 2; ++i) {
      std::vector<int> at;
      for (int c = 0; c < each.rank; ++c) at.push_back(static_cast<int>(random() % 4));
      facts[at] = each.kind == sign::boolean ? 1 : 1 + static_cast<int>(random() % 5);
    }
    out.inputs.add(each.name, relation_of(each, facts));
  }
  for (const auto& r : out.inputs.relations) out.names.push_back(r.name.view());
  wf::table<wf::text_view> undefined;
  for (const auto& t : out.source.tensors)
    if (t.layer == 0) undefined.push_back(t.name);
  const auto program = wf::logic::read_program(out.text, undefined);
  REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())), "\n", out.text);
  const auto strata = wf::logic::stratify(*program, out.text);
  REQUIRE(strata);
  out.program = *strata;
  return out;
}

// The text of a query of any tensor of a program: positions, and variables that may repeat.
inline std::string random_query(const asked_program& p, std::mt19937_64& random) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<const random_tensor*> known;
  for (const auto& t : p.source.tensors)
    if (const auto found = p.program.program.find(t.name);
        found != wf::logic::none && p.program.program.tensors[found].ranked)
      for (int i = 0; i <= 2 * t.layer; ++i) known.push_back(&t);
  const random_tensor& t = *known[static_cast<std::size_t>(pick(static_cast<int>(known.size())))];
  const bool boolean = t.kind == sign::boolean;
  std::string out = t.name;
  if (t.rank == 0) return boolean ? out + "()" : out;
  for (int c = 0; c < t.rank; ++c) {
    out += c == 0 ? boolean ? "(" : "[" : ",";
    const int roll = pick(10);
    out += roll < 5 ? std::to_string(pick(5)) : roll < 6 ? "_" : std::string(1, "abc"[pick(3)]);
  }
  return out + (boolean ? ")" : "]");
}

// The entries of a relation that match a query, by position; symbols have their numbers.
inline entries matching(const wf::logic::relation& all, const wf::logic::query& q) {
  entries out;
  for (std::size_t row = 0; row < all.rows; ++row) {
    std::map<std::uint32_t, int> bound;
    std::vector<int> at;
    bool matches = true;
    for (std::uint32_t c = 0; c < all.rank; ++c) {
      const int position = all.columns[c][row];
      at.push_back(position);
      const wf::logic::term& t = q.terms[c];
      if (t.kind == wf::logic::term_kind::variable)
        matches = matches && bound.emplace(t.variable, position).first->second == position;
      else
        matches = matches && t.shift == position;
    }
    if (matches) out[at] = all.valued ? all.values[row] : 1;
  }
  return out;
}
inline entries all_of(const wf::logic::relation& r) {
  wf::logic::query all;
  for (std::uint32_t c = 0; c < r.rank; ++c) {
    all.terms.push_back({});
    all.terms.back().variable = c;
  }
  return matching(r, all);
}

// All tensors of a program, evaluated in full; nothing if a recursion does not end.
inline std::optional<std::map<std::string, wf::logic::relation>> evaluated_in_full(
    const asked_program& p) {
  wf::logic::stratified_program all = p.program;
  for (auto& t : all.program.tensors) t.exported = !t.temporary && t.ranked;
  wf::logic::evaluation_options options;
  options.max_rounds = 300;
  auto solved = wf::logic::evaluate(all, p.inputs, options);
  if (!solved) return std::nullopt;
  std::map<std::string, wf::logic::relation> out;
  for (auto& t : solved->tensors) out[std::string(t.name)] = t.entries();
  return out;
}

}  // namespace wf_test
