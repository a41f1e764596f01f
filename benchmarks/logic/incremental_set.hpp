// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <wf/logic/update/session.hpp>

#include <cpu_time.hpp>
#include <logic/engine.hpp>

namespace logic_benchmark {

/// Random facts of a relation or tensor that are not among its own: positions within those of each
/// column, and the value of some row.
class new_facts {
 public:
  explicit new_facts(const wf::logic::relation& of) : of_(of), known_(of) {
    known_.index();
    for (const auto& column : of.columns) bounds_.push_back(wf::logic::detail::bounds_of(column));
  }
  wf::logic::relation next() {
    wf::logic::relation out(of_.rank, of_.valued);
    wf::logic::position at[wf::max_rank] = {};
    do {
      for (std::uint32_t c = 0; c < of_.rank; ++c)
        at[c] = bounds_[c].at(random_() % bounds_[c].size);
    } while (known_.contains(at));
    out.append(at, of_.valued ? of_.values[random_() % of_.rows] : 1);
    return out;
  }

 private:
  const wf::logic::relation& of_;
  wf::logic::detail::tensor_store known_;
  std::vector<wf::logic::detail::column_bounds> bounds_;
  std::mt19937_64 random_{2027};
};

/// Adds random facts to the largest input of a program, one after the other, and takes each away
/// again; the medians of both beside that of an evaluation. The results must be those of an
/// evaluation in the end of all additions. Prints a line; false after an error.
inline bool run_updated(int rounds, const std::filesystem::path& folder) {
  const evaluated_program problem(folder);
  if (!problem.failure().empty()) {
    std::fprintf(stderr, "%s\n", problem.failure().c_str());
    return false;
  }
  std::size_t largest = 0;
  const wf::logic::database& inputs = problem.inputs();
  for (std::size_t i = 0; i < inputs.relations.size(); ++i)
    if (inputs.relations[i].entries.rows > inputs.relations[largest].entries.rows) largest = i;
  const wf::text_view name = inputs.relations[largest].name.view();
  bool fine = true;
  const double whole = milliseconds(
      rounds, [&] { fine = wf::logic::evaluate(problem.program(), inputs).has_value() && fine; });
  wf::logic::incremental_session session(problem.program(), inputs);
  new_facts facts(inputs.relations[largest].entries);
  std::vector<double> adding, removing;
  double first = 0;
  std::uint32_t grown = 0;
  const auto update = [&](const wf::logic::relation& fact, bool adds, std::vector<double>& times) {
    wf::logic::database change;
    change.add(name, fact);
    times.push_back(milliseconds(1, [&] {
      const auto report = adds ? session.update(change) : session.update({}, change);
      fine = fine && report.has_value();
      if (report && adds) grown += report->grown;
    }));
  };
  fine = session.update({}).has_value() && fine;
  std::vector<wf::logic::relation> all;
  for (int i = 0; i <= 20 * rounds; ++i) {
    all.push_back(facts.next());
    update(all.back(), true, adding);
    if (i != 0) continue;
    first = adding.back();  // it makes tables that the others find
    adding.clear();
  }
  wf::logic::database now = session.inputs();
  auto solved = wf::logic::evaluate(problem.program(), now);
  fine = fine && solved.has_value();
  if (solved)
    for (wf::logic::solved_tensor& t : solved->tensors) {
      const auto rows = session.size(t.name.view());
      fine = fine && rows && *rows == t.size();
    }
  for (int i = 0; i < rounds; ++i) update(all[static_cast<std::size_t>(i)], false, removing);
  const double one = wf_benchmark::median(adding), less = wf_benchmark::median(removing);
  std::printf(
      "RESULT suite=logic set=incremental program=%s facts=%zu updates=%zu evaluate_ms=%.3f "
      "first_add_ms=%.3f add_us=%.2f remove_ms=%.3f ratio_add=%.4f ratio_remove=%.3f grown=%u%s\n",
      folder.filename().string().c_str(), inputs.relations[largest].entries.rows, adding.size(),
      whole, first, 1e3 * one, less, one / whole, less / whole, grown, fine ? "" : " wrong");
  return fine;
}

}  // namespace logic_benchmark
