// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/relations.hpp>

namespace wf::wfformat::detail {

/// The quantities of a valid instance as integers. Errors of its functions: `bad_workflow_file`
/// with the field, for what the schema allows but nothing can be computed with.
class quantities {
 public:
  /// Both must outlive this object.
  constexpr quantities(const instance& all, const relations& related)
      : all_(all), related_(related) {}

  /// Bytes of a file.
  constexpr result<std::int64_t> bytes_of(std::uint32_t file) const {
    const auto size = all_.workflow.specification.files[file].size_in_bytes.scaled(0);
    if (size) return size;
    field_path where;
    where.field("workflow").field("specification").field("files").element(file);
    return wrong(where.field("sizeInBytes"), "the size does not fit 63 bits");
  }
  /// Bytes of some files together.
  constexpr result<std::int64_t> bytes_of(view<std::uint32_t> files) const {
    std::int64_t sum = 0;
    for (const std::uint32_t f : files) {
      const auto more = bytes_of(f);
      if (!more) return more;
      if (__builtin_add_overflow(sum, *more, &sum)) {
        field_path where;
        where.field("workflow").field("specification").field("files").element(f);
        return wrong(where.field("sizeInBytes"), "the sizes together do not fit 63 bits");
      }
    }
    return sum;
  }
  /// The record of a task, or null.
  constexpr const executed_task* record_of(std::uint32_t task) const {
    const std::uint32_t at =
        related_.executions.empty() ? relations::none : related_.executions[task];
    return at == relations::none ? nullptr : &all_.workflow.execution->tasks[at];
  }
  /// The run time of a task in seconds / 10^power, rounded to nearest. Error also if it has none.
  constexpr result<std::int64_t> runtime_of(std::uint32_t task, std::uint32_t power) const {
    const executed_task* const record = record_of(task);
    field_path where;
    if (record == nullptr) {
      where.field("workflow").field("specification").field("tasks").element(task);
      return wrong(where, "no execution of the task is recorded");
    }
    const auto time = record->runtime_in_seconds.scaled(power);
    if (time && *time >= 0) return time;
    where.field("workflow").field("execution").field("tasks").element(related_.executions[task]);
    return wrong(where.field("runtimeInSeconds"),
                 time ? "the run time is negative" : "the run time does not fit 63 bits");
  }

 private:
  constexpr error wrong(field_path where, text_view sentence) const {
    return field_fault{static_cast<field_path&&>(where), text(sentence)}.to_error(all_.name.view());
  }

  const instance& all_;
  const relations& related_;
};

}  // namespace wf::wfformat::detail
