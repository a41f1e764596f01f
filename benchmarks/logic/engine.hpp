// SPDX-License-Identifier: BSL-1.0
#pragma once

// All that the suite calls of wf.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/relation/facts.hpp>

#include <cpu_time.hpp>
#include <files.hpp>
#include <logic/nested.hpp>
#include <logic/worker.hpp>

namespace logic_benchmark {

/// So many steps has PageRank, which no other program of the suite has.
inline constexpr std::uint64_t steps = 50;

/// The median milliseconds of CPU of a function.
template <class Run>
double milliseconds(int rounds, Run&& run) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const double start = wf_benchmark::thread_seconds();
    run();
    times.push_back(1e3 * (wf_benchmark::thread_seconds() - start));
  }
  return wf_benchmark::median(times);
}

/// A program of the data: the text of its rules, and the names of its inputs.
struct program_source {
  std::string text;
  std::vector<std::string> inputs;
  double nodes = 0;  ///< of its graph, where the rules read their number as the input n; else 0
};

/// Reads a program from its folder; its text is empty if there is none.
inline program_source read_source(const std::filesystem::path& folder) {
  program_source out{wf_benchmark::read_whole((folder / "program.tl").string()), {}};
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(folder / "facts", none))
    if (file.path().extension() == ".tsv") out.inputs.push_back(file.path().stem().string());
  std::ranges::sort(out.inputs);
  const std::string meta = wf_benchmark::read_whole((folder / "meta.json").string());
  const std::size_t nodes = meta.find("\"nodes\":");
  if (nodes != std::string::npos && out.text.find("/n") != std::string::npos) {
    out.nodes = std::atof(meta.c_str() + nodes + 8);
    out.text += "\naxis x = " + std::to_string(static_cast<long>(out.nodes)) + "\nexport rank\n";
  }
  return out;
}

/// Reads and orders the rules.
inline wf::result<wf::logic::stratified_program> compiled(const program_source& source) {
  const std::vector<wf::text_view> inputs(source.inputs.begin(), source.inputs.end());
  auto program = wf::logic::read_program(source.text, {inputs.data(), inputs.size()});
  if (!program) return program.error();
  return wf::logic::stratify(static_cast<wf::logic::tensor_program&&>(*program), source.text);
}

/// What wf says about an error.
inline std::string message(const wf::error& e) { return std::string(wf::to_text(e)); }

/// Reads the facts of a relation or tensor from a program's folder: numbers.
inline wf::result<wf::logic::relation> read_facts(const std::filesystem::path& folder,
                                                  const std::string& name, std::uint32_t rank,
                                                  bool valued) {
  wf::table<wf::logic::symbol_domain> none;
  return wf::logic::parse_facts(
      wf_benchmark::read_whole((folder / "facts" / (name + ".tsv")).string()),
      {wf::table<std::uint32_t>(rank, UINT32_MAX), valued}, none);
}

/// A program with its facts in memory: a problem for `serve`.
class evaluated_program {
 public:
  // The program refers to the text.
  evaluated_program(const evaluated_program&) = delete;
  evaluated_program& operator=(const evaluated_program&) = delete;
  /// `failure()` says what is wrong with the program.
  explicit evaluated_program(const std::filesystem::path& folder) : source_(read_source(folder)) {
    if (add_nested(facts_, wf_benchmark::read_whole((folder / "facts" / "inputs.json").string()))) {
      for (const auto& r : facts_.relations) source_.inputs.push_back(std::string(r.name));
      std::ranges::sort(source_.inputs);
    }
    if (source_.text.empty()) {
      failure_ = "there is no " + (folder / "program.tl").string();
      return;
    }
    auto program = compiled(source_);
    if (!program) {
      failure_ = message(program.error());
      return;
    }
    program_ = static_cast<wf::logic::stratified_program&&>(*program);
    for (const wf::logic::tensor_info& tensor : program_.program.tensors)
      if (facts_.find(tensor.name.view()) == nullptr &&
          std::ranges::binary_search(source_.inputs, std::string(tensor.name)))
        add(tensor, folder);
    if (source_.nodes != 0) facts_.add_dense("n", {}, {&source_.nodes, 1});
  }
  const std::string& failure() const { return failure_; }
  const wf::logic::stratified_program& program() const { return program_; }
  const wf::logic::database& inputs() const { return facts_; }

  void clear() { solution_.reset(); }
  std::string solve() {
    wf::logic::evaluation_options options;
    options.steps = steps;
    auto found = wf::logic::evaluate(program_, facts_, options);
    if (!found) return message(found.error());
    solution_ = static_cast<wf::logic::solution&&>(*found);
    return {};
  }
  /// Lists the results, sorted.
  std::string list() {
    for (wf::logic::solved_tensor& t : solution_->tensors) (void)t.entries();
    return {};
  }
  std::size_t size() const {
    std::size_t facts = 0;
    for (const wf::logic::solved_tensor& t : solution_->tensors) facts += t.size();
    return facts;
  }
  std::vector<fact_list> facts() {
    std::vector<fact_list> out;
    for (wf::logic::solved_tensor& result : solution_->tensors) {
      const wf::logic::relation& entries = result.entries();
      out.push_back({std::string(result.name), {}, {entries.values.begin(), entries.values.end()}});
      for (const auto& column : entries.columns)
        out.back().columns.emplace_back(column.begin(), column.end());
    }
    return out;
  }

 private:
  void add(const wf::logic::tensor_info& tensor, const std::filesystem::path& folder) {
    auto facts = read_facts(folder, std::string(tensor.name), tensor.rank, !tensor.boolean);
    if (facts)
      facts_.add(tensor.name.view(), static_cast<wf::logic::relation&&>(*facts));
    else
      failure_ = message(facts.error());
  }

  program_source source_;  // to whose text the program refers
  std::string failure_;
  wf::logic::stratified_program program_;
  wf::logic::database facts_;
  std::optional<wf::logic::solution> solution_;
};

}  // namespace logic_benchmark
