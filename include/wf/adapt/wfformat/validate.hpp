// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/relations.hpp>
#include <wf/adapt/wfformat/schema_check.hpp>

namespace wf::wfformat {

namespace detail {

/// The first fault of an instance, and its relations if there is none.
constexpr field_fault find_fault(const instance& all, relations& out) {
  if (field_fault fault = schema_checker().run(all)) return fault;
  return relation_reader(all).run(out);
}
constexpr field_fault find_fault(const instance& all) {
  relations ignored;
  return find_fault(all, ignored);
}

}  // namespace detail

/// Resolves the ids of an instance. Errors: `bad_workflow_file`; its subject is the instance, and
/// its message begins with the field. A field breaks the schema: a missing one, an empty string or
/// array, characters of ids, ranges of numbers (formats such as "date-time" are annotations and not
/// checked). Or the instance contradicts itself: two tasks, files or machines of one id; an id that
/// is not there, or twice in a list; a file without an entry, and so without a size, or with two
/// producers; `parents` that are not the inverse of `children`; tasks that wait for each other, by
/// parents or by files, with the cycle; two records of one task. O(n log n) in tasks, files and ids
/// listed.
constexpr result<relations> relations_of(const instance& all) {
  relations out;
  if (const auto fault = detail::find_fault(all, out)) return fault.to_error(all.name.view());
  return out;
}

/// Checks an instance as `relations_of` does. Errors: the same.
constexpr result<nothing> validate(const instance& all) {
  if (const auto fault = detail::find_fault(all)) return fault.to_error(all.name.view());
  return nothing{};
}

}  // namespace wf::wfformat
