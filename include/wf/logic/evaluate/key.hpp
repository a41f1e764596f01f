// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/core/json/document.hpp>
#include <wf/core/sha256.hpp>
#include <wf/core/version.hpp>
#include <wf/logic/evaluate/rule_engine.hpp>

namespace wf::logic {

namespace detail {

/// The SHA-256 digest of the symbols and entries of a database, in their order. No two databases
/// have the same text: sizes stand before what they count.
constexpr text content_digest(const database& inputs) {
  text all;
  const auto name = [&](const text& t) { all << t.size() << ':' << t.view(); };
  all << inputs.domains.size() << ' ';
  for (const symbol_domain& d : inputs.domains) {
    name(d.name);
    all << d.symbols.size() << ' ';
    for (const text& s : d.symbols) name(s);
  }
  for (const named_relation& r : inputs.relations) {
    name(r.name);
    all << r.entries.rank << ' ' << r.entries.rows << (r.entries.valued ? 'v' : ' ')
        << r.domains.size() << ' ' << r.extents.size() << ' ';
    for (const std::uint32_t d : r.domains) all << d << ' ';
    for (const std::int64_t extent : r.extents) all << extent << ' ';
    for (const table<position>& column : r.entries.columns)
      for (const position p : column)
        wf::detail::append_hexadecimal(all, static_cast<std::uint32_t>(p), 8);
    for (const double v : r.entries.values)
      wf::detail::append_hexadecimal(all, std::bit_cast<std::uint64_t>(v), 16);
  }
  return sha256(all.view());
}

}  // namespace detail

/// What decides the results of an evaluation, as JSON in one line: version of wf, dialect and
/// digest of the source, every option but the one that reports progress, digest of the inputs. Its
/// SHA-256 digest is the key under which a cache may keep the results. O(size of the inputs).
constexpr text evaluation_identity(text_view source, text_view dialect, const database& inputs,
                                   const evaluation_options& options) {
  // An option that is added does not compile until it is here, too.
  const auto& [steps, max_rounds, tolerance, cells_per_entry, least_cells, recursions, joins,
               max_bindings, samples, seed, temperatures, semirings, progress] = options;
  static_cast<void>(progress);
  text out;
  append_json_string(out << "{\"wf\": " << WF_VERSION << ", \"dialect\": ", dialect);
  out << ", \"source\": \"" << sha256(source).view() << "\", \"steps\": " << steps
      << ", \"max_rounds\": " << max_rounds << ", \"tolerance\": \"" << real_text(tolerance).view()
      << "\", \"cells_per_entry\": " << cells_per_entry << ", \"least_cells\": " << least_cells
      << ", \"recursions\": " << static_cast<std::uint32_t>(recursions)
      << ", \"joins\": " << static_cast<std::uint32_t>(joins)
      << ", \"max_bindings\": " << max_bindings << ", \"samples\": " << samples
      << ", \"seed\": " << seed << ", \"temperatures\": {";
  for (std::size_t i = 0; i < temperatures.size(); ++i) {
    append_json_string(out << (i == 0 ? "" : ", "), temperatures[i].head.view());
    append_json_string(out << ": ", temperatures[i].schedule.to_text().view());
  }
  out << "}, \"semirings\": [";
  for (std::size_t i = 0; i < semirings.size(); ++i) {
    append_json_string(out << (i == 0 ? "[" : ", ["), semirings[i].addition);
    append_json_string(out << ", ", semirings[i].multiplication);
    out << ']';
  }
  return out << "], \"inputs\": \"" << detail::content_digest(inputs).view() << "\"}";
}

/// The key of an evaluation in a cache: the SHA-256 digest of `evaluation_identity`, as 64
/// hexadecimal digits. O(size of the inputs).
constexpr text evaluation_key(text_view source, text_view dialect, const database& inputs,
                              const evaluation_options& options = {}) {
  return sha256(evaluation_identity(source, dialect, inputs, options).view());
}

}  // namespace wf::logic
