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
    return wrong(size_path(file), "the size does not fit 63 bits");
  }
  /// Bytes of some files together.
  constexpr result<std::int64_t> bytes_of(view<std::uint32_t> files) const {
    std::int64_t sum = 0;
    for (const std::uint32_t f : files) {
      const auto more = bytes_of(f);
      if (!more) return more;
      if (!checked_add(sum, *more, sum))
        return wrong(size_path(f), "the sizes together do not fit 63 bits");
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
    if (record == nullptr)
      return wrong(specification_path().field("tasks").element(task),
                   "no execution of the task is recorded");
    const auto time = record->runtime_in_seconds.scaled(power);
    if (time && *time >= 0) return time;
    return wrong(execution_path()
                     .field("tasks")
                     .element(related_.executions[task])
                     .field("runtimeInSeconds"),
                 time ? "the run time is negative" : "the run time does not fit 63 bits");
  }

 private:
  static constexpr field_path size_path(std::uint32_t file) {
    return specification_path().field("files").element(file).field("sizeInBytes");
  }
  constexpr error wrong(field_path where, text_view sentence) const {
    return field_fault{static_cast<field_path&&>(where), text(sentence)}.to_error(all_.name.view());
  }

  const instance& all_;
  const relations& related_;
};

}  // namespace wf::wfformat::detail
