// SPDX-License-Identifier: BSL-1.0
#pragma once

// Random valid instances, as values and as texts whose form is as odd as JSON allows.

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <wf/adapt/wfformat/instance.hpp>

namespace wf_test {

using random_source = std::mt19937_64;

struct random_instance_options {
  std::size_t most_tasks = 10;
  bool executed = true;      // with machines, and a record of each task
  bool one_core = false;     // no task needs several cores
  bool control = true;       // parents of which no file is read
  std::int64_t most_ms = 9;  // longest run time, in milliseconds
};

class random_instance_maker {
 public:
  random_instance_maker(random_source& random, const random_instance_options& options)
      : random_(random), options_(options) {}

  wf::wfformat::instance make() {
    out_.name = "random";
    const std::size_t count = 1 + below(options_.most_tasks);
    auto& tasks = out_.workflow.specification.tasks;
    tasks.resize(count);
    for (std::size_t t = 0; t < count; ++t) {
      tasks[t].id = wf::text("task-") << t;
      tasks[t].name = wf::text(below(2) == 0 ? "step" : "other step") << '_' << t;
    }
    for (std::size_t t = 0; t < count; ++t) add_files(t);
    for (std::size_t t = 1; options_.control && t < count; ++t)
      if (below(4) == 0) connect(below(t), t);
    if (options_.executed) execute();
    return out_;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  void connect(std::size_t parent, std::size_t child) {
    auto& tasks = out_.workflow.specification.tasks;
    for (const auto& known : tasks[child].parents)
      if (known == tasks[parent].id) return;
    tasks[child].parents.push_back(tasks[parent].id);
    tasks[parent].children.push_back(tasks[child].id);
  }
  void add_files(std::size_t t) {
    auto& s = out_.workflow.specification;
    std::vector<bool> read(s.files.size());
    for (std::size_t k = below(4); k > 0 && !s.files.empty(); --k) {
      const std::size_t f = below(s.files.size());
      if (read[f]) continue;
      read[f] = true;
      s.tasks[t].input_files.push_back(s.files[f].id);
      if (producer_[f] != count_of_nobody) connect(producer_[f], t);
    }
    for (std::size_t k = below(3); k > 0; --k) {
      const bool written = below(4) != 0;
      s.files.push_back({wf::text("data/file:") << s.files.size(), below(3000), {}});
      producer_.push_back(written ? t : count_of_nobody);
      (written ? s.tasks[t].output_files : s.tasks[t].input_files).push_back(s.files.back().id);
      // Some tasks also read what they write.
      if (written && below(6) == 0) s.tasks[t].input_files.push_back(s.files.back().id);
    }
  }
  void execute() {
    auto& e = out_.workflow.execution.emplace();
    e.makespan_in_seconds = wf::wfformat::number::decimal(std::int64_t(below(5000)), 2);
    e.executed_at = "20200403T232446+0000";
    e.machines.resize(1 + below(3));
    for (std::size_t m = 0; m < e.machines.size(); ++m) {
      e.machines[m].node_name = wf::text("host-") << m;
      e.machines[m].cpu.emplace().core_count = 1 + below(3);
    }
    e.tasks.resize(out_.workflow.specification.tasks.size());
    for (std::size_t t = 0; t < e.tasks.size(); ++t) {
      auto& task = e.tasks[t];
      task.id = out_.workflow.specification.tasks[t].id;
      const auto ms = std::int64_t(below(std::size_t(options_.most_ms) + 1));
      task.runtime_in_seconds = wf::wfformat::number::decimal(ms, 3);
      if (below(4) != 0) task.machines.push_back(e.machines[below(e.machines.size())].node_name);
      if (!options_.one_core && below(3) == 0) task.core_count = 1 + below(3);
      if (below(3) == 0) task.called.emplace().program = "/usr/bin/prog";
    }
  }

  static constexpr std::size_t count_of_nobody = SIZE_MAX;
  random_source& random_;
  random_instance_options options_;
  wf::wfformat::instance out_;
  std::vector<std::size_t> producer_;
};

inline wf::wfformat::instance random_instance(random_source& random,
                                              const random_instance_options& options = {}) {
  return random_instance_maker(random, options).make();
}

// A JSON text without the white space outside of its strings.
inline std::string without_spaces(const std::string& json) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (!quoted && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) continue;
    out += c;
    if (quoted && c == '\\')
      out += json[++i];
    else if (c == '"')
      quoted = !quoted;
  }
  return out;
}

// The same values in another form: odd white space, other spellings of characters in strings, and
// fields that WfFormat does not have, at the beginning or the end of objects.
inline std::string in_odd_form(const std::string& json, random_source& random) {
  static const char* const fields[] = {"\"x\\u0041\": [1.50e+1 , {\"a\":null}, \"\\/\"]",
                                       "\"note\" : \"\\u00e9 \\\"{\"",
                                       "\"\": {}",
                                       "\"n\": -0.0",
                                       "\"zero\": 0e0",
                                       "\"flag\": [true,false , []]"};
  static const char* const spaces[] = {"", " ", "\n", "\t\r\n  "};
  std::string out;
  bool quoted = false;
  const auto space = [&] { out += spaces[random() % 4]; };
  const auto field = [&] { out += fields[random() % 6]; };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      static const char* const hexadecimal = "0123456789abcdef";
      if (c == '\\') {
        (out += c) += json[++i];
      } else if (c != '"' && random() % 40 == 0) {
        const auto code = static_cast<unsigned char>(c);
        ((out += "\\u00") += hexadecimal[code >> 4]) += hexadecimal[code & 15];
      } else {
        out += c;
      }
      quoted = c != '"';
      continue;
    }
    quoted = c == '"';
    if (c == '}' && random() % 6 == 0) {
      if (json[i - 1] != '{') out += ',';
      field();
    }
    const bool structural = std::string_view(",:{}[]").find(c) != std::string_view::npos;
    if (structural) space();
    out += c;
    if (c == '{' && json[i + 1] != '}' && random() % 6 == 0) out += "\"begin\":1 ,";
    if (structural) space();
  }
  return out;
}

}  // namespace wf_test
