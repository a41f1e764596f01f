// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/components.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/reduce/must_sets.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// The classes of a reduced problem with the options that are left to them, and what these need in
/// any case, while reductions change both.
class option_graph {
 public:
  struct option {
    table<std::int64_t> costs;  ///< the sum part of the objective, then one cost per column
    table<std::uint32_t> needs;
    std::uint32_t number = 0;  ///< the candidate in the reduced problem
    bool dead = false;
  };
  struct group {
    table<option> options;
  };

  /// No class has options yet; the roots are needed.
  constexpr explicit option_graph(const reduced_selection& reduced)
      : r_(reduced), groups_(reduced.classes), needed_(reduced.classes) {
    for (const std::uint32_t root : r_.roots) needed_[root] = 1;
  }

  /// Lists in order_ the classes that may be needed, children first except in cycles, with their
  /// strongly connected components.
  constexpr void number() {
    struct cursor {
      std::uint32_t option = 0, need = 0;
    };
    order_.clear();
    block_ = table<std::uint32_t>(r_.classes, packing_model::none);
    block_size_.clear();
    auto finder = find_components<cursor>(
        r_.classes,
        [&](std::uint32_t k, cursor& at) {
          ++steps_;
          const table<option>& options = groups_[k].options;
          for (; at.option < options.size(); ++at.option, at.need = 0)
            if (at.need < options[at.option].needs.size())
              return options[at.option].needs[at.need++];
          return packing_model::none;
        },
        [&](const table<std::uint32_t>& members) {
          for (const std::uint32_t k : members)
            block_[k] = static_cast<std::uint32_t>(block_size_.size());
          block_size_.push_back(static_cast<std::uint32_t>(members.size()));
          order_.append(members);
        });
    for (std::uint32_t root = r_.classes; root-- > 0;)
      if (needed_[root]) finder.enter(root);
  }

  /// Computes the must sets, component by component.
  constexpr void find_must_sets() {
    must_.begin(r_.classes);
    for (std::size_t begin = 0; begin < order_.size();) {
      const std::uint32_t size = block_size_[block_[order_[begin]]];
      must_.settle(
          size, [&](std::uint32_t i) { return order_[begin + i]; },
          [&](std::uint32_t k, auto&& f) {
            for (const option& o : groups_[k].options) f(o.needs);
          });
      begin += size;
    }
  }

  constexpr bool is_cyclic(const option& o, std::uint32_t k) {
    for (const std::uint32_t e : o.needs)
      if (has_bit(must_.of(e), k)) return true;
    return false;
  }

  constexpr static void add_need(option& o, std::uint32_t e) {
    for (const std::uint32_t known : o.needs)
      if (known == e) return;
    o.needs.push_back(e);
  }

  constexpr static void drop_need(option& o, std::uint32_t e) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < o.needs.size(); ++i)
      if (o.needs[i] != e) o.needs[kept++] = o.needs[i];
    while (o.needs.size() > kept) o.needs.pop_back();
  }

  const reduced_selection& r_;
  table<group> groups_;              ///< by class
  table<std::uint8_t> needed_;       ///< by class: 1 if every selection has it
  table<std::uint32_t> order_;       ///< the classes that may be needed
  table<std::uint32_t> block_;       ///< by class: its component, or `none` if it is not in order_
  table<std::uint32_t> block_size_;  ///< by component
  must_sets must_;
  std::uint64_t steps_ = 0;  ///< number of innermost-loop passes
};

}  // namespace wf::detail
