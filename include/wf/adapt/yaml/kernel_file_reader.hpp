// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/yaml/calls.hpp>
#include <wf/adapt/yaml/kernel_file.hpp>
#include <wf/adapt/yaml/kernels.hpp>
#include <wf/adapt/yaml/times.hpp>
#include <wf/adapt/yaml/transforms.hpp>

namespace wf {

namespace detail {

inline constexpr text_view kernel_file_keys[] = {"wf_kernels",   "domain",     "metrics",
                                                 "second_cache", "cores",      "link",
                                                 "kernels",      "transforms", "calls"};
inline constexpr text_view link_keys[] = {"latency_ns", "bytes_per_second"};

}  // namespace detail

/// Reads one kernel file into copies of registries, for `load_kernels`.
class kernel_file_reader {
 public:
  /// Reads `source`, called `name` in messages, for kernels and transforms that are added to the
  /// given ones; `transforms` may be null.
  kernel_file_reader(text_view source, text_view name, const registry& kernels,
                     const transform_registry* transforms, view<transform> available)
      : in_(source, name),
        kernels_(kernels),
        with_transforms_(transforms != nullptr),
        available_(available) {
    if (with_transforms_) transforms_ = *transforms;
  }

  /// Reads everything, or nothing. Errors: the first fault, as `load_kernel_file` states;
  /// `bad_registry_file` for invalid YAML, since yaml-cpp's exceptions are caught here.
  result<kernel_file> run() {
    try {
      if (!read()) return in_.failure();
    } catch (const YAML::Exception& e) {
      in_.fail(e);
      return in_.failure();
    }
    file_.texts_ = in_.take_texts();
    return static_cast<kernel_file&&>(file_);
  }
  /// Reads a table of times that must cover all given kernels: see `load_times`. Errors: those of
  /// `run`, and `bad_registry_file` for a kernel with two times, without one or with other costs,
  /// and for missing kernels, with their names.
  result<kernel_file> run_times(view<kernel_spec> all) {
    file_keys_ = detail::times_file_keys;
    kernel_keys_ = detail::times_keys;
    const registry before = kernels_;
    auto read = run();
    if (!read) return read;
    if (const error e = detail::find_time_fault(in_, read->kernels(), all, before);
        e.code != errc::none)
      return e;
    return read;
  }
  /// The registry with the kernels of the file; only after success.
  registry&& kernels() { return static_cast<registry&&>(kernels_); }
  /// The transforms with those of the file; only after success.
  transform_registry&& transforms() { return static_cast<transform_registry&&>(transforms_); }

 private:
  bool read() {
    YAML::Node root;
    if (!in_.parse(max_kernel_file_size, root)) return false;
    detail::yaml_fields f;
    if (!in_.read_fields(root, "a file of kernels", file_keys_, f) ||
        !in_.require(root, f, "a file of kernels", "wf_kernels"))
      return false;
    if (const YAML::Node& version = *f.find("wf_kernels");
        !version.IsScalar() || version.Scalar() != "1")
      return in_.fail(version, "wf_kernels is the version of the format, which is 1");
    detail::yaml_kernels kernels(in_, kernels_);
    return in_.read_text(f, "domain", domain_) && kernels.read_metrics(f.find("metrics")) &&
           read_caches(f.find("second_cache")) && read_cores(f.find("cores")) &&
           read_link(f.find("link")) && read_kernels(f.find("kernels"), kernels) &&
           read_transforms(f.find("transforms")) && read_calls(f.find("calls"));
  }
  bool read_caches(const YAML::Node* node) {
    file_.caches_ = kernels_.caches();
    if (node == nullptr) return true;
    std::int64_t bytes = 0;
    if (!node->IsScalar() || !detail::integer_in(node->Scalar(), bytes) || bytes <= 0)
      return in_.fail(*node, "second_cache is a number of bytes");
    file_.caches_.second = bytes;
    kernels_.set_caches(file_.caches_);
    return true;
  }
  bool read_cores(const YAML::Node* node) {
    std::int64_t cores = 1;
    if (node != nullptr && (!node->IsScalar() || !detail::integer_in(node->Scalar(), cores) ||
                            cores < 1 || cores > UINT32_MAX))
      return in_.fail(*node, "cores is a number of busy cores, from 1 on");
    file_.cores_ = static_cast<std::uint32_t>(cores);
    return true;
  }
  bool read_link(const YAML::Node* node) {
    if (node == nullptr) return true;
    detail::yaml_fields f;
    if (!in_.read_fields(*node, "a link", detail::link_keys, f)) return false;
    const auto count = [&](text_view key, std::int64_t& out) {
      const YAML::Node* const field = f.find(key);
      if (field == nullptr) return in_.require(*node, f, "a link", key);
      if (field->IsScalar() && detail::integer_in(field->Scalar(), out) && out >= 0) return true;
      return in_.fail(*field, (text() << key << " is a number, not negative").view());
    };
    return count("latency_ns", file_.link_.latency_ns) &&
           count("bytes_per_second", file_.link_.bytes_per_second);
  }
  bool read_kernels(const YAML::Node* list, detail::yaml_kernels& kernels) {
    return in_.read_each(list, "kernels", [&](const YAML::Node& node) {
      kernel_spec k;
      if (!kernels.read(node, kernel_keys_, domain_, k)) return false;
      file_.kernels_.push_back(k);
      return true;
    });
  }
  bool read_transforms(const YAML::Node* list) {
    if (list != nullptr && list->IsSequence() && !with_transforms_)
      return in_.fail(*list, "transforms need a transform registry to be loaded into");
    detail::yaml_transforms transforms(in_, kernels_, transforms_, available_);
    return in_.read_each(list, "transforms", [&](const YAML::Node& node) {
      transform t;
      if (!transforms.read(node, domain_, t)) return false;
      file_.transforms_.push_back(t);
      return true;
    });
  }
  bool read_calls(const YAML::Node* list) {
    detail::yaml_calls calls(in_, kernels_);
    return in_.read_each(list, "calls", [&](const YAML::Node& node) {
      call_pattern p;
      if (!calls.read(node, file_.calls_, p)) return false;
      file_.calls_.push_back(p);
      return true;
    });
  }

  detail::yaml_reader in_;
  view<text_view> file_keys_ = detail::kernel_file_keys;
  view<text_view> kernel_keys_ = detail::kernel_keys;
  registry kernels_;
  bool with_transforms_;
  transform_registry transforms_;
  view<transform> available_;
  text_view domain_;
  kernel_file file_;
};

}  // namespace wf
