// SPDX-License-Identifier: BSL-1.0
#pragma once

// The programs with published answers in WF_DATA_DIR/logic (default ../shared/data/logic).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/core/json/document.hpp>
#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/relation/facts.hpp>

namespace wf_test {

inline std::filesystem::path logic_folder() {
  const char* const data = std::getenv("WF_DATA_DIR");
  return std::filesystem::path(data != nullptr ? data : "../shared/data") / "logic";
}

// The programs of numbers, below `fuse`.
inline constexpr const char* numeric_programs[] = {
    "06_gnn_message_passing",      "13_svm_kernel",   "17_neural_theorem_prover", "22_rbm_energy",
    "25_graph_transformer_hybrid", "30_llm_guardrail"};

inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A program of the set, its inputs, and what its meta data say of its relations.
class public_program {
 public:
  explicit public_program(const std::filesystem::path& folder)
      : folder(folder), text(contents_of(folder / "program.tl")) {
    const std::string meta_text = contents_of(folder / "meta.json");
    const auto meta = wf::parse_json(meta_text);
    REQUIRE(meta);
    read_domains();
    if (const std::uint32_t all = meta->find(0, "relations");
        all != 0 && (*meta)[all].kind == wf::json_kind::object)
      read_columns(*meta, all);
    if (!std::filesystem::exists(folder / "facts")) return;
    for (const auto& e : std::filesystem::directory_iterator(folder / "facts"))
      if (e.path().extension() == ".tsv") add(e.path().stem().string(), contents_of(e.path()));
  }

  // The columns of a relation that the meta data name, else numbers; values in the last one if the
  // program reads the name with values.
  wf::logic::fact_format format(const std::string& name, std::size_t columns) {
    if (const auto known = formats_.find(name); known != formats_.end()) return known->second;
    wf::logic::fact_format f;
    f.valued = text.find(name + "[") != std::string::npos;
    for (std::size_t c = f.valued ? 1 : 0; c < columns; ++c) f.columns.push_back(UINT32_MAX);
    return f;
  }
  // Adds facts; columns of symbols hold their numbers.
  void add(const std::string& name, const std::string& facts) {
    std::size_t columns = 1;
    for (char c : facts.substr(0, facts.find('\n'))) columns += c == '\t';
    wf::logic::fact_format f = format(name, columns);
    wf::table<std::uint32_t> domains = f.columns;
    for (std::uint32_t& c : f.columns) c = UINT32_MAX;
    wf::table<wf::logic::symbol_domain> unused;
    auto read = wf::logic::parse_facts(facts, f, unused);
    REQUIRE_MESSAGE(read, name, ": ", std::string(wf::to_text(read.error())));
    inputs.add(name, *std::move(read), std::move(domains));
  }
  // A tensor without indices.
  void add_number(const std::string& name, double value) {
    inputs.add_dense(name, {}, {&value, 1});
  }

  // The results; a message and none after an error.
  std::map<std::string, wf::logic::relation> run(
      const wf::logic::evaluation_options& options = {}) {
    wf::table<wf::text_view> names;
    for (const auto& r : inputs.relations) names.push_back(r.name.view());
    const auto program = wf::logic::read_program(text, names);
    std::map<std::string, wf::logic::relation> out;
    CHECK_MESSAGE(program, std::string(wf::to_text(program.error())));
    if (!program) return out;
    const auto strata = wf::logic::stratify(*program, text);
    CHECK_MESSAGE(strata, std::string(wf::to_text(strata.error())));
    if (!strata) return out;
    auto solved = wf::logic::evaluate(*strata, inputs, options);
    CHECK_MESSAGE(solved, std::string(wf::to_text(solved.error())));
    if (!solved) return out;
    for (auto& t : solved->tensors) out[std::string(t.name)] = t.entries();
    return out;
  }

  std::filesystem::path folder;
  std::string text;
  wf::logic::database inputs;

 private:
  void read_domains() {
    if (!std::filesystem::exists(folder / "domains")) return;
    for (const auto& e : std::filesystem::directory_iterator(folder / "domains")) {
      wf::logic::symbol_domain d{e.path().stem().string()};
      std::ifstream lines(e.path());
      for (std::string line; std::getline(lines, line);)
        d.add(std::string_view(line).substr(line.find('\t') + 1));
      inputs.domains.push_back(d);
    }
  }
  void read_columns(const wf::json_document& meta, std::uint32_t all) {
    for (std::uint32_t key = meta.first_of(all); key < meta[all].next;
         key = meta[meta.value_of(key)].next) {
      const std::uint32_t r = meta.value_of(key);
      wf::logic::fact_format f;
      if (const std::uint32_t valued = meta.find(r, "value"); valued != 0)
        f.valued = meta.text_of(valued) == "true";
      const std::uint32_t columns = meta.find(r, "indices");
      for (std::uint32_t c = meta.first_of(columns); c < meta[columns].next; c = meta[c].next) {
        std::uint32_t domain = UINT32_MAX;
        for (std::uint32_t d = 0; d < inputs.domains.size(); ++d)
          if (inputs.domains[d].name.view() == meta.text_of(c)) domain = d;
        f.columns.push_back(domain);
      }
      formats_[std::string(meta.text_of(key))] = f;
    }
  }

  std::map<std::string, wf::logic::fact_format> formats_;
};

// Rows as they stand in files of answers: numbers, the last one the value if there are values.
using answer_rows = std::map<std::vector<long>, double>;
inline answer_rows rows_of(const wf::logic::relation& r) {
  answer_rows out;
  for (std::size_t row = 0; row < r.rows; ++row) {
    std::vector<long> at;
    for (std::uint32_t c = 0; c < r.rank; ++c) at.push_back(r.columns[c][row]);
    out[at] = r.valued ? r.values[row] : 1;
  }
  return out;
}
inline answer_rows expected_rows(const std::filesystem::path& path, bool valued) {
  answer_rows out;
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) {
    std::vector<long> at;
    double value = 1;
    for (std::size_t first = 0; first <= line.size() && line != "true";) {
      const std::size_t end = std::min(line.find('\t', first), line.size());
      const std::string field = line.substr(first, end - first);
      if (valued && end == line.size())
        value = std::strtod(field.c_str(), nullptr);
      else
        at.push_back(std::strtol(field.c_str(), nullptr, 10));
      first = end + 1;
    }
    out[at] = value;
  }
  return out;
}
// True if two sets of rows agree; an absent row has the value `zero`.
inline bool agree(const answer_rows& a, const answer_rows& b, double zero, double tolerance) {
  for (const auto* each : {&a, &b})
    for (const auto& [at, value] : *each) {
      const auto& others = each == &a ? b : a;
      const auto found = others.find(at);
      const double other = found == others.end() ? zero : found->second;
      const bool same =
          value == other || std::abs(value - other) <= tolerance * std::max(1.0, std::abs(value));
      if (!same) return false;
    }
  return true;
}

// The SHA-256 of the rows as unsigned numbers of 32 bits, little endian.
inline std::string digest_of(const wf::logic::relation& r) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("wf_rows_" + std::to_string(std::rand()) + std::to_string(r.rows));
  {
    std::ofstream file(path, std::ios::binary);
    const auto put = [&](std::uint32_t n) {
      const char bytes[4] = {static_cast<char>(n), static_cast<char>(n >> 8),
                             static_cast<char>(n >> 16), static_cast<char>(n >> 24)};
      file.write(bytes, 4);
    };
    for (std::size_t row = 0; row < r.rows; ++row) {
      for (std::uint32_t c = 0; c < r.rank; ++c) put(static_cast<std::uint32_t>(r.columns[c][row]));
      if (r.valued) put(static_cast<std::uint32_t>(r.values[row]));
    }
  }
  std::string out(64, ' ');
  if (FILE* const pipe = popen(("sha256sum " + path.string()).c_str(), "r")) {
    if (std::fread(out.data(), 1, 64, pipe) != 64) out.clear();
    pclose(pipe);
  }
  std::filesystem::remove(path);
  return out;
}

}  // namespace wf_test
