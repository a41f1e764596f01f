// SPDX-License-Identifier: BSL-1.0
//
// Solves public selection problems and prints one line for each. benchmarks/selection/run finds the
// instances and runs this program; alone it is called
//
//     selection FORMAT LIST [--solver wf|certified|greedy|beam] [--seconds S] [--threads T]
//         [--model FILE]
//     selection generated N
//
// `certified` exists if the program is built with WF_CERTIFY. `generated` prints N generated
// problems of each family as JSON for exact.py with wf's answers, one problem per line.
//
// FORMAT is extraction, mmkp or pbqp; LIST is a file of lines "path name value proven", separated
// by tabs, with "-" for an unknown value and 1 for a proven one; for extractions two more words may
// limit the number of nodes and the depth (see with_limits), with "-" for no limit. --least 1 also
// prints the least number of nodes and the least depth. --model writes the last instance as a model
// for other solvers instead.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <wf/select/reduce/reduce.hpp>
#include <wf/select/stage.hpp>

#include <selection/depth.hpp>
#include <selection/generated.hpp>
#include <selection/model_json.hpp>
#include <selection/problem_json.hpp>
#include <selection/read_extraction.hpp>
#include <selection/read_mmkp.hpp>
#include <selection/read_pbqp.hpp>
#include <selection/solve.hpp>

namespace {

using namespace selection_benchmark;

struct options {
  std::string format, list, solver = "wf", model;
  double seconds = 10;
  unsigned threads = 1;
  bool least = false;
};

struct listed {
  std::string path, name, value, proven, nodes, depth;
};

int usage() {
  std::fprintf(stderr,
               "usage: selection extraction|mmkp|pbqp LIST [--solver wf|certified|greedy|beam] "
               "[--seconds S] [--threads T] [--model FILE]\n       selection generated N\n");
  return 2;
}

bool parse(int count, char** words, options& out) {
  if (count < 3 || count % 2 == 0) return false;
  out.format = words[1];
  out.list = words[2];
  for (int i = 3; i < count; i += 2) {
    const std::string option = words[i], value = words[i + 1];
    if (option == "--solver")
      out.solver = value;
    else if (option == "--seconds")
      out.seconds = std::strtod(value.c_str(), nullptr);
    else if (option == "--threads")
      out.threads = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
    else if (option == "--least")
      out.least = value == "1";
    else if (option == "--model")
      out.model = value;
    else
      return false;
  }
  const bool known = out.format == "extraction" || out.format == "mmkp" || out.format == "pbqp";
  const bool solves = out.solver == "wf" || (out.solver == "certified" && is_certifying) ||
                      out.solver == "greedy" || out.solver == "beam";
  return known && solves && out.seconds > 0 && out.threads > 0;
}

wf::result<instance> read(const options& o, const listed& entry) {
  std::ifstream file(entry.path, std::ios::binary);
  if (!file) return syntax_error("the file cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  wf::result<instance> out = o.format == "extraction" ? read_extraction(text)
                             : o.format == "mmkp"     ? read_mmkp(text)
                                                      : read_pbqp(text);
  if (!out) return out;
  out->name = entry.name;
  if (entry.depth.empty()) return out;
  const auto limit = [](const std::string& word) {
    return word == "-" ? -1 : std::strtoll(word.c_str(), nullptr, 10);
  };
  return with_limits(*out, limit(entry.nodes), limit(entry.depth));
}

/// How the value compares with the reference.
const char* comparison(const answer& a, const reference_value& reference) {
  if (!reference.known) return "none";
  if (!a.found) return "missing";
  return a.total == reference.total ? "equal" : a.total < reference.total ? "better" : "worse";
}

reference_value reference_of(const instance& i, const listed& entry) {
  reference_value out;
  out.known = total_of(i, entry.value, out.total);
  out.proven = out.known && entry.proven == "1";
  return out;
}

/// The nodes and depth of a selection: "nodes_used=7 depth_used=3".
std::string uses_of(const instance& i, const answer& a, bool is_right) {
  if (!a.found || !is_right) return "nodes_used=- depth_used=-";
  std::size_t nodes = 0;
  for (const std::uint32_t n : a.best.chosen) nodes += n != wf::no_candidate;
  return "nodes_used=" + std::to_string(nodes) +
         " depth_used=" + std::to_string(selection_depth{}(i.problem, a.best, 0));
}

/// The least number of nodes, if proven in time, and a lower bound for the depth: "least_nodes=5
/// least_depth=3".
std::string least_of(const options& o, const instance& i) {
  if (!o.least) return "least_nodes=- least_depth=-";
  instance counted = with_limits(i, i.problem.classes, -1);
  const auto nodes = static_cast<std::uint32_t>(i.problem.metrics.size());
  counted.problem.objective = wf::minimise_metric(nodes);
  const answer a = solve_with_wf(counted, o.seconds);
  std::int64_t depth = 0;
  const depth_bounds bounds = bound_depth(i.problem);
  for (const std::uint32_t root : i.problem.roots) depth = std::max(depth, bounds.height[root]);
  return "least_nodes=" + (a.proven ? std::to_string(a.total) : std::string("-")) +
         " least_depth=" + std::to_string(depth);
}

std::uint32_t reduced_candidates(const wf::selection_problem& p) {
  if (wf::validate(p).code != wf::errc::none) return 0;
  return wf::detail::reduce(p, wf::detail::weighted_stage(p)).candidates;
}

/// Solves an instance and prints a line: names and values, and last a note that may contain spaces.
int report(const options& o, const instance& i, const listed& entry) {
  const reference_value reference = reference_of(i, entry);
  const answer a = solve(i, o.solver, o.seconds, o.threads);
  const std::string mistake = wrong(i, a, reference);
  const std::string value = a.found ? published(i, a.total) : "-";
  const std::string bound = a.bounded ? published(i, a.bound) : "-";
  const std::string total = a.found ? std::to_string(a.total) : "-";
  const std::string known = reference.known ? std::to_string(reference.total) : "-";
  const char* const state = !mistake.empty() ? "wrong" : a.found ? "found" : "none";
  std::string note = mistake + a.message;
  if (i.ignored_roots != 0)
    note += " (" + std::to_string(i.ignored_roots) + " roots without a node ignored)";
  std::printf(
      "INSTANCE set=%s solver=%s instance=%s candidates=%zu classes=%u reduced=%u state=%s "
      "value=%s bound=%s proven=%d nodes=%llu cpu_s=%.6f reference=%s compared=%s total=%s "
      "known=%s %s %s certificate=%s proof_numbers=%zu check_s=%.6f note=%s\n",
      o.format.c_str(), o.solver.c_str(), i.name.c_str(), i.problem.candidates.size(),
      i.problem.classes, reduced_candidates(i.problem), state, value.c_str(), bound.c_str(),
      a.proven ? 1 : 0, static_cast<unsigned long long>(a.nodes), a.cpu_seconds,
      reference.known ? published(i, reference.total).c_str() : "-", comparison(a, reference),
      total.c_str(), known.c_str(), uses_of(i, a, mistake.empty()).c_str(), least_of(o, i).c_str(),
      a.certificate.c_str(), a.proof_numbers, a.check_seconds, note.c_str());
  std::fflush(stdout);
  return mistake.empty() ? 0 : 1;
}

int write_model(const options& o, const instance& i, const listed& entry) {
  if (const wf::error e = wf::validate(i.problem); e.code != wf::errc::none) {
    const std::string why = static_cast<std::string>(wf::to_text(e));
    std::fprintf(stderr, "selection: %s: %s\n", entry.path.c_str(), why.c_str());
    return 1;
  }
  const std::string text = model_as_json(i, reference_of(i, entry));
  std::ofstream file(o.model, std::ios::binary);
  file << text;
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "selection: %s cannot be written\n", o.model.c_str());
  return 1;
}

int print_generated(std::uint64_t count) {
  for (std::size_t f = 0; f < std::size(family_names); ++f)
    for (std::uint64_t seed = 0; seed < count; ++seed) {
      const std::string name = std::string(family_names[f]) + "/" + std::to_string(seed);
      std::puts(problem_as_json(name, generated_problem(static_cast<family>(f), seed)).c_str());
    }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "generated")
    return print_generated(std::strtoull(words[2], nullptr, 10));
  options o;
  if (!parse(count, words, o)) return usage();
  std::ifstream list(o.list);
  if (!list) {
    std::fprintf(stderr, "selection: %s cannot be opened\n", o.list.c_str());
    return 1;
  }
  int failed = 0;
  for (std::string line; std::getline(list, line);) {
    listed entry;
    std::istringstream words_of(line);
    std::getline(words_of, entry.path, '\t');
    std::getline(words_of, entry.name, '\t');
    std::getline(words_of, entry.value, '\t');
    std::getline(words_of, entry.proven, '\t');
    std::getline(words_of, entry.nodes, '\t');
    std::getline(words_of, entry.depth, '\t');
    const wf::result<instance> i = read(o, entry);
    if (!i) {
      const std::string why = static_cast<std::string>(wf::to_text(i.error()));
      std::fprintf(stderr, "selection: %s: %s\n", entry.path.c_str(), why.c_str());
      failed = 1;
    } else {
      failed |= o.model.empty() ? report(o, *i, entry) : write_model(o, *i, entry);
    }
  }
  return failed;
}
