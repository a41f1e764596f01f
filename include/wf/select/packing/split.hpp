// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/model.hpp>

namespace wf::detail {

/// A connected component of a packing model: it shares no row, need or joint value with the rest.
struct packing_component {
  packing_model model;
  table<std::uint32_t> values;  ///< by value: its number in the whole model
  packing_cuts cuts;            ///< the cuts that its search finds
};

/// Splits a model without limits into its connected components, in the order of their first
/// classes. O(entries).
class packing_splitter {
 public:
  constexpr explicit packing_splitter(const packing_model& model)
      : m_(model), home_(model.classes), value_at_(model.values) {
    for (std::uint32_t k = 0; k < m_.classes; ++k) home_[k] = k;
    for (const packing_part& p : m_.parts) join(p.owner, m_.parts[m_.row_part[p.row]].owner);
    for (std::uint32_t v = 0; v < m_.values; ++v) {
      for (std::uint32_t i = m_.need_first[v]; i < m_.need_first[v + 1]; ++i)
        join(m_.owner[v], m_.need[i]);
      if (!m_.is_joint(v)) continue;
      join(m_.owner[v], m_.owner[m_.joint_a[v]]);
      join(m_.owner[v], m_.owner[m_.joint_b[v]]);
    }
  }

  /// The components; empty if the model has no classes.
  constexpr table<packing_component> run() {
    table<packing_component> out;
    table<std::uint32_t> number(m_.classes), class_at(m_.classes);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      const std::uint32_t home = find(k);
      if (home == k) {
        number[k] = static_cast<std::uint32_t>(out.size());
        out.push_back({});
      }
      packing_component& c = out[number[home]];
      class_at[k] = c.model.add_class();
      c.model.block.push_back(m_.block[k]);
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v) {
        value_at_[v] = c.model.add_value(m_.cost[v], m_.candidate_of[v]);
        c.values.push_back(v);
      }
      if (m_.off[k] != packing_model::none) c.model.off[class_at[k]] = value_at_[m_.off[k]];
    }
    table<std::uint32_t> row;
    for (std::uint32_t r = 0; r < m_.rows; ++r) {
      row.clear();
      for (std::uint32_t e = m_.row_first[r]; e < m_.row_first[r + 1]; ++e)
        row.push_back(value_at_[m_.entry[e]]);
      out[number[find(m_.parts[m_.row_part[r]].owner)]].model.add_row(row);
    }
    for (packing_component& c : out) finish(c, class_at);
    return out;
  }

 private:
  constexpr std::uint32_t find(std::uint32_t k) {
    while (home_[k] != k) k = home_[k] = home_[home_[k]];
    return k;
  }

  constexpr void join(std::uint32_t k, std::uint32_t e) {
    const std::uint32_t a = find(k), b = find(e);
    if (a != b) home_[a < b ? b : a] = a < b ? a : b;
  }

  constexpr void finish(packing_component& c, const table<std::uint32_t>& class_at) const {
    packing_model& m = c.model;
    for (std::uint32_t v = 0; v < m.values; ++v) {
      const std::uint32_t whole = c.values[v];
      m.need_first.push_back(static_cast<std::uint32_t>(m.need.size()));
      for (std::uint32_t i = m_.need_first[whole]; i < m_.need_first[whole + 1]; ++i)
        m.need.push_back(class_at[m_.need[i]]);
      if (!m_.is_joint(whole)) continue;
      m.joint_a[v] = value_at_[m_.joint_a[whole]];
      m.joint_b[v] = value_at_[m_.joint_b[whole]];
    }
    m.need_first.push_back(static_cast<std::uint32_t>(m.need.size()));
    m.finish();
  }

  const packing_model& m_;
  table<std::uint32_t> home_, value_at_;
};

}  // namespace wf::detail
