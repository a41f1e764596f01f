// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include <wf/adapt/yaml/kernel_file_reader.hpp>
#include <wf/choice/builtin.hpp>
#include <wf/registry/times/host_times.hpp>

namespace wf {

namespace detail {

inline result<kernel_file> load_into(text_view yaml, text_view name, registry& kernels,
                                     transform_registry* transforms, view<transform> available) {
  kernel_file_reader reader(yaml, name, kernels, transforms, available);
  auto loaded = reader.run();
  if (!loaded) return loaded;
  kernels = reader.kernels();
  if (transforms != nullptr) *transforms = reader.transforms();
  return loaded;
}

inline result<std::string> text_of_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return make_error(errc::bad_registry_file, path, "the file cannot be read");
  return all;
}

inline result<kernel_file> load_file_into(const std::string& path, registry& kernels,
                                          transform_registry* transforms,
                                          view<transform> available) {
  const auto yaml = text_of_file(path);
  if (!yaml) return yaml.error();
  return load_into(*yaml, path, kernels, transforms, available);
}

}  // namespace detail

/// Loads kernels from YAML (docs/reference/kernel-files.md) into a registry, all or none, with the
/// checks of `registry::add`. The result owns the texts: it must outlive the registry. Errors,
/// always with line and column: `bad_registry_file` for invalid YAML, an unknown key (with the
/// nearest known one) or a value of the wrong kind; those of `registry::add`, at their place.
[[nodiscard]] inline result<kernel_file> load_kernels(text_view yaml, registry& kernels) {
  return detail::load_into(yaml, "yaml", kernels, nullptr, {});
}

/// Loads kernels and transforms: each transform is one of `available` under its own name,
/// optionally with a further guard. Errors: also those of `transform_registry::add`.
[[nodiscard]] inline result<kernel_file> load_kernels(
    text_view yaml, registry& kernels, transform_registry& transforms,
    view<transform> available = builtin_transforms()) {
  return detail::load_into(yaml, "yaml", kernels, &transforms, available);
}

/// Loads kernels from a file, which errors name. Errors: also `bad_registry_file` without a
/// position if the file cannot be read.
[[nodiscard]] inline result<kernel_file> load_kernel_file(const std::string& path,
                                                          registry& kernels) {
  return detail::load_file_into(path, kernels, nullptr, {});
}

/// Loads kernels and transforms from a file, which errors name. Errors: as above, and those of
/// `transform_registry::add`.
[[nodiscard]] inline result<kernel_file> load_kernel_file(
    const std::string& path, registry& kernels, transform_registry& transforms,
    view<transform> available = builtin_transforms()) {
  return detail::load_file_into(path, kernels, &transforms, available);
}

/// Loads the times of another machine, as written by `wf-calibrate`: kernels that override
/// `execution_time`, or this and the `library_time` of a library, and the caches of that machine.
/// The table must state all times of `kernels::host_times`, so that no time of another machine
/// remains. Errors: those of `load_kernels`; `bad_registry_file` for a kernel that states anything
/// else or occurs twice, for one that lacks a library's time that the registry has, and for missing
/// kernels, which it names.
[[nodiscard]] inline result<kernel_file> load_times_text(text_view yaml, registry& kernels,
                                                         text_view name = "yaml") {
  kernel_file_reader reader(yaml, name, kernels, nullptr, {});
  auto loaded = reader.run_times(kernels::host_times);
  if (loaded) kernels = reader.kernels();
  return loaded;
}

/// `load_times_text` for a file, which errors name. Errors: also `bad_registry_file` without a
/// position if the file cannot be read.
[[nodiscard]] inline result<kernel_file> load_times(const std::string& path, registry& kernels) {
  const auto yaml = detail::text_of_file(path);
  if (!yaml) return yaml.error();
  return load_times_text(*yaml, kernels, path);
}

}  // namespace wf
