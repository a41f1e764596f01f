// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/core/text/fixed_string.hpp>
#include <wf/logic/program/read_program.hpp>
#include <wf/logic/program/strata.hpp>

namespace wf::logic {

namespace detail {

// The program of a text that is known while compiling.
template <fixed_string Text>
struct static_rules {
  static constexpr result<stratified_program> make() {
    auto program = read_program(Text.view());
    if (!program) return program.error();
    return stratify(static_cast<tensor_program&&>(*program), Text.view());
  }
  static constexpr error failure() {
    error e = make().error();
    if (e.subject.empty()) e.subject = text("rules");
    append_position(e.message, e.where);
    return e;
  }
  static constexpr bool ok = make().has_value();
};

}  // namespace detail

/// The program of a text of equations, read and ordered while compiling; a wrong one does not
/// compile:
///
///     constexpr bool reaches = [] {
///       wf::logic::database facts = ...;
///       auto solved = evaluate(wf::logic::rules<"Path(x,y) = Edge(x,y)\n"
///                                               "Path(x,z) = Path(x,y) Edge(y,z)">(), facts);
///       return solved && solved->find("Path")->size() == 17;
///     }();
///
/// Compile errors, with line and column: WF112 to WF115. Every call reads the text again.
template <fixed_string Text>
constexpr stratified_program rules() {
  using made = detail::static_rules<Text>;
  if constexpr (!made::ok) {
    (void)sizeof(report<diagnose<&made::failure>>);
    return {};
  } else {
    return *made::make();
  }
}

}  // namespace wf::logic
