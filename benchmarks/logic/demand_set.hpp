// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wf/logic/demand/session.hpp>

#include <logic/engine.hpp>

namespace logic_benchmark {

/// Rules with their facts, and what is asked of them.
struct asked_rules {
  std::string name, text;
  wf::logic::database facts;
  std::vector<std::string> queries;
  bool in_full = true;  ///< a full evaluation ends in reasonable time
};

/// The same generations of a complete binary tree of so many nodes.
inline asked_rules tree_rules(int nodes, std::vector<std::string> queries, bool in_full) {
  wf::logic::relation par(2, false);
  for (int i = 1; i < nodes; ++i) {
    const wf::logic::position at[] = {i, (i - 1) / 2};
    par.append(at);
  }
  asked_rules out{"tree" + std::to_string(nodes),
                  "sg(x,y) = par(x,p) par(y,p)\nsg(x,y) = par(x,a) sg(a,b) par(y,b)\n",
                  {},
                  std::move(queries),
                  in_full};
  out.facts.add("par", par);
  return out;
}
/// A program of the data; columns of symbols are listed by their numbers.
inline asked_rules rules_of(const std::filesystem::path& folder, const std::string& name,
                            const std::string& input, std::uint32_t rank,
                            std::vector<std::string> queries) {
  asked_rules out{name, read_source(folder).text, {}, std::move(queries), true};
  if (auto facts = read_facts(folder, input, rank, false))
    out.facts.add(input, static_cast<wf::logic::relation&&>(*facts));
  return out;
}

/// The first two columns of the only relation have the symbols of a file: a number and a symbol in
/// each line.
inline void add_symbols(asked_rules& to, const std::filesystem::path& file) {
  to.facts.domains.push_back(wf::logic::symbol_domain("node"));
  std::istringstream lines(wf_benchmark::read_whole(file.string()));
  for (std::string line; std::getline(lines, line);)
    to.facts.domains[0].add(std::string_view(line).substr(line.find('\t') + 1));
  if (!to.facts.relations.empty()) to.facts.relations[0].domains = {0, 0, UINT32_MAX};
}

/// Evaluates a program in full and finds the entries that match a query.
inline bool find_in_full(const wf::logic::stratified_program& program, const asked_rules& rules,
                         const std::string& text) {
  const auto query = wf::logic::read_query(text, program.program);
  auto solved = wf::logic::evaluate(program, rules.facts);
  if (!query || !solved) return false;
  auto* const tensor = solved->find(program.program.tensors[query->tensor].name.view());
  if (tensor == nullptr) return false;
  const wf::logic::detail::query_pattern pattern(*query, tensor->domains, solved->domains);
  return wf::logic::detail::matching_entries(tensor->store(), pattern).rank == query->terms.size();
}

/// Measures each query in a new session, and the evaluation of the whole program with a search for
/// the same entries: both from the text of the query to its sorted entries. Prints a line for each
/// query; false after an error.
inline bool run_asked(const asked_rules& rules, int rounds) {
  const auto program = compiled({rules.text, {}});
  if (!program || rules.facts.relations.empty()) return false;
  bool fine = true;
  for (const std::string& query : rules.queries) {
    std::size_t rows = 0;
    std::string reason;
    const double asked = milliseconds(rounds, [&] {
      wf::logic::query_session session(*program, rules.facts);
      const auto found = session.ask(query);
      fine = fine && found.has_value();
      if (!found) return;
      rows = (*found)->entries.rows;
      reason = std::string((*found)->reason);
    });
    double full = 0;
    if (rules.in_full)
      full = milliseconds(rounds, [&] { fine = fine && find_in_full(*program, rules, query); });
    std::printf("RESULT suite=logic set=demand program=%s query=%s rows=%zu ms=%.3f",
                rules.name.c_str(), query.c_str(), rows, asked);
    if (rules.in_full) std::printf(" full_ms=%.3f ratio_full=%.3f", full, asked / full);
    std::printf("\nREASON %s\n", reason.c_str());
  }
  return fine;
}

/// Queries of the data in this folder and of generated trees; the exit code.
inline int run_demand(int rounds, const std::filesystem::path& data) {
  std::vector<asked_rules> all;
  all.push_back(
      tree_rules(32'767, {"sg(5,y)", "sg(1000,y)", "sg(x,20000)", "sg(20000,30000)"}, false));
  all.push_back(tree_rules(1'023, {"sg(5,y)", "sg(1000,y)", "sg(x,y)"}, true));
  for (const char* name : {"tc-rand2k-1", "tc-rand2k-8", "tc-grid20"})
    all.push_back(rules_of(data / "graphs" / name, name, "edge", 2,
                           {"tc(7,y)", "tc(x,7)", "tc(7,8)", "tc(x,x)"}));
  all.push_back(
      rules_of(data / "graphs" / "sg-rand1k-3", "sg-rand1k-3", "par", 2, {"sg(7,y)", "sg(x,7)"}));
  all.push_back(rules_of(data / "souffle" / "example-trains", "trains", "AdjacentStops", 3,
                         {"ReachableStops(x,y)", "Connected('Central',y)"}));
  add_symbols(all.back(), data / "souffle" / "example-trains" / "domains" / "node.tsv");
  bool fine = true;
  for (const asked_rules& rules : all)
    if (!run_asked(rules, rounds)) {
      std::printf("refused: %s\n", rules.name.c_str());
      fine = false;
    }
  return fine ? 0 : 1;
}

}  // namespace logic_benchmark
