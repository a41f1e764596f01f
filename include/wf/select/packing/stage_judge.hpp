// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/reduce/exchange.hpp>
#include <wf/select/reduce/incumbent.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// Prices values of a packing model as the selection that they represent.
class stage_judge {
 public:
  constexpr stage_judge(const reduced_selection& reduced, choice_pricer& pricer,
                        const packing_model& whole)
      : r_(reduced), pricer_(pricer), whole_(whole) {}

  /// Begins a choice: the settled candidates of the model, and an arbitrary candidate of each other
  /// class.
  constexpr void begin() {
    choice_ = table<std::uint32_t>(r_.classes);
    for (std::uint32_t k = 0; k < r_.classes; ++k)
      choice_[k] = whole_.settled[k] != packing_model::none ? whole_.settled[k] : r_.first[k];
  }
  /// Puts the values of a part of the model into the choice.
  constexpr void put(const packing_model& part, const table<std::uint32_t>& values) {
    for (const std::uint32_t v : values)
      if (const std::uint32_t n = part.candidate_of[v]; n != packing_model::none)
        choice_[r_.owner[n]] = n;
  }
  constexpr priced_choice price() { return pricer_.price(choice_); }

  /// Prices a choice given by one value for each class of the whole model.
  constexpr priced_choice judge(const table<std::uint32_t>& values) {
    begin();
    put(whole_, values);
    return price();
  }

 private:
  const reduced_selection& r_;
  choice_pricer& pricer_;
  const packing_model& whole_;
  table<std::uint32_t> choice_;
};

}  // namespace wf::detail
