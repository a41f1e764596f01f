// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <wf/logic/proof/session.hpp>

#include <cpu_time.hpp>
#include <logic/engine.hpp>
#include <logic/proof_checker.hpp>

namespace logic_benchmark {

inline wf_proof::places places_of(const wf::logic::relation& r, std::size_t row) {
  wf_proof::places out;
  for (const auto& column : r.columns) out.push_back(column[row]);
  return out;
}
/// The text of a fact: "tc(3,5)".
inline std::string fact_text(const std::string& tensor, bool boolean, const wf_proof::places& at) {
  std::string out = tensor + (boolean ? "(" : "[");
  for (std::size_t c = 0; c < at.size(); ++c) out += (c == 0 ? "" : ",") + std::to_string(at[c]);
  return out + (boolean ? ")" : "]");
}

/// Proves facts of a program, at most so many of each result, evenly spread, and checks every
/// proof. Prints a line with the milliseconds of an evaluation, of the first proof in a session,
/// which finds the heights of all facts, and of a further one. False after an error.
inline bool run_proved(int rounds, const std::filesystem::path& folder) {
  constexpr std::size_t most_checked = 2000;
  const evaluated_program problem(folder);
  auto solved = wf::logic::evaluate(problem.program(), problem.inputs());
  if (!problem.failure().empty() || !solved) {
    std::fprintf(stderr, "%s: it is not evaluated\n", folder.c_str());
    return false;
  }
  wf_proof::all_entries given, final;
  const auto note = [](wf_proof::all_entries& to, const std::string& name,
                       const wf::logic::relation& r) {
    for (std::size_t row = 0; row < r.rows; ++row)
      to[name][places_of(r, row)] = r.valued ? r.values[row] : 1;
  };
  for (const auto& r : problem.inputs().relations) {
    note(given, std::string(r.name), r.entries);
    note(final, std::string(r.name), r.entries);
  }
  std::vector<double> first, next;
  std::size_t facts = 0, checked = 0, wrong = 0, highest = 0;
  const double one =
      milliseconds(rounds, [&] { (void)wf::logic::evaluate(problem.program(), problem.inputs()); });
  for (int i = 0; i < rounds; ++i) {
    wf::logic::proof_session session(problem.program(), problem.inputs());
    wf::logic::solved_tensor& last = solved->tensors.back();
    const wf::logic::relation& r = last.entries();
    if (r.rows == 0) return false;
    const std::string fact = fact_text(std::string(last.name), !r.valued, places_of(r, r.rows / 2));
    first.push_back(milliseconds(1, [&] { (void)session.prove({fact.data(), fact.size()}); }));
    if (i + 1 < rounds) continue;
    for (wf::logic::solved_tensor& t : solved->tensors) {
      const wf::logic::relation& all = t.entries();
      facts += all.rows;
      const std::size_t count = std::min(all.rows, most_checked);
      for (std::size_t k = 0; k < count; ++k) {
        const wf_proof::places at = places_of(all, k * all.rows / count);
        const std::string name(t.name), text = fact_text(name, !all.valued, at);
        wf::result<wf::logic::proof> proof = wf::error();
        next.push_back(milliseconds(1, [&] { proof = session.prove({text.data(), text.size()}); }));
        std::string problem_found = proof ? "" : message(proof.error());
        if (proof)
          problem_found =
              wf_proof::checker(problem.program().program, given, final).check(*proof, name, at);
        if (proof) highest = std::max<std::size_t>(highest, proof->steps.back().height);
        ++checked;
        if (problem_found.empty()) continue;
        if (++wrong < 4) std::printf("wrong: %s: %s\n", text.c_str(), problem_found.c_str());
      }
    }
  }
  const double all = wf_benchmark::median(first);
  std::printf(
      "RESULT suite=logic set=proof program=%s facts=%zu checked=%zu wrong=%zu highest=%zu "
      "evaluate_ms=%.3f first_proof_ms=%.3f next_proof_ms=%.4f ratio_first=%.1f\n",
      folder.filename().string().c_str(), facts, checked, wrong, highest, one, all,
      wf_benchmark::median(next), all / one);
  return wrong == 0;
}

}  // namespace logic_benchmark
