// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/json/fields.hpp>
#include <wf/map/array/mapping.hpp>

namespace wf {

/// The version of the JSON form of a mapping that `to_json` writes and `parse_mapping_json` reads.
inline constexpr int mapping_json_version = 1;

namespace detail {

/// Integers beyond 2^53 - 1 are written as strings, since not every reader of JSON keeps them.
constexpr text& append_json_integer(text& out, std::int64_t n) {
  constexpr std::int64_t most = (std::int64_t{1} << 53) - 1;
  if (n >= -most && n <= most) return out << n;
  return out << '"' << n << '"';
}

template <class Integers>
constexpr void append_json_list(text& out, text_view name, const Integers& list) {
  out << ",\n  \"" << name << "\": [";
  for (std::size_t i = 0; i < list.size(); ++i)
    append_json_integer(out << (i == 0 ? "" : ", "), static_cast<std::int64_t>(list[i]));
  out << ']';
}

inline constexpr text_view placement_fields[] = {
    "row",    "column",        "rows",  "columns", "first_parts", "second_parts",
    "cycles", "working_bytes", "start", "finish",  "result_bytes"};

/// A field of in-place operators only.
inline constexpr text_view overwrites_field = "overwrites";

inline constexpr text_view counter_fields[] = {"nodes",      "generated",  "pruned",
                                               "duplicates", "incumbents", "most_open"};

}  // namespace detail

/// A mapping as JSON: workload, makespan, bound, status, one operator per line, the order of the
/// starts, and for every PE its busy cycles and maximum bytes. An in-place operator has one more
/// field. `parse_mapping_json` restores it exactly. `w` is the mapped workload. O(operators + PEs).
constexpr text to_json(const mapping& m, const workload& w) {
  text out = "{\n  \"format\": \"wf-mapping\",\n  \"version\": ";
  out << mapping_json_version << ",\n  \"workload\": ";
  append_json_string(out, w.name.view());
  const auto field = [&](text_view name, std::int64_t n) {
    detail::append_json_integer(out << ",\n  \"" << name << "\": ", n);
  };
  field("rows", m.rows);
  field("columns", m.columns);
  field("makespan", m.makespan);
  field("bound", m.bound);
  out << ",\n  \"status\": \"" << to_text(m.status) << "\",\n  \"counters\": {";
  const std::uint64_t counters[] = {m.counters.nodes,      m.counters.generated,
                                    m.counters.pruned,     m.counters.duplicates,
                                    m.counters.incumbents, m.counters.most_open};
  for (std::size_t k = 0; k < 6; ++k)
    detail::append_json_integer(
        out << (k == 0 ? "\"" : ", \"") << detail::counter_fields[k] << "\": ",
        static_cast<std::int64_t>(counters[k]));
  out << "},\n  \"operators\": [";
  for (std::uint32_t i = 0; i < m.operators.size(); ++i) {
    const placement& p = m.operators[i];
    out << (i == 0 ? "\n" : ",\n") << "    {\"label\": ";
    append_json_string(out, w.operators[i].label.view());
    const std::int64_t figures[] = {p.where.row,     p.where.column,      p.where.rows,
                                    p.where.columns, p.how.first_parts,   p.how.second_parts,
                                    p.how.cycles,    p.how.working_bytes, p.start,
                                    p.finish,        p.result_bytes};
    for (std::size_t k = 0; k < 11; ++k)
      detail::append_json_integer(out << ", \"" << detail::placement_fields[k] << "\": ",
                                  figures[k]);
    if (p.overwrites != overwrites_nothing)
      out << ", \"" << detail::overwrites_field << "\": " << p.overwrites;
    out << '}';
  }
  out << (m.operators.empty() ? "]" : "\n  ]");
  detail::append_json_list(out, "sequence", m.sequence);
  detail::append_json_list(out, "busy", m.busy);
  detail::append_json_list(out, "high_water", m.high_water);
  return out << "\n}\n";
}

namespace detail {

/// Builds a mapping from a JSON document.
class mapping_json_reader : json_form_reader {
 public:
  constexpr mapping_json_reader(text_view source, const json_document& json, const workload& w)
      : json_form_reader(source, json), w_(w) {}

  constexpr result<mapping> read() {
    if (!read_document() || !check()) return failure(errc::mapping_syntax);
    return static_cast<mapping&&>(m_);
  }

 private:
  constexpr bool amount(std::uint32_t item, std::int64_t most, std::int64_t& out) {
    return integer(item, 0, most, out);
  }

  constexpr bool read_document() {
    constexpr json_kind number = json_kind::number, string = json_kind::string;
    constexpr json_field known[] = {{"format", string, true},
                                    {"version", number, true},
                                    {"workload", string, true},
                                    {"rows", number, true},
                                    {"columns", number, true},
                                    {"makespan", number, true, string},
                                    {"bound", number, true, string},
                                    {"status", string, true},
                                    {"counters", json_kind::object, true},
                                    {"operators", json_kind::array, true},
                                    {"sequence", json_kind::array, true},
                                    {"busy", json_kind::array, true},
                                    {"high_water", json_kind::array, true}};
    std::uint32_t at[13]{};
    std::int64_t version = 0, rows = 0, columns = 0;
    if (!fields(0, "a mapping", known, at)) return false;
    if (json_.text_of(at[0]) != "wf-mapping")
      return fail(at[0], "expected \"format\": \"wf-mapping\"");
    if (!integer(at[1], INT64_MIN, INT64_MAX, version)) return false;
    if (version != mapping_json_version)
      return fail(at[1], "only version 1 of the JSON form can be read");
    if (!amount(at[3], pe_array::max_elements, rows) ||
        !amount(at[4], pe_array::max_elements, columns) || !amount(at[5], most_, m_.makespan) ||
        !amount(at[6], m_.makespan, m_.bound) || !read_status(at[7]) || !read_counters(at[8]))
      return false;
    if (json_.text_of(at[2]) != w_.name.view()) return fail(at[2], "it maps another workload");
    if (rows * columns < 1 || rows * columns > pe_array::max_elements)
      return fail(at[3], "an array has 1 to 4096 PEs");
    m_.rows = static_cast<std::int32_t>(rows);
    m_.columns = static_cast<std::int32_t>(columns);
    at_operators_ = at[9], at_sequence_ = at[10], at_busy_ = at[11], at_high_water_ = at[12];
    return elements(at[9], [&](std::uint32_t i) { return read_operator(i); }) &&
           elements(at[10], [&](std::uint32_t i) { return read_turn(i); }) &&
           elements(at[11],
                    [&](std::uint32_t i) { return read_figure(i, m_.makespan, m_.busy); }) &&
           elements(at[12], [&](std::uint32_t i) { return read_figure(i, most_, m_.high_water); });
  }
  constexpr bool read_status(std::uint32_t item) {
    table<text_view> known;
    for (int k = 0; k <= static_cast<int>(search_status::within_tolerance); ++k) {
      known.push_back(to_text(static_cast<search_status>(k)));
      if (json_.text_of(item) != known.back()) continue;
      m_.status = static_cast<search_status>(k);
      return true;
    }
    return unknown_word(item, "status", known);
  }
  constexpr bool read_counters(std::uint32_t item) {
    json_field known[6]{};
    for (int k = 0; k < 6; ++k)
      known[k] = {counter_fields[k], json_kind::number, true, json_kind::string};
    std::uint32_t at[6]{};
    if (!fields(item, "the counters", known, at)) return false;
    std::uint64_t* const counters[] = {&m_.counters.nodes,      &m_.counters.generated,
                                       &m_.counters.pruned,     &m_.counters.duplicates,
                                       &m_.counters.incumbents, &m_.counters.most_open};
    for (int k = 0; k < 6; ++k) {
      std::int64_t n = 0;
      if (!amount(at[k], INT64_MAX, n)) return false;
      *counters[k] = static_cast<std::uint64_t>(n);
    }
    return true;
  }
  constexpr bool read_operator(std::uint32_t item) {
    constexpr std::size_t count = 13;
    json_field known[count] = {{"label", json_kind::string, true}};
    for (std::size_t k = 1; k + 1 < count; ++k)
      known[k] = {placement_fields[k - 1], json_kind::number, true, json_kind::string};
    known[count - 1] = {overwrites_field, json_kind::number};
    std::uint32_t at[count]{};
    if (!fields(item, "an operator", known, at)) return false;
    const std::size_t op = m_.operators.size();
    if (op >= w_.operators.size() || json_.text_of(at[0]) != w_.operators[op].label.view())
      return fail(at[0], "the workload has another operator there");
    placement p;
    std::int64_t place[4]{};
    for (std::size_t k = 0; k < 4; ++k)
      if (!amount(at[1 + k], k % 2 == 0 ? m_.rows : m_.columns, place[k])) return false;
    if (!amount(at[5], most_, p.how.first_parts) || !amount(at[6], most_, p.how.second_parts) ||
        !amount(at[7], most_, p.how.cycles) || !amount(at[8], most_, p.how.working_bytes) ||
        !amount(at[9], m_.makespan, p.start) || !amount(at[10], m_.makespan, p.finish) ||
        !amount(at[11], most_, p.result_bytes))
      return false;
    p.where = {static_cast<std::int32_t>(place[0]), static_cast<std::int32_t>(place[1]),
               static_cast<std::int32_t>(place[2]), static_cast<std::int32_t>(place[3])};
    if (place[0] + place[2] > m_.rows || place[1] + place[3] > m_.columns)
      return fail(at[1], "the rectangle is not inside the array");
    if ((place[2] == 0) != (place[3] == 0) || (p.where.empty() && !w_.operators[op].is_view) ||
        (!p.where.empty() && w_.operators[op].is_view))
      return fail(at[3], "a view has no PEs, and everything else has some");
    if (p.finish - p.start != p.how.cycles)
      return fail(at[10], "an operator takes its cycles from start to finish");
    std::int64_t overwritten = 0;
    if (at[12] != 0) {
      if (!amount(at[12], INT64_MAX, overwritten)) return false;
      if (p.where.empty() || overwritten >= static_cast<std::int64_t>(op) ||
          m_.operators[static_cast<std::size_t>(overwritten)].where.empty())
        return fail(at[12], "an operator overwrites an earlier one");
      p.overwrites = static_cast<std::uint32_t>(overwritten);
    }
    m_.operators.push_back(p);
    return true;
  }
  constexpr bool read_turn(std::uint32_t item) {
    std::int64_t op = 0;
    if (!amount(item, INT64_MAX, op)) return false;
    const auto i = static_cast<std::uint64_t>(op);
    if (i >= m_.operators.size() || m_.operators[i].where.empty())
      return fail(item, "there is no such operator, or it is a view");
    if (taken_.empty()) taken_.resize(m_.operators.size());
    if (taken_[i] != 0) return fail(item, "an operator starts once");
    taken_[i] = 1;
    m_.sequence.push_back(static_cast<std::uint32_t>(op));
    return true;
  }
  constexpr bool read_figure(std::uint32_t item, std::int64_t most, table<std::int64_t>& out) {
    std::int64_t n = 0;
    if (!amount(item, most, n)) return false;
    out.push_back(n);
    return true;
  }
  constexpr bool check() {
    if (m_.operators.size() != w_.operators.size())
      return fail(at_operators_, "the workload has another number of operators");
    std::size_t placed = 0;
    for (const placement& p : m_.operators) placed += p.where.empty() ? 0 : 1;
    if (m_.sequence.size() != placed)
      return fail(at_sequence_, "every operator that is no view starts once");
    const auto elements = static_cast<std::size_t>(m_.rows) * static_cast<std::size_t>(m_.columns);
    if (m_.busy.size() != elements) return fail(at_busy_, "there is one figure for every PE");
    if (m_.high_water.size() != elements)
      return fail(at_high_water_, "there is one figure for every PE");
    return true;
  }

  static constexpr std::int64_t most_ = INT64_MAX / 4;
  const workload& w_;
  mapping m_;
  table<char> taken_;
  std::uint32_t at_operators_ = 0, at_sequence_ = 0, at_busy_ = 0, at_high_water_ = 0;
};

}  // namespace detail

/// Reads the JSON form of a mapping of the workload `w`. Members may come in any order; all are
/// required, and others are errors. Every index and size is checked against the mapping; use `edit`
/// or `simulate` to check the rules of its model. Errors: `mapping_syntax` with line, column and
/// offset. O(size).
constexpr result<mapping> parse_mapping_json(text_view source, const workload& w) {
  const auto json = parse_json(source);
  if (!json) {
    error e = json.error();
    e.code = errc::mapping_syntax;
    return e;
  }
  return detail::mapping_json_reader(source, *json, w).read();
}

}  // namespace wf
