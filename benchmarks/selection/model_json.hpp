// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include <wf/core/json/document.hpp>

#include <selection/instance.hpp>
#include <selection/model.hpp>

namespace selection_benchmark {

/// Writes JSON values and the commas between them.
class json_writer {
 public:
  json_writer& number(std::int64_t value) {
    comma();
    out_ += std::to_string(value);
    return *this;
  }
  /// Writes a word without quotes, such as null.
  json_writer& word(const char* characters) {
    comma();
    out_ += characters;
    return *this;
  }
  json_writer& open(char bracket) {
    comma();
    out_ += bracket;
    fresh_ = true;
    return *this;
  }
  json_writer& close(char bracket) {
    out_ += bracket;
    fresh_ = false;
    return *this;
  }
  json_writer& key(const char* name) {
    comma();
    out_ += std::string("\"") + name + "\":";
    fresh_ = true;
    return *this;
  }
  json_writer& string(wf::text_view characters) {
    comma();
    wf::text quoted;
    wf::append_json_string(quoted, characters);
    out_.append(quoted.data(), quoted.size());
    return *this;
  }
  template <class Numbers>
  json_writer& list(const Numbers& numbers) {
    open('[');
    for (const auto value : numbers) number(static_cast<std::int64_t>(value));
    return close(']');
  }
  const std::string& text() const { return out_; }

 private:
  void comma() {
    if (!fresh_) out_ += ',';
    fresh_ = false;
  }

  std::string out_;
  bool fresh_ = true;
};

/// The strong model of an instance as JSON, which rivals.py converts to the solvers' formats. The
/// problem must be valid.
inline std::string model_as_json(const instance& i, const reference_value& reference) {
  const strong_model m = model_builder(i.problem).build();
  const wf::detail::reduced_selection& r = m.reduced;
  json_writer out;
  out.open('{');
  out.key("name").string(i.name);
  out.key("scale").number(i.scale).key("offset").number(i.offset);
  out.key("maximised").number(i.maximised).key("feasible").number(r.feasible);
  if (reference.known) out.key("known").number(reference.total);
  if (!r.feasible) return out.close('}').text();

  const wf::view<std::int64_t> costs(r.column(i.problem.metrics.size()), r.candidates);
  out.key("classes").number(r.classes);
  out.key("roots").list(r.roots).key("needed").list(m.needed);
  out.key("owner").list(wf::view<std::uint32_t>(r.owner.data(), r.candidates));
  out.key("cost").list(costs);
  out.key("children").open('[');
  for (std::uint32_t n = 0; n < r.candidates; ++n)
    out.list(wf::view<std::uint32_t>(r.child.data() + r.child_first[n],
                                     r.child_first[n + 1] - r.child_first[n]));
  out.close(']').key("implications").open('[');
  for (const strong_model::implication& one : m.implications)
    out.open('[').list(one.any).list(one.needs).close(']');
  out.close(']').key("blocks").open('[');
  for (std::uint32_t k = 0; k < r.classes; k = r.block_last[k])
    if (r.block_last[k] - k > 2) out.open('[').number(k).number(r.block_last[k]).close(']');
  out.close(']').key("arcs").open('[');
  for (const strong_model::arc& one : m.arcs)
    out.open('[').number(one.from).number(one.to).list(one.candidates).close(']');
  out.close(']').key("limits").open('[');
  for (std::uint32_t metric = 0; metric < i.problem.metrics.size(); ++metric)
    if (m.stage.maximum[metric] != wf::unbounded &&
        i.problem.metrics[metric].kind == wf::aggregation::sum)
      out.open('[')
          .number(m.stage.maximum[metric])
          .list(wf::view<std::int64_t>(r.column(metric), r.candidates))
          .close(']');
  out.close(']');
  if (m.depth != 0) {
    out.key("depth").number(m.depth).key("heights").open('[');
    for (const auto& [least, most] : m.heights) out.open('[').number(least).number(most).close(']');
    out.close(']');
  }
  out.key("excluded").open('[');
  for (const auto& [a, b] : m.excluded) out.open('[').number(a).number(b).close(']');
  out.close(']').key("pairs").open('[');
  for (const strong_model::priced_pair& one : m.pairs)
    out.open('[').number(one.first).number(one.second).number(one.cost).close(']');
  out.close(']').key("cliques").open('[');
  for (const auto& one : m.cliques) out.list(one);
  return out.close(']').close('}').text();
}

}  // namespace selection_benchmark
