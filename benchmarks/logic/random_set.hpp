// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include <wf/logic/evaluate/evaluate.hpp>

#include <cpu_time.hpp>
#include <logic/random_facts.hpp>

namespace logic_benchmark {

/// What is wrong with wf's results of a random program, whose definitions `naive` follows; empty if
/// nothing is. The seed chooses the options.
inline std::string random_problem(const wf_test::random_program& p, std::uint64_t seed,
                                  bool& ends) {
  wf_test::naive_evaluation naive(p);
  ends = naive.run(50);
  const std::string text = wf_test::text_of(p);
  const wf::text_view source(text.data(), text.size());
  const wf::logic::database inputs = wf_test::inputs_of(p);
  wf::table<wf::text_view> names;
  for (const auto& r : inputs.relations) names.push_back(r.name.view());
  auto program = wf::logic::read_program(source, names);
  if (!program) return "it is not read";
  const auto strata =
      wf::logic::stratify(static_cast<wf::logic::tensor_program&&>(*program), source);
  if (!strata) return "it is not ordered";
  wf::logic::evaluation_options options;
  options.max_rounds = 200;
  options.recursions = static_cast<wf::logic::recursion_method>(seed % 3);
  options.joins = static_cast<wf::logic::join_method>(seed % 3);
  auto solved = wf::logic::evaluate(*strata, inputs, options);
  if (!solved)
    return !ends && solved.error().code == wf::errc::not_converged ? "" : "it is not evaluated";
  if (!ends) return "it has no end";
  for (std::size_t t = 0; t < p.tensors.size(); ++t) {
    if (p.tensors[t].layer == 0) continue;
    auto* const found = solved->find({p.tensors[t].name.data(), p.tensors[t].name.size()});
    if (found == nullptr || !wf_test::same_entries(found->entries(), naive.values[t]))
      return p.tensors[t].name + " differs";
  }
  return "";
}

/// Random programs against an evaluation that follows their definitions: every binding of all
/// variables, until nothing changes. The exit code.
inline int run_random(std::uint64_t programs) {
  std::uint64_t wrong = 0, endless = 0;
  const double start = wf_benchmark::process_seconds();
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    bool ends = true;
    const std::string problem = random_problem(wf_test::make_random_program(seed), seed, ends);
    endless += !ends;
    if (problem.empty()) continue;
    ++wrong;
    std::printf("wrong: seed %llu: %s\n", static_cast<unsigned long long>(seed), problem.c_str());
  }
  std::printf(
      "RESULT suite=logic set=random programs=%llu first_seed=1 wrong=%llu endless=%llu "
      "seconds=%.1f\n",
      static_cast<unsigned long long>(programs), static_cast<unsigned long long>(wrong),
      static_cast<unsigned long long>(endless), wf_benchmark::process_seconds() - start);
  return wrong == 0 ? 0 : 1;
}

}  // namespace logic_benchmark
