// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/core/text/fixed_string.hpp>
#include <wf/formula/language/code.hpp>
#include <wf/formula/language/parse.hpp>

namespace wf {

namespace detail {

template <fixed_string Source>
constexpr auto freeze_formula() {
  constexpr auto parse = [] { return parse_formula(Source.view()); };
  constexpr auto failure = [] { return parse_formula(Source.view()).error(); };
  constexpr bool well_formed = parse().has_value();
  if constexpr (!well_formed) {
    return report<diagnose<failure>>{};
  } else {
    constexpr std::size_t code = parse()->code.size(), constants = parse()->constants.size(),
                          names = parse()->names.size();
    const auto parsed = parse();
    return frozen_formula<code, constants, names, Source.size()>{
        freeze<formula_instruction, code>(parsed->code),
        freeze<rational, constants>(parsed->constants), freeze<formula_name, names>(parsed->names),
        freeze<char, Source.size()>(parsed->source)};
  }
}

}  // namespace detail

/// A formula parsed at compile time, as a constant: `evaluate(formula_of<"2*M*N*K">, bindings)`
/// parses nothing. A syntax error is a compile error that contains the message.
template <fixed_string Source>
inline constexpr auto formula_of = detail::freeze_formula<Source>();

}  // namespace wf
