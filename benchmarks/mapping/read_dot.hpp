// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/view.hpp>
#include <wf/map/schedule/task_graph.hpp>

namespace mapping_benchmark {

/// A task graph from a file, with the published schedule if the file contains one.
struct published_graph {
  wf::task_graph graph;           ///< with the file's number of processors, 0 if not stated
  bool has_schedule = false;      ///< every task has its placement in the file
  wf::task_schedule schedule;     ///< the placements; its makespan is the file's
  std::uint64_t states = 0;       ///< "Total states created"
  std::int64_t milliseconds = 0;  ///< "Time to schedule (ms)"
};

/// Reads the DOT dialect of the optimal task scheduling group: `digraph name { … }` with statements
/// that end in a semicolon, `id [key=value, …]` for a task and `id -> id [key=value, …]` for an
/// edge, each with an integer Weight, and `graph [key=value, …]`. Tasks are numbered in order of
/// appearance.
class dot_reader {
 public:
  explicit dot_reader(wf::text_view source) : source_(source) {}

  wf::result<published_graph> read() {
    if (head() && body() && finish()) return std::move(out_);
    return error_;
  }

 private:
  using attributes = std::map<std::string, std::pair<std::string, std::size_t>>;
  enum class kind { end, word, sign };

  bool fail_at(std::size_t at, const wf::text& message) {
    error_ = wf::make_error(wf::errc::graph_syntax, "", message, wf::position_at(source_, at));
    return false;
  }
  bool fail(const wf::text& message) { return fail_at(first_, message); }

  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '+';
  }

  /// Advances to the next token: a word (quoted or not), "->", or a single character.
  bool next() {
    while (at_ < source_.size() && is_space(source_[at_])) ++at_;
    first_ = at_;
    token_.clear();
    kind_ = kind::end;
    if (at_ == source_.size()) return true;
    if (source_[at_] == '"') return quoted();
    kind_ = kind::word;
    const bool negative = source_[at_] == '-' && at_ + 1 < source_.size() &&
                          source_[at_ + 1] >= '0' && source_[at_ + 1] <= '9';
    if (negative) token_ += source_[at_++];
    while (at_ < source_.size() && is_word(source_[at_])) token_ += source_[at_++];
    if (!token_.empty()) return true;
    kind_ = kind::sign;
    token_ += source_[at_++];
    if (token_ == "-" && at_ < source_.size() && source_[at_] == '>') token_ += source_[at_++];
    return true;
  }
  bool quoted() {
    kind_ = kind::word;
    for (++at_; at_ < source_.size() && source_[at_] != '"'; ++at_) {
      if (source_[at_] == '\\' && at_ + 1 < source_.size()) {
        ++at_;
        if (source_[at_] == '\n') continue;  // line continuation
      }
      token_ += source_[at_];
    }
    if (at_ == source_.size()) return fail(wf::text("a quotation mark is not closed"));
    ++at_;
    return true;
  }
  bool is_sign(const char* sign) const { return kind_ == kind::sign && token_ == sign; }
  bool expect(const char* sign) {
    if (!is_sign(sign)) return fail(wf::text("expected ") << sign);
    return next();
  }

  bool head() {
    if (!next()) return false;
    if (kind_ != kind::word || token_ != "digraph") return fail(wf::text("expected digraph"));
    if (!next()) return false;
    if (kind_ != kind::word) return fail(wf::text("expected the name of the graph"));
    out_.graph.name = wf::text(token_.c_str());
    return next() && expect("{");
  }

  bool body() {
    while (!is_sign("}"))
      if (!statement()) return false;
    if (!next()) return false;
    return kind_ == kind::end || fail(wf::text("unexpected text after the graph"));
  }

  bool statement() {
    if (kind_ != kind::word) return fail(wf::text("expected a statement or }"));
    const std::string name = token_;
    const std::size_t at = first_;
    attributes list;
    if (!next()) return false;
    if (!is_sign("->"))
      return read_list(list) && expect(";") &&
             (name == "graph" ? whole(list) : task(name, at, list));
    if (!next()) return false;
    if (kind_ != kind::word) return fail(wf::text("expected the task at the end of the edge"));
    const std::string to = token_;
    const std::size_t to_at = first_;
    return next() && read_list(list) && expect(";") && edge(name, at, to, to_at, list);
  }

  bool read_list(attributes& out) {
    if (!expect("[")) return false;
    while (!is_sign("]")) {
      if (kind_ != kind::word) return fail(wf::text("expected a key or ]"));
      const std::string key = token_;
      if (!next() || !expect("=")) return false;
      if (kind_ != kind::word) return fail(wf::text("expected a value"));
      if (!out.emplace(key, std::make_pair(token_, first_)).second)
        return fail(wf::text("a key is there twice: ") << key.c_str());
      if (!next()) return false;
      if (is_sign(",") && !next()) return false;
    }
    return next();
  }

  /// Reads the integer of a key; `fallback` if the key is absent.
  bool integer(const attributes& list, const char* key, std::int64_t fallback, std::int64_t most,
               std::int64_t& out) {
    const auto found = list.find(key);
    if (found == list.end()) {
      out = fallback;
      return true;
    }
    const auto& [digits, at] = found->second;
    out = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return fail_at(at, wf::text(key) << " is not an integer from 0 on");
      out = 10 * out + (c - '0');
      if (out > most) return fail_at(at, wf::text(key) << " is larger than " << most);
    }
    return !digits.empty() || fail_at(at, wf::text(key) << " is empty");
  }
  /// Reads the weight, which is required.
  bool weight(const attributes& list, std::size_t at, std::int64_t& out) {
    if (list.find("Weight") == list.end()) return fail_at(at, wf::text("there is no Weight"));
    return integer(list, "Weight", 0, largest, out);
  }

  bool whole(const attributes& list) {
    std::int64_t states = 0;
    if (!integer(list, "Total schedule length", -1, largest, stated_) ||
        !integer(list, "Total states created", 0, INT64_MAX / 20, states) ||
        !integer(list, "Time to schedule (ms)", 0, largest, out_.milliseconds))
      return false;
    out_.states = static_cast<std::uint64_t>(states);
    const auto target = list.find("TargetSystem");
    if (target == list.end()) return true;
    const std::string prefix = "Homogeneous-";
    const std::string& system = target->second.first;
    if (system.rfind(prefix, 0) != 0)
      return fail_at(target->second.second, wf::text("the system is not Homogeneous-number"));
    attributes number;
    number["processors"] = {system.substr(prefix.size()), target->second.second};
    std::int64_t processors = 0;
    if (!integer(number, "processors", 0, 4096, processors)) return false;
    out_.graph.processors = static_cast<std::uint32_t>(processors);
    return true;
  }

  bool task(const std::string& name, std::size_t at, const attributes& list) {
    if (!numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size())).second)
      return fail_at(at, wf::text("a task is there twice: ") << name.c_str());
    std::int64_t duration = 0, processor = 0, start = 0, finish = 0;
    if (!weight(list, at, duration) || !integer(list, "Processor", -1, 4095, processor) ||
        !integer(list, "Start time", -1, largest, start) ||
        !integer(list, "Finish time", -1, largest, finish))
      return false;
    out_.graph.add(wf::text_view(name.data(), name.size()), duration);
    placed_ += processor >= 0 && start >= 0 && finish >= 0;
    out_.schedule.tasks.push_back({static_cast<std::uint32_t>(processor), start, finish});
    return true;
  }

  bool edge(const std::string& from, std::size_t from_at, const std::string& to, std::size_t to_at,
            const attributes& list) {
    const auto first = numbers_.find(from), last = numbers_.find(to);
    if (first == numbers_.end()) return fail_at(from_at, wf::text("the task is not known yet"));
    if (last == numbers_.end()) return fail_at(to_at, wf::text("the task is not known yet"));
    std::int64_t delay = 0;
    if (!weight(list, to_at, delay)) return false;
    out_.graph.connect(first->second, last->second, delay);
    return true;
  }

  bool finish() {
    const std::size_t count = out_.graph.tasks.size();
    out_.has_schedule = count != 0 && placed_ == count && stated_ >= 0;
    out_.schedule.makespan = out_.has_schedule ? stated_ : 0;
    if (!out_.has_schedule) out_.schedule.tasks.clear();
    return true;
  }

  static constexpr std::int64_t largest = 1'000'000'000'000;

  wf::text_view source_;
  std::size_t at_ = 0, first_ = 0;
  kind kind_ = kind::end;
  std::string token_;
  std::map<std::string, std::uint32_t> numbers_;
  std::size_t placed_ = 0;
  std::int64_t stated_ = -1;
  published_graph out_;
  wf::error error_;
};

/// Reads a graph in that dialect; errors: `graph_syntax` with its line. The task graph is not
/// validated. O(size · log tasks).
inline wf::result<published_graph> read_dot(wf::text_view source) {
  return dot_reader(source).read();
}

}  // namespace mapping_benchmark
